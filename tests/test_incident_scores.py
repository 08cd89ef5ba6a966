"""Replayed alerts as page and command line show them: what is right is marked so, nothing in them is live, and who may not see an answer
sees its score alone.
"""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from brain.cli.app import app
from brain.ui import incident_scores
from eval.incidents import run, sets
from eval.incidents.replay import Replay
from eval.incidents.scoring import Named, Said

ROOT = Path(__file__).parent.parent
EVIL = "<img src=http://evil.test/i.png onerror=alert(1)>"
CAUSE, HERRING = "deploy:bus-1", "deploy:shop-9"
ONE = Replay(
    "X1", "hop 1", "alert:a", "demo", 100, (CAUSE,), (HERRING,), ("service:bus",), ("person:bo",), 1, HERRING, ("person:ada",), "bus"
)  # fmt: skip
QUIET = Replay("X2", "quiet", "alert:b", "demo", 100, (), (), (), ("person:bo",), None, "", ("person:bo",), "bus")


def look(replay, arm):
    open_, secret = {"access": ["open"], "groups": []}, {"access": ["restricted"], "groups": []}
    if arm == "baseline":
        return Said((Named(replay.baseline),) if replay.baseline else (), page=replay.baseline_page), None, open_
    if replay.quiet:
        return Said((), page=("person:bo",), title=f"quiet {EVIL}", steps=4, ms=12.0), None, secret
    named = Named(CAUSE, path=("alert:a", "service:bus", CAUSE), confidence=0.7)
    passed = ((HERRING, f"touches texts only {EVIL}"),)
    return Said((named,), passed, ("person:bo",), "cause", "", f"slow {EVIL}", 9, 40.0, {"person:bo": "Bo"}), lambda way: True, open_


@pytest.fixture(scope="module")
def replayed():
    return run.run([ONE, QUIET], ("graph", "baseline"), look, name_of_set="own")


def by(records, id_, arm):
    return next(r for r in records if (r["id"], r["arm"]) == (id_, arm))


def test_each_arm_gets_a_word_for_each_alert(replayed):
    records = replayed[0]
    said = {(r["id"], r["arm"]): incident_scores.outcome(r) for r in records}
    assert said == {("X1", "graph"): "right", ("X1", "baseline"): "missed", ("X2", "graph"): "right: named nothing", ("X2", "baseline"): "right: named nothing"}


def test_what_was_named_is_marked_as_cause_or_herring_and_nothing_in_it_is_live(replayed):
    records = json.loads(json.dumps(replayed[0]))
    right, wrong = (incident_scores.one(by(records, "X1", arm)) for arm in ("graph", "baseline"))
    assert right.index("bus-1") < right.index("the cause") < right.index("Passed over") < right.index("red herring") and "Wrong" not in right
    assert "Bo" in right and "9 steps, 40 ms" in right and "<img" not in right
    assert "red herring" in wrong and "followed a red herring" in wrong and "the cause</span>" not in wrong


def test_a_failed_arm_says_its_error(replayed):
    broken = {**replayed[0][0], "said": None, "error": f"ValueError: {EVIL}"}
    assert "ValueError" in incident_scores.one(broken) and "<img" not in incident_scores.one(broken)
    assert incident_scores.outcome(broken) == "failed"


def test_measures_show_interval_and_denominator_and_none_where_nothing_is_scored(replayed):
    table = incident_scores.sums(json.loads(json.dumps(replayed[1])))
    assert "<b>1.00</b> <small>(0.21 to 1.00) of 1</small>" in table and "not scored" in table and "Latest deploy rule" in table


def page(folder, viewer_sees):
    def script(folder, sees):
        from pathlib import Path

        import streamlit as st

        from brain.ui import incident_scores
        from eval.incidents import run

        chosen = incident_scores.chosen("demo", run.found(Path(folder)))
        if chosen is None:
            st.write("questions")
        else:
            incident_scores.draw(*run.load(chosen), lambda r: set(r["rights"]["access"]) <= set(sees))

    return AppTest.from_function(script, args=(str(folder), viewer_sees))


@pytest.fixture
def kept(tmp_path, replayed, monkeypatch):
    monkeypatch.setattr(run, "RUNS", tmp_path / "none")
    run.keep(tmp_path / "mine", *replayed)
    return tmp_path


def test_the_page_starts_with_questions_and_turns_to_alerts(kept):
    shown = page(kept, ["open", "restricted"]).run()
    assert shown.markdown[0].value == "questions"
    turned = shown.segmented_control(key="evaluation_of").set_value("alerts").run()
    assert not turned.exception and turned.query_params["replays"] == "mine" and turned.header[0].value == "Measures"


def test_a_link_opens_one_alert_of_a_run(kept):
    shown = page(kept, ["open", "restricted"])
    shown.query_params.update(replays="mine", replay="X2")
    shown.run()
    assert not shown.exception and shown.selectbox(key="evaluation_alert_all").value == "X2"


def test_who_may_not_see_an_answer_sees_its_score_alone(kept):
    shown = page(kept, ["open"])
    shown.query_params.update(replays="mine")
    shown.run()
    assert not shown.exception and any("1 answer were" in c.value or "1 answer was" in c.value for c in shown.caption)
    assert list(shown.dataframe[0].value["id"]) == ["X1", "X2"] and "quiet <" not in str(shown.dataframe[0].value)


def cli(home, *arguments):
    done = CliRunner().invoke(app, ["eval", "incidents", *arguments], env={"BRAIN_HOME": str(home.home)})
    return done


@pytest.fixture(scope="module")
def own_set(tmp_path_factory):
    path = tmp_path_factory.mktemp("sets") / "quiet.jsonl"
    path.write_text("".join(r.line() + "\n" for r in sets.seeded("lanternhouse", 3) if r.id in ("W13", "W14")), encoding="utf-8")
    return path


def test_the_command_loads_what_it_needs_replays_and_keeps_the_run(home, own_set, tmp_path):
    done = cli(home, "--set", str(own_set), "--arms", "graph,baseline", "--no-embed", "--as", "guest", "--out", str(tmp_path / "kept"), "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert [(a["id"], a["arm"]) for a in found["alerts"]] == [("W13", "graph"), ("W13", "baseline"), ("W14", "graph"), ("W14", "baseline")]
    assert found["measures"]["graph"]["accused"]["n"] == 2 and found["measures"]["graph"]["failures"] == 0
    records, _ = run.load(tmp_path / "kept")
    assert {tuple(r["rights"]["access"]) for r in records} == {("open",)}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--arms", "hybrid"], "graph, vector, baseline"), (["--set", "nosuch"], "no such replay set"), (["--only", "V99"], "this set has the ids INC-1")],
)
def test_what_cannot_be_replayed_is_one_line(home, arguments, said):
    done = cli(home, *arguments)
    assert done.exit_code != 0 and said in str(done.exception or done.output)
