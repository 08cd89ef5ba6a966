"""Loading: fetch every path into record files, rebuild the graph, keep a report.

A path that cannot be read costs one line and nothing that was loaded before.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import orjson
from filelock import FileLock, Timeout

from brain.connectors.extracted import FORMAT as READ_BY_MODELS
from brain.connectors.github_collect import merge
from brain.decisions import Decisions
from brain.errors import BadInput, Cancelled, HopcheckError
from brain.rebuild import Progress, Rebuild, rebuild
from brain.records import Record, Records
from brain.schema import FORMAT
from brain.store import Store
from brain.text.vectors import VectorCache

Fetch = Callable[[], Iterator[Record]]


@dataclass
class Report:
    """What one source gave: records read by kind, rows stored by label and type, and what was left
    out with its reason, a count and the first place. Times in epoch seconds.
    """

    source: str
    format: str
    path: str
    at: int
    complete: bool
    read: dict[str, int] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    stored: dict[str, int] = field(default_factory=dict)
    skipped: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)

    def add(self, other: Report) -> Report:
        """The report with what another section of the same source gave."""
        self.path = self.path if other.path in self.path.split(", ") else f"{self.path}, {other.path}"
        self.complete = self.complete or other.complete
        self.read = dict(Counter(self.read) + Counter(other.read))
        self.totals = dict(Counter(self.totals) + Counter(other.totals))
        self.skipped += other.skipped
        return self


@dataclass
class Outcome:
    """What a load came to: a report a source, the graph's counts, one line for each path that failed."""

    reports: list[Report]
    failures: list[str]
    rebuild: Rebuild | None
    seconds: float


class Workspace:
    """The files of one workspace: records, reports, and the lock that lets one load in at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.records = Records(folder / "records")
        self.concepts = folder / "concepts.yaml"
        self.decisions = Decisions(folder / "decisions.jsonl")

    def lock(self, wait_s: float = 0) -> FileLock:
        """The load lock, taken; BadInput when another load of this workspace is under way, and still is after so many seconds."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.folder / "load.lock")
            lock.acquire(timeout=wait_s)
        except Timeout:
            raise BadInput(f"another load of {self.folder.name!r} is under way; wait for it or use another workspace") from None
        except OSError as err:
            raise BadInput(f"cannot write to {self.folder}: {err.strerror or err}") from err
        return lock

    def save(self, report: Report) -> None:
        """Keeps a report beside the records."""
        path = self._report(report.source)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(orjson.dumps(asdict(report), option=orjson.OPT_INDENT_2))

    def forget(self, source: str) -> None:
        """Drops the report of a source."""
        self._report(source).unlink(missing_ok=True)

    def addresses(self) -> dict[str, str]:
        """The people of the loaded company by the hashes of their e-mail addresses; empty when nothing tells any."""
        try:
            return {str(k): str(v) for k, v in orjson.loads((self.folder / "addresses.json").read_bytes()).items()}
        except (OSError, ValueError, AttributeError):
            return {}

    def keep_addresses(self, people: dict[str, str]) -> None:
        """Keeps those of what is loaded now."""
        fresh = self.folder / "addresses.new"
        fresh.write_bytes(orjson.dumps(people))
        fresh.replace(self.folder / "addresses.json")

    def _report(self, source: str) -> Path:
        return self.folder / "reports" / f"{self.records.path(source).name.removesuffix('.jsonl.gz')}.json"

    def reports(self) -> list[Report]:
        """The kept reports, by source."""
        found = [Report(**orjson.loads(p.read_bytes())) for p in sorted((self.folder / "reports").glob("*.json"))]
        return sorted(found, key=lambda r: r.source)


def sections(records: Iterable[Record]) -> Iterator[Iterator[Record]]:
    """A fetched stream cut where a new source starts."""
    stream = iter(records)
    head: Record | None = next(stream, None)

    def one(first: Record) -> Iterator[Record]:
        nonlocal head
        head = None
        yield first
        for record in stream:
            if record.get("kind") == "source":
                head = record
                return
            yield record

    while head is not None:
        current = one(head)
        yield current
        for _ in current:
            pass


