"""Batched upsert into a graph beside the live one. Labels and types come from the schema, never
from a record; batches shrink and grow so that no write holds the server for long.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from brain import indexes, schema
from brain.store import Store
from brain.types import EdgeRow, NodeRow, Skip
from brain.types import Origin as _Origin
from brain.values import rows_header

TARGET_MS = 25.0
LIMITS = (50, 500)
CHUNKS = 100
REST_MS = 20.0
_EVIDENCE = ("source", "line", "quote", "file", "rule", "access", "aud")

AnyRow = TypeVar("AnyRow", NodeRow, EdgeRow)


class Pace:
    """How many rows the next batch may have, so that a batch takes about `TARGET_MS`, and how long to let others in before it."""

    def __init__(self, start: int = 250) -> None:
        self.size = start

    def took(self, rows: int, ms: float) -> None:
        """Learns from a batch that took so long."""
        if rows >= self.size // 2:
            wanted = self.size * TARGET_MS / max(ms, 1.0)
            self.size = int(min(max(wanted, self.size / 2, LIMITS[0]), self.size * 2, LIMITS[1]))

    @staticmethod
    def rest(ms: float) -> float:
        """Seconds to wait after a batch: none where it was quick, since nobody else was there."""
        return min(ms - TARGET_MS, REST_MS) / 1000 if ms > TARGET_MS else 0.0


def vector_literal(vector: np.ndarray) -> str:
    """A vector as a list literal with five significant digits."""
    return "[" + ",".join(f"{x:.5g}" for x in vector.tolist()) + "]"


def _over(old: AnyRow, new: AnyRow) -> AnyRow:
    """The later row laid over the earlier one; what it leaves out stays, and so does the first source."""
    props = {**old.props, **{k: v for k, v in new.props.items() if v is not None}}
    kept: dict[str, Any] = {"source": old.source} if isinstance(old, NodeRow) else {}
    return replace(new, props=props, **kept)


class Loader:
    """Upserts rows into one graph. Nodes first, then edges; `missing` are edges without an end.

    Rows of one key are joined here before they travel: within one statement MERGE works them off in
    an order of its own, and which came last would depend on the batch.
    """

    def __init__(self, store: Store, graph: str) -> None:
        self._store, self._graph = store, graph
        self._nodes: dict[str, dict[str, NodeRow]] = defaultdict(dict)
        self._pace: dict[str, Pace] = defaultdict(Pace)
        self._last: dict[str, int] = {}
        self.counts: Counter[str] = Counter()
        self.missing: list[Skip] = []

    def prepare(self) -> None:
        """Makes the key index before anything is written."""
        indexes.make(self._store, self._graph, indexes.KEYS)

    def node(self, row: NodeRow) -> None:
        """Takes a node that was checked against the schema; exact repeats are passed over."""
        mark = hash((row.name, tuple((k, str(v)) for k, v in row.props.items())))
        if self._last.get(row.key) == mark:
            return
        if len(self._last) > 200_000:
            self._last.clear()
        self._last[row.key] = mark
        label = schema.label_of(row.key)
        batch = self._nodes[label]
        batch[row.key] = _over(batch[row.key], row) if row.key in batch else row
        if len(batch) >= self._pace[label].size:
            self._flush(label)

    def flush(self) -> None:
        """Writes the nodes that still wait."""
        for label in list(self._nodes):
            self._flush(label)

    def _flush(self, label: str) -> None:
        batch = list(self._nodes.pop(label, {}).values())
        if not batch:
            return
        if schema.NODES[label].kind == "structure":  # open where nobody says otherwise; a source without a label is nobody's
            batch = [row if row.props.get("access") else replace(row, props={**row.props, "access": "open"}) for row in batch]
        columns = sorted({name for row in batch for name, value in row.props.items() if value is not None})
        rows = [[r.key, r.name, r.source, *(r.props.get(c) for c in columns)] for r in batch]
        sets = ["n.name=coalesce(r[1],n.name),n.source=coalesce(n.source,r[2])"]
        sets += [f"n.{c}=coalesce(r[{i}],n.{c})" for i, c in enumerate(columns, 3)]
        self._write(label, f"UNWIND $rows AS r MERGE (n:Entity:{label} {{key:r[0]}}) SET {','.join(sets)}", rows)

    def _write(self, name: str, text: str, rows: Sequence[Sequence[Any]], vectors: Sequence[str] | None = None) -> list[Any]:
        began = time.perf_counter()
        got = self._store.write(self._graph, rows_header(rows, vectors) + text)
        ms = (time.perf_counter() - began) * 1000
        self._pace[name].took(len(rows), ms)
        time.sleep(Pace.rest(ms))
        self.counts[name] += len(rows)
        return list(got)

    def edges(self, rel: str, rows: Iterable[EdgeRow]) -> None:
        """Upserts edges of one type; one whose end is not in the graph is noted in `missing`."""
        batch: dict[tuple[str, str, str], EdgeRow] = {}
        for row in rows:
            name = (row.src, row.dst, row.id)
            batch[name] = _over(batch[name], row) if name in batch else row
            if len(batch) >= self._pace[rel].size:
                self._edge_batch(rel, list(batch.values()))
                batch = {}
        if batch:
            self._edge_batch(rel, list(batch.values()))

    def _edge_batch(self, rel: str, batch: list[EdgeRow]) -> None:
        columns = sorted({name for row in batch for name, value in row.props.items() if value is not None})
        rows = [[r.src, r.dst, r.id or None, *(r.props.get(c) for c in columns)] for r in batch]
        sets = ",".join(f"e.{c}=coalesce(r[{i}],e.{c})" for i, c in enumerate(columns, 3))
        for plain in (True, False):
            part = [row for row in rows if (row[2] is None) == plain]
            if not part:
                continue
            merge = f"MERGE (a)-[e:{rel}]->(b)" if plain else f"MERGE (a)-[e:{rel} {{id:r[2]}}]->(b)"
            text = f"UNWIND $rows AS r MATCH (a:Entity {{key:r[0]}}) MATCH (b:Entity {{key:r[1]}}) {merge}"
            got = self._write(rel, f"{text}{' SET ' + sets if sets else ''} RETURN count(*)", part)
            if not got or got[0][0] < len(part):
                self._note_missing(rel, part)

    def _note_missing(self, rel: str, part: list[list[Any]]) -> None:
        keys = sorted({key for row in part for key in row[:2]})
        got = self._write("lookup", "UNWIND $rows AS r MATCH (n:Entity {key:r[0]}) RETURN n.key", [[k] for k in keys])
        there = {row[0] for row in got}
        lost = [row for row in part if row[0] not in there or row[1] not in there]
        self.counts[rel] -= len(lost)
        for row in lost:
            absent = row[0] if row[0] not in there else row[1]
            self.missing.append(Skip(f"{rel} to something that is not loaded", _Origin(absent)))

    def evidence(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Creates evidence nodes, each once. They are no entities, so that no way through the work meets them."""
        batch: dict[str, list[Any]] = {}
        for row in rows:
            if not batch and not self.counts["Evidence"]:
                indexes.make(self._store, self._graph, indexes.EVIDENCE)
            batch[row["id"]] = [row["id"], *((row[n] or None) for n in _EVIDENCE)]
            if len(batch) >= self._pace["Evidence"].size:
                self._evidence_batch(batch)
                batch = {}
        if batch:
            self._evidence_batch(batch)

    def _evidence_batch(self, batch: Mapping[str, list[Any]]) -> None:
        sets = ",".join(f"n.{name}=r[{i}]" for i, name in enumerate(_EVIDENCE, 1))
        self._write("Evidence", f"UNWIND $rows AS r MERGE (n:Evidence {{id:r[0]}}) ON CREATE SET {sets}", list(batch.values()))

    def chunks(self, rows: Sequence[Mapping[str, Any]], vectors: Sequence[np.ndarray | None]) -> None:
        """Creates chunks, each with its vector where there is one, and never touches them again."""
        first = {row["key"]: (row, v) for row, v in reversed(list(zip(rows, vectors, strict=True)))}
        for have in (True, False):
            picked = [(row, v) for row, v in reversed(first.values()) if (v is not None) == have]
            while picked:
                pace = self._pace["Chunk"]
                pace.size = min(pace.size, CHUNKS)
                now, picked = picked[: pace.size], picked[pace.size :]
                self._chunk_batch(now, have)

    def _chunk_batch(self, picked: list[tuple[Mapping[str, Any], np.ndarray | None]], have: bool) -> None:
        columns = sorted({c for row, _ in picked for c, value in row.items() if value is not None} - {"key"})
        rows = [[row["key"], *(row.get(c) for c in columns)] for row, _ in picked]
        sets = [f"n.{c}=r[{i}]" for i, c in enumerate(columns, 1)]
        if have:
            sets.append(f"n.emb=vecf32(r[{len(columns) + 1}])")
        text = f"UNWIND $rows AS r MERGE (n:Entity:Chunk {{key:r[0]}}) ON CREATE SET {','.join(sets)}"
        self._write("Chunk", text, rows, [vector_literal(v) for _, v in picked if v is not None] if have else None)
