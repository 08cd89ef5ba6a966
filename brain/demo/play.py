"""Plays the scripts: gives every line its time, every change its commits and files. Pure and seeded.

Each item draws from its own generator, named after its key, so editing one item moves no other.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from brain.demo.story import Item, Said, StoryError, paths

SEED = "merefold-1"
CLOSES = re.compile(r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? +(?:(\w+)/([\w-]+))?#(\d+)", re.IGNORECASE)
REFERS = re.compile(r"(?:(\w+)/([\w-]+))?#(\d+)\b")
_REVIEWS = ("APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "inline")


@dataclass(frozen=True)
class Change:
    """One file of a commit: status as git says it, path, earlier path, lines added and deleted."""

    status: str
    path: str
    old: str
    added: int
    deleted: int


@dataclass(frozen=True)
class Commit:
    """A commit as it will be written; `author` and `committer` are short names of people."""

    sha: str
    parents: tuple[str, ...]
    author: str
    committer: str
    at: datetime
    message: str
    files: tuple[Change, ...]


@dataclass
class Played:
    """An item with its instants: `talk` pairs a time with each line; commits and files are a pull request's."""

    item: Item
    at: datetime
    end: datetime | None = None
    talk: list[tuple[datetime, Said]] = field(default_factory=list)
    files: tuple[Change, ...] = ()
    commits: list[str] = field(default_factory=list)
    head: str = ""
    base: str = ""
    merge: str = ""
    target: str = ""


def draw(key: str, what: str = "") -> random.Random:
    """The generator of one item (and one aspect of it)."""
    return random.Random(f"{SEED}/{key}/{what}")


def sha(*parts: object) -> str:
    """A commit id that depends on nothing but the words."""
    return hashlib.sha1("\0".join(map(str, (SEED, *parts))).encode()).hexdigest()


def refers(item: Item, text: str, pattern: re.Pattern[str] = REFERS) -> Iterator[str]:
    """The keys (`repo#12`) that a text of this item names."""
    for match in pattern.finditer(text):
        yield f"{match[2] or item.repo}#{match[3]}"


def _moment(day: date, key: str, what: str, first: float, last: float) -> datetime:
    hour = first + draw(key, what).random() * (last - first)
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(seconds=int(hour * 3600))


def schedule(items: Iterable[Item], as_of: datetime) -> list[Played]:
    """Every item with its times. Raises StoryError for a number, a day or a reference out of order."""
    played = [Played(item, _created(item)) for item in items]
    _keep_numbers_in_order(played)
    known = {p.item.key: p for p in played if p.item.number}
    for p in played:
        if p.item.kind == "pr" and p.item.end:
            p.end = max(_moment(p.item.end, p.item.key, "end", 12.5, 16.5), p.at + timedelta(minutes=25))
    for p in played:
        if p.item.kind == "issue":
            p.end = _closed(p, played)
    for p in played:
        _check_references(p, known)
        p.talk = _talk(p, known, as_of)
    return played


def _created(item: Item) -> datetime:
    if item.kind == "release":
        return _moment(item.on, item.key, "at", 17, 17.7)
    if item.kind in ("push", "tree"):
        return _moment(item.on, item.key, "at", *((16.6, 16.95) if item.kind == "push" else (6, 6.5)))
    return _moment(item.on, item.key, "at", 7, 11.5)


def _keep_numbers_in_order(played: list[Played]) -> None:
    last: dict[str, Played] = {}
    for p in played:
        before = last.get(p.item.repo)
        if not p.item.number:
            continue
        if before and (p.item.number != before.item.number + 1 or p.item.on < before.item.on):
            raise StoryError(f"{p.item.where}: #{p.item.number} follows #{before.item.number}; numbers and days must go up")
        if before and p.at <= before.at:
            p.at = before.at + timedelta(minutes=4)
        last[p.item.repo] = p


