"""One document on its way to rows: its access, its times, and the making of nodes, edges and claims that all carry them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from brain import schema
from brain.connectors.context import Context
from brain.connectors.dates import Moment, moments, stamp
from brain.connectors.markdown_columns import Columns
from brain.connectors.markdown_front import Value
from brain.connectors.markdown_kind import Document, is_placeholder
from brain.connectors.markdown_library import Library
from brain.connectors.markdown_names import Found, Names, Unfound
from brain.connectors.markdown_page import Line
from brain.connectors.markdown_rules import FORMAL, STARTS
from brain.connectors.markdown_status import status
from brain.types import ClaimRow, EdgeRow, NodeRow, Origin, Row, Skip

_STRICT = {"open": 0, "internal": 1, "restricted": 2}
_WORDS = {
    "public": "open", "open": "open", "everyone": "open", "all": "open", "internal": "internal", "company": "internal",
    "employees": "internal", "restricted": "restricted", "confidential": "restricted", "private": "restricted", "secret": "restricted",
    "strictly confidential": "restricted",
}  # fmt: skip
ACCESS = ("access", "classification", "confidentiality", "visibility", "sensitivity")
AUDIENCE = ("visible_to", "audience_groups", "readers", "restricted_to")
_SPEAKS = re.compile(rf"^\W*(?:{'|'.join(name.replace('_', '[-_ ]?') for name in (*ACCESS, *AUDIENCE))})\b", re.I | re.M)
_DATED = (
    "date", "created", "created_at", "decided", "decision_date", "date_decided", "published", "published_at", "source_published_at",
    "created_on",
)  # fmt: skip
_UPDATED = ("updated", "last_updated", "updated_at", "last_modified", "modified", "lastmod", "revised", "last_update_date")
_REVIEWED = ("last_reviewed", "reviewed", "reviewed_at", "review_date", "last_review", "reviewed_on", "last_verified", "verified")


def access_of(document: Document, given: str) -> tuple[str, Value | None]:
    """The strictest of how the source was loaded and all that the document says of itself, and the value that could not be read:
    such a document is restricted, and so is one that names its readers, or whose front matter speaks of access and cannot be read.
    """
    front = document.page.front
    if front.problem and _SPEAKS.search(front.raw):
        return "restricted", Value(front.problem, front.line)
    said = [v for name in (*ACCESS, *AUDIENCE) for v in front.values.get(name, ())]
    words = {v: _WORDS.get(v.text.lower()) for v in said}
    named = [v for name in ACCESS for v in front.values.get(name, ()) if words[v] is None]
    mute = [name for name in (*ACCESS, *AUDIENCE) if name in front.names and not front.values.get(name)]
    if named or mute:
        return "restricted", named[0] if named else Value(f"{mute[0]}: nothing", front.line)
    return max([given, *(words[v] or "restricted" for v in said)], key=lambda a: _STRICT.get(a, 3)), None


@dataclass(frozen=True)
class Times:
    """When a document was made, what it says begins, last changed and last reviewed; 0 where it does not tell."""

    at: int = 0
    since: int = 0
    updated: int = 0
    reviewed: int = 0
    unclear: tuple[Value, ...] = ()

    @property
    def recorded(self) -> int:
        """When its present words were written, as far as it tells."""
        return self.updated or self.at


def times_of(document: Document) -> Times:
    """The times a document tells of itself. One that announces a rule begins to be there when the rule does."""
    unclear = [v for v in document.field("date", "created") if document.unclear(v.text) and not is_placeholder(v.text)]
    made = _first(document, *_DATED) or _in_headings(document)
    if made is None and document.kind == "adr":
        made = _in_status(document)
    if made is None and document.kind in ("adr", "incident", "meeting", "notice"):
        made = stamp(document.stem)
    updated, reviewed = _first(document, *_UPDATED), _first(document, *_REVIEWED)
    starts = _first(document, *STARTS) if document.kind in FORMAL else None
    at = made.start if made else 0
    return Times(at, starts.start if starts else at, updated.start if updated else 0, reviewed.start if reviewed else 0, tuple(unclear))


def _first(document: Document, *names: str) -> Moment | None:
    values = (v for name in names for v in document.fields.get(name, ()))
    return next((m for v in values if not is_placeholder(v.text) and (m := document.when(v.text))), None)


def _in_status(document: Document) -> Moment | None:
    """The day that a decision's status gives for it: `Accepted on 2025-06-01`."""
    written = status(document)
    if written is None:
        return None
    said = re.match(r"\W*(?:accepted|approved|adopted|decided|agreed)\W+(?:on )?\W*(?=\d)", written.text, re.IGNORECASE)
    return document.when(written.text[said.end() :][:24]) if said else None


