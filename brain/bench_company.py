"""A made-up company for measuring: any number of times the demo's size, in the formats of the tools that companies use."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

SERVICES, PEOPLE, TICKETS, DOCUMENTS, MESSAGES, DEPLOYS, ALERTS, PULLS = 25, 60, 350, 45, 660, 160, 40, 900
BEGAN = int(datetime(2025, 1, 1, tzinfo=UTC).timestamp())
DAY = 86_400
_NOUNS = ["valve", "ledger", "beacon", "kiln", "orchard", "harbour", "lantern", "quarry", "mill", "ferry", "bridge", "canal"]
_VERBS = ["drops", "repeats", "delays", "loses", "doubles", "hides", "shifts", "truncates", "reorders", "blocks"]


def write(folder: Path, times: int) -> None:
    """Writes a company `times` the demo's size in the formats of its tools; the same for the same number."""
    dice = random.Random(times)
    services = [f"{_NOUNS[i % len(_NOUNS)]}-{i}" for i in range(SERVICES * times)]
    people = [f"worker{i}" for i in range(PEOPLE * times)]
    _catalogue(folder / "catalog", services, people, dice)
    _documents(folder / "docs", services, people, DOCUMENTS * times, dice)
    _tickets(folder / "tickets", services, people, TICKETS * times, dice)
    _chat(folder / "slack", people, MESSAGES * times, TICKETS * times, dice)
    _operations(folder, services, times, dice)
    for n in range(times):
        _archive(folder / f"code-{n}.archive.json", f"bench/code-{n}", people[n * PEOPLE : (n + 1) * PEOPLE], dice)


