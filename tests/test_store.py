"""The store: reads that only read, end in time and never see half a switch; one server or another, same answers."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_graph import build
from small_graph import rows as small_rows

from brain import catalogue, embedded, permissions
from brain.errors import BadInput, StoreDown, ToolError
from brain.settings import Settings
from brain.store import Store, graph_name
from brain.text.analysis import query_terms
from brain.tools import tools
from brain.tools.asking import Asking

NOW = 1_764_547_200


@pytest.fixture
def store(shared_store):
    return shared_store


def fill(store: Store, graph: str, *props: str, n: int = 3) -> None:
    """A graph whose properties are learned in the order given, so that their ids differ from another graph's."""
    store.drop(graph)
    for prop in props:
        store.write(graph, f"UNWIND range(1, {n}) AS i MERGE (x:Entity {{key: 'repo:' + i}}) SET x.{prop} = '{prop}' + i")


# -- reading ----------------------------------------------------------------------------------


def test_nodes_edges_and_paths_in_a_column_are_evidence_and_keys_in_the_row(store):
    g = "brain:evidence"
    store.write(g, "CREATE (:Entity:Repo {key:'repo:a', name:'A', emb: vecf32([1.0]), ft:'x', access:'open', aud:['team:t']})-[:IN_REPO {at:1, access:'open'}]->(:Entity:Repo {key:'repo:b', name:'B'})")  # fmt: skip
    got = store.read(g, "MATCH p = (a:Repo)-[r]->(b) RETURN a, r, p, {x: b, l: [a, b]} AS deep, 1 AS one")
    assert got.rows == (
        {"a": "repo:a", "r": "IN_REPO", "p": ["repo:a", "repo:b"], "deep": {"x": "repo:b", "l": ["repo:a", "repo:b"]}, "one": 1},
    )
    assert [(n.key, n.label, n.name) for n in got.nodes] == [("repo:a", "Repo", "A"), ("repo:b", "Repo", "B")]
    assert [(e.src, e.rel, e.dst, dict(e.props)) for e in got.edges] == [("repo:a", "IN_REPO", "repo:b", {"at": 1})]
    assert dict(got.nodes[0].props) == {"key": "repo:a", "name": "A"}
    assert got.query.startswith("MATCH") and got.ms >= got.server_ms > 0


@pytest.mark.parametrize(
    "text", ["CREATE (:Entity {key:'repo:evil'})", "MATCH (n) SET n.x = 1", "MATCH (n) DELETE n", "MERGE (:Entity {key:'repo:evil'})", "CREATE INDEX FOR (e:Entity) ON (e.name)"]
)  # fmt: skip
def test_a_read_that_writes_is_refused_and_writes_nothing(store, text):
    g = "brain:readonly"
    fill(store, g, "name")
    before = store.read(g, "MATCH (n) RETURN n.key AS k, n.x AS x ORDER BY k").rows
    with pytest.raises(ToolError, match=r"read-only|RO_QUERY"):
        store.read(g, text)
    assert store.read(g, "MATCH (n) RETURN n.key AS k, n.x AS x ORDER BY k").rows == before


def test_every_query_of_the_catalogue_and_every_tool_reads_through_ro_query(demo, monkeypatch):
    """The one command that leaves while tools run is the read-only one."""
    sent = []
    real = type(demo.store._redis.connection_pool.get_connection()).pack_commands  # type: ignore[attr-defined]

    def noted(self, commands):
        commands = list(commands)
        sent.extend(str(c[0]) for c in commands)
        return real(self, commands)

    monkeypatch.setattr(type(demo.store._redis.connection_pool.get_connection()), "pack_commands", noted)
    ctx = demo.asking(demo.viewer())
    for name, query in demo.catalogue.queries.items():
        if query.kind in ("query", "internal") and query.example:
            ctx.run(name, **query.example)
    demo.tools["measure"].run(ctx, kind="prs", by="person")
    assert set(sent) == {"GET", "GRAPH.RO_QUERY"}


def test_a_read_that_takes_too_long_is_cut_off_in_time(store):
    fill(store, "brain:slow", "a")
    began = time.perf_counter()
    with pytest.raises(ToolError, match="timed out"):
        store.read("brain:slow", "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(b) AS n", timeout_ms=150)
    assert time.perf_counter() - began < 3


def test_the_setting_is_the_longest_a_read_may_take(home, store):
    fill(store, "brain:slow", "a")
    hasty = Store.open(dataclasses.replace(home, read_timeout_ms=120))
    try:
        with pytest.raises(ToolError, match="timed out"):
            hasty.read("brain:slow", "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(b) AS n")
    finally:
        hasty.close()


