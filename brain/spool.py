"""Rows kept on disk between the passes of a rebuild, so that memory stays bounded, and how a text is packed there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from brain import schema
from brain.text.analysis import analyse
from brain.text.ranking import weights
from brain.types import Origin, TextRow


class Spool:
    """Rows kept on disk between two passes, so that memory stays bounded."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, Any] = {}

    def put(self, name: str, row: Any) -> None:
        """Keeps a row under a name."""
        if name not in self._files:
            self._files[name] = (self._folder / name).open("w+b")
        self._files[name].write(orjson.dumps(row) + b"\n")

    def put_all(self, name: str, rows: Iterable[Any]) -> None:
        """Keeps rows that were all known before the first is kept."""
        for row in list(rows):
            self.put(name, row)

    def names(self) -> list[str]:
        """The names that rows were kept under."""
        return sorted(self._files)

    def take(self, name: str) -> Iterator[Any]:
        """The rows of a name, in order."""
        if name in self._files:
            self._files[name].seek(0)
            yield from map(orjson.loads, self._files[name])

    def close(self) -> None:
        """Closes the files."""
        for file in self._files.values():
            file.close()


@dataclass(frozen=True)
class Text:
    """A text on its way: when its source went away, or 0, and the id of what it came with."""

    row: TextRow
    gone: int
    source: str


def pack(row: TextRow, gone: int, source: str) -> list[Any]:
    """A text as a list."""
    return [
        row.key, row.part, row.title, row.body, row.at, row.author, row.repo, row.access, list(row.aud), row.url,
        row.origin.file, row.origin.line, gone, source,
    ]  # fmt: skip


def unpack(v: list[Any]) -> Text:
    """The text of such a list."""
    key, part, title, body, at, author, repo, access, aud, url, file, line, gone, source = v
    return Text(TextRow(key, part, title, body, at, author, repo, access, tuple(aud), url, Origin(file, line)), gone, source)


def chunk_props(text: Text, c: Any) -> dict[str, Any]:
    """The properties of a passage of the text."""
    row, ft = text.row, analyse(c.text)
    return {
        "key": c.key, "name": row.title or row.key, "source": text.source, "text": c.text, "ft": ft, **weights(ft),
        "src": row.key, "src_label": schema.label_of(row.key), "title": row.title, "line": c.line, "line_end": c.line_end,
        "n": c.n, "hash": c.hash, "at": row.at, "author": row.author or None, "repo": row.repo or None, "part": row.part,
        "access": row.access or None, "aud": list(row.aud) or None, "url": row.url or None, "gone": text.gone or None,
    }  # fmt: skip


def batched(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """The items in lists of `size`."""
    batch: list[Any] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
