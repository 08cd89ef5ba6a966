"""Runs, kept in a graph of their own beside the company's: the answer as JSON, and its claims with
their verdicts as nodes. Only who asked, and administrators, read a run back.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import orjson

from brain.errors import BadInput, StoreDown
from brain.store import Store, graph_name
from brain.types import Answer, Claim, Edge, Node, Quote, Step, Usage, Viewer
from brain.values import header

MAX_ROWS = 200


def save(store: Store, workspace: str, answer: Answer, at: int) -> None:
    """Writes a run and its claims; a run saved twice is one run."""
    graph = graph_name(workspace, "runs")
    params: dict[str, Any] = {
        "id": answer.run, "q": answer.question, "viewer": answer.viewer, "arm": answer.arm, "state": answer.state,
        "engine": answer.engine, "at": at, "json": dumps(answer),
        "claims": [[c.text, c.verdict, list(c.cites), c.hops, c.reason] for c in (*answer.claims, *answer.dropped)],
    }  # fmt: skip
    store.write(
        graph,
        header(params) + "MERGE (r:Run {id: $id}) SET r.question = $q, r.viewer = $viewer, r.arm = $arm, r.state = $state,"
        " r.engine = $engine, r.at = $at, r.json = $json WITH r UNWIND range(0, size($claims) - 1) AS i WITH r, i, $claims[i] AS c"
        " MERGE (r)-[:CLAIMS]->(k:Claim {n: i}) SET k.text = c[0], k.verdict = c[1], k.cites = c[2], k.hops = c[3], k.reason = c[4]",
    )


def load(store: Store, workspace: str, run: str, viewer: Viewer) -> Answer:
    """The run with that id; BadInput when there is none that the viewer may read."""
    query = "MATCH (r:Run {id: $id}) WHERE r.viewer = $viewer OR $admin RETURN r.json AS json"
    try:
        found = store.read(graph_name(workspace, "runs"), query, {"id": run, "viewer": viewer.id, "admin": viewer.admin})
    except StoreDown:
        found = None
    if found is None or not found.rows:
        raise BadInput(f"there is no run {run!r} of yours in workspace {workspace!r}")
    return loads(str(found.rows[0]["json"]))


def recent(store: Store, workspace: str, viewer: Viewer, k: int = 20) -> list[dict[str, Any]]:
    """The viewer's latest runs: id, question, arm, state, at."""
    query = (
        "MATCH (r:Run) WHERE r.viewer = $viewer OR $admin RETURN r.id AS run, r.question AS question, r.arm AS arm,"
        " r.state AS state, r.at AS at ORDER BY r.at DESC, r.id LIMIT $k"
    )
    if not store.exists(graph_name(workspace, "runs")):
        return []
    return [dict(r) for r in store.read(graph_name(workspace, "runs"), query, {"viewer": viewer.id, "admin": viewer.admin, "k": k}).rows]


def dumps(answer: Answer) -> str:
    """The whole answer as text; rows of a step beyond 200 are left out of the record."""
    data = asdict(answer)
    for step in data["steps"]:
        step["rows"] = step["rows"][:MAX_ROWS]
    return orjson.dumps(data, default=str).decode()


def loads(text: str) -> Answer:
    """The answer that `dumps` wrote."""
    d = orjson.loads(text)
    d["claims"] = tuple(_claim(c) for c in d["claims"])
    d["dropped"] = tuple(_claim(c) for c in d["dropped"])
    d["steps"] = tuple(_step(s) for s in d["steps"])
    d["nodes"] = tuple(Node(**n) for n in d["nodes"])
    d["edges"] = tuple(Edge(**e) for e in d["edges"])
    d["usage"] = Usage(**d["usage"])
    d["items"], d["suggestions"] = tuple(d["items"]), tuple(d["suggestions"])
    return Answer(**d)


def _claim(c: dict[str, Any]) -> Claim:
    return Claim(**{**c, "cites": tuple(c["cites"]), "quotes": tuple(Quote(**q) for q in c["quotes"]), "path": tuple(c["path"])})


def _step(s: dict[str, Any]) -> Step:
    found = {"nodes": tuple(Node(**n) for n in s["nodes"]), "edges": tuple(Edge(**e) for e in s["edges"])}
    return Step(**{**s, "rows": tuple(s["rows"]), **found})
