"""What needs what: directions, distances, interfaces, circles, and claims that do not count."""

from __future__ import annotations

import pytest
from small_company import caller
from small_graph import at

from brain.errors import ToolError
from brain.tools.ranking import pagerank


@pytest.fixture(scope="module")
def run(shared_store):
    return caller(shared_store, "dependencies")


def hops(result):
    return {r["key"].partition(":")[2]: r["hops"] for r in result.rows}


def test_what_breaks_with_the_shortest_way_to_it(run):
    result = run("blast_radius", target="event-bus")
    assert hops(result) == {
        "gate-control": 1, "gauge-store": 1, "levels-api": 1, "threshold-watch": 2, "tide-model": 2, "operator-console": 2
    }  # fmt: skip
    row = next(r for r in result.rows if r["key"] == "service:threshold-watch")
    assert row["path"] == ["service:event-bus", "service:gauge-store", "service:threshold-watch"] and row["rels"] == ["DEPENDS_ON"] * 2
    assert (row["tier"], row["owner"], row["direction"]) == (1, "team:gates", "dependents")


def test_fewer_hops_reach_less(run):
    assert set(hops(run("blast_radius", target="event-bus", max_hops=1))) == {"gate-control", "gauge-store", "levels-api"}


def test_what_a_service_needs_itself(run):
    assert hops(run("blast_radius", target="threshold-watch", direction="dependencies")) == {
        "gauge-store": 1, "notify-dispatch": 1, "event-bus": 2, "readings-db": 2
    }  # fmt: skip
    both = run("blast_radius", target="gauge-store", direction="both")
    assert {r["direction"] for r in both.rows} == {"dependents", "dependencies"} and "event-bus" in hops(both)


def test_an_interface_is_no_step_between_its_service_and_who_uses_it(run):
    assert hops(run("blast_radius", target="gauge-store", max_hops=1))["operator-console"] == 1
    assert hops(run("blast_radius", target="operator-console", direction="dependencies"))["gauge-store"] == 1
    assert hops(run("blast_radius", target="api:levels-api")) == {"operator-console": 1}


def test_a_circle_ends(run):
    assert hops(run("blast_radius", target="rota", max_hops=5)) == {"callout-engine": 1}


def test_candidates_rejected_claims_and_ended_ones_do_not_count(run):
    assert not {"map-tiles", "left-alone", "site-gateway"} & set(hops(run("blast_radius", target="event-bus")))
    assert hops(run("blast_radius", as_of=at("2025-05-01"), target="event-bus"))["site-gateway"] == 1


def test_an_alert_starts_from_the_service_it_fired_on(run):
    rows = run("frontier", target="alert:0e06d5f413d88dc9").rows
    assert [(r["hops"], r["keys"]) for r in rows] == [
        (1, ["service:gauge-store", "service:notify-dispatch"]), (2, ["resource:readings-db", "service:event-bus"])
    ]  # fmt: skip
    assert "threshold-watch" in hops(run("blast_radius", target="system:messaging"))


@pytest.mark.parametrize("bad", [0, 6])
def test_a_distance_out_of_bounds_is_refused(run, bad):
    with pytest.raises(ToolError, match="1 to 5"):
        run("blast_radius", target="event-bus", max_hops=bad)


def test_what_cannot_be_depended_on_is_refused(run):
    with pytest.raises(ToolError, match="depends on nothing"):
        run("blast_radius", target="person:leilaf")


def test_what_changed_on_it_and_on_what_it_needs(run):
    rows = run("recent_changes", target="threshold-watch", hops=2).rows
    assert [(r["what"], r["key"].rpartition("/")[2], r["on"], r["hops"]) for r in rows] == [
        ("deploy", "deploy:threshold-watch-20251129-0233", "service:threshold-watch", 0), ("deploy", "deploy:event-bus-20251129-0111", "service:event-bus", 2),
        ("pr", "tidewire#1", "service:event-bus", 2),
    ]  # fmt: skip
    assert {r["on"] for r in run("recent_changes", target="threshold-watch", hops=0).rows} == {"service:threshold-watch"}


def test_a_change_made_by_a_ticket_counts_from_when_it_was_done(run):
    assert [(r["what"], r["key"], r["at"]) for r in run("recent_changes", target="tide-model").rows] == [("ticket", "ticket:OPS-187", at("2025-11-28"))]
    assert not run("recent_changes", target="tide-model", hops=0, until=at("2025-11-28")).rows


def test_of_a_service_in_a_shared_repository_only_changes_to_its_folder_count(run):
    rows = run("recent_changes", target="map-tiles", hops=0, since=0).rows
    assert {r["key"].rpartition("#")[2] for r in rows} == {"1", "2", "3", "4", "10"}


def test_changes_after_the_instant_are_not_told(run):
    assert not [r for r in run("recent_changes", as_of=at("2025-11-29"), target="event-bus", since=0).rows if r["at"] > at("2025-11-29")]


def test_most_rests_on_what_most_lead_to(run):
    ranked = run("rank", by="dependencies").rows
    assert [r["place"] for r in ranked] == list(range(1, len(ranked) + 1)) and abs(sum(r["score"] for r in ranked) - 1) < 1e-6
    assert {r["key"]: r["n"] for r in ranked}["service:event-bus"] == 2 and "service:left-alone" not in {r["key"] for r in ranked}
    earlier = {r["key"]: r["n"] for r in run("rank", as_of=at("2025-05-01"), by="dependencies").rows}
    assert earlier["service:event-bus"] == 3


def test_ranks_are_those_of_the_server_where_every_claim_counts(shared_store):
    graph = "brain:pagerank"
    shared_store.drop(graph)
    links = [("a", "b"), ("b", "c"), ("d", "c"), ("c", "a"), ("e", "c"), ("e", "b")]
    made = ", ".join(f"({n}:Service {{key: '{n}'}})" for n in "abcdef") + ", " + ", ".join(f"({s})-[:DEPENDS_ON]->({t})" for s, t in links)
    shared_store.write(graph, f"CREATE {made}")
    theirs = shared_store.read(graph, "CALL algo.pageRank('Service', 'DEPENDS_ON') YIELD node, score RETURN node.key AS key, score").rows
    ours = pagerank(set("abcdef"), links)
    assert {r["key"]: round(r["score"], 2) for r in theirs} == {key: round(score, 2) for key, score in ours.items()}
