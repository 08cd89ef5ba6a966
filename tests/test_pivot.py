"""The measures of what the access rule is worth: by hand, on a company with something hidden in it, and that only numbers come out."""

from __future__ import annotations

import json
import time

import pytest
import small_company
from small_graph import CANARY, NOW, asking

from brain import permissions
from brain.audit import pivot
from brain.audit.pivot import Item, Labels, Measures
from brain.brain import Brain
from brain.errors import BadInput, Cancelled
from brain.types import Edge

QUESTIONS = ("Who owns the event bus?", "modbus gate key", "What is the ticket claim deadline?")


class Vectors:
    """Vectors of the small graph's kind."""

    model_id, dim = "small", 4

    def embed(self, texts):
        return [[1.0, 0.0, 0.0, 0.0] if "odbus" in t else [0.1, 1.0, 0.0, len(t) / 100] for t in texts]


@pytest.fixture(scope="module")
def company(shared_store, home):
    def opened(canary, vectors=True):
        name = f"pivot-{canary or 'none'}"
        if not shared_store.exists(f"brain:{name}"):
            small_company.build(shared_store, name, canary)
        return Brain(**{**Brain.open(home, name).__dict__, "clock": lambda: NOW, "_embedder": [Vectors() if vectors else None]})

    return opened


@pytest.mark.parametrize("canary", ["restricted", "aud", "unlabelled"])
def test_nothing_hidden_is_reached_with_the_rule_and_something_without(company, canary):
    told = pivot.measure(company(canary), QUESTIONS)
    for arm in pivot.ARMS:
        assert (told["arms"][arm]["on"]["rpr"], told["arms"][arm]["on"]["leakage"]) == (0.0, 0.0), arm
        assert told["arms"][arm]["on"]["items"] > 0 and told["arms"][arm]["on"]["pivot_depth"] is None
        assert told["arms"][arm]["off"]["rpr"] > 0 and told["arms"][arm]["off"]["leakage"] > 0, arm
    graph, vector = told["arms"]["graph"]["off"], told["arms"]["vector"]["off"]
    assert graph["amplification"] == pytest.approx(graph["leakage"] / vector["leakage"], abs=0.01)
    assert graph["pivot_depth"] in (1, 2) and vector["pivot_depth"] is None


def test_in_the_demo_the_graph_without_the_rule_reaches_more_than_passages_do(demo):
    told = pivot.measure(demo, QUESTIONS, viewers=[permissions.guest()])["arms"]
    assert all(arm["on"]["rpr"] == arm["on"]["leakage"] == 0 for arm in told.values())
    assert told["graph"]["off"]["rpr"] > told["vector"]["off"]["rpr"] and told["graph"]["off"]["amplification"] > 1
    assert told["graph"]["off"]["pivot_depth"] == 2


def test_without_anything_hidden_there_is_nothing_to_reach(company):
    told = pivot.measure(company(None), QUESTIONS, viewers=[permissions.guest()])
    assert all(m["rpr"] == m["leakage"] == 0 for arm in told["arms"].values() for m in arm.values())
    assert told["arms"]["graph"]["off"]["amplification"] is None and told["viewers"] == 1 and told["seeds"] > len(QUESTIONS)


def test_who_may_read_it_reaches_nothing_hidden_in_what_others_may_not_see(company):
    brain = company("aud")
    reader = permissions.member("reader", frozenset({"team:secret"}))
    inside, outside = (pivot.measure(brain, QUESTIONS, viewers=[v])["arms"]["graph"]["off"] for v in (reader, permissions.member("x")))
    assert inside["leakage"] < outside["leakage"]


def test_without_vectors_words_alone_find_the_seeds(company):
    told = pivot.measure(company("restricted", vectors=False), QUESTIONS, viewers=[permissions.guest()])
    assert told["arms"]["vector"]["on"]["items"] > 0 and told["arms"]["vector"]["off"]["rpr"] > 0


def test_only_numbers_come_out(company):
    told = json.dumps(pivot.measure(company("restricted"), QUESTIONS))
    assert CANARY not in told and "person:" not in told and "doc:" not in told


def test_a_filter_that_lets_through_is_seen(company, monkeypatch):
    rule = lambda x: f"({x}.access IS NOT NULL AND coalesce({x}.at, 0) <= $as_of AND coalesce({x}.gone, 9999999999) > $as_of)"  # noqa: E731
    monkeypatch.setitem(permissions._EXPANSIONS, "visible", rule)
    from brain import catalogue

    weak = Brain(**{**company("restricted").__dict__, "catalogue": catalogue.load()})
    assert pivot.measure(weak, QUESTIONS, viewers=[permissions.guest()])["arms"]["graph"]["on"]["rpr"] > 0


def test_the_measures_by_hand():
    found = Measures([[Item(0, False), Item(2, True), Item(1, True), Item(2, False)], [Item(0, False)], [Item(3, True)], []])
    assert found.plain(0.5) == {"rpr": 0.5, "leakage": 0.75, "amplification": 1.5, "pivot_depth": 1, "items": 6}
    assert found.plain()["amplification"] is None and found.plain(0.0)["amplification"] is None
    assert Measures([]).plain() == {"rpr": 0.0, "leakage": 0.0, "amplification": None, "pivot_depth": None, "items": 0}


def test_labels_decide_and_not_the_rule(company):
    brain = company("restricted")
    labels, guest = Labels.of(asking(brain.store, brain.workspace, permissions.local_admin())), permissions.guest()
    assert labels.hides(guest, f"doc:docs/{CANARY}.md") and labels.hides(guest, "pr:no/such#1") and not labels.hides(guest, "service:event-bus")
    edges = asking(brain.store, brain.workspace, permissions.local_admin()).run("expand", key="service:event-bus", k=200).edges
    hidden = [e for e in edges if labels.hides_link(guest, e)]
    assert Edge("team:secret", "OWNS", "service:event-bus") in [Edge(e.src, e.rel, e.dst) for e in hidden] and len(hidden) < len(edges)
    open_ = asking(brain.store, brain.workspace, guest).run("expand", key="service:event-bus", k=200).edges
    assert open_ and not any(labels.hides_link(guest, e) for e in open_)
    derived = Labels((), [link("internal"), link("both")])
    assert derived.hides_link(guest, Edge("a", "KNOWS", "b", {"basis": "internal"}))
    assert not derived.hides_link(guest, Edge("a", "KNOWS", "b", {"basis": "both"}))
    assert not derived.hides_link(permissions.member("x"), Edge("a", "KNOWS", "b", {"basis": "internal"}))


def link(basis):
    return {"src": "a", "rel": "KNOWS", "dst": "b", "aid": None, "basis": basis, "id": None, "access": None, "aud": None}


def test_it_stops_when_told_and_says_when_nothing_is_loaded(company, home):
    began = time.monotonic()
    with pytest.raises(Cancelled):
        pivot.run(company("restricted"), cancelled=lambda: True)
    assert time.monotonic() - began < 60
    nothing = Brain.open(home, "pivot-nothing")
    with pytest.raises(BadInput, match="nothing is loaded"):
        pivot.run(nothing)
    nothing.close()
