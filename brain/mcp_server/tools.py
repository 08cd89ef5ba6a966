"""The tools of the catalogue as offers: those that look something up, and those that propose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from brain.agents import untrusted
from brain.approvals import KINDS, RULES
from brain.catalogue import Param
from brain.instants import instant
from brain.mcp_server import bounded, schemas
from brain.mcp_server.offers import Asker, Offer, Told
from brain.tools import Tool
from brain.tools.asking import Asking
from brain.tools.freeform import allowed
from brain.types import Result, Viewer

FREE_FORM = "cypher_readonly"
SKIP = Param("skip", "int", 0, False)
AT = Param("at", "str?", None, False)
PROPOSE, WHY = Param("propose", "bool", False, False), Param("why", "str", "", False)
ABOUT = {
    "skip": "Leave out so many rows at the beginning: for the rest of a long result.",
    "at": "As of this date or instant, such as 2024-03-01 or 2024-03-01T12:00 (UTC); the present when not given.",
    "propose": "true: keep it as a proposal in your name, which waits for a person. false: only show what would be proposed.",
    "why": "Why you want it, for the person who decides.",
}
_WAITS = (
    " Nothing is ever done by this call: with propose=true it is kept as a proposal that a person approves or rejects,"
    " else it only shows what would be proposed."
)


def offers(tools: Mapping[str, Tool], viewer: Viewer) -> list[Offer]:
    """Every tool that the viewer may use. Free-form Cypher goes past the rule of access: it is there for administrators alone."""
    return [_acting(t) if t.name in KINDS else _reading(t) for t in tools.values() if t.name != FREE_FORM or allowed(viewer)]


def _reading(tool: Tool) -> Offer:
    extra = (SKIP,) if tool.name == FREE_FORM else (SKIP, AT)
    return Offer(tool.name, tool.description, (*tool.params, *extra), schemas.ROWS, partial(_read, tool), about=ABOUT)


def _acting(tool: Tool) -> Offer:
    params = (*tool.params, SKIP, PROPOSE, WHY)
    return Offer(tool.name, tool.description + _WAITS, params, schemas.PROPOSED, partial(_act, tool), keeps=True, about=ABOUT)


def _read(tool: Tool, asker: Asker, bound: Mapping[str, Any], given: Mapping[str, Any]) -> Told:
    ctx = asker.brain.asking(asker.viewer).at(instant(bound.get("at")))
    return told(tool.name, ctx, tool.run(ctx, **_own(tool, bound)), bound)


def _act(tool: Tool, asker: Asker, bound: Mapping[str, Any], given: Mapping[str, Any]) -> Told:
    ctx = asker.brain.asking(asker.viewer)
    if not bound["propose"]:
        return told(tool.name, ctx, tool.run(ctx, **_own(tool, bound)), bound, "Nothing was proposed; propose=true does.")
    made = asker.brain.approvals(asker.viewer).propose(tool.name, _own(tool, given), str(bound["why"]))
    proposal = {**asdict(made.proposal), "id": made.id, "state": made.state, "at": made.at, "may_decide": RULES[made.kind]}
    shown = bounded.timed(bounded.fit(proposal, bounded.CHARS, bounded.CHARS))
    said = f"Proposed as {made.id}: it waits, and nothing was done. May decide: {RULES[made.kind]}."
    return told(tool.name, ctx, Result(()), {}, said, proposal=shown)


def _own(tool: Tool, args: Mapping[str, Any]) -> dict[str, Any]:
    return {p.name: args[p.name] for p in tool.params if p.name in args}


def told(name: str, ctx: Asking, result: Result, args: Mapping[str, Any], said: str = "", **more: Any) -> Told:
    """What a result is for a program and for a model: the same rows."""
    page, rows = bounded.page(result, int(args.get("skip", 0)), args)
    asked = {"as_of": ctx.as_of, "as_of_utc": bounded.utc(ctx.as_of), "workspace": ctx.workspace, "viewer": ctx.viewer.id}
    none = "No rows: nothing that is loaded, and that you may read, fits" if not result.rows else ""
    of = f"{none or f'{len(rows)} of {len(result.rows)} rows'}, as of {bounded.utc(ctx.as_of)}."
    head = [line for line in (said, "" if more else of, f"Left out: {page['left_out']}." if page["left_out"] else "") if line]
    data = [more] if more else rows
    if data:
        piece = untrusted.rows(name, data, bounded.ROWS)
        head.append(untrusted.wrap([piece], each=2 * bounded.CHARS, whole=2 * bounded.CHARS))
    return Told({**page, **asked, **more}, "\n".join(head))