def _counted(records: Iterable[Record], report: Report, cancelled: Callable[[], bool]) -> Iterator[Record]:
    """The records on their way to disk, noting in the report what they are."""
    read: Counter[str] = Counter()
    for i, record in enumerate(records):
        if i % 100 == 0 and cancelled():
            raise Cancelled("stopped; what was loaded before is unchanged")
        kind = str(record.get("kind"))
        if kind == "source":
            report.source, report.format = record["source"], record["format"]
            report.path, report.complete = str(record.get("path", "")), bool(record.get("complete"))
        elif kind == "skip":
            where = f"{record.get('file', '')}:{record.get('line', 0)}"
            report.skipped.append({"reason": record["reason"], "count": record.get("count", 1), "where": where})
        elif kind == "totals":
            report.totals = {k: v for k, v in record.items() if isinstance(v, int) and k not in ("line", "gone")}
        else:
            read[kind] += 1
        yield record
    report.read = dict(read)


def load(
    store: Store,
    workspace: Workspace,
    name: str,
    fetches: dict[str, Fetch],
    cache: VectorCache | None,
    *,
    progress: Progress = lambda stage, done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = time.time,
    before_switch: Callable[[str], None] = lambda graph: None,
) -> Outcome:
    """Fetches every path (`fetches` maps what to call it to how to read it) and rebuilds workspace
    `name`. Paths that fail are named in `failures`; when all fail nothing is rebuilt. `before_switch` is handed the new graph.
    """
    began, now = time.perf_counter(), int(clock())
    with workspace.lock():
        fresh, failures = _fetched(workspace, fetches, now, progress, cancelled)
        if not fresh and failures:
            return Outcome([], failures, None, time.perf_counter() - began)
        outcome = rebuild(
            store, name, workspace.records, cache, concepts_file=workspace.concepts, decided=workspace.decisions.states(),
            progress=progress, cancelled=cancelled, before_switch=before_switch,
        )  # fmt: skip
        meta = {"loaded_at": str(now), "embedder": cache.model_id if cache is not None else "", "stands_at": _stands_at(workspace.records)}
        store.set_meta(name, {**meta, "format": FORMAT})
        workspace.keep_addresses(outcome.addresses)
        _keep(workspace, fresh.values(), outcome)
    return Outcome([*fresh.values()], failures, outcome, time.perf_counter() - began)


def _fetched(
    workspace: Workspace, fetches: Mapping[str, Fetch], now: int, progress: Progress, cancelled: Callable[[], bool]
) -> tuple[dict[str, Report], list[str]]:
    """Reads every path into record files: a report a source, and one line for each path that failed."""
    fresh: dict[str, Report] = {}
    failures: list[str] = []
    for i, (label, fetch) in enumerate(fetches.items()):
        progress(f"reading {label}", i, len(fetches))
        try:
            for records in sections(fetch()):
                report = Report("", "", "", now, False)
                workspace.records.replace(_counted(records, report, cancelled), now, merge)
                known = fresh.get(report.source)
                fresh[report.source] = known.add(report) if known else report
        except Cancelled:
            raise
        except HopcheckError as err:
            failures.append(str(err))
    return fresh, failures


def _stands_at(records: Records) -> str:
    """The instant at which everything loaded stands still, when all sources say the same one; else empty."""
    heads = [records.head(records.path(s)) for s in records.sources()]
    said = {(head.get("load") or {}).get("stands_at") for head in heads if head["format"] != READ_BY_MODELS}
    return str(said.pop()) if len(said) == 1 and None not in said else ""


def _keep(workspace: Workspace, fresh: Iterable[Report], outcome: Rebuild) -> None:
    """Writes what the rebuild stored and refused into the reports, old ones included; a report of what
    is no longer there goes.
    """
    known = workspace.reports()
    by_source = {r.source: r for r in [*known, *fresh]}
    for report in known:
        if report.source not in outcome.reports:
            workspace.forget(report.source)
    for source, part in outcome.reports.items():
        report = by_source.setdefault(source, Report(source, "", "", 0, True))
        report.stored = dict(part.stored)
        report.refused = [{"reason": why, "count": n, "where": where} for why, (n, where) in part.skipped.items()]
        workspace.save(report)
