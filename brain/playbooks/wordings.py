"""Wordings that worked: what a question says with the kind of each thing in the thing's place, and how another question is said in
those words. A likeness of vectors alone decides nothing: "what needs X" and "what does X need" are near.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from brain.agents import followup
from brain.agents.builtin import understood
from brain.agents.run import Run
from brain.agents.understand import Understanding
from brain.agents.words import words
from brain.errors import BadInput
from brain.playbooks.kept import Entry
from brain.playbooks.needs import needed, tells_hidden
from brain.playbooks.plays import Wording
from brain.text.analysis import query_terms, stem
from brain.text.lexicon import Lexicon
from brain.text.mentions import Mention
from brain.tools import Tool
from brain.tools.asking import Asking
from brain.types import Answer, Step, Viewer

Read = Callable[[str], Understanding]
NEAR = 0.7  # measured: of other questions whose words leave open what is asked, the nearest was at 0.63
TIME, STEP = "time", "playbook"
_SLOT = re.compile(r"<([A-Za-z]+)>")
_WORD = re.compile(r"[\w-]+")
_READ = ("aspects", "states", "groups", "special", "flags", "company")
_PLACED = ("cues:", "aspects:", "special:")


@dataclass(frozen=True)
class Said:
    """A question taken apart: its words with `<Kind>` for each thing and `<time>` for its time, and the words that stood there."""

    masked: str
    slots: tuple[tuple[str, str], ...]
    keys: frozenset[str]
    about: frozenset[str]
    when: tuple[int | None, int | None, int | None]
    reads: frozenset[str]
    unread: frozenset[str]

    @property
    def place(self) -> str:
        """The kinds of the things it names, in the order of the alphabet."""
        return " ".join(sorted(kind for kind, _ in self.slots))

    @property
    def placed(self) -> bool:
        """Is there a word in it that says what is asked of the things?"""
        return any(r.startswith(_PLACED) for r in self.reads)

    def in_words_of(self, template: str) -> str:
        """The same asked in other words."""
        given = dict(self.slots)
        return _SLOT.sub(lambda m: given.get(m[1], m[0]), template)


def reading(ctx: Asking, tools: Mapping[str, Tool], lexicon: Callable[[], Lexicon]) -> Read:
    """What understands a question as the graph arm does, without answering it."""
    return lambda question: understood(question, Run(ctx, tools), lexicon(), ctx.as_of, None)[0]


def taken_apart(u: Understanding) -> Said | None:
    """The question with its things taken out; None when one of them is not known for sure, none is there, or two are of one kind, as
    the words would not say which is which.
    """
    things = [m for m in u.links.mentions if m.label != "Concept"]
    spans = [(a, b, TIME) for a, b in u.time.spans]
    spans += [(m.start, m.end, m.label) for m in things]
    kinds = [kind for _, _, kind in spans]
    if not things or u.links.unknown or u.links.ambiguous or len(set(kinds)) < len(kinds) or not all(m.sure and m.keys for m in things):
        return None
    masked, slots = u.question, []
    for start, end, kind in sorted(spans, reverse=True):
        slots.append((kind, u.question[start:end]))
        masked = f"{masked[:start]}<{kind}>{masked[end:]}"
    about = frozenset(k for m in u.links.of("Concept") for k in m.keys)
    when = (u.time.since, u.time.until, u.time.as_of)
    return Said(_plain(masked), tuple(slots), _keys(things), about, when, _reads(u), _unread(u))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _keys(things: Sequence[Mention]) -> frozenset[str]:
    return frozenset(k for m in things for k in m.keys)


def _reads(u: Understanding) -> frozenset[str]:
    """What the words were read as, whatever things they name."""
    many = {"aspects": u.aspects, "flags": u.flags, "cues": u.cues, "nouns": u.nouns, "labels": u.labels}
    one = {"special": u.special, "group": u.group, "top": u.top, "state": u.state, "milestone": u.milestone, "minimum": u.minimum}
    found = {f"{name}:{value}" for name, values in many.items() for value in values}
    found |= {f"{name}:{value}" for name, value in one.items() if value}
    return frozenset(found | ({f"want:{u.want}"} if u.want != "text" else set()))


def _unread(u: Understanding) -> frozenset[str]:
    """The words that say what it is about and that nothing was read from."""
    patterns = (p for section in _READ for p in getattr(words(), section).values())
    read = {w for p in patterns for m in p.finditer(u.masked) for w in _WORD.findall(m[0].lower())}
    return frozenset(w for w in u.words if w not in read)


def own_steps(answer: Answer) -> list[Step]:
    """The steps that looked something up: not those that say which words were asked."""
    return [s for s in answer.steps if s.tool not in (STEP, "memory")]


def entries(answer: Answer, failed: Sequence[Answer], read: Read, viewer: Viewer, everything: Asking) -> list[Entry]:
    """The playbooks of an answer that is right: one for its own wording, and one for each wording that had failed to get it.

    BadInput when the answer does not stand, when its question names nothing to put something else in the place of, or when what
    failed asked for other things.
    """
    if answer.arm != "graph" or answer.state != "answered" or answer.dropped or not answer.claims:
        raise BadInput("only an answer over the graph all of whose claims stand is kept as a playbook")
    if answer.engine != "builtin":
        raise BadInput("a model understood this wording; a playbook is followed without one, so keep an answer of the built-in engine")
    own = _asked(answer, read)
    made = [_entry(answer, own, own, len(own_steps(answer)), answer.usage.ms, viewer, everything)]
    for other in failed:
        tried = _asked(other, read)
        if (tried.keys, tried.when) != (own.keys, own.when):
            raise BadInput(f"{other.question!r} names other things than {answer.question!r}")
        steps, ms = len(own_steps(answer)) + len(own_steps(other)), answer.usage.ms + other.usage.ms
        made.append(_entry(answer, tried, own, steps, ms, viewer, everything))
    return made


def said(answer: Answer, read: Read) -> Said | None:
    """The question of an answer, as it was understood, taken apart."""
    return taken_apart(read(followup.whole(answer)))


def _asked(answer: Answer, read: Read) -> Said:
    found = said(answer, read)
    if found is None:
        names = "names no thing, or not surely which, or two of one kind: other questions cannot be asked so"
        raise BadInput(f"{followup.whole(answer)!r} {names}")
    return found


def _entry(answer: Answer, looked_for: Said, asked: Said, steps: int, ms: float, viewer: Viewer, everything: Asking) -> Entry:
    tools = tuple(s.tool for s in own_steps(answer))
    content = Wording(answer.run, asked.masked, looked_for.masked, tuple(looked_for.place.split()), tools)
    keys = tuple(sorted(asked.keys | asked.about | looked_for.about))
    told = any(r.startswith(("labels:", "milestone:")) for r in asked.reads | looked_for.reads)
    needs = needed(keys, viewer, everything, whole=told)
    if tells_hidden(" ".join(asked.unread | looked_for.unread), needs, everything):
        needs = needed(keys, viewer, everything, whole=True)
    told_of = "\n".join((asked.masked, looked_for.masked, *sorted(needs.clearance), *sorted(needs.groups)))
    title = looked_for.masked if looked_for == asked else f"{looked_for.masked} (asked as: {asked.masked})"
    return Entry(
        f"pb-{hashlib.sha256(told_of.encode()).hexdigest()[:12]}", looked_for.place, title, content, looked_for.masked,
        tuple(query_terms(looked_for.masked)), needs, steps, ms,
    )  # fmt: skip


def fits(asked: Said, wording: Wording, near: float | None, read: Read) -> str:
    """The question in the words of the playbook; empty when it says another thing, or is understood as it is.

    The very words that failed before are taken for what they meant then. Words that are only near must leave open what is asked, which
    is where they need it, and say nothing that the playbook's do not, nor leave out what those are about.
    """
    if asked.masked.casefold() == wording.question.casefold():
        return ""
    same = asked.masked.casefold() == wording.masked.casefold()
    if not same and (near is None or near < NEAR or asked.placed):
        return ""
    question = asked.in_words_of(wording.question)
    other = taken_apart(read(question))
    if other is None or (other.keys, other.about, other.when) != (asked.keys, asked.about, asked.when):
        return ""
    alike = {*map(stem, asked.unread)} == {*map(stem, other.unread)} and asked.reads < other.reads and other.placed
    return question if same or alike else ""
