"""When the data that decide who reads what were loaded, from which sources, and what they cover: access is only as good as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from brain import permissions, schema
from brain.audit.grants import kind
from brain.audit.meter import NO_LABEL, ORDER
from brain.brain import Brain
from brain.ingest import Report
from brain.instants import DAY, day
from brain.tools.asking import Asking
from brain.types import Viewer

OLD_DAYS = 7
SHOWN = 200
# What a source gives that decides about access: who is in what, what is open to whom, whose account is whose.
GIVES = {
    "MEMBER_OF": "memberships of teams", "HOLDS_ROLE": "roles", "HAS_ROLE": "roles", "IN_CHANNEL": "memberships of channels",
    "VISIBLE_TO": "restrictions", "SAME_AS": "accounts",
}  # fmt: skip


@dataclass(frozen=True)
class Feed:
    """A source of access data: when it was loaded (epoch seconds), how many days ago, and what it gave."""

    source: str
    format: str
    at: int
    days: int
    gives: dict[str, int]


@dataclass(frozen=True)
class Audience:
    """A group that restricted things are open to: how many they are, how many people are in it now, whether any source knows it."""

    group: str
    name: str
    things: int
    people: int
    known: bool


@dataclass(frozen=True)
class Thing:
    """Something that nobody can read."""

    key: str
    name: str
    kind: str
    source: str


@dataclass(frozen=True)
class Freshness:
    """How fresh and how complete the access data are. All but the first three are empty for who is no administrator.

    `labels` counts sources, `structure` everything else, by access label; `people` has people, members, without_login,
    without_group, ended.
    """

    loaded_at: int
    oldest: int
    newest: int
    feeds: tuple[Feed, ...] = ()
    labels: dict[str, int] | None = None
    structure: dict[str, int] | None = None
    audiences: tuple[Audience, ...] = ()
    unlabelled: tuple[Thing, ...] = ()
    n_unlabelled: int = 0
    open_to_nobody: int = 0
    people: dict[str, int] | None = None
    warnings: tuple[str, ...] = ()


def freshness(brain: Brain, who: Viewer, old_days: int = OLD_DAYS) -> Freshness:
    """How the access data of a workspace stand, as far as `who` may know; a source older than `old_days` days is warned of."""
    meta = brain.store.meta(brain.workspace)
    feeds = _feeds(brain.files.reports(), brain.now())
    times = [f.at for f in feeds if f.at]
    told = Freshness(int(meta.get("loaded_at") or 0), min(times, default=0), max(times, default=0))
    if not who.admin or not brain.loaded():
        return told
    told = _covered(brain.looking(permissions.local_admin()), replace(told, feeds=feeds))
    return replace(told, warnings=tuple(_warnings(told, old_days)))


def line(told: Freshness) -> str:
    """The state of the access data in one line."""
    when = f"loaded {day(told.oldest)}" if told.oldest else "no source says who is in which group"
    if told.newest and day(told.newest) != day(told.oldest):
        when = f"loaded between {day(told.oldest)} and {day(told.newest)}"
    what = f"; sources: {', '.join(f'{n} {label}' for label, n in told.labels.items())}" if told.labels else ""
    return when + what + "".join(f"; {w}" for w in told.warnings)


def _feeds(reports: Sequence[Report], now: int) -> tuple[Feed, ...]:
    found = []
    for r in reports:
        gives = Counter[str]()
        for rel, words in GIVES.items():
            gives[words] += r.stored.get(rel, 0)
        gives = +gives
        if gives:
            found.append(Feed(r.source, r.format, r.at, max(0, now - r.at) // DAY if r.at else 0, dict(gives)))
    return tuple(sorted(found, key=lambda f: (f.at, f.source)))


def _covered(everything: Asking, told: Freshness) -> Freshness:
    sources, structure = Counter[str](), Counter[str]()
    for row in everything.run("labels").rows:
        label, access = str(row["label"]), str(row["access"] or NO_LABEL)
        if label != "Chunk":
            (sources if schema.NODES[label].kind == "source" else structure)[access] += int(row["n"])
    bare = everything.run("unlabelled", k=SHOWN).rows
    return replace(
        told,
        labels=_by_label(sources),
        structure=_by_label(structure),
        audiences=_audiences(everything),
        unlabelled=tuple(Thing(r["key"], r["name"] or "", kind(r["label"]), r["source"] or "") for r in bare),
        n_unlabelled=sources[NO_LABEL] + structure[NO_LABEL],
        open_to_nobody=int(everything.run("open_to_nobody").rows[0]["n"]),
        people={str(k): int(v or 0) for k, v in everything.run("people_counted").rows[0].items()},
    )


def _by_label(counts: Mapping[str, int]) -> dict[str, int]:
    return {label: counts.get(label, 0) for label in ORDER}


def _audiences(everything: Asking) -> tuple[Audience, ...]:
    rows: Sequence[Mapping[str, Any]] = everything.run("audiences").rows
    inside: dict[str, set[str]] = {str(row["grp"]): set() for row in rows}
    for row in everything.run("members", groups=list(inside)).rows:
        if row["holds"] and (row["departed_at"] is None or row["departed_at"] > everything.as_of):
            inside[str(row["grp"])].add(str(row["person"]))
    found = [Audience(g, str(r["name"] or g), int(r["n"]), len(inside[g]), bool(r["known"])) for r in rows for g in [str(r["grp"])]]
    return tuple(sorted(found, key=lambda a: (a.people > 0, -a.things, a.group)))


def _warnings(told: Freshness, old_days: int) -> list[str]:
    found = [f"{f.source} was loaded {f.days} days ago" for f in told.feeds if f.at and f.days > old_days]
    if not told.feeds and (told.labels or {}).get("restricted"):
        found.append("nothing that is loaded says who is in which group, so nobody reads what is restricted")
    if told.n_unlabelled:
        found.append(f"{_things(told.n_unlabelled)} without access label, which nobody can read")
    if told.open_to_nobody:
        found.append(f"{_things(told.open_to_nobody)} restricted and open to no group")
    for a in told.audiences:
        if not a.known:
            found.append(f"{a.group} is named by {_things(a.things)} and known to no source")
        elif not a.people:
            found.append(f"{a.group} opens {_things(a.things)} and nobody is in it")
    return found


def _things(n: int) -> str:
    return f"{n:,} {'thing' if n == 1 else 'things'}"
