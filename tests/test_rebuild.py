"""The graph is a pure function of the records; it is made beside the live one, and readers go on undisturbed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from tiny_org import archive, brain_of, counts, dump, load, two_of_each

from brain import loads, rebuild
from brain.bulk import Loader
from brain.errors import Cancelled
from brain.store import Store
from brain.types import EdgeRow, NodeRow, Origin, Skip

QUERY = "MATCH (p:PullRequest) RETURN count(p) AS prs"


@pytest.fixture
def brain(home, request):
    opened = brain_of(home, f"r_{request.node.name[:40].replace('[', '_').replace(']', '')}")
    yield opened
    opened.store.drop(f"brain:{opened.workspace}")
    opened.close()


@pytest.fixture
def loaded(brain, tmp_path):
    assert not load(brain, archive(tmp_path / "a.json", **two_of_each())).failures
    return brain


def again(brain) -> rebuild.Rebuild:
    return rebuild.rebuild(brain.store, brain.workspace, brain.files.records, None)


# -- same records, same graph -----------------------------------------------------------------


@pytest.fixture(scope="module")
def in_batches(demo):
    """The demo made once more, in batches of one size that no server chose."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("brain.bulk.Pace.took", lambda self, rows, ms: None)
        patch.setattr("brain.bulk.Pace.__init__", lambda self, start=37: setattr(self, "size", 37))
        rebuild.rebuild(demo.store, "demo_small", demo.files.records, demo.vectors)
    yield "demo_small"
    demo.store.drop("brain:demo_small")


def test_a_rebuild_in_batches_of_another_size_is_the_same_graph_node_by_node(demo, in_batches):
    """Where a batch ends depends on how fast the server is; nothing may depend on that."""
    before, n = dump(demo.store, "demo"), counts(demo.store, "demo")
    assert counts(demo.store, in_batches) == n
    after = dump(demo.store, in_batches)
    assert after["nodes"] == before["nodes"] and after["edges"] == before["edges"]


def test_every_entity_has_its_key_name_source_and_exactly_its_label(demo):
    rows = demo.store.read("brain:demo", "MATCH (n:Entity) RETURN n.key AS key, n.name AS name, n.source AS source, labels(n) AS labels").rows
    from brain.schema import label_of

    assert len(rows) == len({r["key"] for r in rows}) > 2000
    for r in rows:
        assert sorted(r["labels"]) == sorted(["Entity", label_of(r["key"])]) and r["name"] and r["source"], r


def test_nothing_in_the_demo_s_graph_is_outside_the_vocabulary(demo):
    """Read back from the store: labels, types, domains and ranges, properties."""
    from brain.admission import NODE_PROPS, REL_PROPS
    from brain.schema import RELS

    for r in demo.store.read(
        "brain:demo", "MATCH (a)-[e]->(b) RETURN type(e) AS rel, labels(a) AS a, labels(b) AS b, keys(e) AS props"
    ).rows:
        rel = RELS[r["rel"]]
        assert set(r["a"]) & set(rel.domain) and set(r["b"]) & set(rel.range) and set(r["props"]) <= REL_PROPS[rel.name], r
    for r in demo.store.read("brain:demo", "MATCH (n:Entity) RETURN labels(n) AS labels, keys(n) AS props").rows:
        label = next(x for x in r["labels"] if x != "Entity")
        assert set(r["props"]) - {"key", "name"} <= NODE_PROPS[label]


def test_every_source_has_a_label_of_access_and_every_derived_edge_its_query(demo):
    assert demo.store.read("brain:demo", "MATCH (n) WHERE n.access IS NULL RETURN n.key AS key LIMIT 5").rows == ()
    files = {q.path.name: q.writes for q in demo.catalogue.of_kind("derive")}
    rows = demo.store.read(
        "brain:demo", "MATCH ()-[e]->() WHERE e.derived_by IS NOT NULL RETURN DISTINCT type(e) AS rel, e.derived_by AS file"
    ).rows
    assert {(r["file"], r["rel"]) for r in rows} == set(files.items())


