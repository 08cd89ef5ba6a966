"""What is right about an alert, from a company's raw files: what caused it, whom to page, and what the dumb rule would have said."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import yaml

from eval.gold.company_desks import Alert, alerts, instant, tickets
from eval.gold.company_docs import Document, documents
from eval.gold.records import GoldError

MINUTES, WINDOW, MOST_HOPS = 10, 86_400, 6
# What the demo's own description says is planted: alert, category, causes, herrings.
PLANTED = (
    ("PLANTED-22", "0e06d5f413d88dc9", "cause", ("deploy:event-bus-20261014-0111",), ("deploy:threshold-watch-20261014-0233",)),
    ("PLANTED-23", "e4dbf1689ef70c9b", "cause", ("deploy:token-broker-20260922-1944",), ("deploy:board-portal-20260922-2058",)),
    ("PLANTED-24", "92c91d03c189d363", "quiet", (), ()),
    ("PLANTED-25", "ff96ed0cdd07cf24", "cause", ("ticket:OPS-187",), ()),
)


@dataclass(frozen=True)
class Thing:
    """A service as catalogue and registry have it: team and lead by key, what it needs by name."""

    name: str
    team: str
    lead: str
    needs: tuple[str, ...]


@dataclass(frozen=True)
class Rollout:
    """A deployment that went out to production, or tried to."""

    key: str
    service: str
    at: int
    good: bool


@dataclass(frozen=True)
class Duties:
    """Who answers for what: services by name, on-call weeks as (team, person, first day, last day), who has left on which day."""

    services: Mapping[str, Thing]
    weeks: tuple[tuple[str, str, date, date], ...]
    left: Mapping[str, date]
    rollouts: tuple[Rollout, ...]

    def page(self, broke: Sequence[str], at: int) -> tuple[str, ...]:
        """Whom to turn to first for any of these services: who is on call for its team that day, else its lead, else its team."""
        return tuple(dict.fromkeys(self._first(self.services[name], datetime.fromtimestamp(at, UTC).date()) for name in broke))

    def _first(self, thing: Thing, day: date) -> str:
        called = [who for team, who, first, last in self.weeks if team == thing.team and first <= day <= last]
        here = [p for p in (*called[:1], thing.lead) if p and self.left.get(p, date.max) > day]
        return here[0] if here else thing.team

    def hops(self, service: str, to: str) -> int | None:
        """Over how many needs `service` leads to `to`; None when it does not need it."""
        found = {service: 0}
        waiting = [service]
        for at in waiting:
            for other in self.services[at].needs if at in self.services else ():
                if other not in found and found[at] < MOST_HOPS:
                    found[other] = found[at] + 1
                    waiting.append(other)
        return found.get(to)

    def baseline(self, service: str, at: int, window: int = WINDOW) -> str:
        """The latest good deployment to production on the service or on what it needs directly; "" when there is none."""
        near = {service, *(self.services[service].needs if service in self.services else ())}
        found = [r for r in self.rollouts if r.good and r.service in near and at - window <= r.at <= at]
        return max(found, key=lambda r: (r.at, r.key)).key if found else ""

    def service_of(self, key: str) -> str:
        """The service that a deployment went to; "" for anything else."""
        return next((r.service for r in self.rollouts if r.key == key), "")


def read(folder: Path) -> Duties:
    """The duties of the company in a folder; GoldError names what is missing."""
    docs = {d.path.rsplit("/", 1)[-1]: d for d in documents(folder) if d.kind == "registry"}
    for name in ("people.md", "services.md", "oncall.md"):
        if name not in docs:
            raise GoldError(f"{folder}: no registry {name} under docs/")
    people = {(row["Name"], row["Team"]): f"person:{row['GitHub'].lower()}" for row in _rows(docs["people.md"])}
    ends = {f"person:{row['GitHub'].lower()}": row["Until"] for row in _rows(docs["people.md"])}
    gone = {person: date.fromisoformat(day) for person, day in ends.items() if day not in ("", "-")}
    entities = [e for p in sorted((folder / "catalog").rglob("*.yaml")) for e in yaml.safe_load_all(p.read_text("utf-8")) if e]
    teams = {e["spec"].get("profile", {}).get("displayName", e["metadata"]["name"]): f"team:{e['metadata']['name']}"
             for e in entities if e["kind"] == "Group"}  # fmt: skip
    weeks = [(row["Team"], row["Primary"], row["From"], row["Until"]) for row in _rows(docs["oncall.md"])]
    return Duties(
        {t.name: t for t in _things(entities, _rows(docs["services.md"]), teams, people)},
        tuple((teams[t], _person(people, w, t), date.fromisoformat(a), date.fromisoformat(b)) for t, w, a, b in weeks),
        gone,
        tuple(_rollouts(folder / "deploys")),
    )


def _rows(doc: Document) -> list[Mapping[str, str]]:
    return [row for table in doc.tables for row in table]


def _person(people: Mapping[tuple[str, str], str], name: str, team: str) -> str:
    """Who is called so: in that team, else the only one anywhere, also under the first of two joined surnames."""
    found = {key for (full, of), key in people.items() if full == name and of == team}
    found = found or {key for (full, _), key in people.items() if full == name or full.startswith(f"{name}-")}
    return found.pop() if len(found) == 1 else ""


def _things(entities: Sequence[Any], registry: Sequence[Mapping[str, str]], teams: Mapping[str, str], people: Any) -> Iterator[Thing]:
    said = {row["Service"]: row for row in registry}
    provider = {_name(api): e["metadata"]["name"] for e in entities for api in e["spec"].get("providesApis", ())}
    for e in entities:
        name = e["metadata"]["name"]
        if e["kind"] != "Component" or name not in said:
            continue
        needs = [_name(d) for d in e["spec"].get("dependsOn", ()) if not str(d).startswith("resource:")]
        needs += [provider[_name(api)] for api in e["spec"].get("consumesApis", ()) if _name(api) in provider]
        row = said[name]
        yield Thing(name, teams[row["Owner"]], _person(people, row["Technical lead"], row["Owner"]), tuple(dict.fromkeys(needs)))


def _name(ref: object) -> str:
    return str(ref).rpartition(":")[2].removeprefix("default/")


def _rollouts(folder: Path) -> Iterator[Rollout]:
    for line in (folder / "deployments.jsonl").read_text(encoding="utf-8").splitlines():
        raw = json.loads(line)
        good = raw["environment"] == "production" and raw["status"] == "success"
        yield Rollout(f"deploy:{raw['id']}", raw["service"], instant(raw["created_at"]), good)
    for path in sorted(folder.glob("argocd*.json")):
        app = json.loads(path.read_text(encoding="utf-8"))
        name = app["metadata"]["name"]
        for entry in app["status"]["history"]:
            yield Rollout(f"deploy:{name}/{entry['id']}", name, instant(entry["deployStartedAt"]), True)


def demo(folder: Path) -> list[dict[str, Any]]:
    """The demo's own alerts with a known answer: those of its eight incident reports, and those that its description plants."""
    duties, fired = read(folder), {a.id: a for a in alerts(folder / "alerts")}
    components = {f"ticket:{t.id}": t.component for t in tickets(folder / "tickets", {})}
    lines = []
    for doc in documents(folder):
        if doc.path.startswith("incidents/"):
            lines.append(_reported(doc, fired, duties))
    for id_, alert, category, causes, herrings in PLANTED:
        broke = [duties.service_of(key) or components[key] for key in causes]
        lines.append(line(id_, f"demo {category}", fired[alert], causes, herrings, broke, duties))
    return lines


