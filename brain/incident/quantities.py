"""Amounts with a unit in prose, digits or words, and the bounds a decision sets: enough to see that eight seconds are more than
the two that were decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
    "a": 1, "an": 1, "half": 0.5, "dozen": 12, "hundred": 100, "thousand": 1000,
}  # fmt: skip
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_UNITS: dict[str, dict[str, float]] = {
    "time": {
        "ms": 0.001, "millisecond": 0.001, "s": 1, "sec": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "hr": 3600, "hour": 3600,
        "day": 86_400, "week": 604_800, "month": 2_592_000, "year": 31_536_000,
    },
    "share": {"%": 1, "percent": 1, "per cent": 1},
    "bytes": {"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 1024, "mib": 2**20, "gib": 2**30},
    "count": dict.fromkeys(
        ("connection", "retry", "retries", "attempt", "replica", "thread", "worker", "request", "row", "message", "item", "time"), 1.0
    ),
}  # fmt: skip
_UNIT = {name: (kind, float(factor)) for kind, units in _UNITS.items() for name, factor in units.items()}
_NAME = "|".join(sorted((re.escape(u) for u in _UNIT), key=len, reverse=True))
_ONES = "|".join(w for w in _WORDS if w not in ("a", "an"))
_SPELLED = rf"(?:{'|'.join(_TENS)})(?:[- ](?:{_ONES}))?|{'|'.join(_WORDS)}"
_AMOUNT = re.compile(rf"(?<![\w.])(?:(\d+(?:[.,]\d+)?)[\s-]*|({_SPELLED})[\s-]+)({_NAME})s?(?!\w)", re.I)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n{2,}")
_MOST = re.compile(
    r"\bat (?:the )?(?:most|latest)\b|\bwithin\b|\bno (?:more|longer|later) than\b|\bnever (?:above|over|more|longer)\b"
    r"|\bnot (?:above|over|more than|longer than)\b|\bup to\b|\bmaximum\b|\bunder\b|\bbelow\b|\bless than\b",
    re.I,
)
_LEAST = re.compile(
    r"\bat least\b|\bno (?:less|fewer|shorter|sooner) than\b|\bnever (?:under|below|less|shorter)\b"
    r"|\bnot (?:under|below|less than)\b|\bminimum\b|(?<!\bno )(?<!\bnot )\b(?:more|longer) than\b|\boutlives?\b",
    re.I,
)


@dataclass(frozen=True)
class Amount:
    """A number of seconds, percent, bytes or things; `said` is how it stands in the text, `sentence` where."""

    kind: str
    value: float
    said: str
    sentence: str


@dataclass(frozen=True)
class Bound(Amount):
    """An amount that a text sets as the most or the least there may be."""

    side: Literal["most", "least"] = "most"

    def broken_by(self, amount: Amount) -> bool:
        """Does another amount of its kind lie beyond it?"""
        if amount.kind != self.kind:
            return False
        return amount.value > self.value if self.side == "most" else amount.value < self.value


def amounts(text: str) -> Iterator[Amount]:
    """Every amount in a text, in order."""
    for sentence in _SENTENCE.split(text):
        for match in _AMOUNT.finditer(sentence):
            kind, factor = _unit(match[3])
            yield Amount(kind, _number(match[1] or match[2]) * factor, match[0].strip(), " ".join(sentence.split()))


def bounds(text: str) -> Iterator[Bound]:
    """Every amount that stands in a sentence, or a part of one, which makes it the most or the least allowed."""
    for sentence in _SENTENCE.split(text):
        for part in re.split(r",\s+(?:and|but|or)\s+", sentence):
            side: Literal["most", "least"] | None = "least" if _LEAST.search(part) else "most" if _MOST.search(part) else None
            for match in _AMOUNT.finditer(part) if side else ():
                kind, factor = _unit(match[3])
                yield Bound(kind, _number(match[1] or match[2]) * factor, match[0].strip(), " ".join(sentence.split()), side or "most")


def _unit(name: str) -> tuple[str, float]:
    name = name.lower()
    return _UNIT[name] if name in _UNIT else _UNIT[name.rstrip("s")]


def _number(text: str) -> float:
    text = text.lower()
    if text[0].isdigit():
        return float(text.replace(",", "."))
    tens, _, one = text.replace("-", " ").partition(" ")
    return _TENS[tens] + _WORDS.get(one, 0) if tens in _TENS else float(_WORDS[text])
