"""What can happen in the invented company."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from eval.incidents.plan import Case, Org

PRODUCTION = "production"


@dataclass
class Merge:
    """A pull request that was merged; `number` is known when all are in order."""

    repo: str
    service: str
    at: int
    title: str
    body: str
    files: tuple[str, ...]
    author: str
    reviewer: str
    number: int = 0
    sha: str = ""


@dataclass
class Deploy:
    """A deployment of what was last merged for the service; `again` brings the version of before, `back` takes another one back."""

    service: str
    at: int
    by: str
    env: str = PRODUCTION
    status: str = "success"
    again: bool = False
    back: str = ""
    version: str = ""
    merge: Merge | None = None
    said: str = ""

    @property
    def id(self) -> str:
        """As the runner calls it."""
        place = "" if self.env == PRODUCTION else f"{self.env}-"
        return f"{self.service}-{place}{datetime.fromtimestamp(self.at, UTC):%Y%m%d-%H%M}"


@dataclass
class Flag:
    """A change of a feature flag."""

    service: str
    at: int
    name: str
    action: str
    by: str
    said: str

    @property
    def id(self) -> str:
        """As the flag service calls it."""
        return f"{self.name}-{datetime.fromtimestamp(self.at, UTC):%Y%m%d%H%M}"


@dataclass
class Ticket:
    """A ticket; a change of the configuration was made when it was closed."""

    service: str
    at: int
    kind: str
    title: str
    body: str
    by: str
    state: str
    closed: int | None
    number: int = 0


@dataclass
class Alert:
    """An alert that fired and ended."""

    id: str
    service: str
    at: int
    ended: int
    name: str
    severity: str
    summary: str
    description: str


@dataclass
class Timeline:
    """All that happened. `made` is what became of each change of the script, `past` of those that reports name."""

    org: Org
    cases: Sequence[Case]
    end: int
    merges: list[Merge] = field(default_factory=list)
    deploys: list[Deploy] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    tickets: list[Ticket] = field(default_factory=list)
    alerts: list[Alert] = field(default_factory=list)
    made: dict[tuple[str, int], Any] = field(default_factory=dict)
    past: dict[str, tuple[Any, Any]] = field(default_factory=dict)