def _save(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _iso(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _sentence(dice: random.Random, services: list[str]) -> str:
    site = f"{dice.choice(_NOUNS)} {dice.randrange(10**6)}"
    thing, verb = dice.choice(_NOUNS), dice.choice(_VERBS)
    return f"The {thing} of {dice.choice(services)} {verb} what {site} sends since {dice.randrange(24)} o'clock."


def _catalogue(folder: Path, services: list[str], people: list[str], dice: random.Random) -> None:
    entities: list[dict[str, Any]] = []
    for i, name in enumerate(services):
        needs = [f"component:{services[j]}" for j in sorted({dice.randrange(i) for _ in range(3)})] if i else []
        spec: dict[str, Any] = {"type": "service", "owner": f"group:team-{i // 3}", "dependsOn": needs}
        entities.append({"kind": "Component", "metadata": {"name": name}, "spec": spec})
    groups = range(len(services) // 3 + 1)
    entities += [{"kind": "Group", "metadata": {"name": f"team-{i}"}, "spec": {"type": "team"}} for i in groups]
    teams = len(services) // 3
    for i, who in enumerate(people):
        spec = {"profile": {"displayName": f"Worker Number{i}"}, "memberOf": [f"team-{i % teams}"]}
        entities.append({"kind": "User", "metadata": {"name": who, "annotations": {"github.com/user-login": who}}, "spec": spec})
    whole = [{"apiVersion": "backstage.io/v1alpha1", **e} for e in entities]
    for n in range(0, len(whole), 200):
        _save(folder / f"part-{n}.yaml", yaml.safe_dump_all(whole[n : n + 200]))


def _documents(folder: Path, services: list[str], people: list[str], count: int, dice: random.Random) -> None:
    for n in range(count):
        about, keeper = dice.choice(services), f"Worker Number{dice.randrange(len(people))}"
        body = "\n\n".join(_sentence(dice, services) for _ in range(8))
        if n % 3:
            head = f"---\ntitle: Runbook {n}\nkind: runbook\nmaintainer: {keeper}\napplies_to: [{about}]\n---\n\n"
            _save(folder / "runbooks" / f"{n}.md", f"{head}# Runbook {n}\n\n{body}\n")
        else:
            said = f"Superseded by [{n + 3}]({n + 3:05d}-decision.md)" if n + 3 < count and n % 2 else "Accepted"
            _save(
                folder / "adr" / f"{n:05d}-decision.md",
                f"# {n}. Decision {n}\n\nDate: 2025-03-01\n\n## Status\n\n{said}\n\n## Context\n\n" + body,
            )


def _tickets(folder: Path, services: list[str], people: list[str], count: int, dice: random.Random) -> None:
    lines = []
    for n in range(count):
        at = BEGAN + n * DAY // 4
        ticket = {
            "id": f"BEN-{n + 1}",
            "subject": _sentence(dice, services),
            "status": "solved",
            "created_at": _iso(at),
            "solved_at": _iso(at + DAY),
            "requester": dice.choice(people),
            "assignee": dice.choice(people),
            "tags": [dice.choice(services)],
            "description": _sentence(dice, services),
        }
        lines.append(json.dumps(ticket) + "\n")
    _save(folder / "support.jsonl", "".join(lines))


def _chat(folder: Path, people: list[str], count: int, tickets: int, dice: random.Random) -> None:
    users = [{"id": f"U{i:07d}", "name": who, "profile": {"real_name": f"Worker Number{i}"}} for i, who in enumerate(people)]
    channels: list[dict[str, Any]] = [
        {"id": f"C{i:07d}", "name": f"room-{i}", "members": [u["id"] for u in users[i::12]]} for i in range(12)
    ]
    _save(folder / "users.json", json.dumps(users))
    _save(folder / "channels.json", json.dumps(channels))
    days: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for n in range(count):
        at = BEGAN + n * 60 * DAY // count
        words = (
            f"taking BEN-{dice.randrange(tickets) + 1}" if n % 20 == 0 else f"{dice.choice(_NOUNS)} {dice.choice(_VERBS)} again, number {n}"
        )
        message = {"type": "message", "user": dice.choice(users)["id"], "text": words, "ts": f"{at}.{n % 10**6:06d}"}
        days.setdefault((dice.choice(channels)["name"], _iso(at)[:10]), []).append(message)
    for (channel, day), messages in days.items():
        _save(folder / channel / f"{day}.json", json.dumps(messages))


def _operations(folder: Path, services: list[str], times: int, dice: random.Random) -> None:
    def deploys() -> Iterator[str]:
        for n in range(DEPLOYS * times):
            at = BEGAN + n * DAY // 2
            deploy = {"id": f"d{n}", "service": dice.choice(services), "version": f"1.{n}", "created_at": _iso(at), "status": "success"}
            yield json.dumps({**deploy, "environment": "production"}) + "\n"

    _save(folder / "deploys" / "deployments.jsonl", "".join(deploys()))
    alerts = []
    for n in range(ALERTS * times):
        labels = {"alertname": f"Alert{n % 9}", "service": dice.choice(services)}
        alert = {"status": "firing", "labels": labels, "startsAt": _iso(BEGAN + n * DAY), "fingerprint": f"{n:016x}"}
        alerts.append(json.dumps({"version": "4", "status": "firing", "alerts": [alert]}) + "\n")
    _save(folder / "alerts" / "alertmanager.jsonl", "".join(alerts))


def _archive(path: Path, repo: str, people: list[str], dice: random.Random) -> None:
    def pulls() -> Iterator[dict[str, Any]]:
        for n in range(1, PULLS + 1):
            at = BEGAN + n * DAY // 3
            review = {
                "id": f"R{n}",
                "author": dice.choice(people),
                "state": "APPROVED",
                "body": "",
                "submittedAt": _iso(at + 60),
                "comments": [],
            }
            yield {
                "number": n,
                "id": f"P{n}",
                "title": f"Keep {dice.choice(_NOUNS)} {n} from what it {dice.choice(_VERBS)}",
                "url": "",
                "state": "MERGED",
                "author": dice.choice(people),
                "assignees": [],
                "labels": [],
                "body": _sentence(dice, [repo]),
                "createdAt": _iso(at),
                "updatedAt": _iso(at),
                "closedAt": _iso(at + 90),
                "mergedAt": _iso(at + 90),
                "mergedBy": dice.choice(people),
                "comments": [],
                "reviews": [review],
                "baseRefName": "main",
                "headRefName": f"b{n}",
            }

    whole = {
        "magic": "E!vIA5L86J2I",
        "timestamp": _iso(BEGAN + 400 * DAY),
        "repo": repo,
        "labels": [],
        "issues": [],
        "pulls": list(pulls()),
    }
    _save(path, json.dumps(whole))
