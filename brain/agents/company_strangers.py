"""Who a question speaks of without a name that is loaded: names that nobody bears, and she, he or they for somebody named before."""

from __future__ import annotations

import re

from brain.text.lexicon import is_plain

_WORD = r"[A-Z][\w.\u2019'-]*[\w]"
_NAME = re.compile(rf"(?<![\w@\u2019'.-]){_WORD}(?: (?:(?:de|van|von|der|den|la|el|al|bin) )*{_WORD}){{0,3}}")
_PLACED = re.compile(r"[A-Z]{3,}\d")
_OPENERS = """should could would can may might must shall will since because given seeing considering assuming knowing suppose although
    though while whereas being with without please ask tell who what when where why how which whose whom according under also then
    hello hi dear thanks sorry yes well okay ok prod production staging today tomorrow yesterday tonight has have had does did do is are was
    were what's who's it's let's i'm i've we're regarding concerning as if not no nobody everybody everyone management
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays january
    february march april may june july august september october november december christmas easter utc gmt cet english"""
_NEVER = frozenset(_OPENERS.split())
_PRONOUN = re.compile(
    r"(?P<front>(?:\b(?:since|because|as|given that|seeing that|considering(?: that)?|for|and|now that|knowing that|so)\s+"
    r"|[,:;(\u2013\u2014]\s*))(?P<who>she|he|they)(?P<short>['\u2019](?:s|re)\b)?"
    r"(?(short)|(?= (?:(?:still|now|also|currently|already|both) )*(?:is|are|was|were|owns?|leads?|runs?|heads?|answers?|looks?|belongs?"
    r"|works?|maintains?|manages?|holds?|left)\b))",
    re.I,
)
_SOMEBODY = re.compile(r"\b(?:PERSON|TEAM|STRANGER)\d+\b")


def read(masked: str) -> tuple[str, dict[str, str]]:
    """The masked question with STRANGER0, STRANGER1 for names that nobody bears, and names for pronouns; and the strangers' names."""
    names: dict[str, str] = {}

    def placed(m: re.Match[str]) -> str:
        words = m[0].split(" ")
        front = []
        while words and (is_plain(words[0]) or words[0].lower() in _NEVER):
            front.append(words.pop(0))
        bare = " ".join(words)
        who = re.sub(r"['\u2019]s?$", "", bare)
        if len(who) < 3 or _PLACED.search(bare) or who.isupper():
            return m[0]
        names[f"STRANGER{len(names)}"] = who
        return " ".join([*front, f"STRANGER{len(names) - 1}{bare[len(who) :]}"])

    return _named(_NAME.sub(placed, masked)), names


def _named(masked: str) -> str:
    """Pronouns behind "since", "because" or a comma as the one person or team that was named before them."""
    for m in reversed(list(_PRONOUN.finditer(masked))):
        before = list(dict.fromkeys(_SOMEBODY.findall(masked[: m.start("who")])))
        fitting = [b for b in before if b.startswith("TEAM") == (m["who"].lower() == "they")] or before
        if len(fitting) == 1:
            verb = " is" if m["short"] else ""
            masked = masked[: m.start("who")] + fitting[0] + verb + masked[m.end() :]
    return masked
