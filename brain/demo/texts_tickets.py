"""Tickets of both systems: those a story needs are written by hand, the rest is drawn from what goes wrong with a service."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import yaml

from brain.demo.company import Company, Service
from brain.demo.play import draw
from brain.demo.story import StoryError

LAST = {"OPS": (210, datetime(2026, 10, 15, 15, tzinfo=UTC)), "FLD": (140, datetime(2026, 10, 15, 11, tzinfo=UTC))}
FIRST = {"OPS": datetime(2025, 6, 3, 8, tzinfo=UTC), "FLD": datetime(2025, 9, 15, 8, tzinfo=UTC)}
AS_OF = datetime(2026, 10, 16, 6, tzinfo=UTC)
SITES = ("Holme Fen", "Thornwick", "Cowbit", "Crowland", "Vernatt's drain", "Boston", "Denver sluice")
BOARDS = ("Holme Drainage Board", "Thornwick and Cowbit Board", "Crowland Commissioners", "Vernatt's Board")
FIELD = frozenset(
    {
        "gate-control",
        "plc-bridge",
        "gauge-ingest",
        "gauge-quality",
        "threshold-watch",
        "notify-dispatch",
        "operator-console",
        "rota",
        "callout-engine",
        "site-gateway",
        "board-portal",
        "billing-meter",
        "map-tiles",
        "asset-register",
        "level-forecast",
        "tide-model",
    }
)
# Who handles most of a service's tickets, by system, where it is not the technical lead.
HANDS = {
    "map-tiles": {"OPS": "hyejin", "FLD": "padraig"},
    "asset-register": {"OPS": "padraig", "FLD": "padraig"},
    "gauge-quality": {"OPS": "georg", "FLD": "georg"},
    "gauge-ingest": {"OPS": "georg", "FLD": "thandiwe"},
    "site-gateway": {"OPS": "opritch", "FLD": "ondrej"},
    "callout-engine": {"OPS": "piotr", "FLD": "aurelie"},
    "threshold-watch": {"OPS": "emeka", "FLD": "kasia"},
    "board-portal": {"OPS": "ruben", "FLD": "ruben"},
    "plc-bridge": {"OPS": "tomasz", "FLD": "femi"},
    "event-bus": {"OPS": "mateus", "FLD": "mateus"},
    "operator-console": {"OPS": "luc", "FLD": "owen"},
}
# Nothing may happen near the planted alerts that could be taken for their cause.
QUIET = (datetime(2026, 10, 4, tzinfo=UTC), datetime(2026, 10, 6, 12, tzinfo=UTC))
NO_CHANGES = datetime(2026, 9, 15, tzinfo=UTC)
_HEAD = re.compile(r'@@ ((OPS|FLD)-\d+) (\S+) (\S+) ("[^"]+"|\S+) (\S*) (\S+) (\S+) (\S+)(?: (\S+))?')
_NOTE = re.compile(r"-- (\S+) (\w+): (.+)")


@dataclass(frozen=True)
class Ticket:
    """One ticket; people by short names, `notes` are (when, who, words)."""

    id: str
    system: str
    created: datetime
    kind: str
    status: str
    assignee: str
    reporter: str
    service: str
    priority: str
    closed: datetime | None
    title: str
    body: str
    notes: tuple[tuple[datetime, str, str], ...] = ()
    labels: tuple[str, ...] = field(default=())


def tickets(company: Company, scripts: Path) -> list[Ticket]:
    """Every ticket, by system and number. Raises StoryError for a line of the scripts that does not fit."""
    written = {t.id: t for name in ("ops", "fld") for t in _read(scripts / f"{name}.tickets", company)}
    symptoms = yaml.safe_load((scripts / "symptoms.yaml").read_text(encoding="utf-8"))
    found = []
    for system in LAST:
        when = _moments(system, written)
        for n, at in when.items():
            id_ = f"{system}-{n}"
            found.append(written.get(id_) or _drawn(id_, system, at, company, symptoms))
    return found


def _read(path: Path, company: Company) -> Iterator[Ticket]:
    for block in re.split(r"\n(?=@@ )", path.read_text(encoding="utf-8").strip()):
        lines = block.strip().splitlines()
        head = _HEAD.fullmatch(lines[0].replace("  ", " - ").strip())
        if not head:
            raise StoryError(f"{path.name}: cannot read {lines[0]!r}")
        id_, system, created, kind, status, who, by, service, priority, closed = head.groups()
        who = who.strip("-")
        if service not in company.services or by not in company.people or (who and who not in company.people):
            raise StoryError(f"{path.name}: {id_} names a service or person that is not in company.yaml")
        notes = tuple((_at(m[1]), m[2], m[3]) for line in lines[2:] if (m := _NOTE.fullmatch(line)))
        body = "\n".join(line for line in lines[2:] if not line.startswith("-- "))
        yield Ticket(
            id_,
            system,
            _at(created),
            kind,
            status.strip('"'),
            who,
            by,
            service,
            priority,
            _at(closed) if closed else None,
            lines[1],
            body,
            notes,
        )


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _moments(system: str, written: Mapping[str, Ticket]) -> dict[int, datetime]:
    """When each number was given: those written fix the clock, the others lie between."""
    last, end = LAST[system]
    fixed = {0: FIRST[system], last + 1: end} | {int(t.id[4:]): t.created for t in written.values() if t.system == system}
    marks = sorted(fixed)
    found = {}
    for a, b in pairwise(marks):
        step = (fixed[b] - fixed[a]) / (b - a)
        for n in range(a + 1, b):
            at = fixed[a] + step * (n - a) + step * 0.8 * (draw(f"{system}-{n}", "at").random() - 0.5)
            found[n] = at.replace(second=0, microsecond=0)
        if b in fixed and 0 < b <= last:
            found[b] = fixed[b]
    return dict(sorted(found.items()))


def _drawn(id_: str, system: str, at: datetime, company: Company, symptoms: Mapping[str, Sequence[str]]) -> Ticket:
    dice = draw(id_, "ticket")
    quiet = QUIET[0] <= at <= QUIET[1]
    legal = [
        s
        for s in company.services.values()
        if (system == "OPS" or s.id in FIELD) and not (quiet and s.team in ("telemetry", "platform", "trust"))
    ]
    service = dice.choices(legal, [3 if s.id in HANDS else 1 for s in legal])[0]
    lines = [line for line in symptoms[service.id] if not (line.startswith("Config:") and at > NO_CHANGES)]
    title, body, cause = (part.strip() for part in dice.choice(lines).split("|"))
    slots = {"site": dice.choice(SITES), "board": dice.choice(BOARDS), "n": dice.randint(2, 38)}
    change = title.startswith("Config:")
    who = "kofi" if change else _assignee(service, system, at, company, dice.random(), id_)
    days = 0.1 + 9 * dice.random() ** 3
    closed = at + timedelta(days=days) if at + timedelta(days=days) < AS_OF - timedelta(days=1) and dice.random() < 0.94 else None
    by = _reporter(service, system, at, company, id_)
    kinds = ("Change",) if change else ("Bug", "Task", "Incident") if system == "OPS" else ("problem", "question", "incident")
    seen = f"{body.format(**slots)} First seen {at - timedelta(hours=dice.randint(1, 40)):%A at %H:%M}, {slots['site']}."
    words = {"OPS": ("Done", "In Progress", "To Do"), "FLD": ("solved", "open", "new")}[system]
    status = words[0] if closed else words[1] if who and dice.random() < 0.7 else words[2]
    priority = dice.choice(("Medium", "Low", "High") if system == "OPS" else ("normal", "low", "high"))
    notes = ((closed.replace(second=0, microsecond=0) - timedelta(minutes=4), who, cause),) if closed else ()
    labels = ("field",) if system == "OPS" and by in ("jonas", "marcellus", "eunice") else ()
    closed = closed.replace(second=0, microsecond=0) if closed else None
    return Ticket(
        id_,
        system,
        at,
        kinds[dice.randrange(len(kinds))],
        status,
        who if status != words[2] else "",
        by,
        service.id,
        priority,
        closed,
        title.format(**slots),
        seen,
        notes,
        labels,
    )


def _assignee(service: Service, system: str, at: datetime, company: Company, dice: float, id_: str) -> str:
    day = at.date()
    here = [
        p.short
        for p in company.people.values()
        if _team_on(company, p.short, day) == service.team
        and "ngineer" in p.title
        and "manager" not in p.title
        and _there(company, p.short, day)
    ]
    first = HANDS.get(service.id, {}).get(system, service.lead)
    if dice < 0.62 and _there(company, first, day):
        return first
    return draw(id_, "assignee").choice(sorted(here))


def _team_on(company: Company, who: str, day: date) -> str:
    for stay in company.earlier_teams:
        if stay.who == who and day <= stay.until:
            return stay.team
    return company.people[who].team


def _there(company: Company, who: str, day: date) -> bool:
    person = company.people[who]
    return (person.since or day) <= day and (person.until or date.max) > day


def _reporter(service: Service, system: str, at: datetime, company: Company, id_: str) -> str:
    pool = (
        ["jonas", "marcellus", "eunice", "kofi", "aurelie", "abigail"]
        if system == "FLD"
        else ["kofi", "wren", "zofia", "jasper", "birgitta", "aurelie"]
    )
    return draw(id_, "reporter").choice(pool)
