"""The script of an invented company and of its alerts, read from two YAML files, and which of both is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import yaml

HERE = Path(__file__).parent
COMPANIES = ("whitefold", "lanternhouse", "pawprint")
KINDS = ("deploy", "merge", "ticket", "flag")
SLOT, LEAD, MINUTE, HOUR, DAY = 3, 12, 60, 3600, 86_400


@dataclass(frozen=True)
class Service:
    """Something that runs: who answers for it, where its code lies, what it needs."""

    name: str
    team: str
    lead: str
    repo: str
    folder: str
    needs: tuple[str, ...]
    about: str


@dataclass(frozen=True)
class Org:
    """A company: teams by id, people by login (name, team, title), services by name, and its documents as the script has them."""

    name: str
    title: str
    start: int
    teams: Mapping[str, str]
    people: Mapping[str, tuple[str, str, str]]
    left: Mapping[str, str]
    without_rota: tuple[str, ...]
    repos: Mapping[str, str]
    services: Mapping[str, Service]
    unrecorded: tuple[str, ...]
    texts: Mapping[str, Any]

    def hops(self, service: str) -> dict[str, int]:
        """How far each service is that this one needs, itself included."""
        found, waiting = {service: 0}, [service]
        for at in waiting:
            for other in self.services[at].needs:
                if other not in found:
                    found[other] = found[at] + 1
                    waiting.append(other)
        return found

    def members(self, team: str, at: int) -> list[str]:
        """Who is in the team at that instant."""
        return [p for p, (_, of, _) in self.people.items() if of == team and (p not in self.left or instant(self.left[p]) > at)]


@dataclass(frozen=True)
class Change:
    """Something that was changed on `service` at `at`. `role` is cause, herring or neither; `herring` says what makes it harmless;
    `raw` holds what else the script says.
    """

    kind: str
    service: str
    at: int
    role: str
    herring: str
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """An alert with what was changed around it. `alert` is name, severity, summary, description."""

    id: str
    category: str
    service: str
    at: int
    alert: tuple[str, str, str, str]
    changes: tuple[Change, ...]
    minutes: int = field(default=60)

    @property
    def quiet(self) -> bool:
        """Whether nothing that was changed is behind it."""
        return not any(c.role == "cause" for c in self.changes)


def instant(text: Any) -> int:
    """A day or an instant of the script as epoch seconds."""
    return int(datetime.fromisoformat(str(text)).replace(tzinfo=UTC).timestamp())


def company(name: str) -> Org:
    """The company of that name. Raises KeyError for one whose script says less than needed."""
    raw = yaml.safe_load((HERE / f"{name}.yaml").read_text(encoding="utf-8"))
    services = {name: _service(name, *row) for name, row in raw["services"].items()}
    people = {login: (full, team, title) for login, (full, team, title) in raw["people"].items()}
    texts = {k: raw[k] for k in ("decisions", "policies", "runbooks", "past")}
    return Org(
        raw["org"], raw["title"], instant(raw["start"]), raw["teams"], people, {k: str(v) for k, v in raw["left"].items()},
        tuple(raw["without_rota"]), raw["repos"], services, tuple(raw["unrecorded"]), texts,
    )  # fmt: skip


def _service(name: str, team: str, lead: str, repo: str, folder: str, needs: Sequence[str], about: str) -> Service:
    return Service(name, team, lead, repo, folder, tuple(needs), about)


def cases(name: str, start: int, seed: int, only: Sequence[str] | None = None) -> list[Case]:
    """The company's alerts, three days apart in an order that the seed decides; `only` the ids that are wanted."""
    raw = [one for one in yaml.safe_load((HERE / f"{name}_cases.yaml").read_text(encoding="utf-8")) if only is None or one["id"] in only]
    Random(f"{seed}/{name}").shuffle(raw)
    return [_case(one, start + (LEAD + SLOT * i) * DAY, seed) for i, one in enumerate(raw)]


def _case(raw: Mapping[str, Any], day: int, seed: int) -> Case:
    hour, minute = (int(x) for x in raw["clock"].split(":"))
    at = day + hour * HOUR + minute * MINUTE
    lasts = Random(f"{seed}/{raw['id']}").randint(45, 170)
    name, severity, summary, description = raw["alert"]
    alert = (str(name), str(severity), str(summary), str(description))
    return Case(raw["id"], raw["category"], raw["service"], at, alert, tuple(change(one, at) for one in raw["changes"]), lasts)


def change(raw: Mapping[str, Any], at: int) -> Change:
    """A change of the script, `before` minutes before the instant."""
    kind = next(k for k in KINDS if k in raw)
    herring = str(raw.get("herring", ""))
    role = "cause" if raw.get("cause") else "herring" if herring else ""
    return Change(kind, raw[kind], at - int(raw["before"]) * MINUTE, role, herring, raw)
