"""The server that may die: whatever kills a database from a read kills the copy alone, and nobody else waits for it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
import small_graph
from plain_server import PASSWORD, plain_server
from test_embedded import alive, until

from brain import permissions, readers
from brain.audit.copying import copy
from brain.errors import HopcheckError, StoreDown, ToolError
from brain.resp import Connection, ReplyError
from brain.sandbox import keeper, process, server
from brain.sandbox.guard import check
from brain.sandbox.process import Sandbox
from brain.store import Store, graph_name
from brain.tools.asking import Asking
from brain.tools.freeform import REFUSED, cypher_readonly, sandbox
from brain.types import Viewer

REPO = Path(__file__).parent.parent
COUNT = "MATCH (n) RETURN count(n) AS n"
ADMIN = permissions.local_admin()
DENSE = "UNWIND range(1, 40) AS i CREATE (:Entity:Team {key: 'team:' + i, name: 'x', access: 'open'})"
EDGES = "MATCH (a:Team), (b:Team) WHERE a <> b CREATE (a)-[:PART_OF]->(b)"
DEEP = "RETURN " + "(" * 40 + "1" + ")" * 40

# What ends a server from a read, or holds it for minutes past any timeout.
KILLERS = {
    "a path search without its map": "CALL algo.SPpaths(1) YIELD path RETURN path",
    "a search of all paths without its map": "CALL algo.SSpaths(1) YIELD path RETURN path",
    "an aggregate in a list": "MATCH (n) RETURN [x IN collect(n) | count(x)]",
    "an aggregate in a list of what was collected": "MATCH (n) WITH collect(n) AS c RETURN [x IN c | count(x)]",
    "a label told twice": "MATCH (n:Team)-[]-(m) WITH n, m LIMIT 3 MATCH (n:Team)-[]-() MATCH (n)-[*1..2]-(m) RETURN count(*)",
    "a pattern in XOR": "MATCH (n:Team) WHERE true XOR (n)--() RETURN count(n)",
    "fifty thousand terms": "RETURN " + "1+" * 50_000 + "1",
    "deep brackets": DEEP,
    "deep lists": DEEP.replace("(", "[").replace(")", "]"),
    "deep NOT": "RETURN " + "NOT (" * 40 + "true" + ")" * 40,
    "deep CASE": "RETURN " + "CASE WHEN true THEN " * 40 + "1" + " END" * 40,
    "deep calls": "RETURN " + "toUpper(" * 40 + "'a'" + ")" * 40,
    "a range of billions": "RETURN size(range(1, 9000000000))",
    "a text that doubles": "RETURN size(reduce(s = 'aaaaaaaaaa', x IN range(1, 40) | s + s))",
    "a list that doubles": "RETURN size(reduce(s = [1, 2], x IN range(1, 40) | s + s))",
    "all paths of a dense graph": "MATCH (a:Team {key: 'team:1'}), (b:Team {key: 'team:2'}) CALL algo.SPpaths({sourceNode: a, targetNode: b, pathCount: 1000000}) YIELD path RETURN count(path)",
    "a long list worked off at once": "RETURN size([x IN range(1, 20000) | size([y IN range(1, 20000) | y * y])])",
}


@pytest.fixture(scope="module")
def store(shared_store):
    """Two workspaces: `sand` is small and whole, `dense` has forty nodes that are all linked."""
    small_graph.build(shared_store, "sand")
    shared_store.drop("brain:dense")
    for text in (DENSE, EDGES):
        shared_store.write("brain:dense", text)
    shared_store._redis.incr("brain:dense:version")
    return shared_store


@pytest.fixture
def box(store):
    """A sandbox over the small graph whose patience is short."""
    made = Sandbox("sand", read_ms=1000, grace_s=0.5)
    yield made
    made.close()


def count(box, store):
    """How many nodes there are, from a server that has just been started on a busy machine."""
    for _ in range(10):
        with suppress(ToolError):
            return box.run(store, COUNT).rows[0]["n"]
    raise AssertionError("it does not answer any more")


def keepers(store: Store) -> list[psutil.Process]:
    """The keepers whose server lies in this home."""
    home = str(store.settings.home / server.FOLDER)
    found = []
    for one in psutil.process_iter(["cmdline"]):
        words = one.info["cmdline"] or []
        if "brain.sandbox.keeper" in words and any(word.startswith(home) for word in words):
            found.append(one)
    return found


class Pings:
    """How long the main server let a connection of its own wait for a ping, and how late this machine itself was meanwhile."""

    def __init__(self) -> None:
        self.ms: list[float] = []
        self.late: list[float] = []

    def go(self, other: Store, stop: threading.Event) -> None:
        while not stop.is_set():
            self.ms.append(other.ping())
            began = time.perf_counter()
            time.sleep(0.005)
            self.late.append((time.perf_counter() - began) * 1000 - 5)


@contextmanager
def pings(settings):
    """Pings the main server meanwhile."""
    found, other, stop = Pings(), Store.open(settings), threading.Event()
    thread = threading.Thread(target=found.go, args=(other, stop))
    thread.start()
    try:
        yield found
    finally:
        stop.set()
        thread.join()
        other.close()


# -- what it gives -------------------------------------------------------------------------------


def test_it_answers_as_the_main_server_does(store, box):
    for text in ("MATCH p = (a:Person)-[r:AUTHORED]->(b) RETURN a, r, b, p, b.at AS at ORDER BY at, b.key LIMIT 20", "MATCH (n) RETURN labels(n) AS l, count(n) AS n ORDER BY n, l",
                 "CALL db.idx.fulltext.queryNodes('Chunk', 'modbus') YIELD node RETURN node.key AS key ORDER BY key"):  # fmt: skip
        ours, theirs = box.run(store, text), store.read("brain:sand", text)
        assert (ours.rows, ours.nodes, ours.edges) == (theirs.rows, theirs.nodes, theirs.edges) and ours.rows
    assert box.run(store, "RETURN $a AS a, $b AS b", {"a": "x' //", "b": [1, 2.5, None]}).rows == ({"a": "x' //", "b": [1, 2.5, None]},)
    assert ours.query == text and box.status().starts == 1


def test_it_holds_the_main_graph_without_vectors_and_nothing_else(store, box):
    box.run(store, COUNT)
    assert box.run(store, "MATCH (n) WHERE n.emb IS NOT NULL RETURN count(n) AS n").rows[0]["n"] == 0
    assert store.read("brain:sand", "MATCH (n) WHERE n.emb IS NOT NULL RETURN count(n) AS n").rows[0]["n"] > 0
    with Connection(box._server.socket, 5) as reader:
        reader.call("AUTH", readers.name("brain:sand"), box._server.reader_password)
        for command in (("KEYS", "*"), ("GRAPH.QUERY", "brain:sand", "CREATE (:X)"), ("GRAPH.RO_QUERY", "brain:sand:runs", COUNT), ("CONFIG", "GET", "*"), ("GRAPH.CONFIG", "SET", "TIMEOUT_MAX", 0)):
            with pytest.raises(ReplyError, match="NOPERM"):
                reader.call(*command)
        with pytest.raises(ReplyError, match="TIMEOUT_MAX"):
            reader.call("GRAPH.RO_QUERY", "brain:sand", COUNT, "timeout", keeper.READ_MS + 1)
    with Connection(box._server.socket, 5) as admin:
        admin.call("AUTH", "default", box._server.password)
        for command in (("GRAPH.QUERY", "brain:sand", "CREATE (:X)"), ("FLUSHALL",), ("ACL", "LIST"), ("CONFIG", "SET", "dir", "/")):
            with pytest.raises(ReplyError, match="NOPERM"):
                admin.call(*command)


def test_it_writes_nothing(store, box):
    before = box.run(store, COUNT).rows
    for text in ("CREATE (:X)", "MATCH (n) DELETE n", "MATCH (n) SET n.x = 1", "CREATE INDEX FOR (n:Person) ON (n.x)"):
        with pytest.raises(ToolError, match=r"read-only|RO_QUERY"):
            box.run(store, text)
    assert box.run(store, COUNT).rows == before == store.read("brain:sand", COUNT).rows


def test_it_has_no_port_no_network_little_memory_and_goes_last(store, box):
    box.run(store, COUNT)
    one = psutil.Process(box.status().pid)
    assert one.net_connections("inet") == [] and one.nice() == min(19, psutil.Process().nice() + 10)
    assert one.rlimit(psutil.RLIMIT_AS)[0] == store.settings.sandbox_mb * 2**20 and one.rlimit(psutil.RLIMIT_CORE)[0] == 0
    if not box.status().offline:
        pytest.skip("this system lets us take no network away")
    assert os.readlink(f"/proc/{one.pid}/ns/net") != os.readlink("/proc/self/ns/net")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.3)
        text = f"LOAD CSV FROM 'https://127.0.0.1:{listener.getsockname()[1]}/x.csv' AS r RETURN r"
        with suppress(ToolError):
            assert box.run(store, text).rows == ()
        with pytest.raises(TimeoutError):
            listener.accept()


def test_no_file_is_read(store, box):
    for where in ("file:///etc/passwd", "file://../../etc/passwd", "/etc/passwd"):
        with pytest.raises(ToolError):
            box.run(store, f"LOAD CSV FROM '{where}' AS r RETURN r")


def test_an_answer_too_large_for_us_is_cut_off(store, box):
    with pytest.raises(ToolError, match="more than 8 MB"):
        box.run(store, "RETURN [x IN range(1, 10000) | $long] AS all", {"long": "a" * 1000})
    assert box.run(store, COUNT).rows[0]["n"] > 0


# -- what kills a server -------------------------------------------------------------------------


@pytest.mark.parametrize("text", KILLERS.values(), ids=KILLERS.keys())
def test_the_guard_refuses_what_kills_a_server(text):
    with pytest.raises(ToolError):
        check(text)


def test_what_kills_a_server_kills_the_copy_alone_and_the_main_server_never_waits(store):
    """Every killer past the guard: an error in a line, the next query answered by a new server, and pings as quick as when idle.

    Where a ping took too long, the killer is tried again: what a busy machine did does not repeat itself, what a killer does does.
    """
    box = Sandbox("dense", read_ms=500, grace_s=0.5)
    try:
        assert count(box, store) == 40
        with pings(store.settings) as idle:
            time.sleep(1)
        for name, text in KILLERS.items():
            for tries in (2, 1, 0):
                with pings(store.settings) as busy:
                    killed(box, store, name, text)
                longest, allowed = max(busy.ms), max(100.0, 3 * max(idle.ms)) + max(busy.late)
                if longest < allowed:
                    break
                assert tries, f"{name}: {longest:.0f} ms of {allowed:.0f}"
        assert box.status().starts > len(KILLERS)
        assert store.read("brain:dense", COUNT).rows == ({"n": 40},)
    finally:
        box.close()


def killed(box, store, name, text):
    """Runs a killer, which ends its server, and a harmless query after it."""
    pid = box.status().pid
    with pytest.raises(ToolError) as caught:
        box.run(store, text)
    said = str(caught.value)
    assert ("brought its server down" in said or "was stopped" in said) and "\n" not in said, (name, said)
    assert not alive(pid), name
    assert count(box, store) == 40, name


def test_a_query_that_would_run_on_is_stopped_by_its_server_or_with_it(store, box):
    began = time.monotonic()
    with pytest.raises(ToolError, match="timed out"):
        box.run(store, "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(*)")
    with pytest.raises(ToolError, match="took longer than 1 s"):
        box.run(store, KILLERS["deep NOT"])
    assert time.monotonic() - began < 20


def test_a_server_that_hangs_or_has_gone_before_it_is_asked_is_replaced_without_a_word(store, box):
    for number in (signal.SIGSTOP, signal.SIGKILL):
        box.run(store, COUNT)
        pid = box.status().pid
        os.kill(pid, number)
        assert box.run(store, COUNT).rows[0]["n"] > 0 and box.status().pid != pid
        assert until(lambda gone=pid: not alive(gone))


def test_a_query_has_five_seconds():
    made = Sandbox("x")
    assert (made._read_ms, keeper.READ_MS, process.READ_MS) == (5000, 5000, 5000)


# -- many at once, many workspaces ---------------------------------------------------------------


def test_twenty_queries_at_once_are_all_answered(store, box):
    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(lambda i: box.run(store, f"UNWIND range(1, 2000) AS x RETURN sum(x) + {i} AS n").rows[0]["n"], range(20)))
    assert found == [2001000 + i for i in range(20)] and box.status().starts == 1


def test_what_runs_beside_a_query_that_has_to_be_stopped_is_answered_all_the_same(store, box):
    box.run(store, COUNT)

    def ask(i):
        try:
            return box.run(store, KILLERS["deep NOT"] if i == 3 else COUNT).rows[0]["n"]
        except ToolError as error:
            return str(error)

    with ThreadPoolExecutor(12) as pool:
        found = list(pool.map(ask, range(12)))
    n = store.read("brain:sand", COUNT).rows[0]["n"]
    assert "took longer" in found.pop(3) and found == [n] * 11


def test_two_workspaces_have_two_servers_which_know_nothing_of_each_other(store):
    one, two = sandbox(store, "sand"), sandbox(store, "dense")
    try:
        assert one is sandbox(store, "sand") is not two
        counts = [box.run(store, COUNT).rows[0]["n"] for box in (one, two, one)]
        assert counts == [store.read(f"brain:{name}", COUNT).rows[0]["n"] for name in ("sand", "dense", "sand")]
        assert one.status().pid != two.status().pid and one.status().starts == 1
        for other in ("x1", "x2"):
            sandbox(store, other)
        assert until(lambda: two.status().pid == 0)  # the one longest unused had to go
    finally:
        for box in (one, two):
            box.close()


def test_a_graph_of_a_server_behind_an_address_is_copied_as_well(tmp_path):
    with plain_server(tmp_path) as settings:
        store = Store.open(settings)
        small_graph.build(store, "far")
        box = Sandbox("far")
        try:
            assert box.run(store, COUNT).rows == store.read("brain:far", COUNT).rows
            with pytest.raises(ToolError):
                box.run(store, KILLERS["an aggregate in a list"])
            assert box.run(store, COUNT).rows == store.read("brain:far", COUNT).rows
            box.close()
            store._redis.execute_command("ACL", "SETUSER", "app", "reset", "on", ">app", "~brain*", "&*", "+@all", "-acl")
            store._redis.incr("brain:far:version")
            app = Store.open(replace(settings, falkordb_url=settings.falkordb_url.replace(f":{PASSWORD}", "app:app")))
            with pytest.raises(HopcheckError, match=r"^the user of FALKORDB_URL may not make a user"):
                box.run(app, COUNT)
            app.close()
        finally:
            box.close()
            store.close()


def test_nothing_loaded_is_said_so(store):
    with pytest.raises(StoreDown, match="nothing is loaded in 'void'; load something"):
        Sandbox("void").run(store, COUNT)


def test_a_graph_that_changed_is_copied_anew_and_one_that_did_not_is_not(store):
    store.drop("brain:turning")
    store.write("brain:turning", DENSE)
    store._redis.incr("brain:turning:version")
    box, folder = Sandbox("turning"), store.settings.home / server.FOLDER
    try:
        assert [box.run(store, COUNT).rows[0]["n"] for _ in range(2)] == [40, 40]
        first = box.status().pid
        (folder / "gone.0123.rdb").touch()
        store.write("brain:turning:next", "CREATE (:Entity:Team {key: 'team:new', name: 'x'})")
        store.switch("brain:turning:next", "brain:turning")
        assert box.run(store, "MATCH (n) RETURN n.key AS key").rows == ({"key": "team:new"},)
        assert not alive(first) and box.status().starts == 2
        assert len(list(folder.glob("turning.*.rdb"))) == 1 and list(folder.glob("gone.*.rdb")) == []
    finally:
        box.close()


def test_a_restart_reads_the_file_of_the_copy_and_a_spoilt_file_is_made_anew(store, box, monkeypatch):
    n = box.run(store, COUNT).rows
    box.close()
    (kept,) = (store.settings.home / server.FOLDER).glob("sand.*.rdb")
    assert kept.stat().st_mode & 0o077 == 0
    with monkeypatch.context() as patched:
        patched.setattr(server, "copy", lambda *a, **k: pytest.fail("it was copied"))
        assert box.run(store, COUNT).rows == n
    box.close()
    kept.write_bytes(b"REDIS0011 spoilt")
    assert box.run(store, COUNT).rows == n


@pytest.mark.parametrize("when", ["starting", "copying"])
def test_a_workspace_that_does_not_fit_says_what_to_raise(store, monkeypatch, when):
    def ended(*args, **how):
        keepers(store)[0].children()[0].kill()
        return copy(*args, **how)

    if when == "starting":
        monkeypatch.setattr(store, "settings", replace(store.settings, sandbox_mb=200))
    else:
        monkeypatch.setattr(server, "copy", ended)
    with pytest.raises(StoreDown, match="BRAIN_SANDBOX_MB") as caught:
        server.start(store, "sand", "never kept", lambda: "never kept")
    assert "\n" not in str(caught.value) and until(lambda: keepers(store) == [])


# -- never left behind ---------------------------------------------------------------------------

OWNER = """
import sys, time
from pathlib import Path
from brain.settings import Settings
from brain.store import Store
from brain.sandbox.process import Sandbox
store = Store.open(Settings(home=Path(sys.argv[1])))
box = Sandbox("sand")
box.run(store, "RETURN 1")
print(box.status().pid, flush=True)
if len(sys.argv) > 2: time.sleep(60)
"""


def owner(store, *more):
    words = [sys.executable, "-c", OWNER, str(store.settings.home), *more]
    started = subprocess.Popen(words, env={**os.environ, "PYTHONPATH": str(REPO)}, stdout=subprocess.PIPE, text=True)
    assert started.stdout
    return started, int(started.stdout.readline())


def test_it_ends_with_its_owner_however_that_ends(store):
    done, pid = owner(store)
    assert done.wait(20) == 0 and until(lambda: not alive(pid))
    killed, pid = owner(store, "hold")
    killed.kill()
    killed.wait()
    assert until(lambda: not alive(pid) and keepers(store) == [])
    assert list((store.settings.home / server.FOLDER).glob("run-*")) == []


def test_a_server_that_hangs_ends_with_its_owner_too(store):
    killed, pid = owner(store, "hold")
    os.kill(pid, signal.SIGSTOP)
    killed.kill()
    killed.wait()
    assert until(lambda: not alive(pid) and keepers(store) == [])


def test_it_ends_with_its_keeper_and_what_that_left_goes_with_the_next(store, box):
    box.run(store, COUNT)
    pid, folder = box.status().pid, box._server.folder
    (found,) = keepers(store)
    found.kill()
    assert until(lambda: not alive(pid))
    assert box.run(store, COUNT).rows[0]["n"] > 0 and box.status().pid != pid
    assert not folder.exists() and len(list(folder.parent.glob("run-*"))) == 1


def test_it_ends_when_nobody_asks_and_comes_back_when_somebody_does(store, monkeypatch):
    monkeypatch.setattr(store, "settings", replace(store.settings, idle_stop_s=1))
    box = Sandbox("sand")
    try:
        box.run(store, COUNT)
        pid = box.status().pid
        assert until(lambda: not alive(pid) and box.status().pid == 0)
        assert box.run(store, COUNT).rows[0]["n"] > 0
    finally:
        box.close()


# -- the tool ------------------------------------------------------------------------------------


def asking(store, viewer):
    return Asking(store, "sand", viewer, small_graph.NOW)


def test_the_tool_gives_an_administrator_rows_evidence_and_the_text_that_ran(store):
    try:
        got = cypher_readonly.run(asking(store, ADMIN), query="MATCH (p:Person) WHERE p.key = $key RETURN p, p.login AS login // who", params='{"key": "person:dag", "more": 1}')
        assert got.rows == ({"p": "person:dag", "login": "dag"},) and [n.key for n in got.nodes] == ["person:dag"]
        assert got.query == "MATCH (p:Person) WHERE p.key = $key RETURN p, p.login AS login\nLIMIT 200" and got.params == {"key": "person:dag"}
        assert len(cypher_readonly.run(asking(store, ADMIN), query="UNWIND range(1, 500) AS x RETURN x LIMIT 500").rows) == 200
        for params in ("[1]", "{", "null", "{'a': 1}"):
            with pytest.raises(ToolError, match="JSON object"):
                cypher_readonly.run(asking(store, ADMIN), query="RETURN 1", params=params)
    finally:
        sandbox(store, "sand").close()


OTHERS = [
    permissions.nobody(), permissions.guest(), permissions.member("m", frozenset({"team:secret"})), Viewer("x", ADMIN.clearance), Viewer("a", frozenset({"open", "internal"}), admin=True), Viewer("b", admin=True),
]  # fmt: skip


@pytest.mark.parametrize("viewer", OTHERS, ids=lambda v: v.id)
def test_everybody_else_gets_one_sentence_whatever_they_ask_and_whatever_is_there(store, viewer):
    for workspace in ("sand", "void"):
        for text in ("MATCH (n) RETURN n", "not cypher", "MATCH (n) DELETE n", ""):
            with pytest.raises(ToolError) as caught:
                cypher_readonly.run(Asking(store, workspace, viewer, small_graph.NOW), query=text, params="{")
            assert str(caught.value) == REFUSED
    assert graph_name("void") not in store.graphs("brain:")
