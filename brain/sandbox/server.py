"""One run of a sandboxed server: started by its keeper, filled with the copy or with the file of it, ended for good."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import secrets
import select
import shutil
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from brain import readers
from brain.audit.copying import copy
from brain.datafolder import SOCKET_BYTES, Lock
from brain.embedded import binaries
from brain.errors import HopcheckError, StoreDown
from brain.resp import Connection, ProtocolError, ReplyError
from brain.sandbox.keeper import COPY, READ_MS
from brain.settings import Settings, environment
from brain.store import Store, graph_name

START_S = 60.0
COPY_S = 60.0
FOLDER = "sandbox"


@dataclass(eq=False)
class Server:
    """A server that runs. `mark` says which state of the graph it holds, `offline` whether it was cut off from the network,
    `ended` whether we ended it.
    """

    folder: Path
    socket: Path
    mark: str
    pid: int
    offline: bool
    graph: str
    password: str = field(repr=False)
    reader_password: str = field(repr=False)
    keeper: subprocess.Popen[bytes] = field(repr=False)
    ended: bool = False

    def __post_init__(self) -> None:
        self._final = weakref.finalize(self, _let_go, self.keeper)

    def alive(self) -> bool:
        """Does it run still?"""
        return not self.ended and self.keeper.poll() is None

    def end(self) -> None:
        """Ends it at once, whatever it does; returns when it is gone."""
        self.ended = True
        self._final()


def _let_go(keeper: subprocess.Popen[bytes]) -> None:
    keeper.terminate()
    try:
        keeper.wait(5)
    except subprocess.TimeoutExpired:
        keeper.kill()  # the server dies with it
        keeper.wait()
    for pipe in (keeper.stdin, keeper.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def start(store: Store, workspace: str, mark: str, now: Callable[[], str]) -> Server:
    """A server that holds the graph of the workspace in the state `mark`, which `now` tells at any time.

    StoreDown says why there can be none.
    """
    home = store.settings.home / FOLDER
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    kept = home / f"{workspace}.{hashlib.sha256(mark.encode()).hexdigest()[:24]}.rdb"
    if kept.exists():
        try:
            return _ready(_launch(store.settings, home, workspace, mark, kept))
        except StoreDown:
            kept.unlink(missing_ok=True)
    reader = store.reader(graph_name(workspace))
    server = _launch(store.settings, home, workspace, mark, None)
    try:
        _fill(reader, server)
        if now() != mark:
            raise StoreDown("it was loaded anew meanwhile; ask again")
        _keep(server, kept, {*store.workspaces()} - {workspace})
        return _ready(server)
    except (HopcheckError, OSError, ReplyError, ProtocolError) as error:
        server.end()
        size = store.settings.sandbox_mb
        raise StoreDown(f"{workspace!r} cannot be copied for the query ({error}); if it is large, raise BRAIN_SANDBOX_MB={size}") from error
    except BaseException:
        server.end()
        raise
    finally:
        reader.close()


def _launch(settings: Settings, home: Path, workspace: str, mark: str, kept: Path | None) -> Server:
    redis_server, module = binaries(settings)
    folder, lock = _own_folder(home)
    socket = _socket(folder)
    if kept is not None:
        _linked(kept, folder / COPY)
    graph, passwords = graph_name(workspace), {user: secrets.token_hex(24) for user in ("default", "reader")}
    users = [
        ["default", "on", f">{passwords['default']}", "~*", "&*", "+@all"],
        [readers.name(graph), *readers.rules(graph, passwords["reader"])],
    ]
    words = [folder, socket, redis_server, module, settings.sandbox_mb, settings.idle_stop_s, lock.fd]
    package = str(Path(__file__).resolve().parent.parent.parent)
    keeper = subprocess.Popen(
        [sys.executable, "-m", "brain.sandbox.keeper", *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, start_new_session=True, pass_fds=(lock.fd,), env=environment(package),
    )  # fmt: skip
    lock.free()
    try:
        told = _told(keeper, json.dumps({"password": passwords["default"], "users": users}))
        return Server(folder, socket, mark, told["pid"], told["offline"], graph, passwords["default"], passwords["reader"], keeper)
    except BaseException:
        _let_go(keeper)
        raise


def _told(keeper: subprocess.Popen[bytes], line: str) -> dict[str, Any]:
    """What the keeper says of its server once that is ready."""
    assert keeper.stdin and keeper.stdout
    with contextlib.suppress(BrokenPipeError):
        keeper.stdin.write(line.encode() + b"\n")
        keeper.stdin.flush()
    said = keeper.stdout.readline().decode("utf-8", "replace").strip() if select.select([keeper.stdout], [], [], START_S)[0] else ""
    word, _, rest = said.partition(" ")
    if word != "ready":
        raise StoreDown(f"the server for free-form Cypher did not start: {rest or 'it said nothing'} (BRAIN_SANDBOX_MB may be too small)")
    found: dict[str, Any] = json.loads(rest)
    return found


def _own_folder(home: Path) -> tuple[Path, Lock]:
    """A new folder for one run, locked by whoever belongs to it; what earlier runs left behind goes."""
    starting = Lock(home / "start.lock")
    if not starting.take(START_S):
        raise StoreDown("another process is still starting a server for free-form Cypher: try again")
    try:
        for old in home.glob("run-*"):
            if not Lock(old / "lock").taken():
                shutil.rmtree(old, ignore_errors=True)
        folder = Path(tempfile.mkdtemp(prefix="run-", dir=home))
        lock = Lock(folder / "lock")
        lock.take()
        return folder, lock
    finally:
        starting.free()


def _socket(folder: Path) -> Path:
    inside = folder / "redis.sock"
    if len(os.fsencode(inside)) <= SOCKET_BYTES:
        return inside
    return Path(tempfile.mkdtemp(prefix="hopcheck-")) / "redis.sock"


def _linked(old: Path, new: Path) -> None:
    try:
        os.link(old, new)
    except OSError:
        shutil.copyfile(old, new)


def _fill(reader: Store, server: Server) -> None:
    """Copies the graph, read as a user who can read nothing else."""
    address = f"unix://default:{server.password}@{quote(str(server.socket))}"
    into = Store.open(dataclasses.replace(reader.settings, falkordb_url=address))
    try:
        copy(reader, server.graph, into, server.graph, vectors=False, alone=True)
    finally:
        into.close()


def _keep(server: Server, kept: Path, others: set[str]) -> None:
    """The copy as a file, for the next start; those of earlier states go, and of all but the `others` that there still are."""
    with Connection(server.socket, COPY_S) as connection:
        connection.call("AUTH", "default", server.password)
        connection.call("SAVE")
    fresh = kept.with_suffix(f".{os.getpid()}.new")
    fresh.unlink(missing_ok=True)
    _linked(server.folder / COPY, fresh)
    fresh.replace(kept)
    for old in kept.parent.glob("*.rdb"):
        if old != kept and old.name.partition(".")[0] not in others:
            old.unlink(missing_ok=True)


def _ready(server: Server) -> Server:
    """The server with nothing left to do but answer: no statement is given more time, and nobody can write any more."""
    try:
        with Connection(server.socket, COPY_S) as connection:
            connection.call("AUTH", "default", server.password)
            if connection.call("EXISTS", server.graph) != 1:
                raise StoreDown("the file of the copy holds no graph")
            connection.call("GRAPH.CONFIG", "SET", "TIMEOUT_MAX", READ_MS)
            connection.call("ACL", "SETUSER", "default", "-@all", "+auth", "+info")
        _last_in_line(server.pid)
        return server
    except BaseException:
        server.end()
        raise


def _last_in_line(pid: int) -> None:
    """Everybody else comes first for the processor, now that the copy is made."""
    tasks, last = Path(f"/proc/{pid}/task"), min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)
    with contextlib.suppress(OSError):
        for thread in [int(task.name) for task in tasks.iterdir()] if tasks.is_dir() else [pid]:
            os.setpriority(os.PRIO_PROCESS, thread, last)
