"""Rosters: tables of people, each line an account of the system `roster` with what it states of logins and handles."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from brain.connectors.account import Account
from brain.connectors.identities import slug
from brain.connectors.markdown_columns import Columns, Reading
from brain.connectors.markdown_kind import Document, says
from brain.connectors.markdown_page import Line, Row, Table
from brain.types import Origin

UNREAD = frozenset({"adr", "incident", "meeting", "template", "changelog"})
_PROFILE = re.compile(r"^https?://(?:www\.)?github\.[\w.-]+/(?P<login>[\w-]+)/?$")
_LEFT = re.compile(r"\((?:\w+ )?(?:left|leaver|departed|until|gone)\b\W*(?:on |since )?(?P<when>[^()]+)\)", re.IGNORECASE)
_LOGIN = re.compile(r"@?(?P<login>[A-Za-z0-9](?:-?[A-Za-z0-9_]){0,38})$")


@dataclass(frozen=True)
class Entry:
    """A line of a roster and the account it tells of."""

    account: Account
    reading: Reading
    row: Row


def readings(document: Document, columns: Columns) -> Iterator[tuple[Table, Reading | None]]:
    """Every table of a document that may state something, and how it is read."""
    if document.kind not in UNREAD:
        for table in document.page.tables:
            yield table, columns.reading(table)


def entries(document: Document, columns: Columns, access: str, at: int, mail: Mapping[int, list[str]]) -> Iterator[Entry]:
    """The lines of a document's rosters. A person who stands on several lines is one account, by the login that one of them tells."""
    for _, reading in readings(document, columns):
        if reading is None or reading.kind.name != "roster":
            continue
        logins: defaultdict[str, set[str]] = defaultdict(set)
        for row in reading.table.rows:
            logins[slug(_name(reading, row))].add(_login(reading, row))
        for row in reading.table.rows:
            name = _name(reading, row)
            if says(name) and slug(name):
                told = logins[slug(name)] - {""}
                login = _login(reading, row) or (next(iter(told)) if len(told) == 1 else "")
                yield Entry(_account(document, reading, row, name, login, access, at, mail), reading, row)


def _name(reading: Reading, row: Row) -> str:
    text = row.cells[reading.subject].text if 0 <= reading.subject < len(row.cells) else ""
    return " ".join(re.sub(r"\([^)]*\)", "", text).split()).strip("*_` ")


def _cell(reading: Reading, row: Row, column: str) -> Line | None:
    at = reading.places.get(column, -1)
    return row.cells[at] if 0 <= at < len(row.cells) and says(row.cells[at].text) else None


def _login(reading: Reading, row: Row) -> str:
    cell = _cell(reading, row, "login")
    subject = row.cells[reading.subject] if 0 <= reading.subject < len(row.cells) else None
    for line in (cell, subject):
        profile = next((m for ln in (line.links if line else ()) if (m := _PROFILE.match(ln.href))), None)
        if profile:
            return profile["login"]
    match = _LOGIN.match(cell.text.strip("` ")) if cell else None
    return match["login"] if match else ""


def _account(
    document: Document, reading: Reading, row: Row, name: str, login: str, access: str, at: int, mail: Mapping[int, list[str]]
) -> Account:  # fmt: skip
    slack, catalogue, more = (_cell(reading, row, c) for c in ("slack", "catalogue", "known_as"))
    chat = slack.text.strip("`@ ") if slack and "#" not in slack.text else ""
    listed = catalogue.text.strip("`@ ").rpartition("/")[2] if catalogue else ""
    others = tuple((system, given) for system, given in (("slack", chat), ("catalogue", listed)) if given)
    names = (name, *(n.strip() for n in re.split(r"[,;]", more.text) if says(n))) if more else (name,)
    handle = login or (chat if re.fullmatch(r"[\w.-]+", chat) else "") or slug(name)
    shown = "" if not chat or re.fullmatch(r"[UW][A-Z0-9]{6,}", chat) else f"@{chat}"
    return Account(
        "roster", handle, names, login=login, emails=tuple(mail.get(row.line, ())), others=others, source=document.key, line=row.line,
        quote=document.page.quote(row.line), at=at, departed_at=_left(document, reading, row), title=reading.cell(row, "role"),
        contact=shown, access=access, origin=Origin(document.path, row.line),
    )  # fmt: skip


def _left(document: Document, reading: Reading, row: Row) -> int | None:
    """When the person left, as far as the line tells: a day of leaving, in its column or in brackets behind the name, or the end
    of a line of the company's own list.
    """
    left = document.when(reading.cell(row, "left"))
    if left is not None:
        return left.end
    beside = _LEFT.search(row.cells[reading.subject].text) if 0 <= reading.subject < len(row.cells) else None
    gone = document.when(beside["when"]) if beside else None
    if gone is not None:
        return gone.end
    listed = {"team", "login", "slack", "mail"} & set(reading.places) and "works" not in reading.places
    until = document.when(reading.cell(row, "until")) if listed else None
    return until.end if until else None
