"""Two questions in one: each is asked by itself, the second with what the first one found, and both are told. What of them is not
answered is said. Two things asked of the same ones ("who knows it and is on call?") are answered with those who fit both.
"""

from __future__ import annotations

import re

from brain.agents import followup, setwise
from brain.agents.company_asked import topic
from brain.agents.plain import Plain, merged, why_not
from brain.agents.run import Draft, Fact
from brain.agents.understand import Understanding
from brain.text.linking import Linker

_AUX = r"(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|should|may|must)"
_WH = r"(?:(?:by |for |to |with |since |in )?(?:who|whom|whose|what|which)|when|where|why|how(?: (?:many|much|long|often))?)"
_OPENS = re.compile(rf"\W*(?:(?:please|so|and|ok|hi|hello|hey)\b\W*)*(?:{_WH}|{_AUX})\b", re.I)
_SPLIT = re.compile(rf"(?:\s*[,;?]\s*(?:and\s+(?:also\s+|then\s+)?|also\s+)?|\s+and\s+(?:also\s+|then\s+)?)(?=(?:{_WH}|{_AUX})\b)", re.I)
_JOINED = re.compile(r"\band\b|\?|\balso\b", re.I)
_PRONOUN = re.compile(r"\b(?:it|its|he|she|him|his|her|they|them|their|theirs|those|these|that|there|this)\b", re.I)
_ANSWER_FOR = re.compile(r"\band (?:who|which teams?)\b[^?]*\b(?:those|these|them|they|each|things)\b", re.I)
_LEANING = re.compile(
    r"\b(?:its|he|she|him|his|her|they|them|their|theirs|those|these)\b|\bit\b(?!\s+(?:true|possible"
    r"|allowed|safe|known|ok|clear)\b)",
    re.I,
)
_AGAIN = re.compile(rf"^\s*(?:{_WH})\s+", re.I)
_WHO_ELSE = re.compile(r"(?:\s*[,;]\s*(?:and\s+)?|\s+and\s+)(?:who|what|which|whom) else\s*\??\s*$", re.I)
_CLAUSE = re.compile(rf"^\W*(?:when|if|where|how)\b[^?,]*,\s*{_WH}", re.I)
FEW = 3


def answer(u: Understanding, plain: Plain) -> Draft | None:
    """The answers to two questions that are asked as one; None for a single question."""
    if alone := _without_else(u.question):
        return plain(alone, more=4)[0]
    first, second = parts(u)
    if not second:
        return None
    if same := _same_ones(first, second, u):
        if len({p.key for p in u.places}) > 1:
            return None  # what people do in several places is one question
        return setwise.shared(plain, first, same)
    one, meant = plain(first)
    if one.state == "premise_corrected":
        return one
    heard = plain.heard(meant.question, one)
    linker = Linker(u.lexicon, plain.run.lookup)
    asked = _completed(second, followup.Completing(heard, linker, u.time.as_of or plain.run.ctx.as_of), linker)
    if asked is None:
        return _told(first, one, second, None)
    return _told(first, one, second, plain(asked)[0])


def parts(u: Understanding) -> tuple[str, str]:
    """The two questions, the second as it is written; nothing where it is one question."""
    text = u.question
    if not _OPENS.match(text) or _CLAUSE.match(text) or (topic(u) == "answering_for" and _ANSWER_FOR.search(text)):
        return text, ""
    quoted = [m.span() for m in re.finditer(r"[\"\u201c\u201e`][^\"\u201d`]*[\"\u201d`]", text)]
    for m in _SPLIT.finditer(text):
        first, second = text[: m.start()].strip(), text[m.end() :].strip()
        taken = [*quoted, *((x.start, x.end) for x in u.links.mentions)]
        inside = any(a < m.end() and m.start() < b for a, b in taken)
        if inside or not _JOINED.search(m[0]) or len(first.split()) < FEW or not _stands(u, second, m.end()):
            continue
        return f"{first.rstrip(' ?,;')}?", f"{second.rstrip(' ?')}?"
    return text, ""


_SUBJECT = re.compile(r"^\W*(?P<head>who|which \w+|what \w+)\b", re.I)
_HAS_SUBJECT = re.compile(
    rf"^{_AUX}(?:n't|n\u2019t)?\s+(?:it|he|she|they|we|you|i|there|that|those|these|this|the|an?|any\w*|some\w*|every\w*|its|their|his|her"
    r"|no|nobody|nothing|all|both|our|my|@\w)\b",
    re.I,
)


def _same_ones(first: str, second: str, u: Understanding) -> str:
    """The second question with the subject of the first, where it has none of its own; else empty."""
    head = _SUBJECT.match(first)
    if not head or not re.match(rf"{_AUX}\b", second, re.I) or _HAS_SUBJECT.match(second):
        return ""
    rest = second.split(" ", 1)[-1].lower()
    return "" if any(rest.startswith(m.text.lower()) for m in u.links.mentions) else f"{head['head']} {second}"


def _stands(u: Understanding, second: str, at: int) -> bool:
    """Is it a question of its own: with a name in it, or a word that leans on the one before?"""
    named = any(m.start >= at and m.label != "Concept" for m in u.links.mentions)
    own = len(second.split()) >= FEW or bool(_AGAIN.match(second))
    leans = bool(_PRONOUN.search(second)) or bool(re.match(r"when\b", second, re.I))
    return own and (named or leans or (bool(_SUBJECT.match(u.question)) and bool(re.match(rf"{_AUX}\b", second, re.I))))


def _without_else(question: str) -> str:
    """The question without \u201cand who else\u201d behind it: all who fit are told of anyway; empty where it has none."""
    m = _WHO_ELSE.search(question)
    return f"{question[: m.start()].rstrip(' ,;?')}?" if m and len(question[: m.start()].split()) >= FEW else ""


def _completed(second: str, completing: followup.Completing, linker: Linker) -> str | None:
    """The second question so that it stands alone; None where it leans on something that was not found."""
    again = _AGAIN.match(second)
    rest = second[again.end() :] if again else ""
    if rest and any(m.text.lower() == rest.rstrip(" ?").lower() for m in linker.link(rest).mentions):
        return completing.complete(f"and {rest}")
    done = completing.complete(second)
    return None if done == second and _LEANING.search(second) else done


def _told(first: str, one: Draft, second: str, two: Draft | None) -> Draft:
    """Both answers; what is missing is said before what is there."""
    if two is not None and two.state == "answered" and re.match(rf"{_AUX}\b", second, re.I) and two.items and ":" in two.items[0]:
        two = Draft(state="insufficient", facts=[Fact("Nothing that is loaded says yes or no to that.")])
    if two is None or two.state != "answered":
        if two is not None and two.state == "premise_corrected":
            return two
        why = why_not(two) if two else "it leans on what was not found."
        lead = "\n".join(filter(None, (f"Not answered: \u201c{second}\u201d {why}", one.lead)))
        return Draft(one.items, one.facts, one.state, lead, one.entries) if one.state == "answered" else one
    if one.state != "answered":
        return Draft(two.items, two.facts, "answered", f"Not answered: \u201c{first}\u201d {why_not(one)}", two.entries)
    lead = "\n".join(filter(None, (one.lead, two.lead)))
    return merged([one, two], [*one.items, *two.items], [*one.facts, *two.facts], lead)
