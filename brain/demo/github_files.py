"""The raw files that hold GitHub's data: an archive and the releases of each repository, the repositories, the people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from brain.demo import raw_files
from brain.demo.company import Company
from brain.demo.history import History
from brain.demo.play import Played
from brain.demo.shapes import Shapes
from brain.demo.voice import Voice

_WITH_COMMITS = ("control-room", "crewboard", "fenproto", "floodline", "gatekeeper", "gauge-stream")


def write(folder: Path, company: Company, played: list[Played], histories: Mapping[str, History]) -> Counter[str]:
    """Writes them under `folder` and gives the number of things in them."""
    shapes, counts = Shapes(Voice(company)), Counter[str]()
    raw_files.as_json(folder / "repos.json", shapes.repos())
    raw_files.as_json(folder / "users.json", shapes.users())
    for name, history in histories.items():
        mine = [p for p in played if p.item.repo == name]
        archive, releases = shapes.archive(name, mine), shapes.releases(mine)
        raw_files.as_json(folder / f"{name}.archive.json", archive)
        raw_files.as_json(folder / name / "releases.json", releases)
        counts += _counts(archive)
        counts += Counter(releases=len(releases), commits=len(history.commits))
        if name in _WITH_COMMITS:
            raw_files.as_json(folder / name / "commits.json", shapes.commits(name, history.reachable()))
    return counts


def _counts(archive: dict[str, Any]) -> Counter[str]:
    counts: Counter[str] = Counter(issues=len(archive["issues"]), pulls=len(archive["pulls"]))
    for thing in archive["issues"] + archive["pulls"]:
        reviews = thing.get("reviews", [])
        counts["comments"] += len(thing["comments"])
        counts["reviews"] += len(reviews)
        counts["review_comments"] += sum(len(review["comments"]) for review in reviews)
        if "files" in thing:
            counts[f"pulls_{thing['state'].lower()}"] += 1
    return counts
