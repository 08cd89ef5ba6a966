"""The batched upsert: idempotent, labels at creation, chunks made once and never touched again."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from tiny_org import counts, dump

from brain.admission import check_node, clean_key
from brain.bulk import CHUNKS, LIMITS, REST_MS, TARGET_MS, Loader, Pace, vector_literal
from brain.errors import SchemaError
from brain.types import EdgeRow, NodeRow

ROOT = Path(__file__).parent.parent


@pytest.fixture
def loader(shared_store, request):
    """A loader into a graph of the test's own, its key index made."""
    graph = "brain:bulk"
    shared_store.drop(graph)
    made = Loader(shared_store, graph)
    made.prepare()
    return made


def node(key, name="n", **props):
    return NodeRow(key, name, props.pop("source", "git:o/n"), props)


def load(loader, nodes=(), edges=()):
    for row in nodes:
        loader.node(row)
    loader.flush()
    for rel in dict.fromkeys(e.rel for e in edges):
        loader.edges(rel, [e for e in edges if e.rel == rel])


NODES = [
    node("repo:o/n"),
    node("pr:o/n#1", access="open", number=1, labels=["a", "b"]),
    node("person:ada", bot=False),
    node("release:o/n@v1", at=5),
]
EDGES = [
    EdgeRow("pr:o/n#1", "IN_REPO", "repo:o/n"),
    EdgeRow("person:ada", "REVIEWED", "pr:o/n#1", {"at": 1, "state": "APPROVED"}, id="r1"),
    EdgeRow("person:ada", "REVIEWED", "pr:o/n#1", {"at": 2, "state": "COMMENTED"}, id="r2"),
]


def test_a_node_has_entity_its_label_and_what_it_came_with(loader, shared_store):
    load(loader, NODES)
    got = shared_store.read("brain:bulk", "MATCH (n) RETURN labels(n) AS labels, properties(n) AS p ORDER BY n.key").rows
    assert [sorted(r["labels"]) for r in got] == [
        ["Entity", "Person"],
        ["Entity", "PullRequest"],
        ["Entity", "Release"],
        ["Entity", "Repo"],
    ]
    assert dict(got[1]["p"]) == {"key": "pr:o/n#1", "name": "n", "source": "git:o/n", "access": "open", "number": 1, "labels": ["a", "b"]}


def test_structure_is_open_and_a_source_without_a_label_stays_without(loader, shared_store):
    load(loader, [node("person:ada"), node("issue:o/n#1")])
    assert [r["a"] for r in shared_store.read("brain:bulk", "MATCH (n) RETURN n.access AS a ORDER BY n.key").rows] == [None, "open"]


def test_loading_twice_changes_nothing(loader, shared_store):
    load(loader, NODES, EDGES)
    before, n = dump(shared_store, "bulk"), counts(shared_store, "bulk")
    load(loader, NODES, EDGES)
    again = Loader(shared_store, "brain:bulk")
    load(again, NODES, EDGES)
    assert dump(shared_store, "bulk") == before and counts(shared_store, "bulk") == n
    assert n["Entity"] == 4 and n["REVIEWED"] == 2 and n["IN_REPO"] == 1


def test_two_sources_of_one_key_are_one_node_and_no_value_is_lost_to_a_null(loader, shared_store):
    load(
        loader,
        [
            node("pr:o/n#1", "first", number=1, state="open", access="open"),
            node("pr:o/n#1", "second", number=None, state="merged", source="github:o/n"),
        ],
    )
    (row,) = shared_store.read(
        "brain:bulk", "MATCH (n) RETURN n.name AS name, n.number AS number, n.state AS state, n.source AS source"
    ).rows
    assert dict(row) == {"name": "second", "number": 1, "state": "merged", "source": "git:o/n"}


