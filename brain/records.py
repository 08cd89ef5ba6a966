"""What was loaded, as read: one compressed JSON-lines file a source. The graph is made from these
files alone, so loading again, in another order or in two halves gives the same graph.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from brain.errors import BadInput

Record = dict[str, Any]
Merge = Callable[[Record, Record], Record]
_STRICTNESS = {"open": 0, "internal": 1, "restricted": 2}
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
    "remarks": "number",
    "doc": "path",
    "entity": "id",
    "account": "id",
    "owners": "path",
    "channel": "id",
    "message": "id",
    "ticket": "id",
    "deploy": "id",
    "deploy_status": "id",
    "flag": "id",
    "alert": "id",
    "incident": "id",
}
_CAN_GO = frozenset(
    {"issue", "pull", "release", "commit", "doc", "entity", "owners", "message", "ticket", "deploy", "deploy_status", "alert", "incident"}
    | {"flag"}
)


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
        """The ids of the loaded sources: those that git gave first, since GitHub's words win, then GitHub, then the rest."""
        found = [self.head(path)["source"] for path in self.folder.glob("*.jsonl.gz")]
        return sorted(found, key=lambda s: (not s.startswith("git:"), not s.startswith("github:"), s))

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

    def replace(self, records: Iterable[Record], now: int, merge: Merge | None = None) -> str:
        """Stores what a connector fetched and gives the source's id.

        A complete source replaces what was stored; what it no longer holds is kept, marked gone at
        `now`. A partial one is held in memory and laid over it, `merge(old, new)` deciding where both
        tell of one thing. One with a `root` (the folder it was read from) replaces what came from that root and
        adds to what came from others; of two roots that hold one thing the later told counts, or the `newest`. Until
        the last record was read nothing changes on disk.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        fetched = iter(records)
        head = next(fetched, None)
        if head is None or head.get("kind") != "source":
            raise BadInput("nothing was read")
        for left in self.folder.glob("*.tmp"):  # by a load that was killed; there is never more than one at a time
            left.unlink(missing_ok=True)
        target = self.path(head["source"])
        temp = target.with_suffix(f".{os.getpid()}.tmp")
        try:
            with gzip.open(temp, "wb", compresslevel=1) as out:
                for record in self._joined(head, fetched, now, merge):
                    out.write(orjson.dumps(record) + b"\n")
            os.replace(temp, target)
        finally:
            with suppress(FileNotFoundError):
                temp.unlink()
        return str(head["source"])

    def _earlier(self, source: str) -> Iterator[Record]:
        """Every stored record of a source, its head first, gone ones too; nothing when it is new."""
        if self.path(source).exists():
            with gzip.open(self.path(source), "rb") as lines:
                yield from map(orjson.loads, lines)

    def _joined(self, head: Record, fetched: Iterator[Record], now: int, merge: Merge | None) -> Iterator[Record]:
        if head.get("root"):
            return self._of_root(head, fetched, now)
        return self._whole(head, fetched, now) if head.get("complete") else self._laid_over(head, fetched, merge)

    def _of_root(self, head: Record, fetched: Iterator[Record], now: int) -> Iterator[Record]:
        root, seen, mine = head["root"], set[str](), []
        newest = self._newest_elsewhere(head["source"], root)
        earlier = self._earlier(head["source"])
        before = next(earlier, None)
        if before is not None:
            strict = max(head.get("access") or "open", before.get("access") or "open", key=lambda a: _STRICTNESS.get(a, 3))
            head = {**head, "access": strict, "as_of": max(head.get("as_of") or 0, before.get("as_of") or 0)}
        yield {**head, "loads": {**((before or {}).get("loads") or {}), root: head.get("load") or {}}}
        for record in fetched:
            name = identity(record)
            if name is None:
                mine.append({**record, "root": root})
            elif newest.get(name, -1) <= record.get("newest", 0):
                seen.add(name)
                yield {**record, "root": root}
        for record in earlier:
            name = identity(record)
            if name is None:
                mine += [record] if record.get("root") != root else []
            elif name not in seen and (record.get("root") != root or record["kind"] in _CAN_GO):
                told = record.get("root") != root or name in newest
                yield record if told else {**record, "gone": record.get("gone") or now}
        yield from mine

    def _newest_elsewhere(self, source: str, root: str) -> dict[str, int]:
        """Of things that say when they were last changed: how new another root of the source has them."""
        stored = (r for r in self._earlier(source) if r.get("newest") is not None and r.get("root") != root and not r.get("gone"))
        return {identity(r) or "": int(r["newest"]) for r in stored}

    def _whole(self, head: Record, fetched: Iterator[Record], now: int) -> Iterator[Record]:
        seen: set[str] = set()
        kinds: set[str] = set()
        yield head
        for record in fetched:
            name = identity(record)
            if name is not None:
                seen.add(name)
                kinds.add(record["kind"])
            yield record
        earlier = self._earlier(head["source"])
        next(earlier, None)
        for record in earlier:
            if identity(record) in seen or record["kind"] not in _CAN_GO:
                continue
            told = record["kind"] in kinds
            yield {**record, "gone": record.get("gone") or now} if told else record

    def _laid_over(self, head: Record, fetched: Iterator[Record], merge: Merge | None) -> Iterator[Record]:
        named: dict[str, Record] = {}
        rest: list[Record] = []
        for record in fetched:
            name = identity(record)
            if name is None:
                rest.append(record)
            else:
                named[name] = merge(named[name], record) if merge and name in named else record
        earlier = self._earlier(head["source"])
        before = next(earlier, None)
        if before is not None:
            strict = max(head.get("access") or "open", before.get("access") or "open", key=lambda a: _STRICTNESS.get(a, 3))
            head = {**head, "access": strict, "complete": bool(before.get("complete"))}
        yield head
        for old in earlier:
            new = named.pop(identity(old) or "", None)
            if new is not None:
                yield merge(old, new) if merge and not old.get("gone") else new
            elif identity(old) is not None:
                yield old
        yield from named.values()
        yield from rest

    def remove(self, source: str) -> None:
        """Forgets a source; BadInput when it was never loaded."""
        try:
            self.path(source).unlink()
        except FileNotFoundError:
            raise BadInput(f"{source!r} is not loaded; loaded: {', '.join(self.sources()) or 'nothing'}") from None
