"""Approvals and actions in the graph of runs, where they outlive any graph of the company. Every step from one state to the next
is one query that says which state it starts from: of two that press at once, the database lets one through.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from brain.approvals import approval as said
from brain.approvals.approval import Approval, Change, Proposal
from brain.held import Held, kept
from brain.store import Store, graph_name
from brain.types import Viewer
from brain.values import header

PART = "runs"
_COLUMNS = ("id", "json", "viewer", "owner", "at", "state", "decided_by", "decided_at", "reason", "undone_by", "undone_at")
_RIGHTS = ("clearance", "groups", "used", "keys")
_RETURN = "RETURN " + ", ".join(f"a.{name} AS {name}" for name in (*_COLUMNS, *_RIGHTS))


@dataclass(frozen=True)
class Kept:
    """An approval with the rights it was proposed with and what it holds of the company."""

    approval: Approval
    held: Held


@dataclass(frozen=True)
class Action:
    """What was approved: the approval's id, its state now, what it writes, and whether that stands written."""

    id: str
    state: str
    by: str
    at: int
    reason: str
    change: Change
    done: bool


def propose(store: Store, workspace: str, proposal: Proposal, viewer: Viewer, at: int, held: Held) -> str:
    """Keeps a proposal; its id. The same one by the same person that still waits is not kept twice."""
    told = orjson.dumps([proposal.kind, proposal.args, proposal.draft, viewer.id, viewer.owner], option=orjson.OPT_SORT_KEYS)
    params: dict[str, Any] = {
        "same": hashlib.sha256(told).hexdigest(), "id": secrets.token_hex(5), "kind": proposal.kind, "json": said.dumps(proposal),
        "viewer": viewer.id, "owner": viewer.owner, "at": at, "clearance": sorted(held.clearance), "groups": sorted(held.groups),
        "used": sorted(held.used), "keys": list(held.keys),
    }  # fmt: skip
    names = ", ".join(f"a.{name} = ${name}" for name in params if name != "same")
    text = f"MERGE (a:Approval {{same: $same, state: 'proposed'}}) ON CREATE SET {names} RETURN a.id"
    return str(store.write(graph_name(workspace, PART), header(params) + text)[0][0])


def found(store: Store, workspace: str, ids: Sequence[str] = (), states: Sequence[str] = (), k: int = 1000) -> list[Kept]:
    """The approvals of these ids, or all, in these states, or any, newest first."""
    graph = graph_name(workspace, PART)
    if not store.exists(graph):
        return []
    where = "WHERE (size($ids) = 0 OR a.id IN $ids) AND (size($states) = 0 OR a.state IN $states)"
    params = {"ids": list(ids), "states": list(states), "k": k}
    rows = store.read(graph, f"MATCH (a:Approval) {where} {_RETURN} ORDER BY a.at DESC, a.id LIMIT $k", params).rows
    return [_kept(row) for row in rows]


def _kept(row: Mapping[str, Any]) -> Kept:
    numbers = {name: int(row[name] or 0) for name in ("at", "decided_at", "undone_at")}
    texts = {name: str(row[name] or "") for name in _COLUMNS if name not in numbers and name != "json"}
    made = Approval(proposal=said.proposal(str(row["json"])), **texts, **numbers)  # type: ignore[arg-type]
    return Kept(made, kept(row))


def claim(store: Store, workspace: str, approval: Approval, by: Viewer, at: int, reason: str, change: Change) -> bool:
    """Approves a proposal that waits and records the action, in one query; False when it does not wait (any more)."""
    kept = approval.proposal
    params = {
        "id": approval.id, "by": by.id, "at": at, "reason": reason, "change": said.dumps(change), "kind": kept.kind, "why": list(kept.why),
        "before": orjson.dumps(kept.before).decode(), "after": orjson.dumps(kept.after).decode(), "does": kept.does,
    }  # fmt: skip
    action = ", ".join(f"{name}: ${name}" for name in params)
    text = (
        "MATCH (a:Approval {id: $id}) WHERE a.state = 'proposed'"
        " SET a.state = 'approved', a.decided_by = $by, a.decided_at = $at, a.reason = $reason"
        f" CREATE (a)-[:DID]->(:Action {{{action}, done: false}}) RETURN a.id"
    )
    return bool(store.write(graph_name(workspace, PART), header(params) + text))


def reject(store: Store, workspace: str, id_: str, by: Viewer, at: int, reason: str) -> bool:
    """Rejects a proposal that waits; False when it does not wait (any more)."""
    params = {"id": id_, "by": by.id, "at": at, "reason": reason}
    text = (
        "MATCH (a:Approval {id: $id}) WHERE a.state = 'proposed'"
        " SET a.state = 'rejected', a.decided_by = $by, a.decided_at = $at, a.reason = $reason RETURN a.id"
    )
    return bool(store.write(graph_name(workspace, PART), header(params) + text))


def unclaim(store: Store, workspace: str, id_: str, by: Viewer, at: int) -> bool:
    """Takes an approval back, so that its action is to be taken out; False when it is not approved (any more)."""
    params = {"id": id_, "by": by.id, "at": at}
    text = (
        "MATCH (a:Approval {id: $id})-[:DID]->(x:Action) WHERE a.state = 'approved'"
        " SET a.state = 'undone', a.undone_by = $by, a.undone_at = $at, x.undone_by = $by, x.undone_at = $at, x.done = false RETURN a.id"
    )
    return bool(store.write(graph_name(workspace, PART), header(params) + text))


def done(store: Store, workspace: str, id_: str, failed: str = "") -> None:
    """Notes that what the action says stands written, or taken out; or that it cannot be, and why."""
    params = {"id": id_, "failed": failed}
    text = (
        "MATCH (a:Approval {id: $id})-[:DID]->(x:Action) SET x.done = true"
        " FOREACH (_ IN CASE WHEN $failed <> '' AND a.state = 'approved' THEN [1] ELSE [] END | SET a.state = 'failed', a.reason = $failed)"
    )
    store.write(graph_name(workspace, PART), header(params) + text)


def actions(store: Store, workspace: str, *, pending: bool = False, id_: str = "") -> list[Action]:
    """Everything that was approved, in the order it was; only what is not done yet, or of one approval."""
    graph = graph_name(workspace, PART)
    if not store.exists(graph):
        return []
    where = "WHERE (NOT $pending OR x.done = false) AND ($id = '' OR a.id = $id)"
    text = (
        f"MATCH (a:Approval)-[:DID]->(x:Action) {where} RETURN a.id AS id, a.state AS state, x.by AS by, x.at AS at,"
        " x.reason AS reason, x.change AS change, x.done AS done, id(x) AS n ORDER BY at, n LIMIT 100000"
    )
    rows = store.read(graph, text, {"pending": pending, "id": id_}).rows
    return [_action(row) for row in rows]


def _action(row: Mapping[str, Any]) -> Action:
    id_, state, by, reason = (str(row[name] or "") for name in ("id", "state", "by", "reason"))
    return Action(id_, state, by, int(row["at"]), reason, said.change(str(row["change"])), bool(row["done"]))
