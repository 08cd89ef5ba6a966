"""A draft for an issue nobody has looked at yet. It proposes; nothing is written or sent anywhere."""

from __future__ import annotations

from brain import schema
from brain.errors import ToolError
from brain.text.analysis import query_terms
from brain.tools import naming
from brain.tools.asking import Asking, tool
from brain.types import Result


@tool("key: str, k: int = 5")
def draft_triage(ctx: Asking, key: str, k: int) -> Result:
    """A draft for triaging an issue: likely duplicates by its words, people to ask by who wrote and reviewed the changes that
    fixed similar issues, and labels that similar issues carry. Only a draft. Rows: section (duplicate, reviewer, label), key,
    name, score, because (keys of what it rests on).
    """
    key = naming.entity(ctx, key)
    if schema.label_of(key) != "Issue":
        raise ToolError(f"draft_triage takes an issue, not {key!r}")
    passages = ctx.run("chunks_of", key=key, k=3).rows
    terms = query_terms(" ".join(f"{p['title'] or ''} {p['text']}" for p in passages[:1]))
    if not terms:
        raise ToolError(f"{key!r} has no words to compare")
    return ctx.run("draft_triage", key=key, terms=terms, k=k)


TOOLS = (draft_triage,)
