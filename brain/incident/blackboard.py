"""Where an investigation is written down while it goes on: a node in the graph of runs, with its steps and what each role found.

It is written role by role, so that one that ended in the middle is there, marked as incomplete, and can be gone on with. It is
given back as a run is (`brain.runs`): to who made it, while their rights of now cover what is in it, and to administrators.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import orjson

from brain.errors import BadInput, StoreDown
from brain.held import Held, covered, kept, keys_in, resting
from brain.incident import record
from brain.incident.findings import ROLES, Investigation
from brain.permissions import guest, nobody
from brain.store import Store, graph_name
from brain.tools.asking import Asking
from brain.types import Viewer
from brain.values import header

QUIET_S = 120
SOUGHT = 5
_LISTED = ("id", "alert", "title", "arm", "state", "outcome", "at", "text")
_OWN = "$admin OR (i.owner = $owner AND i.viewer = $viewer)"
_RIGHTS = "i.clearance AS clearance, i.groups AS groups, i.used AS used, i.keys AS keys"


class Blackboard:
    """The investigations of a workspace, as one viewer may write and read them. `everything` asks as one who may see all."""

    def __init__(self, store: Store, workspace: str, viewer: Viewer, everything: Asking | None, now: int) -> None:
        self._store, self._graph, self._viewer, self._everything, self._now = store, graph_name(workspace, "runs"), viewer, everything, now
        self._workspace = workspace

    def write(self, inv: Investigation, role: str = "") -> None:
        """Writes how far it has come; `role` is the one that has just ended. Written twice is written once."""
        everything = self._everything
        rights = (self._viewer.clearance, self._viewer.groups)
        held = resting(keys_in(asdict(inv)), self._viewer, everything) if everything else Held(*rights, frozenset(), ())
        params: dict[str, Any] = {
            "id": inv.id, "alert": inv.signal.key, "title": inv.signal.title, "viewer": inv.viewer, "owner": self._viewer.owner,
            "arm": inv.arm, "state": inv.state, "outcome": inv.outcome, "text": inv.text, "now": self._now, "json": record.dumps(inv),
            "roles": list(inv.roles), "worker": _me(),
            "clearance": sorted(held.clearance), "groups": sorted(held.groups), "used": sorted(held.used), "keys": list(held.keys),
            "role": role, "found": orjson.dumps(_finding(inv, role), default=str).decode() if role else "",
            "steps": [[s.n, s.tool, s.why, s.error or "", round(s.ms, 1)] for s in inv.steps],
        }  # fmt: skip
        text = (
            "MERGE (i:Investigation {id: $id}) ON CREATE SET i.at = $now SET i.alert = $alert, i.title = $title, i.viewer = $viewer,"
            " i.owner = $owner, i.arm = $arm, i.state = $state, i.outcome = $outcome, i.text = $text, i.beat = $now, i.worker = $worker,"
            " i.json = $json, i.roles = $roles, i.clearance = $clearance, i.groups = $groups, i.used = $used, i.keys = $keys"
        )
        if role:
            text += " MERGE (i)-[:FOUND]->(f:Finding {role: $role}) SET f.json = $found, f.at = $now"
        if inv.steps:
            text += (
                " WITH i UNWIND $steps AS s MERGE (i)-[:HAS_STEP]->(k:Step {n: s[0]})"
                " SET k.tool = s[1], k.why = s[2], k.error = s[3], k.ms = s[4]"
            )
        used = {k: v for k, v in params.items() if f"${k}" in text}
        self._store.write(self._graph, header(used) + text)

    def read(self, ident: str) -> Investigation:
        """The investigation with that id, marked as incomplete when whoever made it has stopped in the middle; BadInput, in the same
        words, when there is none and when the viewer may not read it (any more).
        """
        told = "i.id AS id, i.json AS json, i.beat AS beat, i.worker AS worker"
        rows = self._rows(
            f"MATCH (i:Investigation {{id: $id}}) WHERE {_OWN} RETURN {told}, {_RIGHTS}",
            id=ident,
        )
        if not rows:
            raise BadInput(f"there is no investigation {ident!r} of yours in workspace {self._workspace!r}")
        inv = record.loads(str(rows[0]["json"]))
        return replace(inv, state="incomplete") if inv.state == "running" and self._stopped(rows[0]) else inv

    def recent(self, k: int = 20) -> list[dict[str, Any]]:
        """The viewer's latest investigations, newest first: id, alert, title, arm, state, outcome, at, text."""
        if self._viewer.owner in (guest().id, nobody().id):
            return []
        listed = ", ".join(f"i.{name} AS {name}" for name in (*_LISTED, "beat", "worker"))
        limit = k if self._viewer.admin else SOUGHT * k
        rows = self._rows(f"MATCH (i:Investigation) WHERE {_OWN} RETURN {listed}, {_RIGHTS} ORDER BY i.at DESC, i.id LIMIT $k", k=limit)
        return [
            {name: "incomplete" if name == "state" and row["state"] == "running" and self._stopped(row) else row[name] for name in _LISTED}
            for row in rows[:k]
        ]

    def _stopped(self, row: Mapping[str, Any]) -> bool:
        """Whether nobody is at work on it any more: the process that was has ended, or nothing was written for so long that none can
        be, since the longest look takes a few seconds.
        """
        return self._now - int(row["beat"] or 0) > QUIET_S or not _at_work(str(row["worker"] or ""))

    def _rows(self, query: str, **params: Any) -> Sequence[Mapping[str, Any]]:
        viewer = self._viewer
        given = {"owner": viewer.owner, "viewer": viewer.id, "admin": viewer.admin, **params}
        if not self._store.exists(self._graph):
            return []
        try:
            rows = self._store.read(self._graph, query, given).rows
        except StoreDown:
            return []
        if viewer.admin or not rows:
            return rows
        if self._everything is None:
            return []
        open_ = covered({str(r["id"]): kept(r) for r in rows}, viewer, self._everything)
        return [r for r in rows if r["id"] in open_]


def _me() -> str:
    """The machine and number of the process that writes."""
    return f"{socket.gethostname()}:{os.getpid()}"


def _at_work(worker: str) -> bool:
    """Whether a process still runs, as far as this machine can tell."""
    host, _, number = worker.rpartition(":")
    if host != socket.gethostname() or not number.isdigit():
        return True
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


_OF = {
    "triage": ("severity", "affected", "scope"),
    "historian": ("past", "told", "recorded"),
    "investigator": ("outcome", "confidence", "suspects", "baseline", "broke", "checked"),
    "responder": ("page", "claims", "dropped", "text"),
}


def _finding(inv: Investigation, role: str) -> dict[str, Any]:
    """What one role put on the board."""
    data = asdict(inv)
    return {name: data[name] for name in _OF.get(role, ())}


def rest(inv: Investigation) -> tuple[str, ...]:
    """The roles that are still to come."""
    return tuple(role for role in ROLES if role not in inv.roles)
