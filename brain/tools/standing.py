"""Which rules hold at an instant: begun, not over, and not replaced. A rule that another replaced comes back when that one was only
for a time; what is replaced in a part stands for the rest; two rules conflict only where both can be meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from brain.tools.asking import Asking

AUTHORITY = ("formal_rule", "record", "practice", "observation")
_UNITS = {
    "second": 1, "sec": 1, "s": 1, "minute": 60, "min": 60, "hour": 3600, "hr": 3600, "h": 3600, "day": 86_400, "d": 86_400,
    "week": 604_800, "w": 604_800,
}  # fmt: skip
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_QUANTITY = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+?)s?\b", re.A)


@dataclass(frozen=True)
class Replacement:
    """That something replaced a rule: by which key, in which part ("" is wholly), from when and until when."""

    by: str
    scope: str
    start: int
    end: int | None


@dataclass(frozen=True)
class Rule:
    """A rule as it was stated. `applies` are the keys it binds, or its subject in words; empty binds everybody."""

    key: str
    name: str
    slot: str
    value: str
    conditions: str
    subject: str
    applies: frozenset[str]
    start: int
    end: int | None
    authority: str
    doc: str
    replaced: tuple[Replacement, ...]

    @property
    def binds(self) -> frozenset[str]:
        """Whom the rule binds, in keys or, for what nothing is called, words."""
        return self.applies or (frozenset({_plain(self.subject)}) if self.subject else frozenset())

    @property
    def weight(self) -> int:
        """0 for the highest authority."""
        return AUTHORITY.index(self.authority) if self.authority in AUTHORITY else len(AUTHORITY)


class Rules:
    """Every rule known, judged at one instant."""

    def __init__(self, rules: Iterable[Rule], as_of: int) -> None:
        self.by_key = {r.key: r for r in rules}
        self.as_of = as_of

    @classmethod
    def known(cls, ctx: Asking) -> Rules:
        """The rules that whoever asks may read."""
        return cls((_rule(row) for row in ctx.run("rules_known").rows), ctx.as_of)

    def in_force(self) -> list[Rule]:
        """The rules that hold, by authority, then the newest first."""
        held = [r for r in self.by_key.values() if self.status(r) == "in_force"]
        return sorted(held, key=lambda r: (r.weight, -r.start, r.key))

    def status(self, rule: Rule) -> str:
        """past, in_force or future."""
        if rule.start > self.as_of:
            return "future"
        return "past" if self._over(rule) or self.replacing(rule, whole=True) else "in_force"

    def replacing(self, rule: Rule, whole: bool, met: frozenset[str] = frozenset()) -> list[Replacement]:
        """What replaces the rule now, wholly or in a part."""
        found = []
        for one in rule.replaced:
            now = one.start <= self.as_of and (one.end is None or one.end > self.as_of)
            if now and bool(one.scope) != whole and one.by not in met and self._holds(one.by, met | {rule.key}):
                found.append(one)
        return found

    def ends(self, rule: Rule) -> int | None:
        """When the rule ended or will, as far as that is known."""
        starts = [r.start for r in (*self.replacing(rule, whole=True), *self.coming(rule))]
        return min([t for t in (rule.end, *starts) if t is not None], default=None)

    def coming(self, rule: Rule) -> list[Replacement]:
        """What will replace the rule wholly, as far as that was announced."""
        return [r for r in rule.replaced if not r.scope and r.start > self.as_of and r.by in self.by_key]

    def conflict(self, a: Rule, b: Rule) -> bool:
        """Do two rules in force contradict each other: of one slot, for some of the same, under conditions that can meet, with
        values that exclude one another, and neither replacing the other in a part? Different stated conditions are different
        cases; what one rule says for everybody and another for somebody is an exception, not a contradiction.
        """
        if a.slot != b.slot or same_value(a.value, b.value):
            return False
        cases = {_plain(a.conditions), _plain(b.conditions)} - {""}
        meets = bool(a.binds & b.binds) or not (a.binds or b.binds)
        parts = {r.by for r in (*self.replacing(a, False), *self.replacing(b, False))}
        return len(cases) < 2 and meets and not parts & {a.key, b.key}

    def _holds(self, key: str, met: frozenset[str]) -> bool:
        """Does what replaces still count: it has begun, and is not over, unless something else took its place in turn?"""
        rule = self.by_key.get(key)
        if rule is None:
            return not key.startswith("rule:")
        return rule.start <= self.as_of and (not self._over(rule) or bool(self.replacing(rule, True, met)))

    def _over(self, rule: Rule) -> bool:
        return rule.end is not None and rule.end <= self.as_of


def same_value(a: str, b: str) -> bool:
    """Do two values say the same, also in another unit or spelling: "4 hours", "4h", "240 minutes", "four hours"?"""
    return _plain(a) == _plain(b) or _measured(a) == _measured(b)


def _measured(value: str) -> str:
    words = " ".join(str(_NUMBERS.index(w)) if w in _NUMBERS else w for w in _plain(value).split())
    return _QUANTITY.sub(lambda m: f"{float(m[1]) * _UNITS[m[2]]:g}s" if m[2] in _UNITS else m[0], words)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s.:%+-]", " ", text.lower()).split()).strip(".")


def _rule(row: Mapping[str, Any]) -> Rule:
    key, name, slot, value, conditions, subject, authority, doc = (
        str(row[n] or "") for n in ("key", "name", "slot", "value", "conditions", "subject", "authority", "doc")
    )
    replaced = tuple(Replacement(by, scope or "", start or 0, to) for by, scope, start, to in row["replaced"])
    applies = frozenset(row["applies"])
    return Rule(key, name, slot, value, conditions, subject, applies, row["valid_from"] or 0, row["valid_to"], authority, doc, replaced)
