"""Which of two things does what to the other, where a sentence says that in plain words. Where it is less plain (something that points
or asks stands between, another verb, both names on one side) nothing is told here, and the person who decides has to see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from brain.agents.model_verbs import CLAUSES, VERBS, Verb, said, verb
from brain.extract.moods import sentences
from brain.text.lexicon import plain

_NEEDS = "DEPENDS_ON USES HAS_RESOURCE"
_VERBS = (
    *VERBS,
    verb(
        r"(?:depend(?:s|ed)?|rel(?:y|ies|ied)) (?:\w+ly (?:up)?on|upon)|(?:is|are) (?:\w+ly )?dependent (?:up)?on"
        r"|ha(?:s|ve) an? (?:\w+ )?dependency on|requires?",
        "required", _NEEDS,
    ),
    verb("uses?|used|makes? use of", "used", _NEEDS),
    verb("calls|call|consumes?", "called|consumed", "USES DEPENDS_ON"),
    verb(r"(?:needed|required|(?:depended|relied) (?:up)?on|consumed|called) by|(?:is|are) an? (?:\w+ )?dependency of", "", "", _NEEDS),
    verb(r"reports?(?: \w+ly)? to|(?:'s )?(?:line )?(?:manager|boss) is", "", "REPORTS_TO"),
    verb("manages?|(?:is|was) the (?:line )?(?:manager|boss) of|managed by", "managed", "", "REPORTS_TO"),
)  # fmt: skip
_OF = re.compile(r"\b(is|are) ((?:the )?[\w@./-]+(?: [\w@./-]+)?)'s (?:(line manager|manager|boss)|(dependency))\b")
_ASIDE = re.compile(r" ?\([^()]*\)|, (?:which|who)\b[^,;]*,")
_BOTH_WAYS = re.compile(
    r"\b(?:vice versa|each other|one another|mutual(?:ly)?|both ways|in both directions|conversely|likewise"
    r"|other way a?round)\b"
)
_POINTING = (
    "it|them|they|he|him|she|her|we|us|you|i|this|that|these|those|what|which|who|whom|whose|where|when|while|why|how|if|because|since"
    "|as|so|but|than|is|are|was|were|be|been|has|have|had|for|from|with|without|in|at|of|by|to|via|through|including|like|not|no|more"
    "|less|everything|everybody|everyone|everything|anything|something|nothing|others?|all|and|or"
)
_WORD = rf"(?!(?:{_POINTING})\b)[\w./@#'-]+"
_AND = r"(?:,(?: and| or)?| and| or| &)"
_BEFORE = re.compile(rf"(?:{_AND} (?:{_WORD} ){{0,1}}{_WORD})*(?: {_WORD}){{0,4}} ?")
_AFTER = re.compile(rf" ?(?:{_WORD} ){{0,3}}")
_LISTED = re.compile(rf" ?(?:(?:{_WORD} ){{0,2}}{_WORD}{_AND} )+(?:{_WORD} ){{0,2}}")
_ENDED = re.compile(rf"(?: ?$| ?[.,;:!)\u2013\u2014-]|{_AND} )")

_GOES_ON = re.compile(r" (?:is|are|was|were|has|have|had|do|does|did|can|could|will|would|must|makes?|made|sends?|sent|gives?|gets?)\b")


def turned(text: str, predicate: str, subject: Iterable[str], object_: Iterable[str]) -> str:
    """The words with which a text says the relation of the two the other way round, whatever they are called there; empty where it says
    it as proposed, or says no such thing plainly.
    """
    ends = [{f for name in names if (f := _bare(name))} for names in (subject, object_)]
    ends = [ends[0] - ends[1], ends[1] - ends[0]]
    found = [way for clause in _clauses(text, ends[0] | ends[1]) if (way := _way(clause, predicate, *ends))]
    return "" if any(right for right, _ in found) else next((words for _, words in found), "")


def _bare(name: str) -> str:
    return re.sub(r"^(?:(?:the|our|my) |@)|'s$", "", plain(name).strip("\"'`“”.,;:*_ "))


def _clauses(text: str, forms: Iterable[str]) -> Iterator[str]:
    """What is said, a clause at a time, without what is said aside of it; nothing where it goes for both directions."""
    whole = plain(re.sub(r"[*`]", "", text))
    if _BOTH_WAYS.search(whole):
        return
    for sentence in sentences(whole):
        said_so = _OF.sub(lambda m: f"{m[1]} {'the manager' if m[3] else 'a dependency'} of {m[2]}", sentence.text)
        yield from CLAUSES.split(_ASIDE.sub(lambda m: m[0] if any(f in m[0] for f in forms) else "", said_so))


def _way(clause: str, predicate: str, subject: Iterable[str], object_: Iterable[str]) -> tuple[bool, str] | None:
    """Does the clause say it as proposed, and the words it says it with; None where it does not say it plainly."""
    spoken = _spoken(clause)
    if len(spoken) != 1 or predicate not in (*spoken[0][0].rels, *spoken[0][0].turned):
        return None
    one, start, end, behind = spoken[0]
    if not behind and (by := re.match(r" by\b", clause[end:])):
        end, behind = end + by.end(), True
    spans = [sorted(side) for side in _named(clause, subject, object_)]
    if not all(spans):
        return None
    in_front = spans[0][-1][1] <= start
    front, back = (spans[0][-1], spans[1][0]) if in_front else (spans[1][-1], spans[0][0])
    words = clause[start:end].strip()
    between = clause[front[1] : start].lstrip("," if words.endswith(" by") else "")
    if front[1] > start or back[0] < end or not _adjoin(between, clause[end : back[0]], clause[back[1] :]):
        return None
    return (in_front != behind) == (predicate in one.rels), words


def _spoken(clause: str) -> list[tuple[Verb, int, int, bool]]:
    """The verbs of a clause, the longer where two share words."""
    kept: list[tuple[Verb, int, int, bool]] = []
    for found in sorted(said(clause, _VERBS), key=lambda f: f[1] - f[2]):
        if all(found[2] <= k[1] or k[2] <= found[1] for k in kept):
            kept.append(found)
    return kept


def _named(clause: str, *sides: Iterable[str]) -> tuple[list[tuple[int, int]], ...]:
    """Where each of the two is named, by the longest of its names that stands there."""
    spans: tuple[list[tuple[int, int]], ...] = tuple([] for _ in sides)
    for form, n in sorted(((f, n) for n, side in enumerate(sides) for f in side), key=lambda x: -len(x[0])):
        for m in re.finditer(rf"(?<![\w#/-]){re.escape(form)}(?![\w@#/-])", clause):
            if all(m.end() <= a or b <= m.start() for side in spans for a, b in side):
                spans[n].append(m.span())
    return spans


def _adjoin(front: str, back: str, rest: str) -> bool:
    """Do the names belong to the verb, as far as what stands between them and behind tells?"""
    if _BEFORE.fullmatch(front) is None or _GOES_ON.match(rest):
        return False
    return _AFTER.fullmatch(back) is not None or (_LISTED.fullmatch(back) is not None and _ENDED.match(rest) is not None)
