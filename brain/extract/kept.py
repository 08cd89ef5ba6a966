"""What was read, kept beside the records: every reply of a model by the text it is of, what people said that names mean, and what was
refused or waits for them. A reply is on disk before the next is asked for, so that work that is killed goes on where it was. These
files quote restricted texts: they are for whoever runs the product alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from threading import Lock
from typing import Any

import orjson
from filelock import FileLock, Timeout

from brain.errors import BadInput
from brain.text.lexicon import plain

LONGEST = 200_000


@dataclass(frozen=True)
class Reading:
    """What a model said of one slice: `slice` and `wording` name what it was given, `asked` the models that were to be asked,
    `model` the one that answered. `usd` is None where no price is known.
    """

    slice: str
    wording: str
    asked: str
    model: str
    text: str
    finish: str = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = None
    at: int = 0

    @property
    def name(self) -> tuple[str, str, str]:
        """What makes asking again needless."""
        return self.slice, self.wording, self.asked


@dataclass(frozen=True)
class Alignment:
    """What somebody said that a name means: the key, or "" for nothing that is stored."""

    name: str
    key: str
    by: str
    at: int


class Kept:
    """The files of one workspace's extraction."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._replies, self._names, self._left = (folder / name for name in ("replies.jsonl", "names.jsonl", "left.json"))
        self._lock = Lock()

    def lock(self) -> FileLock:
        """The lock that lets one extraction in at a time, taken; BadInput when there is one."""
        try:
            self._make()
            lock = FileLock(self.folder / "extract.lock", mode=0o600)
            lock.acquire(timeout=0)
        except Timeout:
            raise BadInput("another extraction of this workspace is under way; wait for it, or stop it: what it read is kept") from None
        except OSError as err:
            raise BadInput(f"cannot write to {self.folder}: {err.strerror or err}") from err
        return lock

    def stamp(self) -> tuple[tuple[int, int], ...]:
        """What changes whenever any of the files does."""
        files = [path.stat() if path.exists() else None for path in (self._replies, self._names, self._left)]
        return tuple((f.st_mtime_ns, f.st_size) if f else (0, 0) for f in files)

    def behind(self) -> bool:
        """Was something read, or said of a name, since things were judged last?"""
        replies, names, left = (changed for changed, _ in self.stamp())
        return max(replies, names) > left

    # -- replies -------------------------------------------------------------------------------

    def readings(self) -> list[Reading]:
        """Every reply that is kept, in the order they came; a line that was cut off by a kill is none."""
        return [Reading(**{k: v for k, v in raw.items() if k in _FIELDS}) for raw in _lines(self._replies) if set(raw) >= _COMPLETE]

    def add(self, reading: Reading) -> None:
        """Keeps a reply; it is on disk when this returns. Threads may add at once."""
        row = orjson.dumps({**asdict(reading), "text": reading.text[:LONGEST]})
        with self._lock:
            self._append(self._replies, row)

    def prune(self, slices: Iterable[str]) -> None:
        """Forgets what was said of texts that are no longer there."""
        there, every = set(slices), self.readings()
        kept = [r for r in every if r.slice in there]
        if len(kept) < len(every):
            fresh = self._replies.with_suffix(".new")
            _write(fresh, b"".join(orjson.dumps(asdict(r)) + b"\n" for r in kept))
            fresh.replace(self._replies)

    # -- names ---------------------------------------------------------------------------------

    def names(self) -> dict[str, str]:
        """What people said that names mean: the name as it is compared -> key, or "" for nothing that is stored."""
        return {plain(a.name): a.key for a in self.aligned()}

    def aligned(self) -> list[Alignment]:
        """What people said last of each name and did not take back, the latest first."""
        said: dict[str, Alignment] = {}
        for raw in _lines(self._names):
            if {"name", "key"} <= set(raw):
                name = str(raw["name"])
                said.pop(name, None)
                if raw["key"] is not None:
                    written, by = str(raw.get("written") or name), str(raw.get("by") or "")
                    said[name] = Alignment(written, str(raw["key"]), by, int(raw.get("at") or 0))
        return list(said.values())[::-1]

    def align(self, name: str, key: str | None, by: str, at: int) -> None:
        """Notes what a name means from now on; None: what was said of it is taken back."""
        self._append(self._names, orjson.dumps({"name": plain(name), "key": key, "by": by, "at": at, "written": name}))

    # -- what is left --------------------------------------------------------------------------

    def left(self) -> Mapping[str, Any]:
        """What was refused and what waits, as it was judged last."""
        try:
            found = orjson.loads(self._left.read_bytes())
        except (OSError, orjson.JSONDecodeError):
            return {}
        return found if isinstance(found, dict) else {}

    def keep_left(self, left: Mapping[str, Any]) -> None:
        """Keeps that."""
        self._make()
        fresh = self._left.with_suffix(".new")
        _write(fresh, orjson.dumps(left))
        fresh.replace(self._left)

    def _make(self) -> None:
        self.folder.mkdir(0o700, parents=True, exist_ok=True)

    def _append(self, path: Path, row: bytes) -> None:
        self._make()
        with open(path, "a+b", opener=_own) as out:
            if out.tell():
                out.seek(-1, 2)
                torn = out.read(1) != b"\n"
                out.write(b"\n" if torn else b"")
            out.write(row + b"\n")
            out.flush()


_FIELDS = frozenset(f.name for f in fields(Reading))
_COMPLETE = frozenset({"slice", "wording", "asked", "model", "text"})


def _own(path: str, flags: int) -> int:
    """Opens a file that nobody else may read, also one that an earlier version left open to others."""
    descriptor = os.open(path, flags, 0o600)
    with suppress(OSError):
        os.chmod(path, 0o600)
    return descriptor


def _write(path: Path, content: bytes) -> None:
    with open(path, "wb", opener=_own) as out:
        out.write(content)


def _lines(path: Path) -> list[dict[str, Any]]:
    found = []
    for line in path.read_bytes().splitlines() if path.exists() else ():
        try:
            raw = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        found += [raw] if isinstance(raw, dict) else []
    return found
