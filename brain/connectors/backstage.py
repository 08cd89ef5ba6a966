"""Backstage catalogues: what there is, who owns it, what needs what, and who is in which team.

Every document of every YAML file is an entity, a pointer to other files, or a skip with its file, line and reason.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from brain.connectors.backstage_entity import NotRead, is_entity, locations, record
from brain.connectors.backstage_rows import known, rows
from brain.connectors.backstage_yaml import Unreadable, Value, decoded, documents
from brain.connectors.folders import files_under
from brain.connectors.git_message import People
from brain.connectors.references import redact
from brain.errors import BadInput
from brain.records import Record

__all__ = ["OPTIONS", "fetch", "known", "recognise", "rows"]

OPTIONS: dict[str, str] = {}
LARGEST = 64_000_000
_ENTITY = re.compile(rb"^apiVersion:\s*['\"]?[\w.-]*\bbackstage\.io/", re.MULTILINE)
_GLOB = re.compile(r"[*?\[{]")


def recognise(path: Path) -> bool:
    """Whether a file holds an entity of a catalogue, or a folder such a file."""
    if path.is_dir():
        return any(recognise(file) for file in _yaml_files(path))
    if path.suffix.lower() not in (".yaml", ".yml"):
        return False
    try:
        with path.open("rb") as file:
            return bool(_ENTITY.search(file.read(262_144)))
    except OSError:
        return False


def _yaml_files(folder: Path) -> Iterator[Path]:
    return (file for file in files_under([folder]) if file.suffix.lower() in (".yaml", ".yml"))


def fetch(
    paths: Sequence[Path], *, base: Path, name: str, access: str, identity_key: bytes, options: Mapping[str, str]
) -> Iterator[Record]:
    """The records of the files, and of the files that Locations in them point to. Raises BadInput for what is not there."""
    reading = _Reading(base.resolve(), access, People(identity_key))
    for path in paths:
        if not path.exists():
            raise BadInput(f"{path}: there is no such file or folder")
        for file in _yaml_files(path) if path.is_dir() else [path]:
            reading.add(file)
    source = {"kind": "source", "format": "backstage", "source": f"backstage:{name}", "root": str(base), "complete": False}
    yield {**source, "as_of": 0, "access": access, "path": ", ".join(map(str, paths))}
    yield from reading.records()
    yield {"kind": "totals", **{n: reading.totals[n] for n in ("files", "read", "kept", "skipped")}}


class _Reading:
    """The files on their way; a file is read once, whoever points to it."""

    def __init__(self, base: Path, access: str, people: People) -> None:
        self._base, self._access, self._people = base, access, people
        self._queue: deque[Path] = deque()
        self._met: set[Path] = set()
        self.totals: Counter[str] = Counter()

    def add(self, file: Path) -> bool:
        """Puts a file in the queue; False when it lies outside the base folder."""
        path = file.resolve()
        if not path.is_relative_to(self._base):
            return False
        if path not in self._met:
            self._met.add(path)
            self._queue.append(path)
        return True

    def records(self) -> Iterator[Record]:
        """Everything read, file by file."""
        while self._queue:
            path = self._queue.popleft()
            self.totals["files"] += 1
            yield from self._file(path, path.relative_to(self._base).as_posix())

    def _skip(self, file: str, reason: str, line: int) -> Record:
        self.totals["read"] += 1
        self.totals["skipped"] += 1
        return {"kind": "skip", "reason": reason, "file": file, "line": line, "count": 1}

    def _kept(self, made: Record) -> Record:
        self.totals["read"] += 1
        self.totals["kept"] += 1
        return made

    def _file(self, path: Path, file: str) -> Iterator[Record]:
        try:
            if path.stat().st_size > LARGEST:
                raise Unreadable(f"a file of more than {LARGEST // 1_000_000} MB", 1)
            text = decoded(path.read_bytes())
        except Unreadable as err:
            yield self._skip(file, str(err), err.line)
            return
        except OSError as err:
            yield self._skip(file, f"cannot be read: {err.strerror or err}", 1)
            return
        stored = redact(text)
        made = list(self._documents(text, stored.split("\n"), file))
        if any(one["kind"] == "entity" for one in made):
            yield {"kind": "doc", "path": file, "file": file, "line": 1, "access": self._access, "text": stored}
        yield from made or [self._skip(file, "an empty file", 1)]

    def _documents(self, text: str, lines: list[str], file: str) -> Iterator[Record]:
        seen: set[str] = set()
        for document in documents(text):
            if isinstance(document, Unreadable):
                yield self._skip(file, str(document), document.line)
            elif is_entity(document) and document.said("kind").lower() == "location":
                yield from self._location(document, file)
            else:
                yield self._entity(document, lines, file, seen)

    def _entity(self, document: Value, lines: list[str], file: str, seen: set[str]) -> Record:
        try:
            made = record(document, lambda line: lines[line - 1], self._people)
        except NotRead as err:
            return self._skip(file, str(err), err.line)
        id_ = f"{file}#{made['entity']}:{made['ns']}/{made['name'].lower()}"
        if id_ in seen:
            return self._skip(file, "an entity that the file describes twice; the first counts", made["line"])
        seen.add(id_)
        return self._kept({**made, "id": id_, "file": file, "access": self._access})

    def _location(self, document: Value, file: str) -> Iterator[Record]:
        targets = [target.text() for target in locations(document)]
        yield self._kept({"kind": "location", "file": file, "line": document.line, "targets": targets})
        for target in locations(document):
            if reason := self._follow(self._base / file, target.text()):
                yield self._skip(file, reason, target.line)

    def _follow(self, here: Path, target: str) -> str:
        """Queues the files that a Location points to; why it points to none, else."""
        if not target or "://" in target or target.startswith("/"):
            return "a Location that points elsewhere; load what is there too"
        if _GLOB.search(target):
            found: Iterable[Path] = sorted(p for p in here.parent.glob(target) if p.is_file())
        else:
            found = [p for p in [here.parent / target] if p.is_file()]
        if not [path for path in found if self.add(path)]:
            return "a Location that points to no file here"
        return ""