def test_a_later_batch_takes_nothing_away_that_it_does_not_tell(loader, shared_store):
    """In one batch with others, a row has an empty place for what only the others tell."""
    load(loader, [node("pr:o/n#1", number=1, state="open")])
    load(loader, [node("pr:o/n#1", state="merged"), node("pr:o/n#2", number=2, state="open")])
    got = shared_store.read("brain:bulk", "MATCH (n) RETURN n.number AS number, n.state AS state ORDER BY n.key").rows
    assert [tuple(r.values()) for r in got] == [(1, "merged"), (2, "open")]
    load(loader, NODES, [EDGES[1]])
    load(loader, [], [EdgeRow("person:ada", "REVIEWED", "pr:o/n#1", {"state": "DISMISSED"}, id="r1"), EDGES[2]])
    got = shared_store.read("brain:bulk", "MATCH ()-[e:REVIEWED {id:'r1'}]->() RETURN e.at AS at, e.state AS state").rows
    assert [tuple(r.values()) for r in got] == [(1, "DISMISSED")]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_last_row_of_a_key_wins_also_when_it_repeats_an_earlier_one(loader, shared_store, order):
    rows = [node("repo:o/n", "a", description="x"), node("repo:o/n", "b", description="y"), node("repo:o/n", "a", description="x")]
    load(loader, [rows[i] for i in order])
    assert shared_store.read("brain:bulk", "MATCH (n) RETURN n.name AS name").rows == ({"name": rows[order[-1]].name},)


@pytest.mark.parametrize(
    "key", ["file:o/n/ünï 漢 🜂 'q' \"d\" \\ $x `b` {c}", "file:o/n/" + "é" * 2043, "file:o/n/a  b", "file:o/n/\u2028x", "file:o/n/a\u00a0"]
)
def test_a_strange_but_legal_key_is_one_node_however_often_it_is_loaded(loader, shared_store, key):
    """What the index cannot hold would be found by nobody and made anew each time."""
    key = clean_key(key)
    for _ in range(2):
        load(Loader(shared_store, "brain:bulk"), [node(key)])
    assert shared_store.read("brain:bulk", "MATCH (n:Entity {key: $k}) RETURN count(n) AS n", {"k": key}).rows == ({"n": 1},)
    assert counts(shared_store, "bulk")["File"] == 1


def test_an_edge_without_an_end_is_noted_and_the_rest_stored(loader, shared_store):
    load(loader, NODES, [*EDGES, EdgeRow("pr:o/n#1", "IN_REPO", "repo:o/other"), EdgeRow("pr:o/n#9", "IN_REPO", "repo:o/n")])
    assert counts(shared_store, "bulk")["IN_REPO"] == 1 and counts(shared_store, "bulk")["Entity"] == 4
    assert sorted((s.reason, s.origin.file) for s in loader.missing) == [
        ("IN_REPO to something that is not loaded", "pr:o/n#9"), ("IN_REPO to something that is not loaded", "repo:o/other"),
    ]  # fmt: skip
    assert loader.counts["IN_REPO"] == 1


def test_parallel_edges_are_told_apart_by_their_id_and_an_edge_without_one_is_one(loader, shared_store):
    load(loader, NODES, [*EDGES, EDGES[1], EdgeRow("pr:o/n#1", "IN_REPO", "repo:o/n", {"at": 3})])
    got = shared_store.read("brain:bulk", "MATCH ()-[e]->() RETURN type(e) AS t, e.id AS id, e.at AS at, e.state AS s ORDER BY t, id").rows
    assert [tuple(r.values()) for r in got] == [
        ("IN_REPO", None, 3, None),
        ("REVIEWED", "r1", 1, "APPROVED"),
        ("REVIEWED", "r2", 2, "COMMENTED"),
    ]


def test_of_two_rows_of_an_edge_the_later_wins_and_nothing_is_missed(loader, shared_store):
    load(loader, NODES, [EdgeRow("person:ada", "REVIEWED", "pr:o/n#1", {"at": i, "state": s}, id="r1") for i, s in enumerate("abc")])
    assert shared_store.read("brain:bulk", "MATCH ()-[e]->() RETURN e.at AS at, e.state AS s").rows == ({"at": 2, "s": "c"},)
    assert not loader.missing and loader.counts["REVIEWED"] == 1


def chunk(i: int, text: str = "") -> dict:
    return {
        "key": f"chunk:pr:o/n#1/{i}",
        "name": "t",
        "source": "x",
        "text": text or f"text {i}",
        "src": "pr:o/n#1",
        "n": i,
        "access": "open",
    }


def test_a_chunk_is_made_once_and_what_comes_later_does_not_touch_it(loader, shared_store):
    one = np.array([1, 0], dtype="float32")
    loader.chunks([chunk(0, "first"), chunk(1)], [one, None])
    loader.chunks([chunk(0, "second"), chunk(1, "other")], [np.array([0, 1], dtype="float32"), one])
    loader.chunks([chunk(2, "a"), chunk(2, "b"), chunk(2, "c")], [None, one, None])
    got = shared_store.read("brain:bulk", "MATCH (c:Chunk) RETURN c.text AS t, c.emb AS e ORDER BY c.key").rows
    assert [(r["t"], r["e"]) for r in got] == [("first", [1.0, 0.0]), ("text 1", None), ("a", None)]


