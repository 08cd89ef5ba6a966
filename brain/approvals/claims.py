"""Approving or rejecting a claim that waits, through the queue of claims, which also knows it when the graph is made anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brain.approvals.approval import Change, Proposal
from brain.approvals.deciding import Moment
from brain.approvals.kept import Action
from brain.candidates import Queue
from brain.connectors.extracted import RESOLVED
from brain.errors import BadInput, ToolError
from brain.ingest import Workspace
from brain.tools.asking import Asking
from brain.tools.claims import approve_candidate
from brain.types import Result

NAME = "approve_candidate"


def propose(ctx: Asking, args: Mapping[str, Any], found: Result) -> Proposal:
    """To make the claim what the tool's row says it becomes."""
    row = found.rows[0]
    says = f"{row['src_name']} {str(row['rel']).replace('_', ' ').lower()} {row['dst_name']}"
    columns = {"src": _end(row, "src"), "rel": row["rel"], "dst": _end(row, "dst")}
    did = {"approved": "Approve", "rejected": "Reject"}[str(row["becomes"])]
    why = [f"{row['source']}, line {row['line']}: “{row['quote']}”"] if row["quote"] else []
    cites = [k for k in (_end(row, "src"), _end(row, "dst"), str(row["source"] or "")) if ":" in k and k not in _titles(row)]
    return Proposal(
        NAME, {"aid": row["aid"], "state": row["becomes"]}, f"{did} the claim: {says}", ({**columns, "state": row["is"]},),
        ({**columns, "state": row["becomes"]},), tuple(why), tuple(dict.fromkeys(cites)),
    )  # fmt: skip


def _end(row: Mapping[str, Any], end: str) -> str:
    """The key of an end; of a decision that waits itself, which nobody can look up yet, what it is called."""
    return str(row[f"{end}_name"]) if str(row[end]).startswith(RESOLVED) else str(row[end])


def _titles(row: Mapping[str, Any]) -> set[str]:
    return {_end(row, end) for end in ("src", "dst") if str(row[end]).startswith(RESOLVED)}


def check(ctx: Asking, p: Proposal) -> None:
    """BadInput when the claim has gone, or something else was decided about it."""
    try:
        row = approve_candidate.run(ctx, aid=p.args["aid"], state=p.args["state"]).rows[0]
    except ToolError as error:
        raise BadInput(f"{error}; this proposal is out of date") from None
    if row["is"] != p.before[0]["state"]:
        raise BadInput(f"the claim {p.args['aid']!r} is {row['is']} by now; propose again")


def change(moment: Moment, p: Proposal) -> Change:
    """The claim and what it becomes."""
    return Change(aids=(str(p.args["aid"]),), state=str(p.args["state"]))


def moved(moment: Moment, done: Change) -> str:
    """Why it cannot be taken back: something else was decided about the claim since."""
    history = moment.files.decisions.history()
    own = next((d for d in history if d.action == moment.id), None)
    later = [d for d in history if own is not None and d.n > own.n and not d.undoes and set(d.aids) & set(done.aids)]
    undone = {d.undoes for d in history}
    if own is None or own.n in undone:
        return "the decision about the claim was taken back already"
    return "something else was decided about the claim since" if any(d.n not in undone for d in later) else ""


def carry_out(everything: Asking, files: Workspace, action: Action) -> bool:
    """Decides about the claim, or takes that back, once however often it is called; whether the graph must be made anew for it to
    show in full. The load lock is held by whoever calls.
    """
    queue = Queue(everything, files)
    if action.state == "approved":
        return queue.decided(action.change.aids, action.change.state, action.at, action.reason, action.by, action.id)[1]
    own = next((d for d in files.decisions.history() if d.action == action.id), None)
    return queue.undone(own.n, action.at, action.by, again=True)[1] if own is not None else False
