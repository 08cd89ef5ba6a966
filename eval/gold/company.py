"""A company as its raw files tell it, beside its repositories: catalogue, registries, on-call weeks, tickets, deploys, alerts.

Read with the plainest means, for gold answers only. Two sources that disagree are both kept; what is asked of
them is for the templates to decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from eval.gold import company_desks
from eval.gold.company_desks import Alert, Deploy, Said, Ticket
from eval.gold.company_docs import Document, documents
from eval.gold.records import GoldError


@dataclass(frozen=True)
class Service:
    """One component: what the catalogue and the registry say of it. People and teams by key, others by id. It needs what it
    says it depends on, and what provides the interfaces that it says it consumes;
    the resources that it says it depends on stand apart.
    """

    id: str
    catalogue_owner: str
    registry_owner: str
    lead: str
    needs: tuple[str, ...]
    resources: tuple[str, ...]
    repo: str
    tier: str
    system: str


@dataclass(frozen=True)
class Stay:
    """A line of the roster: who, in which team, from and to when (both days included)."""

    person: str
    name: str
    team: str
    title: str
    since: date
    until: date


@dataclass(frozen=True)
class Shift:
    """A line of the on-call table: both days included."""

    team: str
    primary: str
    secondary: str
    since: date
    until: date


@dataclass(frozen=True)
class Company:
    """Everything read from one folder."""

    folder: Path
    services: Mapping[str, Service]
    teams: Mapping[str, str]
    roster: tuple[Stay, ...]
    shifts: tuple[Shift, ...]
    tickets: tuple[Ticket, ...]
    deploys: tuple[Deploy, ...]
    alerts: tuple[Alert, ...]
    pages: tuple[Alert, ...]
    said: tuple[Said, ...]
    docs: tuple[Document, ...]
    as_of: int = field(default=0)

    @property
    def today(self) -> date:
        """The day on which the data ends."""
        return datetime.fromtimestamp(self.as_of, UTC).date()

    @cached_property
    def dependents(self) -> Mapping[str, frozenset[str]]:
        """Service -> those that need it directly."""
        return {s: frozenset(o.id for o in self.services.values() if s in o.needs) for s in self.services}

    def reach(self, service: str, up: bool) -> frozenset[str]:
        """Everything that needs the service over any number of steps (`up`), or that it needs."""
        found: set[str] = set()
        waiting = [service]
        while waiting:
            at = waiting.pop()
            for other in self.dependents.get(at, ()) if up else self.services[at].needs if at in self.services else ():
                if other not in found and other != service:
                    found.add(other)
                    waiting.append(other)
        return frozenset(found)

    def on_call(self, team: str, day: date) -> Shift | None:
        """The team's shift of that day."""
        return next((s for s in self.shifts if s.team == team and s.since <= day <= s.until), None)

    def here(self, person: str, day: date) -> bool:
        """Whether the roster has the person on that day."""
        return any(s.person == person and s.since <= day <= s.until for s in self.roster)

    def name(self, person: str) -> str:
        """The person's name as the roster writes it."""
        return next(s.name for s in self.roster if s.person == person)

    def unique(self, person: str) -> bool:
        """Whether nobody else has that name."""
        return len({s.person for s in self.roster if s.name == self.name(person)}) == 1


