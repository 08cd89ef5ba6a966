"""The derived edges of a graph, worked out anew from what it holds: once from the open sources alone and once from the internal
ones too, so that whoever may read only the open ones gets what those alone give. Restricted sources never take part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from brain import admission, catalogue, permissions
from brain.catalogue import Query
from brain.store import WRITE_TIMEOUT_MS, Store
from brain.types import EdgeRow, Origin

BOTH = "both"
LABELS = {"open": ("open",), "internal": ("open", "internal")}
_ENDS = ("src", "dst")


def derived(store: Store, graph: str, progress: Callable[[str, int, int], None] = lambda *a: None) -> Iterator[tuple[str, list[EdgeRow]]]:
    """The relationship and the edges that each query of queries/derive gives, in their order. What one gives must be in the graph
    before the next is asked for: some rest on others.

    An edge has a `basis`: "open" or "internal" when the sources of that clearance give it so, "both" when they agree.
    """
    queries = catalogue.shipped().of_kind("derive")
    apart = _internal(store, graph) > 0
    for i, query in enumerate(queries):
        progress(f"deriving {query.writes}", i, len(queries))
        found = {basis: _found(store, graph, query, basis) for basis in LABELS if apart or basis == "open"}
        yield query.writes, list(_edges(query, found))


def _internal(store: Store, graph: str) -> int:
    query, everything = catalogue.shipped()["internal_things"], permissions.parameters(permissions.local_admin(), permissions.FOREVER - 1)
    used = {name: value for name, value in everything.items() if f"${name}" in query.cypher}
    return int(store.read(graph, query.cypher, used, timeout_ms=WRITE_TIMEOUT_MS).rows[0]["n"])


def _found(store: Store, graph: str, query: Query, basis: str) -> dict[tuple[str, str], Mapping[str, Any]]:
    params = {"labels": list(LABELS[basis]), "viewer_basis": [BOTH, basis]}
    used = {name: value for name, value in params.items() if f"${name}" in query.cypher}
    rows = store.read(graph, query.cypher, used, timeout_ms=WRITE_TIMEOUT_MS).rows
    return {(str(row["src"]), str(row["dst"])): row for row in rows}


def _edges(query: Query, found: Mapping[str, Mapping[tuple[str, str], Mapping[str, Any]]]) -> Iterator[EdgeRow]:
    open_, internal = found["open"], found.get("internal", found["open"])
    for pair in sorted({*open_, *internal}):
        if open_.get(pair) == internal.get(pair):
            yield _edge(query, open_[pair], BOTH)
        else:
            yield from (_edge(query, rows[pair], basis) for basis, rows in found.items() if pair in rows)


def _edge(query: Query, row: Mapping[str, Any], basis: str) -> EdgeRow:
    props = {name: value for name, value in row.items() if name not in _ENDS}
    made = {**props, "derived_by": query.path.name, "basis": basis}
    id_ = "" if basis == BOTH else basis
    return admission.check_edge(EdgeRow(row["src"], query.writes, row["dst"], made, Origin(query.path.name), id_))
