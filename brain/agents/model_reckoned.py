"""Numbers that a model worked out of what was returned: how long something took, which share of something it was, and how many of the
things cited are called so. The arithmetic is done again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations

_WORDS = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
_TENS = {word: str(10 * n) for n, word in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)}  # noqa: SIM905
NUMERALS = {word: str(n) for n, word in enumerate(_WORDS.split(), 2)} | _TENS
NUMERAL = re.compile(rf"\b(?:{'|'.join(NUMERALS)})\b(?!-)", re.I)
MINUTE, HOUR, DAY = 60, 3600, 86_400
_MOST_INSTANTS = 14
_UNITS = {"minute": MINUTE, "hour": HOUR, "day": DAY, "week": 7 * DAY}
_ONE = frozenset({"one", "a", "an"})
_LASTING = re.compile(
    r"\b(?P<n>\w+)[ -](?P<unit>minute|hour|day|week)s?(?:,? (?:and )?(?P<more>\w+) (?P<part>minute|hour|day)s?)?\b", re.I
)
_SHARE = re.compile(r"(?P<n>\d+(?:\.\d+)?) ?(?:%|per ?cent\b)", re.I)
_WHOLE = re.compile(r"(?<![\w.:-])\d+(?![\w:.-]*\d)")
_MONTH = re.compile(r"(?<![\d-])\d{4}-\d{2}(?![\d-])")
_PIECES = re.compile(r"[;:]\s|, (?:and )?|\band\b", re.I)


@dataclass(frozen=True)
class Reckoner:
    """What can be reckoned with: the `instants` of each thing cited, what each of them is `called` and said to be, the counts of
    `months`, and the `wholes` that the counts of things cited are parts of.
    """

    instants: Mapping[str, Iterable[int]] = field(default_factory=dict)
    called: Mapping[str, Iterable[str]] = field(default_factory=dict)
    months: Mapping[str, int] = field(default_factory=dict)
    wholes: Iterable[int] = ()

    def holds(self, number: str, sentence: str) -> bool:
        """Does the number come out, as a time between two instants, as a share of two numbers of the sentence, or as a count?"""
        return (
            self._of_all(number, sentence) or self._lasted(number, sentence) or self._share(number, sentence)
            or self._listed(number, sentence)
            or self._summed(number, sentence) or self.counted(number, sentence) is True
        )  # fmt: skip

    def _of_all(self, number: str, sentence: str) -> bool:
        """Is it the whole that something is said to be a part of?"""
        return self._read(number) in self.wholes and re.search(rf"\bof (?:the |these |those )?{re.escape(number)}\b", sentence) is not None

    def _summed(self, number: str, sentence: str) -> bool:
        """Is it the count of all months of a stretch that the piece with the number names?"""
        for piece in re.split(r"[;:]\s|,\s", sentence):
            ends = [m[0] for m in _MONTH.finditer(piece)] if _found(number, piece) else []
            if len(ends) == 2 and all(self.months.get(m) is not None for m in ends):
                return sum(n for month, n in self.months.items() if ends[0] <= month <= ends[1]) == self._read(number)
        return False

    def _listed(self, number: str, sentence: str) -> bool:
        """Is it how many things the sentence then lists, behind a colon or a dash?"""
        signs = (": ", " \u2013 ", " \u2014 ", " - ")
        head, _, rest = next((p for sign in signs if (p := sentence.partition(sign))[1]), (sentence, "", ""))
        items = [i for i in re.split(r",\s+(?:and\s+)?|\s+and\s+(?![A-Z]\w+ \()", re.split(r";|\.\s", rest)[0]) if re.search(r"\w", i)]
        return bool(rest) and self._read(number) == len(items) and _found(number, head)

    def counted(self, number: str, sentence: str) -> bool | None:
        """Is it how many of the things cited, of the kind that most of them are of, are called what the sentence names beside the number?
        None where it names no such thing, or all of them are called so.
        """
        kinds = Counter(key.partition(":")[0] for key in self.called)
        alike = [names for key, names in self.called.items() if key.partition(":")[0] == max(kinds, key=kinds.__getitem__)]
        several = Counter(name for names in alike for name in dict.fromkeys(names))
        for piece in _PIECES.split(sentence):
            if not _found(number, piece):
                continue
            month = [m[0] for m in _MONTH.finditer(piece) if m[0] in self.months]
            if len(month) == 1 and self._read(number) in self.months.values() and self.months[month[0]] != self._read(number):
                return False
            some = [n for name, n in several.items() if 1 < n < len(alike) and _stands(name, piece)]
            if some:
                return min(some) == self._read(number)
        return None

    def _read(self, number: str) -> int:
        low = number.casefold()
        plain = "1" if low in _ONE else NUMERALS.get(low, low)
        return int(plain) if plain.isdigit() else -1

    def _lasted(self, number: str, sentence: str) -> bool:
        gaps = self._gaps()
        for match in _LASTING.finditer(sentence) if gaps else ():
            if number in (match["n"], match["more"]) and any(self._fits(match, gap) for gap in gaps):
                return True
        return False

    def _fits(self, match: re.Match[str], gap: int) -> bool:
        unit = _UNITS[match["unit"].casefold()]
        said = self._read(match["n"]) * unit
        if match["part"] and (more := self._read(match["more"])) >= 0:
            return abs(said + more * _UNITS[match["part"].casefold()] - gap) <= MINUTE
        return said > 0 and (abs(said - gap) < unit / 2 or (said <= gap < said + unit and unit == DAY))

    def _gaps(self) -> set[int]:
        """The seconds between any two instants of what is cited, where there are few."""
        known = sorted({at for each in self.instants.values() for at in each})
        return {b - a for a, b in combinations(known, 2)} if len(known) <= _MOST_INSTANTS else set()

    def _share(self, number: str, sentence: str) -> bool:
        shares = [m for m in _SHARE.finditer(sentence) if m["n"] == number]
        whole = [int(m[0]) for m in _WHOLE.finditer(_SHARE.sub(" ", sentence))]
        return bool(shares) and any(b and abs(100 * a / b - float(number)) <= _near(number) for a in whole for b in whole if a < b)


def _found(number: str, text: str) -> bool:
    return re.search(rf"(?<![\w.:-]){re.escape(number)}(?![\w:-])", text) is not None


def _near(number: str) -> float:
    return 0.5 if "." not in number else 0.05


def _stands(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.I) is not None