def test_no_vector_is_lost_to_writes_on_indexed_chunks(loader, shared_store):
    """Asked for fifty, the index gives fifty, after everything a loader does to its graph."""
    rng = np.random.default_rng(7)
    vectors = rng.normal(size=(200, 8)).astype("float32")
    shared_store.write("brain:bulk", "CREATE VECTOR INDEX FOR (c:Chunk) ON (c.emb) OPTIONS {dimension:8, similarityFunction:'cosine'}")
    shared_store.wait_for_indexes("brain:bulk")
    rows = [chunk(i) for i in range(200)]
    ask = "CALL db.idx.vector.queryNodes('Chunk', 'emb', 50, vecf32($v)) YIELD node RETURN count(node) AS n"
    for _ in range(3):
        loader.chunks(rows, list(vectors))
        load(loader, NODES, [*EDGES, *(EdgeRow(r["key"], "PART_OF", "pr:o/n#1") for r in rows)])
        assert shared_store.read("brain:bulk", ask, {"v": vectors[3].tolist()}).rows == ({"n": 50},)
    shared_store.write("brain:bulk", "MATCH (c:Chunk) SET c.title = 'x'")
    rotten = shared_store.read("brain:bulk", ask, {"v": vectors[3].tolist()}).rows[0]["n"]
    assert rotten <= 50, "a server may have mended it; ours must not need it"


SETS_ON_CHUNK = re.compile(r":Chunk\b(?:(?!\bON\s+CREATE\s+SET\b)[^;\"])*?(?<!ON CREATE )\b(?:SET|REMOVE)\b", re.S)


@pytest.mark.parametrize(
    ("text", "bad"),
    [("MATCH (c:Chunk) SET c.gone = 1", True), ("MERGE (c:Entity:Chunk {key:1}) SET c.x=1", True), ("MATCH (c:Chunk) REMOVE c.x", True),
     ("MERGE (n:Entity:Chunk {key:r[0]}) ON CREATE SET n.x=1", False), ("MATCH (c:Chunk) RETURN c.key", False)],
)  # fmt: skip
def test_the_fence_around_chunks_sees_a_set(text, bad):
    assert bool(SETS_ON_CHUNK.search(text)) == bad


def test_nothing_in_the_program_sets_on_a_chunk():
    """Any write to an indexed node leaves its old vector behind as a dead hit."""
    for path in [*ROOT.glob("brain/**/*.py"), *ROOT.glob("queries/**/*.cypher")]:
        found = SETS_ON_CHUNK.search(path.read_text("utf-8"))
        assert not found, f"{path.name}: {found[0][-80:]!r}" if found else ""


def test_a_chunk_among_the_nodes_is_refused():
    """The upsert of nodes sets; chunks have a way of their own."""
    with pytest.raises(SchemaError, match="chunks are cut from texts"):
        check_node(node("chunk:pr:o/n#1/0"))


def test_batches_shrink_when_the_server_is_slow_and_stay_within_their_limits():
    pace = Pace(500)
    for _ in range(20):
        pace.took(pace.size, 5000)
    assert pace.size == LIMITS[0]
    for _ in range(20):
        pace.took(pace.size, 0.1)
    assert pace.size == LIMITS[1]
    pace.took(3, 5000)
    assert pace.size == LIMITS[1], "a last small batch tells nothing"


def test_the_loader_lets_others_in_after_a_batch_that_took_long_and_not_after_a_quick_one():
    assert Pace.rest(TARGET_MS) == 0
    assert Pace.rest(TARGET_MS + 5) == pytest.approx(0.005)
    assert Pace.rest(60_000) == pytest.approx(REST_MS / 1000)


def test_no_batch_of_chunks_is_larger_than_its_limit(monkeypatch):
    sizes = []
    loader = Loader(None, "none")
    monkeypatch.setattr(
        loader, "_chunk_batch", lambda picked, have: (sizes.append(len(picked)), loader._pace["Chunk"].took(len(picked), 0.1))
    )
    loader.chunks([{"key": f"chunk:{n}"} for n in range(3 * CHUNKS + 7)], [None] * (3 * CHUNKS + 7))
    assert sizes == [CHUNKS, CHUNKS, CHUNKS, 7]


def test_a_vector_keeps_five_digits():
    assert vector_literal(np.array([0.123456789, -1, 0], dtype="float32")) == "[0.12346,-1,0]"
