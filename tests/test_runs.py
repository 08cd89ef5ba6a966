"""Runs are kept beside the company's graph, come back as they were, and belong to who asked."""

from __future__ import annotations

import dataclasses

import pytest

from brain import permissions, runs
from brain.errors import BadInput
from brain.types import Answer, Claim, Edge, Node, Quote, Step, Usage, Viewer

WS = "runs"
ANN, BEN, ADMIN = Viewer("ann", frozenset({"open"})), Viewer("ben", frozenset({"open", "restricted"})), permissions.local_admin()

GOOD = Claim("Bob wrote it.", ("pr:o/n#1",), (Quote("pr:o/n#1", 3, "“ü”\n🜂"),), "supported", 2, ("issue:o/n#2", "pr:o/n#1"), "")
BAD = Claim("It rained.", ("pr:o/n#9",), (), "unsupported", 0, (), "pr:o/n#9 was not returned by any tool of this run")


def answer(run="r1", viewer="ann", **more) -> Answer:
    step = Step(
        1, "details", "why", {"key": "pr:o/n#1", "none": None}, "MATCH (x) RETURN x", {"key": "pr:o/n#1", "list": [1, "a"]}, ({"n": 1, "x": None, "l": ["a"]},),
        (Node("pr:o/n#1", "PullRequest", "Mend", {"number": 1, "labels": ["a"]}),), (Edge("person:bob", "AUTHORED", "pr:o/n#1", {"at": 5}),), 1.5, 0.5, None,
    )  # fmt: skip
    whole = Answer(
        run, "Who wrote it?", "graph", "builtin", viewer, 1_764_547_200, "answered", "Bob wrote it.\nANSWER: person:bob", ("person:bob",), (GOOD,), (BAD,), (step,),
        step.nodes, step.edges, ("Ask this",), Usage(12.5, None, 0, 0, 0.0),
    )  # fmt: skip
    return dataclasses.replace(whole, **more)


@pytest.fixture
def store(shared_store):
    shared_store.drop(f"brain:{WS}:runs")
    return shared_store


def test_a_run_comes_back_as_it_was(store):
    runs.save(store, WS, answer(), 100)
    assert runs.load(store, WS, "r1", ANN) == answer()


def test_the_text_of_any_answer_survives(store):
    odd = answer(
        question="' \" \\ $id `x` {y} \u2028 🜂 //",
        text="a\tb\nc 'd' \"e\" \\f",
        claims=(dataclasses.replace(GOOD, text="MATCH (n) DELETE n"),),
    )
    runs.save(store, WS, odd, 100)
    assert runs.load(store, WS, "r1", ANN) == odd


def test_an_answer_with_nothing_in_it_is_kept_too(store):
    bare = answer(state="insufficient", items=(), claims=(), dropped=(), steps=(), nodes=(), edges=())
    runs.save(store, WS, bare, 100)
    assert runs.load(store, WS, "r1", ANN) == bare


def test_a_run_saved_twice_is_one_run_with_the_later_words(store):
    for text in ("first", "second"):
        runs.save(store, WS, answer(text=text), 100)
    assert runs.load(store, WS, "r1", ANN).text == "second"
    rows = store.read(
        f"brain:{WS}:runs", "MATCH (r:Run) OPTIONAL MATCH (r)-[c:CLAIMS]->(k) RETURN count(DISTINCT r) AS runs, count(c) AS claims"
    ).rows
    assert dict(rows[0]) == {"runs": 1, "claims": 2}


def test_claims_and_their_verdicts_are_in_the_graph_the_dropped_ones_too(store):
    runs.save(store, WS, answer(), 100)
    rows = store.read(
        f"brain:{WS}:runs",
        "MATCH (r:Run {id:'r1'})-[c:CLAIMS]->(k:Claim) RETURN k.n AS n, k.text AS text, k.verdict AS v, k.cites AS cites, k.reason AS why ORDER BY n",
    ).rows
    assert [tuple(r.values()) for r in rows] == [
        (0, GOOD.text, "supported", ["pr:o/n#1"], ""),
        (1, BAD.text, "unsupported", ["pr:o/n#9"], BAD.reason),
    ]


def test_two_runs_do_not_share_claims(store):
    runs.save(store, WS, answer("r1"), 100)
    runs.save(store, WS, answer("r2", claims=(), dropped=(GOOD,)), 101)
    rows = store.read(f"brain:{WS}:runs", "MATCH (r:Run)-[c:CLAIMS]->(k) RETURN r.id AS id, count(k) AS n ORDER BY id").rows
    assert [tuple(r.values()) for r in rows] == [("r1", 2), ("r2", 1)]


def test_only_who_asked_and_administrators_read_a_run(store):
    runs.save(store, WS, answer(), 100)
    assert runs.load(store, WS, "r1", ADMIN).text
    for other in (BEN, permissions.guest(), permissions.nobody(), Viewer("")):
        with pytest.raises(BadInput, match="there is no run 'r1' of yours"):
            runs.load(store, WS, "r1", other)
        assert runs.recent(store, WS, other) == []


@pytest.mark.parametrize("run", ["nope", "", "r1'", "r1' OR 1=1 //", "r" * 5000])
def test_a_run_that_is_not_there_is_one_line(store, run):
    runs.save(store, WS, answer(), 100)
    with pytest.raises(BadInput) as err:
        runs.load(store, WS, run, ADMIN)
    assert "\n" not in str(err.value)


def test_a_workspace_where_nobody_asked_has_no_runs(store):
    assert runs.recent(store, "never_asked", ADMIN) == []
    with pytest.raises(BadInput, match="there is no run"):
        runs.load(store, "never_asked", "r1", ADMIN)


def test_the_latest_runs_come_first_and_no_more_than_asked(store):
    for i in range(5):
        runs.save(store, WS, answer(f"r{i}", "ann" if i % 2 else "ben"), 100 + i)
    assert [r["run"] for r in runs.recent(store, WS, ADMIN)] == ["r4", "r3", "r2", "r1", "r0"]
    assert [r["run"] for r in runs.recent(store, WS, ADMIN, 2)] == ["r4", "r3"]
    assert [r["run"] for r in runs.recent(store, WS, ANN)] == ["r3", "r1"]
    assert runs.recent(store, WS, ANN, 1)[0] == {"run": "r3", "question": "Who wrote it?", "arm": "graph", "state": "answered", "at": 103}


def test_a_step_keeps_two_hundred_rows_at_most(store):
    many = answer(steps=(dataclasses.replace(answer().steps[0], rows=tuple({"n": i} for i in range(500))),))
    runs.save(store, WS, many, 100)
    assert len(runs.load(store, WS, "r1", ANN).steps[0].rows) == runs.MAX_ROWS == 200


def test_runs_are_no_part_of_the_company_s_graph(demo):
    kept = demo.ask("Who reviewed merefold/gatekeeper#12?", viewer=demo.viewer())
    assert demo.run(kept.run, demo.viewer()).text == kept.text
    assert demo.store.read("brain:demo", "MATCH (r:Run) RETURN count(r) AS n").rows == ({"n": 0},)
    assert kept.run in [r["run"] for r in demo.recent_runs(demo.viewer())]


def test_a_load_does_not_touch_the_runs(store, home, tmp_path):
    from tiny_org import archive, brain_of, load, two_of_each

    brain = brain_of(home, WS)
    load(brain, archive(tmp_path / "a.json", **two_of_each()))
    runs.save(store, WS, answer(), 100)
    load(brain, tmp_path / "a.json")
    assert runs.load(store, WS, "r1", ANN) == answer()
    store.drop(f"brain:{WS}")
    brain.close()
