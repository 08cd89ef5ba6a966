"""What was decided, why, and whether it still stands."""

from __future__ import annotations

import re
from dataclasses import replace

from brain import schema
from brain.errors import ToolError
from brain.text.analysis import query_terms
from brain.text.irregular import forms
from brain.tools import naming
from brain.tools.asking import Asking, tool
from brain.tools.wording import nearest, with_lines
from brain.types import Result

_KIND_WORDS = "decision decisions decide decided adr record choose chose chosen choice reason"
_NUMBER = re.compile(r"^(?:[a-z]{2,12}[\s#_-]*)?(?:no\.?\s*)?0*(\d{1,5})\.?$", re.I)


@tool("topic: str, k: int = 5")
def decision(ctx: Asking, topic: str, k: int) -> Result:
    """The decisions about something, with the reason and with what became of them by the instant asked about: give a key, a number
    such as ADR-7, or words. A decision replaced only in part still stands for the rest; `scope` says what was replaced. Rows: key,
    name, number, stated (what the record itself says; null before it was replaced), at, status (in_force, superseded,
    partly_superseded, proposed, rejected, deprecated, unknown), reason, doc, author, author_name, deciders, superseded_by,
    supersedes, scope, from_key, line, quote.
    """
    keys = _meant(ctx, topic)[:k]
    found = ctx.run("decision_status", keys=keys, k=k)
    phrases = {r["key"]: [str(r["reason"] or "")[:60] or str(r["name"])] for r in found.rows}
    return replace(found, rows=tuple(with_lines(ctx, found.rows, phrases, "doc")))


def _meant(ctx: Asking, topic: str) -> list[str]:
    """The keys of the decisions that the topic means, the nearest first."""
    known = ctx.run("decisions_known").rows
    text = topic.strip()
    if text.partition(":")[0] in schema.LABEL_OF_PREFIX and ":" in text:
        key = naming.entity(ctx, text)
        if key.startswith("decision:"):
            return [key]
        if key.startswith("doc:"):
            return [str(r["key"]) for r in known if r["doc"] == key]
        text = str(ctx.run("entities", keys=[key]).rows[0]["name"])
    if number := _NUMBER.match(text):
        return [str(r["key"]) for r in known if _number(r["number"]) == int(number[1])]
    words = query_terms(text)
    if not words:
        raise ToolError("'topic' needs a key, a number or at least one word that says what was decided")
    of_doc = {str(r["doc"]): str(r["key"]) for r in known if r["doc"]} | {str(r["key"]): str(r["key"]) for r in known}
    looked = sorted(set().union(*(forms(w) for w in words)))
    found = ctx.run("words_said", terms=looked, labels=["Doc", "Decision"]).rows
    said = {r["term"]: [of_doc.get(k, k) for k in r["keys"]] for r in found}
    names = {str(r["key"]): [str(r[n]) for n in ("title", "topic") if r[n]] or [str(r["name"])] for r in known}
    return [key for key, _ in nearest(text, names, said, _KIND_WORDS)]


def _number(value: object) -> int | None:
    digits = re.search(r"\d+", str(value)) if value is not None else None
    return int(digits[0]) if digits else None


TOOLS = (decision,)
