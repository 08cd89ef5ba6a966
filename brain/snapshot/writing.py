"""Writes a snapshot: beside the place it shall have, and there in one step when it is whole. It holds everything that was loaded,
whoever may read it, so only an administrator makes one and only the owner of the file reads it.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import secrets
import zipfile
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import orjson

from brain import catalogue, loads
from brain.approvals import kept as approved
from brain.errors import BadInput, Cancelled
from brain.rebuild import Progress
from brain.records import Record
from brain.snapshot import kept, manifest
from brain.snapshot.manifest import Manifest
from brain.snapshot.parts import PARTS, ordered
from brain.store import WRITE_TIMEOUT_MS, graph_name
from brain.types import Viewer

if TYPE_CHECKING:
    from brain.brain import Brain

PAGE, AT_ONCE = 1000, 500
STORED_AT = (1980, 1, 1, 0, 0, 0)


def save(
    brain: Brain, path: Path, viewer: Viewer, parts: Iterable[str] = (), *, replace: bool = False,
    progress: Progress = lambda *a: None, cancelled: Callable[[], bool] = lambda: False,
) -> Manifest:  # fmt: skip
    """Writes the workspace into a file, with the parts named (see `brain.snapshot.parts`), and says what is in it.

    BadInput, and no file, for who is no administrator, when nothing is loaded, while something is being loaded, and when there is a
    file of that name and `replace` was not given.
    """
    if not viewer.admin:
        raise BadInput(f"only an administrator may save a snapshot: it holds what others may not see; {viewer.id} is none")
    if not brain.files.records.sources():
        raise BadInput(f"nothing is loaded in {brain.workspace!r}; load something: brain demo, or brain ingest")
    if path.is_dir() or (path.exists() and not replace):
        raise BadInput(f"{path} is there already; give another name, or --replace")
    carried, temp = ordered(parts), path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    lock = brain.files.lock()
    try:
        with open(os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            made = _Saving(brain, carried, progress, cancelled).into(out)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temp, path)
    except OSError as error:
        raise BadInput(f"cannot write to {path}: {error.strerror or error}") from None
    finally:
        lock.release()
        with suppress(OSError):
            temp.unlink()
    return made


def uncarried(brain: Brain, parts: Iterable[str]) -> int:
    """How many things that were approved here, and stand in the graph, a snapshot with these parts does not carry."""
    actions = [] if "approvals" in parts else approved.actions(brain.store, brain.workspace)
    return sum(a.state == "approved" and bool(a.change.needs or a.change.nodes) for a in actions)


@dataclass
class _Saving:
    brain: Brain
    parts: tuple[str, ...]
    progress: Progress
    cancelled: Callable[[], bool]
    files: dict[str, list[Any]] = field(default_factory=dict)

    def into(self, out: Any) -> Manifest:
        brain, files = self.brain, self.brain.files
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            sources = self._records(archive)
            for n, report in enumerate(sorted((files.folder / "reports").glob("*.json")), 1):
                self._entry(archive, f"reports/{n:05}.json", [report.read_bytes()])
            for name, entry in (("decisions.jsonl", "decisions.jsonl"), ("concepts.yaml", "concepts.yaml")):
                if (files.folder / name).exists():
                    self._entry(archive, entry, [(files.folder / name).read_bytes()])
            if brain.vectors is not None:
                self._entry(archive, "vectors.jsonl", self._vectors())
            self._kept(archive)
            stored = brain.store.meta(brain.workspace)
            meta = {name: stored.get(name, "") for name in manifest.META}
            made = Manifest(
                manifest.VERSION, version("hopcheck"), brain.now(), brain.workspace, meta, list(self.parts), sources, self.files
            ).sealed(loads.identity_key(brain.settings))
            archive.writestr(_info(manifest.NAME), made.dumps())
        return made

    def _entry(self, archive: zipfile.ZipFile, name: str, pieces: Iterable[bytes]) -> None:
        """An entry with its length and checksum, which the manifest lists."""
        digest, size = hashlib.sha256(), 0
        with archive.open(_info(name), "w", force_zip64=True) as entry:
            for piece in pieces:
                digest.update(piece)
                size += len(piece)
                entry.write(piece)
        self.files[name] = [size, digest.hexdigest()]
        if self.cancelled():
            raise Cancelled("stopped; no file was written")

    def _records(self, archive: zipfile.ZipFile) -> list[dict[str, Any]]:
        records, told = self.brain.files.records, []
        sources = records.sources()
        for n, source in enumerate(sources, 1):
            self.progress(f"saving {source}", n - 1, len(sources))
            lines = _Counted(records.path(source))
            self._entry(archive, f"records/{n:05}.jsonl", lines)
            told.append({"source": source, "access": str(lines.head.get("access") or ""), "records": lines.n - 1})
        return told

    def _vectors(self) -> Iterator[bytes]:
        """The vectors of the passages that are in the graph, as the cache keeps them."""
        cache = self.brain.vectors
        assert cache is not None
        yield orjson.dumps({"model": cache.model_id, "dim": cache.dim}) + b"\n"
        hashes = sorted(self._hashes())
        for start in range(0, len(hashes), AT_ONCE):
            self.progress("saving vectors", start, len(hashes))
            for name, packed in cache.stored(hashes[start : start + AT_ONCE]):
                yield orjson.dumps({"hash": name, "v": b64encode(packed).decode()}) + b"\n"

    def _hashes(self) -> set[str]:
        store, graph, shipped = self.brain.store, graph_name(self.brain.workspace), catalogue.shipped()
        if not store.exists(graph):
            return set()
        size = int(store.read(graph, shipped["whole_size"].cypher, {}, WRITE_TIMEOUT_MS).rows[0]["n"])
        found: set[str] = set()
        for first in range(0, size, PAGE):
            page = store.read(graph, shipped["whole_nodes_bare"].cypher, {"first": first, "end": first + PAGE}, WRITE_TIMEOUT_MS).rows
            found |= {str(r["props"]["hash"]) for r in page if "Chunk" in r["labels"] and r["props"].get("hash")}
        return found

    def _kept(self, archive: zipfile.ZipFile) -> None:
        """What is kept beside the company, as far as it shall be carried."""
        store, workspace = self.brain.store, self.brain.workspace
        for name in self.parts:
            self.progress(f"saving {name}", 0, 0)
            if name != "memory":
                rows = kept.rows(store, graph_name(workspace, "runs"), PARTS[name].labels.__contains__)
                self._entry(archive, f"{name}.jsonl", (orjson.dumps(row) + b"\n" for row in rows))
                continue
            start = graph_name(workspace, "mem:")
            for n, graph in enumerate(store.graphs(start), 1):
                head: Record = {"viewer": unquote(graph.removeprefix(start))}
                told = chain([head], kept.rows(store, graph, PARTS[name].labels.__contains__))
                self._entry(archive, f"memory/{n:05}.jsonl", (orjson.dumps(row) + b"\n" for row in told))


class _Counted:
    """The lines of a record file, counted while they pass."""

    def __init__(self, path: Path) -> None:
        self._path, self.n = path, 0
        self.head: Record = {}

    def __iter__(self) -> Iterator[bytes]:
        with gzip.open(self._path, "rb") as lines:
            for line in lines:
                self.head = self.head or orjson.loads(line)
                self.n += 1
                yield line


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, STORED_AT)
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
    return info