def _closed(issue: Played, played: list[Played]) -> datetime | None:
    item = issue.item
    closing = [
        p.end
        for p in played
        if p.item.kind == "pr" and p.item.state == "merged" and p.end and item.key in refers(p.item, p.item.body, CLOSES)
    ]
    if item.state == "fixed":
        if not closing:
            raise StoryError(f"{item.where}: says fixed, but no merged pull request closes {item.key}")
        return max(closing) + timedelta(seconds=2)
    return _moment(item.end, item.key, "end", 12, 16) if item.end else None


def _check_references(p: Played, known: Mapping[str, Played]) -> None:
    for key in refers(p.item, f"{p.item.title} {p.item.body}"):
        if key not in known:
            raise StoryError(f"{p.item.where}: names {key}, which does not exist")
        if known[key].at > p.at:
            raise StoryError(f"{p.item.where}: names {key}, which is opened only later")


def _talk(p: Played, known: Mapping[str, Played], as_of: datetime) -> list[tuple[datetime, Said]]:
    """The conversation between opening and end, each line after the last and after what it names."""
    end = p.end or min(p.at + timedelta(days=12), as_of - timedelta(hours=1))
    lines, at = [], p.at
    undated = [said for said in p.item.talk if not said.on]
    step = (end - p.at) / (len(undated) + 1)
    for i, said in enumerate(p.item.talk):
        if said.on:
            at = max(_moment(said.on, p.item.key, f"said{i}", 8, 11.5), at + timedelta(minutes=9))
        else:
            at = max(at + step * (0.6 + 0.39 * draw(p.item.key, f"said{i}").random()), at + timedelta(seconds=40))
        for key in refers(p.item, said.text):
            if key not in known:
                raise StoryError(f"{p.item.where}: {said.who} names {key}, which does not exist")
            at = max(at, known[key].at + timedelta(minutes=17))
        if at > as_of or (p.end and p.item.kind == "pr" and said.verb in _REVIEWS and at > p.end):
            raise StoryError(f"{p.item.where}: the line of {said.who} comes too late ({at:%Y-%m-%d})")
        at = at.replace(microsecond=0)
        lines.append((at, said))
    return lines


