"""What changed in the window before an alert, as one record a change, with what is in it and what became of it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from brain.agents.run import Run
from brain.incident.findings import Kind, Signal
from brain.types import Node

MOST, TEXTS = 40, 3
_MERGED = re.compile(r"Merge (?:pull request #(\d+)|branch|remote-tracking)")
_SQUASHED = re.compile(r"\s*\(#\d+\)$")
UNDONE = ("failure", "failed", "error", "cancelled", "canceled", "inactive", "rejected")
TRIALS = frozenset({"staging", "stage", "test", "testing", "dev", "development", "qa", "preview", "sandbox", "ci", "canary-test", "local"})


@dataclass(frozen=True)
class Part:
    """A pull request or commit in a change: `why` says how it is known to be in it, `own` whether it touches more than the code of
    other services.
    """

    key: str
    title: str
    labels: tuple[str, ...]
    files: tuple[str, ...]
    why: str
    text: str = ""
    own: bool = True


@dataclass(frozen=True)
class Change:
    """A change that could matter: what it is, where and when, what is in it; `step` is the look that found it."""

    key: str
    kind: Kind
    name: str
    at: int
    on: str
    hops: int
    author: str
    status: str
    step: int
    props: Mapping[str, Any] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    text: str = ""

    @property
    def failed(self) -> bool:
        """Did it end without taking effect?"""
        return self.status.lower() in UNDONE

    @property
    def environment(self) -> str:
        """Where it was deployed, as it says itself."""
        return str(self.props.get("env") or "").lower()

    @property
    def own(self) -> tuple[Part, ...]:
        """What is in it of the code of what it changed; all of a change that is no deployment."""
        return tuple(p for p in self.parts if p.own)

    def texts(self) -> list[str]:
        """Everything it says of itself."""
        said = [self.name if self.kind != "deploy" else "", str(self.props.get("description") or ""), self.text]
        for part in self.own:
            said += [part.title, part.text, *(f.rpartition("/")[2].partition(".")[0] for f in part.files[:20])]
        return [t for t in said if t]


def gather(run: Run, signal: Signal, since: int, until: int, hops: int, on: Sequence[str] = ()) -> tuple[list[Change], list[Change]]:
    """The changes before the alert and those after it, the newest first, on what alerted and on all it needs, or on `on` alone."""
    why = (
        "investigator: what changed before the alert, on it and on what it needs"
        if not on
        else "investigator: what changed on what broke last time"
    )
    target, reach = (signal.key or signal.service, hops) if not on else (on[0], 0)
    found = run.call("recent_changes", why, target=target, hops=reach, since=since, until=until, k=400)
    nodes = {n.key: n for n in found.nodes}
    changes = [_change(row, nodes, run.last) for row in found.rows]
    return [c for c in changes if c.at <= signal.at], [c for c in changes if c.at > signal.at]


def committed(run: Run, signal: Signal, hops: Mapping[str, int], since: int) -> list[Change]:
    """The commits before the alert to the code of these things (with how far away they are), for where no deployment is on record."""
    why = "investigator: commits to what has no deployments on record"
    found = run.look("commits_of", why, things=sorted(hops), since=since, until=signal.at + 1)
    nodes = {n.key: n for n in found.nodes}
    return [_change({**row, "hops": hops.get(str(row["on"]), 0)}, nodes, run.last) for row in found.rows]


def _change(row: Mapping[str, Any], nodes: Mapping[str, Node], step: int) -> Change:
    key = str(row["key"])
    node = nodes.get(key)
    props = node.props if node else {}
    kind = cast(Kind, "flag" if props.get("kind") == "flag" else row["what"])
    return Change(
        key, kind, str(row["name"] or key), int(row["at"] or 0), str(row["on"]), int(row["hops"] or 0), str(row["author"] or ""),
        str(row["status"] or ""), step, props,
    )  # fmt: skip


def opened(run: Run, changes: Sequence[Change], later: Sequence[Change]) -> tuple[list[Change], list[Change]]:
    """The same with what is in them: the pull requests and commits of deployments, the words of all. A pull request that a
    deployment among them contains is no change of its own any more.
    """
    nearest = list(changes[:MOST])
    deploys = [c.key for c in nearest if c.kind == "deploy"]
    alone = [c.key for c in nearest if c.kind in ("pr", "commit")]
    rows = (
        run.look("changes_in", "investigator: what is in these deployments", deploys=deploys, changes=alone).rows
        if deploys or alone
        else ()
    )
    parts: dict[str, list[Part]] = defaultdict(list)
    for row in rows:
        labels, files = (tuple(map(str, row[name] or ())) for name in ("labels", "files"))
        part = Part(str(row["key"]), str(row["title"] or ""), labels, files, str(row["why"]), own=bool(row["own"]))
        parts[str(row["deploy"])].append(part)
    parts = defaultdict(list, {key: _once(some) for key, some in parts.items()})
    inside = {p.key for key, some in parts.items() if key in deploys for p in some if p.own}
    nearest = [c for c in nearest if c.kind not in ("pr", "commit") or c.key not in inside]
    texts = _texts(run, [*nearest, *later], [p.key for some in parts.values() for p in some if p.key.startswith("pr:")])
    return [_told(c, parts, texts) for c in nearest], [_told(c, parts, texts) for c in later]


def _once(parts: Sequence[Part]) -> list[Part]:
    """Without the commits that a pull request among them was merged as."""
    titles = {p.title for p in parts if p.key.startswith("pr:")}
    numbers = {p.key.rpartition("#")[2] for p in parts if p.key.startswith("pr:")}
    made = []
    for part in parts:
        merged, squashed = _MERGED.match(part.title), _SQUASHED.search(part.title)
        again = squashed is not None and _SQUASHED.sub("", part.title) in titles
        if merged:
            again = not merged[1] or merged[1] in numbers
        if part.key.startswith("pr:") or not again:
            made.append(part)
    return made


def _texts(run: Run, changes: Iterable[Change], parts: Iterable[str]) -> Mapping[str, str]:
    keys = sorted({c.key for c in changes if c.kind != "deploy"} | {*parts})
    found: dict[str, list[str]] = defaultdict(list)
    if keys:
        for row in run.look("chunks_for", "investigator: what the changes say of themselves", keys=keys[:120], per=TEXTS).rows:
            found[str(row["src"])].append(str(row["text"]))
    return {key: "\n".join(some) for key, some in found.items()}


def _told(change: Change, parts: Mapping[str, Sequence[Part]], texts: Mapping[str, str]) -> Change:
    inside = tuple(replace(p, text=texts.get(p.key, "")) for p in parts.get(change.key, ()))
    return replace(change, parts=inside, text=texts.get(change.key, ""))