def test_a_rebuild_leaves_the_whole_vector_index(demo, in_batches):
    """Asked for fifty, the index gives fifty, in the first graph and after a rebuild over it."""
    for again in (False, True):
        if again:
            rebuild.rebuild(demo.store, in_batches, demo.files.records, demo.vectors)
        for k in (1, 50):
            got = demo.store.read(
                f"brain:{in_batches}",
                "CALL db.idx.vector.queryNodes('Chunk','emb',$k,vecf32($v)) YIELD node RETURN count(node) AS n",
                {"k": k, "v": [0.5] * demo.vectors.dim},
            )
            assert got.rows == ({"n": k},)


# -- refused records --------------------------------------------------------------------------


def test_rows_that_break_the_schema_are_reported_with_their_place_and_the_rest_loads(loaded, monkeypatch):
    from brain.connectors import FORMATS

    real, at = FORMATS["github"].rows, Origin("a.json", 7)
    bad = [
        NodeRow("bogus:x", "n", "s", {}, at), NodeRow("repo:", "n", "s", {}, at), NodeRow("repo:o/x\0y", "n", "s", {}, at),
        NodeRow("repo:" + "x" * 5000, "n", "s", {}, at), NodeRow("repo:o/x", "n", "s", {"colour": 1}, at), EdgeRow("repo:o/n", "LIKES", "repo:o/n", {}, at),
        EdgeRow("repo:o/n", "AUTHORED", "repo:o/n", {}, at), Skip("a reason of the connector's", at, 4),
    ]  # fmt: skip
    before = dump(loaded.store, loaded.workspace)

    def rows(records, context):
        found = list(real(records, context))
        yield from [*bad, *found] if found else ()

    monkeypatch.setattr(FORMATS["github"], "rows", rows)
    report = again(loaded).reports["github:acme/kiln"]
    assert len(report.skipped) == len(bad) and all(where == "a.json:7" for _, where in report.skipped.values())
    assert report.skipped["a reason of the connector's"] == (4, "a.json:7")
    assert dump(loaded.store, loaded.workspace) == before


# -- nothing is lost --------------------------------------------------------------------------


def test_cancelled_anywhere_the_live_graph_stays_and_nothing_lies_about(loaded):
    before, version = dump(loaded.store, loaded.workspace), loaded.store.version(f"brain:{loaded.workspace}")
    asked = 0
    for stop_at in range(20):
        asked = 0

        def cancelled() -> bool:
            nonlocal asked
            asked += 1
            return asked > stop_at  # noqa: B023

        try:
            rebuild.rebuild(loaded.store, loaded.workspace, loaded.files.records, None, cancelled=cancelled)
            break
        except Cancelled:
            assert dump(loaded.store, loaded.workspace) == before and loaded.store.version(f"brain:{loaded.workspace}") == version
            assert not loaded.store.exists(f"brain:{loaded.workspace}:next") and not loaded.store.exists(f"brain:{loaded.workspace}:old")
    assert stop_at >= 6, "there are that many places to stop at"


def test_cancelled_after_the_switch_is_too_late_to_be_an_error(loaded):
    """What was switched is loaded; to say that it was stopped would be untrue."""
    done = []
    real = loaded.store.switch

    def switch(fresh, live):
        real(fresh, live)
        done.append(True)

    loaded.store.switch = switch
    rebuild.rebuild(loaded.store, loaded.workspace, loaded.files.records, None, cancelled=lambda: bool(done))


@pytest.mark.parametrize("stage", ["prepare", "edges", "chunks"])
def test_an_error_anywhere_leaves_the_live_graph(loaded, monkeypatch, stage):
    before = dump(loaded.store, loaded.workspace)

    def fail(*a, **k):
        raise MemoryError(stage)

    monkeypatch.setattr(Loader, stage, fail)
    with pytest.raises(MemoryError):
        again(loaded)
    assert dump(loaded.store, loaded.workspace) == before and not loaded.store.exists(f"brain:{loaded.workspace}:next")


