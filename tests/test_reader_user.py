"""The database's user who may read one graph: proved command by command, on the embedded server and on one behind an address."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from plain_server import PASSWORD, plain_server

from brain import readers
from brain.errors import HopcheckError, ToolError
from brain.store import Store

GRAPH, RUNS, OTHER = "brain:mine", "brain:mine:runs", "brain:mine2"


@dataclass
class Server:
    """A server with three graphs, an administrator's store, and a reader's."""

    admin: Store
    reader: Store

    def says(self, *command):
        """What the reader's connection answers: the error's text, or the reply."""
        client = self.reader._redis
        try:
            return client.execute_command(*command)
        except Exception as error:
            return str(error)


@pytest.fixture(scope="module")
def by_address(tmp_path_factory):
    with plain_server(tmp_path_factory.mktemp("server")) as settings:
        yield settings


@pytest.fixture(scope="module", params=["embedded", "by address"])
def server(request, home):
    settings = home if request.param == "embedded" else request.getfixturevalue("by_address")
    admin = Store.open(settings)
    for graph in (GRAPH, RUNS, OTHER):
        admin.drop(graph)
        admin.write(graph, "CREATE (:Entity:Team {key: 'team:a', name: 'A'})-[:OWNS {n: 1}]->(:Entity:Service {key: 'service:b', name: 'B'})")
    reader = admin.reader(GRAPH)
    yield Server(admin, reader)
    reader.close()
    admin.close()


def test_it_reads_its_graph_as_anybody_does(server):
    text = "MATCH p = (t:Team)-[r:OWNS]->(s) RETURN t, r, p, s.name AS name"
    own, mine = server.reader.read(GRAPH, text), server.admin.read(GRAPH, text)
    assert (own.rows, own.nodes, own.edges) == (mine.rows, mine.nodes, mine.edges) and own.rows
    with pytest.raises(ToolError, match="read-only"):
        server.reader.read(GRAPH, "MATCH (n) SET n.x = 1")


FORBIDDEN = [
    *[("GRAPH.RO_QUERY", graph, "MATCH (n) RETURN n") for graph in (RUNS, OTHER, "brain:min", "brain:mine:next", "brain:", "*")],
    ("GRAPH.QUERY", GRAPH, "MATCH (n) RETURN n"), ("GRAPH.QUERY", GRAPH, "CREATE (:X)"), ("GRAPH.PROFILE", GRAPH, "CREATE (:X)"), ("GRAPH.EXPLAIN", GRAPH, "MATCH (n) RETURN n"),
    ("GRAPH.DELETE", GRAPH), ("GRAPH.COPY", GRAPH, "brain:copy"), ("GRAPH.LIST",), ("GRAPH.INFO",), ("GRAPH.SLOWLOG", GRAPH), ("GRAPH.MEMORY", "USAGE", GRAPH),
    ("GRAPH.CONFIG", "GET", "TIMEOUT_MAX"), ("GRAPH.CONFIG", "SET", "TIMEOUT_MAX", 0), ("GRAPH.CONSTRAINT", "CREATE", GRAPH, "UNIQUE", "NODE", "Team", "PROPERTIES", 1, "key"),
    ("CONFIG", "GET", "*"), ("CONFIG", "SET", "maxmemory", 1), ("KEYS", "*"), ("SCAN", 0), ("EXISTS", GRAPH), ("TYPE", GRAPH), ("DEL", GRAPH), ("UNLINK", GRAPH), ("RENAME", GRAPH, "x"), ("DUMP", GRAPH),
    ("RESTORE", "x", 0, "y"), ("FLUSHALL",), ("FLUSHDB",), ("GET", f"{GRAPH}:version"), ("SET", GRAPH, 1), ("HGETALL", f"{GRAPH}:meta"), ("EVAL", "return 1", 0), ("FUNCTION", "LIST"),
    ("ACL", "WHOAMI"), ("ACL", "SETUSER", "x", "on"), ("ACL", "LIST"), ("MODULE", "LIST"), ("SHUTDOWN", "NOSAVE"), ("CLIENT", "LIST"), ("MONITOR",), ("SUBSCRIBE", "x"), ("PUBLISH", "x", "y"),
    ("SAVE",), ("BGSAVE",), ("REPLICAOF", "127.0.0.1", 1), ("SLAVEOF", "127.0.0.1", 1), ("DEBUG", "SLEEP", 0), ("SLOWLOG", "GET"), ("COMMAND",), ("DBSIZE",), ("SELECT", 0), ("OBJECT", "ENCODING", GRAPH),
]  # fmt: skip


@pytest.mark.parametrize("command", FORBIDDEN, ids=lambda c: " ".join(map(str, c))[:40])
def test_everything_else_is_refused(server, command):
    assert "permission" in str(server.says(*command)).lower() or "not allowed" in str(server.says(*command))


def test_what_was_refused_left_everything_as_it_was(server):
    for graph in (GRAPH, RUNS, OTHER):
        assert server.admin.read(graph, "MATCH (n) RETURN count(n) AS n").rows == ({"n": 2},)
    assert not server.admin.exists("brain:copy")


def test_it_cannot_become_the_administrator(server):
    for words in (("default", ""), ("default", "x"), ("", "")):
        assert "WRONGPASS" in str(server.says("AUTH", *words)) or "invalid" in str(server.says("AUTH", *words))


def test_its_password_tells_nothing_of_the_administrators(server):
    own = server.reader._redis.connection_pool.connection_kwargs
    admin = server.admin._redis.connection_pool.connection_kwargs
    assert own["username"] == readers.name(GRAPH) and own["password"] != admin["password"] and admin["password"] not in own["password"]
    assert readers.password(GRAPH, "x") != readers.password(OTHER, "x") != readers.password(OTHER, "y")


def test_made_again_it_may_no_more_than_before(server):
    server.admin._redis.execute_command("ACL", "SETUSER", readers.name(GRAPH), "~*", "+@all", "nopass")
    again = server.admin.reader(GRAPH)
    try:
        assert "permission" in str(Server(server.admin, again).says("KEYS", "*"))
        listed = server.admin._redis.acl_getuser(readers.name(GRAPH))
        assert listed["keys"] in (f"~{GRAPH}", [f"~{GRAPH}"]) and "nopass" not in listed["flags"]
    finally:
        again.close()


def test_a_workspace_whose_name_is_a_pattern_opens_no_other(server):
    """`brain:*` as a graph's name is a name."""
    odd = server.admin.reader("brain:*")
    try:
        assert "permission" in str(Server(server.admin, odd).says("GRAPH.RO_QUERY", OTHER, "MATCH (n) RETURN n"))
    finally:
        odd.close()


def test_where_no_user_can_be_made_one_line_says_what_to_allow(by_address):
    admin = Store.open(by_address)
    admin._redis.execute_command("ACL", "SETUSER", "app", "reset", "on", ">app", "~brain*", "&*", "+@all", "-acl")
    app = Store.open(replace(by_address, falkordb_url=by_address.falkordb_url.replace(f":{PASSWORD}", "app:app")))
    try:
        with pytest.raises(HopcheckError, match=r"allow it \+acl\|setuser") as caught:
            app.reader(GRAPH)
        assert "\n" not in str(caught.value)
    finally:
        app.close()
        admin.close()
