"""A copy of one workspace's graph in a server of its own, where a query may do its worst: the server is killed and started again.

The copy holds the workspace's main graph and nothing else: no runs, no memory, no other workspace, and no vectors. It is
kept as a file beside the database, so that a restart takes a second, and is made anew when the graph has changed.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from threading import BoundedSemaphore, Lock
from typing import Any

from brain import readers, replies, values
from brain.errors import StoreDown, ToolError
from brain.resp import Connection, ProtocolError, ReplyError
from brain.sandbox.keeper import READ_MS, THREADS
from brain.sandbox.server import Server, start
from brain.store import Store, graph_name
from brain.types import Result

GRACE_S = 2.0
WAIT_S = 30.0
REPLY_BYTES = 8 * 2**20


class _Unreached(ProtocolError):
    """The server was gone, or did not listen, before the query was sent."""


@dataclass(frozen=True)
class Status:
    """What runs now: the server's process (0 when none), whether it has no network, how often it was started."""

    pid: int
    offline: bool
    starts: int


class Sandbox:
    """The sandboxed server of one workspace, for all threads of this process. It starts with the first query, ends when
    nobody asks for a while or this process ends, and is started again whenever it has to be.
    """

    def __init__(self, workspace: str, read_ms: int = READ_MS, grace_s: float = GRACE_S) -> None:
        """Name what to copy; nothing runs before `run`. A query gets `read_ms`, and its server `grace_s` more to obey that."""
        self.workspace, self.graph = workspace, graph_name(workspace)
        self._read_ms, self._grace_s = read_ms, grace_s
        self._server: Server | None = None
        self._slots, self._lock = BoundedSemaphore(THREADS), Lock()
        self._starts = 0

    def run(self, store: Store, cypher: str, params: Mapping[str, Any] | None = None) -> Result:
        """The rows of a query, as `Store.read` gives them. It runs as a user who can only read, for at most 5 seconds.

        ToolError when the server refuses the query, or was ended by it; StoreDown when there can be no sandbox here.
        """
        params = {k: values.plain(v) for k, v in (params or {}).items()}
        began = time.perf_counter()
        with self._slot():
            found = self._answered(store, values.header(params) + cypher)
        ms = (time.perf_counter() - began) * 1000
        return Result(found.rows, found.nodes, found.edges, cypher, params, ms, found.server_ms)

    @contextlib.contextmanager
    def _slot(self) -> Iterator[None]:
        if not self._slots.acquire(timeout=WAIT_S):
            raise ToolError(f"{THREADS} other queries are running and this one waited {WAIT_S:g} s; try again")
        try:
            yield
        finally:
            self._slots.release()

    def _answered(self, store: Store, text: str) -> replies.Reply:
        for last in (False, True):
            server = self._running(store)
            try:
                return self._ask(server, text)
            except TimeoutError:
                server.end()
                raise ToolError(f"the query took longer than {self._read_ms / 1000:g} s, so its server was stopped: ask for less") from None
            except (OSError, ProtocolError) as error:
                if "longer than" in str(error):
                    raise ToolError(f"the answer has more than {REPLY_BYTES // 2**20} MB; return fewer or smaller values") from None
                innocent = server.ended or isinstance(error, _Unreached)
                server.end()
                if last or not innocent:
                    raise ToolError("the query brought its server down, or one beside it did: write it another way") from None
        raise AssertionError("unreachable")

    def _ask(self, server: Server, text: str) -> replies.Reply:
        """The reply to a reader's query, all of it within the time and size that are allowed."""
        with self._connected(server) as connection:
            try:
                reply = connection.call("GRAPH.RO_QUERY", self.graph, text, "--compact", "timeout", self._read_ms)
                return replies.read(_list(reply), replies.Names(lambda: _learn(connection, self.graph)))
            except ReplyError as error:
                raise ToolError(str(error).removeprefix("ERR ").splitlines()[0]) from None

    def _connected(self, server: Server) -> Connection:
        try:
            connection = Connection(server.socket, self._read_ms / 1000 + self._grace_s, REPLY_BYTES)
        except OSError as error:
            raise _Unreached(str(error)) from None
        try:
            connection.call("AUTH", readers.name(self.graph), server.reader_password)
            return connection
        except (OSError, ProtocolError, ReplyError) as error:
            connection.close()
            raise _Unreached(str(error)) from None

    def _running(self, store: Store) -> Server:
        """The server with the graph as it is now, started or replaced if need be."""
        with self._lock:
            mark = self._mark(store)
            if self._server is None or not self._server.alive() or self._server.mark != mark:
                self._end()
                self._server = start(store, self.workspace, mark, lambda: self._mark(store))
                self._starts += 1
            return self._server

    def _mark(self, store: Store) -> str:
        """A text that is another one whenever the graph is; StoreDown when nothing is loaded."""
        version = store.version(self.graph)
        if not store.exists(self.graph):
            raise StoreDown(f"nothing is loaded in {self.workspace!r}; load something: brain demo, or brain ingest")
        return f"{version}-{store.meta(self.workspace).get('loaded_at', '')}"

    def status(self) -> Status:
        """What runs now; starts nothing."""
        server = self._server
        running = server is not None and server.alive()
        return Status(server.pid if server and running else 0, bool(server and server.offline), self._starts)

    def close(self) -> None:
        """Ends the server."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._server is not None:
            self._server.end()
        self._server = None


def _list(reply: object) -> list[Any]:
    if not isinstance(reply, list):
        raise ProtocolError(f"not the reply of a query: {reply!r:.60}")
    return reply


def _learn(connection: Connection, graph: str) -> replies.Learned:
    known = ("labels", "relationshipTypes", "propertyKeys")
    listed = [_list(connection.call("GRAPH.RO_QUERY", graph, f"CALL db.{names}()")) for names in known]
    labels, relations, properties = ([str(row[0]) for row in reply[1]] for reply in listed)
    return labels, relations, properties
