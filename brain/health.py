"""What is wrong with what a company knows of itself: one check a query, each finding with the place that shows it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import unquote

from brain.instants import day
from brain.schema import LABEL_OF_PREFIX
from brain.tools.asking import Asking, Tool

# Kinds of documents that record what was so once, or list what is so without telling anybody what to do.
LASTING = (
    *("adr", "decision", "incident", "postmortem", "post-mortem", "meeting", "minutes", "notice", "announcement", "changelog"),
    *("catalogue", "codeowners", "people", "registry", "roster", "oncall"),
)
_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)|^\s{0,3}\[[^\]]+\]:\s*<?(\S+?)>?\s*$", re.MULTILINE)
_DOCUMENT = (".md", ".markdown", ".mdx")
_REL = {
    "OWNS": "owned by", "TECH_LEAD_OF": "led by", "ON_CALL_FOR": "paged to", "MAINTAINED_BY": "kept up to date by",
}  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: what it is found on, in words, what else it concerns, since when, and where that stands
    (`source`, with `line` and `quote` where they are known).
    """

    key: str
    name: str
    label: str
    says: str
    about: str = ""
    about_name: str = ""
    since: int = 0
    source: str = ""
    line: int = 0
    quote: str = ""


@dataclass(frozen=True)
class Check:
    """One kind of trouble: its name, its title, what it means, and how it is found."""

    name: str
    title: str
    meaning: str
    find: Callable[[Asking, Mapping[str, Tool]], Iterable[Finding]]


def health(ctx: Asking, tools: Mapping[str, Tool]) -> dict[str, list[Finding]]:
    """The findings of every check, as the viewer may see them at the instant asked about."""
    return {check.name: list(check.find(ctx, tools)) for check in CHECKS}


def _finding(row: Mapping[str, Any], says: str, **more: Any) -> Finding:
    given = {f.name: row[f.name] for f in fields(Finding) if row.get(f.name) is not None}
    return Finding(**{**given, **more, "says": says})


def _stale(ctx: Asking, tools: Mapping[str, Tool]) -> Iterator[Finding]:
    for row in ctx.run("stale_documents", lasting=list(LASTING)).rows:
        n = int(row["n"])
        after = f"; what it is about changed {'once' if n == 1 else f'{n} times'} since" if n else ""
        yield _finding(row, f"last looked at on {day(row['since'])}{after}", source=row["key"])


def _left(ctx: Asking, tools: Mapping[str, Tool]) -> Iterator[Finding]:
    for row in ctx.run("owners_left").rows:
        yield _finding(row, f"{_REL[row['rel']]} {row['about_name']}, who left on {day(row['since'])}")


def _unowned(ctx: Asking, tools: Mapping[str, Tool]) -> Iterator[Finding]:
    for row in ctx.run("unowned_services").rows:
        says = f"its only owner, {row['about_name']}, has left" if row["named"] else "no source names an owner"
        yield _finding(row, says + ("; only others name it at all" if row["unknown"] else ""), source=row["key"])


def _unknown(ctx: Asking, tools: Mapping[str, Tool]) -> Iterator[Finding]:
    for row in ctx.run("unknown_owners").rows:
        n = int(row["n"])
        more = f" and {n - 1} more" if n > 1 else ""
        yield _finding(row, f"owns {row['about_name']}{more}, and nobody is known to be in it")


def _statusless(ctx: Asking, tools: Mapping[str, Tool]) -> Iterator[Finding]:
    for row in ctx.run("statusless_decisions").rows:
        yield _finding(row, "says nowhere whether it was accepted")


def _gone(ctx: Asking, tools: Mapping[str, Tool]) -> Iterator[Finding]:
    for row in ctx.run("people_gone", lasting=list(LASTING)).rows:
        went = "left" if row["how"] == "left" else f"came to {row['place']}"
        yield _finding(row, f"names {row['about_name']}, who {went} on {day(row['since'])}", source=row["key"], line=row["line"] or 0)


