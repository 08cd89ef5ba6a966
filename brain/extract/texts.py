"""The stored texts that can be read: documents, chat threads, and what is said at requests, issues and tickets. Only what whoever asks
may read comes out of the graph; files that a connector reads in full are left to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from brain.extract.slices import Line, Passage, Slice, cut
from brain.text import passages
from brain.text.inert import inert
from brain.tools.asking import Asking

KINDS = {"docs": ("Doc",), "chat": ("Thread",), "requests": ("PullRequest",), "issues": ("Issue",), "tickets": ("Ticket",)}
PAGE, KEYS = 500, 40
_READ_IN_FULL = ("catalogue", "codeowners", "registry")
_NO_PROSE = (".yaml", ".yml", ".json", ".csv", "codeowners")


def slices(ctx: Asking) -> Iterator[Slice]:
    """Every slice that whoever asks may read, of every kind, in an order of their own that does not change."""
    yield from _talks(ctx)
    yield from _writings(ctx)


def kind_of(key: str) -> str:
    """The kind of text that the thing with this key is."""
    prefix = key.partition(":")[0]
    return {"doc": "docs", "thread": "chat", "pr": "requests", "issue": "issues", "ticket": "tickets"}[prefix]


def _talks(ctx: Asking) -> Iterator[Slice]:
    after = ""
    while rows := ctx.run("talks", after=after, k=PAGE).rows:
        for start in range(0, len(rows), KEYS):
            some = rows[start : start + KEYS]
            said = _passages(ctx, [str(key) for r in some for key in r["messages"] or ()])
            for r in some:
                talk = [p for key in r["messages"] or () for p in said.get(str(key), ())]
                yield from cut(str(r["key"]), str(r["name"] or ""), talk)
        after = str(rows[-1]["key"])


def _writings(ctx: Asking) -> Iterator[Slice]:
    after = ""
    while rows := ctx.run("writings", after=after, k=PAGE).rows:
        kept = [r for r in rows if not _read_in_full(r)]
        for start in range(0, len(kept), KEYS):
            some = kept[start : start + KEYS]
            said = _passages(ctx, [str(r["key"]) for r in some])
            for r in some:
                key = str(r["key"])
                repo = key.partition(":")[2].partition("#")[0] if key.startswith(("pr:", "issue:")) else ""
                yield from cut(key, str(r["name"] or ""), said.get(key, ()), repo)
        after = str(rows[-1]["key"])


def _read_in_full(row: Mapping[str, Any]) -> bool:
    """Is it a file that holds fields rather than sentences?"""
    path = str(row["path"] or "").lower()
    return str(row["kind"] or "") in _READ_IN_FULL or path.endswith(_NO_PROSE)


def _passages(ctx: Asking, keys: Sequence[str]) -> dict[str, list[Passage]]:
    """The passages of each of these sources: the text itself, then what was said about it, as it was said."""
    found: dict[str, list[Passage]] = {}
    for start in range(0, len(keys), PAGE):
        rows = ctx.run("passages_of", keys=list(keys[start : start + PAGE])).rows
        for src, some in groupby(rows, key=lambda r: str(r["src"])):
            ordered = sorted(some, key=lambda r: (r["part"] not in ("", "body", None), r["at"] or 0, str(r["part"] or ""), r["n"] or 0))
            found[src] = [p for p in map(_passage, ordered) if p.lines]
    return found


def _passage(row: Mapping[str, Any]) -> Passage:
    read = passages.passage({**row, "chunk": row["chunk"], "src_label": ""})
    lines = []
    for number, text in enumerate(read.body.splitlines() if read.line else (), read.line):
        if words := " ".join(inert(text).split()):
            lines.append(Line(read.src, read.part, number, words, read.author, read.at))
    return Passage(tuple(lines), str(row["access"] or ""), tuple(row["aud"] or ()))
