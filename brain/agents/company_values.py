"""Values of rules as people write them: "two hours" is "2 hours", and a question may say one without naming it as such."""

from __future__ import annotations

import re

from brain.text.analysis import query_terms

_COUNTED = "zero one two three four five six seven eight nine ten eleven twelve"
_TENS = "fifteen=15 twenty=20 thirty=30 forty=40 forty-five=45 fifty=50 sixty=60 ninety=90 hundred=100"
_WORDS = {w: str(n) for n, w in enumerate(_COUNTED.split())} | {w: n for w, _, n in (pair.partition("=") for pair in _TENS.split())}
_NUMBER = rf"(?:\d[\d.,]*|{'|'.join(sorted(_WORDS, key=len, reverse=True))})"
_UNIT = r"(?:second|minute|hour|day|week|month|year|approval|person|people|metre|centimetre|per ?cent|%)s?"
_MEASURE = re.compile(rf"\b{_NUMBER}(?: \w+)? {_UNIT}(?!\w)", re.I)
_ASIDE = ("about", "only", "just", "at", "still", "now", "always", "exactly", "already", "working")


def same_value(stated: str, held: str) -> bool:
    """Do two spellings give one value: the same numbers with the same units, or the same words?"""
    a, b = _parts(stated), _parts(held)
    return bool(a and b) and (a <= b or b <= a)


def measures(text: str) -> list[str]:
    """The numbers with units in a text, in digits or in words."""
    return [m[0] for m in _MEASURE.finditer(text)]


def _parts(text: str) -> set[str]:
    words = [_WORDS.get(w, w) for w in re.findall(r"\d+(?:[.:]\d+)*|[^\W\d_]+(?:-five)?|%", text.lower())]
    return set(query_terms(" ".join(w for w in words if w not in _ASIDE))) | {w for w in words if w[0].isdigit()}
