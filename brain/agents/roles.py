"""Who does what where: the part each named person plays, and the part people play at each named place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from brain.agents.words import words
from brain.text.mentions import Mention


@dataclass(frozen=True)
class Place:
    """A repository or path a question names, with the words of its clause: the part people play there,
    whether only merged work counts, and whether the place is excluded.
    """

    key: str
    role: str
    merged: bool
    negated: bool
    at: int


_PLACE = re.compile(r"\b(?:REPO|PATH|THERE)\d+\b")
_THERE = re.compile(r"(?<!are )(?<!is )(?<!was )(?<!were )\bthere\b(?! (?:is|are|was|were|an?|any)\b)", re.I)
_NEGATED = re.compile(
    r"\b(?:not|none|never|without|no|nobody|but not|but none|other than|outside(?: of)?|except(?: for)?|excluding|besides|apart from"
    r"|elsewhere than|rather than|beyond|lack\w*|missing|neither|anywhere but|everywhere but|minus|save for|leaving out|ignoring"
    r"|disregarding|not counting|nothing|nowhere|but in|all but)\b"
    r"(?:(?!RELEASE\d|PERSON\d|ITEM\d|PATH\d|REPO\d)[^,;.?]){0,60}$",
    re.I,
)
_LANDED = re.compile(r"\bmerged\b|\blanded\b", re.I)
_PARTS = tuple(
    (part, re.compile(pattern, re.I))
    for part, pattern in (
        ("approver", r"\bapprov\w+|sign\w*[ -]?off"),
        ("reviewer", r"\breview\w*"),
        ("commenter", r"\bcomment\w*"),
        ("merger", r"\bmerg(?:ers?|ing)\b|pressed"),
        ("committer", r"\bcommit\w*"),
        ("opener", r"\b(?:issues?|bugs?|tickets?)\b"),
        (
            "author",
            r"\bauthor\w*|\bwrote\b|\bwrit\w+|\bprs?\b|\bpull requests?\b|\bmerged\b|\blanded\b|\bcontribut\w+|\bpatch\w*|\bchang\w+",
        ),
    )
)


def places(masked: str, names: dict[str, Mention]) -> tuple[Place, ...]:
    """Each place with the part played there, read from its own clause or else from the one before."""
    found: list[Place] = []
    if len({names[m[0]].keys[0] for m in _PLACE.finditer(masked) if m[0] in names}) == 1:
        masked = _without_properties(masked)
    masked = _THERE.sub("THERE0", masked)
    start, role, merged = 0, _part(masked) or "author", bool(_LANDED.search(masked))
    marks = [m for m in _PLACE.finditer(masked) if m[0] in names or m[0] == "THERE0"]
    for i, m in enumerate(marks):
        after = masked[m.end() :] if i + 1 == len(marks) else ""
        clause = masked[start : m.start()]
        own = _part(clause) or (_part(after) if i == 0 and len(marks) == 1 else "")
        role = own or role
        if own:
            merged = bool(_LANDED.search(clause))
        if m[0] == "THERE0":
            if found and (own or _NEGATED.search(clause)):
                found.append(Place(found[-1].key, role, merged, bool(_NEGATED.search(clause)), m.start()))
            start = m.end()
            continue
        found.append(Place(names[m[0]].keys[0], role, merged, bool(_NEGATED.search(clause)), m.start()))
        start = m.end()
    return tuple(found)


def _without_properties(masked: str) -> str:
    """The question without negations that tell of a thing rather than of its place: "not planned in", "without approval in"."""
    negative = (*(words().flags[name] for name in ("not_planned", "without_approval", "without_review")), words().states["unmerged"])
    for pattern in negative:
        masked = pattern.sub(lambda m: "x" * len(m[0]), masked)
    return masked


def _part(clause: str) -> str:
    """The part people play in a clause: reviewer, approver, merger, commenter, committer, author or opener."""
    return next((part for part, pattern in _PARTS if pattern.search(clause)), "")


_ROLE_VERBS = (
    ("reviewer", r"review\w*|approv\w+|sign\w*[ -]?off|request\w* changes|ask\w* for changes|look\w* over|block\w*"),
    ("merger", r"merg\w+|land\w*"),
    ("commenter", r"comment\w*|repl\w+|discuss\w*|weigh\w* in|chim\w+ in|participa\w+"),
    ("assignee", r"assign\w*"),
    (
        "author",
        r"wrote|writ\w+|author\w*|creat\w+|rais\w+|submit\w*|propos\w+|sen[dt]\w*|contribut\w+|open\w*|fil\w+|report\w*|made|mak\w+"
        r"|commit\w*|touch\w*|chang\w+|modif\w+|edit\w*|work\w*|fix\w*|clos\w+|did|implement\w*|introduc\w+|start\w*|push\w*|ship\w*"
        r"|put|land\w*",
    ),
)
_ADVERBS = (
    r"(?:(?:has|have|had|ever|also|once|actually|already|been|recently|most|often|frequently|mainly|still|personally|not|did|does|do)"
    r"\s+){0,3}"
)
_OWNED = (
    r"reviews?|approvals?|comments?|merges?|change requests?|prs?|pull requests?|pulls|patches|changes|work|issues?|commits?"
    r"|contributions?|code"
)
_WORKS = r"(?:prs?|pull requests?|pulls|patches|changes|issues?|commits?|tickets?|work|contributions?)"
_BY = r"(?:(?:only|also|mostly|mainly|jointly|then|later|once|ever)\s+)?by\s+(?:the\s+|both\s+|either\s+)?"


def roles(masked: str, names: dict[str, Mention], kind: str) -> dict[str, str]:
    """Placeholder of each person -> the part they play: reviewer, merger, commenter, assignee, author."""
    parts: dict[str, str] = {}
    for name in names:
        if not name.startswith("PERSON"):
            continue
        joined = next((other for other in parts if re.search(rf"{other}\s*(?:,|and|or|&|, and|as well as|plus)\s+{name}\b", masked)), None)
        parts[name] = parts[joined] if joined else _role(masked, name, kind)
    return parts


def _role(masked: str, name: str, kind: str) -> str:
    return _by_noun(masked, name) or _by_verb(masked, name) or _by_kind(masked, name, kind)


def _by_noun(masked: str, name: str) -> str:
    """The part that "PERSON's reviews", "merged by PERSON", "comments from PERSON", "PRs of PERSON" tell of; or empty."""
    if own := re.search(rf"{name}(?:['\u2019]s?)\s+(?:\w+\s+){{0,2}}?({_OWNED})\b", masked, re.I):
        return _doer(own[1])
    for role, verbs in _ROLE_VERBS:
        if re.search(rf"\b(?:{verbs})\s+{_BY}{name}\b", masked, re.I):
            return role
    given = re.search(
        rf"\b(reviews?|approvals?|comments?|change requests?)\s+(?:\w+\s+)?(?:by|from|of)\s+(?:the user )?{name}\b", masked, re.I
    )
    received = rf"\b(?:reviews?|approvals?|comments?) of {name}(?:['\u2019]s)?\s+(?:prs?|pull|work|changes|patches)"
    if given and not re.search(received, masked, re.I):
        return _doer(given[1])
    return "author" if re.search(rf"\b{_WORKS}\s+(?:\w+\s+)?(?:by|from|of)\s+(?:the user )?{name}\b", masked, re.I) else ""


def _doer(noun: str) -> str:
    """Who does what the noun says."""
    noun = noun.lower()
    if noun.startswith(("review", "approval", "change request")):
        return "reviewer"
    return "commenter" if noun.startswith("comment") else "merger" if noun.startswith("merge") else "author"


def _by_verb(masked: str, name: str) -> str:
    """The part of the verb nearest behind a person as its subject; empty when there is none."""
    if re.search(rf"\b{name}\b (?:\w+ )?(?:get|gets|got|gotten|had|have) (?:\w+ ){{0,3}}(?:merged|landed|in)\b", masked, re.I):
        return "author"
    best: tuple[int, str] = (10_000, "")
    for role, verbs in _ROLE_VERBS:
        for subject in (
            rf"\b{name}\b\s+{_ADVERBS}(?:{verbs})\b",
            rf"\b(?:did|does|do|has|have|had|was|is|can|would)\s+{name}\b\s+(?:\w+\s+){{0,2}}?(?:{verbs})\b",
        ):
            best = min([best, *((len(m[0]), role) for m in re.finditer(subject, masked, re.I))])
    return best[1]


def _by_kind(masked: str, name: str, kind: str) -> str:
    """The part that goes with what is asked about."""
    if re.search(rf"(?:assigned to|given to)\s+{name}", masked, re.I):
        return "assignee"
    if kind in ("reviews", "approvals", "change_requests"):
        received = rf"(?:on|of|to|for|received (?:on|by)|get|got|receiv\w+)\s+{name}|{name} (?:get|got|receiv\w+)"
        return "author" if re.search(received, masked, re.I) else "reviewer"
    return "commenter" if kind == "comments" else "author"
