"""Who may read a thing and why, on the command line."""

import json

import pytest
from grants_graph import ROSTER, company
from tiny_org import brain_of
from typer.testing import CliRunner

from brain.cli.app import app
from brain.errors import BadInput

W = "cli-access"


@pytest.fixture(scope="module")
def run(home, shared_store):
    company().build(shared_store, W)
    shared_store.set_meta(W, {"stands_at": "1748736000"})
    brain_of(home, W).close()

    def call(*args, viewer=""):
        done = CliRunner(env={"BRAIN_HOME": str(home.home), "COLUMNS": "220", "BRAIN_VIEWER": viewer}).invoke(app, ["access", *args, "-w", W])
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.stdout

    return call


def test_why_tells_the_verdict_the_reason_and_the_line_that_grants(run):
    shown = run("why", "doc:works", "--as", "ada")
    assert "ada may read doc:works" in shown and f"{ROSTER}, line 1" in shown
    told = json.loads(run("why", "doc:works", "--as", "bo", "--json"))
    assert told["allowed"] is False and "until 2025-05-01" in told["because"] and told["paths"][0]["holds"] is False


def test_who_lists_the_people_of_now_and_of_then(run):
    told = json.loads(run("who", "doc:heat", "--json"))
    assert told["people"] == ["person:ada"] and "bo" in run("who", "doc:heat")
    with pytest.raises(BadInput, match="doc:nowhere"):
        run("who", "doc:nowhere")


def test_sees_counts_what_is_hidden(run):
    told = json.loads(run("sees", "--as", "ada", "--json"))
    assert told["hidden"] == told["total"] - told["seen"] > 0
    assert f"ada reads {told['seen']} of {told['total']} sources" in run("sees", "--as", "ada")


def test_freshness_says_what_has_no_label(run):
    assert json.loads(run("freshness", "--json"))["labels"]["no label"] == 1
    assert "without access label" in run("freshness")


def test_where_the_viewer_here_is_no_administrator_they_learn_of_themselves_alone(run):
    told = json.loads(run("why", "doc:two", "--json", viewer="di"))
    assert told["allowed"] and told["aud"] == ["role:warden"] and [p["group"] for p in told["paths"]] == ["role:warden"]
    hidden, absent = (json.loads(run("why", key, "--json", viewer="di")) for key in ("doc:none", "doc:nowhere"))
    assert {**hidden, "key": ""} == {**absent, "key": ""} and not hidden["allowed"]
    assert json.loads(run("sees", "--json", viewer="di"))["total"] is None and "hidden" not in run("sees", viewer="di")
    assert json.loads(run("freshness", "--json", viewer="di"))["labels"] is None
    for args in (("why", "doc:two", "--as", "ada"), ("who", "doc:two"), ("sees", "--as", "local")):
        with pytest.raises(BadInput, match="only an administrator"):
            run(*args, viewer="di")