def load(folder: Path, as_of: int) -> Company:
    """The company of a folder; GoldError names a file that cannot be read."""
    if not (folder / "catalog").is_dir():
        raise GoldError(f"{folder}: no folder catalog/; give the one with the company's files")
    docs = tuple(documents(folder))
    tables = {d.path.rsplit("/", 1)[-1]: [row for table in d.tables for row in table] for d in docs if d.kind == "registry"}
    entities = list(_entities(folder / "catalog"))
    teams = {
        str(
            e["metadata"].get("title") or e["spec"].get("profile", {}).get("displayName") or e["metadata"]["name"]
        ): f"team:{e['metadata']['name']}"
        for e in entities
        if e["kind"] == "Group"
    }
    roster = tuple(_stay(row, teams) for row in tables["people.md"])
    people = _people(roster)
    slack = {row["Slack"]: f"person:{row['GitHub'].lower()}" for row in tables["people.md"]}
    return Company(
        folder,
        {s.id: s for s in _services(entities, tables["services.md"], teams, people)},
        teams,
        roster,
        tuple(_shift(row, teams, people) for row in tables["oncall.md"]),
        tuple(company_desks.tickets(folder / "tickets", people)),
        tuple(company_desks.deploys(folder / "deploys")),
        tuple(company_desks.alerts(folder / "alerts")),
        tuple(company_desks.pages(folder / "alerts")),
        tuple(company_desks.said(folder / "slack", slack)),
        docs,
        as_of,
    )


def _entities(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.rglob("*.yaml")):
        for entity in yaml.safe_load_all(path.read_text(encoding="utf-8")):
            if isinstance(entity, dict) and "metadata" in entity and "spec" in entity:
                yield entity


def _services(
    entities: Iterable[dict[str, Any]], registry: Iterable[Mapping[str, str]], teams: Mapping[str, str], people: Mapping[str, str]
) -> Iterator[Service]:
    said = {row["Service"]: row for row in registry}
    users = {
        e["metadata"]["name"]: e["metadata"].get("annotations", {}).get("github.com/user-login", e["metadata"]["name"])
        for e in entities
        if e["kind"] == "User"
    }
    provider = {_ref(api): e["metadata"]["name"] for e in entities for api in e["spec"].get("providesApis", ())}
    for e in entities:
        name, spec = e["metadata"]["name"], e["spec"]
        if e["kind"] != "Component" or name not in said:
            continue
        owner = str(spec["owner"]).removeprefix("group:").removeprefix("default/")
        kind, _, rest = owner.partition(":")
        owner = f"person:{users.get(rest.removeprefix('default/'), rest).lower()}" if kind == "user" else f"team:{owner}"
        needs = {_ref(d) for d in spec.get("dependsOn", ()) if not str(d).startswith("resource:")}
        needs |= {provider[_ref(api)] for api in spec.get("consumesApis", ()) if _ref(api) in provider} - {name}
        row = said[name]
        yield Service(
            name,
            owner,
            teams[row["Owner"]],
            people[row["Technical lead"]],
            tuple(sorted(needs)),
            tuple(sorted(_ref(d) for d in spec.get("dependsOn", ()) if str(d).startswith("resource:"))),
            row["Repository"],
            row["Tier"],
            str(spec.get("system", "")),
        )


def _ref(ref: object) -> str:
    return str(ref).rpartition(":")[2].removeprefix("default/")


def _stay(row: Mapping[str, str], teams: Mapping[str, str]) -> Stay:
    until = date.max if row["Until"] in ("", "-") else date.fromisoformat(row["Until"])
    return Stay(
        f"person:{row['GitHub'].lower()}", row["Name"], teams.get(row["Team"], ""), row["Role"], date.fromisoformat(row["From"]), until
    )


def _people(roster: Iterable[Stay]) -> dict[str, str]:
    """Name -> key, of names that one person alone has; a name before a hyphenated one counts as well."""
    keys: dict[str, set[str]] = {}
    for stay in roster:
        for name in {stay.name, re.sub(r"(\w+ \w+)-\w+$", r"\1", stay.name)}:
            keys.setdefault(name, set()).add(stay.person)
    return {name: next(iter(found)) for name, found in keys.items() if len(found) == 1}


def _shift(row: Mapping[str, str], teams: Mapping[str, str], people: Mapping[str, str]) -> Shift:
    first, second = people.get(row["Primary"], ""), people.get(row["Secondary"], "")
    return Shift(teams[row["Team"]], first, second, date.fromisoformat(row["From"]), date.fromisoformat(row["Until"]))


def day_after(day: date) -> int:
    """The instant at which a day is over."""
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) + int(timedelta(days=1).total_seconds())
