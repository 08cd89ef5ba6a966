"""What a playbook says, as frozen records, and how they are written down. What a playbook holds never changes; how it stands does."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import orjson

from brain.errors import BadInput

Kind = Literal["incident", "question"]
Standing = Literal["active", "doubtful", "demoted"]
KINDS: tuple[Kind, ...] = ("incident", "question")
TRIED: tuple[Standing, ...] = ("active", "doubtful")


@dataclass(frozen=True)
class Cause:
    """The cause of an incident, as a person confirmed it: `alert` fired as `signal` on `service` at `fired_at`; `broke` is what was
    changed, `path` the keys from the alert to it over `rels`. `change` is the key of the change, `change_kind` deploy, ticket, pr or
    flag, `words` the terms of what it changed, `rules` the rules and decisions it broke, `fixes` the keys of what ended it.
    """

    investigation: str
    alert: str
    signal: str
    title: str
    fired_at: int
    service: str
    service_name: str
    broke: str
    broke_name: str
    path: tuple[str, ...]
    rels: tuple[str, ...]
    change: str
    change_kind: str
    change_name: str
    words: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wording:
    """A question that was answered with every claim supported. `question` and `masked` have the kind of each thing they name in the
    thing's place: `question` is how it was asked, `masked` what it is looked for by, which is the same or what had failed before;
    `labels` are those kinds in the order of the alphabet, `tools` what answered it.
    """

    run: str
    question: str
    masked: str
    labels: tuple[str, ...]
    tools: tuple[str, ...]


@dataclass(frozen=True)
class Playbook:
    """One playbook as a viewer sees it. Exactly one of `cause` and `wording` is there.

    `steps` and `ms` are those of its first time, 0 for a viewer with other rights than it was made with; so is `saved_steps`, the sum
    over its uses. `failures` counts those since it last held. `likeness` says how near it is to what was asked, 1 for the same, and
    `how` by what: same signal, meaning or words. `mine`: may the viewer demote, restore and forget it?
    """

    id: str
    title: str
    by: str
    at: int
    steps: int
    ms: float
    cause: Cause | None = None
    wording: Wording | None = None
    standing: Standing = "active"
    uses: int = 0
    held: int = 0
    failures: int = 0
    saved_steps: int = 0
    reason: str = ""
    last_at: int = 0
    likeness: float = 0.0
    how: str = ""
    mine: bool = False

    @property
    def kind(self) -> Kind:
        """Is it about an incident or about a question?"""
        return "incident" if self.cause else "question"

    def known_cause(self) -> Cause:
        """The cause of an incident playbook; BadInput for another one."""
        if self.cause is None:
            raise BadInput(f"playbook {self.id!r} is about a question, not about an incident")
        return self.cause


def dumps(content: Cause | Wording) -> str:
    """The content as text."""
    return orjson.dumps(asdict(content)).decode()


def loads(kind: str, text: str) -> dict[str, Any]:
    """The content that `dumps` wrote, as the field of a Playbook that holds it."""
    given: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in orjson.loads(text).items()}
    return {"cause": Cause(**given)} if kind == "incident" else {"wording": Wording(**given)}


def as_json(playbook: Playbook) -> dict[str, Any]:
    """A playbook as JSON: what it holds stands under its kind."""
    data = asdict(playbook)
    content = {"incident": data.pop("cause"), "question": data.pop("wording")}[playbook.kind]
    return {"kind": playbook.kind, **{k: v for k, v in data.items() if k not in ("likeness", "how")}, playbook.kind: content}


def facts(p: Playbook) -> list[tuple[str, str]]:
    """What a playbook holds and how it did, as names and values; what is empty is left out."""
    found = [("for", p.title), ("kept by", f"{p.by}, {day(p.at)}"), ("stands", p.standing)]
    if p.cause:
        c = p.cause
        found += [("alert", f"{c.signal} ({c.alert})"), ("on", c.service), ("broke", c.broke), ("way", " → ".join(c.path))]
        found += [("cause", f"{c.change_name} ({c.change})"), ("broke the rule", ", ".join(c.rules)), ("ended by", ", ".join(c.fixes))]
    if p.wording:
        w = p.wording
        found += [("when asked", w.masked), ("is asked as", w.question if w.question != w.masked else "")]
        found += [("answered by", ", ".join(w.tools))]
    found += [("first time", f"{p.steps} steps, {p.ms:.0f} ms" if p.steps else "")]
    found += [("uses", f"{p.uses}, held {p.held}, failed since it last held {p.failures}"), ("last failure", p.reason)]
    return [(name, value) for name, value in found if value]


def day(at: int) -> str:
    """The day of an instant."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")
