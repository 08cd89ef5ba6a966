"""Services that a question names by one of their words: "call-outs" for callout-engine. Only where somebody is asked for who answers
for it or has worked on it, nothing else is named, and the word belongs to one service alone.
"""

from __future__ import annotations

import re

from brain.text.lexicon import Lexicon, is_plain, plain
from brain.text.mentions import Links, Mention

_SOMEBODY = re.compile(
    r"\b(?:who|whom|whose|(?:which|what) (?:\w+ )?(?:team|person|people|engineer|squad|group)s?|anybody|somebody|anyone|someone)\b", re.I
)
_DUTY = re.compile(
    r"\b(?:own\w*|responsib\w+|accountab\w+|in charge|trouble|problems?|tickets?|faults?|on[- ]call|pag(?:e|ed|er)|ring|call(?:ed)? out"
    r"|leads?|lead by|expert\w*|experience\w*|knows?|sorts?|handl\w+|look(?:s|ed)? after|takes? care|answers? for|fix(?:es|ed)?)\b",
    re.I,
)
_SPOT = re.compile(
    r"\b(?:with|of|for|about|on|after|around|behind|concerning|own|owns|runs|leads|handles|fixes)\s+(?:(?:the|our|a|an|all)\s+)?"
    r"(?P<x>[A-Za-z][\w-]{3,})\b",
    re.I,
)


def link_parts(text: str, links: Links, lexicon: Lexicon) -> None:
    """Adds the one service of whose name a word stands in the text, in the singular or plural."""
    if not lexicon.company or any(m.label not in ("Concept", "Person") for m in links.mentions) or links.unknown:
        return
    if not (_SOMEBODY.search(text) and _DUTY.search(text)):
        return
    parts = _parts(lexicon)
    for match in _SPOT.finditer(text):
        start, end = match.span("x")
        keys = parts.get(_bare(match["x"]), set())
        if len(keys) == 1 and not is_plain(match["x"]):
            links.mentions = [m for m in links.mentions if m.label != "Concept" or m.end <= start or end <= m.start]
            links.add(Mention(start, end, match["x"], tuple(keys), "Service", "part", sure=False))


def _parts(lexicon: Lexicon) -> dict[str, set[str]]:
    """The words of the services' names, in the singular, with the services they stand in."""
    found: dict[str, set[str]] = {}
    for key, label in lexicon.company.items():
        if label == "Service":
            for word in re.split(r"[-_/. ]+", key.partition(":")[2]):
                found.setdefault(_bare(word), set()).add(key)
    return {word: keys for word, keys in found.items() if len(word) > 3}


def _bare(word: str) -> str:
    """A word without hyphens, in the singular."""
    low = re.sub(r"[-_]", "", plain(word))
    return re.sub(r"(?<=[^s])s$", "", re.sub(r"ies$", "y", low))
