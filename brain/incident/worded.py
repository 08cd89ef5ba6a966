"""A model words what code decided. It is given the findings one by one, and of each gives one wording back: a wording stands only where
every word of it is a word of that finding or says nothing by itself, what must be kept is kept in its order, and it cites nothing else.
Code's own sentence stands in the place of every other. So no suspect, verdict, number or person to page can be changed by what it writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from brain.agents import untrusted
from brain.agents.model_talk import Engine, Talk
from brain.agents.run import Run
from brain.errors import BudgetSpent, ModelDown
from brain.incident.findings import Investigation, Sentence, Worded
from brain.incident.slots import Slot, slots
from brain.llm.talk import Message
from brain.text.analysis import stem
from brain.text.inert import inert

SYSTEM = """\
You word the summary of an incident for a person who was just woken up. Everything in it was decided already: you decide nothing, add \
nothing and leave nothing out that is to be kept.

You are given findings, each with a number, the sentence that states it, what is to be kept of it, and the keys it rests on. Write one \
line for each finding, in the order given, and nothing else:
1: The finding in one plain sentence. [key]
2: The next one. [key]

- Use the words of the finding and small words such as "the", "is" and "which"; any other word makes the line void.
- Leave out no number and no more than a few words.
- Keep names, numbers, units and what is said about likelihood exactly as they are, and in the order in which they are listed to be kept.
- Turn nothing round: what is said to be likely, unlikely, for, against, before or after stays so.
- Cite only keys of that finding, in square brackets, or none."""
ASK = "Word these findings, one numbered line each."
LONGEST = 600
LEAVES = 0.4
_LINE = re.compile(r"^\W*(\d{1,2})\s*[:.)]\W*?(?=[\w“\"#@])(.*)$")
_CITED = re.compile(r"\[([^\[\]]{1,500})\]")
_EDGES = ".,;:!?()“”\"'\u2018\u2019\u2013\u2014…*_`"
_NUMBER = re.compile(r"(?<![\w.#/-])\d[\d.,:/-]*(?:\s?(?:%|[a-z]+\b))?")


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that state nothing by themselves.
_PLAIN = _set(
    """a an the this that these those it its they them their is are was were be been being has have had do does did in on at of to from by
    with and as then there here who whom which what when where while also own about into onto out up over between within through during
    around please way time alert alarm incident service thing things change changes changed happened occurred took place came went made
    gives give given says said shows show shown states stated points looked look kept stands known named called summary finding"""
)
# Words that make another statement of it: they are in a wording if, and only if, they are in the finding.
_TURNING = _set(
    """no not none nobody nothing never neither nor without cannot can't don't doesn't didn't isn't wasn't won't unlikely likely possible
    possibly probable probably could may might maybe perhaps would should must certain certainly surely definitely proven proved proof
    unproven cause caused causes causing because since so thus culprit blame blamed fault guilty innocent responsible due ruled discounted
    cleared clean wrong right true false correct incorrect before after earlier later prior until against despite although though however
    but instead rather except unless only just if whether or else other another more most less least too very little enough few many much
    all any every some stop stopped ignore wait skip dismiss exclude excluded rollback roll revert reverted undo undone fix fixed fixes
    solved healthy broken page paged for"""
)


def worded(inv: Investigation, run: Run, engine: Engine) -> Investigation:
    """The investigation with the summary as a model words it, and code's own sentence wherever that does not stand; code's alone, with
    the reason, where no model answers. Nothing else of it is changed. Raises Cancelled when a person stops it.
    """
    found = slots(inv)
    talk = Talk(engine, run, [Message("system", SYSTEM), Message("user", f"{untrusted.wrap(_pieces(found))}\n\n{ASK}")])
    try:
        reply = talk.ask("responder: the model words the findings", "words")
    except (ModelDown, BudgetSpent) as error:
        return replace(inv, worded=Worded("", tuple(_own(s) for s in found), f"{str(error).rstrip('.')}. The words are the program's own."))
    said = _said(reply.text)
    told = tuple(_judged(slot, said.get(n)) for n, slot in enumerate(found, 1))
    own = sum(s.by == "code" for s in told)
    note = f"{own} of {len(told)} sentences are the program's own: what the model wrote did not stand." if own else ""
    return replace(inv, worded=Worded(reply.model, told, note))


def _pieces(found: Sequence[Slot]) -> Iterable[untrusted.Piece]:
    for n, slot in enumerate(found, 1):
        keep = f"\nkeep in this order: {' | '.join(slot.keeps)}" if slot.keeps else ""
        keys = f"\nkeys: {' '.join(dict.fromkeys(slot.cites))}" if slot.cites else ""
        yield untrusted.Piece(f"finding {n}: {slot.name}", f"{slot.text}{keep}{keys}")


def _said(text: str) -> dict[int, str]:
    """What was written for each finding, by its number; the first line of a number counts."""
    said: dict[int, str] = {}
    for line in inert(text).splitlines():
        if match := _LINE.match(line.strip()):
            said.setdefault(int(match[1]), match[2].strip())
    return said


def _own(slot: Slot, said: str = "", reason: str = "") -> Sentence:
    return Sentence(slot.name, slot.text, tuple(dict.fromkeys(slot.cites)), "code", said[:LONGEST], reason)


def _judged(slot: Slot, said: str | None) -> Sentence:
    """The model's sentence where it stands, else code's with the reason."""
    if not said:
        return _own(slot, "", "the model wrote nothing for it")
    cites = tuple(dict.fromkeys(key for m in _CITED.finditer(said) for key in re.split(r"[\s,;]+", m[1].strip()) if key))
    text = " ".join(_CITED.sub(" ", said).split())
    text = re.sub(r"\s+([.,;:!?])", r"\1", text).strip("*_` ")
    reason = fault(slot, text, cites)
    return _own(slot, said, reason) if reason else Sentence(slot.name, text, cites or tuple(dict.fromkeys(slot.cites)), "model")


def fault(slot: Slot, text: str, cites: Sequence[str] = ()) -> str:
    """Why a wording of a finding does not stand; empty when it does."""
    if lost := next((key for key in cites if key not in slot.cites), ""):
        return f"{lost} is no key of this finding"
    if len(text) > LONGEST or len(text) > 2 * len(slot.text) + 120 or not re.search(r"\w", text):
        return "it is too long" if text else "it says nothing"
    at, low = 0, _flat(text)
    for kept in map(_flat, slot.keeps):
        found = re.compile(rf"(?<!\w){re.escape(kept)}(?!\w)").search(low, at)
        if found is None:
            return f"it does not keep “{kept}” where it stands"
        at = found.end()
    low, held = (_aside(said, slot.keeps) for said in (low, _flat(slot.text)))
    stated, wanted = _numbers(low), _numbers(held)
    if wrong := sorted(stated ^ wanted):
        return f"“{wrong[0]}” is {'not in the finding' if wrong[0] in stated else 'left out'}"
    if unknown := _unknown(low, held):
        return f"“{unknown}” is not in the finding"
    return _turned(low, held) or _thin(low, held)


def _aside(text: str, keeps: Sequence[str]) -> str:
    """The text without what is kept: words of a name are no words of the finding, whatever somebody called something."""
    for kept in sorted(map(_flat, keeps), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(kept)}(?!\w)", " ", text)
    return text


def _numbers(text: str) -> set[str]:
    """The numbers in a text, each with its unit."""
    return {" ".join(m[0].split()).rstrip(".,:/-") for m in _NUMBER.finditer(text)}


def _thin(text: str, held: str) -> str:
    """A fault where most of what the finding says is left out."""
    words = {stem(word) for word in _words(held) if word not in _PLAIN and word.isalpha()}
    left = words - {stem(word) for word in _words(text)}
    return f"too much of it is left out, such as “{sorted(left)[0]}”" if len(left) > max(2, len(words) * LEAVES) else ""


def _unknown(text: str, held: str) -> str:
    """The first word that is neither of the finding nor one that says nothing by itself."""
    words = set(_words(held))
    stems = {stem(word) for word in words if word.isalpha()}
    for word in _words(text):
        known = word in words or (word.isalpha() and word.isascii() and (word in _PLAIN or (stem(word) in stems and word not in _TURNING)))
        if not known:
            return word
    return ""


def _turned(text: str, held: str) -> str:
    """Words that turn a statement round, and are in the one and not in the other."""
    ours, theirs = ({w for w in _words(said) if w in _TURNING} for said in (held, text))
    if new := sorted(theirs - ours):
        return f"“{new[0]}” turns it round"
    return f"“{sorted(ours - theirs)[0]}” is left out" if ours - theirs else ""


def _words(text: str) -> list[str]:
    """The words of a text as they are written, without marks at their edges."""
    return [word for part in text.split() if (word := part.strip(_EDGES).removesuffix("\u2019s").removesuffix("'s"))]


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())
