"""A copy of the part of a graph that rules rest on, as one viewer may read it, in a graph of its own that nobody else looks at.

Read by queries and written by the loader, like any graph: the server's own command for copying a graph brings it down
when two copies are made at once, or while an index is being built.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from brain.bulk import Loader
from brain.errors import BadInput
from brain.permissions import FOREVER
from brain.store import Store, graph_name
from brain.tools.asking import Asking
from brain.types import EdgeRow, NodeRow, Origin

PART, LEFT_S, MOST = "whatif-", 600, 8
_MADE = re.compile(r":whatif-(\d+)-\w+$")
_HERE = Origin("copy")


def sweep(store: Store, workspace: str, now: int, age_s: int = LEFT_S) -> list[str]:
    """Drops the copies that were left behind, by a process that ended; the names of those that remain."""
    kept = []
    for graph in store.graphs(graph_name(workspace, PART)):
        made = _MADE.search(graph)
        if made and now - int(made[1]) < age_s:
            kept.append(graph)
        else:
            store.drop(graph)
    return kept


@contextmanager
def copied(ctx: Asking, now: int, proofs: list[Mapping[str, Any]]) -> Iterator[tuple[Asking, Loader]]:
    """The same question's surroundings over a copy, with `proofs` (rows of evidence) in it from the start, and the loader that
    writes into it; the copy goes in the end. BadInput when too many are in use.
    """
    if len(sweep(ctx.store, ctx.workspace, now)) >= MOST:
        raise BadInput(f"{MOST} notices are being tried at this moment; try again in a minute")
    name = f"{ctx.workspace}:{PART}{now}-{secrets.token_hex(6)}"
    loader = Loader(ctx.store, graph_name(name))
    try:
        loader.prepare()
        _fill(replace(ctx, as_of=FOREVER - 1), loader, proofs)
        yield replace(ctx, workspace=name), loader
    finally:
        ctx.store.drop(graph_name(name))


def _fill(ctx: Asking, loader: Loader, proofs: list[Mapping[str, Any]]) -> None:
    sources = []
    for row in _pages(ctx, "copied_things"):
        loader.node(_node(row["props"]))
    for row in _pages(ctx, "copied_sources"):
        sources.append(str(row["key"]))
        loader.node(_node(row["props"]))
    loader.flush()
    links = [_edge(row) for row in _pages(ctx, "copied_links")]
    chunks = list(_pages(ctx, "copied_texts", keys=sources)) if sources else []
    loader.chunks(chunks, [None] * len(chunks))
    links += [EdgeRow(str(c["key"]), "PART_OF", str(c["src"])) for c in chunks]
    for rel in sorted({edge.rel for edge in links}):
        loader.edges(rel, (edge for edge in links if edge.rel == rel))
    ids = sorted({str(i) for edge in links for i in edge.props.get("evidence") or ()})
    for start in range(0, len(ids), 5000):
        proofs = [*proofs, *ctx.run("copied_proofs", ids=ids[start : start + 5000]).rows]
    loader.evidence(proofs)


def _pages(ctx: Asking, query: str, **args: Any) -> Iterator[Mapping[str, Any]]:
    after = ""
    while rows := ctx.run(query, after=after, **args).rows:
        yield from rows
        after = str(rows[-1]["key"])


def _node(props: Mapping[str, Any]) -> NodeRow:
    own = {k: v for k, v in props.items() if k not in ("key", "name", "source")}
    return NodeRow(str(props["key"]), str(props["name"]), str(props.get("source") or "copy"), own, _HERE)


def _edge(row: Mapping[str, Any]) -> EdgeRow:
    own = {k: v for k, v in row["props"].items() if k != "id"}
    return EdgeRow(str(row["src"]), str(row["rel"]), str(row["dst"]), own, _HERE, str(row["props"].get("id") or ""))
