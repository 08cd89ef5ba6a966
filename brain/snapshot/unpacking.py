"""What is in a snapshot, on its way into a folder of this machine and into graphs nobody reads yet. Every record, report, decision and
row is looked at; where something was read from on the other machine is not kept, since it means another place here.
"""

from __future__ import annotations

import gzip
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson

from brain.approvals import approval
from brain.connectors import FORMATS
from brain.errors import BadInput
from brain.ingest import Report, Workspace
from brain.memory.graph import name_of
from brain.rebuild import Progress
from brain.records import Record
from brain.runs import loads as run_of
from brain.schema import ACCESS_LABELS
from brain.snapshot import kept
from brain.snapshot.kept import Row, Writing
from brain.snapshot.manifest import INSTANT
from brain.snapshot.parts import PARTS
from brain.snapshot.reading import Snapshot
from brain.store import Store, graph_name
from brain.text.vectors import VectorCache

PORTABLE = ("demo", "github-live")
AT_ONCE = 500


def files(snapshot: Snapshot, into: Workspace, progress: Progress) -> None:
    """Writes records, reports, decisions and concepts into a fresh folder; BadInput for what no load could have written."""
    names = snapshot.names("records")
    into.records.folder.mkdir(parents=True)
    for n, name in enumerate(names):
        progress("unpacking records", n, len(names))
        _source(snapshot, name, into)
    for name in snapshot.names("reports"):
        into.save(_report(snapshot, name))
    if snapshot.has("decisions.jsonl"):
        (into.folder / "decisions.jsonl").write_bytes(snapshot.whole("decisions.jsonl"))
        try:
            into.decisions.states()
        except (ValueError, TypeError, KeyError):
            raise BadInput(f"{snapshot.path}: its decisions are damaged") from None
    if snapshot.has("concepts.yaml"):
        into.concepts.write_bytes(snapshot.whole("concepts.yaml"))


def _source(snapshot: Snapshot, name: str, into: Workspace) -> None:
    lines = snapshot.lines(name)
    head = next(lines, {})
    source, label = str(head.get("source")), head.get("access")
    format = source.partition(":")[0]
    if head.get("kind") != "source" or format not in FORMATS or label not in (None, "", *ACCESS_LABELS):
        raise BadInput(f"{snapshot.path}: {name} is of no format that is read: {source[:100]!r}")
    target = into.records.path(source)
    if target.exists():
        raise BadInput(f"{snapshot.path}: {source[:100]!r} is in it twice")
    with gzip.open(target, "wb", compresslevel=1) as out:
        out.write(orjson.dumps(_placed(head)) + b"\n")
        for record in lines:
            if not isinstance(record.get("kind"), str):
                raise BadInput(f"{snapshot.path}: {name} holds something that is no record")
            out.write(orjson.dumps(record) + b"\n")


def _placed(head: Record) -> Record:
    """The head of a source without the paths it was loaded from, which `sync` would look for on this machine."""
    told = {**head, **({"load": _how(head["load"])} if isinstance(head.get("load"), dict) else {})}
    if isinstance(head.get("loads"), dict):
        told["loads"] = {str(root): _how(how) for root, how in head["loads"].items() if isinstance(how, dict)}
    return told


def _how(how: Mapping[str, Any]) -> dict[str, Any]:
    if (stands := how.get("stands_at")) is not None and not INSTANT.fullmatch(str(stands)):
        raise ValueError("its time stands still at no time")
    return dict(how) if how.get("format") in PORTABLE else {k: v for k, v in how.items() if k == "stands_at"}


def _report(snapshot: Snapshot, name: str) -> Report:
    try:
        made = Report(**orjson.loads(snapshot.whole(name)))
        if not isinstance(made.source, str) or not isinstance(made.at, int):
            raise ValueError
    except (ValueError, TypeError):
        raise BadInput(f"{snapshot.path}: {name} is no import report") from None
    return made


