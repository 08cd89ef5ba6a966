"""Nobody reads more through an investigation, its drafts or its playbooks than they may: without all that is hidden it is the same."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest
from incident_company import ALERT, CAUSE
from incident_company import FIRED as AT
from incident_hidden import HIDDEN, build, rich

from brain import catalogue, permissions, tools
from brain.audit import investigated
from brain.audit.differential import pruned
from brain.audit.told import first_difference
from brain.audit.unfiltered import unfiltered
from brain.audit.viewpoints import Viewpoint
from brain.catalogue import Catalogue
from brain.incident import signal as signals
from brain.incident.findings import ARMS
from brain.incident.run import Surroundings, begun, investigate
from brain.known import LEXICON
from brain.playbooks import Playbooks
from brain.store import graph_name
from brain.text import lexicon
from brain.text.embedding import load_embedder
from brain.tools.asking import Asking

WS = "hidden-from"
CATALOGUE = catalogue.shipped()
TOOLS = tools.tools(CATALOGUE)
BO, CY = permissions.member("bo", frozenset({"team:works"})), permissions.member("cy", frozenset({"team:till"}))
GUEST, ADMIN = permissions.guest(), permissions.local_admin()
SEES = {"guest": (GUEST, frozenset()), "bo": (BO, frozenset({"osier"})), "cy": (CY, frozenset({"osier", "quern"}))}
WEBHOOK = json.dumps({"alerts": [
    {"status": "firing", "labels": {"alertname": "TotalsDiffer", "service": service, "severity": "critical"}, "startsAt": "2026-05-28T20:26:40Z",
     "annotations": {"summary": "Totals differ from the till"}, "fingerprint": fingerprint}
    for service, fingerprint in (("shop", "new"), ("basket", "plain"), *((word, word) for word in HIDDEN))
]})  # fmt: skip


@pytest.fixture(scope="module")
def ctx(shared_store, home):
    embedder = load_embedder(home)
    build(shared_store, WS, rich(), embedder)
    return Asking(shared_store, WS, ADMIN, AT + 2000, embedder)


@pytest.fixture(scope="module", params=SEES)
def sides(ctx, request):
    """One viewer's two sides, the whole company and the same without what is hidden from them, and the words that they may read."""
    viewer, words = SEES[request.param]
    with seen_by(ctx, viewer) as found:
        yield found, words


@pytest.fixture(scope="module")
def guests(ctx):
    """The two sides of a guest."""
    with seen_by(ctx, GUEST) as found:
        yield found


@contextmanager
def seen_by(ctx, viewer):
    with pruned(ctx, Viewpoint(viewer), int(time.time())) as (there, copied, _):
        assert copied.nodes_removed > 50
        yield [Asking(c.store, c.workspace, viewer, c.as_of, c.embedder) for c in (ctx, there)]


def made(ctx, alert, arm, books=None):
    names = lexicon.build(*(ctx.run(f"lexicon_{name}").rows for name in LEXICON))
    return investigated.investigated(ctx, alert, arm, tools=TOOLS, names=lambda: names, books=books)


def named(told):
    return {word for word in HIDDEN if word in json.dumps(told)}


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("alert", [ALERT, "alert:near-plain"])
def test_an_investigation_and_all_that_is_made_of_it_is_the_same_without_what_is_hidden(sides, alert, arm):
    (here, there), words = sides
    whole, less = (made(side, alert, arm) for side in (here, there))
    assert first_difference(whole, less) == ""
    assert named(whole) <= words


def test_what_each_may_read_is_in_theirs(sides):
    (here, _), words = sides
    told = made(here, ALERT, "graph")
    assert named(told) == words
    assert {s["key"] for s in told["record"]["suspects"]} >= {CAUSE, *(f"deploy:{w}-near" for w in words)}


def test_alerts_from_outside_are_those_that_one_may_know_of(sides):
    (here, there), words = sides
    whole, less = (list(investigated.told_from_outside(side, WEBHOOK)) for side in (here, there))
    assert repr(whole) == repr(less)
    assert {s.service.partition(":")[2] for s in whole if s.service} - {"shop", "basket"} == words
    signal = next(s for s in whole if s.service == "service:shop")
    assert first_difference(*(made(side, signal, "graph") for side in (here, there))) == ""


def test_the_lists_to_choose_an_alert_from_are_the_same(sides):
    (here, there), _ = sides
    assert investigated.alerts(here, 20) == investigated.alerts(there, 20) != []


@pytest.mark.parametrize("name", [
    "around", "before", "changes_in", "commits_of", "decided_on", "elsewhere", "links_between", "links_of", "rates_of", "recorded_of", "told_of",
    "word_counts", "search_text", "vector_scan",
])  # fmt: skip
def test_it_is_noticed_when_a_query_lets_something_through(guests, name):
    here, there = guests
    query = CATALOGUE[name]
    weak = Catalogue({**CATALOGUE.queries, name: replace(query, text=unfiltered(query.text))})
    arm = "vector" if query.topic == "search" else "graph"
    whole, less = made(replace(here, catalogue=weak), ALERT, arm), made(there, ALERT, arm)
    assert first_difference(whole, less) != ""


def test_a_playbook_that_rests_on_what_is_hidden_changes_nothing(ctx, sides):
    """Confirmed by one who may see all, of a change that only some may see."""
    (here, there), words = sides
    ctx.store.drop(graph_name(WS, "runs"))
    kept = [confirmed(ctx, f"deploy:{word}-near").id for word in ("quern", "osier")]
    books = Playbooks(here, ctx, time.time)
    whole, less = made(here, ALERT, "graph", books), made(there, ALERT, "graph")
    assert len({b.id for b in books.every()} & {*kept}) <= len(words)
    if not words:
        assert first_difference(whole, less) == ""
    assert named(whole) <= words


def confirmed(ctx, key):
    """The playbook of that suspect, confirmed by one who may see all."""
    inv = investigate(begun(signals.signal(ctx, ALERT), ctx, "graph"), Surroundings(ctx, TOOLS, lexicon.Lexicon))
    return Playbooks(ctx, ctx, time.time).confirm(inv, key)
