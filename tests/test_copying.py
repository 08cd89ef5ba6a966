"""A copy holds what the graph holds, in its order; a pruned one exactly what the viewer may see."""

from __future__ import annotations

import pytest
from small_company import build
from small_graph import CANARY, VECTOR, asking

from brain import permissions
from brain.audit.copying import copy, may_see
from brain.errors import BadInput
from brain.store import graph_name

NODES = "MATCH (n) RETURN labels(n) AS labels, properties(n) AS props ORDER BY id(n)"
EDGES = "MATCH (a)-[r]->(b) RETURN a.key AS src, type(r) AS rel, b.key AS dst, properties(r) AS props"
INDEXES = "CALL db.indexes() YIELD label, properties, types, options RETURN label, properties, types, options ORDER BY label"


@pytest.fixture(scope="module")
def store(shared_store):
    build(shared_store, "copying", "aud")
    return shared_store


@pytest.fixture
def copied(store):
    """Makes copies that go again."""
    names = []

    def make(name, **how):
        names.append(graph_name(f"copying-{name}"))
        return copy(store, graph_name("copying"), store, names[-1], **how)

    yield make
    for name in names:
        store.drop(name)


def rows(store, workspace, query):
    found = [dict(r) for r in store.read(graph_name(workspace), query).rows]
    return [{k: sorted(v) if k in ("properties", "labels") else v for k, v in r.items()} for r in found]


def test_a_copy_is_the_same_node_by_node_and_edge_by_edge_in_the_same_order(store, copied):
    got = copied("whole")
    assert (got.nodes_removed, got.edges_removed) == (0, 0)
    for query in (NODES, EDGES):
        before, after = rows(store, "copying", query), rows(store, "copying-whole", query)
        assert len(after) > 100 and after == before
    assert got.nodes == len(rows(store, "copying", NODES)) and got.edges == len(rows(store, "copying", EDGES))


def test_a_copy_s_indexes_serve_what_the_graph_s_do(store, copied):
    copied("served")
    assert [r["properties"] for r in rows(store, "copying-served", INDEXES)] == [r["properties"] for r in rows(store, "copying", INDEXES)]
    for name, args in (("vector_search", {"vector": VECTOR}), ("search_text", {"terms": ["gate", "key"]})):
        before, after = (asking(store, w).run(name, **args).rows for w in ("copying", "copying-served"))
        assert len(after) > 3 and after == before


def test_parallel_relationships_all_come_over_in_their_order(store, copied):
    copied("parallel")
    query = "MATCH (a:Person)-[r:REVIEWED]->(b) WITH a, b, collect(r.id) AS ids WHERE size(ids) > 1 RETURN a.key AS a, b.key AS b, ids"
    assert rows(store, "copying-parallel", query) == rows(store, "copying", query) != []


def test_a_copy_without_vectors_has_the_passages_and_no_index_of_vectors(store, copied):
    copied("plain", vectors=False)
    count = "MATCH (c:Chunk) RETURN count(c) AS n, count(c.emb) AS vectors"
    n = rows(store, "copying", count)[0]["n"]
    assert rows(store, "copying-plain", count) == [{"n": n, "vectors": 0}]
    assert asking(store, "copying-plain").run("search_text", terms=["gate"]).rows


def test_a_pruned_copy_holds_nothing_hidden_and_everything_else(store, copied):
    got = copied("guest", keep=may_see(permissions.guest()))
    seen, whole = rows(store, "copying-guest", NODES), rows(store, "copying", NODES)
    assert CANARY not in str(seen) and CANARY not in str(rows(store, "copying-guest", EDGES))
    assert seen == [r for r in whole if r["props"].get("access") == "open"]
    assert got.nodes_removed == len(whole) - len(seen) > 10 and got.edges_removed > 50


def test_a_pruned_copy_keeps_what_a_group_opens_and_no_derived_relationship(store, copied):
    copied("secret", keep=may_see(permissions.member("m", frozenset({"team:secret"}))))
    assert CANARY in str(rows(store, "copying-secret", NODES))
    edges = rows(store, "copying-secret", EDGES)
    stated = [r for r in rows(store, "copying", EDGES) if "derived_by" not in r["props"]]
    hidden = [r for r in stated if r["props"].get("access") == "restricted" and "team:secret" not in r["props"].get("aud", ())]
    assert [r for r in edges if "derived_by" in r["props"]] == []
    assert len(stated) - len(hidden) >= len(edges) > 100


@pytest.mark.parametrize(
    ("props", "seen"),
    [({"access": "open"}, True), ({"access": "internal"}, True), ({"access": "restricted"}, False), ({}, False), ({"access": ""}, False),
     ({"access": "restricted", "aud": ["team:a"]}, True), ({"access": "restricted", "aud": ["team:b"]}, False), ({"aud": ["team:b", "team:a"]}, True)],
)  # fmt: skip
def test_only_a_label_in_the_clearance_or_a_group_among_the_readers_admits(props, seen):
    assert may_see(permissions.member("m", frozenset({"team:a"})))(props) is seen


def test_nobody_may_see_anything():
    assert not any(may_see(permissions.nobody())({"access": label}) for label in ("open", "internal", "restricted", None))


def test_a_copy_never_writes_into_a_graph_that_is_there(store):
    with pytest.raises(BadInput, match="there is a graph"):
        copy(store, graph_name("copying"), store, graph_name("copying"))