def _dead(ctx: Asking, tools: Mapping[str, Tool]) -> Iterator[Finding]:
    known = {str(row["key"]) for row in _pages(ctx, "document_paths", "key")}
    seen = set()
    for row in _pages(ctx, "linking_texts", "chunk"):
        for match in _LINK.finditer(row["text"]):
            target = match[1] or match[2]
            wanted = _targets(str(row["path"] or row["key"].partition(":")[2]), target)
            if wanted and not known & set(wanted) and (row["key"], wanted[0]) not in seen:
                seen.add((row["key"], wanted[0]))
                line, words = _line(row, match.start())
                yield _finding(row, f"links to {target}, which is not loaded", source=row["key"], line=line, quote=words)


def _pages(ctx: Asking, query: str, by: str) -> Iterator[Mapping[str, Any]]:
    after = ""
    while rows := ctx.run(query, after=after).rows:
        yield from rows
        after = str(rows[-1][by])


def _targets(path: str, link: str) -> tuple[str, ...]:
    """The keys that a link in the document at `path` may mean; none when it does not lead to a document of ours."""
    place = unquote(link.partition("#")[0].partition("?")[0])
    if re.match(r"[a-z][a-z0-9+.-]*:|//", place, re.I) or not place.lower().endswith(_DOCUMENT):
        return ()
    folder = posixpath.dirname(path)
    if not place.startswith("/"):
        return (f"doc:{posixpath.normpath(posixpath.join(folder, place))}",)
    roots = [folder]
    while roots[-1]:
        roots.append(posixpath.dirname(roots[-1]))
    return tuple(f"doc:{posixpath.normpath(posixpath.join(root, place.lstrip('/')))}" for root in roots)


def _line(row: Mapping[str, Any], start: int) -> tuple[int, str]:
    """The line of the document, as near as the passage tells, and its words; a passage begins with a title of its own."""
    text = str(row["text"])
    begin, end = text.rfind("\n", 0, start) + 1, text.find("\n", start)
    return max(1, int(row["line"] or 1) + text.count("\n", 0, start) - 1), text[begin : end if end >= 0 else None].strip()[:300]


def _conflicts(ctx: Asking, tools: Mapping[str, Tool]) -> Iterator[Finding]:
    for row in tools["conflicts"].run(ctx, k=500).rows:
        a, b = (f"{row[f'{side}_value']} ({str(row[f'{side}_authority']).replace('_', ' ')})" for side in ("a", "b"))
        key, name = (row["subject"], str(row["subject"]).partition(":")[2]) if row["kind"] == "ownership" else (row["a"], row["a_name"])
        yield Finding(
            str(key), str(name), LABEL_OF_PREFIX.get(str(key).partition(":")[0], ""), f"{row['slot']}: {a} against {b}",
            about=str(row["b"]), about_name=str(row["b_value"]), since=int(row["since"] or 0),
            source=str(row["a_from"] or ""), line=int(row["a_line"] or 0), quote=str(row["a_quote"] or ""),
        )  # fmt: skip


CHECKS = (
    Check("owners_left", "Owners who left", "Somebody who has left is still named as answering for it.", _left),
    Check("unowned", "Services nobody owns", "Nobody who is still there answers for the service.", _unowned),
    Check("unknown_owners", "Unknown owners", "The owner is a team that nobody is known to be in.", _unknown),
    Check("conflicts", "Open conflicts", "Two sources differ about one matter at one time, and neither replaces the other.", _conflicts),
    Check("people_gone", "Documents naming people who left or moved", "Who follows the document would turn to the wrong person.", _gone),
    Check("stale", "Stale documents", "Nobody has looked at it for a year, or for three months in which its subject changed.", _stale),
    Check("statusless", "Decisions without status", "The record does not say whether the decision stands.", _statusless),
    Check("dead_links", "Dead links", "A document links to a document that is not loaded, or not open to you.", _dead),
)
