"""What the access rule costs: the right things are restricted, both ways run in turns, and a bound that is broken is seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import small_company
from small_graph import CANARY, NOW, asking

import brain
from brain import catalogue, permissions
from brain.audit import copying, cost
from brain.audit.unfiltered import RULES, Unfiltered, unfiltered
from brain.errors import BadInput
from brain.store import graph_name
from brain.tools import tools
from brain.types import Viewer


@pytest.fixture(scope="module")
def small(shared_store):
    small_company.build(shared_store, "cost", "restricted")
    return shared_store


@pytest.fixture(scope="module")
def measured(demo):
    return cost.measure(demo, repeats=1)


def test_every_rule_has_one_without_access_and_no_query_keeps_the_viewer_in_it():
    assert set(RULES) == set(permissions._EXPANSIONS)
    for query in catalogue.shipped().queries.values():
        left = unfiltered(query.text)
        assert permissions.macro_calls(left) == [], query.name
        if query.kind in ("query", "fragment"):
            assert "$viewer_" not in left, query.name


def test_without_the_rule_the_administrator_is_told_the_same_where_everything_has_a_label(small):
    for name in ("details", "expand"):
        key = "service:event-bus"
        admin = asking(small, "cost", permissions.local_admin())
        open_ = Unfiltered(small, "cost", permissions.nobody(), NOW)
        assert admin.run(name, key=key).rows == open_.run(name, key=key).rows != ()
    assert not asking(small, "cost", permissions.nobody()).run("details", key=key).rows


def test_without_the_rule_what_is_hidden_comes_out_of_files_and_of_fragments_put_together(small):
    ctx = Unfiltered(small, "cost", permissions.guest(), NOW)
    known = tools(catalogue.shipped())
    for call in (lambda c: known["details"].run(c, key="service:event-bus"), lambda c: known["measure"].run(c, kind="prs", by="label")):
        assert CANARY in str(call(ctx).rows) and CANARY not in str(call(asking(small, "cost")).rows)
    assert ctx.at(NOW - 5).as_of == NOW - 5 and isinstance(ctx.at(NOW - 5), Unfiltered)


def test_only_the_measurements_use_it():
    package = Path(brain.__file__).parent
    users = {p.relative_to(package).as_posix() for p in package.rglob("*.py") if "audit.unfiltered" in p.read_text("utf-8")}
    assert {"audit/cost.py", "audit/pivot.py"} <= users and all(user.startswith("audit/") for user in users)


def test_about_a_tenth_of_the_sources_is_restricted_over_fifty_groups_always_the_same_ones():
    readers = [cost.reader(f"pr:some/where#{n}") for n in range(20_000)]
    chosen = [r for r in readers if r]
    assert 0.09 < len(chosen) / len(readers) < 0.11 and len(set(chosen)) == cost.GROUPS
    assert readers == [cost.reader(f"pr:some/where#{n}") for n in range(20_000)]


def test_passages_evidence_and_claims_follow_their_source(small):
    graph, name = graph_name("cost"), graph_name("cost-restricted")
    small.drop(name)
    source = "doc:docs/registry/services.md"
    copying.copy(small, graph, small, name, change=cost.closing({source: "team:readers-00"}.get))
    guest, reader = permissions.guest(), Viewer("r", frozenset({"open"}), frozenset({"team:readers-00"}))
    for what in ("MATCH (x:Entity) WHERE x.key = $k", "MATCH (x:Chunk) WHERE x.src = $k", "MATCH (x:Evidence) WHERE x.source = $k", "MATCH ()-[x]->() WHERE x.access_key = $k"):
        count = f"{what} RETURN count(x) AS n, sum(CASE WHEN x.access = 'restricted' AND 'team:readers-00' IN x.aud THEN 1 ELSE 0 END) AS shut"
        row = small.read(name, count, {"k": source}).rows[0]
        assert row["n"] == row["shut"] > 0 or "Chunk" in what, what
    told = [asking(small, "cost-restricted", v).run("details", key=source).rows for v in (guest, reader)]
    assert not told[0] and told[1]
    searched = asking(small, "cost-restricted", guest).run("search_text", terms=["modbus"])
    assert [r["chunk"] for r in searched.rows] == [r["chunk"] for r in asking(small, "cost", guest).run("search_text", terms=["modbus"]).rows]
    small.drop(name)


def test_every_tool_is_measured_on_a_copy_that_is_dropped(demo, measured):
    before = demo.store.version(graph_name("demo"))
    assert set(demo.tools) - {c.tool for c in measured.calls} <= {"cypher_readonly"}  # which refuses who may not read everything
    assert all(c.filtered > 0 and c.unfiltered > 0 for c in measured.calls)
    assert 0.05 < measured.restricted / measured.sources < 0.15
    assert not [g for g in demo.store.graphs("brain:demo") if "cost" in g] and demo.store.version(graph_name("demo")) == before


def test_a_bound_that_is_broken_is_seen_and_nothing_measured_holds_nothing(measured):
    call = cost.Call("details", {"key": "x"}, 3.0, 2.0)
    assert cost.Cost(10, 1, (call,)).holds and not cost.Cost(10, 1, (replace(call, filtered=3.1),)).holds
    assert cost.Cost(10, 1, (call, replace(call, filtered=90.0), replace(call, filtered=1.0))).holds
    assert not cost.Cost(0, 0, ()).holds
    told = measured.plain()
    assert set(told) == {"sources", "restricted", "groups", "median_ratio", "worst", "calls", "holds"} and told["calls"] == len(measured.calls)
    assert len(told["worst"]) == min(cost.WORST, told["calls"]) and told["worst"][0]["ratio"] >= told["worst"][-1]["ratio"]


def test_nothing_loaded_is_said(home):
    other = brain.brain.Brain.open(home, "cost-nothing")
    with pytest.raises(BadInput, match="nothing is loaded"):
        cost.measure(other)
    other.close()
