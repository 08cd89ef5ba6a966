"""Approvals on the command line: proposed, listed, shown, approved, rejected, undone, and told as JSON."""

from __future__ import annotations

import json
import time

import pytest
from acting_company import assigned, brain
from typer.testing import CliRunner

from brain.cli.app import app
from brain.errors import BadInput, HopcheckError

W = "cli-approvals"


@pytest.fixture
def b(home, shared_store):
    opened = brain(home, W)
    opened.clock = time.time  # as the commands, which have no other
    yield opened
    opened.close()


@pytest.fixture
def run(b):
    def call(*args, ok=True):
        done = CliRunner(env={"BRAIN_HOME": str(b.settings.home), "COLUMNS": "200"}).invoke(app, ["approvals", *args, "-w", W])
        if ok:
            assert done.exit_code == 0, done.output
            return done.stdout
        assert isinstance(done.exception, HopcheckError)
        return str(done.exception)

    return call


def give(run, *more):
    return json.loads(run("propose", "assign_ticket", "--arg", "ticket=KIL-1", "--arg", "assignee=ada", "--json", *more))


def test_something_is_proposed_looked_at_approved_and_undone(run, b):
    a = give(run, "--why", "she [knows] it")
    assert (a["state"], a["kind"], a["args"]) == ("proposed", "assign_ticket", {"ticket": "ticket:KIL-1", "assignee": "person:ada"})
    assert "Assign KIL-1" in run("list") and assigned(b, "ticket:KIL-1") == []
    shown = run("show", a["id"])
    assert "she [knows] it" in shown and "May decide: an administrator, or who owns what the ticket is about" in shown
    assert "takes it back" in run("approve", a["id"], "--reason", "go") and assigned(b, "ticket:KIL-1") == ["person:ada"]
    told = json.loads(run("list", "--state", "approved", "--json"))[0]
    assert (told["decided_by"], told["reason"]) == ("local", "go")
    assert json.loads(run("undo", a["id"], "--json"))["state"] == "undone" and assigned(b, "ticket:KIL-1") == []


def test_a_rejection_says_why(run):
    a = give(run)
    assert "say why" in run("reject", a["id"], ok=False)
    assert json.loads(run("reject", a["id"], "--reason", "not now", "--json"))["reason"] == "not now"
    assert "nothing was done: local rejected" in run("approve", a["id"], ok=False)


def test_lists_are_given_as_json_or_one_by_one(run):
    one = ("propose", "record_decision", "--arg", "title=[Cool] slowly", "--arg", "text=It cracks.", "--json")
    assert json.loads(run(*one, "--arg", "about=kiln-control"))["args"]["about"] == ["service:kiln-control"]
    assert "has no parameter" in run(*one, "--arg", '["x"]=', ok=False)
    made = json.loads(run("propose", "record_decision", "--arg", "title=Cool", "--arg", "text=It cracks.", "--arg", 'about=["kiln-control"]',
                          "--arg", 'because=["ticket:KIL-1"]', "--arg", "because=ticket:KIL-2", "--json"))  # fmt: skip
    assert made["args"]["about"] == ["service:kiln-control"] and made["args"]["because"] == ["ticket:KIL-1", "ticket:KIL-2"]


@pytest.mark.parametrize("args", [("show", "x"), ("approve", "x"), ("reject", "x", "--reason", "y"), ("undo", "x"), ("list", "--state", "maybe"),
                                  ("propose", "fire_somebody"), ("propose", "assign_ticket"), ("propose", "assign_ticket", "--arg", "KIL-1"),
                                  ("propose", "record_decision", "--arg", "title=x", "--arg", "text=y", "--arg", "about=[1"), ("propose", "draft_message", "--arg", "text=hello")])  # fmt: skip
def test_a_call_that_does_nothing_says_why_in_one_line(run, args):
    said = run(*args, ok=False)
    assert said and "\n" not in said
    assert json.loads(run("list", "--json")) == []


def test_who_may_not_read_a_ticket_hears_nothing_of_it(run):
    a = json.loads(run("propose", "assign_ticket", "--arg", "ticket=ticket:KIL-9", "--arg", "assignee=cy", "--as", "cy", "--json"))
    assert json.loads(run("list", "--json", "--as", "ada")) == []
    none = run("show", "0000000000", "--as", "ada", ok=False)
    for press in (("show",), ("approve",), ("undo",), ("reject",)):
        more = ("--reason", "x") if press == ("reject",) else ()
        assert run(*press, a["id"], *more, "--as", "ada", ok=False) == none.replace("0000000000", a["id"])
    assert BadInput and json.loads(run("list", "--json", "--as", "cy"))[0]["id"] == a["id"]
