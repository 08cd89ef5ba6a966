"""The queue of claims on the command line: listed, decided by id or in bulk, told as JSON, taken back."""

import json

import pytest
from claims_graph import Company
from tiny_org import brain_of
from typer.testing import CliRunner

from brain.cli.app import app
from brain.errors import BadInput

W = "cli-candidates"


@pytest.fixture
def run(home, shared_store):
    made = Company()
    for key in ("person:ada", "person:bo"):
        made.node(key)
    for n in (1, 2, 3):
        made.node(f"ticket:OPS-{n}", access="open")
    made.node("message:field/1", access="open")
    made.text("message:field/1", "Ada took [one]\nBo took two\nAda took three")
    for n, who, said in ((1, "ada", "Ada took [one]"), (2, "bo", "Bo took two"), (3, "ada", "Ada took three")):
        made.claim(f"ticket:OPS-{n}", "HANDLED_BY", f"person:{who}", "message:field/1", n, said, state="candidate")
    opened = brain_of(home, W)
    made.build(shared_store, W)
    (opened.files.folder / "decisions.jsonl").unlink(missing_ok=True)
    opened.close()

    def call(*args, ok=True):
        done = CliRunner(env={"BRAIN_HOME": str(home.home), "COLUMNS": "200"}).invoke(app, ["candidates", *args, "-w", W])
        if ok:
            assert done.exit_code == 0, done.output
            return done.stdout
        assert isinstance(done.exception, BadInput)
        return str(done.exception)

    return call


def waiting(run):
    return json.loads(run("list", "--json"))["total"]


def test_the_list_shows_what_is_said_and_the_words_as_they_stand(run):
    shown = run("list", "--rel", "HANDLED_BY", "--words", "ops-1")
    assert "ticket:OPS-1 HANDLED_BY person:ada" in shown and "“Ada took [one]”" in shown and "message:field/1, line 1" in shown
    assert "1 of 1" in shown


def test_one_is_approved_with_a_reason_and_taken_back(run):
    first = json.loads(run("list", "--json"))["claims"][0]
    made = json.loads(run("approve", first["aid"], "--reason", "seen", "--json"))
    assert (made["n"], made["state"], made["reason"], made["aids"]) == (1, "approved", "seen", [first["aid"]])
    assert waiting(run) == 2 and first["aid"] in run("list", "--state", "approved")
    assert "seen" in run("history")
    run("undo", "1")
    assert waiting(run) == 3 and json.loads(run("history", "--json"))[0]["taken_back"]


def test_many_are_rejected_at_once(run):
    assert "decision 1: 2 rejected" in run("reject", "--all", "--words", "ada")
    assert waiting(run) == 1


@pytest.mark.parametrize("args", [("approve",), ("approve", "x", "--all"), ("reject", "--all", "--words", "nobody"), ("approve", "x"), ("undo", "7"),
                                  ("list", "--state", "maybe")])  # fmt: skip
def test_a_call_that_decides_nothing_says_why(run, args):
    assert run(*args, ok=False)
    assert waiting(run) == 3


def test_nobody_but_the_administrator_decides(run):
    assert "only the administrator" in run("approve", "--all", "--words", "ada", "--as", "guest", ok=False)
