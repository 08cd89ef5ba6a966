"""Rankings: the measures by hand, both ways of computing them, and that neither tells of what is hidden."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import pytest
import small_company
from small_graph import NOW, asking, at

from brain import permissions
from brain.errors import ToolError
from brain.store import graph_name
from brain.tools.asking import Asking
from brain.tools.ranking import betweenness, communities, everything, pagerank, rank
from brain.types import Viewer

BY = ("reviewers", "bridges", "clusters", "dependencies")
VIEWERS = {
    "nobody": permissions.nobody(), "guest": permissions.guest(), "member": permissions.member("ekoh"),
    "of a group": permissions.member("ekoh", frozenset({"team:platform"})),
}  # fmt: skip


@dataclass(frozen=True)
class Listed(Asking):
    """Says which queries were run."""

    names: list[str] = field(default_factory=list)

    def query(self, query, args):
        self.names.append(query.name)
        return super().query(query, args)


@pytest.fixture(scope="module")
def places(shared_store):
    for name, canary in (("ranks", None), ("ranks-restricted", "restricted"), ("ranks-unlabelled", "unlabelled")):
        small_company.build(shared_store, name, canary)
    return shared_store


def ranked(store, workspace, viewer, by, as_of=NOW):
    ctx = Listed(store, workspace, viewer, as_of)
    return rank.run(ctx, by=by, k=50).rows, ctx.names


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("who", VIEWERS)
def test_what_is_hidden_moves_no_ranking_and_changes_no_way_of_computing_it(places, by, who):
    told = {name: ranked(places, name, VIEWERS[who], by) for name in ("ranks", "ranks-restricted", "ranks-unlabelled")}
    assert told["ranks"] == told["ranks-restricted"] == told["ranks-unlabelled"]
    rows, names = told["ranks"]
    assert bool(rows) == (who != "nobody") and f"rank_{by}" not in names


@pytest.mark.parametrize("by", ["reviewers", "dependencies"])
def test_the_servers_own_rankings_are_for_those_who_may_read_everything(places, by):
    assert f"rank_{by}" in ranked(places, "ranks", permissions.local_admin(), by)[1]
    for viewer in VIEWERS.values():
        assert not everything(viewer) and not asking(places, "ranks", viewer).run(f"rank_{by}", k=5).rows


def test_both_ways_of_computing_agree(demo):
    for by in ("reviewers", "dependencies"):
        mine = rank.run(demo.asking(permissions.member("somebody")), by=by, k=50).rows
        admin = rank.run(demo.asking(permissions.local_admin()), by=by, k=50).rows
        assert {r["key"]: round(r["score"], 2) for r in mine} == {r["key"]: pytest.approx(round(r["score"], 2), abs=0.011) for r in admin}
        assert {r["key"]: r["n"] for r in mine} == {r["key"]: r["n"] for r in admin}


def test_a_ranking_has_places_shares_and_what_it_rests_on(places):
    rows, _ = ranked(places, "ranks", permissions.guest(), "reviewers")
    assert [r["place"] for r in rows] == list(range(1, len(rows) + 1)) and sum(r["score"] for r in rows) == pytest.approx(1)
    assert rows[0]["n"] >= rows[0]["people"] > 0 and "person:ci[bot]" not in {r["key"] for r in rows}
    rows, _ = ranked(places, "ranks", permissions.guest(), "bridges")
    assert rows[0]["score"] == 1 and all(a["score"] >= b["score"] for a, b in pairwise(rows))
    rows, _ = ranked(places, "ranks", permissions.guest(), "clusters")
    assert all(r["size"] >= len(r["keys"]) > 1 for r in rows)


def test_what_happened_later_is_refused_only_where_the_viewer_may_see_it(places):
    """The sentence must not tell that something hidden happened later."""
    store, graph = places, graph_name("ranks-later")
    store.drop(graph)
    day = at("2025-05-01")
    people = ", ".join(f"({n}:Entity:Person {{key: 'person:{n}', name: '{n}', access: 'open'}})" for n in "abc")
    edges = "(a)-[:REVIEWS_FOR {n: 2, at: 5, basis: 'open', derived_by: 'x', id: 'open'}]->(b)"
    later = f"(a)-[:REVIEWS_FOR {{n: 3, at: {day + 9}, basis: 'internal', derived_by: 'x', id: 'internal'}}]->(b)"
    store.write(graph, f"CREATE {people}, {edges}, {later}")
    assert [(r["key"], r["n"]) for r in ranked(store, "ranks-later", permissions.guest(), "reviewers", day)[0]] == [("person:a", 2)]
    with pytest.raises(ToolError, match="as of now alone"):
        ranked(store, "ranks-later", permissions.member("x"), "reviewers", day)
    assert [r["n"] for r in ranked(store, "ranks-later", permissions.member("x"), "reviewers")[0]] == [3]


def test_a_second_telling_of_a_relationship_does_not_move_the_servers_pagerank(shared_store):
    graph = graph_name("shadows")
    shared_store.drop(graph)
    links = [(i, (i * 7 + j * j + 1) % 20) for i in range(20) for j in range(4)]
    shared_store.write(graph, "CREATE " + ", ".join(f"(:Person {{key: '{i:02d}'}})" for i in range(20)))
    for a, b in sorted({link for link in links if link[0] != link[1]}):
        told = "CREATE (a)-[:ONCE]->(b), (a)-[:TWICE]->(b)" + ", (a)-[:TWICE]->(b)" * (a % 3 == 0)
        shared_store.write(graph, f"MATCH (a:Person {{key: '{a:02d}'}}), (b:Person {{key: '{b:02d}'}}) {told}")
    call = "CALL algo.pageRank('Person', '{}') YIELD node, score RETURN node.key AS key, score ORDER BY key"
    once, twice = (shared_store.read(graph, call.format(rel)).rows for rel in ("ONCE", "TWICE"))
    assert once == twice and len({r["score"] for r in once}) > 1


def test_the_middle_of_a_line_is_what_all_ways_run_through():
    scores = betweenness([("a", "b"), ("b", "c"), ("d", "c"), ("d", "e")])
    assert max(scores, key=scores.__getitem__) == "c" and scores["a"] == scores["e"] == 0
    assert betweenness([]) == {}


def test_a_large_graph_is_sampled_in_the_same_way_whatever_the_order_of_its_links():
    links = [(f"p{i:03d}", f"r{i * i % 17}") for i in range(400)] + [(f"p{i:03d}", f"r{(i + 1) % 17}") for i in range(400)]
    assert betweenness(links) == betweenness(links[::-1]) and len(betweenness(links)) > 256


def test_two_tight_groups_with_one_link_between_them_are_two():
    groups = [[f"{n}{i}" for i in range(4)] for n in "xy"]
    links = [(a, b) for g in groups for a in g for b in g if a < b] + [("x0", "y0")]
    assert sorted(map(sorted, communities(links))) == groups == sorted(map(sorted, communities(links[::-1])))


def test_pagerank_goes_to_where_most_lead():
    scores = pagerank({"alone"}, [("a", "c"), ("b", "c"), ("c", "a")])
    assert max(scores, key=scores.__getitem__) == "c" and sum(scores.values()) == pytest.approx(1)
    assert pagerank(set(), []) == {}


def test_a_viewer_of_every_label_is_the_administrator_alone():
    assert everything(permissions.local_admin()) and not everything(Viewer("x", frozenset({"open", "restricted"})))
