"""The files of a Slack export, a folder or a zip of one: which channels there are, who may read them, which files hold
their messages. Nothing is taken by its name alone, and a file that cannot be read costs itself.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from brain.connectors.json_files import elements
from brain.connectors.slack_text import stored
from brain.errors import BadInput

_UNPACKING = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, KeyError)
USERS = ("users.json", "org_users.json")
CHANNELS = ("channels.json", "groups.json", "mpims.json", "dms.json")
MAX_MEMBER = 1 << 30
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ _.-]\w+)?\.json", re.IGNORECASE)
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_DIRECT = re.compile(r"D[A-Z0-9]{7,}")
_LISTED = (b"profile", b"team_id", b"members", b"is_bot", b"purpose", b"is_archived")
_PROBE = 65_536


@dataclass
class Channel:
    """A channel of the export. `folder` is what its files lie under; `kind` is public, private, group or direct."""

    id: str
    name: str
    kind: str = "public"
    members: tuple[str, ...] = ()
    listed: bool = True

    @property
    def direct(self) -> bool:
        """Whether it is a conversation of a few people and no channel."""
        return self.kind in ("group", "direct")


@dataclass
class Unread:
    """Something of the export that is not loaded, and why."""

    reason: str
    file: str
    line: int = 0


@dataclass
class Export:
    """One export. `place` is the folder or zip, `prefix` where in it the lists lie, `shown` its path for records."""

    place: Path
    shown: str
    prefix: str = ""
    only: str = ""
    names: list[str] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    archive: zipfile.ZipFile | None = None

    def close(self) -> None:
        """Lets go of the zip."""
        if self.archive is not None:
            self.archive.close()
            self.archive = None

    def path(self, name: str) -> str:
        """A file's path as records and keys name it."""
        return f"{self.shown}/{name}" if self.shown else name

    @contextmanager
    def unpacked(self, name: str) -> Iterator[Path | None]:
        """The file on disk; out of a zip it is unpacked for as long as it is needed. None, and noted, where it cannot be."""
        with ExitStack() as stack:
            path: Path | None = self.place / name
            if not self.place.is_dir():
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hopcheck-")))
                path = self._unpack(name, folder / PurePosixPath(name).name)
            yield path

    def _unpack(self, name: str, target: Path) -> Path | None:
        try:
            if self.archive is None:
                self.archive = zipfile.ZipFile(self.place)
            with self.archive.open(self.prefix + name) as packed, target.open("wb") as out:
                shutil.copyfileobj(packed, out)
        except (*_UNPACKING, OSError) as err:
            self._note(f": cannot be unpacked: {err}", name)
            return None
        return target

    def values(self, name: str) -> Iterator[Any]:
        """The values of a JSON file."""
        with self.unpacked(name) as path:
            if path is not None:
                yield from self.values_in(path, name)

    def values_in(self, path: Path, name: str) -> Iterator[Any]:
        """The values of a JSON file on disk; what stops the reading is noted, what was read before it stays."""
        try:
            for element in elements(path):
                yield element.value
        except BadInput as err:
            self._note(str(err).replace(str(path), "", 1), name)

    def _note(self, text: str, name: str) -> None:
        line, _, reason = text.lstrip(":").partition(":") if re.match(r":\d+:", text) else ("0", "", text.lstrip(":"))
        self.unread.append(Unread(f"cannot be read: {reason.strip()}", self.path(name), int(line)))

    def channels(self) -> dict[str, Channel]:
        """The channels that the lists name, by the folder of each."""
        found: dict[str, Channel] = {}
        for name in CHANNELS:
            for value in self.values(name) if name in self.names else ():
                if not isinstance(value, dict) or not is_id(value.get("id")):
                    self.unread.append(Unread("an entry without an id", self.path(name)))
                    continue
                channel = _channel(value, name)
                found[channel.id if channel.kind == "direct" else channel.name] = channel
        return found

    def users(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """(file, user) for everyone that the lists name."""
        for name in USERS:
            for value in self.values(name) if name in self.names else ():
                if isinstance(value, dict) and is_id(value.get("id")):
                    yield name, value
                else:
                    self.unread.append(Unread("an entry without an id", self.path(name)))

    def folders(self) -> dict[str, list[str]]:
        """The files with messages, by folder, in the order of their days; the rest of the export is noted as unread."""
        days: dict[str, list[str]] = {}
        for name in self.names:
            folder, _, base = name.rpartition("/")
            if folder and "/" not in folder and _DAY.fullmatch(base):
                if not self.only or folder == self.only:
                    days.setdefault(folder, []).append(name)
            elif name not in (*USERS, *CHANNELS):
                self.unread.append(Unread(f"a Slack export's {_sort_of(name)} is not loaded", self.path(name)))
        return {folder: sorted(files) for folder, files in sorted(days.items())}

    def channel_of(self, folder: str, listed: dict[str, Channel]) -> Channel:
        """The channel whose messages lie in the folder. One that no list names is private where others are listed."""
        if folder in listed:
            return listed[folder]
        by_id = next((c for c in listed.values() if c.id == folder), None)
        if by_id is not None:
            return by_id
        if _DIRECT.fullmatch(folder):
            return Channel(folder, folder, "direct", listed=False)
        if folder.startswith("mpdm-"):
            return Channel(folder, folder, "group", listed=False)
        public = any(not c.direct for c in listed.values())
        return Channel(folder, folder, "private" if public else "public", listed=False)


def is_id(value: Any) -> bool:
    """Whether a value can be the id of a user or channel."""
    return isinstance(value, str) and bool(_ID.fullmatch(value))


def _channel(value: dict[str, Any], file: str) -> Channel:
    id_ = str(value["id"])
    kind = {"groups.json": "private", "mpims.json": "group", "dms.json": "direct"}.get(file, "public")
    if value.get("is_im"):
        kind = "direct"
    elif value.get("is_mpim"):
        kind = "group"
    elif kind == "public" and value.get("is_private"):
        kind = "private"
    listed = value.get("members")
    members = tuple(sorted({str(m) for m in listed if m})) if isinstance(listed, list) else ()
    name = " ".join(stored(str(value.get("name") or "")).split()) or id_
    return Channel(id_, id_ if kind == "direct" else name, kind, members)


def _sort_of(name: str) -> str:
    if "/" not in name:
        return name if name.endswith(".json") else "attached file"
    return "other JSON file beside messages" if name.endswith(".json") else "attached file"


def opened(path: Path, base: Path) -> Export:
    """The export at a path: its folder, its zip, one of its channel folders, or one of its lists.

    Raises BadInput when nothing there is of an export.
    """
    if path.is_file() and path.name in (*USERS, *CHANNELS):
        path = path.parent
    if path.is_dir():
        export = _folder(path, base)
    elif zipfile.is_zipfile(path):
        export = _zip(path, base)
    else:
        raise BadInput(f"{path} is no Slack export; give the unpacked folder or the .zip")
    if not _looks_like(export.names):
        raise BadInput(f"{path} holds neither users.json, channels.json nor a folder with files such as 2025-01-31.json")
    return export


def _looks_like(names: Iterable[str]) -> bool:
    return any(n in (*USERS, *CHANNELS) or ("/" in n and _DAY.fullmatch(n.rpartition("/")[2])) for n in names)


def _shown(path: Path, base: Path) -> str:
    try:
        text = path.resolve().relative_to(base.resolve()).as_posix()
    except ValueError:
        text = path.name
    return "" if text == "." else text


def _folder(path: Path, base: Path) -> Export:
    only = ""
    if any(_DAY.fullmatch(p.name) for p in path.glob("*.json")) and not (path / "users.json").exists():
        path, only = path.parent, path.name
    names: list[str] = []
    for item in sorted(path.iterdir()):
        if item.is_dir() and (not only or item.name == only):
            names += [f"{item.name}/{p.relative_to(item).as_posix()}" for p in sorted(item.rglob("*")) if p.is_file()]
        elif item.is_file() and (not only or item.name in (*USERS, *CHANNELS)):
            names.append(item.name)
    return Export(path, _shown(path, base), "", only, [n for n in names if not PurePosixPath(n).name.startswith(".")])


def _zip(path: Path, base: Path) -> Export:
    with zipfile.ZipFile(path) as archive:
        members = [i for i in archive.infolist() if not i.is_dir() and "__MACOSX/" not in i.filename]
    lists = [i.filename for i in members if PurePosixPath(i.filename).name in (*USERS, *CHANNELS)]
    days = [i.filename for i in members if _DAY.fullmatch(PurePosixPath(i.filename).name) and "/" in i.filename]
    depth = min((n.count("/") for n in lists), default=min((n.count("/") - 1 for n in days), default=0))
    root = next((n for n in sorted([*lists, *days]) if n.count("/") >= depth), "")
    prefix = "".join(f"{part}/" for part in root.split("/")[:depth])
    export = Export(path, _shown(path, base), prefix)
    for info in members:
        if info.filename.startswith(prefix):
            name = info.filename[len(prefix) :]
            if info.file_size > MAX_MEMBER:
                export.unread.append(Unread("is larger than a gigabyte once unpacked", export.path(name)))
            else:
                export.names.append(name)
    export.names.sort()
    return export


def recognised(path: Path) -> bool:
    """Whether a folder or zip is a Slack export, by its files and what stands in one of them."""
    try:
        if not path.is_dir() and not (path.suffix.lower() == ".zip" and zipfile.is_zipfile(path)):
            return False
        export = opened(path, path.parent)
        files = [name for name in export.names if _DAY.fullmatch(name.rpartition("/")[2]) and name.count("/") == 1][:3]
        probe = [*files, *(n for n in (*USERS, *CHANNELS) if n in export.names)]
        said = any(_says(export, name, is_day=name in files) for name in probe)
        export.close()
        return said
    except (BadInput, OSError, *_UNPACKING):
        return False


def _says(export: Export, name: str, is_day: bool) -> bool:
    with export.unpacked(name) as path:
        if path is None:
            return False
        with path.open("rb") as file:
            head = file.read(_PROBE)
    if is_day:
        return b'"ts"' in head and (b'"text"' in head or b'"subtype"' in head)
    id_ = re.search(rb'"id"\s*:\s*"[UWCGD][A-Z0-9]{6,}"', head)
    return bool(id_) and any(b'"%b"' % word in head for word in _LISTED)