def test_what_a_killed_load_left_beside_the_live_graph_is_cleared_by_the_next(loaded):
    before = dump(loaded.store, loaded.workspace)
    for part in ("next", "old"):
        loaded.store.write(f"brain:{loaded.workspace}:{part}", "CREATE (:Entity:Repo {key:'repo:left/over', name:'x'})")
    again(loaded)
    assert dump(loaded.store, loaded.workspace) == before and not loaded.store.exists(f"brain:{loaded.workspace}:old")


# -- what went away ---------------------------------------------------------------------------

T0, T1, T2, T3 = 1_750_000_000, 1_760_000_000, 1_770_000_000, 1_780_000_000
GONE = {"issue:acme/kiln#2", "pr:acme/kiln#4"}


def everything(brain, as_of: int) -> dict[str, set[str]]:
    """Every key that each tool and internal query lets out, at an instant, to the administrator."""
    from brain.types import Result

    ctx = brain.asking(brain.viewer(), as_of)
    out: dict[str, set[str]] = {}

    def keep(name: str, call: Callable[[], Result]) -> None:
        got = call()
        found = {n.key for n in got.nodes} | {e.src for e in got.edges} | {e.dst for e in got.edges}
        out.setdefault(name, set()).update(found | set(strings(got.rows)))

    t = brain.tools
    for key in ("issue:acme/kiln#1", "issue:acme/kiln#2", "pr:acme/kiln#3", "pr:acme/kiln#4", "person:ada", "person:bob", "person:zoe", "repo:acme/kiln",
                "file:acme/kiln/src/door.py", "dir:acme/kiln/src", "release:acme/kiln@v1"):  # fmt: skip
        keep("details", lambda k=key: t["details"].run(ctx, key=k))
        keep("expand", lambda k=key: t["expand"].run(ctx, key=k))
        keep("chunks_of", lambda k=key: ctx.run("chunks_of", key=k))
    keep("search_text", lambda: t["search_text"].run(ctx, text="door sticks hinge grease glaze heat", k=100))
    keep(
        "find",
        lambda: t["find_entities"].run(ctx, names=["The door sticks", "Grease the hinge", "acme/kiln#2", "v1"], prefix="acme", k=100),
    )
    for kind in ("prs", "issues", "reviews", "comments", "commits", "releases"):
        keep("list_items", lambda k=kind: t["list_items"].run(ctx, kind=k))
    keep("who_knows", lambda: t["who_knows"].run(ctx, target="file:acme/kiln/src/door.py", bots=True))
    keep("impact", lambda: t["impact"].run(ctx, path="src/door.py", days=9000))
    keep("activity", lambda: t["activity"].run(ctx, target="repo:acme/kiln", since=0))
    keep("counts", lambda: ctx.run("counts"))
    keep("trace", lambda: t["trace"].run(ctx, key="issue:acme/kiln#1"))
    keep("by_keys", lambda: ctx.run("by_keys", keys=sorted(GONE)))
    for part in ("repos", "people", "releases", "concepts", "labels"):
        keep("lexicon", lambda p=part: ctx.run(f"lexicon_{p}"))
    keep("suggest", lambda: ctx.run("busy_repo"))
    return out


def strings(value) -> set[str]:
    if isinstance(value, str):
        return {value}
    if isinstance(value, (list, tuple)):
        return set().union(*map(strings, value)) if value else set()
    return set().union(*map(strings, value.values())) if isinstance(value, dict) and value else set()


def leaks(found: dict[str, set[str]]) -> dict[str, set[str]]:
    """What names a gone item or one of its passages."""
    return {
        name: {k for k in keys if any(k == g or k.startswith(f"chunk:{g}/") for g in GONE) or "sticks" in k or "hinge" in k}
        for name, keys in found.items()
        if any(any(k == g or k.startswith(f"chunk:{g}/") for g in GONE) or "sticks" in k or "hinge" in k for k in keys)
    }


