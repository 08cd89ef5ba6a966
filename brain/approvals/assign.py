"""Giving a ticket to somebody: the new assignment begins, those before it end, and nothing of the history goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brain.approvals.approval import Change, Proposal
from brain.approvals.deciding import Moment, narrowest, still
from brain.errors import BadInput
from brain.tools.asking import Asking
from brain.tools.assigning import KINDS
from brain.tools.things import thing
from brain.types import Result

NAME = "assign_ticket"


def propose(ctx: Asking, args: Mapping[str, Any], found: Result) -> Proposal:
    """Gives the ticket to the first of the tool's rows."""
    key = thing(ctx, str(args["ticket"]), KINDS)
    if not found.rows:
        raise BadInput(f"nobody is known who could take {key!r}; name somebody")
    best, *others = found.rows
    if best["assigned"]:
        raise BadInput(f"{key!r} is {best['name']}'s already; name somebody else")
    title = still(ctx, [key])[key]
    before = _now(ctx, key)
    instead = f" instead of {' and '.join(str(r['name']) for r in before)}" if before else ""
    why = [f"{best['name']}: {best['why']}", *(f"next {r['name']} ({r['score']:.2f}): {r['why']}" for r in others[:2])]
    cites = [key, *(str(r["assignee"]) for r in before), str(best["key"]), *best["because"], *(str(r["key"]) for r in others[:2])]
    after = {"ticket": key, "assignee": best["key"], "name": best["name"], "score": best["score"]}
    return Proposal(
        NAME, {"ticket": key, "assignee": best["key"]}, f"Assign {key.partition(':')[2]} ({title}) to {best['name']}{instead}",
        tuple(before), (after,), tuple(why), tuple(dict.fromkeys(cites)),
    )  # fmt: skip


def _now(ctx: Asking, key: str) -> list[dict[str, Any]]:
    """Whose the ticket is now, people alone: the group that it lies with stays."""
    rows = [r for r in ctx.run("assigned", key=key).rows if r["label"] == "Person"]
    return [{"ticket": key, "assignee": r["key"], "name": r["name"], "aid": r["aid"], "until": r["valid_to"]} for r in rows]


def check(ctx: Asking, p: Proposal) -> None:
    """BadInput when the ticket has gone, has changed hands, or nobody can take it who was to; `ctx` asks as whoever proposed it."""
    key, to = str(p.args["ticket"]), str(p.args["assignee"])
    still(ctx, [key, to])
    now = _now(ctx, key)
    if [(r["assignee"], r["aid"]) for r in now] != [(r["assignee"], r["aid"]) for r in p.before]:
        whose = " and ".join(str(r["name"]) for r in now) or "nobody"
        raise BadInput(f"{key!r} has changed hands since this was proposed: it is {whose}'s now; propose again")
    person = ctx.run("workload", keys=[to]).rows[0]
    if person["departed_at"] is not None and int(person["departed_at"]) <= ctx.as_of:
        raise BadInput(f"{person['name']} has left since this was proposed; propose again")


def change(moment: Moment, p: Proposal) -> Change:
    """The new assignment, as open as the ticket and what whoever proposed it knows it to be about allow, and the end of those
    before it.
    """
    key, to = str(p.args["ticket"]), str(p.args["assignee"])
    about = [str(r["key"]) for r in moment.proposer.run("subjects", key=key).rows]
    label = narrowest(moment.everything, [key, to, *about])
    quote = moment.words(f"Assigned to {p.after[0]['name']}")
    ended = tuple((key, "ASSIGNED_TO", str(r["assignee"]), str(r["aid"]), r["until"], moment.holds) for r in p.before)
    stay = {str(r["aid"]) for r in moment.everything.run("assigned", key=key).rows} - {e[3] for e in ended}
    claim = moment.claim(0, label, key, NAME)
    proofs = (moment.evidence(label, key, 0, quote, NAME),)
    return Change((key, to), (), ((key, "ASSIGNED_TO", to, moment.aid, claim),), proofs, ended, tuple(sorted(stay)))


def moved(moment: Moment, done: Change) -> str:
    """Why what was done cannot be undone, as far as whoever undoes it may know; empty when it can."""
    (src, _, to, aid, _) = done.edges[0]
    now = {str(r["aid"]): str(r["name"]) for r in moment.ctx.run("assigned", key=src).rows if r["label"] == "Person"}
    if aid not in now:
        return f"{src!r} is not assigned to {to!r} any more"
    if since := [name for other, name in now.items() if other not in {aid, *done.beside}]:
        return f"{src!r} has been assigned to {' and '.join(since)} since"
    return ""
