"""A claim that waits for a person, as a proposal to approve or reject it, which changes nothing (see `brain.approvals`)."""

from __future__ import annotations

from dataclasses import replace

from brain.errors import ToolError
from brain.permissions import FOREVER
from brain.tools.asking import Asking, tool
from brain.types import Result


@tool("aid: str, state: approved|rejected = approved")
def approve_candidate(ctx: Asking, aid: str, state: str) -> Result:
    """Proposes to approve or reject a claim that was read with less than certainty, and changes nothing. No answer rests on such a
    claim before a person approved it. Rows: aid, rel, src, src_name, dst, dst_name, is (its state now), becomes, authority, source,
    line, quote.
    """
    ever = replace(ctx, as_of=FOREVER - 1, known_at=None)
    found = ever.run("claims", states=["candidate", "approved", "rejected"], aids=[aid.strip()], k=1)
    if not aid.strip() or not found.rows:
        raise ToolError(f"no claim has the id {aid!r}; brain candidates list shows them")
    row = found.rows[0]
    if row["state"] == state:
        raise ToolError(f"the claim {aid!r} is {state} already")
    told = {name: row[name] for name in ("aid", "rel", "src", "src_name", "dst", "dst_name")}
    more = {name: row[name] for name in ("authority", "source", "line", "quote")}
    return replace(found, rows=({**told, "is": row["state"], "becomes": state, **more},))


TOOLS = (approve_candidate,)
