"""A draft of a reply to a ticket or an issue, out of what was answered before; it proposes, and nothing is written or sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from brain import schema
from brain.errors import ToolError
from brain.text.analysis import query_terms, terms
from brain.tools import naming
from brain.tools.asking import Asking, tool
from brain.tools.search import passages
from brain.types import Result

KINDS = ("Ticket", "Issue", "Incident")
ALIKE, DOCS = 3, 2
_POOL, _TERMS, _COVERED = 60, 24, 0.5
_SAME, _OTHER = 0.25, 0.6  # how much of its title those share that are about the same thing, and those that are not
_TELLS = ("Doc", "Rule", "Decision")
_FIELD = re.compile(r"^(?:[A-Z][\w ./-]{0,24}|[a-z_]+): ")
_SENTENCE = re.compile(r"[^.!?]+[.!?]+(?=\s|$)|[^.!?]+$")
_DRESSED = re.compile(r"^\s*(?:[-*+>]|\d+[.)])\s+")


@tool("key: str")
def draft_reply(ctx: Asking, key: str) -> Result:
    """Drafts a reply to a ticket, issue or incident, and changes and sends nothing: what tickets alike ended with, and what documents
    say about it, each sentence quoting a line of its source. Rows, in the order of the reply: n, section (alike or document),
    sentence, key, name, line, quote, score (how near, 1 is the nearest). No rows where nothing answers it.
    """
    key = naming.entity(ctx, key)
    if schema.label_of(key) not in KINDS:
        raise ToolError(f"draft_reply takes a {', '.join(KINDS)}, not {key!r}")
    own = ctx.run("chunks_of", key=key, k=3)
    wanted = query_terms(" ".join(_asked(own.rows)))[:_TERMS]
    if not wanted:
        raise ToolError(f"{key!r} has no words to compare")
    title = set(_title(str(own.rows[0]["title"] or ""), key)) or set(wanted)
    hits = ctx.run("search_text", terms=wanted, passages=passages(ctx), k=_POOL, labels=list(KINDS))
    tells = ctx.run("search_text", terms=sorted(title), passages=passages(ctx), k=_POOL, labels=list(_TELLS))
    best: dict[str, float] = {}
    for row in hits.rows:
        if row["src"] != key:
            best[str(row["src"])] = max(float(row["score"]), best.get(str(row["src"]), 0.0))
    answered = ctx.run("answered", keys=sorted(best)) if best else replace(hits, rows=(), nodes=(), edges=())
    about = {str(r["key"]) for r in ctx.run("subjects", key=key).rows if r["rel"] != "IN_REPO"}
    rows = [*_alike(ctx, _fitting(answered.rows, title, about), best), *_told(tells.rows, title)]
    keep = {key, *(str(r["key"]) for r in rows)}
    nodes = {n.key: n for n in (*own.nodes, *answered.nodes, *tells.nodes) if n.key in keep}
    return replace(hits, rows=tuple({"n": n, **r} for n, r in enumerate(rows, 1)), nodes=tuple(nodes.values()), edges=())


def _asked(rows: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    """The title and the words of its own text, without the fields that stand above them."""
    for n, row in enumerate(rows):
        title, *lines = str(row["text"]).split("\n")
        if row["part"] == "body":
            yield from ([title] if n == 0 else [])
            yield from (line for line in lines if not _FIELD.match(line))


def _title(name: str, key: str) -> list[str]:
    """What the title says, without the ticket's own number in front of it."""
    return list(query_terms(name.removeprefix(key.partition(":")[2]).strip()))


def _fitting(answered: Iterable[Mapping[str, Any]], title: set[str], about: set[str]) -> list[Mapping[str, Any]]:
    """Those whose titles say enough of the same."""
    fits = []
    for row in answered:
        shared = len(title & set(_title(str(row["name"]), str(row["key"])))) / len(title)
        if shared >= (_SAME if about & set(row["about"]) else _OTHER):
            fits.append(row)
    return fits


def _alike(ctx: Asking, answered: Sequence[Mapping[str, Any]], best: Mapping[str, float]) -> list[dict[str, Any]]:
    """What those that are most alike ended with."""
    top = max((best[str(r["key"])] for r in answered), default=0.0)
    near = sorted(answered, key=lambda r: (-best[str(r["key"])], r["key"]))
    rows: list[dict[str, Any]] = []
    for row in near[: 3 * ALIKE]:
        ended = _ended(ctx.run("chunks_of", key=row["key"], k=100).rows)
        if ended is None or ended[1] in {r["quote"] for r in rows}:
            continue
        name, who = str(row["name"]), " and ".join(map(str, row["handlers"][:2]))
        by = f", which {who} handled" if who else ""
        told = {"key": row["key"], "name": name, "line": ended[0], "quote": ended[1], "score": round(best[str(row["key"])] / top, 4)}
        rows.append({"section": "alike", "sentence": f"It looks like “{name}”{by}. It ended with: “{ended[1]}”", **told})
    return rows[:ALIKE]


def _ended(rows: Sequence[Mapping[str, Any]]) -> tuple[int, str] | None:
    """The last that was said in a comment and is no question, two sentences of it: the line and its words."""
    for row in reversed([r for r in rows if str(r["part"]).startswith("comment")]):
        for line, said in reversed(_lines(row)):
            parts = list(_SENTENCE.finditer(said))
            while parts and (parts[-1][0].strip().endswith("?") or len(parts[-1][0].split()) < 2):
                parts.pop()
            if parts:
                start = next((n + 1 for n in range(len(parts) - 1, -1, -1) if parts[n][0].strip().endswith("?")), 0)
                return line, said[parts[max(start, len(parts) - 2)].start() : parts[-1].end()].strip()
    return None


def _told(hits: Iterable[Mapping[str, Any]], wanted: set[str]) -> list[dict[str, Any]]:
    """The sentences of documents that say most of what was asked about, one a document."""
    found: dict[str, tuple[float, int, str, str]] = {}
    for row in hits:
        if row["src_label"] not in _TELLS:
            continue
        title = str(row["title"])
        for line, said in _lines(row):
            for sentence in (s.strip() for s in _SENTENCE.findall(said)):
                covered = len(wanted & set(terms(sentence))) / len(wanted)
                if covered >= _COVERED and covered * len(wanted) >= 2 and len(sentence.split()) > 3 and not sentence.endswith("?"):
                    found[str(row["src"])] = max(found.get(str(row["src"]), (0.0, 0, "", "")), (covered, -line, sentence, title))
    best = sorted(found.items(), key=lambda item: (-item[1][0], item[0]))[:DOCS]
    return [
        {
            "section": "document", "sentence": f"“{title}” says: “{said}”", "key": key, "name": title, "line": -line, "quote": said,
            "score": round(covered, 4),
        }
        for key, (covered, line, said, title) in best
    ]  # fmt: skip


def _lines(row: Mapping[str, Any]) -> list[tuple[int, str]]:
    """The lines of a passage that are prose, with their numbers: no title, heading, table or code."""
    title, *lines = str(row["text"]).split("\n")
    if " ".join(str(row["title"] or "").split()) != title.strip():
        lines = [title, *lines]
    first, last = int(row["line"] or 0), int(row["line_end"] or 0)
    numbered = [(min(first + n, max(first, last)), _DRESSED.sub("", line).strip()) for n, line in enumerate(lines)]
    return [(n, line) for n, line in numbered if line and line[0] not in "#|`<" and not _FIELD.match(line)]


TOOLS = (draft_reply,)