def test_what_the_server_refuses_is_one_line_to_the_caller(store):
    store.write("brain:refuse", "RETURN 1")
    for text in ("RETURN", "MATCH (n RETURN n", "RETURN $missing", "CALL nothing.at_all()"):
        with pytest.raises(ToolError) as err:
            store.read("brain:refuse", text)
        assert "\n" not in str(err.value) and str(err.value)


def test_an_empty_workspace_says_what_to_load(store):
    with pytest.raises(StoreDown, match="nothing is loaded in 'nowhere'; load something: brain demo, or brain ingest"):
        store.read("brain:nowhere", "MATCH (n) RETURN n")


# -- full-text --------------------------------------------------------------------------------


TRAPS = ['a "b', "(", ")", "[x", "{", ":", ";x", "$", "%", "~", "|", "a||b", "a**", "--", "=>", "@a", "_", "x@y.z", "FOO-42", "payments-api", "v2.3.1",
         "it's", "-gate", "@title:gate", "gate => {$slop:1}", "*", "%%gate%%", "\\", "\0gate", "ＧＡＴＥ", "日本語", "🜂", "a" * 5000, "gate " * 500]  # fmt: skip


@pytest.mark.parametrize("text", TRAPS)
def test_no_text_of_a_question_breaks_the_search(demo, text):
    """Full-text input is cut into terms by us; the index's own syntax is never reached."""
    ctx = demo.asking(demo.viewer())
    if not query_terms(text):
        with pytest.raises(ToolError, match="at least one word"):
            demo.tools["search_text"].run(ctx, text=text)
        return
    demo.tools["search_text"].run(ctx, text=text)


def test_every_word_counts_alone_and_a_minus_excludes_nothing(demo):
    ctx = demo.asking(demo.viewer())

    def found(text):
        return {r["chunk"] for r in demo.tools["search_text"].run(ctx, text=text, k=1000).rows}

    gate, tide = found("interlock"), found("tide")
    assert gate and tide and gate - tide and found("interlock tide") == gate | tide
    assert found("interlock -tide") == gate | tide and found('"interlock tide"') == gate | tide


# -- switching --------------------------------------------------------------------------------


def test_a_switch_puts_the_fresh_graph_in_place_and_leaves_nothing_behind(store):
    live = "brain:switching"
    fill(store, live, "old")
    fill(store, f"{live}:next", "new", n=5)
    before = store.version(live)
    store.switch(f"{live}:next", live)
    assert store.read(live, "MATCH (n) RETURN count(n) AS n").rows == ({"n": 5},)
    assert store.version(live) != before
    assert not store.exists(f"{live}:next") and not store.exists(f"{live}:old")


def test_a_first_load_needs_nothing_to_be_there(store):
    fill(store, "brain:first:next", "a")
    store.drop("brain:first")
    store.switch("brain:first:next", "brain:first")
    assert store.version("brain:first") and "first" in store.workspaces()


def test_a_switch_that_cannot_be_leaves_the_live_graph(store):
    fill(store, "brain:kept", "a")
    with pytest.raises(StoreDown, match="load again"):
        store.switch("brain:kept:next", "brain:kept")
    assert store.read("brain:kept", "MATCH (n) RETURN count(n) AS n").rows == ({"n": 3},)


READER = """
import sys
from pathlib import Path
from brain.settings import Settings
from brain.store import Store
store = Store.open(Settings(home=Path(sys.argv[1])))
for line in sys.stdin:
    node = store.read("brain:cached", "MATCH (n:Entity) RETURN n ORDER BY n.key LIMIT 1").nodes[0]
    print(sorted(node.props.items()), flush=True)
"""