@pytest.fixture
def shrunk(brain, tmp_path):
    """An issue and an open pull request vanish at T1 and are told of again at T3."""
    whole = two_of_each()
    path = archive(tmp_path / "a.json", **whole)
    load(brain, path, now=T0)
    archive(path, issues=whole["issues"][:1], pulls=whole["pulls"][:1])
    load(brain, path, now=T1)
    return brain, path, whole


def test_what_a_complete_load_no_longer_holds_leaves_every_answer(shrunk):
    brain, *_ = shrunk
    assert leaks(everything(brain, T2)) == {}
    assert leaks(everything(brain, T1)) == {}, "from the instant it was missed"


def test_its_passages_carry_when_it_went_themselves(shrunk):
    """They count in no statistics of the search either."""
    brain, *_ = shrunk
    rows = brain.store.read(
        f"brain:{brain.workspace}", "MATCH (c:Chunk) RETURN c.src IN $gone AS away, c.gone AS gone", {"gone": sorted(GONE)}
    ).rows
    assert {(r["away"], r["gone"]) for r in rows} == {(True, T1), (False, None)}


def test_as_of_before_it_went_everything_is_as_it_was(shrunk, home, tmp_path):
    brain, _, whole = shrunk
    never = brain_of(home, "r_never_went")
    load(never, archive(tmp_path / "b.json", **whole), now=T0)
    try:
        was, now = everything(never, T1 - 1), everything(brain, T1 - 1)
        assert {name: was[name] ^ now[name] for name in was if was[name] != now[name]} == {}
    finally:
        never.store.drop("brain:r_never_went")
        never.close()


def test_what_is_told_of_again_comes_back(shrunk):
    brain, path, whole = shrunk
    archive(path, **whole)
    load(brain, path, now=T3)
    found = everything(brain, T3)
    assert set(leaks(found)) >= {"details", "list_items", "search_text", "by_keys"}
    rows = brain.store.read(f"brain:{brain.workspace}", "MATCH (n) WHERE n.gone IS NOT NULL RETURN n.key AS key").rows
    assert rows == ()


def test_a_release_that_went_is_named_by_no_tool(loaded):
    """A release is structure, open to all by schema; what went must leave even so."""
    head = {**loaded.files.records.head(loaded.files.records.path("github:acme/kiln"))}
    release = {"kind": "release", "name": "", "at": T0 - 9, "body": "", "prerelease": False, "draft": False, "author": "ada", "url": ""}
    whole = [{**release, "tag": "v1"}, {**release, "tag": "v2"}]
    items = [r for r in loaded.files.records.read("github:acme/kiln") if r["kind"] not in ("source", "release")]
    loaded.files.records.replace([head, *items, *whole], T0)
    again(loaded)
    assert "release:acme/kiln@v1" in everything(loaded, T2)["details"]
    loaded.files.records.replace([head, *items, whole[1]], T1)
    again(loaded)
    named = {name for name, keys in everything(loaded, T2).items() if any("kiln@v1" in k or k == "v1" for k in keys)}
    assert named == set()
    assert "release:acme/kiln@v1" in everything(loaded, T1 - 1)["details"]


def test_gone_counts_in_no_derived_edge(shrunk):
    """bob's only knowledge of the door came from the pull request that went."""
    brain, *_ = shrunk
    rows = brain.store.read(
        f"brain:{brain.workspace}", "MATCH (p:Person)-[r:KNOWS]->(f:File) RETURN f.path AS path, p.key AS who ORDER BY path, who"
    ).rows
    assert {r["path"] for r in rows} == {"src/heat.py", "docs/heat.md"}


# -- readers during a load --------------------------------------------------------------------


