"""The process that keeps one sandboxed server: it starts it with its limits and ends with it, with its owner, or when idle.

Run as `python -m brain.sandbox.keeper FOLDER SOCKET REDIS_SERVER MODULE MEGABYTES IDLE_S LOCK_FD`. Its owner writes one line of
JSON with the passwords and the users' rules, and holds standard input open for as long as it lives. Imports only the
standard library and our small modules.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

from brain.datafolder import is_socket
from brain.resp import Connection, ProtocolError, ReplyError, info
from brain.supervisor import unused

COPY = "copy.rdb"
THREADS = 2
READ_MS = 5000
ROWS = 1000
CAPACITY = 256 * 2**20
SILENT_S = 10.0  # longer than any read may take
MODULE_ARGS = (
    f"THREAD_COUNT {THREADS} OMP_THREAD_COUNT 1 TIMEOUT_DEFAULT {READ_MS} TIMEOUT_MAX 600000 RESULTSET_SIZE {ROWS} "
    f"QUERY_MEM_CAPACITY {CAPACITY} MAX_QUEUED_QUERIES 64 IMPORT_FOLDER /nonexistent/ CACHE_SIZE 25 DELAY_INDEXING yes"
)
_NEWUSER, _NEWNET, _DEATH = 0x10000000, 0x40000000, 1


def configuration(folder: Path, socket: Path, module: Path, users: list[list[str]]) -> str:
    """The server's configuration: nothing on disk unless told, no port, and the users given (name and rules)."""
    return "\n".join([
        "port 0", f'unixsocket "{_quoted(socket)}"', "unixsocketperm 700", f'dir "{_quoted(folder)}"', "daemonize no",
        f'logfile "{_quoted(folder / "log")}"', "databases 1", 'save ""', "appendonly no", f"dbfilename {COPY}",
        "crash-log-enabled no", "crash-memcheck-enabled no", "maxclients 64", "timeout 0",
        f'loadmodule "{_quoted(module)}" {MODULE_ARGS}', *(f"user {name} {' '.join(rules)}" for name, *rules in users), "",
    ])  # fmt: skip


def _quoted(path: Path) -> str:
    return str(path).replace("\\", "\\\\").replace('"', '\\"')


def without_network() -> bool:
    """Leaves the network for good, where the system lets us; whether it did."""
    if not sys.platform.startswith("linux"):
        return False
    libc, uid, gid = ctypes.CDLL(None, use_errno=True), os.geteuid(), os.getegid()
    if libc.unshare(_NEWNET) == 0:
        return True
    if libc.unshare(_NEWUSER | _NEWNET) != 0:
        return False
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with contextlib.suppress(OSError):
            Path("/proc/self", name).write_text(text)
    return True


def first_to_go() -> None:
    """When memory runs out, the system ends this process and its server before any other."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def confined(megabytes: int) -> Callable[[], None]:
    """What the server's process does before it becomes redis-server: limits its memory and ties its life to ours."""
    import resource

    parent, linux = os.getpid(), sys.platform.startswith("linux")
    prctl = ctypes.CDLL(None, use_errno=True).prctl if linux else None

    def arm() -> None:
        if prctl is not None:
            prctl(_DEATH, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != parent:
                os._exit(1)
        for what, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, megabytes * 2**20)):
            with contextlib.suppress(OSError, ValueError):  # where the system has no such limit, `watch` looks at the memory
                resource.setrlimit(what, (most, most))

    return arm


class Keeper:
    """One server in one folder."""

    def __init__(self, folder: Path, socket: Path, megabytes: int, idle_s: float) -> None:
        self.folder, self.socket, self.megabytes, self.idle_s = folder, socket, megabytes, idle_s
        self.child: subprocess.Popen[bytes] | None = None
        self.connection: Connection | None = None

    def start(self, redis_server: Path, module: Path, lock: int, password: str, users: list[list[str]]) -> str:
        """Runs the server until it answers; what is wrong when it does not, else empty."""
        text = configuration(self.folder, self.socket, module, users)
        self.child = subprocess.Popen(
            [redis_server, "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=(lock,), preexec_fn=confined(self.megabytes),
        )  # fmt: skip
        assert self.child.stdin
        with contextlib.suppress(BrokenPipeError), self.child.stdin as pipe:
            pipe.write(text.encode())
        while self.child.poll() is None:
            with contextlib.suppress(OSError, ProtocolError, ReplyError):
                if is_socket(self.socket) and self._facts(password).get("loading") == "0":
                    return ""
            time.sleep(0.01)
        return f"it ended with code {self.child.returncode} while starting: {self._last_words()}"

    def _last_words(self) -> str:
        with contextlib.suppress(OSError):
            return (self.folder / "log").read_text("utf-8", "replace").strip().splitlines()[-1][-200:]
        return "it wrote nothing"

    def _facts(self, password: str) -> dict[str, str]:
        if self.connection is None:
            connection = Connection(self.socket, SILENT_S)
            connection.call("AUTH", "default", password)
            self.connection = connection
        return info(self.connection.call("INFO"))

    def watch(self, password: str) -> None:
        """Returns when the server has ended, does not answer, takes too much memory, or nobody asks."""
        seen, busy_at = "", time.monotonic()
        while self.child is not None and self.child.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.child.wait(0.5)
            try:
                facts = self._facts(password)
            except (OSError, ProtocolError, ReplyError):
                return
            if int(facts.get("used_memory_rss", 0)) > self.megabytes * 2**20:
                return
            marks = unused(facts)
            if not marks or marks != seen:
                seen, busy_at = marks, time.monotonic()
            elif time.monotonic() - busy_at >= self.idle_s:
                return

    def end(self) -> None:
        """Ends the server at once, and everything it kept goes."""
        if self.child is not None and self.child.poll() is None:
            self.child.kill()
            self.child.wait()
        self.socket.unlink(missing_ok=True)
        if self.socket.parent != self.folder:
            shutil.rmtree(self.socket.parent, ignore_errors=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def _end_with_owner() -> None:
    """Ends this process in order as soon as its owner closes our input, even while we wait for the server."""

    def wait() -> None:
        while os.read(0, 512):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=wait, daemon=True).start()


def main(argv: list[str]) -> None:
    """Starts, says `ready {...}` or `error SENTENCE` in one line, and keeps the server until one of its ends."""
    folder, socket, redis_server, module, megabytes, idle_s, lock = argv
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    os.chdir("/")
    os.umask(0o077)
    keeper = Keeper(Path(folder), Path(socket), int(megabytes), float(idle_s))
    try:
        told = json.loads(sys.stdin.readline() or "{}")
        first_to_go()
        offline = without_network()
        _end_with_owner()
        trouble = keeper.start(Path(redis_server), Path(module), int(lock), told["password"], told["users"])
        pid = keeper.child.pid if keeper.child else 0
        print(f"error {trouble}" if trouble else f"ready {json.dumps({'pid': pid, 'offline': offline})}", flush=True)
        if not trouble:
            keeper.watch(told["password"])
    finally:
        keeper.end()


if __name__ == "__main__":
    main(sys.argv[1:])
