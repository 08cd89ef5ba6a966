"""Small GitHub files written by hand in a test: an archive of a repository with the items given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from brain.brain import Brain
from brain.ingest import Outcome
from brain.loads import github
from brain.settings import Settings

REPO = "acme/kiln"


def issue(
    number: int, title: str, body: str = "", author: str = "ada", created: str = "2025-01-02", closed: str | None = None
) -> dict[str, Any]:
    return {
        "number": number, "id": f"I_{number}", "title": title, "url": f"https://github.com/{REPO}/issues/{number}", "state": "CLOSED" if closed else "OPEN",
        "author": author, "assignees": [], "labels": ["bug"], "milestone": None, "body": body, "createdAt": f"{created}T08:00:00Z",
        "updatedAt": f"{closed or created}T08:00:00Z", "closedAt": f"{closed}T08:00:00Z" if closed else None, "comments": [],
    }  # fmt: skip


def comment(author: str, body: str, day: str) -> dict[str, Any]:
    return {"author": author, "body": body, "createdAt": f"{day}T09:00:00Z", "updatedAt": f"{day}T09:00:00Z"}


def pull(
    number: int,
    title: str,
    body: str = "",
    author: str = "bob",
    created: str = "2025-01-03",
    merged: str | None = None,
    files: tuple[str, ...] = (),
) -> dict[str, Any]:
    return {
        **issue(number, title, body, author, created, merged), "id": f"PR_{number}", "url": f"https://github.com/{REPO}/pull/{number}",
        "state": "MERGED" if merged else "OPEN", "baseRepository": REPO, "baseRefName": "main", "baseRefOid": "b" * 40, "headRepository": REPO,
        "headRefName": f"topic-{number}", "headRefOid": f"{number:040x}", "isDraft": False, "mergedAt": f"{merged}T08:00:00Z" if merged else None,
        "mergedBy": "ada" if merged else None, "mergeCommit": {"oid": f"{number:039x}c"} if merged else None,
        "files": [{"path": p, "additions": 3, "deletions": 1, "changeType": "MODIFIED"} for p in files], "commits": [{"oid": f"{number:040x}"}], "reviews": [],
    }  # fmt: skip


def review(author: str, state: str, day: str, body: str = "") -> dict[str, Any]:
    return {"id": f"R_{author}_{day}_{state}", "commit": {"abbreviatedOid": "bbbbbbb"}, "author": author, "state": state, "body": body,
            "createdAt": f"{day}T10:00:00Z", "updatedAt": f"{day}T10:00:00Z", "comments": []}  # fmt: skip


def archive(path: Path, issues: list[Any] = (), pulls: list[Any] = (), repo: str = REPO) -> Path:  # type: ignore[assignment]
    """The file, in the layout of the i-d-template archive, which is a complete picture of a repository."""
    data = {
        "magic": "E!vIA5L86J2I",
        "timestamp": "2025-06-01T06:00:00.000000+00:00",
        "repo": repo,
        "labels": [],
        "issues": list(issues),
        "pulls": list(pulls),
    }
    path.write_text(json.dumps(data), "utf-8")
    return path


def two_of_each() -> dict[str, list[Any]]:
    """Two issues and two pull requests: #3 closes #1, was reviewed and merged; #4 is open."""
    fix = pull(3, "Hold the heat for an hour", "Fixes #1.", merged="2025-02-01", files=("src/heat.py", "docs/heat.md"))
    fix["reviews"] = [review("cy", "APPROVED", "2025-01-20", "The ramp is steep but fine.")]
    talk = issue(1, "Glaze cracks after cooling", "It cracks below 200 degrees.", closed="2025-02-01")
    talk["comments"] = [comment("cy", "Seen on both kilns.", "2025-01-05")]
    return {
        "issues": [talk, issue(2, "The door sticks")],
        "pulls": [fix, pull(4, "Grease the hinge", files=("src/door.py",), created="2025-03-03")],
    }


def brain_of(settings: Settings, workspace: str) -> Brain:
    """A workspace that loads without vectors."""
    brain = Brain.open(settings, workspace)
    brain._embedder.append(None)
    return brain


def load(brain: Brain, *paths: Path, now: int | None = None) -> Outcome:
    """Loads the files, at an instant of the test's choosing."""
    if now is not None:
        brain.clock = lambda: now
    return brain.load({str(p): github(p) for p in paths})


def dump(store: Any, workspace: str) -> dict[str, list[str]]:
    """The whole graph, node by node and edge by edge, with every property, in an order of its own."""
    graph = f"brain:{workspace}"
    nodes = store.read(graph, "MATCH (n) RETURN labels(n) AS labels, properties(n) AS props ORDER BY n.key", timeout_ms=60_000).rows
    edges = store.read(
        graph, "MATCH (a)-[e]->(b) RETURN a.key AS a, type(e) AS rel, b.key AS b, properties(e) AS props, id(e) AS i", timeout_ms=60_000
    ).rows
    return {
        "nodes": sorted(str([sorted(r["labels"]), sorted(r["props"].items())]) for r in nodes),
        "edges": sorted(str([r["a"], r["rel"], r["b"], sorted(r["props"].items())]) for r in edges),
    }


def counts(store: Any, workspace: str) -> dict[str, int]:
    """How many nodes of each label and edges of each type there are."""
    graph = f"brain:{workspace}"
    nodes = store.read(graph, "MATCH (n) UNWIND labels(n) AS name RETURN name, count(n) AS n ORDER BY name").rows
    edges = store.read(graph, "MATCH ()-[e]->() RETURN type(e) AS name, count(e) AS n ORDER BY name").rows
    return {str(r["name"]): int(r["n"]) for r in [*nodes, *edges]}
