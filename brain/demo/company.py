"""Who there is at Merefold and what it runs: script/company.yaml as frozen records. Nothing is computed from a clock.

People are named by their short names; a name that nobody has is refused when the file is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import yaml

from brain.demo.story import StoryError

SCRIPT = Path(__file__).parent / "script"


@dataclass(frozen=True)
class Person:
    """Somebody, or a bot; `until` is the last day of who left or whose contract ends."""

    short: str
    login: str
    name: str
    id: int
    slack: str = ""
    team: str = ""
    title: str = ""
    since: date | None = None
    until: date | None = None
    reports_to: str = ""
    bot: bool = False
    own_machine: tuple[str, str] | tuple[()] = ()  # name and address that git on the own machine writes


@dataclass(frozen=True)
class Team:
    """A team; lead and manager are short names, `channel` where it is reached."""

    id: str
    name: str
    lead: str
    manager: str
    channel: str


@dataclass(frozen=True)
class Stay:
    """That somebody was in another team before."""

    who: str
    team: str
    since: date
    until: date


@dataclass(frozen=True)
class Repo:
    """A repository of GitHub's; `merge` is how pull requests end there, empty for an archived one."""

    name: str
    description: str
    topics: tuple[str, ...]
    language: str
    team: str
    merge: str = ""
    version_file: str = ""
    archived: bool = False


@dataclass(frozen=True)
class Service:
    """Something that runs: where its code is, who answers for it, what it needs."""

    id: str
    repo: str
    path: str
    tier: int
    team: str
    lead: str
    depends_on: tuple[str, ...]
    system: str
    kind: str
    description: str
    foreign_apis: tuple[str, ...] = ()  # of others, which no catalogue of ours describes


@dataclass(frozen=True)
class Part:
    """An API or a resource of a service."""

    id: str
    service: str
    type: str
    used_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class System:
    """A group of services."""

    id: str
    domain: str
    owner: str


@dataclass(frozen=True)
class Channel:
    """A channel of the chat with its members by short name."""

    id: str
    name: str
    topic: str
    private: bool
    members: tuple[str, ...]


@dataclass(frozen=True)
class Company:
    """The whole company, each collection by id in the order of the file."""

    org: str
    name: str
    as_of: datetime
    mail: str
    repos: Mapping[str, Repo]
    labels: Mapping[str, tuple[str, str]]
    milestones: Mapping[str, str]
    people: Mapping[str, Person]
    teams: Mapping[str, Team]
    earlier_teams: tuple[Stay, ...]
    personas: Mapping[str, str]
    domains: Mapping[str, str]
    systems: Mapping[str, System]
    services: Mapping[str, Service]
    catalogue_owner: Mapping[str, str]
    apis: Mapping[str, Part]
    resources: Mapping[str, Part]
    channels: Mapping[str, Channel]

    def members(self, team: str, on: date | None = None) -> tuple[str, ...]:
        """The short names of a team on a day (default: the day of `as_of`)."""
        day = on or self.as_of.date()
        moved = {stay.who for stay in self.earlier_teams if stay.since <= day <= stay.until}
        came = [stay.who for stay in self.earlier_teams if stay.who in moved and stay.team == team]
        here = [p.short for p in self.people.values() if p.team == team and p.short not in moved]
        return tuple(who for who in (*here, *came) if self.there(who, day))

    def there(self, who: str, day: date) -> bool:
        """Whether somebody works here on that day."""
        one = self.people[who]
        return (one.since is None or one.since <= day) and (one.until is None or day <= one.until)


def load(script: Path = SCRIPT) -> Company:
    """The company of `script`/company.yaml. Raises StoryError for a name that nobody has."""
    raw = yaml.safe_load((script / "company.yaml").read_text(encoding="utf-8"))
    people = {short: Person(short=short, **_tuples(facts)) for short, facts in raw["people"].items()}
    teams = {id_: Team(id=id_, **facts) for id_, facts in raw["teams"].items()}
    _check(raw, people, teams)
    return Company(
        org=raw["org"],
        name=raw["name"],
        as_of=raw["as_of"].astimezone(UTC),
        mail=raw["mail"],
        repos={name: Repo(name=name, **_tuples(facts)) for name, facts in raw["repos"].items()},
        labels={name: (color, text) for name, (color, text) in raw["labels"].items()},
        milestones=raw["milestones"],
        people=people,
        teams=teams,
        earlier_teams=tuple(Stay(**facts) for facts in raw["earlier_teams"]),
        personas=raw["personas"],
        domains=raw["domains"],
        systems={id_: System(id=id_, **facts) for id_, facts in raw["systems"].items()},
        services={id_: Service(id=id_, **_tuples(facts)) for id_, facts in raw["services"].items()},
        catalogue_owner=raw["catalogue_owner"],
        apis={id_: Part(id=id_, **_tuples(facts)) for id_, facts in raw["apis"].items()},
        resources={id_: Part(id=id_, **facts) for id_, facts in raw["resources"].items()},
        channels={name: _channel(name, facts, people, raw["as_of"].date()) for name, facts in raw["channels"].items()},
    )


def _tuples(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in facts.items()}


def _channel(name: str, facts: Mapping[str, Any], people: Mapping[str, Person], today: date) -> Channel:
    """Members by team and by name; who left is no member any more."""
    named = facts["members"]
    inside = [p.short for p in people.values() if {p.team, p.short} & set(named) and (p.until is None or today <= p.until)]
    return Channel(facts["id"], name, facts["topic"], facts.get("private", False), tuple(inside))


def _check(raw: Mapping[str, Any], people: Mapping[str, Person], teams: Mapping[str, Team]) -> None:
    """Every short name, team and service that is used exists."""
    services = raw["services"]
    for what, used, legal in (
        ("person", [p.reports_to for p in people.values()], people),
        ("person", [who for team in teams.values() for who in (team.lead, team.manager)], people),
        ("person", [facts["lead"] for facts in services.values()], people),
        ("team", [p.team for p in people.values()], teams),
        ("team", [facts["team"] for facts in (*services.values(), *raw["repos"].values())], teams),
        ("service", [need for facts in services.values() for need in facts["depends_on"]], services),
        ("repository", [facts["repo"] for facts in services.values()], raw["repos"]),
        ("person or team", [who for facts in raw["channels"].values() for who in facts["members"]], {**people, **teams}),
    ):
        for name in used:
            if name and name not in legal:
                raise StoryError(f"company.yaml: no {what} {name!r}")
