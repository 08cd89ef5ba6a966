"""What loading costs: our rate against the bulk loader's on the same rows, peak memory, and how long a reader waits."""

from __future__ import annotations

import csv
import importlib.util
import multiprocessing
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from brain import admission, connectors, embedded, schema, values
from brain.brain import Brain
from brain.bulk import Loader
from brain.connectors import FORMATS
from brain.errors import HopcheckError, SchemaError
from brain.records import Records
from brain.settings import Settings
from brain.store import graph_name
from brain.types import EdgeRow, NodeRow, Viewer

WAIT_MS = 200.0
IDLE_S = 2.0
_DONE = re.compile(r"complete: (\d+) nodes created, (\d+) relations created in ([\d.]+) seconds")
_BULK = """
import sys
from falkordb_bulk_loader.bulk_insert import bulk_insert
bulk_insert(["--server-url", sys.stdin.readline().strip(), *sys.argv[1:]])
"""


@dataclass(frozen=True)
class Rate:
    """Rows a second into a fresh graph, key index included; `bulk` is None, with the reason, when it was not measured."""

    rows: int
    ours: float
    bulk: float | None
    reason: str = ""


@dataclass(frozen=True)
class Peak:
    """A load from records to switched graph in a process of its own."""

    megabytes: float
    seconds: float


@dataclass(frozen=True)
class Wait:
    """Milliseconds that a reader waited for one small answer, with nobody loading and during a load."""

    idle_max_ms: float
    idle_p99_ms: float
    max_ms: float
    p99_ms: float
    reads: int


# -- rate ----------------------------------------------------------------------------------------


def rate(brain: Brain) -> Rate:
    """Loads the rows of the workspace's records into two graphs beside it, one by our loader, one by the bulk loader."""
    nodes, edges = _rows(brain.files.records)
    total = len(nodes) + len(edges)
    ours = _ours(brain, nodes, edges)
    try:
        bulk = _bulk(brain, nodes, edges)
    except HopcheckError as err:
        return Rate(total, total / ours, None, str(err))
    return Rate(total, total / ours, total / bulk)


def _rows(records: Records) -> tuple[list[NodeRow], list[EdgeRow]]:
    """Every node once, with all its properties, and every edge once whose ends are there."""
    sources = records.sources()
    context = connectors.context(records.read(s) for s in sources)
    nodes: dict[str, NodeRow] = {}
    edges: dict[tuple[str, str, str, str], EdgeRow] = {}
    for source in sources:
        for row in FORMATS[source.partition(":")[0]].rows(records.read(source), context):
            try:
                if isinstance(row, NodeRow):
                    row = admission.check_node(row)
                    old = nodes.get(row.key)
                    props = {**(old.props if old else {}), **{k: v for k, v in row.props.items() if v is not None}}
                    nodes[row.key] = NodeRow(row.key, row.name, row.source, props)
                elif isinstance(row, EdgeRow):
                    row = admission.check_edge(row)
                    edges[(row.src, row.rel, row.dst, row.id)] = row
            except SchemaError:
                continue
    return list(nodes.values()), [e for e in edges.values() if e.src in nodes and e.dst in nodes]


def _ours(brain: Brain, nodes: Iterable[NodeRow], edges: Iterable[EdgeRow]) -> float:
    graph = graph_name(brain.workspace, "bench")
    by_rel: dict[str, list[EdgeRow]] = defaultdict(list)
    for edge in edges:
        by_rel[edge.rel].append(edge)
    brain.store.drop(graph)
    try:
        began = time.perf_counter()
        loader = Loader(brain.store, graph)
        loader.prepare()
        for node in nodes:
            loader.node(node)
        loader.flush()
        for rel, rows in by_rel.items():
            loader.edges(rel, rows)
        return time.perf_counter() - began
    finally:
        brain.store.drop(graph)


def _bulk(brain: Brain, nodes: Sequence[NodeRow], edges: Sequence[EdgeRow]) -> float:
    """Seconds that the bulk loader says it took, reading its files included, starting Python and the index not."""
    if importlib.util.find_spec("falkordb_bulk_loader") is None:
        raise HopcheckError("falkordb-bulk-loader is not installed, so there is nothing to compare with")
    graph = graph_name(brain.workspace, "bulk")
    brain.store.drop(graph)
    try:
        with tempfile.TemporaryDirectory(prefix="hopcheck-") as folder:
            files = [*_node_files(Path(folder), nodes), *_edge_files(Path(folder), edges)]
            args = [graph, "--enforce-schema", "--escapechar", "none", *files]
            command = [sys.executable, "-c", _BULK, *args]  # the address holds a password, and others can read arguments
            done = subprocess.run(command, input=_url(brain.settings), capture_output=True, text=True, check=False)
        said = _DONE.search(done.stdout)
        if not said or int(said[1]) != len(nodes) or int(said[2]) != len(edges):
            last = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
            raise HopcheckError(f"the bulk loader did not load the same rows: {last}")
        return float(said[3])
    finally:
        brain.store.drop(graph)


