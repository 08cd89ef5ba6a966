"""The vectors of texts, kept by content hash across loads and workspaces: one SQLite file a model.

Several processes may read and write it at once. A file belongs to one model and one dimension for ever.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import threading
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from brain.errors import BadInput
from brain.text.embedding import Cancel, Embedder, Progress, Vectors, embed_batches, unit

FORMAT = "hopcheck-vectors-1"
BUSY_S = 60.0
_AT_ONCE = 500


class VectorCache:
    """Vectors by content hash, stored as float16 and given back as float32 of unit length.

    Opening it with another dimension than it was made with raises BadInput.
    """

    def __init__(self, folder: Path, model_id: str, dim: int) -> None:
        self.model_id, self.dim = model_id, dim
        self.path = folder / _file_name(model_id)
        self._lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
            self._prepare()
        except (OSError, sqlite3.Error) as e:
            raise BadInput(f"{self.path}: the vector cache cannot be opened ({e}); it can be deleted, it is a cache") from e

    def _prepare(self) -> None:
        with self._writing() as db:
            db.execute("CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
            db.execute("CREATE TABLE IF NOT EXISTS vector (hash TEXT PRIMARY KEY, v BLOB NOT NULL) WITHOUT ROWID")
            wanted = {"model": self.model_id, "dim": str(self.dim)}
            db.executemany("INSERT OR IGNORE INTO about VALUES (?, ?)", wanted.items())
            found = dict(db.execute("SELECT name, value FROM about"))
        if found != wanted:
            raise BadInput(
                f"{self.path} holds vectors of {found.get('model')!r} with {found.get('dim')} numbers, "
                f"not of {self.model_id!r} with {self.dim}: two models are never mixed"
            )

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def get_many(self, hashes: Iterable[str]) -> dict[str, Vectors]:
        """The vectors that are there, by hash."""
        found = self.stored(hashes)
        rows = unit(np.frombuffer(b"".join(v for _, v in found), dtype="<f2").reshape(len(found), self.dim))
        return dict(zip((h for h, _ in found), rows, strict=True))

    def stored(self, hashes: Iterable[str]) -> list[tuple[str, bytes]]:
        """The vectors that are there as they are stored, float16 and little-endian: (hash, bytes)."""
        found: list[tuple[str, bytes]] = []
        for some in _groups(list(dict.fromkeys(hashes)), _AT_ONCE):
            marks = ",".join("?" * len(some))
            with self._lock:
                found += self._db.execute(f"SELECT hash, v FROM vector WHERE hash IN ({marks})", some)
        return found

    def missing(self, hashes: Iterable[str]) -> list[str]:
        """The hashes that have no vector yet, each once, in the order given."""
        wanted, there = list(dict.fromkeys(hashes)), set[str]()
        for some in _groups(wanted, _AT_ONCE):
            marks = ",".join("?" * len(some))
            with self._lock:
                there |= {h for (h,) in self._db.execute(f"SELECT hash FROM vector WHERE hash IN ({marks})", some)}
        return [h for h in wanted if h not in there]

    def put_many(self, hashes: Sequence[str], vectors: Vectors) -> None:
        """Keeps one row a hash; ValueError when their number or dimension is wrong."""
        if vectors.shape != (len(hashes), self.dim):
            raise ValueError(f"{len(hashes)} vectors of {self.dim} numbers are expected, not {vectors.shape}")
        rows = np.ascontiguousarray(vectors, dtype="<f2")
        with self._writing() as db:
            db.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", zip(hashes, map(bytes, rows), strict=True))

    def __len__(self) -> int:
        with self._lock:
            (n,) = self._db.execute("SELECT count(*) FROM vector").fetchone()
        return int(n)

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

    def export_file(self, path: Path, hashes: Iterable[str]) -> int:
        """Writes these vectors (those that are there) to a small file, one byte a number; how many.

        The same vectors give the same bytes.
        """
        found = self.get_many(hashes)
        names = sorted(found)
        rows = np.array([found[h] for h in names], dtype=np.float32).reshape(len(names), self.dim)
        scale = np.abs(rows).max(axis=1, keepdims=True, initial=0) / 127
        with path.open("wb") as f:
            np.savez_compressed(
                f,
                about=np.array([FORMAT, self.model_id, str(self.dim)]),
                hashes=np.frombuffer("\n".join(names).encode(), dtype=np.uint8),
                vectors=np.rint(rows / scale).astype(np.int8),
            )
        return len(names)

    def import_file(self, path: Path) -> int:
        """Takes in a file that `export_file` wrote; how many it held. BadInput when damaged or of another model."""
        try:
            with np.load(path, allow_pickle=False) as data:
                about, packed, rows = data["about"].tolist(), data["hashes"].tobytes(), data["vectors"]
                names = packed.decode().split("\n") if packed else []
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as e:
            raise BadInput(f"{path}: not a file of vectors ({e})") from None
        if about != [FORMAT, self.model_id, str(self.dim)]:
            raise BadInput(f"{path} is {' '.join(about)!r}, not {FORMAT} {self.model_id} {self.dim}: two models are never mixed")
        if rows.shape != (len(names), self.dim):
            raise BadInput(f"{path}: {len(names)} hashes but vectors of shape {rows.shape}")
        new = set(self.missing(names))
        keep = [i for i, h in enumerate(names) if h in new]
        self.put_many([names[i] for i in keep], unit(rows[keep].astype(np.float32)))
        return len(names)


def embed_missing(
    cache: VectorCache,
    embedder: Embedder,
    items: Iterable[tuple[str, str]],
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> int:
    """Embeds the (hash, text) items that the cache lacks and keeps each batch at once; how many it made.

    Raises Cancelled when `cancel()` says so; what was made by then is kept.
    """
    if (cache.model_id, cache.dim) != (embedder.model_id, embedder.dim):
        raise BadInput(f"{cache.path} is for {cache.model_id}, not for {embedder.model_id}: two models are never mixed")
    texts = dict(items)
    names = cache.missing(texts)
    made = 0
    for positions, rows in embed_batches(embedder, [texts[h] for h in names], progress, cancel):
        cache.put_many([names[i] for i in positions], rows)
        made += len(positions)
    return made


def _groups(items: list[str], size: int) -> Iterator[list[str]]:
    for i in range(0, len(items), size):
        yield items[i : i + size]


def _file_name(model_id: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9.-]+", "-", model_id).strip("-.")[:60]
    return f"{plain}-{hashlib.sha256(model_id.encode()).hexdigest()[:8]}.sqlite"
