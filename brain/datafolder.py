"""The embedded database's folder: its files, its locks, its passwords, and who answers at its socket.

Three locks, each an flock that the system frees when its holder dies: `start` is held while somebody
joins or starts the server, `supervisor` by the supervisor for its life, `data` by redis-server itself
(it inherits the descriptor), so that no two servers ever run on one folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import stat
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from brain.errors import BadInput, StoreDown
from brain.resp import Connection, ProtocolError, ReplyError, info
from brain.settings import runtime_folder

SOCKET_BYTES = 103  # the shortest limit among the systems we run on, without the closing NUL
LOG_BYTES = 1_000_000


class Lock:
    """An exclusive lock on a file, held until freed or until every process that has `fd` is gone."""

    def __init__(self, path: Path) -> None:
        """Name the lock; nothing is opened before `take`."""
        self.path, self.fd = path, -1

    def take(self, wait_s: float = 0.0) -> bool:
        """Whether the lock was free, or became free within `wait_s` seconds."""
        try:
            import fcntl
        except ImportError:
            raise StoreDown("the embedded database needs Linux or macOS; set FALKORDB_URL to use a server") from None
        until = time.monotonic() + wait_s
        while True:
            self.fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self.in_place():
                    return True
            except BlockingIOError:
                pass
            self.free()
            if time.monotonic() >= until:
                return False
            time.sleep(0.01)

    def in_place(self) -> bool:
        """Whether the file at our path is still the one we opened."""
        try:
            return os.path.samestat(os.stat(self.path), os.fstat(self.fd))
        except OSError:
            return False

    def free(self) -> None:
        """Let go."""
        if self.fd >= 0:
            os.close(self.fd)
        self.fd = -1

    def taken(self) -> bool:
        """Whether somebody else holds it now."""
        if self.take():
            self.free()
            return False
        return True


@dataclass(frozen=True)
class Probe:
    """What answered at the recorded socket: our server (`ready`, `loading`), or `silent`, or `gone`."""

    state: Literal["ready", "loading", "silent", "gone"]
    socket: Path = Path()
    info: dict[str, str] | None = None

    @property
    def pid(self) -> int:
        """Process id of redis-server as it says itself; 0 when it does not answer."""
        return int((self.info or {}).get("process_id", 0))


class DataFolder:
    """The folder `database` in a BRAIN_HOME."""

    def __init__(self, home: Path) -> None:
        """Name the paths; nothing is created before `prepare`."""
        self.home = Path(os.path.realpath(home))
        self.root = self.home / "database"
        self.log = self.root / "server.log"
        self.start = Lock(self.root / "start.lock")
        self.supervisor = Lock(self.root / "supervisor.lock")
        self.data = Lock(self.root / "data.lock")
        self._state = self.root / "server.json"
        self._passwords = self.root / "passwords.json"

    def prepare(self) -> None:
        """Create the folder, for its owner only; BadInput when that cannot be or it is not writable."""
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self.start.path, os.O_RDWR | os.O_CREAT, 0o600))  # as every lock is opened
        except OSError as e:
            raise BadInput(f"{self._trouble(e)}: set BRAIN_HOME to another folder") from None

    def _trouble(self, error: OSError) -> str:
        if isinstance(error, PermissionError):
            return f"no rights to write in {str(self.home)!r} (at {error.filename})"
        if isinstance(error, FileExistsError | NotADirectoryError):
            return f"{str(self.root)!r} cannot be a folder because a file is in the way"
        return f"{str(self.home)!r} cannot hold the database ({error.strerror})"

    def passwords(self, create: bool = False) -> dict[str, str]:
        """The password of the administrator, by the user's name `default`; made once when `create`, else {} when there is none."""
        held = _read_json(self._passwords)
        if isinstance(held.get("default"), str):
            os.chmod(self._passwords, 0o600)
            return held
        if not create:
            return {}
        made = {"default": secrets.token_hex(24)}
        _write_json(self._passwords, made)
        return made

    def state(self) -> dict[str, Any]:
        """What the supervisor recorded: socket, pid, supervisor, since; {} when it recorded nothing."""
        return _read_json(self._state)

    def record(self, **state: Any) -> None:
        """Record the running server for whoever wants to join it."""
        _write_json(self._state, state)

    def forget(self) -> None:
        """Remove the record and the socket of a server that has ended."""
        socket = self.state().get("socket")
        for path in (self._state, *([Path(socket)] if isinstance(socket, str) and is_socket(Path(socket)) else [])):
            path.unlink(missing_ok=True)

    def choose_socket(self) -> Path:
        """Where the socket goes: the folder, or a short private folder when the path would be too long."""
        inside = self.root / "redis.sock"
        if len(os.fsencode(inside)) <= SOCKET_BYTES:
            return inside
        name = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16] + ".sock"
        for base in (runtime_folder(), tempfile.gettempdir(), "/tmp"):
            path = Path(base or "/tmp") / f"hopcheck-{os.geteuid()}" / name
            if base and os.access(base, os.W_OK | os.X_OK) and len(os.fsencode(path)) <= SOCKET_BYTES:
                _own(path.parent)
                return path
        raise StoreDown(f"{str(self.root)!r} is too deep for a socket and no temporary folder is writable: set TMPDIR")

    def probe(self, timeout: float = 2.0) -> Probe:
        """Ask the recorded socket who is there; only our password and our folder make it our server."""
        state, password = self.state(), self.passwords().get("default", "")
        socket = Path(str(state.get("socket", "")))
        if not password or not state.get("socket"):
            return Probe("gone")
        try:
            with Connection(socket, timeout) as connection:
                connection.call("AUTH", "default", password)
                folder = connection.call("CONFIG", "GET", "dir")
                if not isinstance(folder, list) or os.path.realpath(folder[1]) != str(self.root):
                    return Probe("gone")
                facts = info(connection.call("INFO"))
                return Probe("loading" if facts.get("loading") == "1" else "ready", socket, facts)
        except TimeoutError:
            return Probe("silent", socket)
        except (OSError, ReplyError, ProtocolError):
            return Probe("gone")

    def last_words(self) -> str:
        """The last line of the log and where the log is; for the sentence about a server that ended."""
        try:
            lines = self.log.read_text("utf-8", "replace")[-4000:].strip().splitlines()
        except OSError:
            lines = []
        return f"{lines[-1].strip()[-300:] if lines else 'it wrote nothing'} (log: {self.log})"

    def rotate_log(self) -> None:
        """Keep the log and two older ones, each of about a megabyte; the server opens it for every line."""
        if self.log.exists() and self.log.stat().st_size > LOG_BYTES:
            older = self.log.with_suffix(".log.1")
            if older.exists():
                older.replace(self.log.with_suffix(".log.2"))
            self.log.replace(older)


def is_socket(path: Path) -> bool:
    """Whether there is a socket at the path (a link to one does not count)."""
    try:
        return stat.S_ISSOCK(path.lstat().st_mode)
    except OSError:
        return False


def _own(folder: Path) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise StoreDown(f"{str(folder)!r} must be a folder that only you can enter: remove it, or shorten BRAIN_HOME")


def _read_json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _write_json(path: Path, value: dict[str, Any]) -> None:
    fresh = path.with_suffix(f".{os.getpid()}.new")
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
        json.dump(value, out)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(path)
