"""A small process that owns one redis-server: starts it, stops it when nobody uses it, dies with it.

Run as `python -m brain.supervisor HOME IDLE_S REDIS_SERVER MODULE`; it detaches, and says on standard
output, in one line, whether the server is up. Imports only the standard library and our small modules.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from brain.datafolder import DataFolder, Probe, is_socket
from brain.errors import HopcheckError, StoreDown
from brain.launch import launch
from brain.resp import Connection, ProtocolError, ReplyError, info

REWRITE_BYTES = 64_000_000  # reading this much takes 2 to 3 s at start
QUIET_S = 5.0  # rewriting forks, and everybody waits: 0.1 s for a server of 175 MB
SETTLE_S = 15.0  # how long a server that lost its supervisor, or was told to stop, may take to end


def unused(facts: Mapping[str, str]) -> str:
    """From an INFO over the only connection, a text that changes when somebody connects; "" while in use."""
    at_work = facts.get("loading") != "0" or facts.get("aof_rewrite_in_progress") == "1"
    if at_work or int(facts.get("connected_clients", 2)) > 1:
        return ""
    return facts.get("total_connections_received", "")


class Supervisor:
    """The server of one data folder and the rule for when it ends."""

    def __init__(self, home: Path, idle_s: float, redis_server: Path, module: Path) -> None:
        """Name what to run; `start` runs it."""
        self.folder, self.idle_s = DataFolder(home), idle_s
        self.redis_server, self.module = redis_server, module
        self.child: subprocess.Popen[bytes] | None = None
        self.connection: Connection | None = None
        self.told_to_stop = False
        self.crashes: list[float] = []
        self.commands, self.quiet_at = 0, time.monotonic()

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
        self._hang_up()
        self.child, at = launch(self.folder, self.redis_server, self.module)
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

    def run(self) -> None:
        """Return when the server has ended for good: idle, told to stop, or its folder gone.

        After a crash it is started again at once, so that clients need only connect again; a server
        that crashes three times in a minute is left alone.
        """
        ready, poke = os.pipe()
        os.set_blocking(poke, False)
        signal.set_wakeup_fd(poke)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, self._signalled)
        while True:
            self._watch(ready)
            if self.child is None or (self.child.returncode or 0) >= 0 or not self._in_place() or self.told_to_stop:
                return
            self.crashes = [at for at in self.crashes if time.monotonic() - at < 60] + [time.monotonic()]
            if len(self.crashes) == 3:
                return
            self._launch()

    def _watch(self, ready: int) -> None:
        pause = min(1.0, max(0.1, self.idle_s / 4)) if self.idle_s > 0 else 1.0
        seen, busy_at = "", time.monotonic()
        while not self._ended():
            if self.told_to_stop or not self._in_place():
                return self.end()
            self.folder.rotate_log()
            facts = self._facts()
            self._tidy(facts)
            marks = unused(facts)
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

    def _facts(self) -> dict[str, str]:
        """The server's INFO; {} when it does not answer now."""
        try:
            if self.connection is None:
                self.connection = self._connected(Path(self.folder.state()["socket"]))
            return info(self.connection.call("INFO"))
        except (OSError, ReplyError, ProtocolError, KeyError):
            self._hang_up()
            return {}

    def _tidy(self, facts: dict[str, str]) -> None:
        """Have the server's file rewritten when it has grown and nothing but our INFO has run for a while."""
        now, commands = time.monotonic(), int(facts.get("total_commands_processed", -1))
        if not 0 <= commands - self.commands <= 1 or facts.get("blocked_clients") != "0":
            self.quiet_at = now
        self.commands = commands
        size, base = int(facts.get("aof_current_size", 0)), int(facts.get("aof_base_size", 0))
        if size > max(REWRITE_BYTES, 2 * base) and now - self.quiet_at >= QUIET_S and self.connection:
            self.quiet_at = now
            with contextlib.suppress(OSError, ReplyError, ProtocolError):
                self.connection.call("BGREWRITEAOF")

    def _hang_up(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def _end_if_idle(self, seen: str) -> bool:
        """Nobody can join while `start` is ours, so a server that somebody just joined is never stopped."""
        if not self.folder.start.take():
            return False
        try:
            idle = unused(self._facts()) == seen
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
    if not started:
        return
    try:
        supervisor.run()
    except HopcheckError as e:
        print(e, file=sys.stderr, flush=True)  # the server's log
    finally:
        supervisor.close()


if __name__ == "__main__":
    main(sys.argv[1:])
