"""What an investigation says, as frozen records: the nouns that roles, report, page, exports and evaluation share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from brain.types import Claim, Edge, Node, Quote, Step, Usage

Arm = Literal["graph", "vector"]
Outcome = Literal["cause", "rivals", "none"]
State = Literal["running", "complete", "incomplete", "stopped"]
Kind = Literal["deploy", "ticket", "pr", "flag", "commit"]
Standing = Literal["cause", "rival", "discounted"]
ROLES = ("triage", "historian", "investigator", "responder")
ARMS: tuple[Arm, ...] = ("graph", "vector")


@dataclass(frozen=True)
class Signal:
    """What went off. `key` and `service` are empty when nothing loaded stands behind them (a webhook of an unknown service);
    times are epoch seconds, `ended_at` None while it fires.
    """

    key: str
    name: str
    title: str
    service: str
    service_name: str
    at: int
    ended_at: int | None = None
    severity: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True)
class Reason:
    """One piece of evidence. `points` count for a suspect when positive, against it when negative; `kind` is one of
    time, distance, modified, alike, rule, past, ended_with (mostly for) and texts_only, rolled_back, healthy_elsewhere, not_running,
    same_version, went_on, ended_anyway, not_its_code (against). A point is a natural logarithm: one more makes it e times as likely.
    """

    kind: str
    points: float
    text: str
    cites: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    step: int = 0


@dataclass(frozen=True)
class Link:
    """Why a deployment counts as one of this service, or a change as part of it: `why` is one of commit_contained,
    service_matched, time, said; `others` are keys that would fit as well.
    """

    src: str
    dst: str
    why: str
    text: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Suspect:
    """A change that may have caused it. `on` is the thing it changed, `hops` how far from what alerted; `path` the keys from the
    alert to the change over `rels`; `changes` the pull requests and commits in it; `score` the sum of its reasons' points.
    """

    key: str
    kind: Kind
    name: str
    at: int
    on: str
    on_name: str
    hops: int
    author: str = ""
    score: float = 0.0
    confidence: float = 0.0
    standing: Standing = "discounted"
    reasons: tuple[Reason, ...] = ()
    path: tuple[str, ...] = ()
    rels: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class Severity:
    """How bad: `level` SEV1 (worst) to SEV4, and why."""

    level: str
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class Affected:
    """Something that needs what alerted, so many hops away."""

    key: str
    name: str
    hops: int
    tier: int | None = None
    owner: str = ""
    owner_name: str = ""


@dataclass(frozen=True)
class Paged:
    """Whom to turn to: the first has place 1; place 0 was passed over, and `skipped` says why."""

    place: int
    key: str
    name: str
    why: str
    via: str = ""
    contact: str = ""
    skipped: str = ""
    cites: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    step: int = 0


@dataclass(frozen=True)
class Past:
    """An incident of before that is like this one, what caused it and what fixed it as its report says (keys, may be empty).
    `lesson` is what the report says of the cause, `remedy` of what helped, `learnt` of what is to be done differently.
    """

    key: str
    name: str
    at: int
    likeness: float
    why: str
    causes: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    lesson: str = ""
    quotes: tuple[Quote, ...] = ()
    step: int = 0
    remedy: str = ""
    learnt: str = ""


@dataclass(frozen=True)
class Told:
    """What a runbook or procedure says of such an alert: a passage, and whether it names the alert itself."""

    key: str
    name: str
    text: str
    line: int
    named: bool
    step: int = 0


@dataclass(frozen=True)
class Checked:
    """Something that was looked at: `found` how many things, `clean` whether nothing there speaks of a cause."""

    what: str
    on: str
    found: int
    clean: bool
    text: str
    step: int = 0


@dataclass(frozen=True)
class Event:
    """One point of the time axis; `kind` is alert, ended, deploy, flag, ticket, pr, message or incident."""

    at: int
    kind: str
    key: str
    text: str
    on: str = ""


@dataclass(frozen=True)
class Recorded:
    """What people wrote down about this very alert afterwards; told beside the result and never used for it."""

    incident: str
    name: str
    causes: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Passage:
    """A passage that the search without the graph gave."""

    key: str
    source: str
    title: str
    text: str
    line: int
    at: int
    score: float


@dataclass(frozen=True)
class Followed:
    """The playbook that was tried first: whether it held, and how many steps it took against those of its first time."""

    id: str
    title: str
    held: bool
    steps: int
    steps_before: int
    ms: float = 0.0
    ms_before: float = 0.0
    reason: str = ""


@dataclass(frozen=True)
class Sentence:
    """A sentence of the summary: of which finding, by whom it is worded (`model` or `code`), and where code's own stands although a model
    wrote something, what that was and why it did not stand.
    """

    slot: str
    text: str
    cites: tuple[str, ...] = ()
    by: str = "code"
    said: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Worded:
    """The summary of an investigation that a model was asked to word: the model (empty when none answered), its sentences in the order
    of the findings, and a note where some or all of them are the program's own.
    """

    model: str
    sentences: tuple[Sentence, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Investigation:
    """Everything an investigation found, complete or as far as it came (`state`); `roles` are those that are done.

    `suspects` are in order, discounted ones last; `baseline` is what the dumb rule would have said (the latest deployment on
    the service or one hop away; empty: none). `claims` are the report's sentences as the verifier left them, `dropped` what
    failed twice; `worded` is the summary where a model was to word it. `window` is how many seconds before the alert
    were searched, `scope` the keys looked at.
    """

    id: str
    signal: Signal
    viewer: str
    arm: Arm
    engine: str
    as_of: int
    window: int
    state: State = "running"
    outcome: Outcome = "none"
    confidence: float = 0.0
    text: str = ""
    suspects: tuple[Suspect, ...] = ()
    baseline: str = ""
    severity: Severity = field(default_factory=lambda: Severity("SEV4"))
    affected: tuple[Affected, ...] = ()
    scope: tuple[str, ...] = ()
    broke: str = ""
    page: tuple[Paged, ...] = ()
    past: tuple[Past, ...] = ()
    told: tuple[Told, ...] = ()
    recorded: tuple[Recorded, ...] = ()
    checked: tuple[Checked, ...] = ()
    events: tuple[Event, ...] = ()
    passages: tuple[Passage, ...] = ()
    claims: tuple[Claim, ...] = ()
    dropped: tuple[Claim, ...] = ()
    followed: Followed | None = None
    worded: Worded | None = None
    roles: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    error: str = ""

    @property
    def causes(self) -> tuple[Suspect, ...]:
        """The suspects that are named, best first: the cause, or the rivals."""
        return tuple(s for s in self.suspects if s.standing != "discounted")


Record = Mapping[str, Any]
