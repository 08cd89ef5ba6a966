"""Taking away what a viewer may not see changes nothing they are told, and the check notices when it does."""

from __future__ import annotations

import time

import pytest
from small_company import build
from small_graph import CANARY, NOW, asking

from brain import catalogue, derive, permissions, tools
from brain.audit.differential import PART, differential, pruned
from brain.audit.told import first_difference, told
from brain.audit.viewpoints import Viewpoint, viewpoints
from brain.errors import BadInput
from brain.store import graph_name
from brain.types import Result

TOOLS = tools.tools(catalogue.shipped())
GUEST, MEMBER = permissions.guest(), permissions.member("m", frozenset({"team:other"}))
SECRET = permissions.member("s", frozenset({"team:secret"}))
ASKED = ["Who owns map-tiles?", "What breaks if event-bus goes down?", "Who knows internal/modbus?", "What does the xyzzy rule say?"]


@pytest.fixture(scope="module")
def store(shared_store):
    build(shared_store, "differs", "aud")
    return shared_store


def compared(store, workspace, *seen_by, questions=(), **how):
    admin = asking(store, workspace, permissions.local_admin())
    return differential(admin, [Viewpoint(v) for v in seen_by], questions, tools=TOOLS, now=int(time.time()), **how)


def test_nothing_anybody_is_told_changes_when_what_is_hidden_goes(store):
    found = compared(store, "differs", GUEST, MEMBER, SECRET, questions=ASKED, every=11)
    assert found["differences"] == [] and found["n_differences"] == 0
    assert found["compared"] > 300 and min(found["queries"], found["calls"], found["questions"], found["investigations"]) > 0
    removed = {v["id"]: v["nodes_removed"] for v in found["viewers"]}
    assert removed["guest"] == removed["m"] > removed["s"] > 0
    assert 0 < found["slowdown"] < 20


def test_it_is_noticed_when_the_rule_lets_something_through(store, monkeypatch):
    monkeypatch.setattr(permissions, "_EXPANSIONS", {**permissions._EXPANSIONS, "visible": lambda x: "true", "current": lambda r: "true"})
    monkeypatch.setattr(catalogue, "shipped", catalogue.load)
    weak = catalogue.load()
    admin = asking(store, "differs", permissions.local_admin())
    ctx = type(admin)(store, "differs", admin.viewer, NOW, None, weak)
    found = differential(ctx, [Viewpoint(GUEST)], (), tools=tools.tools(weak), now=int(time.time()), every=11)
    assert found["n_differences"] > 50 and {d["kind"] for d in found["differences"]} >= {"query", "tool"}
    assert any(CANARY in d["detail"] for d in found["differences"])


def test_it_is_noticed_when_a_derived_relationship_was_moved_by_something_hidden(shared_store, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(derive, "LABELS", {"open": ("open", "restricted"), "internal": ("open", "internal", "restricted")})
        build(shared_store, "differs-moved", "restricted")
    assert compared(shared_store, "differs-moved", GUEST, every=5)["n_differences"] > 0


def test_the_copy_goes_in_the_end_and_so_does_one_that_was_left_behind(store):
    admin, now = asking(store, "differs", permissions.local_admin()), int(time.time())
    left = graph_name("differs", f"{PART}{now - 90_000}-dead")
    store.write(left, "CREATE (:Entity)")
    with pruned(admin, Viewpoint(GUEST), now) as (there, copied, hidden):
        assert store.exists(graph_name(there.workspace)) and not store.exists(left)
        assert copied.nodes_removed == len(hidden) and any(CANARY in str(p) for p in hidden)
    assert store.graphs(graph_name("differs", PART)) == []


def test_a_viewpoint_is_of_everybody_who_sees_the_same(store):
    found = viewpoints(asking(store, "differs", permissions.local_admin()))
    assert [v.viewer.id for v in found[:2]] == ["guest", "member"]
    assert {v.viewer.groups for v in found[2:]} == {frozenset({"team:secret"})}
    people = {v.viewer.id: v.people for v in found}
    assert people["guest"] >= 1 and people["member"] > 5  # who has left is a guest
    assert [v.viewer.groups for v in viewpoints(asking(store, "differs", permissions.local_admin()), ["mcoelho", "guest"])] == [frozenset()] * 2


def test_the_administrator_is_no_viewpoint(store):
    with pytest.raises(BadInput, match="may see all"):
        viewpoints(asking(store, "differs", permissions.local_admin()), ["local"])


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [({"rows": [{"n": 1}]}, {"rows": [{"n": 2}]}, "rows[0].n: 1"), ([1, 2], [1], "2 with what is hidden, 1 without"), ("a", "a", ""),
     ({"a": None}, {}, ""), ([1], [True], "[0]: 1"), ({"x": 1.0000001}, {"x": 1.0000001}, "")],
)  # fmt: skip
def test_the_first_difference_is_named_with_its_place(a, b, says):
    assert (says in first_difference(a, b)) if says else first_difference(a, b) == ""


def test_what_a_query_took_is_not_told_and_its_rows_are():
    assert told(Result(({"n": 0.123456789},), ms=3.0, server_ms=2.0)) == {"rows": [{"n": 0.123457}], "nodes": [], "edges": []}
