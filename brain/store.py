"""The database: the one place that imports its client. Reads go through RO_QUERY, carry a timeout
and never see a half-switched graph; writes are batches into a graph that nobody reads yet.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

import falkordb
import redis

from brain import address, embedded, permissions, readers, replies, rewriting, values
from brain.catalogue import Query
from brain.errors import HopcheckError, StoreDown, ToolError
from brain.graphs import graph_name as graph_name
from brain.graphs import version_key
from brain.settings import Settings
from brain.types import Result, Viewer

WRITE_TIMEOUT_MS = 600_000
SWITCHES = 20
SERVING_S = 1.0
INDEXES_S = 600
CONNECT_TIMEOUT_S = 10


class _Switched(Exception):
    """The graph was switched between an answer and the names in it."""


class Store:
    """A connection to FalkorDB, shared between threads.

    Every graph that is switched has a version; a read fetches it in the same round trip, so that
    the client's memory of property names never outlives the graph it was learned from. A read that
    loses its connection is tried once more, an embedded server that has ended being started again.
    """

    def __init__(self, connection: redis.Redis, settings: Settings, switched: bool = True) -> None:
        self._redis = connection
        self.settings = settings
        self._switched = switched
        self._names: dict[str, tuple[str | None, replies.Names]] = {}
        self._served: dict[str, float] = {}
        self._lock = Lock()

    @classmethod
    def open(cls, settings: Settings) -> Store:
        """The store the settings name: a server by URL, or the embedded one, started if need be."""
        try:
            if settings.falkordb_url:
                return cls(_connect_url(settings).connection, settings)
            at = embedded.ensure(settings)
            db = falkordb.FalkorDB(
                unix_socket_path=str(at.socket), username=at.username, password=at.password, socket_timeout=WRITE_TIMEOUT_MS / 1000
            )
            return cls(db.connection, settings)
        except (redis.RedisError, OSError) as err:
            raise StoreDown(f"cannot reach the database at {address.where(settings)}: {_first_line(err)}") from err

    def reader(self, graph: str) -> Store:
        """A connection of a user, made here, who may do nothing but read this one graph; HopcheckError when the server lets us
        make none.
        """
        pool, name = self._redis.connection_pool, readers.name(graph)
        password = readers.password(graph, str(pool.connection_kwargs.get("password")))
        try:
            self._redis.execute_command("ACL", "SETUSER", name, *readers.rules(graph, password))
        except redis.exceptions.NoPermissionError:
            raise HopcheckError("the user of FALKORDB_URL may not make a user that only reads: allow it +acl|setuser") from None
        except redis.RedisError as err:
            raise StoreDown(f"cannot make a user that only reads at {address.where(self.settings)}: {_first_line(err)}") from err
        own = {**pool.connection_kwargs, "username": name, "password": password}
        return Store(redis.Redis(connection_pool=redis.ConnectionPool(pool.connection_class, **own)), self.settings, switched=False)

    def close(self) -> None:
        """Gives the connections back; an embedded server stops by itself when nobody is left."""
        self._redis.close()

    # -- reading -----------------------------------------------------------------------------

    def read(self, graph: str, cypher: str, params: Mapping[str, Any] | None = None, timeout_ms: int | None = None) -> Result:
        """Runs a read-only query and takes nodes, edges and paths out of the rows as evidence.

        In `rows` a node stands as its key, a path as the list of its keys. Raises ToolError when
        the server refuses the query, StoreDown when it cannot be reached.
        """
        params = {k: values.plain(v) for k, v in (params or {}).items()}
        began = time.perf_counter()
        found = self._fetch(graph, values.header(params) + cypher, timeout_ms or self.settings.read_timeout_ms)
        ms = (time.perf_counter() - began) * 1000
        return Result(found.rows, found.nodes, found.edges, cypher, params, ms, found.server_ms)

    def run(self, query: Query, workspace: str, args: Mapping[str, Any], viewer: Viewer, as_of: int, known_at: int | None = None) -> Result:
        """Runs a query of the catalogue for a viewer at an instant; arguments are checked first. `known_at` leaves out
        what was recorded only later.
        """
        if query.kind == "audit" and not viewer.admin:
            raise ToolError(f"{query.name} looks past the access rule; only an administrator runs it")
        params = {**query.bind(args), **permissions.parameters(viewer, as_of, known_at)}
        used = {k: v for k, v in params.items() if f"${k}" in query.cypher}
        return self.read(graph_name(workspace), query.cypher, used)

    def _fetch(self, graph: str, text: str, timeout_ms: int) -> replies.Reply:
        with self._errors(graph):
            try:
                return self._complete(graph, text, timeout_ms)
            except redis.ConnectionError:
                self._served.clear()
                if not self.settings.falkordb_url:
                    embedded.ensure(self.settings)
                return self._complete(graph, text, timeout_ms)

    def _complete(self, graph: str, text: str, timeout_ms: int) -> replies.Reply:
        """A server builds its indexes anew when it starts, and until then a search finds too little without saying so."""
        if "db.idx." in text and time.monotonic() - self._served.get(graph, -SERVING_S) >= SERVING_S:
            self._serving(graph)
            self._served[graph] = time.monotonic()
        return self._consistent(graph, text, timeout_ms)

    def _serving(self, graph: str) -> None:
        deadline = time.monotonic() + INDEXES_S
        while time.monotonic() < deadline:
            found = self._consistent(graph, "CALL db.indexes() YIELD label, status RETURN label, status", WRITE_TIMEOUT_MS)
            if all(row["status"] == "OPERATIONAL" for row in found.rows):
                return
            time.sleep(0.05)
        raise StoreDown(f"the indexes of {graph!r} were not built within {INDEXES_S} s")

    def _consistent(self, graph: str, text: str, timeout_ms: int) -> replies.Reply:
        for _ in range(SWITCHES):
            before, (reply,), after = self._between_versions(graph, [(text, "--compact", "timeout", int(timeout_ms))])
            if isinstance(reply, Exception):
                raise reply
            if before == after:
                try:
                    return replies.read(reply, self._names_of(graph, before))
                except _Switched:
                    continue
        raise StoreDown(f"the graph {graph!r} was switched {SWITCHES} times during one read; try again")

    def _names_of(self, graph: str, version: str | None) -> replies.Names:
        with self._lock:
            known = self._names.get(graph)
            if known is None or known[0] != version:
                known = (version, replies.Names(lambda: self._learn(graph, version)))
                self._names[graph] = known
            return known[1]

    def _learn(self, graph: str, version: Any) -> replies.Learned:
        """The names of the graph while it has that version; a later graph's would be other names for the same numbers."""
        listed = [(f"CALL db.{names}()",) for names in ("labels", "relationshipTypes", "propertyKeys")]
        before, found, after = self._between_versions(graph, listed)
        if error := next((reply for reply in found if isinstance(reply, Exception)), None):
            raise error
        if not before == version == after:
            raise _Switched
        one, two, three = ([str(row[0]) for row in reply[1]] for reply in found)
        return one, two, three

    def _between_versions(self, graph: str, reads: Sequence[tuple[Any, ...]]) -> tuple[Any, list[Any], Any]:
        """The replies of reads sent in one go, with the graph's version before and after: None to who may not know it."""
        pipe = self._redis.pipeline(transaction=False)
        if self._switched:
            pipe.get(version_key(graph))
        for read_ in reads:
            pipe.execute_command("GRAPH.RO_QUERY", graph, *read_)
        if not self._switched:
            return None, pipe.execute(raise_on_error=False), None
        pipe.get(version_key(graph))
        before, *found, after = pipe.execute(raise_on_error=False)
        return before, found, after

    @contextmanager
    def _errors(self, graph: str) -> Iterator[None]:
        try:
            yield
        except redis.ConnectionError as err:
            raise StoreDown(f"the database at {address.where(self.settings)} does not answer: {_first_line(err)}") from err
        except redis.TimeoutError as err:
            raise StoreDown(f"the database at {address.where(self.settings)} did not answer in time") from err
        except redis.WatchError:
            raise StoreDown(f"somebody else is loading into {graph!r} at the same time; load again") from None
        except redis.ResponseError as err:
            if "empty key" in str(err):
                name = graph.removeprefix("brain:")
                raise StoreDown(f"nothing is loaded in {name!r}; load something: brain demo, or brain ingest") from err
            raise ToolError(_first_line(err)) from err

    # -- writing -----------------------------------------------------------------------------

    def write(self, graph: str, text: str) -> Any:
        """Runs a writing query whose text, header included, is ready; gives its rows."""
        with self._errors(graph):
            counting = rewriting.counting(graph)
            *before, reply = self._at_once(*counting, ("GRAPH.QUERY", graph, text, "--compact", "timeout", WRITE_TIMEOUT_MS))
            if not replies.changed(reply) and rewriting.named(self._at_once(*counting)) > rewriting.named(before):
                self.rewrite()
            if isinstance(reply, Exception):
                raise reply
            names = replies.Names(lambda: self._learn(graph, self._redis.get(version_key(graph))))
            return [list(row.values()) for row in replies.read(reply, names).rows]

    def _at_once(self, *commands: tuple[Any, ...]) -> list[Any]:
        """The replies of commands that are sent in one go, errors among them."""
        pipe = self._redis.pipeline(transaction=False)
        for command in commands:
            pipe.execute_command(*command)
        return list(pipe.execute(raise_on_error=False))

    def set_states(self, graph: str, rel: str, rows: Sequence[tuple[str, str, str, str]]) -> int:
        """Sets the state of assertions of one type, given as (src, dst, aid, state); how many there were."""
        text = (
            f"UNWIND $rows AS x MATCH (a:Entity {{key: x[0]}}) MATCH (a)-[r:{rel} {{id: x[2]}}]->(b:Entity {{key: x[1]}})"
            " SET r.state = x[3] RETURN count(r)"
        )
        found = self.write(graph, values.rows_header(rows) + text)
        self.changed(graph)
        return int(found[0][0]) if found else 0

    def set_waiting(self, graph: str, keys: Sequence[str]) -> None:
        """Gives those of these things that wait for a decision the label they wait for, where a claim about them is approved, and
        takes it from the others. The rest of them stay as they are.
        """
        if keys:
            text = (
                "UNWIND $rows AS x MATCH (d:Entity {key: x[0]}) WHERE d.waits IS NOT NULL"
                " OPTIONAL MATCH (d)-[r]-() WHERE r.state = 'approved' WITH d, count(r) > 0 AS open"
                " SET d.access = CASE WHEN open THEN d.waits ELSE NULL END, d.aud = CASE WHEN open THEN d.waits_for ELSE NULL END"
            )
            self.write(graph, values.rows_header([(key,) for key in keys]) + text)
            self.changed(graph)

    def changed(self, graph: str) -> None:
        """Tells readers that keep something about the graph that it is another one now."""
        with self._errors(graph):
            self._redis.incr(version_key(graph))

    def wait_for_indexes(self, graph: str) -> None:
        """Returns when every index of the graph serves; StoreDown when that takes too long."""
        with self._errors(graph):
            self._serving(graph)

    def switch(self, fresh: str, live: str) -> None:
        """Puts the fresh graph in the live one's place in one step, and drops what was live.

        StoreDown, and nothing changed, when the fresh graph is not there or somebody else touches either.
        """
        old = f"{live}:old"
        self.drop(old)
        with self._errors(live), self._redis.pipeline(transaction=True) as pipe:
            pipe.watch(fresh, live)
            if not pipe.exists(fresh):
                raise StoreDown(f"the new graph of {live!r} has gone before it was used; load again")
            was = pipe.exists(live)
            pipe.multi()
            if was:
                pipe.rename(live, old)
            pipe.rename(fresh, live)
            pipe.incr(version_key(live))
            pipe.execute()
        self.drop(old)

    def graphs(self, start: str) -> list[str]:
        """The names of the graphs that begin so, in order."""
        with self._errors(""):
            return sorted(name for name in map(str, self._redis.execute_command("GRAPH.LIST")) if name.startswith(start))

    def drop(self, graph: str) -> None:
        """Deletes a graph if it is there."""
        with self._errors(graph):
            if self._redis.exists(graph):
                self._redis.execute_command("GRAPH.DELETE", graph)
        with self._lock:
            self._names.pop(graph, None)

    def rewrite(self, graphs: Sequence[str] = ()) -> bool:
        """Has the database write its files anew, without what was deleted (see `brain.rewriting`); False when it does not let us."""
        try:
            return rewriting.anew(self._redis, graphs)
        except redis.ResponseError:
            return False

    def version(self, graph: str) -> str:
        """A text that changes whenever the graph is switched; empty when nothing is loaded."""
        with self._errors(graph):
            return str(self._redis.get(version_key(graph)) or "") if self._redis.exists(graph) else ""

    def exists(self, graph: str) -> bool:
        """Is there a graph of that name?"""
        with self._errors(graph):
            return bool(self._redis.exists(graph))

    def workspaces(self) -> list[str]:
        """The workspaces that hold a loaded graph."""
        return [name.split(":")[1] for name in self.graphs("brain:") if name.count(":") == 1]

    def ping(self) -> float:
        """Milliseconds until the server answered; StoreDown when it does not."""
        began = time.perf_counter()
        with self._errors(""):
            self._redis.ping()
        return (time.perf_counter() - began) * 1000

    def meta(self, workspace: str) -> dict[str, str]:
        """What was noted about a workspace beside its graph: embedder, home, time of the last load."""
        with self._errors(workspace):
            return {str(k): str(v) for k, v in self._redis.hgetall(f"brain:{workspace}:meta").items()}

    def set_meta(self, workspace: str, values_: Mapping[str, str]) -> None:
        """Notes facts about a workspace beside its graph."""
        with self._errors(workspace):
            self._redis.hset(f"brain:{workspace}:meta", mapping={k: v for k, v in values_.items()})


def _connect_url(settings: Settings) -> falkordb.FalkorDB:
    url = address.checked(settings.falkordb_url)
    falkordb.FalkorDB.from_url(url, socket_timeout=CONNECT_TIMEOUT_S).close()
    return falkordb.FalkorDB.from_url(url, socket_timeout=WRITE_TIMEOUT_MS / 1000)


def _first_line(err: BaseException) -> str:
    return (str(err).splitlines() or [type(err).__name__])[0]
