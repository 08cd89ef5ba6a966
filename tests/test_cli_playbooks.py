"""Playbooks on the command line: kept from an investigation and from answers, listed, shown, put away, restored, forgotten."""

import json

import pytest
import small_company
from playbook_made import ANN, DEPLOY, investigation
from small_graph import NOW
from tiny_org import brain_of
from typer.testing import CliRunner

from brain.cli.app import app
from brain.errors import BadInput

W = "cli-playbooks"


@pytest.fixture(scope="module")
def loaded(home, shared_store):
    brain_of(home, W).close()
    small_company.build(shared_store, W)
    shared_store.set_meta(W, {"stands_at": str(NOW), "format": "", "loaded_at": ""})
    return shared_store


@pytest.fixture
def run(home, loaded):
    loaded.drop(f"brain:{W}:runs")

    def call(*args, ok=True):
        done = CliRunner(env={"BRAIN_HOME": str(home.home), "COLUMNS": "200"}).invoke(app, [*args, "-w", W])
        if ok:
            assert done.exit_code == 0, done.output
            return done.stdout
        assert isinstance(done.exception, BadInput)
        return str(done.exception)

    return call


@pytest.fixture
def kept(home, run):
    brain = brain_of(home, W)
    yield brain.playbooks(ANN).confirm(investigation(brain.store, W))
    brain.close()


def asked(run, question):
    return json.loads(run("ask", question, "--arm", "graph", "--json"))["run"]


def test_playbooks_are_listed_and_shown_with_what_they_hold(run, kept):
    listed = json.loads(run("playbooks", "list", "--json"))
    assert [(p["id"], p["kind"], p["standing"], p["incident"]["change"]) for p in listed] == [(kept.id, "incident", "active", DEPLOY)]
    assert kept.id in run("playbooks", "list", "--kind", "incident")
    assert json.loads(run("playbooks", "list", "--kind", "question", "--json")) == []
    shown = run("playbooks", "show", kept.id)
    assert "service:threshold-watch → service:gauge-store → service:event-bus" in shown
    assert "kept by" in shown


def test_a_right_answer_is_kept_with_the_wording_that_failed(run):
    right, failed = asked(run, "Which team owns map-tiles?"), asked(run, "Who wears the hat of map-tiles?")
    said = run("playbooks", "keep", right, "--instead-of", failed)
    assert "Who wears the hat of <Service>? (asked as: Which team owns <Service>?)" in said
    assert {p["question"]["masked"] for p in json.loads(run("playbooks", "list", "--json"))} == {
        "Which team owns <Service>?", "Who wears the hat of <Service>?"
    }  # fmt: skip


def test_a_question_is_asked_in_kept_words_unless_they_are_not_wanted(run):
    run("playbooks", "keep", asked(run, "Which team owns map-tiles?"), "--instead-of", asked(run, "Who wears the hat of map-tiles?"))
    question = ("ask", "Who wears the hat of gauge-store?", "--arm", "graph", "--json")
    assert json.loads(run(*question))["items"] == ["team:platform"]
    assert json.loads(run(*question, "--no-playbooks"))["state"] == "insufficient"


def test_what_is_put_away_is_restored_and_forgotten(run, kept):
    assert json.loads(run("playbooks", "demote", kept.id, "--reason", "luck", "--json"))["standing"] == "demoted"
    assert "luck" in run("playbooks", "show", kept.id)
    assert "is tried again" in run("playbooks", "restore", kept.id)
    assert "is forgotten" in run("playbooks", "forget", kept.id)
    assert json.loads(run("playbooks", "list", "--json")) == []


def test_what_is_not_there_is_one_line_that_says_so(run):
    assert "--kind is 'x'" in run("playbooks", "list", "--kind", "x", ok=False)
    for command in ("show", "demote", "restore", "forget"):
        assert "there is no playbook 'pb-1'" in run("playbooks", command, "pb-1", ok=False)
    assert "there is no run" in run("playbooks", "keep", "nope", ok=False)
    assert "nope" in run("playbooks", "confirm", "nope", ok=False)


def test_a_guest_changes_nothing(run, kept):
    assert "log in" in run("playbooks", "forget", kept.id, "--as", "guest", ok=False)
