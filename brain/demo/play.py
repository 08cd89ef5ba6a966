"""Plays the scripts: gives every line its time. Pure and seeded; what git makes of it is in `history`.

Each item draws from its own generator, named after its key, so editing one item moves no other.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from brain.demo.story import Item, Said, StoryError

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


def branch_name(item: Item) -> str:
    """A branch as people name them: the first words of the title."""
    words = re.findall(r"[a-z0-9]+", item.title.lower())
    return "-".join(words[:4])