class Watch:
    """A reader that asks every 5 ms and notes how long each answer took and what it said."""

    def __init__(self, store: Store, graph: str) -> None:
        self.ms: list[float] = []
        self.said: set[int] = set()
        self.errors: list[Exception] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(store, graph))

    def _run(self, store: Store, graph: str) -> None:
        while not self._stop.is_set():
            began = time.perf_counter()
            try:
                self.said.add(store.read(graph, QUERY).rows[0]["prs"])
            except Exception as err:
                self.errors.append(err)
            self.ms.append((time.perf_counter() - began) * 1000)
            time.sleep(0.005)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._stop.set()
        self._thread.join()


def big_graph(store: Store, n: int) -> None:
    """As many nodes and edges, as a load writes them, indexes included, beside everything live."""
    graph = "brain:big:next"
    store.drop(graph)
    loader = Loader(store, graph)
    loader.prepare()
    for i in range(n):
        loader.node(NodeRow(f"file:o/n/{i}", f"{i}.c", "x", {"path": f"src/{i}.c", "repo": "o/n", "base": f"{i}.c"}))
    loader.flush()
    loader.edges(
        "CO_CHANGES", (EdgeRow(f"file:o/n/{i}", "CO_CHANGES", f"file:o/n/{i * 7 % n}", {"n": i, "access": "open"}) for i in range(n))
    )
    store.write(graph, "CREATE INDEX FOR (e:File) ON (e.base)")
    store.wait_for_indexes(graph)
    store.switch(graph, "brain:big")


def test_a_load_makes_no_reader_wait_and_shows_none_half_a_graph(home, record_property):
    """The demo loaded over itself with twenty thousand nodes beside it: a reader shut out would wait for much of it. What else the
    machine does may hold up a reader once, so it is tried again.
    """
    brain, reader = brain_of(home, "watched"), Store.open(home)
    loads.demo(brain, lambda *a: None)
    whole = reader.read("brain:watched", QUERY).rows[0]["prs"]
    shares = []
    for _ in range(2):
        began = time.perf_counter()
        with Watch(reader, "brain:watched") as watch:
            loads.demo(brain, lambda *a: None)
            big_graph(brain.store, 20_000)
        took = (time.perf_counter() - began) * 1000
        assert not watch.errors and watch.said == {whole} and len(watch.ms) > 100
        shares.append(max(watch.ms) / took)
        if shares[-1] < 0.1:
            break
    text = f"longest wait as a share of the load: {', '.join(f'{x:.3f}' for x in shares)}"
    record_property("latency", text)
    for name in ("watched", "big"):
        brain.store.drop(f"brain:{name}")
    reader.close()
    brain.close()
    assert min(shares) < 0.1, text


def test_another_process_is_read_to_as_quickly(home, demo, record_property):
    """Without the loader's own work on the processor, what is left is what the server makes a reader wait."""
    import subprocess
    import sys

    code = (
        "import sys, time, threading\nfrom pathlib import Path\nfrom brain.settings import Settings\nfrom brain.store import Store\n"
        "s = Store.open(Settings(home=Path(sys.argv[1])))\nlive = [True]\n"
        "threading.Thread(target=lambda: (sys.stdin.read(), live.clear()), daemon=True).start()\nprint('ready', flush=True)\nms = []\n"
        "while live:\n    t = time.perf_counter()\n    s.read('brain:demo', 'MATCH (p:PullRequest) RETURN count(p) AS n')\n"
        "    ms.append((time.perf_counter() - t) * 1000)\n    time.sleep(0.005)\nprint(len(ms), sorted(ms)[len(ms) // 2], max(ms))\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(home.home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin and other.stdout and other.stdout.readline() == "ready\n"
        began = time.perf_counter()
        big_graph(demo.store, 20_000)
        took = (time.perf_counter() - began) * 1000
        other.stdin.close()
        n, median, longest = (float(x) for x in other.stdout.read().split())
    demo.store.drop("brain:big")
    record_property("latency", f"{n:.0f} reads, p50 {median:.1f} ms, longest {longest:.0f} ms")
    assert longest < 0.2 * took and median < 0.02 * took
