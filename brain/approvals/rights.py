"""Who may decide about what, in one place: asked again at the very moment somebody decides, with their rights of then."""

from __future__ import annotations

from dataclasses import replace

from brain import viewers
from brain.approvals.approval import Approval
from brain.errors import BadInput
from brain.runs import SHARED
from brain.tools.asking import Asking
from brain.types import Viewer

DRAFTS = ("draft_triage", "draft_reply", "draft_post_mortem", "draft_message")
RULES = {
    "assign_ticket": "an administrator, or who owns what the ticket is about or is in the team that does",
    "record_decision": "an administrator",
    "approve_candidate": "an administrator",
    **dict.fromkeys(DRAFTS, "an administrator, or who proposed it; nothing is ever sent"),
}


def may_decide(ctx: Asking, approval: Approval) -> bool:
    """Whether the one who asks may approve, or undo, what they can see; `ctx` asks with their rights of now."""
    viewer = ctx.viewer
    if viewer.by or viewer.id in SHARED:
        return False
    if viewer.admin or (approval.kind in DRAFTS and _own(ctx, approval)):
        return True
    if approval.kind != "assign_ticket":
        return False
    return any(str(r["key"]) in viewer.groups for r in ctx.run("owning", key=str(approval.proposal.args["ticket"])).rows)


def may_reject(ctx: Asking, approval: Approval) -> bool:
    """Whoever may approve it, and whoever proposed it."""
    return may_decide(ctx, approval) or (not ctx.viewer.by and _own(ctx, approval))


def check(ctx: Asking, approval: Approval, *, rejecting: bool = False) -> None:
    """BadInput, with the rule, for who may not."""
    if ctx.viewer.by:
        raise BadInput(f"you look as {ctx.viewer.id}; decide as yourself")
    if not (may_reject(ctx, approval) if rejecting else may_decide(ctx, approval)):
        raise BadInput(f"{ctx.viewer.id} may not decide about {approval.id} ({approval.kind}); {RULES[approval.kind]} may")


def check_proposing(ctx: Asking) -> None:
    """BadInput for those without a name of their own, and for who looks as somebody else."""
    if ctx.viewer.by or ctx.viewer.id in SHARED:
        raise BadInput(f"a proposal needs a name: {ctx.viewer.id!r} cannot propose; log in, or stop looking as somebody else")


def _own(ctx: Asking, approval: Approval) -> bool:
    return (approval.viewer, approval.owner) == (ctx.viewer.id, ctx.viewer.owner) and ctx.viewer.id not in SHARED


def fresh(viewer: Viewer, everything: Asking) -> Viewer:
    """The viewer with what they had and still have: a person of the company who has left a team, or the company, has lost what
    that opened, however long ago they were looked up. Never more than before.
    """
    own = next((g for g in sorted(viewer.groups) if g.startswith("person:")), None)
    if viewer.admin or own is None:
        return viewer
    found = viewers.keyed(own, everything)
    now = viewers.seen_by(viewer.id, found, everything) if found else Viewer(viewer.id)
    return replace(viewer, clearance=viewer.clearance & now.clearance, groups=viewer.groups & now.groups)
