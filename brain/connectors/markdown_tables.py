"""Tables that state something: registries of services, modules, teams, documents; rosters; who is on call. Each column says
what columns.yaml declares for it, from the day on and until the day that the line gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from brain import schema
from brain.connectors.dates import moments
from brain.connectors.markdown_columns import Column, Reading, plain_heading
from brain.connectors.markdown_kind import Document, says
from brain.connectors.markdown_names import NAMED, Found, Unfound, key_part
from brain.connectors.markdown_page import Line, Table
from brain.connectors.markdown_page import Row as TableRow
from brain.connectors.markdown_roster import entries, readings
from brain.connectors.markdown_status import state, status
from brain.connectors.markdown_writer import Writer
from brain.types import Row

_REGISTER = re.compile(
    r"\b(?:registr(?:y|ies)|catalog(?:ue)?|inventory|roster|director(?:y|ies)|on-?call|owner(?:s|ship)?|service list|who owns|who is who"
    r"|responsibilit(?:y|ies)|rota)\b",
    re.IGNORECASE,
)
_KEEPS = re.compile(r"maintain|curat|editor|\bdoc|author")
_DAYS = re.compile(r"(?P<a>\d{1,2})\s*[-\u2013\u2014]\s*(?P<b>\d{1,2}) (?P<rest>[A-Za-z]{3,9} \d{4})")
_BY_HAND = frozenset({"roster", "oncall"})
_WEEK = 7 * 86_400


@dataclass(frozen=True)
class Span:
    """When a line holds."""

    start: int = 0
    end: int | None = None


def is_register(document: Document, table: Table) -> bool:
    """Is the table there to state what it states: in a registry, under a heading that says so, or in a document that is a list?"""
    return document.kind == "registry" or bool(_REGISTER.search(f"{table.heading} {document.title.text}")) or is_list(document)


def is_list(document: Document) -> bool:
    """Is the document of no other kind, not a draft, and its tables more than the words around them?"""
    if document.kind not in ("document", "readme", "index", "guide") or _standing(document) not in ("", "accepted"):
        return False
    listed = sum(len(cell.text.split()) for table in document.page.tables for row in table.rows for cell in row.cells)
    return listed > sum(len(line.text.split()) for section in document.page.sections for line in section.lines)


def _standing(document: Document) -> str:
    written = status(document)
    return state(written.text) if written else ""


def _is_formal(document: Document) -> bool:
    return document.kind == "registry" or (is_list(document) and _standing(document) == "accepted")


def subjects(document: Document, reading: Reading) -> Iterator[tuple[str, str, str]]:
    """(label, id, name) of every line of a table, as far as the table tells: what a list makes known."""
    at = reading.places.get("id", -1)
    for row in reading.table.rows:
        cell = row.cells[reading.subject].text if 0 <= reading.subject < len(row.cells) else ""
        name = re.sub(r"\s*\([^)]*\)", "", cell).strip("` *")
        given = row.cells[at].text.strip("` ") if 0 <= at < len(row.cells) else ""
        if says(name) and reading.kind.label in NAMED and len(name.split()) <= 5:
            yield reading.kind.label, given if says(given) else key_part(name), name


def rows(w: Writer) -> Iterator[Row]:
    """The rows of every table of a document but its rules; its text must have gone by."""
    yield from _roster(w)
    for table, reading in readings(w.document, w.columns):
        if reading is None:
            if w.document.kind == "registry" and len(table.header) > 1:
                yield w.skip(f"a table of no declared kind: {' | '.join(table.header)[:80]}", table.line, max(1, len(table.rows)))
            continue
        for heading in reading.unknown:
            yield w.skip(f"the column {heading!r} of a table of {reading.kind.name} is in no list", table.line)
        if reading.kind.name != "rules":
            state = "approved" if is_register(w.document, table) else "candidate"
            for row in reading.table.rows:
                yield from _Lines(w, reading, state).rows(row)


def _roster(w: Writer) -> Iterator[Row]:
    """The accounts of the document's rosters; who stands on which line is kept for what the lines say."""
    accounts = w.context.company.accounts
    for entry in entries(w.document, w.columns, w.access, w.times.recorded, w.names.hashes):
        if w.access == "restricted":
            person = w.names.person(entry.account.names[0], entry.account.login)
        else:
            person = accounts.person(entry.account.system, entry.account.handle)
        if person is not None:
            w.people[entry.row.line] = Found(person, entry.account.names[0])
        yield from accounts.rows(entry.account, w.source)


