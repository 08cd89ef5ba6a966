"""The desk: proposals are laid on it, looked at by whoever may still read all that is in them, and decided about.

A decision is two writes: the approval becomes approved and the action is recorded, in one query of which only one can win; then
the company's graph is changed, by a query that writes once however often it runs. Both happen under the load lock, so that no
load and no other decision comes between; whoever comes next after a crash in between finishes what was begun.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from brain import held, permissions
from brain.approvals import kept, rights
from brain.approvals.approval import STATES, Approval, Proposal
from brain.approvals.deciding import Moment
from brain.approvals.finishing import finish, finish_locked, locked
from brain.approvals.kept import Kept
from brain.approvals.kinds import KINDS, Kind
from brain.errors import BadInput, HopcheckError, StoreDown
from brain.held import Held
from brain.incident.blackboard import Blackboard
from brain.text.vectors import embed_missing
from brain.tools.asking import Asking

if TYPE_CHECKING:
    from brain.brain import Brain
    from brain.types import Viewer

WAIT_S = 20.0
LONGEST_REASON = 1000
TOLD_BY_TOOLS = ("assign_ticket", "approve_candidate", "draft_triage", "draft_reply")


@dataclass(frozen=True)
class Shown:
    """An approval as one viewer sees it, with what they may do about it now."""

    approval: Approval
    may_approve: bool
    may_reject: bool
    may_undo: bool


class Approvals:
    """The approvals of a workspace as one viewer may see and decide them."""

    def __init__(self, brain: Brain, viewer: Viewer) -> None:
        if not brain.loaded():
            raise StoreDown(f"nothing is loaded in {brain.workspace!r}; load something: brain demo, or brain ingest")
        self._brain, self._viewer = brain, viewer
        self._store, self._workspace = brain.store, brain.workspace

    # -- looking -----------------------------------------------------------------------------

    def list(self, state: str = "", k: int = 50) -> Sequence[Approval]:
        """The approvals in that state (any, when none is given) of which the viewer may read everything now, newest first."""
        if state and state not in STATES:
            raise BadInput(f"an approval is {', '.join(STATES)}, not {state!r}")
        self._look_again()
        found = kept.found(self._store, self._workspace, states=[state] if state else [])
        return [one.approval for one in self._readable(found)[:k]]

    def shown(self, state: str = "", k: int = 50) -> Sequence[Shown]:
        """The same, each with what the viewer may do about it."""
        found = self.list(state, k)
        return [self._shown(self._ctx(), approval) for approval in found]

    def one(self, id_: str) -> Shown:
        """The approval of that id, with what the viewer may do about it."""
        return self._shown(self._ctx(), self.get(id_))

    def get(self, id_: str) -> Approval:
        """The approval of that id; BadInput, in the same words, when there is none and when the viewer may not read it (any more)."""
        self._look_again()
        return self._found(id_).approval

    def _look_again(self) -> None:
        """The viewer's rights of now, and the company as decisions have left it."""
        self._viewer = rights.fresh(self._viewer, self._everything())
        finish(self._brain)

    def _shown(self, ctx: Asking, approval: Approval) -> Shown:
        decide = approval.state in ("proposed", "approved") and rights.may_decide(ctx, approval)
        waits = approval.state == "proposed"
        return Shown(approval, waits and decide, waits and rights.may_reject(ctx, approval), approval.state == "approved" and decide)

    def _found(self, id_: str) -> Kept:
        found = self._readable(kept.found(self._store, self._workspace, [id_.strip()]))
        if not found:
            raise BadInput(f"there is no approval {id_!r} that you may read; brain approvals list shows them")
        return found[0]

    def _readable(self, found: Sequence[Kept]) -> Sequence[Kept]:
        """Those in which nothing is that the viewer may not read now. An administrator needs no group for what they see."""
        if not found:
            return ()
        holds = {one.approval.id: _ungrouped(one.held) if self._viewer.admin else one.held for one in found}
        open_ = held.covered(holds, self._viewer, self._everything())
        return [one for one in found if one.approval.id in open_]

    # -- proposing ---------------------------------------------------------------------------

    def propose(self, kind: str, args: Mapping[str, Any], why: str = "") -> Approval:
        """Asks the tool of that name as the viewer, and keeps what it proposes, with why the viewer wants it. Nothing else changes.
        The same proposal of the same person that still waits is given back.
        """
        if kind not in KINDS:
            raise BadInput(f"nothing proposes {kind!r}; legal: {', '.join(KINDS)}")
        self._look_again()
        ctx = self._ctx()
        rights.check_proposing(ctx)
        proposal = self._proposal(KINDS[kind], ctx, args)
        said = _reason(why)
        proposal = replace(proposal, why=(*([said] if said else []), *proposal.why))
        id_ = kept.propose(self._store, self._workspace, proposal, self._viewer, self._brain.now(), self._rests(proposal, args, said))
        return kept.found(self._store, self._workspace, [id_])[0].approval

    def _rests(self, proposal: Proposal, args: Mapping[str, Any], said: str) -> Held:
        """What the proposal holds: made with the viewer's rights, unless the very same comes out with fewer, so that nothing in it
        can rest on more. Words of the viewer's own may rest on all that they know.
        """
        keys = held.keys_in([proposal.args, proposal.before, proposal.after, proposal.cites])
        fewer = (permissions.guest(), permissions.member(self._viewer.id)) if not said and proposal.kind in TOLD_BY_TOOLS else ()
        for viewer in fewer:
            try:
                same = self._proposal(KINDS[proposal.kind], replace(self._ctx(), viewer=viewer), args) == proposal
            except HopcheckError:
                continue
            if same and viewer.clearance <= self._viewer.clearance:
                return held.resting(keys, viewer, self._everything())
        return held.resting(keys, self._viewer, self._everything())

    def _proposal(self, kind: Kind, ctx: Asking, args: Mapping[str, Any]) -> Proposal:
        if kind.propose is not None:
            return kind.propose(ctx, args, self._brain.tools[kind.name].run(ctx, **args))
        assert kind.write
        return kind.write(ctx, self._written(args))

    def _written(self, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a text that was written of an investigation rests on: all that is in it, which the viewer must be able to read."""
        if not args.get("investigation"):
            return args
        board = Blackboard(self._store, self._workspace, self._viewer, self._everything(), self._brain.now())
        inv = board.read(str(args["investigation"]))
        return {"title": inv.signal.title or inv.signal.name, **args, "cites": sorted(held.keys_in(asdict(inv)))}

    # -- deciding ----------------------------------------------------------------------------

    def approve(self, id_: str, reason: str = "") -> Approval:
        """Approves what waits and does it, once. BadInput, and nothing done, for who may not, when it no longer holds, and for
        whoever comes second, who is told who was first.
        """
        with locked(self._brain.files, WAIT_S):
            self._viewer = rights.fresh(self._viewer, self._everything())
            reaches = finish_locked(self._brain)
            one = self._waiting(id_)
            moment = self._moment(one, _reason(reason))
            rights.check(moment.ctx, one.approval)
            kind = KINDS[one.approval.kind]
            kind.check(moment.proposer, one.approval.proposal)
            change = kind.change(moment, one.approval.proposal)
            self._embed(change.nodes)
            if not kept.claim(self._store, self._workspace, one.approval, self._viewer, moment.at, moment.reason, change):
                self._waiting(id_)
            reaches |= finish_locked(self._brain)
        return self._settled(id_, reaches)

    def reject(self, id_: str, reason: str) -> Approval:
        """Rejects what waits, with a reason; whoever proposed it may take it back so. BadInput as for `approve`."""
        said = _reason(reason)
        if not said:
            raise BadInput("say why it is rejected: whoever proposed it will read it")
        self._look_again()
        one = self._waiting(id_)
        rights.check(self._ctx(), one.approval, rejecting=True)
        if not kept.reject(self._store, self._workspace, one.approval.id, self._viewer, self._brain.now(), said):
            self._waiting(id_)
        return self._found(id_).approval

    def undo(self, id_: str) -> Approval:
        """Takes back what was done: all is again as it was before. BadInput, and nothing changed, when the company has moved on
        since, for who may not, and for whoever comes second.
        """
        with locked(self._brain.files, WAIT_S):
            self._viewer = rights.fresh(self._viewer, self._everything())
            reaches = finish_locked(self._brain)
            one = self._approved(id_)
            moment = self._moment(one, "")
            rights.check(moment.ctx, one.approval)
            done = kept.actions(self._store, self._workspace, id_=one.approval.id)[0]
            if why := KINDS[one.approval.kind].moved(moment, done.change):
                raise BadInput(f"{why}; {one.approval.id} cannot be undone any more")
            if not kept.unclaim(self._store, self._workspace, one.approval.id, self._viewer, moment.at):
                self._approved(id_)
            reaches |= finish_locked(self._brain)
        return self._settled(id_, reaches)

    def _waiting(self, id_: str) -> Kept:
        one = self._found(id_)
        if one.approval.state != "proposed":
            raise BadInput(f"nothing was done: {_told(one.approval)}")
        return one

    def _approved(self, id_: str) -> Kept:
        one = self._found(id_)
        if one.approval.state != "approved":
            raise BadInput(f"nothing was undone: {_told(one.approval)}")
        return one

    def _settled(self, id_: str, reaches: bool) -> Approval:
        if reaches:  # who is who reaches into everything
            self._brain.load({})
        return kept.found(self._store, self._workspace, [id_.strip()])[0].approval

    # -- what a decision needs ---------------------------------------------------------------

    def _ctx(self) -> Asking:
        return self._brain.looking(self._viewer)

    def _everything(self) -> Asking:
        return self._brain.looking(permissions.local_admin())

    def _moment(self, one: Kept, reason: str) -> Moment:
        """What is compared with the proposal is asked with the rights it was made with: like with like."""
        ctx = self._ctx()
        proposer = replace(ctx, viewer=replace(self._viewer, clearance=one.held.clearance, groups=one.held.groups, admin=False))
        return Moment(one.approval.id, ctx, proposer, self._everything(), self._brain.files, self._brain.now(), reason)

    def _embed(self, nodes: tuple[tuple[str, Mapping[str, Any]], ...]) -> None:
        """Makes the vectors of passages that are about to be written, where this workspace has vectors."""
        texts = [(str(p["hash"]), str(p["text"])) for key, p in nodes if key.startswith("chunk:")]
        if texts and self._brain.vectors is not None and self._brain.embedder is not None:
            embed_missing(self._brain.vectors, self._brain.embedder, texts)


def _ungrouped(one: Held) -> Held:
    return replace(one, groups=frozenset(), used=frozenset())


def _reason(text: str) -> str:
    return " ".join(text.split())[:LONGEST_REASON]


def _told(a: Approval) -> str:
    """What became of it, for whoever comes second."""
    if a.state == "proposed":
        return f"{a.id} waits for a decision"
    by, at = (a.undone_by, a.undone_at) if a.state == "undone" else (a.decided_by, a.decided_at)
    when = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")
    did = {"undone": "undid"}.get(a.state, a.state)
    return f"{by} {did} {a.id} at {when} UTC" if a.state != "failed" else f"{a.id} failed: {a.reason}"
