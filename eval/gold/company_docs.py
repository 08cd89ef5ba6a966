"""Documents of a company for gold answers: front matter, tables, decisions with what replaced them, rules with their days."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml

_LINK = re.compile(r"\]\(([^)#]+)")
_PART = re.compile(r"\b(?:partly|partially|in part)\b", re.I)


@dataclass(frozen=True)
class Document:
    """One Markdown file: path from the company's folder, front matter, text, and tables as rows by column."""

    path: str
    facts: Mapping[str, Any]
    text: str
    tables: tuple[tuple[Mapping[str, str], ...], ...]

    @property
    def key(self) -> str:
        """Its key."""
        return f"doc:{self.path}"

    @property
    def kind(self) -> str:
        """What its front matter calls it."""
        return str(self.facts.get("kind", ""))

    @property
    def title(self) -> str:
        """The title it states, else its first heading."""
        head = re.search(r"^# (.+)$", self.text, re.M)
        return str(self.facts.get("title") or (head[1] if head else self.path))


@dataclass(frozen=True)
class Decision:
    """One decision record: number, title without it, the first word of its status, its day, and the records (numbers) it
    replaces wholly or in part.
    """

    number: int
    title: str
    status: str
    on: date
    path: str
    replaces: tuple[int, ...]
    replaces_part: tuple[int, ...]

    @property
    def key(self) -> str:
        """Its key."""
        return f"decision:{self.path.removesuffix('.md')}"


@dataclass(frozen=True)
class Rule:
    """One rule as stated: the days it holds (`until` None: further notice), where it stands, what it says it replaces."""

    name: str
    value: str
    subject: str
    conditions: str
    since: date
    until: date | None
    source: str
    replaces: str


def documents(folder: Path) -> Iterator[Document]:
    """Every Markdown file under docs/ and incidents/, by path."""
    for path in sorted([*(folder / "docs").rglob("*.md"), *(folder / "incidents").rglob("*.md")]):
        text = path.read_text(encoding="utf-8")
        head = re.match(r"---\n(.*?)\n---\n", text, re.S)
        facts = yaml.safe_load(head[1]) if head else {}
        yield Document(path.relative_to(folder).as_posix(), facts, text[head.end() :] if head else text, tuple(_tables(text)))


def _tables(text: str) -> Iterator[tuple[Mapping[str, str], ...]]:
    for block in re.findall(r"(?:^\|.*\|\n?)+", text, re.M):
        lines = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in block.strip().splitlines()]
        if len(lines) > 2:
            yield tuple(dict(zip(lines[0], line, strict=False)) for line in lines[2:])


def decisions(docs: Iterable[Document]) -> dict[int, Decision]:
    """The decision records by number, with what the records themselves say of each other, from either side."""
    records = {int(m[1]): d for d in docs if (m := re.search(r"/adr/(\d+)-", d.path))}
    whole: dict[int, set[int]] = {n: set() for n in records}
    part: dict[int, set[int]] = {n: set() for n in records}
    for n, doc in records.items():
        for line in re.split(r"\n\s*\n", doc.text):
            targets = [int(m[1]) for link in _LINK.findall(line) if (m := re.match(r"(?:.*/)?(\d{4})-", link))]
            kind = part if _PART.search(line) or (_PART.search(_status(doc)) and "no longer" in line) else whole
            if re.search(r"supersedes", line, re.I):
                kind[n] |= set(targets)
            elif re.search(r"superseded by", line, re.I) or (kind is part and "no longer" in line):
                for target in targets:
                    kind[target].add(n)
    return {n: _decision(n, d, tuple(sorted(whole[n] - part[n])), tuple(sorted(part[n]))) for n, d in records.items()}


def _status(doc: Document) -> str:
    found = re.search(r"^## Status\s+(.+)$", doc.text, re.M)
    return str(doc.facts.get("status") or (found[1] if found else ""))


def _decision(n: int, doc: Document, replaces: tuple[int, ...], part: tuple[int, ...]) -> Decision:
    said = re.search(r"^Date: (\S+)", doc.text, re.M)
    on = doc.facts["date"] if "date" in doc.facts else date.fromisoformat(said[1] if said else "1970-01-01")
    return Decision(n, re.sub(r"^\d+\. ", "", doc.title), re.split(r"[\s,]", _status(doc).lower())[0], on, doc.path, replaces, part)


_ANNOUNCED = re.compile(
    r"RULE CHANGE: ([^:]+): (.+?) from (\d{4}-\d\d-\d\d)(?:, until (\d{4}-\d\d-\d\d))?(?:, for ([\w-]+))?(?:, replaces (\S+))?$"
)


def rules(docs: Iterable[Document], messages: Iterable[tuple[str, str]]) -> list[Rule]:
    """Every rule that a table of a policy or notice, or an announcement (key, text) states. Restricted documents left out."""
    found = []
    for doc in docs:
        for row in (row for table in doc.tables for row in table if "Rule" in row and "Value" in row):
            if doc.facts.get("access") != "restricted":
                until = date.fromisoformat(row["Until"]) if row["Until"] else None
                found.append(
                    Rule(
                        row["Rule"],
                        row["Value"],
                        row["Applies to"],
                        row["Conditions"],
                        date.fromisoformat(row["From"]),
                        until,
                        doc.key,
                        row["Replaces"],
                    )
                )
    for key, text in messages:
        if m := _ANNOUNCED.match(text):
            until = date.fromisoformat(m[4]) if m[4] else None
            found.append(Rule(m[1], m[2], m[5] or "", "", date.fromisoformat(m[3]), until, key, m[6] or ""))
    return found


def in_force(every: Iterable[Rule], name: str, day: date) -> list[Rule]:
    """The rules of a name that hold on a day: begun, not ended, and not replaced by one that has begun."""
    held = [r for r in every if r.name == name and r.since <= day and (r.until is None or day <= r.until)]
    return [r for r in held if not any(o is not r and o.replaces and _names(o, r) and o.since >= r.since for o in held)]


def _names(new: Rule, old: Rule) -> bool:
    return new.replaces.lower() == old.name.lower() or new.replaces.rsplit("/", 1)[-1] == old.source.rsplit("/", 1)[-1]
