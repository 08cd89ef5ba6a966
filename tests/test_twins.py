"""Everything open has a hidden twin joined to all that it is joined to, and a guest is told the same as without them."""

from __future__ import annotations

import time

import pytest
from small_company import build
from small_graph import G, asking

from brain import catalogue, permissions, tools
from brain.audit.differential import differential
from brain.audit.twins import edges_of, nodes_of, twin, twinned
from brain.audit.viewpoints import Viewpoint
from brain.store import graph_name

OTHER = ("key", "access", "at", "created_at", "merged_at", "closed_at", "emb")


@pytest.fixture(scope="module")
def store(shared_store):
    build(shared_store, "twins-of", "aud")
    twinned(shared_store, graph_name("twins-of"), graph_name("twins"))
    return shared_store


def test_everything_open_has_a_hidden_twin_of_each_kind_and_nothing_else_has_changed(store):
    before, after = ({str(r["props"].get("key") or r["props"]["id"]): r["props"] for r in nodes_of(store, graph_name(w))} for w in ("twins-of", "twins"))
    assert all(after[key] == props for key, props in before.items())
    for key, props in before.items():
        if props.get("access") == "open" and "key" in props:
            for access in ("restricted", "internal"):
                seen = after[twin(key, access)]
                assert {n: v for n, v in seen.items() if n not in OTHER} == {n: v for n, v in props.items() if n not in OTHER}
                assert seen["access"] == access and abs(int(seen.get("at") or 0) - int(props.get("at") or 0)) <= 1


def test_a_twin_stands_where_the_thing_stands(store):
    edges = {(e["src"], e["rel"], e["dst"]) for e in edges_of(store, graph_name("twins"))}
    pr, file = f"pr:{G}#1", f"file:{G}/internal/modbus/client.go"
    assert {(pr, "TOUCHED", file), (twin(pr), "TOUCHED", file), (pr, "TOUCHED", twin(file))} <= edges
    assert ("team:boards", "OWNS", twin("service:map-tiles")) in edges


def test_what_names_a_thing_has_an_open_companion_that_names_the_twin(store):
    rows = {str(r["props"].get("key")): r["props"] for r in nodes_of(store, graph_name("twins"))}
    assert rows[f"chunk:pr:{G}#1/0~src"]["src"] == twin(f"pr:{G}#1") and rows[f"chunk:pr:{G}#1/0~src"]["access"] == "open"


def test_internal_twins_move_derived_relationships_for_those_who_may_read_them_alone(store):
    ctx, known = asking(store, "twins"), tools.tools(catalogue.shipped())["who_knows"]
    member = asking(store, "twins", permissions.member("m"))
    guest, inside = (known.run(c, target="internal/modbus", k=50).rows for c in (ctx, member))
    assert len(inside) > len(guest) > 0 and not any("~internal" in str(r) or "~restricted" in str(r) for r in guest)


def test_nothing_a_guest_is_told_changes_when_the_twins_go(store):
    admin = asking(store, "twins", permissions.local_admin())
    seen_by = [Viewpoint(permissions.guest()), Viewpoint(permissions.member("s", frozenset({"team:secret"})))]
    found = differential(admin, seen_by, ["Who owns map-tiles?"], tools=tools.tools(catalogue.shipped()), now=int(time.time()), every=29)
    assert found["differences"] == [] and found["compared"] > 150
