"""Ticket exports read cell by cell: CSV with repeated headers, JSON and JSON lines, as lists of values by field."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brain.connectors.github_kinds import kind_of
from brain.connectors.json_values import first_value, values
from brain.connectors.tally import Tally
from brain.connectors.text_files import encoding_of, head_of, opened
from brain.connectors.tickets_columns import Columns, is_ticket
from brain.errors import BadInput

LISTS = ("tickets", "issues", "results", "records")
_DELIMITERS = ",;\t|"
_LONGEST_CELL = 1 << 24


@dataclass(frozen=True)
class Raw:
    """One ticket as an export has it: the line it begins on and the values of each field, as they stand there."""

    line: int
    fields: Mapping[str, list[Any]]

    def one(self, field: str) -> Any:
        """The first value of a field that is not empty; None without one."""
        return next((v for v in self.fields.get(field, ()) if v not in (None, "", [], {})), None)

    def many(self, field: str) -> list[Any]:
        """All values of a field, lists in it opened."""
        found: list[Any] = []
        for value in self.fields.get(field, ()):
            found += value if isinstance(value, list) else [value] if value not in (None, "") else []
        return found


def recognised(path: Path) -> bool:
    """Whether a file is a ticket export, told from its beginning."""
    if path.suffix.lower() in (".json", ".jsonl", ".ndjson"):
        return _is_ticket(first_value(path))
    header = head_of(path).lstrip("\ufeff")
    return bool(header) and is_ticket(_cells(header, _delimiter(header)))


def _is_ticket(value: Any) -> bool:
    if isinstance(value, dict):
        inner = next((value[name] for name in LISTS if isinstance(value.get(name), list) and value[name]), None)
        one = inner[0] if inner else value
        told = _flat(one) if isinstance(one, dict) else {}
        elsewhere = "incident_number" in told or (kind_of(told) or "other").partition(":")[0] != "other"
        return is_ticket(told) and not elsewhere
    return False


def tickets(path: Path, file: str, columns: Columns, tally: Tally) -> Iterator[Raw]:
    """The tickets of an export; what is left out of it is told to the tally. Raises BadInput for what is no export."""
    encoding = encoding_of(path)
    if encoding not in ("utf-8", "utf-8-sig"):
        tally.note(f"files read as {encoding}")
    if path.suffix.lower() in (".json", ".jsonl", ".ndjson") or head_of(path, 64).lstrip("\ufeff \r\n\t")[:1] in ("[", "{"):
        yield from _of_json(path, file, columns, tally)
    else:
        yield from _of_csv(path, file, encoding, columns, tally)


# -- tables -----------------------------------------------------------------------------------


def _delimiter(text: str) -> str:
    """The delimiter that gives the first row the most cells."""
    return max(_DELIMITERS, key=lambda d: (len(_cells(text, d)), -_DELIMITERS.index(d)))


def _cells(text: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader(text.splitlines(keepends=True), delimiter=delimiter), [])
    except csv.Error:
        return []


def _of_csv(path: Path, file: str, encoding: str, columns: Columns, tally: Tally) -> Iterator[Raw]:
    csv.field_size_limit(_LONGEST_CELL)
    delimiter = _delimiter(head_of(path).lstrip("\ufeff"))
    with opened(path, encoding) as lines:
        reader = csv.reader(lines, delimiter=delimiter)
        header = next(reader, [])
        fields, unread = columns.mapping(header)
        if not {"id", "title"} <= set(fields.values()):
            raise BadInput(f"{path}:1: has no column for {_lacking(fields)}; name it with the option columns, such as columns=Text=title")
        for name in unread:
            tally.skip(f"column {name!r} is not read", file, 1)
        before = reader.line_num
        try:
            for row in reader:
                first, before = before + 1, reader.line_num
                if any(cell.strip() for cell in row):
                    yield from _row(row, header, fields, first, reader.line_num, file, tally)
        except csv.Error as error:
            tally.skip(f"the rest cannot be read: {error}", file, before + 1)


def _lacking(fields: dict[int, str]) -> str:
    return " and ".join(f"the {name}" for name in ("id", "title") if name not in fields.values())


def _row(
    row: list[str], header: list[str], fields: dict[int, str], first: int, last: int, file: str, tally: Tally
) -> Iterator[Raw]:
    if any(cell.strip() for cell in row[len(header) :]):
        tally.skip("has more cells than the header: a cell with the delimiter in it is not quoted", file, first)
    elif len(row) < len(header) and last > first + 20:
        tally.skip("has fewer cells than the header over many lines: a quote is not closed", file, first)
    else:
        found: dict[str, list[Any]] = defaultdict(list)
        for position, field in fields.items():
            if position < len(row):
                found[field].append(row[position])
                if field == "links" and row[position]:
                    found["link names"].append(header[position])
        yield Raw(first, found)


# -- JSON ------------------------------------------------------------------------------------


def _of_json(path: Path, file: str, columns: Columns, tally: Tally) -> Iterator[Raw]:
    met: set[str] = set()
    for value in values(path, LISTS):
        if value.error:
            tally.skip(value.error, file, value.line)
        elif not isinstance(value.value, dict):
            tally.skip("is no object", file, value.line)
        else:
            told = _flat(value.value)
            fields, unread = columns.mapping(told)
            for name in unread:
                if name not in met and told[name] not in (None, "", [], {}):
                    met.add(name)
                    tally.skip(f"field {name!r} is not read", file, value.line)
            found: dict[str, list[Any]] = defaultdict(list)
            held = list(told.values())
            for position, field in fields.items():
                found[field].append(held[position])
            yield Raw(value.line, found)


def _flat(value: dict[str, Any]) -> dict[str, Any]:
    """The fields of a ticket, those that Jira keeps one level down among them."""
    inner = value.get("fields")
    return {**value, **inner} if isinstance(inner, dict) else value
