"""A snapshot as a file that anybody may have made: nothing is read before its length is known to be bounded, no entry has another name
than a snapshot's, nothing of it is ever used as a path, and what is cut or altered is refused before anything is changed.
"""

from __future__ import annotations

import hashlib
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import orjson

from brain.errors import BadInput
from brain.snapshot import manifest
from brain.snapshot.manifest import Manifest

MOST_BYTES = 32 * 2**30
MOST_ENTRIES = 20_000
LONGEST_LINE = 64 * 2**20
LONGEST_MANIFEST = 16 * 2**20
RATIO, RATIO_FROM = 200, 2**24
PIECE = 2**20


@dataclass(frozen=True)
class Snapshot:
    """A snapshot that is open; its entries are checked as they are read."""

    path: Path
    manifest: Manifest
    _zip: zipfile.ZipFile

    def names(self, folder: str) -> list[str]:
        """The entries in a folder of it, in order."""
        return sorted(name for name in self.manifest.files if name.startswith(f"{folder}/"))

    def has(self, name: str) -> bool:
        """Is there such an entry?"""
        return name in self.manifest.files

    def check(self) -> None:
        """Reads all of it once; BadInput when anything is cut or altered."""
        for name in self.manifest.files:
            for _ in self.pieces(name):
                pass

    def pieces(self, name: str) -> Iterator[bytes]:
        """An entry, piece by piece; BadInput at its end when it is not what was written."""
        digest, entry = hashlib.sha256(), self._opened(name)
        with entry, damaged(self.path):
            while piece := entry.read(PIECE):
                digest.update(piece)
                yield piece
        self._same(name, digest.hexdigest())

    def whole(self, name: str) -> bytes:
        """An entry that is small."""
        if self.manifest.files[name][0] > LONGEST_LINE:
            raise BadInput(f"{self.path}: {name} is longer than it can be")
        return b"".join(self.pieces(name))

    def lines(self, name: str) -> Iterator[dict[str, Any]]:
        """The objects of an entry, one a line; BadInput for what is none, and at its end when it is not what was written."""
        digest, entry = hashlib.sha256(), self._opened(name)
        with entry, damaged(self.path):
            for n, line in enumerate(iter(lambda: entry.readline(LONGEST_LINE + 1), b""), 1):
                digest.update(line)
                if len(line) > LONGEST_LINE:
                    raise BadInput(f"{self.path}: {name}, line {n} is longer than it can be")
                value = orjson.loads(line)
                if not isinstance(value, dict):
                    raise BadInput(f"{self.path}: {name}, line {n} is not an object")
                yield value
        self._same(name, digest.hexdigest())

    def _opened(self, name: str) -> IO[bytes]:
        with damaged(self.path):
            return self._zip.open(name)

    def _same(self, name: str, digest: str) -> None:
        if digest != self.manifest.files[name][1]:
            raise BadInput(f"{self.path}: {name} was altered after it was written")


@contextmanager
def damaged(path: Path) -> Iterator[None]:
    """Whatever shows that the file is cut or damaged, as one line."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, KeyError) as error:
        raise BadInput(f"{path}: cut or damaged, nothing was changed ({_short(error)})") from None
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None


@contextmanager
def read(path: Path) -> Iterator[Snapshot]:
    """Opens a snapshot. BadInput when it is none, cut, of a newer version, or holds what no snapshot holds."""
    with damaged(path):
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadInput(f"{path}: not a snapshot, for it is no file")
        archive = zipfile.ZipFile(path)
    with archive:
        yield Snapshot(path, _listed(path, archive), archive)


def _listed(path: Path, archive: zipfile.ZipFile) -> Manifest:
    """The manifest, once every entry is seen to be plain, bounded and listed in it."""
    entries = archive.infolist()
    names = [entry.filename for entry in entries]
    if manifest.NAME not in names:
        raise BadInput(f"{path}: not a snapshot")
    if len(entries) > MOST_ENTRIES or len(names) != len(set(names)):
        raise BadInput(f"{path}: too many entries, or two of one name")
    for entry in entries:
        _plain(path, entry)
    if sum(entry.file_size for entry in entries) > MOST_BYTES:
        raise BadInput(f"{path}: unpacks to more than {MOST_BYTES // 2**30} GiB")
    if archive.getinfo(manifest.NAME).file_size > LONGEST_MANIFEST:
        raise BadInput(f"{path}: its list of contents is longer than it can be")
    with damaged(path):
        told = archive.read(manifest.NAME)
    listed = manifest.loads(told, str(path))
    if set(names) - {manifest.NAME} != set(listed.files):
        raise BadInput(f"{path}: cut, or something was added: its entries are not those it lists")
    for entry in entries:
        if entry.filename != manifest.NAME and entry.file_size != listed.files[entry.filename][0]:
            raise BadInput(f"{path}: {entry.filename} is not as long as it was written")
    return listed


def _plain(path: Path, entry: zipfile.ZipInfo) -> None:
    """BadInput for an entry that a snapshot does not have: another name, a link, a bomb."""
    shown = repr(entry.filename[:100])
    if entry.filename != manifest.NAME and not manifest.ENTRY.fullmatch(entry.filename):
        raise BadInput(f"{path}: an entry called {shown} is in no snapshot; nothing was unpacked")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG) or entry.flag_bits & 1 or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadInput(f"{path}: {shown} is not a plain entry; nothing was unpacked")
    if entry.file_size > RATIO_FROM and entry.file_size > RATIO * max(1, entry.compress_size):
        raise BadInput(f"{path}: {shown} would unpack to more than {RATIO} times its size; nothing was unpacked")


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__
