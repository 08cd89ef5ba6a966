"""What becomes of a proposal: a claim that waits for a person, a name that a person has to settle first, or a refusal with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Claimed:
    """A claim that stands up to every check, as it is kept: what it says, the sentence it rests on, and the model that read it."""

    src: str
    rel: str
    dst: str
    source: str
    part: str
    line: int
    quote: str
    authority: str
    at: int
    valid_from: int
    valid_to: int | None
    model: str
    why: str = ""


@dataclass(frozen=True)
class Decided:
    """A decision that was read out of a talk: its node, and the claims that hang on it."""

    key: str
    title: str
    reason: str
    home: str
    at: int
    claims: tuple[Claimed, ...]


@dataclass(frozen=True)
class Refused:
    """A proposal that is not kept, and why."""

    reason: str
    said: str
    quote: str
    source: str
    line: int
    model: str


@dataclass(frozen=True)
class Unsettled:
    """A proposal that waits until a person says what a name in it means."""

    name: str
    labels: tuple[str, ...]
    candidates: tuple[str, ...]
    why: str
    said: str
    quote: str
    source: str
    line: int
    model: str


@dataclass
class Outcome:
    """Everything that became of what was read."""

    claims: list[Claimed] = field(default_factory=list)
    decisions: list[Decided] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    unsettled: list[Unsettled] = field(default_factory=list)

    def take(self, one: Claimed | Decided | Refused | Unsettled) -> None:
        """Adds one, a claim or decision that is there already once."""
        if isinstance(one, Claimed):
            self.claims += [] if one in self.claims else [one]
        elif isinstance(one, Decided):
            self.decisions += [] if any(d.key == one.key for d in self.decisions) else [one]
        elif isinstance(one, Refused):
            self.refused.append(one)
        else:
            self.unsettled.append(one)

    def left(self) -> dict[str, list[Mapping[str, Any]]]:
        """What is kept beside the claims, to be shown later: the refusals, and the names that wait."""
        return {"refused": [asdict(r) for r in self.refused], "unsettled": [asdict(u) for u in self.unsettled]}