def _url(settings: Settings) -> str:
    if settings.falkordb_url:
        return settings.falkordb_url
    at = embedded.ensure(settings)
    return f"unix://{at.username}:{at.password}@{at.socket}"


def _node_files(folder: Path, nodes: Iterable[NodeRow]) -> list[str]:
    by_label: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for n in nodes:
        by_label[schema.label_of(n.key)].append({"name": n.name, "source": n.source, **n.props, "key": n.key})
    args: list[str] = []
    for label, rows in by_label.items():
        path = folder / f"{label}.csv"
        _csv(path, {"key": "key:ID"}, rows)
        args += ["--nodes-with-label", f"Entity:{label}", str(path)]
    return args


def _edge_files(folder: Path, edges: Iterable[EdgeRow]) -> list[str]:
    by_rel: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for e in edges:
        by_rel[e.rel].append({**e.props, **({"id": e.id} if e.id else {}), ">": e.src, "<": e.dst})
    args: list[str] = []
    for rel, rows in by_rel.items():
        path = folder / f"{rel}.csv"
        _csv(path, {">": ":START_ID", "<": ":END_ID"}, rows)
        args += ["--relations-with-type", rel, str(path)]
    return args


def _csv(path: Path, fixed: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> None:
    names = sorted({name for row in rows for name, value in row.items() if value is not None} - set(fixed))
    header = [*fixed.values(), *(f"{name}:{_type([row.get(name) for row in rows])}" for name in names)]
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([_field(row.get(name)) for name in (*fixed, *names)] for row in rows)


def _type(column: Iterable[Any]) -> str:
    kinds = {type(v) for v in column if v is not None}
    if kinds == {bool}:
        return "BOOL"
    if kinds == {int}:
        return "LONG"
    if kinds <= {int, float}:
        return "DOUBLE"
    return "ARRAY" if kinds <= {list, tuple} else "STRING"


def _field(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return repr([values.clean_text(str(v)) for v in value])
    return values.clean_text(str(value))


# -- memory and waiting ----------------------------------------------------------------------------


def load_while_reading(brain: Brain, viewer: Viewer) -> tuple[Peak, Wait]:
    """Loads a copy of the workspace's records, then loads it again while a reader asks it small questions."""
    name = f"{brain.workspace[:54]}-bench"
    folder = brain.settings.workspaces / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(brain.files.folder / "records", folder / "records")
    copy = Brain.open(brain.settings, name)
    try:
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            pool.submit(_load, brain.settings, name).result()
            reader = _Reader(copy, viewer)
            idle = reader.during(lambda: time.sleep(IDLE_S))
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            loads: list[tuple[float, float]] = []
            busy = reader.during(lambda: loads.append(pool.submit(_load, brain.settings, name).result()))
    finally:
        copy.store.drop(graph_name(name))
        copy.close()
        shutil.rmtree(folder, ignore_errors=True)
    (i_max, i_99), (b_max, b_99) = ((max(t), float(np.percentile(t, 99))) for t in (idle, busy))
    return Peak(*loads[0]), Wait(i_max, i_99, b_max, b_99, len(busy))


class _Reader:
    """Somebody who reads all the time, a short pause after each answer."""

    def __init__(self, brain: Brain, viewer: Viewer) -> None:
        self._ctx = brain.asking(viewer)
        self._key = str(self._ctx.run("busy_repo").rows[0]["name"])

    def during(self, work: Any) -> list[float]:
        """Milliseconds of every read that was begun while `work()` ran."""
        stop, times = threading.Event(), list[float]()

        def read() -> None:
            while not stop.is_set():
                began = time.perf_counter()
                self._ctx.run("details", key=f"repo:{self._key}")
                times.append((time.perf_counter() - began) * 1000)
                time.sleep(0.002)

        thread = threading.Thread(target=read)
        thread.start()
        try:
            work()
        finally:
            stop.set()
            thread.join()
        return times


def _load(settings: Settings, workspace: str) -> tuple[float, float]:
    """In a process of its own: (peak megabytes, seconds) of one load."""
    brain = Brain.open(settings, workspace)
    try:
        began = time.perf_counter()
        brain.load({})
        return peak_megabytes(), time.perf_counter() - began
    finally:
        brain.close()


def peak_megabytes() -> float:
    """The highest resident memory of the process, without what it was started from where the system tells them apart."""
    try:
        line = next(row for row in Path("/proc/self/status").read_text().splitlines() if row.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