def test_another_process_knows_the_property_names_of_the_graph_it_reads(home, store):
    """The client remembers names by number; a graph that was switched numbers them anew."""
    fill(store, "brain:cached", "colour", "size")
    with subprocess.Popen(
        [sys.executable, "-c", READER, str(home.home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin and other.stdout

        def read() -> str:
            other.stdin.write("\n")
            other.stdin.flush()
            return other.stdout.readline().strip()

        assert read() == "[('colour', 'colour1'), ('key', 'repo:1'), ('size', 'size1')]"
        fill(store, "brain:cached:next", "weight", "size", "colour")
        store.switch("brain:cached:next", "brain:cached")
        assert read() == "[('colour', 'colour1'), ('key', 'repo:1'), ('size', 'size1'), ('weight', 'weight1')]"
        other.stdin.close()


def test_a_reader_sees_one_graph_or_the_other_through_fifty_switches(home, store):
    live, stop, seen, wrong = "brain:flip", threading.Event(), set(), []
    shapes = [("a", "b"), ("b", "a"), ("c", "a", "b")]
    fill(store, live, *shapes[0])
    mine = Store.open(home)

    def read() -> None:
        while not stop.is_set():
            got = mine.read(live, "MATCH (n:Entity) RETURN n ORDER BY n.key")
            props = [dict(n.props) for n in got.nodes]
            seen.add(tuple(sorted(props[0])))
            if len(props) != 3 or any(v != f"{k}{p['key'][-1]}" for p in props for k, v in p.items() if k != "key"):
                wrong.append(props)

    thread = threading.Thread(target=read)
    thread.start()
    for i in range(50):
        fill(store, f"{live}:next", *shapes[i % 3])
        store.switch(f"{live}:next", live)
    stop.set()
    thread.join()
    mine.close()
    assert not wrong and len(seen) >= 2


class Paused:
    """A pipeline of real commands, sent one by one; after the first something happens in between."""

    def __init__(self, real, between):
        self._real, self._between, self._asked = real, between, []

    def get(self, *args):
        self._asked.append(("GET", *args))

    def execute_command(self, *args):
        self._asked.append(args)

    def execute(self, raise_on_error=True):
        out = []
        for i, args in enumerate(self._asked):
            out.append(self._real.execute_command(*args))
            if i == 0 and self._between:
                self._between.pop()()
        return out


def test_a_switch_in_the_middle_of_a_read_is_noticed(home, monkeypatch):
    """The answer is of the new graph, the names that were learned are of the old one: it is read again."""
    live, mine = "brain:middle", Store.open(home)
    fill(mine, live, "colour", "size")
    fill(mine, f"{live}:next", "size", "colour")
    query = "MATCH (n:Entity) RETURN n ORDER BY n.key LIMIT 1"
    assert dict(mine.read(live, query).nodes[0].props) == {"colour": "colour1", "key": "repo:1", "size": "size1"}
    real, between = mine._redis, []

    class Slow:
        def pipeline(self, transaction=True):
            return real.pipeline(transaction=True) if transaction else Paused(real, between)

        def __getattr__(self, name):
            return getattr(real, name)

    between.append(lambda: mine.switch(f"{live}:next", live))
    monkeypatch.setattr(mine, "_redis", Slow())
    got = dict(mine.read(live, query).nodes[0].props)
    assert not between and got == {"colour": "colour1", "key": "repo:1", "size": "size1"}
    mine.close()


# -- the server -------------------------------------------------------------------------------


def test_the_server_runs_with_what_the_design_asks_for(store):
    """Effects always on and delayed indexing, so that a restart takes seconds; append-only; no port."""

    def of(name):
        return store._redis.execute_command("GRAPH.CONFIG", "GET", name)[1]

    assert (of("EFFECTS_THRESHOLD"), of("DELAY_INDEXING")) == (0, 1)
    assert of("TIMEOUT_DEFAULT") == 5000 and of("RESULTSET_SIZE") == -1
    conf = store._redis.config_get("*")
    assert (conf["appendonly"], conf["appendfsync"], conf["port"]) == ("yes", "everysec", "0")


def test_no_unique_constraint_is_ever_made(store, demo):
    """A unique constraint can crash the server; the key index and MERGE do instead."""
    assert not store.read("brain:demo", "CALL db.constraints() YIELD type RETURN type").rows
    root = Path(__file__).parent.parent
    for path in [*root.glob("brain/**/*.py"), *root.glob("queries/**/*.cypher")]:
        text = path.read_text("utf-8").lower()
        assert "graph.constraint" not in text and "unique_constraint" not in text, path
    indexes = store.read("brain:demo", "CALL db.indexes() YIELD label, properties RETURN label, properties").rows
    assert {"label": "Entity", "properties": ["key"]} in [dict(r) for r in indexes]


def test_after_kill_9_of_the_server_the_same_store_answers_again(tmp_path):
    settings = Settings(home=tmp_path / "home", idle_stop_s=20)
    store = Store.open(settings)
    try:
        fill(store, "brain:crash", "a")
        time.sleep(1.1)
        os.kill(embedded.status(settings).pid, signal.SIGKILL)
        assert store.read("brain:crash", "MATCH (n) RETURN count(n) AS n").rows == ({"n": 3},)
    finally:
        store.close()
        embedded.stop(settings)


def rewrite(store: Store) -> None:
    server = store._redis
    server.bgrewriteaof()
    while any(server.info("persistence")[f"aof_rewrite_{what}"] for what in ("in_progress", "scheduled")):
        time.sleep(0.05)
    time.sleep(1.1)


def test_a_search_after_a_restart_waits_for_the_index_instead_of_finding_too_little(tmp_path):
    settings = Settings(home=tmp_path / "home", idle_stop_s=20)
    store = Store.open(settings)
    try:
        store.write("brain:search", "CALL db.idx.fulltext.createNodeIndex('Chunk', 'text')")
        store.write("brain:search", "UNWIND range(1, 40000) AS i CREATE (:Chunk {text: 'word' + i + ' and others all alike'})")
        store.wait_for_indexes("brain:search")
        rewrite(store)  # what a server reads from its snapshot is indexed after it has started
        os.kill(embedded.status(settings).pid, signal.SIGKILL)
        text = "CALL db.idx.fulltext.queryNodes('Chunk', 'word39999') YIELD node RETURN count(node) AS n"
        assert store.read("brain:search", text).rows == ({"n": 1},)
    finally:
        store.close()
        embedded.stop(settings)


# -- a server by address ----------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@pytest.fixture(scope="module")
def server(home, tmp_path_factory) -> Iterator[dict[str, str]]:
    """A plain redis-server with the module, reached three ways, by a user with a password."""
    folder = tmp_path_factory.mktemp("plain")
    redis_server, module = embedded.binaries(home)
    port, sock = free_port(), folder / "r.sock"
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            [redis_server, "--port", str(port), "--bind", "127.0.0.1", "--unixsocket", str(sock), "--save", "", "--loadmodule", str(module),
             "--user", "default", "off", "--user", "ann", "on", ">s3cret", "~*", "&*", "+@all"], stdout=log, stderr=log, cwd=folder,
        )  # fmt: skip
    until = time.monotonic() + 20
    while not sock.exists() and time.monotonic() < until:
        time.sleep(0.02)
    tls = free_port()
    stop = tls_in_front(tls, port, folder)
    ca = folder / "cert.pem"
    yield {
        "redis": f"redis://ann:s3cret@127.0.0.1:{port}",
        "unix": f"unix://ann:s3cret@{sock}",
        "rediss": f"rediss://ann:s3cret@localhost:{tls}?ssl_ca_certs={ca}",
        "port": str(port),
        "tls": str(tls),
    }
    stop()
    process.terminate()
    process.wait(20)


def tls_in_front(at: int, port: int, folder: Path):
    """The wheel's redis-server has no TLS of its own; this ends TLS in front of it, with a certificate signed by itself."""
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")], capture_output=True, check=False,
    )  # fmt: skip
    if made.returncode:
        return lambda: None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    listener = socket.create_server(("127.0.0.1", at))

    def pump(a, b):
        try:
            while data := a.recv(65536):
                b.sendall(data)
        except OSError:
            pass
        finally:
            for end in (a, b):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def serve():
        while True:
            try:
                raw, _ = listener.accept()
            except OSError:
                return
            try:
                near = context.wrap_socket(raw, server_side=True)
            except OSError:
                continue
            far = socket.create_connection(("127.0.0.1", port))
            for pair in ((near, far), (far, near)):
                threading.Thread(target=pump, args=pair, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    return listener.close


def answers(store: Store, workspace: str) -> list:
    """What a handful of tools say, through filters, full-text, vectors, ranking and paths."""
    ctx = Asking(store, workspace, permissions.guest(), NOW)
    known, pr = tools(catalogue.shipped()), small_rows().nodes
    key = next(n.key for n in pr if n.key.startswith("pr:"))
    calls = [
        known["measure"].run(ctx, kind="prs", by="person"), known["search_text"].run(ctx, text="modbus gate"), known["details"].run(ctx, key=key),
        known["trace"].run(ctx, key=key), known["rank"].run(ctx, by="reviewers"), ctx.run("vector_search", vector=[1.0, 0.0, 0.0, 0.0]),
        ctx.run("counts"),
    ]  # fmt: skip
    return [[dict(row) for row in call.rows] for call in calls]


@pytest.mark.parametrize("way", ["redis", "unix", "rediss"])
def test_a_server_by_address_gives_the_same_answers(server, store, tmp_path, way):
    if way == "rediss" and not Path(server["rediss"].partition("ssl_ca_certs=")[2]).exists():
        pytest.skip("the openssl command is not here to make a certificate")
    if not store.exists("brain:same"):
        build(store, "same")
    other = Store.open(Settings(home=tmp_path / "unused", falkordb_url=server[way]))
    try:
        if not other.exists("brain:same"):
            build(other, "same")
        assert answers(other, "same") == answers(store, "same")
        assert not (tmp_path / "unused").exists()
    finally:
        other.close()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("redis://ann:wrong@127.0.0.1:{port}", "cannot reach the database at redis://127.0.0.1:{port}"),
        ("redis://127.0.0.1:{port}", "cannot reach the database at redis://127.0.0.1:{port}"),
        ("redis://ann:s3cret@127.0.0.1:1", "cannot reach the database at redis://127.0.0.1:1"),
        ("rediss://ann:s3cret@127.0.0.1:{port}", "cannot reach the database at rediss://127.0.0.1:{port}"),
        ("rediss://ann:s3cret@localhost:{tls}", "cannot reach the database at rediss://localhost:{tls}"),
        ("unix://ann:s3cret@/no/such.sock", "cannot reach the database at unix:///no/such.sock"),
        ("redis://ann:s3cret@127.0.0.1:port", "FALKORDB_URL"),
        ("http://ann:s3cret@127.0.0.1", "FALKORDB_URL must start with redis://, rediss:// or unix://"),
        ("s3cret.example:6379", "FALKORDB_URL must start with"),
    ],
)
def test_a_server_that_cannot_be_used_is_one_line_without_the_password(server, tmp_path, url, words, monkeypatch):
    monkeypatch.setattr("brain.store.CONNECT_TIMEOUT_S", 1)
    ports = {"port": server["port"], "tls": server["tls"]}
    with pytest.raises(StoreDown) as err:
        Store.open(Settings(home=tmp_path, falkordb_url=url.format(**ports)))
    text = str(err.value)
    assert text.startswith(words.format(**ports)) and "\n" not in text
    assert "wrong" not in text.replace("wrong version", "") and ("s3cret" not in text or "s3cret.example" in url)


