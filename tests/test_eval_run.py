"""The runner over real `Answer` objects, made by a small engine that looks questions up in a table."""

import json
from dataclasses import asdict

import pytest

from brain.errors import BadInput, Cancelled
from brain.types import Answer, Claim, Node, Step
from eval import records
from eval.questions import Question
from eval.run import run

SET = [
    Question("q1", "trace", "Which PR closed issue 1?", ("pr:a/b#2",), "set", ("issue:a/b#1",), None, None, "t"),
    Question("q2", "trace", "How many?", (3,), "number", (), None, 50, "t"),
    Question("q3", "lookup", "Who?", ("person:ann",), "set", ("pr:a/b#9",), None, None, "l"),
]
KNOWN = {
    ("q1", "graph"): ["pr:a/b#2"],
    ("q1", "vector"): ["pr:a/b#3"],
    ("q2", "graph"): ["3"],
    ("q2", "vector"): ["4"],
    ("q3", "vector"): ["person:ann"],
}


def table_engine(question, arm):
    items = KNOWN[(question.id, arm)]
    step = Step(
        1, "trace", "because", {"key": "issue:a/b#1"}, rows=tuple({"n": i} for i in range(30)), nodes=(Node("issue:a/b#1", "Issue", "x"),)
    )
    made = Answer(
        "r",
        question.question,
        arm,
        "builtin",
        "admin",
        question.as_of or 100,
        "answered",
        "See.",
        tuple(items),
        (Claim("It does.", ("issue:a/b#1",), verdict="supported"),),
        steps=(step,),
    )
    out = asdict(made)
    out["evidence"] = {"nodes": [], "edges": []}
    return out


def test_every_question_is_asked_in_every_arm_and_a_failing_arm_is_a_miss(tmp_path):
    seen = []
    done = run(SET, ["graph", "vector"], table_engine, tmp_path / "one", name_of_set="s", progress=lambda n, of, r: seen.append((n, of)))
    assert seen == [(n, 6) for n in range(1, 7)]
    by = done.by_question()
    assert by["q1"]["graph"]["score"]["exact"] and not by["q1"]["vector"]["score"]["exact"]
    assert (
        by["q3"]["graph"]["error"].startswith("KeyError")
        and by["q3"]["graph"]["score"]["value"] == 0
        and by["q3"]["graph"]["answer"] is None
    )
    cell = done.summary["overall"]["graph"]
    assert cell["n"] == 3 and cell["failures"] == 1 and cell["value"] == pytest.approx(2 / 3)
    assert cell["source_recall_unscored"] == 1 and cell["support_unscored"] == 1 and cell["p95_ms"] >= cell["p50_ms"] >= 0
    assert done.summary["categories"]["lookup"]["vector"]["value"] == 1
    assert done.summary["pairs"][0]["overall"]["wins"] == 2 and done.summary["pairs"][0]["overall"]["losses"] == 1


def test_a_record_keeps_first_rows_and_keys_of_nodes_only(tmp_path):
    done = run(SET[:1], ["graph"], table_engine, tmp_path / "r")
    step = done.records[0]["answer"]["steps"][0]
    assert len(step["rows"]) == records.KEPT_ROWS and step["rows_total"] == 30 and step["nodes"] == ["issue:a/b#1"]
    assert done.summary["verdict"].startswith("No comparison")


def test_a_stopped_run_goes_on_where_it_was(tmp_path):
    asked = []

    def engine(question, arm):
        asked.append((question.id, arm))
        return table_engine(question, arm)

    with pytest.raises(Cancelled, match="after 2 of 6"):
        run(SET, ["graph", "vector"], engine, tmp_path / "r", cancel=lambda: len(asked) == 2)
    assert len(records.load(tmp_path / "r").records) == 2
    with (tmp_path / "r" / records.PLAIN).open("a") as out:
        out.write('{"id": "q2", "ar')  # what a crash leaves behind
    done = run(SET, ["graph", "vector"], engine, tmp_path / "r")
    assert len(done.records) == 6 and len(asked) == len(set(asked)) == 6
    assert run(SET, ["graph", "vector"], engine, tmp_path / "r").records == done.records and len(asked) == 6


def test_a_folder_of_another_set_is_refused(tmp_path):
    run(SET[:1], ["graph"], table_engine, tmp_path / "r")
    other = [Question("q9", "trace", "Else?", ("x",), "set")]
    with pytest.raises(BadInput, match="another set"):
        run(other, ["graph"], table_engine, tmp_path / "r")
    assert len(records.load(tmp_path / "r").records) == 1


def test_runs_are_listed_newest_first_and_found_by_name(tmp_path):
    for name, at in (("old", 10), ("new", 20)):
        run(SET[:1], ["graph"], table_engine, tmp_path / name, clock=lambda at=at: at)
    assert records.names(tmp_path) == ["new", "old"] and records.load("old", tmp_path).summary["created"] == 10
    with pytest.raises(BadInput, match="new, old"):
        records.load("none", tmp_path)
    assert records.names(tmp_path / "absent") == []


def test_the_same_answers_give_the_same_packed_bytes(tmp_path):
    run(SET[:1], ["graph"], table_engine, tmp_path / "r")
    packed = tmp_path / "r" / records.PACKED
    before = packed.read_bytes()
    run(SET[:1], ["graph"], table_engine, tmp_path / "r")
    assert packed.read_bytes() == before and json.loads((tmp_path / "r" / records.SUMMARY).read_text())["questions"] == 1
