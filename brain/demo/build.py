"""Writes the raw files of the demo organisation from its scripts: `python -m brain.demo.build [--check]`.

Same scripts, same bytes, on any machine. With --check nothing is written; differences are named.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

import yaml

from brain.demo import alerts, catalogue, deploys, github_files, raw_files, texts
from brain.demo import company as company_file
from brain.demo.company import Company
from brain.demo.growth import grown
from brain.demo.history import histories
from brain.demo.play import schedule
from brain.demo.story import Item, StoryError, read
from brain.demo.stream import stream

HERE = Path(__file__).parent
RAW, SCRIPTS = HERE / "raw", HERE / "script"
USAGE = "usage: python -m brain.demo.build [--check]"


def write(folder: Path, scripts: Path = SCRIPTS) -> Counter[str]:
    """Writes every raw file under `folder` and gives the number of things in them. Raises StoryError."""
    company = company_file.load(scripts)
    operations = yaml.safe_load((scripts / "operations.yaml").read_text(encoding="utf-8"))
    written = [item for path in sorted(scripts.glob("*.story")) for item in read(path)]
    items = [_unwrapped(item) for item in grown(scripts, company, written)]
    _check_words(items, company)
    played = schedule(items, company.as_of)
    owners = {path.name: path.read_text(encoding="utf-8") for path in sorted((scripts / "codeowners").iterdir())}
    told = histories(company, played, owners)
    counts: Counter[str] = Counter(repositories=len(company.repos), people=len(company.people))
    counts += github_files.write(folder, company, played, told)
    for name, text in owners.items():
        raw_files.text(folder / "codeowners" / name / ".github" / "CODEOWNERS", text)
    for repo, history in told.items():
        (folder / f"{repo}.fast-export").write_bytes(stream(history))
    counts += catalogue.write(folder, company)
    counts += deploys.write(folder, company, operations, told)
    counts += alerts.write(folder, company, operations)
    counts += texts.write(folder, company)
    return counts


def differences(shipped: Path = RAW) -> list[str]:
    """The raw files that are missing, too many, or not byte for byte what the scripts give."""
    with tempfile.TemporaryDirectory() as temp:
        fresh = Path(temp)
        write(fresh)
        new, old = ({p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()} for root in (fresh, shipped))
    return sorted(name for name in new.keys() | old.keys() if new.get(name) != old.get(name))


def _files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def _unwrapped(item: Item) -> Item:
    """The item with each paragraph of its body on one line, as people type on GitHub."""
    body = re.sub(r"(?<=\S)\n(?=[^\s\-!])", " ", item.body)
    return Item(**{**item.__dict__, "body": body})


def _check_words(items: list[Item], company: Company) -> None:
    """Every name, label and milestone exists, and no two bodies are the same."""
    bodies: dict[str, str] = {}
    for item in items:
        names = [item.who, item.closer, *item.names("co"), *item.names("assign"), *(said.who for said in item.talk)]
        for what, given, legal in (
            ("person", names, {*company.people, "ghost", ""}),
            ("label", item.names("labels"), company.labels),
            ("milestone", item.names("milestone", "|"), company.milestones),
        ):
            for name in given:
                if name not in legal:
                    raise StoryError(f"{item.where}: no {what} {name!r} in script/company.yaml")
        if item.body and bodies.setdefault(item.body, item.where) != item.where:
            raise StoryError(f"{item.where}: same body as {bodies[item.body]}")


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