class Repository:
    """One repository while it is played: its branches, its files and the commits so far."""

    def __init__(self, name: str, facts: Mapping[str, Any]) -> None:
        self.name, self.facts = name, facts
        self.heads: dict[str, str] = {}
        self.tags: dict[str, str] = {}
        self.tree: set[str] = set()
        self.commits: list[Commit] = []
        self.main_line: list[Commit] = []

    def play(self, played: Iterable[Played]) -> None:
        """Makes the commits of pushes, merges and releases, and the files of every pull request."""
        events: list[tuple[datetime, int, Played]] = []
        for n, p in enumerate(played):
            merged = p.item.kind == "pr" and p.item.state == "merged"
            events.append((p.end if merged and p.end else p.at, n, p))
        by_number = {p.item.number: p for _, _, p in events if p.item.kind == "pr"}
        for at, _, p in sorted(events, key=lambda event: event[:2]):
            kind = p.item.kind
            if kind == "pr":
                p.base = self._head(p.item)
                p.files = self._changes(p.item, keep=p.item.state == "merged" and not p.item.meta.get("base"))
                self._merge(p, at, by_number) if p.item.state == "merged" else self._branch(p)
            elif kind in ("push", "tree"):
                self._commit(p.item, at, p.item.title, self._changes(p.item, keep=True))
            elif kind == "release":
                spec = " ".join(dict.fromkeys(("CHANGELOG.md", self.facts["version_file"])))
                files = self._changes(replace(p.item, meta={**p.item.meta, "files": spec}), keep=False)
                p.target = self._commit(p.item, at, f"Release {p.item.tag}", files).sha
                self.tags[p.item.tag] = p.target

    def _head(self, item: Item) -> str:
        """The commit a change starts from; a branch named for the first time leaves main at `from`."""
        branch = item.meta.get("base") or item.meta.get("branch") or "main"
        if branch not in self.heads:
            start = item.meta.get("from", "")
            if not start:
                return ""
            day = "" if start in self.tags else start
            cut = [c for c in self.main_line if day and f"{c.at:%Y-%m-%d}" <= day]
            self.heads[branch] = self.tags[start] if start in self.tags else cut[-1].sha
        return self.heads[branch]

    def _commit(
        self, item: Item, at: datetime, message: str, files: tuple[Change, ...], author: str = "", second: str = "", by: str = "web"
    ) -> Commit:
        branch = item.meta.get("base") or item.meta.get("branch") or "main"
        head = self._head(item)
        parents = tuple(parent for parent in (head, second) if parent)
        made = Commit(sha(self.name, message, at), parents, author or item.who, by, at, message, files)
        self.commits.append(made)
        self.heads[branch] = made.sha
        if branch == "main":
            self.main_line.append(made)
        return made

    def _merge(self, p: Played, at: datetime, by_number: Mapping[int, Played]) -> None:
        item = p.item
        reverted = by_number.get(int(item.meta.get("reverts", 0)))
        undo = f"This reverts commit {reverted.merge}." if reverted else ""
        if self.facts["merge"] == "squash":
            p.head = sha(self.name, item.number, "head")
            trailers = "\n".join(f"Co-authored-by: {{{who}}}" for who in item.names("co"))
            message = "\n\n".join(part for part in (f"{item.title} (#{item.number})", item.body, undo, trailers) if part)
            p.merge = self._commit(item, at, message, p.files).sha
            p.commits = [p.head]
            return
        subjects = item.names("commits", " | ") or [item.title]
        begun = (p.at - timedelta(minutes=20)).replace(microsecond=0)
        parent = next((c.sha for c in reversed(self.main_line) if c.at <= begun), "")
        parent, step = self._head(item) if item.meta.get("base") else parent, (at - p.at) / (len(subjects) + 1)
        for n, subject in enumerate(subjects):
            share = tuple(c for i, c in enumerate(p.files) if i % len(subjects) == n) or p.files[:1]
            when = (begun + step * n).replace(microsecond=0)
            message = f"{subject}\n\n{undo}" if undo else subject
            made = Commit(sha(self.name, item.number, subject), (parent,) if parent else (), item.who, item.who, when, message, share)
            self.commits.append(made)
            p.commits.append(made.sha)
            parent = made.sha
        p.head = parent
        message = f"Merge pull request #{item.number} from {{{item.who}/}}{branch_name(item)}\n\n{item.title}"
        p.merge = self._commit(item, at, message, p.files, author=item.closer, second=p.head).sha

    def _branch(self, p: Played) -> None:
        p.head = sha(self.name, p.item.number, "head")
        p.commits = [p.head]

    def _changes(self, item: Item, keep: bool) -> tuple[Change, ...]:
        """The files of an item against the files there are; with `keep` they are there afterwards."""
        found, after = [], set(self.tree)
        for mark, path, old in paths(item.meta.get("files", "")):
            status = mark or ("M" if path in after else "A")
            fits = (path not in after) if status in "AR" else path in after
            if "base" not in item.meta and not (fits and (not old or old in after)):
                raise StoryError(f"{item.where}: {status} {old or path} does not fit the files of {self.name}")
            dice = draw(item.key, path)
            grown = int(4 + 70 * dice.random() ** 2)
            less = int(grown * 0.8 * dice.random())
            counts = {"A": (grown * 3 + 12, 0), "D": (0, grown * 3 + 12), "R": (less // 8, less // 8), "M": (grown, less)}[status]
            found.append(Change(status, path, old, *counts))
            after = (after - {old}) | {path} if status != "D" else after - {path}
        if keep:
            self.tree = after
        return tuple(found)


def branch_name(item: Item) -> str:
    """A branch as people name them: the first words of the title."""
    words = re.findall(r"[a-z0-9]+", item.title.lower())
    return "-".join(words[:4])
