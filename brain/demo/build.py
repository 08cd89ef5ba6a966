"""Writes the raw files of the demo organisation from its scripts: `python -m brain.demo.build [--check]`.

Same scripts, same bytes, on any machine. With --check nothing is written; differences are named.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

from brain.demo.play import Repository, schedule
from brain.demo.shapes import Shapes
from brain.demo.story import Item, StoryError, read

HERE = Path(__file__).parent
RAW, SCRIPTS = HERE / "raw", HERE / "script"
USAGE = "usage: python -m brain.demo.build [--check]"


def write(folder: Path, scripts: Path = SCRIPTS) -> Counter[str]:
    """Writes every raw file under `folder` and gives the number of things in them. Raises StoryError."""
    org = json.loads((scripts / "org.json").read_text(encoding="utf-8"))
    items = [_unwrapped(item) for path in sorted(scripts.glob("*.story")) for item in read(path)]
    _check_words(items, org)
    played = schedule(items, datetime.fromisoformat(org["as_of"]))
    shapes = Shapes(org)
    counts: Counter[str] = Counter(repositories=len(org["repos"]), people=len(org["people"]))
    _save(folder / "repos.json", shapes.repos())
    _save(folder / "users.json", shapes.users())
    for name in sorted({item.repo for item in items}):
        mine = [p for p in played if p.item.repo == name]
        repository = Repository(name, org["repos"][name])
        repository.play(mine)
        archive, releases = shapes.archive(name, mine), shapes.releases(mine)
        commits = shapes.commits(name, repository.commits)
        _save(folder / f"{name}.archive.json", archive)
        _save(folder / name / "releases.json", releases)
        _save(folder / name / "commits.json", commits)
        counts.update(_counts(archive), releases=len(releases), commits=len(commits))
    return counts


def differences(shipped: Path = RAW) -> list[str]:
    """The raw files that are missing, too many, or not byte for byte what the scripts give."""
    with tempfile.TemporaryDirectory() as temp:
        fresh = Path(temp)
        write(fresh)
        new = {p.relative_to(fresh).as_posix(): p.read_bytes() for p in fresh.rglob("*.json")}
    old = {p.relative_to(shipped).as_posix(): p.read_bytes() for p in shipped.rglob("*.json")}
    return sorted(name for name in new.keys() | old.keys() if new.get(name) != old.get(name))


def _save(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


def _unwrapped(item: Item) -> Item:
    """The item with each paragraph of its body on one line, as people type on GitHub."""
    body = re.sub(r"(?<=\S)\n(?=[^\s\-!])", " ", item.body)
    return Item(**{**item.__dict__, "body": body})


def _check_words(items: list[Item], org: dict[str, Any]) -> None:
    """Every name, label and milestone exists, and no two bodies are the same."""
    bodies: dict[str, str] = {}
    for item in items:
        names = [item.who, item.closer, *item.names("co"), *item.names("assign"), *(said.who for said in item.talk)]
        for what, given, legal in (
            ("person", names, {*org["people"], "ghost", ""}),
            ("label", item.names("labels"), org["labels"]),
            ("milestone", item.names("milestone", "|"), org["milestones"]),
        ):
            for name in given:
                if name not in legal:
                    raise StoryError(f"{item.where}: no {what} {name!r} in script/org.json")
        if item.body and bodies.setdefault(item.body, item.where) != item.where:
            raise StoryError(f"{item.where}: same body as {bodies[item.body]}")


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


def main(arguments: list[str]) -> int:
    """Runs the command; gives its exit code."""
    if arguments not in ([], ["--check"]):
        print(USAGE, file=sys.stderr)
        return 2
    try:
        if arguments:
            wrong = differences()
            print("\n".join(f"differs: {name}" for name in wrong) or "the raw files are what the scripts give")
            return 1 if wrong else 0
        counts = write(RAW)
    except StoryError as error:
        print(error, file=sys.stderr)
        return 1
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
