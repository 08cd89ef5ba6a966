"""A copy of a whole graph, or of what one viewer may see of it, in a graph of its own: read a page at a time, written in batches.

What a viewer may see is decided here a second time, in Python and on the stored labels alone, so that the rule in the
queries can be judged by it. The server's own command for copying a graph can bring the server down.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from brain import catalogue, indexes, schema
from brain.bulk import Pace
from brain.errors import BadInput
from brain.store import WRITE_TIMEOUT_MS, Store
from brain.types import Viewer
from brain.values import rows_header

PAGE, EDGES, ALONE = 1000, 5000, 5000
_LABELS = frozenset(schema.NODES) | {"Entity", "Evidence"}

Props = Mapping[str, Any]
Keep = Callable[[Props], bool]
Change = Callable[[Props], Props]


@dataclass(frozen=True)
class Copied:
    """What came over, and what was left out because it may not be seen: nodes (evidence too), and relationships for
    themselves or for an end. Derived relationships of a pruned copy are in neither number.
    """

    nodes: int
    edges: int
    nodes_removed: int
    edges_removed: int


def may_see(viewer: Viewer) -> Keep:
    """Whether the viewer may see what has these properties: its label is in their clearance, or one of its readers is one of
    their groups. Without a label and without readers nobody may.
    """

    def keep(props: Props) -> bool:
        return props.get("access") in viewer.clearance or bool(viewer.groups & set(props.get("aud") or ()))

    return keep


def copy(
    source: Store, graph: str, target: Store, name: str, *, keep: Keep | None = None, change: Change = dict, vectors: bool = True,
    alone: bool = False,
) -> Copied:
    """Copies `graph` of one store into the graph `name` of a store (the same or another), which must not be there yet, with
    its indexes, and returns when they serve. Nodes and types come in the order of their numbers, so that what stands in no
    order stands in the same one; parallel relationships keep theirs.

    With `keep`, only nodes that it accepts, relationships between such and, where they are claims, accepted themselves; derived
    relationships stay out, since they were computed from all: `brain.derive` makes those of the copy. `change` gives the
    properties that a node or relationship has in the copy. Without
    `vectors`, passages come without theirs. With `alone`, nobody else uses the target yet, so that no write need be short. BadInput when
    `name` exists.
    """
    if target.exists(name):
        raise BadInput(f"there is a graph {name!r} already; drop it first")
    writer = Writer(target, name, alone)
    indexes.make(target, name, indexes.KEYS, indexes.EVIDENCE)
    size = int(_read(source, graph, "whole_size")[0]["n"])
    kept: set[str] = set()
    nodes, out = 0, 0
    for first in range(0, size, PAGE):
        rows = _read(source, graph, "whole_nodes" if vectors else "whole_nodes_bare", first=first, end=first + PAGE)
        stay = [{**r, "props": change(r["props"])} for r in rows if keep is None or keep(r["props"])]
        kept.update(str(r["props"]["key"]) for r in stay if "key" in r["props"])
        writer.nodes(stay, vectors)
        nodes, out = nodes + len(stay), out + len(rows) - len(stay)
    writer.types([str(r["rel"]) for r in _read(source, graph, "whole_types")])
    edges, edges_out = _edges(source, graph, size, writer, keep, change, kept)
    indexes.make(target, name, *indexes.LOOKED_UP, *([indexes.vectors(writer.dim)] if writer.dim else []))
    return Copied(nodes, edges, out, edges_out)


def _edges(
    source: Store, graph: str, size: int, writer: Writer, keep: Keep | None, change: Change, kept: set[str]
) -> tuple[int, int]:
    """How many relationships came over and how many were left out for being hidden."""

    def stays(row: Mapping[str, Any]) -> bool:
        claim = "aid" in row["props"]
        return keep is None or (row["src"] in kept and row["dst"] in kept and (not claim or keep(row["props"])))

    edges = out = 0
    for first in range(0, size, PAGE):
        after = -1
        while rows := _read(source, graph, "whole_edges", first=first, end=first + PAGE, after=after, k=EDGES):
            after = int(rows[-1]["n"])
            some = [r for r in rows if keep is None or "derived_by" not in r["props"]]
            stay = [{**r, "props": change(r["props"])} for r in some if stays(r)]
            writer.edges(stay)
            edges, out = edges + len(stay), out + len(some) - len(stay)
    return edges, out


def _read(store: Store, graph: str, query: str, **args: int) -> Sequence[Mapping[str, Any]]:
    return store.read(graph, catalogue.shipped()[query].cypher, args, WRITE_TIMEOUT_MS).rows


class Writer:
    """Writes what was read into one graph. Labels and types are checked against the schema, since they stand in the text."""

    def __init__(self, store: Store, graph: str, alone: bool = False) -> None:
        self._store, self._graph, self._alone = store, graph, alone
        self._pace: dict[str, Pace] = defaultdict(Pace)
        self.dim = 0

    def nodes(self, rows: Sequence[Mapping[str, Any]], vectors: bool) -> None:
        """Creates nodes in the order given: a batch ends where the labels change."""
        for (labels, have), run in groupby(rows, lambda r: (tuple(r["labels"]), vectors and bool(r["props"].get("emb")))):
            if unknown := set(labels) - _LABELS:
                raise BadInput(f"{self._graph}: label {min(unknown)!r} is not in brain/schema.py")
            props = [dict(r["props"]) for r in run]
            found = [p.pop("emb", None) for p in props]
            columns = sorted({c for p in props for c in p})
            sets = [f"n.{c}=r[{i}]" for i, c in enumerate(columns)] + [f"n.emb=vecf32(r[{len(columns)}])"] * have
            text = f"UNWIND $rows AS r CREATE (n:{':'.join(labels)}){' SET ' * bool(sets)}{','.join(sets)}"
            self.dim = self.dim or (len(found[0]) if have else 0)
            literals = ["[" + ",".join(f"{x:.9g}" for x in v) + "]" for v in found] if have else None
            self._write(text, [[p.get(c) for c in columns] for p in props], literals)

    def types(self, rels: Sequence[str]) -> None:
        """Makes these types known in this order, in which a node's relationships are met; nothing stays of it."""
        for rel in rels:
            if rel not in schema.RELS:
                raise BadInput(f"{self._graph}: relationship {rel!r} is not in brain/schema.py")
            self._store.write(self._graph, f"CREATE (a:Entity)-[:{rel}]->(a) WITH a DELETE a")

    def edges(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Creates relationships of known types, those of one type in the order given."""
        by_rel: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for row in rows:
            by_rel[str(row["rel"])].append(row)
        for rel, some in by_rel.items():
            columns = sorted({c for r in some for c in r["props"]})
            sets = ",".join(f"e.{c}=r[{i}]" for i, c in enumerate(columns, 2))
            text = f"UNWIND $rows AS r MATCH (a:Entity {{key:r[0]}}) MATCH (b:Entity {{key:r[1]}}) CREATE (a)-[e:{rel}]->(b)"
            self._write(f"{text}{' SET ' * bool(sets)}{sets}", [[r["src"], r["dst"], *(r["props"].get(c) for c in columns)] for r in some])

    def _write(self, text: str, rows: Sequence[Sequence[Any]], vectors: Sequence[str] | None = None) -> None:
        pace, start = self._pace["vectors" if vectors else "rows"], 0
        while start < len(rows):
            end, began = start + (ALONE if self._alone else pace.size), time.perf_counter()
            self._store.write(self._graph, rows_header(rows[start:end], vectors[start:end] if vectors else None) + text)
            ms = (time.perf_counter() - began) * 1000
            pace.took(min(end, len(rows)) - start, ms)
            time.sleep(0 if self._alone else Pace.rest(ms))
            start = end
