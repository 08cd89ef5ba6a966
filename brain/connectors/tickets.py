"""Tickets: exports of Jira, Zendesk and others as CSV, JSON or JSON lines.

Columns are told by their names (`tickets_columns`) or by the option `columns`; what is not read is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from brain.connectors.company_section import section
from brain.connectors.git_message import People
from brain.connectors.tally import Tally
from brain.connectors.tickets_columns import Columns
from brain.connectors.tickets_read import recognised, tickets
from brain.connectors.tickets_rows import known, rows
from brain.connectors.tickets_shapes import Dates, Shape, times_of
from brain.errors import BadInput

__all__ = ["OPTIONS", "fetch", "known", "recognise", "rows"]

Record = dict[str, Any]
OPTIONS = {
    "columns": "what columns mean, as Column=field,... or a YAML file of such pairs",
    "dates": "day-first or month-first, for dates such as 03/04/2024",
    "project": "put before ids that are only numbers, and the name of the ticket system",
}
_SUFFIXES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson")


def recognise(path: Path) -> bool:
    """Whether a file is a ticket export: it has columns or fields for an id, a title and what else tickets have."""
    return path.is_file() and path.suffix.lower() in _SUFFIXES and recognised(path)


def fetch(
    paths: Sequence[Path], *, base: Path, name: str, access: str, identity_key: bytes, options: Mapping[str, str]
) -> Iterator[Record]:
    """The tickets of the files, or of the exports among the files of the folders. Raises BadInput for bad options, and
    when no ticket can be read.
    """
    dates = options.get("dates", "")
    if dates not in ("", "day-first", "month-first"):
        raise BadInput(f"dates is {dates!r}; legal: day-first, month-first")
    columns, people = Columns.read(options.get("columns", "")), People(identity_key)

    def read(path: Path, file: str, tally: Tally) -> Iterator[Record]:
        known_dates = Dates(dates, lambda: times_of(tickets(path, file, columns, Tally())))
        shape = Shape(name, options.get("project", ""), access, people, known_dates)
        for raw in tickets(path, file, columns, tally):
            lost: list[str] = []
            try:
                record = shape.record(raw, lost)
            except ValueError as error:
                tally.skip(str(error), file, raw.line)
                continue
            tally.keep("tickets")
            tally.note("comments", len(record["comments"]))
            for reason in lost:
                tally.skip(reason, file, raw.line)
            yield record

    wanted = None if options.get("columns") else recognise
    yield from section("tickets", paths, base=base, name=name, access=access, read=read, wanted=wanted)