def _reported(doc: Document, fired: Mapping[str, Alert], duties: Duties) -> dict[str, Any]:
    start = doc.facts["start"].astimezone(UTC) if isinstance(doc.facts["start"], datetime) else None
    alert = next(a for a in fired.values() if start and a.at == int(start.timestamp()))
    said = str(doc.facts.get("cause", ""))
    cause = (f"deploy:{said}" if duties.service_of(f"deploy:{said}") else f"ticket:{said}",) if said else ()
    broke = [duties.service_of(key) or doc.facts["services"][0] for key in cause]
    return line(doc.facts["id"], "demo cause" if cause else "demo quiet", alert, cause, (), broke, duties)


def line(
    id_: str, category: str, alert: Alert, causes: Sequence[str], herrings: Sequence[str], broke: Sequence[str], duties: Duties, **more: Any
) -> dict[str, Any]:
    """One line of a set: an alert, some minutes after it fired, before anybody wrote about it."""
    far = [duties.hops(alert.service, name) for name in broke]
    known = [n for n in far if n is not None]
    return {
        "id": id_, "category": category, "alert": f"alert:{alert.id}", "workspace": "demo", "viewer": None,
        "as_of": alert.at + MINUTES * 60,
        "causes": list(causes), "herrings": list(herrings), "broke": [f"service:{b}" for b in broke],
        "page": list(duties.page(broke or (alert.service,), alert.at)), "hops": max(known) if known else None,
        "baseline": duties.baseline(alert.service, alert.at), "baseline_page": list(duties.page((alert.service,), alert.at)),
        "cluster": broke[0] if broke else alert.service, "same": {}, **more,
    }  # fmt: skip
