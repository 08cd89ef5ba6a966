"""What went off: webhook payloads of Alertmanager, one a line, and the incidents that PagerDuty made of some of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from brain.demo import raw_files
from brain.demo.catalogue import pager_id
from brain.demo.company import Company
from brain.demo.deploys import WINDOW
from brain.demo.play import draw

Raw = dict[str, Any]
_AT_A_SITE = ("gauge-ingest", "site-gateway", "plc-bridge", "gate-control", "interlock-guard", "gauge-quality")
_NEVER = "0001-01-01T00:00:00Z"  # how Alertmanager writes that an alert still fires


@dataclass(frozen=True)
class Alert:
    """Something that went off; `end` is absent while it fires."""

    service: str
    name: str
    severity: str
    at: datetime
    end: datetime | None
    says: str
    site: str = ""

    @property
    def fingerprint(self) -> str:
        """The id that Alertmanager gives it; with the start in it, so that each time is an alert of its own."""
        return hashlib.sha1(f"{self.name}/{self.service}/{_stamp(self.at)}".encode()).hexdigest()[:16]


def write(folder: Path, company: Company, operations: Mapping[str, Any]) -> Counter[str]:
    """Writes folder/alerts and gives how many alerts and how many incidents of PagerDuty."""
    alerts = sorted([*_written(operations), *_everyday(company, operations)], key=lambda one: (one.at, one.fingerprint))
    events = sorted(_events(alerts), key=lambda event: (event[0], event[1].fingerprint))
    raw_files.as_lines(folder / "alerts" / "alertmanager.jsonl", (_payload(company, one, firing) for _, one, firing in events))
    opened = sorted(_incidents(company, operations, alerts), key=lambda one: one["created_at"])
    numbered = [{"incident_number": 2001 + n, **one} for n, one in enumerate(opened)]
    raw_files.as_json(folder / "alerts" / "pagerduty.json", {"incidents": numbered, "limit": 100, "offset": 0, "more": False})
    return Counter(alerts=len(alerts), pages=len(opened))


def _written(operations: Mapping[str, Any]) -> Iterator[Alert]:
    for facts in operations["alerts"]:
        end = datetime.fromisoformat(facts["end"]) if "end" in facts else None
        times = {"at": datetime.fromisoformat(facts["at"]), "end": end}
        yield Alert(**{**facts, **times})


def _everyday(company: Company, operations: Mapping[str, Any]) -> Iterator[Alert]:
    """What goes off in an ordinary month and is over by itself."""
    count, dice = operations["everyday_count"], draw("alerts", "everyday")
    for n in range(count):
        service, name, severity, says, longest = operations["everyday"][n % len(operations["everyday"])]
        at = company.as_of - WINDOW + WINDOW * ((n + dice.random()) / count)
        at = at.replace(second=0, microsecond=0, tzinfo=UTC)
        end = at + timedelta(minutes=4 + int((longest - 4) * dice.random()))
        site = dice.choice(("Holme Fen", "Cowbit", "Surfleet", "Bicker Haven", "Boston")) if service in _AT_A_SITE else ""
        yield Alert(service, name, severity, at, min(end, company.as_of - timedelta(minutes=5)), says, site)


def _events(alerts: list[Alert]) -> Iterator[tuple[datetime, Alert, bool]]:
    """When Alertmanager called: each alert once when it fired and, when it is over, once more."""
    for one in alerts:
        yield one.at + timedelta(seconds=30), one, True
        if one.end:
            yield one.end + timedelta(seconds=30), one, False


def _payload(company: Company, one: Alert, firing: bool) -> Raw:
    team = company.services[one.service].team
    site = {"site": one.site} if one.site else {}
    labels = {"alertname": one.name, "service": one.service, "severity": one.severity, "team": team, **site}
    notes = {"summary": f"{one.says}{f' ({one.site})' if one.site else ''}", "description": f"{one.name} on {one.service}."}
    end = _NEVER if firing or not one.end else _stamp(one.end)
    alert = {
        "status": "firing" if firing else "resolved", "labels": labels, "annotations": notes, "startsAt": _stamp(one.at), "endsAt": end,
        "generatorURL": f"https://metrics.{company.org}.example/graph?g0.expr={one.name}", "fingerprint": one.fingerprint,
    }  # fmt: skip
    group = {"alertname": one.name, "service": one.service}
    return {
        "receiver": f"team-{team}", "status": alert["status"], "alerts": [alert], "groupLabels": group, "commonLabels": labels,
        "commonAnnotations": notes, "externalURL": f"https://alerts.{company.org}.example", "version": "4",
        "groupKey": f'{{}}:{{alertname="{one.name}", service="{one.service}"}}', "truncatedAlerts": 0,
    }  # fmt: skip


def _incidents(company: Company, operations: Mapping[str, Any], alerts: list[Alert]) -> Iterator[Raw]:
    by_name = {f"{one.service} {_stamp(one.at)}": one for one in alerts}
    for facts in operations["pagerduty"]:
        alert = by_name[facts["alert"]] if "alert" in facts else None
        service = alert.service if alert else facts["service"]
        start = alert.at if alert else datetime.fromisoformat(facts["at"])
        end = alert.end if alert else datetime.fromisoformat(facts["end"])
        taken, person = start + timedelta(minutes=3), company.people[facts["by"]]
        someone = {"type": "user_reference", "summary": person.name, "id": f"P{person.id}"}
        team = company.teams[company.services[service].team]
        yield {
            "id": facts["id"],
            "type": "incident",
            "title": alert.says if alert else facts["title"],
            "status": "resolved" if end else "acknowledged",
            "urgency": "high",
            "incident_key": alert.fingerprint if alert else facts["id"].lower(),
            "created_at": _stamp(start + timedelta(minutes=1)),
            "resolved_at": _stamp(end) if end else None,
            "last_status_change_at": _stamp(end or taken),
            "service": {"id": pager_id(service), "type": "service_reference", "summary": service},
            "teams": [{"id": f"T{team.id[:5].upper()}", "type": "team_reference", "summary": team.name}],
            "assignments": [] if end else [{"at": _stamp(taken), "assignee": someone}],
            "acknowledgements": [] if end else [{"at": _stamp(taken), "acknowledger": someone}],
            "last_status_change_by": someone,
            "html_url": f"https://pages.{company.org}.example/incidents/{facts['id']}",
        }


def _stamp(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"
