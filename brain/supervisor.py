"""A small process that owns one redis-server: starts it, stops it when nobody uses it, dies with it.

Run as `python -m brain.supervisor HOME IDLE_S REDIS_SERVER MODULE`; it detaches, and says on standard
output, in one line, whether the server is up. Imports only the standard library and our small modules.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from brain.datafolder import DataFolder, Probe, is_socket
from brain.errors import HopcheckError, StoreDown
from brain.resp import Connection, ProtocolError, ReplyError, info

MODULE_ARGS = (
    "THREAD_COUNT 8 OMP_THREAD_COUNT 2 TIMEOUT_DEFAULT 5000 TIMEOUT_MAX 3600000 RESULTSET_SIZE -1 "
    "QUERY_MEM_CAPACITY 1073741824 EFFECTS_THRESHOLD 0 DELAY_INDEXING yes IMPORT_FOLDER /nonexistent/ CACHE_SIZE 200"
)
SETTLE_S = 15.0  # how long a server that lost its supervisor, or was told to stop, may take to end


def configuration(folder: DataFolder, at: Path, module: Path) -> str:
    """The server's configuration; it is handed over on standard input, so no password shows anywhere."""
    words = folder.passwords(create=True)
    return "\n".join([
        "port 0", f"unixsocket {_quoted(at)}", "unixsocketperm 700", f"dir {_quoted(folder.root)}",
        f"logfile {_quoted(folder.log)}", "loglevel notice", "daemonize no", "databases 1", "timeout 0",
        'save ""', "appendonly yes", "appendfsync everysec", "aof-use-rdb-preamble yes", "aof-load-truncated yes",
        "auto-aof-rewrite-min-size 128mb", "crash-memcheck-enabled no",
        f"loadmodule {_quoted(module)} {MODULE_ARGS}",
        f"user default on >{words['default']} ~* &* +@all",
        f"user ro on >{words['ro']} ~brain* resetchannels -@all +graph.ro_query +info +ping",
        "",
    ])  # fmt: skip


def _quoted(path: Path) -> str:
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'


def require_free(at: Path) -> None:
    """Remove a stale socket; StoreDown when a file or another program is in the way."""
    if not os.path.lexists(at):
        return
    if not is_socket(at):
        raise StoreDown(f"{str(at)!r} is in the way of the database's socket: move that file away")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer:
        peer.settimeout(2)
        try:
            peer.connect(str(at))
        except (ConnectionRefusedError, FileNotFoundError):
            at.unlink(missing_ok=True)
            return
        except TimeoutError:
            pass
    raise StoreDown(f"another program listens at {str(at)!r}, the database's socket: end it, or change BRAIN_HOME")


