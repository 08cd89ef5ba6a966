"""Memory on the command line: kept between calls, gone on with, listed, corrected, forgotten, and left out when that is asked."""

import json

import pytest
import small_company
from small_graph import NOW
from typer.testing import CliRunner

from brain.cli.app import app
from brain.errors import BadInput
from brain.store import graph_name

W = "cli-memory"


@pytest.fixture(scope="module")
def company(home, shared_store):
    small_company.build(shared_store, W)
    shared_store.set_meta(W, {"stands_at": str(NOW)})
    return shared_store


@pytest.fixture
def run(home, company):
    for graph in (*company.graphs(graph_name(W, "mem:")), graph_name(W, "runs")):
        company.drop(graph)

    def call(*args, who="leilaf", ok=True):
        done = CliRunner(env={"BRAIN_HOME": str(home.home), "COLUMNS": "220"}).invoke(app, [*args, "--as", who, "-w", W])
        if ok:
            assert done.exit_code == 0, done.output
            return done.stdout
        assert isinstance(done.exception, BadInput)
        return str(done.exception)

    return call


def ask(run, *args, **how):
    return json.loads(run("ask", *args, "--arm", "graph", "--json", **how))


def listed(run, **how):
    return json.loads(run("memory", "list", "--json", **how))


def test_what_was_said_in_one_call_counts_in_the_next_and_is_listed_with_its_words(run):
    ask(run, "I work on event-bus")
    assert ask(run, "Who owns my service?")["items"] == ask(run, "Who owns event-bus?", who="kofid")["items"]
    found = listed(run)
    assert [(f["key"], f["words"]) for f in found["facts"]] == [("service:event-bus", "I work on event-bus")]
    assert [t["completed"] for t in found["turns"]] == ["Who owns event-bus?", ""]
    assert "you work on event-bus" in run("memory", "list") and listed(run, who="kofid")["facts"] == []


def test_a_question_goes_on_from_the_last_one_when_that_is_asked_and_shows_how_it_was_understood(run):
    run("ask", "Who owns event-bus?", "--arm", "both")
    assert "understood as: Who owns rota?" in run("ask", "and rota?", "--continue", "--arm", "graph")
    assert "understood as" not in run("ask", "and rota, what is it?", "--arm", "graph")
    assert "no last question" in run("ask", "and rota?", "--continue", who="guest", ok=False)


def test_a_follow_up_of_a_named_run_needs_no_memory(run):
    first = ask(run, "Who owns event-bus?", "--no-memory")["run"]
    steps = ask(run, "and rota?", "--after", first, "--no-memory")["steps"]
    assert steps[0]["args"]["question"] == "Who owns rota?" and listed(run)["turns"] == []


def test_without_memory_nothing_is_learned_and_my_team_means_nothing_in_particular(run):
    assert ask(run, "who leads my team?", "--no-memory")["steps"][0]["tool"] == "link"
    ask(run, "I work on event-bus", "--no-memory")
    assert listed(run) == {"off": "", "facts": [], "turns": []}


def test_a_fact_is_corrected_and_everything_is_forgotten(run):
    ask(run, "I work on event-bus")
    ident = listed(run)["facts"][0]["id"]
    assert "you work on rota" in run("memory", "correct", ident, "I work on rota")
    assert "nothing known of you" in run("memory", "correct", ident, "I work on rota", ok=False)
    assert "by its id" in run("memory", "forget", ok=False)
    assert "nothing remembered" in run("memory", "forget", "none", ok=False)
    said = run("memory", "forget", "--all")
    assert said.startswith("forgotten: 1 facts, 2 questions, 1 runs") and "backups, are not reached" in said
    assert listed(run) == {"off": "", "facts": [], "turns": []}


def test_who_is_shared_is_told_why_nothing_is_remembered(run):
    assert "Nothing is remembered of viewers that are not known" in run("memory", "list", who="guest")
