"""What a decision would be if it were recorded: as a proposal, which changes nothing (see `brain.approvals`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from brain import schema
from brain.errors import ToolError
from brain.tools.asking import Asking, tool
from brain.tools.things import thing
from brain.types import Result

LONGEST_TITLE, LONGEST_TEXT, MOST = 200, 20_000, 30


@tool("title: str, text: str, about: list[str] = [], because: list[str] = []")
def record_decision(ctx: Asking, title: str, text: str, about: list[str], because: list[str]) -> Result:
    """Proposes a decision to record, and changes nothing: what was decided and why, what it is `about` (services, teams,
    repositories and the like) and `because` of which sources (tickets, incidents, pull requests, documents, rules and the like).
    Rows: section (decision, about, because), key, name, text.
    """
    title, text = " ".join(title.split()), text.strip()
    if not title or len(title) > LONGEST_TITLE or not text or len(text) > LONGEST_TEXT:
        raise ToolError(f"a decision has a title of at most {LONGEST_TITLE} characters and a text of at most {LONGEST_TEXT:,}")
    rows: list[dict[str, Any]] = [{"section": "decision", "key": None, "name": title, "text": text}]
    found: dict[str, list[str]] = {}
    for section, given, rel in (("about", about, "ABOUT"), ("because", because, "JUSTIFIED_BY")):
        if len(given) > MOST:
            raise ToolError(f"{section!r} names at most {MOST} things")
        found[section] = list(dict.fromkeys(_thing(ctx, name, section, schema.RELS[rel].range) for name in given))
    known = ctx.run("by_keys", keys=[k for keys in found.values() for k in keys])
    names = {str(r["key"]): r["name"] for r in known.rows}
    rows += [{"section": part, "key": k, "name": names[k], "text": None} for part, keys in found.items() for k in keys if k in names]
    return Result(tuple(rows), known.nodes, known.edges, known.query, known.params, known.ms, known.server_ms)


def _thing(ctx: Asking, name: str, section: str, legal: Sequence[str]) -> str:
    key = thing(ctx, name)
    if schema.label_of(key) not in legal:
        raise ToolError(f"{section!r} names {', '.join(legal)}; {key!r} is none of them")
    return key


TOOLS = (record_decision,)