class Supervisor:
    """The server of one data folder and the rule for when it ends."""

    def __init__(self, home: Path, idle_s: float, redis_server: Path, module: Path) -> None:
        """Name what to run; `start` runs it."""
        self.folder, self.idle_s = DataFolder(home), idle_s
        self.redis_server, self.module = redis_server, module
        self.child: subprocess.Popen[bytes] | None = None
        self.connection: Connection | None = None
        self.told_to_stop = False

    def start(self) -> bool:
        """Have the server running and recorded; False when another supervisor has the folder."""
        folder = self.folder
        if not folder.supervisor.take(0.5):
            return False
        if folder.data.take(1.0):
            self._launch()
        elif (found := folder.probe()).pid:
            self._adopt(found)
        elif folder.data.take(SETTLE_S):  # it was about to end
            self._launch()
        else:
            raise StoreDown(f"a database process without supervisor holds {str(folder.root)!r}: end it, then try again")
        return True

    def _launch(self) -> None:
        at = self.folder.choose_socket()
        require_free(at)
        text = configuration(self.folder, at, self.module)
        with open(self.folder.log, "ab") as log:
            self.child = subprocess.Popen(
                [self.redis_server, "-"], stdin=subprocess.PIPE, stdout=log, stderr=log,
                pass_fds=(self.folder.data.fd,), preexec_fn=_end_with_parent(),
            )  # fmt: skip
        assert self.child.stdin
        try:
            with self.child.stdin as pipe:
                pipe.write(text.encode())
        except BrokenPipeError:
            pass  # it has ended already; its log says why
        while not is_socket(at):
            if self.child.poll() is not None:
                raise StoreDown(f"the database ended while starting: {self.folder.last_words()}")
            time.sleep(0.005)
        self.folder.record(socket=str(at), pid=self.child.pid, supervisor=os.getpid(), since=int(time.time()))

    def _adopt(self, found: Probe) -> None:
        self.folder.record(**{**self.folder.state(), "pid": found.pid, "supervisor": os.getpid()})

    def _connected(self, at: Path) -> Connection:
        connection = Connection(at)
        try:
            connection.call("AUTH", "default", self.folder.passwords()["default"])
        except (OSError, ProtocolError, ReplyError):
            connection.close()
            raise
        return connection

    def watch(self) -> None:
        """Return when the server has ended; end it when idle, told to stop, or its folder is gone."""
        ready, poke = os.pipe()
        os.set_blocking(poke, False)
        signal.set_wakeup_fd(poke)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, self._signalled)
        pause = min(1.0, max(0.1, self.idle_s / 4)) if self.idle_s > 0 else 1.0
        seen, busy_at = "", time.monotonic()
        while not self._ended():
            if self.told_to_stop or not self._in_place():
                return self.end()
            self.folder.rotate_log()
            marks = self._marks()
            if not marks or marks != seen:
                seen, busy_at = marks, time.monotonic()
            elif self.idle_s > 0 and time.monotonic() - busy_at >= self.idle_s and self._end_if_idle(seen):
                return None
            if select.select([ready], [], [], pause)[0]:
                os.read(ready, 512)
        return None

    def _signalled(self, number: int, frame: object) -> None:
        self.told_to_stop |= number != signal.SIGCHLD

    def _in_place(self) -> bool:
        at = self.folder.state().get("socket")
        return self.folder.supervisor.in_place() and isinstance(at, str) and is_socket(Path(at))

    def _ended(self) -> bool:
        if self.child is not None:
            return self.child.poll() is not None
        return not self.folder.data.taken()

    def _marks(self) -> str:
        """A text that changes when somebody connects; "" while somebody is, or the server is too busy to say."""
        try:
            if self.connection is None:
                self.connection = self._connected(Path(self.folder.state()["socket"]))
            facts = info(self.connection.call("INFO"))
        except (OSError, ReplyError, ProtocolError, KeyError):
            self._hang_up()
            return ""
        if facts.get("loading") == "1" or int(facts.get("connected_clients", 2)) > 1:
            return ""
        return facts.get("total_connections_received", "")

    def _hang_up(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def _end_if_idle(self, seen: str) -> bool:
        """Nobody can join while `start` is ours, so a server that somebody just joined is never stopped."""
        if not self.folder.start.take():
            return False
        try:
            idle = self._marks() == seen
            if idle:
                self.end()
            return idle
        finally:
            self.folder.start.free()

    def end(self) -> None:
        """Stop the server in order, its file written out; by force when it does not listen."""
        if self.child is None:
            return self._end_adopted()
        orderly = self.folder.supervisor.in_place()  # else its folder is gone, and so is what it would write
        for insist in (self.child.terminate, self.child.kill) if orderly else (self.child.kill,):
            insist()
            try:
                self.child.wait(2 * SETTLE_S)
                return
            except subprocess.TimeoutExpired:
                continue

    def _end_adopted(self) -> None:
        try:
            if self.connection:
                self.connection.call("SHUTDOWN")
        except (OSError, ReplyError, ProtocolError):
            pass  # a closed connection is the answer hoped for
        self.folder.data.take(SETTLE_S)

    def close(self) -> None:
        """Remove what only a running server needs, unless the folder belongs to somebody else by now."""
        if self.folder.supervisor.in_place():
            self.folder.forget()
        self.folder.data.free()
        self.folder.supervisor.free()


def _end_with_parent() -> Callable[[], None] | None:
    """On Linux, what makes the server end in order when its supervisor is killed.

    Elsewhere None, and the next supervisor adopts the server.
    """
    if not sys.platform.startswith("linux"):
        return None
    prctl, parent, set_death_signal = ctypes.CDLL(None, use_errno=True).prctl, os.getpid(), 1

    def arm() -> None:
        prctl(set_death_signal, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return arm


def _report(line: str) -> None:
    with contextlib.suppress(BrokenPipeError):  # whoever started us has gone; the server is there for the next
        os.write(1, line.replace("\n", " ").encode() + b"\n")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def main(argv: list[str]) -> None:
    """Detach, start the server, say `started`, `busy` or `error SENTENCE`, and watch until it ends."""
    if os.fork():
        os._exit(0)
    os.umask(0o077)
    os.chdir("/")
    home, idle_s, redis_server, module = argv
    supervisor = Supervisor(Path(home), float(idle_s), Path(redis_server), Path(module))
    try:
        started = supervisor.start()
    except (HopcheckError, OSError) as e:
        supervisor.close()
        return _report(f"error {e}" if isinstance(e, HopcheckError) else f"error cannot start the database: {e}")
    _report("started" if started else "busy")
    if started:
        supervisor.watch()
        supervisor.close()


if __name__ == "__main__":
    main(sys.argv[1:])
