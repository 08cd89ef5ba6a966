"""Everything that the weighing of changes reads, gathered before anything is weighed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from brain.incident.changes import Change
from brain.incident.findings import Past, Signal
from brain.incident.symptoms import Profile, Rarity
from brain.text.analysis import terms

SPAN = 60 * 86_400
_UNITS = frozenset(terms("second seconds minute minutes hour hours day days week weeks month percent time times least most longest latest"))


@dataclass(frozen=True)
class Ruling:
    """A decision or rule that binds what was changed; `lines` are its text with where it stands."""

    key: str
    name: str
    kind: str
    on: tuple[str, ...]
    source: str
    lines: tuple[tuple[str, int], ...]


@dataclass
class Evidence:
    """Everything the reasons are read from, gathered before anything is weighed."""

    signal: Signal
    as_of: int
    profile: Profile
    rarity: Rarity
    rates: Mapping[str, tuple[int, int]]
    rulings: Sequence[Ruling]
    past: Sequence[Past]
    alike: Mapping[str, float]
    later: Sequence[Change]
    before: Sequence[Change]
    elsewhere: Mapping[str, Sequence[Mapping[str, object]]]
    deployed: frozenset[str]
    steps: Mapping[str, int] = field(default_factory=dict)
    silent: frozenset[str] = _UNITS

    def pace(self) -> float:
        """Changes a second on everything looked at, as it went before the window."""
        n = sum(count for count, _ in self.rates.values())
        first = min((at for _, at in self.rates.values() if at), default=0)
        span = min(SPAN, max(86_400, self.signal.at - first)) if first else SPAN
        return (n + 1) / span
