"""Folders that were searched: how much of them was read as what, and what is of no format. Only the report knows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from brain.connectors.company import Company
from brain.connectors.context import Context
from brain.connectors.tally import Tally
from brain.types import Row

Record = Mapping[str, Any]


def fetch(folder: Path, tally: Tally, access: str) -> Iterator[dict[str, Any]]:
    """The records of a searched folder: how many files are of which format, and the rest by reason."""
    yield {
        "kind": "source", "format": "auto", "source": f"auto:{folder.name or 'root'}", "root": str(folder), "complete": False, "as_of": 0,
        "access": access, "path": str(folder),
    }  # fmt: skip
    yield from tally.records()


def known(record: Record, company: Company) -> None:
    """It tells the company nothing."""


def rows(records: Iterable[Record], context: Context) -> Iterator[Row]:
    """It makes no rows."""
    for _ in records:
        yield from ()