def _in_headings(document: Document) -> Moment | None:
    """The date under a heading Date, or the earliest in a change log at the top of a decision."""
    dated = document.page.section("date")
    found = [m for line in (dated.lines if dated else ()) for m in moments(line.text, 0, document.day_first)]
    log = document.page.section("changelog", "change log", "revision history", "history")
    if not found and log is not None and document.kind == "adr":
        found = sorted((m for line in log.lines for m in moments(line.text, 0, document.day_first)), key=lambda m: m.start)
    return found[0] if found else None


@dataclass(frozen=True)
class Named:
    """Something that a value names."""

    found: Found
    value: Value

    @property
    def key(self) -> str:
        """Its key."""
        return self.found.key

    @property
    def line(self) -> int:
        """Where the value stands."""
        return self.value.line


@dataclass
class Writer:
    """The document, where it comes from and what is known of the company."""

    document: Document
    record: Mapping[str, Any]
    source: str
    context: Context
    columns: Columns
    aud: tuple[str, ...] = ()
    made: set[str] = field(default_factory=set)
    people: dict[int, Found] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The key of the document."""
        return self.document.key

    @cached_property
    def access(self) -> str:
        """Its access label."""
        return access_of(self.document, str(self.record.get("access") or "open"))[0]

    @cached_property
    def times(self) -> Times:
        """Its times."""
        return times_of(self.document)

    @cached_property
    def library(self) -> Library:
        """All documents."""
        return Library.of(self.context.company)

    @cached_property
    def names(self) -> Names:
        """Looks names up for this document."""
        hashes = {int(line): list(found) for line, found in (self.record.get("mail") or {}).items()}
        return Names(self.context, self.access == "restricted", hashes)

    def origin(self, line: int = 1) -> Origin:
        """A line of its file."""
        return Origin(self.document.path, line)

    def text(self, key: str, name: str, line: int = 1, **props: Any) -> NodeRow:
        """A node that holds text and is seen by those who see the document."""
        own = {"access": self.access, "aud": list(self.aud) or None, **props}
        return NodeRow(key, name[:300], self.source, {k: v for k, v in own.items() if v not in (None, "", [])}, self.origin(line))

    def thing(self, key: str, name: str, line: int = 1, **props: Any) -> Iterator[NodeRow]:
        """A node of structure; nothing new from a document that is restricted."""
        if self.access != "restricted" or self.context.company.declared(key):
            own = {"access": self.access, "aud": list(self.aud), **props}
            yield NodeRow(key, name[:300], self.source, {k: v for k, v in own.items() if v not in (None, "", [])}, self.origin(line))

    def named(self, found: Found, line: int) -> Iterator[NodeRow]:
        """The node of something that only this document names."""
        if found.made and found.key not in self.made:
            self.made.add(found.key)
            unknown = {"unknown": True} if "unknown" in schema.NODES[schema.label_of(found.key)].props else {}
            yield from self.thing(found.key, found.name, line, **unknown)

    def edge(self, src: str, rel: str, dst: str, where: int = 1, **props: Any) -> EdgeRow:
        """A relationship that is no claim, read on line `where`."""
        return EdgeRow(src, rel, dst, {k: v for k, v in props.items() if v is not None}, self.origin(where))

    def claim(self, src: str, rel: str, dst: str, line: int, read: str, **more: Any) -> ClaimRow:
        """A claim that cites a line of the document. `read` names the field, column or rule that gave it."""
        given = {"authority": "formal_rule", "at": self.times.recorded, "access": self.access, "aud": self.aud, **more}
        quote = self.document.page.quote(line)
        return ClaimRow(src, rel, dst, self.key, line, quote, read_by=f"markdown:{read}", origin=self.origin(line), **given)

    def skip(self, reason: str, line: int = 1, count: int = 1) -> Skip:
        """Something that was read and is not stored."""
        return Skip(reason, self.origin(line), count)

    def found(self, values: Iterable[Value], labels: tuple[str, ...], field_: str, make: bool = True) -> Iterator[Named | Row]:
        """What the values of a field name, each with the node it may need, and a Skip for what is not known. `make`: a name
        that nothing tells of may be of something new.
        """
        for value in values:
            for one in self.names.all(Line(value.text, value.line), labels, self.document.path, make):
                if isinstance(one, Unfound):
                    yield self.skip(f"{field_}: {one.reason}", value.line)
                else:
                    yield from self.named(one, value.line)
                    yield Named(one, value)
