"""The one kind of source that a question restricts itself to: "according to CODEOWNERS", "what does the catalogue say"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents.company_facts import Row
from brain.agents.understand import Understanding

_NAMED = {
    "codeowners": r"code ?owners(?: files?)?",
    "catalogue": r"(?:service |software )?catalog(?:ue)?|backstage",
    "registry": r"(?:service |services )?(?:registr(?:y|ies)|register)(?: of (?:the )?services)?",
    "roster": r"roster|people list|list of people",
    "chat": r"chat|slack",
}
_SOURCE = re.compile(
    r"\b(?:according to|as per|per|by|in|going by|based on|from|trust\w*|ask\w*|believ\w*|in the (?:view|eyes) of)"
    r"\s+(?:(?:the|our)\s+)?(?P<a>NAMES)\b(?!\s*(?:thread|channel|message))"
    r"|\b(?P<b>NAMES)\s+(?:says?|said|names?|named|lists?|have|has|gives?|shows?|claims?|thinks?|states?)\b"
    r"|\b(?:do|does|did|has|have|is)\s+(?:(?:the|our)\s+)?(?P<c>NAMES)\s+(?:say|name|list|have|give|show|claim|think|state|put|as)\b"
    .replace("NAMES", "|".join(_NAMED.values())),
    re.I,
)  # fmt: skip


def source_asked(u: Understanding) -> str:
    """The one kind of source the question restricts itself to; empty when it asks them all."""
    said = [g for m in _SOURCE.finditer(u.question) for g in m.groups() if g]
    found = {name for name, pattern in _NAMED.items() for s in said if re.fullmatch(pattern, s, re.I)}
    beside = r"\b(?:as|and|or|than|with) (?:the |our )?(?:{})\b"
    others = {name for name, pattern in _NAMED.items() if re.search(beside.format(pattern), u.question, re.I)}
    return next(iter(found)) if len(found) == 1 and not others - found else ""


def is_source(u: Understanding, text: str) -> bool:
    """Does a name stand for the source that is asked, as in "according to CODEOWNERS"?"""
    wanted = source_asked(u)
    return bool(wanted) and bool(re.fullmatch(_NAMED[wanted], text, re.I))


def as_asked(u: Understanding, rows: Sequence[Row]) -> list[Row]:
    """The rows of the source the question restricts itself to; all of them when it asks every source."""
    wanted = source_asked(u)
    return [r for r in rows if r.get("source") == wanted] if wanted else list(rows)
