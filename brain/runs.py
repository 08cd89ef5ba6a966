"""Runs, kept in a graph of their own beside the company's: the answer as JSON, and its claims with
their verdicts as nodes. Only who asked, while their rights cover what is in it, and administrators read a run back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import orjson

from brain.errors import BadInput, StoreDown
from brain.held import covered, holds, kept
from brain.permissions import guest, nobody
from brain.store import Store, graph_name
from brain.tools.asking import Asking
from brain.types import Answer, Claim, Edge, Node, Quote, Step, Usage, Viewer
from brain.values import header

MAX_ROWS, SOUGHT = 200, 5
SHARED = frozenset({guest().id, nobody().id})
_LISTED = ("run", "question", "arm", "state", "at")
_OWN = "$admin OR (r.owner = $owner AND r.viewer = $viewer)"
_RIGHTS = "r.clearance AS clearance, r.groups AS groups, r.used AS used, r.keys AS keys"


def save(store: Store, workspace: str, answer: Answer, at: int, viewer: Viewer, everything: Asking) -> None:
    """Writes a run that `viewer` made, and its claims; a run saved twice is one run. It belongs to whoever looked, also when
    they looked as somebody else.
    """
    graph = graph_name(workspace, "runs")
    held = holds(answer, viewer, everything)
    params: dict[str, Any] = {
        "id": answer.run, "q": answer.question, "viewer": answer.viewer, "arm": answer.arm, "state": answer.state,
        "engine": answer.engine, "at": at, "json": dumps(answer), "owner": viewer.owner, "clearance": sorted(held.clearance),
        "groups": sorted(held.groups), "used": sorted(held.used), "keys": list(held.keys),
        "claims": [[c.text, c.verdict, list(c.cites), c.hops, c.reason] for c in (*answer.claims, *answer.dropped)],
    }  # fmt: skip
    store.write(
        graph,
        header(params) + "MERGE (r:Run {id: $id}) SET r.question = $q, r.viewer = $viewer, r.arm = $arm, r.state = $state,"
        " r.engine = $engine, r.at = $at, r.json = $json, r.owner = $owner, r.clearance = $clearance, r.groups = $groups,"
        " r.used = $used, r.keys = $keys WITH r UNWIND range(0, size($claims) - 1) AS i WITH r, i, $claims[i] AS c"
        " MERGE (r)-[:CLAIMS]->(k:Claim {n: i}) SET k.text = c[0], k.verdict = c[1], k.cites = c[2], k.hops = c[3], k.reason = c[4]",
    )


def load(store: Store, workspace: str, run: str, viewer: Viewer, everything: Asking | None) -> Answer:
    """The run with that id; BadInput, in the same words, when there is none and when the viewer may not read it (any more).
    `everything` asks as one who may see all that is loaded; None, when nothing is, leaves runs to administrators.
    """
    query = f"MATCH (r:Run {{id: $id}}) WHERE {_OWN} RETURN r.id AS run, r.json AS json, {_RIGHTS}"
    try:
        found = store.read(graph_name(workspace, "runs"), query, {"id": run, **_own(viewer)}).rows
    except StoreDown:
        found = ()
    if not _readable(found, viewer, everything):
        raise BadInput(f"there is no run {run!r} of yours in workspace {workspace!r}")
    return loads(str(found[0]["json"]))


def recent(store: Store, workspace: str, viewer: Viewer, everything: Asking | None, k: int = 20) -> list[dict[str, Any]]:
    """The viewer's latest runs: run, question, arm, state, at. Viewers without a name of their own have none: they share it."""
    if viewer.owner in SHARED or not store.exists(graph_name(workspace, "runs")):
        return []
    query = (
        f"MATCH (r:Run) WHERE {_OWN} RETURN r.id AS run, r.question AS question, r.arm AS arm, r.state AS state, r.at AS at, {_RIGHTS}"
        " ORDER BY r.at DESC, r.id LIMIT $k"
    )
    found = store.read(graph_name(workspace, "runs"), query, {**_own(viewer), "k": k if viewer.admin else SOUGHT * k}).rows
    return [{name: row[name] for name in _LISTED} for row in _readable(found, viewer, everything)[:k]]


def forget(store: Store, workspace: str, viewer: Viewer, ids: Sequence[str] | None = None) -> int:
    """Deletes those of the viewer's own runs, all of them when no ids are given, with their claims; how many were there."""
    graph = where(workspace)
    if not store.exists(graph):
        return 0
    params = {"owner": viewer.owner, "viewer": viewer.id, "ids": list(ids or ()), "all": ids is None}
    mine = header(params) + "MATCH (r:Run) WHERE r.owner = $owner AND r.viewer = $viewer AND ($all OR r.id IN $ids) "
    found = int(store.write(graph, f"{mine}RETURN count(r)")[0][0])
    store.write(graph, f"{mine}OPTIONAL MATCH (r)-[:CLAIMS]->(k:Claim) DELETE k, r")
    return found


def where(workspace: str) -> str:
    """The graph that keeps the runs of a workspace."""
    return graph_name(workspace, "runs")


def _own(viewer: Viewer) -> dict[str, Any]:
    return {"owner": viewer.owner, "viewer": viewer.id, "admin": viewer.admin}


def _readable(found: Sequence[Mapping[str, Any]], viewer: Viewer, everything: Asking | None) -> list[Mapping[str, Any]]:
    """Those of the viewer's runs of which their rights of now cover everything."""
    if viewer.admin:
        return [*found]
    if everything is None or not found:
        return []
    open_ = covered({str(row["run"]): kept(row) for row in found}, viewer, everything)
    return [row for row in found if row["run"] in open_]


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