def test_a_server_that_goes_away_is_one_line(server, home, tmp_path):
    port = free_port()
    redis_server, module = embedded.binaries(home)
    process = subprocess.Popen(
        [redis_server, "--port", str(port), "--save", "", "--loadmodule", str(module)], stdout=subprocess.DEVNULL, cwd=tmp_path
    )
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            gone = Store.open(Settings(home=tmp_path, falkordb_url=f"redis://127.0.0.1:{port}"))
            break
        except StoreDown:
            time.sleep(0.05)
    gone.write("brain:x", "CREATE (:Entity {key:'repo:a'})")
    process.kill()
    process.wait(10)
    for call in (lambda: gone.read("brain:x", "RETURN 1 AS n"), gone.ping, gone.workspaces, lambda: gone.exists("brain:x"), lambda: gone.drop("brain:x"),
                 lambda: gone.switch("brain:x", "brain:y"), lambda: gone.version("brain:x"), lambda: gone.meta("x"), lambda: gone.write("brain:x", "RETURN 1")):  # fmt: skip
        with pytest.raises(StoreDown, match=f"the database at redis://127.0.0.1:{port} does not answer"):
            call()


# -- workspaces -------------------------------------------------------------------------------


def test_only_whole_workspaces_are_listed(store):
    for graph in ("brain:listed", "brain:listed:runs", "brain:listed:mem:ada", "other:graph"):
        store.write(graph, "RETURN 1")
    assert "listed" in store.workspaces() and all(":" not in name for name in store.workspaces())


@pytest.mark.parametrize("name", ["a:b", "a b", "../x", "a/b", "a.b", "a\n", "", "x" * 61, "a*", "a\0"])
def test_a_workspace_name_that_is_no_name_is_refused(home, name):
    from brain.brain import Brain

    if not name:
        home = dataclasses.replace(home, workspace="")
    with pytest.raises(BadInput, match="use letters, digits, - and _, at most 60"):
        Brain.open(home, name)


def test_meta_is_kept_beside_the_graph(store):
    store.set_meta("noted", {"a": "1"})
    store.set_meta("noted", {"b": "2"})
    assert store.meta("noted") == {"a": "1", "b": "2"} and not store.exists(graph_name("noted")) and store.meta("unheard") == {}
