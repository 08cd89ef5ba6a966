"""What the tool loop costs is what is left when the model and the database are taken off, and nothing else."""

from __future__ import annotations

import time

import pytest
import small_company
from small_graph import NOW
from tiny_org import brain_of

from brain import bench_loop, permissions
from brain.bench_loop import LoopTime, Took

WS = "bench-loop"
QUESTION = "Who owns event-bus?"


@pytest.fixture(scope="module")
def brain(home, shared_store):
    small_company.build(shared_store, WS)
    shared_store.set_meta(WS, {"stands_at": str(NOW)})
    opened = brain_of(home, WS)
    yield opened
    opened.close()


def measure(brain):
    return bench_loop.measure(brain, [QUESTION], permissions.local_admin())


def took(whole=100.0, model=40.0, database=15.0, turns=3, plain=30.0):
    return Took("graph", QUESTION, whole, model, database, turns, plain)


def test_the_loops_own_time_is_the_rest_and_is_shared_among_its_steps():
    assert took().own == 45.0 and took().step == 15.0 and took(turns=0).step == 45.0
    found = LoopTime((took(), took(whole=97.0), took(whole=1000.0)))
    assert (found.step_p50, found.holds, found.ratio) == (15.0, False, 1.5)
    assert LoopTime((took(), took(whole=97.0), took(whole=97.0))).holds and not LoopTime(()).holds


def test_every_question_goes_through_both_arms_in_three_turns_over_the_wire(brain, monkeypatch):
    bodies, say = [], bench_loop.reply
    monkeypatch.setattr(bench_loop, "reply", lambda body: bodies.append(body) or say(body))
    before = brain.store.graphs("brain::")
    found = measure(brain)
    assert [(t.arm, t.question, t.turns) for t in found.took] == [("graph", QUESTION, 3), ("vector", QUESTION, 3)]
    assert len(bodies) == 12 and all(b["stream"] and b["temperature"] == 0 for b in bodies)
    assert {m["role"] for m in bodies[-1]["messages"]} == {"system", "user", "assistant", "tool"}
    for t in found.took:
        assert t.own > 0 and t.model > 0 and t.database > 0 and t.plain > 0 and t.cpu > 0
    assert brain.store.graphs("brain::") == before and brain.recent_runs(permissions.local_admin()) == []


def test_what_the_model_takes_is_no_part_of_the_loop(brain, monkeypatch):
    say = bench_loop.reply
    monkeypatch.setattr(bench_loop, "reply", lambda body: time.sleep(0.3) or say(body))
    for t in measure(brain).took:
        assert t.model > 900 and t.whole > 900 and t.own < t.whole - 900 and t.own == pytest.approx(t.whole - t.model - t.database)


def test_what_trickles_in_is_waited_for_too(brain, monkeypatch):
    class Slowly(bench_loop._Scripted):
        def end_headers(self):
            super().end_headers()
            self.wfile.flush()
            time.sleep(0.3)

    monkeypatch.setattr(bench_loop, "_Scripted", Slowly)
    for t in measure(brain).took:
        assert t.model > 900 and t.own < t.whole - 900


def test_what_the_database_takes_is_no_part_of_the_loop(brain, monkeypatch):
    plain = bench_loop.Store._between_versions
    reads = []

    def slowed(self, *args):
        reads.append(self)
        time.sleep(0.05)
        return plain(self, *args)

    monkeypatch.setattr(bench_loop.Store, "_between_versions", slowed)
    for t in measure(brain).took:
        assert t.database > 150 and t.own < t.whole - 150
    assert {type(store) for store in reads} == {bench_loop.Timed}  # nothing is read past the clock


def test_the_script_asks_for_tools_that_are_offered_and_answers_with_what_they_gave():
    body = {"messages": [{"role": "user", "content": "It is 2026.\n\nQuestion: Who owns gauges?"}], "tools": [{"function": {"name": "search_passages"}}]}
    (call,) = bench_loop.reply(body)["tool_calls"]
    assert call["function"] == {"name": "search_passages", "arguments": '{"text": "Who owns gauges?"}'}
    body["messages"] += [{"role": "assistant"}, {"role": "tool", "content": '| {"key": "team:platform", "name": "x"}'}, {"role": "assistant"}]
    assert bench_loop.reply(body)["content"] == "STATE: answered\n- It is platform. [team:platform]\nANSWER: team:platform"
    assert bench_loop.reply({"messages": body["messages"][:1]})["content"].startswith("STATE: insufficient")
