"""Records on their way into a connector, and which of the texts that come out teach terms."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from brain.labels import LABELS, label_of
from brain.spool import Spool
from brain.types import TextRow


class Stream:
    """Records on their way into a connector; `gone` is when the one taken last went away, or 0, `label` that of the section.
    A pass over what is gone that would hold nothing but its head is empty.
    """

    def __init__(self, records: Iterator[Any], gone: bool) -> None:
        self._records, self._only_gone, self.gone, self.label = records, gone, 0, "open"

    def __iter__(self) -> Iterator[Any]:
        head, first = next(self._records, None), next(self._records, None)
        if head is not None:
            self.label = str(head.get("access") or "open")
        if head is None or (self._only_gone and first is None):
            return
        yield head
        for record in chain([] if first is None else [first], self._records):
            self.gone = int(record.get("gone") or 0)
            yield record


def teaches(row: TextRow, gone: int) -> bool:
    """Is a text one to learn terms from?"""
    return not gone and not _by_bot(row.author)


def said(row: TextRow) -> tuple[str, str, str]:
    """Its title, where it is the main text of its source, its body and its label."""
    return row.title if row.part == "body" else "", row.body, row.access


def narrowest(labels: set[str]) -> str:
    """The label that covers all of these; open when there are none."""
    return max((label for label in labels if label in LABELS), key=LABELS.index, default="open")


def more_than(spool: Spool, narrow: str, wide: str) -> list[Any]:
    """The rows kept as `narrow` that join what no row kept as `wide` joins, the widest label of each pair."""
    told = {row[0] for row in spool.take(narrow)}
    met = {(row[0], row[1]) for row in spool.take(wide) if row[0] in told}
    found: dict[tuple[str, str], Any] = {}
    for row in sorted(spool.take(narrow), key=lambda row: LABELS.index(label_of(row[3], "restricted"))):
        if (row[0], row[1]) not in met:
            found.setdefault((row[0], row[1]), row)
    return list(found.values())


def _by_bot(author: str) -> bool:
    """Texts that programs write repeat themselves; they teach no terms."""
    return author.endswith("[bot]") or author.lower() in ("dependabot", "renovate", "github-actions")
