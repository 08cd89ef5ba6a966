"""What was loaded, as read: one compressed JSON-lines file a source. The graph is made from these
files alone, so loading again, in another order or in two halves gives the same graph."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from brain.errors import BadInput

Record = dict[str, Any]
_IDENTITY = {
    "issue": "number",
    "pull": "number",
    "pull_ref": "number",
    "release": "tag",
    "tag": "tag",
    "commit": "sha",
    "person": "login",
    "label": "name",
    "repo": "repo",
}
_CAN_GO = frozenset({"issue", "pull", "release", "commit"})


def identity(record: Record) -> str | None:
    """What makes two records of a source the same thing at two times; None for the rest."""
    field = _IDENTITY.get(str(record.get("kind")))
    value = record.get(field) if field else None
    return None if value is None else f"{record['kind']}:{value}"


class Records:
    """The record files of one workspace."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def sources(self) -> list[str]:
        """The ids of the loaded sources, those that git gave first, since GitHub's words win."""
        found = [self.head(path)["source"] for path in self.folder.glob("*.jsonl.gz")]
        return sorted(found, key=lambda s: (not s.startswith("git:"), s))

    def path(self, source: str) -> Path:
        """The file of a source; readable and never the same for two sources."""
        slug = re.sub(r"[^A-Za-z0-9._-]+", "-", source)[:80]
        return self.folder / f"{slug}-{hashlib.sha256(source.encode()).hexdigest()[:8]}.jsonl.gz"

    def head(self, path: Path) -> Record:
        """The source record that a file starts with."""
        with gzip.open(path, "rb") as lines:
            return orjson.loads(next(iter(lines)))

    def read(self, source: str, gone: bool = False) -> Iterator[Record]:
        """The records of a source, its head first: those still there, or those that are gone."""
        with gzip.open(self.path(source), "rb") as lines:
            for i, line in enumerate(lines):
                record = orjson.loads(line)
                if i == 0 or bool(record.get("gone")) == gone:
                    yield record

    def replace(self, records: Iterable[Record], now: int) -> str:
        """Stores what a connector fetched and gives the source's id.

        A complete source replaces what was stored; what it no longer holds is kept, marked gone at
        `now`. A partial one is laid over it. Until the last record was read nothing changes on disk.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        fetched = iter(records)
        head = next(fetched, None)
        if head is None or head.get("kind") != "source":
            raise BadInput("nothing was read")
        target = self.path(head["source"])
        temp = target.with_suffix(f".{os.getpid()}.tmp")
        try:
            with gzip.open(temp, "wb", compresslevel=1) as out:
                out.write(orjson.dumps(head) + b"\n")
                self._body(head, fetched, now, out)
            os.replace(temp, target)
        finally:
            with suppress(FileNotFoundError):
                temp.unlink()
        return str(head["source"])

    def _body(self, head: Record, fetched: Iterator[Record], now: int, out: gzip.GzipFile) -> None:
        seen: set[str] = set()
        for record in fetched:
            name = identity(record)
            if name is not None:
                seen.add(name)
            out.write(orjson.dumps(record) + b"\n")
        if not self.path(head["source"]).exists():
            return
        with gzip.open(self.path(head["source"]), "rb") as lines:
            for i, line in enumerate(lines):
                kept = None if i == 0 else self._kept(orjson.loads(line), seen, bool(head.get("complete")), now)
                if kept is not None:
                    out.write(orjson.dumps(kept) + b"\n")

    @staticmethod
    def _kept(record: Record, seen: set[str], complete: bool, now: int) -> Record | None:
        """An earlier record as it is kept beside a new load, or None when it is not."""
        name = identity(record)
        if name is None or name in seen:
            return None
        if not complete:
            return record
        return {**record, "gone": record.get("gone") or now} if record["kind"] in _CAN_GO else None

    def remove(self, source: str) -> None:
        """Forgets a source; BadInput when it was never loaded."""
        try:
            self.path(source).unlink()
        except FileNotFoundError:
            raise BadInput(f"{source!r} is not loaded; loaded: {', '.join(self.sources()) or 'nothing'}") from None
