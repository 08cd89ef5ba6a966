"""How redis-server is started: its configuration, its socket, its tie to the process that started it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from brain.datafolder import DataFolder, is_socket
from brain.errors import StoreDown

# Effects and delayed indexing make a restart take a second; the results are not cut, because every read of
# ours carries its own LIMIT; a statement may take 5 s unless it asks for more, at most an hour. The server keeps no
# record of the queries it ran: the words of a question would stand in it after they are forgotten.
MODULE_ARGS = (
    "THREAD_COUNT 8 OMP_THREAD_COUNT 2 TIMEOUT_DEFAULT 5000 TIMEOUT_MAX 3600000 RESULTSET_SIZE -1 "
    "QUERY_MEM_CAPACITY 1073741824 EFFECTS_THRESHOLD 0 DELAY_INDEXING yes IMPORT_FOLDER /nonexistent/ CACHE_SIZE 200 CMD_INFO no"
)


def launch(folder: DataFolder, redis_server: Path, module: Path) -> tuple[subprocess.Popen[bytes], Path]:
    """The started server and its socket, once it listens there; it inherits the folder's data lock.

    StoreDown when the socket's place is occupied or the server ends at once.
    """
    at = folder.choose_socket()
    require_free(at)
    text = configuration(folder, at, module)
    with open(folder.log, "ab") as log:
        child = subprocess.Popen(
            [redis_server, "-"], stdin=subprocess.PIPE, stdout=log, stderr=log,
            pass_fds=(folder.data.fd,), preexec_fn=_end_with_parent(),
        )  # fmt: skip
    assert child.stdin
    with contextlib.suppress(BrokenPipeError), child.stdin as pipe:  # broken: it has ended, and its log says why
        pipe.write(text.encode())
    while not is_socket(at):
        if child.poll() is not None:
            raise StoreDown(f"the database ended while starting: {folder.last_words()}")
        time.sleep(0.005)
    return child, at


def configuration(folder: DataFolder, at: Path, module: Path) -> str:
    """The server's configuration; it is handed over on standard input, so no password shows anywhere."""
    words = folder.passwords(create=True)
    return "\n".join([
        "port 0", f"unixsocket {_quoted(at)}", "unixsocketperm 700", f"dir {_quoted(folder.root)}",
        f"logfile {_quoted(folder.log)}", "loglevel notice", "daemonize no", "databases 1", "timeout 0",
        'save ""', "appendonly yes", "appendfsync everysec", "aof-use-rdb-preamble yes", "aof-load-truncated yes",
        "auto-aof-rewrite-min-size 512mb", "auto-aof-rewrite-percentage 300", "crash-memcheck-enabled no",
        f"loadmodule {_quoted(module)} {MODULE_ARGS}",
        f"user default on >{words['default']} ~* &* +@all",
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