def vectors(snapshot: Snapshot, cache: VectorCache, progress: Progress) -> int:
    """Takes in the vectors that this machine lacks, where they are of its model; how many are in the file."""
    lines = snapshot.lines("vectors.jsonl")
    head, size = next(lines, {}), cache.dim * 2
    if (head.get("model"), head.get("dim")) != (cache.model_id, cache.dim):
        return 0
    batch: dict[str, bytes] = {}
    n = 0
    for n, row in enumerate(lines, 1):
        try:
            name, packed = str(row["hash"]), b64decode(row["v"], validate=True)
            numbers = np.frombuffer(packed, dtype="<f2").astype(np.float32)
        except (KeyError, TypeError, ValueError):
            raise BadInput(f"{snapshot.path}: its vectors are damaged") from None
        if len(packed) != size or len(name) > 200 or not np.isfinite(numbers).all() or not numbers.any():
            raise BadInput(f"{snapshot.path}: its vectors are damaged")
        batch[name] = packed
        if len(batch) >= AT_ONCE:
            progress("taking in vectors", n, 0)
            _take(cache, batch)
    _take(cache, batch)
    return n


def _take(cache: VectorCache, batch: dict[str, bytes]) -> None:
    new = cache.missing(batch)
    if new:
        cache.put_many(new, np.frombuffer(b"".join(batch[h] for h in new), dtype="<f2").reshape(len(new), cache.dim))
    batch.clear()


@dataclass(frozen=True)
class Beside:
    """The graphs that were made of what is kept beside the company: a fresh one and the one whose place it takes."""

    graphs: tuple[tuple[str, str], ...]
    counts: Mapping[str, int]


def beside(snapshot: Snapshot, store: Store, workspace: str, fresh: str, parts: tuple[str, ...], own: bool) -> Beside:
    """Writes what the snapshot carries of these parts, and what is kept here of others, under the name of a workspace `fresh`.

    `own`: this installation wrote the file. The queries of steps in another's runs are left out, since whoever looks at a run can run
    them again.
    """
    made: list[tuple[str, str]] = []
    counts: dict[str, int] = {}
    carried = [name for name in parts if name != "memory"]
    if carried:
        writing, live = Writing(store, graph_name(fresh, "runs")), graph_name(workspace, "runs")
        labels = frozenset().union(*(PARTS[name].labels for name in carried))
        writing.add(kept.rows(store, live, lambda label: label not in labels))
        for name in carried:
            told = kept.checked(snapshot.lines(f"{name}.jsonl"), PARTS[name].labels, PARTS[name].rels, str(snapshot.path))
            counts[name] = writing.add(_safe(told, own, snapshot))
        writing.finish(fresh)
        made.append((graph_name(fresh, "runs"), live))
    if "memory" in parts:
        made += _memory(snapshot, store, workspace, fresh)
        counts["memory"] = len(snapshot.names("memory"))
    return Beside(tuple((a, b) for a, b in made if store.exists(a)), counts)


def _memory(snapshot: Snapshot, store: Store, workspace: str, fresh: str) -> Iterator[tuple[str, str]]:
    for name in snapshot.names("memory"):
        lines = snapshot.lines(name)
        viewer = next(lines, {}).get("viewer")
        if not isinstance(viewer, str) or not 0 < len(viewer) < 500:
            raise BadInput(f"{snapshot.path}: {name} does not say whose memory it is")
        writing = Writing(store, name_of(fresh, viewer))
        writing.add(kept.checked(lines, PARTS["memory"].labels, PARTS["memory"].rels, str(snapshot.path)))
        writing.finish(fresh)
        yield name_of(fresh, viewer), name_of(workspace, viewer)


def _safe(rows: Iterator[Row], own: bool, snapshot: Snapshot) -> Iterator[Row]:
    """Rows whose texts are what they say they are; of another installation's, without queries."""
    for row in rows:
        props = row["props"]
        try:
            if row.get("label") == "Run":
                props = {**props, "json": _bare(str(props["json"]), own)}
                run_of(props["json"])
            elif row.get("label") == "Investigation":
                props = {**props, "json": _bare(str(props["json"]), own)}
            elif row.get("label") == "Action":
                _named(approval.change(str(props["change"])))
            elif row.get("label") == "Approval":
                approval.proposal(str(props["json"]))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise BadInput(f"{snapshot.path}: a kept {row.get('label')} in it is damaged") from None
        yield {**row, "props": props}


def _bare(text: str, own: bool) -> str:
    told = orjson.loads(text)
    for step in told["steps"]:
        step["cypher"] = step["cypher"] if own else ""
    return orjson.dumps(told).decode()


def _named(change: approval.Change) -> None:
    """ValueError when a property that it writes has a name that is none."""
    props = [p for _, p in change.nodes] + [edge[4] for edge in change.edges] + list(change.proofs)
    if not all(name.isidentifier() and name.isascii() for some in props for name in some):
        raise ValueError("a property has another name")
