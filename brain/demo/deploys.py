"""What was deployed and when: the written deploys of script/operations.yaml, and around them what a company of this
size deploys in sixty days. Each deploys a commit that is really there, under the name that `git describe` gives it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from brain.demo import raw_files
from brain.demo.company import Company, Service
from brain.demo.history import Commit, History
from brain.demo.play import draw
from brain.demo.story import StoryError

WINDOW = timedelta(days=60)


@dataclass(frozen=True)
class Deploy:
    """A deploy; `by` is a short name, `undoes` the deploy it takes back."""

    service: Service
    at: datetime
    by: str
    commit: Commit
    version: str
    why: str = ""
    undoes: str = ""
    environment: str = "production"
    status: str = "success"

    @property
    def id(self) -> str:
        """Service, day and minute."""
        return f"{self.service.id}-{self.at:%Y%m%d-%H%M}"


def write(folder: Path, company: Company, operations: Mapping[str, Any], histories: Mapping[str, History]) -> Counter[str]:
    """Writes folder/deploys and gives the number of deploys. Raises StoryError for a deploy that cannot be."""
    made = deploys(company, operations, histories)
    argo = operations["argocd"]["service"]
    raw_files.as_lines(folder / "deploys" / "deployments.jsonl", (_record(company, one) for one in made if one.service.id != argo))
    raw_files.as_json(folder / "deploys" / "argocd.json", _application(company, [one for one in made if one.service.id == argo]))
    return Counter(deploys=len(made))


def deploys(company: Company, operations: Mapping[str, Any], histories: Mapping[str, History]) -> list[Deploy]:
    """Every deploy in the order of time."""
    written = [_written(company, histories, facts) for facts in operations["deploys"]]
    before = {one.id: one for one in written}
    for n, one in enumerate(written):
        if one.undoes:
            if one.undoes not in before:
                raise StoryError(f"operations.yaml: {one.id} takes back {one.undoes}, which is not there")
            written[n] = _back(histories[one.service.repo], one, before[one.undoes])
    made = list(written)
    cadence = {**operations["cadence"], operations["argocd"]["service"]: operations["argocd"]["count"]}
    for service, count in cadence.items():
        there = [one for one in written if one.service.id == service and one.at > company.as_of - WINDOW]
        running = company.services[service]
        made += _filled(company, histories[running.repo], running, count - len(there), operations["quiet"])
    return sorted(made, key=lambda one: (one.at, one.id))


def _written(company: Company, histories: Mapping[str, History], facts: Mapping[str, Any]) -> Deploy:
    service, day, minute = facts["id"].rsplit("-", 2)
    at = datetime.strptime(f"{day} {minute}", "%Y%m%d %H%M").replace(tzinfo=UTC)
    running = company.services[service]
    return _deploy(histories[running.repo], running, at, facts["by"], facts.get("why", ""), facts.get("rollback_of", ""))


def _deploy(history: History, service: Service, at: datetime, by: str, why: str = "", undoes: str = "") -> Deploy:
    """A deploy of the newest commit there was."""
    there = [commit for commit in history.main_line if commit.at < at]
    if not there:
        raise StoryError(f"operations.yaml: nothing in {service.repo} to deploy on {at:%Y-%m-%d}")
    return Deploy(service, at, by, there[-1], describe(history, there[-1]), why, undoes)


def _back(history: History, one: Deploy, undone: Deploy) -> Deploy:
    """A rollback deploys the release before the one it takes back."""
    tags = _tags(history)
    older = [c for c in history.main_line if c.sha in tags and c.at < undone.commit.at and c.sha != undone.commit.sha]
    return replace(one, commit=older[-1], version=tags[older[-1].sha])


def _tags(history: History) -> dict[str, str]:
    return {oid: ref.removeprefix("refs/tags/") for ref, oid in history.refs.items() if ref.startswith("refs/tags/")}


def describe(history: History, commit: Commit) -> str:
    """What `git describe --tags` says: the tag, or the last one, how many commits since, and the commit."""
    tags = _tags(history)
    if commit.sha in tags:
        return tags[commit.sha]
    line = [c for c in history.main_line if c.at <= commit.at]
    last = next((n for n in range(len(line) - 1, -1, -1) if line[n].sha in tags), None)
    return f"g{commit.sha[:7]}" if last is None else f"{tags[line[last].sha]}-{len(line) - 1 - last}-g{commit.sha[:7]}"


def _filled(
    company: Company, history: History, service: Service, count: int, quiet: list[Mapping[str, Any]]
) -> Iterator[Deploy]:
    """Deploys spread over the window, in working hours or in the nightly rollout, none in a quiet hour."""
    dice = draw(service.id, "deploys")
    start, team = company.as_of - WINDOW, [who for who in company.members(service.team) if "ngineer" in company.people[who].title]
    for n in range(count):
        for _ in range(50):
            at = start + WINDOW * ((n + 0.1 + 0.8 * dice.random()) / count)
            at = _hour(at, dice)
            if not _is_quiet(service.id, at, quiet) and at < company.as_of - timedelta(hours=3):
                break
        else:
            raise StoryError(f"operations.yaml: no time is left for deploy {n + 1} of {service.id}")
        nightly = at.hour < 5
        made = _deploy(history, service, at, "ci" if nightly else dice.choice(team), "Nightly rollout" if nightly else "")
        roll = dice.random()
        if roll < 0.06:
            made = replace(made, environment="staging", why="Trial")
        elif roll < 0.09:
            made = replace(made, status="failure", why="Health check did not pass; nothing changed")
        yield made


def _hour(at: datetime, dice: random.Random) -> datetime:
    day = at.replace(hour=0, minute=0, second=0, microsecond=0)
    if day.weekday() > 3 or dice.random() < 0.3:  # from Friday on only the nightly rollout
        return day + timedelta(hours=1, minutes=dice.randint(0, 150))
    return day + timedelta(hours=8, minutes=dice.randint(0, 500))


def _is_quiet(service: str, at: datetime, quiet: list[Mapping[str, Any]]) -> bool:
    hours = [(datetime.fromisoformat(one["from"]), datetime.fromisoformat(one["until"])) for one in quiet if service in one["services"]]
    return any(start <= at <= end for start, end in hours)


def _record(company: Company, one: Deploy) -> dict[str, Any]:
    taken = timedelta(seconds=40 + len(one.commit.tree) + int(one.commit.sha[:2], 16))
    return {
        "id": one.id,
        "service": one.service.id,
        "version": one.version,
        "environment": one.environment,
        "repo": f"{company.org}/{one.service.repo}",
        "sha": one.commit.sha,
        "created_at": f"{one.at:%Y-%m-%dT%H:%M:%SZ}",
        "finished_at": f"{one.at + taken:%Y-%m-%dT%H:%M:%SZ}",
        "creator": company.people[one.by].login,
        "status": one.status,
        **({"description": one.why} if one.why else {}),
        **({"rollback_of": one.undoes} if one.undoes else {}),
    }


def _application(company: Company, made: list[Deploy]) -> dict[str, Any]:
    """One application as `argocd app get -o json` gives it."""
    service = made[0].service
    source = {"repoURL": f"https://github.com/{company.org}/{service.repo}.git", "path": "deploy", "targetRevision": "main"}
    history = [
        {
            "id": n, "revision": one.commit.sha, "deployStartedAt": f"{one.at:%Y-%m-%dT%H:%M:%SZ}",
            "deployedAt": f"{one.at + timedelta(seconds=50):%Y-%m-%dT%H:%M:%SZ}", "source": source,
            "initiatedBy": {"automated": True} if one.by == "ci" else {"username": company.people[one.by].login},
        }
        for n, one in enumerate(made)
    ]  # fmt: skip
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": service.id, "namespace": "argocd"},
        "spec": {"project": "default", "source": source, "destination": {"name": "in-cluster", "namespace": "production"}},
        "status": {
            "sync": {"status": "Synced", "revision": made[-1].commit.sha},
            "health": {"status": "Healthy"},
            "history": history,
        },
    }
