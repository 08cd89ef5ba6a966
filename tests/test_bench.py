"""The benchmark on the demo: every tool is called, both loaders load the same, and a bound that is broken is seen."""

from dataclasses import replace

import pytest

from brain import bench, bench_load, permissions
from brain.audit.cost import Call, Cost
from brain.bench_loop import LoopTime, Took
from brain.errors import BadInput
from brain.types import NodeRow


@pytest.fixture(scope="module")
def measured(demo):
    return bench.bench(demo, ["How many pull requests were merged in gatekeeper?"], repeats=1)


def test_every_tool_is_called_and_most_find_something(demo, measured):
    assert {t.tool for t in measured.tools} == set(demo.tools) - {"cypher_readonly"}  # whose query the asker writes
    assert all(t.queries > 0 and t.wall_p50 >= t.server_p50 > 0 for t in measured.tools)
    assert sum(t.rows > 0 for t in measured.tools) > len(measured.tools) / 2


def test_each_arm_is_asked_every_question(demo, measured):
    assert [a.arm for a in measured.asks] == ["graph", "vector", "hybrid"]
    asked = len(demo.suggestions(permissions.local_admin())) + 1
    assert all(a.questions == asked and a.p95 >= a.p50 > 0 for a in measured.asks)


def test_the_tool_loop_is_measured_on_several_questions_in_both_arms(measured):
    assert {t.arm for t in measured.loop.took} == {"graph", "vector"} and len(measured.loop.took) > 8
    assert any("tool loop" in b.what for b in measured.bounds)


def test_both_loaders_are_given_the_same_rows(measured):
    pytest.importorskip("falkordb_bulk_loader")
    assert measured.rate.reason == "" and measured.rate.rows > 1000
    assert measured.rate.ours > 0 and measured.rate.bulk > 0


def test_a_load_is_measured_beside_its_reader_and_leaves_nothing_behind(demo, measured):
    assert measured.peak.megabytes > 20 and measured.wait.reads > 10 and measured.wait.max_ms >= measured.wait.p99_ms > 0
    assert not any("bench" in name for name in demo.store.workspaces())
    assert not list(demo.settings.workspaces.glob("*-bench"))


def test_a_broken_bound_is_seen(measured):
    tool = replace(measured.tools[0], server_p50=1.0, wall_p50=3.0)
    assert tool.bound == 3.0 and tool.holds and not replace(tool, wall_p50=3.01).holds
    quick = replace(measured, tools=(tool,), asks=(replace(measured.asks[0], p50=99.0),), wait=replace(measured.wait, max_ms=200.0),
                    rule=Cost(10, 1, (Call("details", {}, 3.0, 2.0),)), loop=LoopTime((Took("graph", "?", 60.0, 10.0, 5.1, 3, 20.0),)))  # fmt: skip
    assert [b.holds for b in bench.bounds(quick)] == [True, True, True, True, True, None, None]
    slow = replace(
        quick,
        tools=(tool, replace(tool, wall_p50=3.01)),
        asks=(replace(measured.asks[0], p50=100.0),),
        wait=replace(quick.wait, max_ms=200.1),
        rule=Cost(10, 1, (Call("details", {}, 3.01, 2.0),)),
        loop=LoopTime((Took("graph", "?", 60.0, 10.0, 5.0, 3, 20.0),)),
    )
    assert [b.holds for b in bench.bounds(slow)] == [False, False, False, False, False, None, None]


def test_without_the_bulk_loader_it_says_so(demo, monkeypatch):
    monkeypatch.setattr(bench_load.importlib.util, "find_spec", lambda name: None)
    found = bench_load.rate(demo)
    assert found.bulk is None and "not installed" in found.reason and found.ours > 0


def test_a_row_is_written_as_the_bulk_loader_reads_it(tmp_path):
    row = NodeRow("concept:a", 'say "hi", twice', "s", {"terms": ["a", "b\x00c"], "uses": 3, "kind": None})
    args = bench_load._node_files(tmp_path, [row])
    assert args[:2] == ["--nodes-with-label", "Entity:Concept"]
    lines = (tmp_path / "Concept.csv").read_text().splitlines()
    assert lines == ["key:ID,name:STRING,source:STRING,terms:ARRAY,uses:LONG", 'concept:a,"say ""hi"", twice",s,"[\'a\', \'bc\']",3']


def test_a_workspace_with_nothing_in_it_cannot_be_measured(demo):
    with pytest.raises(BadInput, match="nothing is loaded"):
        bench.bench(replace(demo, workspace="nothing"))
