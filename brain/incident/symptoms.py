"""The words of an alert and of what is known about it, and how telling it is when a change shares some of them.

A word counts by how rare it is among the loaded passages; the names of the services themselves say nothing, since how far
away a change was made is counted by itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from brain.text.analysis import terms
from brain.text.plain_words import CALENDAR, POINTERS, QUALIFIERS, STOPS

ALERT, HINT = 1.0, 0.6
_WORD = re.compile(r"\w[\w'-]*")
_FRONT = re.compile(r"\A.*?^---\n.*?^---\n", re.S | re.M)
_MARKS = "alert alerts status firing severity critical warning summary description service team page runbook deploy release version"
# Words that every alert has, and those that name nothing in any text.
_SILENT = frozenset(terms(" ".join((_MARKS, *QUALIFIERS, *POINTERS, *CALENDAR, *STOPS))))


def body(text: str) -> str:
    """A passage of a document without the front matter it begins with."""
    return _FRONT.sub("", text, count=1)


def prose(text: str) -> str:
    """A passage without its front matter, headings and the title that stands in front of it."""
    return "\n".join(line for line in body(text).split("\n")[1:] if not line.startswith("#"))


def standing(text: str, line: int, sentence: str) -> int:
    """The line on which a sentence of a passage begins, the passage's own text beginning on `line` after its title."""
    start = " ".join(sentence.split())[:24]
    for n, one in enumerate(text.split("\n")[1:]):
        if start[: max(8, len(start) // 2)] in " ".join(one.split()):
            return line + n
    return line


@dataclass(frozen=True)
class Profile:
    """What to look for: term -> how much it weighs, by where it was said."""

    weights: Mapping[str, float]

    def shared(self, text: Iterable[str]) -> set[str]:
        """The terms of the profile that are among those of a text."""
        return self.weights.keys() & set(text)


def profile(alert: Iterable[str], hints: Iterable[str], names: Iterable[str]) -> Profile:
    """The profile of an alert's own texts and of what runbooks and reports of like incidents say; `names` are left out."""
    silent = _SILENT.union(*(terms(n) for n in names))
    weights: dict[str, float] = {}
    for weight, texts in ((ALERT, alert), (HINT, hints)):
        for term in (t for text in texts for t in terms(text)):
            if term not in silent and len(term) > 2 and not term.isdigit():
                weights.setdefault(term, weight)
    return Profile(weights)


def written(found: Iterable[str], text: str) -> list[str]:
    """The terms as words of the text, each by the first word that it is the term of."""
    first: dict[str, str] = {}
    for word in _WORD.findall(text):
        for term in terms(word):
            first.setdefault(term, word.lower())
    return [first.get(term, term) for term in found]


@dataclass
class Rarity:
    """How rare a term is: 1 for what stands in one passage alone, towards 0 for what stands everywhere."""

    passages: int
    counts: dict[str, int] = field(default_factory=dict)

    def of(self, term: str) -> float:
        """The square of the term's information as a share of the most there is."""
        n = self.counts.get(term, 0)
        if self.passages < 2:
            return 0.5
        return (max(0.0, math.log(self.passages / max(n, 1))) / math.log(self.passages)) ** 2

    def told(self, found: Iterable[str], weights: Mapping[str, float]) -> float:
        """How much a set of shared terms says together."""
        return sum(weights.get(t, HINT) * self.of(t) for t in found)

    def rarest(self, found: Iterable[str], k: int = 4) -> list[str]:
        """The terms that say most."""
        return sorted(found, key=lambda t: (-self.of(t), t))[:k]
