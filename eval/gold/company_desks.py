"""What the desks of a company have on file: tickets of two systems, deployments, alerts, and the chat."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path


@dataclass(frozen=True)
class Ticket:
    """One ticket of either system; `assignee` is a person's key or empty."""

    id: str
    title: str
    component: str
    assignee: str
    created: int
    closed: int | None
    kind: str


@dataclass(frozen=True)
class Deploy:
    """One deployment."""

    id: str
    service: str
    at: int
    version: str


@dataclass(frozen=True)
class Alert:
    """One alert of the alert manager."""

    id: str
    name: str
    service: str
    at: int


@dataclass(frozen=True)
class Said:
    """One message of the chat, mentions resolved to logins, in a channel that is not private."""

    channel: str
    at: int
    person: str
    text: str


def instant(text: str) -> int:
    """Epoch seconds of an ISO date or time."""
    at = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp())


def _jira_time(text: str) -> int:
    return int(datetime.strptime(text, "%d/%b/%y %I:%M %p").replace(tzinfo=UTC).timestamp())


def tickets(folder: Path, people: Mapping[str, str]) -> Iterator[Ticket]:
    """Every ticket of jira.csv and support.jsonl; names that several people have give no assignee."""
    with (folder / "jira.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            closed = _jira_time(row["Resolved"]) if row["Resolved"] else None
            yield Ticket(
                row["Issue key"],
                row["Summary"],
                row["Component/s"],
                people.get(row["Assignee"], ""),
                _jira_time(row["Created"]),
                closed,
                row["Issue Type"],
            )
    for line in (folder / "support.jsonl").read_text(encoding="utf-8").splitlines():
        raw = json.loads(line)
        who = f"person:{raw['assignee'].lower()}" if raw["assignee"] else ""
        yield Ticket(
            raw["id"],
            raw["subject"],
            raw["tags"][0],
            who,
            instant(raw["created_at"]),
            instant(raw["solved_at"]) if raw["solved_at"] else None,
            raw["type"],
        )


def deploys(folder: Path) -> Iterator[Deploy]:
    """Every deployment of deployments.jsonl."""
    for line in (folder / "deployments.jsonl").read_text(encoding="utf-8").splitlines():
        raw = json.loads(line)
        yield Deploy(str(raw["id"]), raw["service"], instant(raw["created_at"]), str(raw["version"]))


def alerts(folder: Path) -> Iterator[Alert]:
    """Every alert of alertmanager.jsonl, each once."""
    seen: dict[str, Alert] = {}
    for line in (folder / "alertmanager.jsonl").read_text(encoding="utf-8").splitlines():
        for raw in json.loads(line)["alerts"]:
            labels = raw["labels"]
            seen.setdefault(raw["fingerprint"], Alert(raw["fingerprint"], labels["alertname"], labels["service"], instant(raw["startsAt"])))
    yield from seen.values()


def pages(folder: Path) -> Iterator[Alert]:
    """Every incident of pagerduty.json."""
    for raw in json.loads((folder / "pagerduty.json").read_text(encoding="utf-8"))["incidents"]:
        yield Alert(raw["id"], raw["title"], raw["service"]["summary"], instant(raw["created_at"]))


def said(folder: Path, people: Mapping[str, str]) -> Iterator[Said]:
    """Every message of the channels that are not private, with mentions as logins."""
    channels = [c["name"] for c in json.loads((folder / "channels.json").read_text(encoding="utf-8"))]
    for channel in channels:
        for path in sorted((folder / channel).glob("*.json")):
            for raw in json.loads(path.read_text(encoding="utf-8")):
                if "subtype" not in raw and raw.get("user") in people:
                    text = re.sub(r"<@(\w+)>", lambda m: "@" + people.get(m[1], m[1]).removeprefix("person:"), raw["text"])
                    yield Said(channel, int(float(raw["ts"])), people[raw["user"]], text)