class _Lines:
    """The lines of one table on their way to rows."""

    def __init__(self, w: Writer, reading: Reading, state: str) -> None:
        self.w, self.reading, self.state = w, reading, state
        self.starts = self._starts()
        self.authority = "formal_rule" if _is_formal(w.document) and reading.kind.name not in _BY_HAND else "practice"

    def rows(self, row: TableRow) -> Iterator[Row]:
        span = self._span(row)
        if span is None:
            yield self.w.skip("a date that may be day or month first", row.line)
            return
        subject = yield from self._subject(row)
        if subject is None:
            return
        span = Span(subject.start or span.start, subject.end if subject.end is not None else span.end)
        label = schema.label_of(subject.key)
        if label == self.reading.kind.label and label in NAMED and not self.w.context.company.recorded(subject.key):
            yield from self._node(subject, row)
        documents = [f.key for f in self._found("doc", row, ("Doc",)) if isinstance(f, Found)]
        for column in self.reading.kind.columns:
            if column.name in self.reading.places and (column.says or column.edge):
                yield from self._column(column, row, subject, span, documents)
        for key in documents:
            yield self._claim(subject.key, "HAS_RESOURCE", key, row, "doc", span)
            yield self.w.edge(key, "ABOUT", subject.key, row.line)

    def _subject(self, row: TableRow) -> Any:
        """Yields rows, returns what the line is about."""
        w, reading = self.w, self.reading
        if reading.kind.name == "roster":
            return w.people.get(row.line)
        if reading.subject < 0:
            said = re.sub(r"\b(?:on[- ]?call|rota(?:tion)?|schedule|roster|for)\b", " ", reading.table.heading, flags=re.IGNORECASE)
            stated = (Line(v.text, v.line) for v in w.document.field("team", "service", "applies_to"))
            told = [Line(" ".join(said.split()), row.line), *stated]
            known = (one for line in told for one in w.names.all(line, reading.kind.labels, w.document.path, make=False))
            found = next((one for one in known if isinstance(one, Found)), None)
            if found is None:
                yield w.skip(f"a table of {reading.kind.name} that does not say of whom", row.line)
            return found
        cell = row.cells[reading.subject]
        if not says(cell.text):
            return None
        given = reading.cell(row, "id").strip("` ")
        tried = [Line(given, row.line)] if says(given) else []
        several = [list(w.names.all(line, reading.kind.labels, w.document.path)) for line in (*tried, cell)]
        found = next((f for one in several for f in one if isinstance(f, Found) and not f.made), None)
        found = found or next((f for f in several[0] if isinstance(f, Found)), None)
        if found is None:
            yield from (w.skip(f"{reading.kind.name}: {one.reason}", row.line) for one in several[-1] if isinstance(one, Unfound))
        return found

    def _node(self, subject: Found, row: TableRow) -> Iterator[Row]:
        """The node of something that no source of record describes, with what the line tells of it."""
        props: dict[str, Any] = {}
        for column in self.reading.kind.columns:
            text = self.reading.cell(row, column.name)
            if column.prop and says(text):
                tier = re.search(r"\d+", text) if column.prop == "tier" else None
                props[column.prop] = int(tier.group()) if tier else " ".join(text.split())[:300]
        if "repo" in props:
            found = next((f.key for f in self._found("repo", row, ("Repo",)) if isinstance(f, Found) and not f.made), None)
            props["repo"] = found.partition(":")[2] if found else props["repo"].strip("`")
        self.w.made.add(subject.key)
        yield from self.w.thing(subject.key, subject.name, row.line, **props)

    def _found(self, column: str, row: TableRow, labels: tuple[str, ...]) -> Iterator[Found | Unfound]:
        at = self.reading.places.get(column, -1)
        if 0 <= at < len(row.cells):
            yield from self.w.names.all(row.cells[at], labels, self.w.document.path)

    def _column(self, column: Column, row: TableRow, subject: Found, span: Span, documents: list[str]) -> Iterator[Row]:
        for one in self._found(column.name, row, column.labels):
            if isinstance(one, Unfound) and one.bearers and subject.key.startswith("team:"):  # the one of that name who is in the team
                member = self.w.library.member(self.w.context.company, one.bearers, subject.key)
                one = Found(member, one.name) if member else one
            if isinstance(one, Unfound):
                yield self.w.skip(f"{self.reading.said[column.name]}: {one.reason}", row.line)
                continue
            yield from self.w.named(one, row.line)
            own = Span(one.start or span.start, one.end if one.end is not None else span.end)
            src, rel, dst = column.says or column.edge
            about = {"subject": [subject.key], "value": [one.key], "document": documents or [self.w.key]}
            for a, b in ((x, y) for x in about[src] for y in about[dst] if x != y):
                if column.edge:
                    yield self.w.edge(a, rel, b, row.line, access=self.w.access, aud=list(self.w.aud) or None)
                else:
                    scope = subject.name if "document" in column.says and not documents else ""
                    yield self._claim(a, rel, b, row, column.name, own, scope, column.rank)

    def _claim(self, src: str, rel: str, dst: str, row: TableRow, column: str, span: Span, scope: str = "", rank: str = "") -> Row:
        heading = plain_heading(self.reading.said.get(column, column))
        read = "maintainer" if _KEEPS.search(heading) else heading
        return self.w.claim(
            src, rel, dst, row.line, read, authority=self.authority, state=self.state, valid_from=span.start, valid_to=span.end,
            scope=scope, props={"rank": rank} if rank else {},
        )  # fmt: skip

    def _span(self, row: TableRow) -> Span | None:
        """When the line holds; None when a date of it may be one of two."""
        reading = self.reading
        given = {name: reading.cell(row, name) for name in ("from", "until", "week")}
        when = self.w.document
        if any(when.unclear(text) for text in given.values()):
            return None
        start, end = when.when(given["from"]), when.when(given["until"])
        if start is None and says(given["week"]):
            days = list(moments(_DAYS.sub(r"\g<a> \g<rest> - \g<b> \g<rest>", given["week"]), 0, when.day_first))
            if days:
                whole = "week" in reading.said.get("week", "").lower() and len(days) == 1
                return Span(days[0].start, days[0].start + _WEEK - 1 if whole else days[-1].end)
        if end is None:
            return Span(start.start if start else 0, None)
        # where another line about the same starts on the day that this one ends, that day is the other's
        return Span(start.start if start else 0, end.start - 1 if (self._about(row), end.start) in self.starts else end.end)

    def _starts(self) -> set[tuple[str, int]]:
        """What each line is about and the instant it starts."""
        found = ((self._about(row), self.w.document.when(self.reading.cell(row, "from"))) for row in self.reading.table.rows)
        return {(about, m.start) for about, m in found if m is not None}

    def _about(self, row: TableRow) -> str:
        return row.cells[max(self.reading.subject, 0)].text if row.cells else ""
