"""Whose eyes a recorded answer is for: on the page, in exports, and in comparisons nobody reads what its asker alone might."""

from __future__ import annotations

import os
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import streamlit as st
from small_company import build
from small_graph import CANARY, NOW
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from brain import catalogue, permissions
from brain.audit.secrets import Secrets, everything
from brain.brain import Brain
from brain.cli.app import app
from brain.errors import BadInput
from brain.ingest import Report, Workspace
from brain.types import Viewer
from brain.ui import session
from eval import arms, questions, records, report, rights, run
from eval.compare import compare
from eval.questions import Question

ROOT = Path(__file__).parent.parent
WS = "rights"
HIDDEN = f"doc:docs/{CANARY}.md"
SET = [
    Question("open", "who", "Who owns map-tiles?", ("team:boards",), "set", ("service:map-tiles",)),
    Question("hidden", "what", f"What does {CANARY} say of the ticket claim deadline?", (HIDDEN,), "set", (HIDDEN,)),
    Question("counted", "count", "How many documents are there?", (99,), "number"),
    Question("their own", "who", "Who owns event-bus?", ("team:platform",), "set", ("service:event-bus",), viewer="guest"),
]
MEMBER = permissions.member("m", frozenset({"team:other"}))


@pytest.fixture(scope="module")
def brain(shared_store, home):
    build(shared_store, WS, "aud")
    return Brain(home, WS, shared_store, catalogue.load(), Workspace(home.workspaces / WS), clock=lambda: NOW)


def recorded(brain, who, name, folder=None):
    """A run of the set, asked by `who` where a question names nobody."""
    ask = arms.asker(brain, lambda own: permissions.guest() if own else who)
    return run.run(SET, ["graph", "vector"], ask, (folder or brain.files.folder / "eval") / name, clock=lambda: NOW)


@pytest.fixture(scope="module")
def runs(brain):
    brain.files.save(Report(f"docs:{CANARY}", "markdown", f"/{CANARY}", NOW, True, {"doc": 1}, {}, {"Doc": 1}, [{"reason": CANARY, "where": CANARY, "count": 1}]))
    return {name: recorded(brain, who, name) for name, who in (("by-local", permissions.local_admin()), ("by-guest", permissions.guest()))}


def ids(run):
    return [name for name, _ in run.by_question().items()]


def test_a_record_keeps_the_rights_that_opened_anything(runs):
    by = runs["by-local"].by_question()
    assert by["open"]["graph"]["rights"] == {"access": ["open", "restricted"], "groups": []} and by["their own"]["graph"]["rights"]["access"] == ["open"]
    assert "rights" not in by["open"]["graph"]["answer"] and CANARY in str(by["hidden"]["graph"])


def test_an_answer_is_shown_to_nobody_who_may_read_less_than_its_asker(runs):
    whole = runs["by-local"]
    assert rights.readable(whole, permissions.local_admin()).records == whole.records
    for viewer in (permissions.guest(), MEMBER, Viewer("m", frozenset({"open", "internal"}), frozenset({"team:secret"}))):
        shown = rights.readable(whole, viewer)
        assert ids(shown) == ["their own"] and CANARY not in str(shown.records) and shown.summary == whole.summary
    assert rights.readable(whole, permissions.nobody()).records == () and CANARY not in str(whole.summary)


def test_a_group_that_the_asker_had_is_needed_as_well(brain, tmp_path):
    asker = permissions.member("in", frozenset({"team:secret", "team:other"}))
    whole = recorded(brain, asker, "grouped", tmp_path)
    assert whole.by_question()["hidden"]["graph"]["rights"] == {"access": ["open"], "groups": ["team:secret"]}
    assert ids(rights.readable(whole, MEMBER)) == ["their own"]
    assert ids(rights.readable(whole, permissions.member("x", frozenset({"team:secret"})))) == [q.id for q in SET]


def test_a_right_answer_that_rests_on_hidden_things_is_withheld(runs):
    shown = rights.readable(runs["by-guest"], permissions.guest()).by_question()
    assert set(shown) == {q.id for q in SET} and list(shown["open"]["graph"]["gold"]) == ["team:boards"]
    for name in ("hidden", "counted"):
        assert shown[name]["graph"]["gold"] == [rights.WITHHELD] and shown[name]["graph"]["sources"] == []
    assert HIDDEN not in str(shown["hidden"]["graph"])
    assert rights.readable(runs["by-guest"], permissions.local_admin()).by_question()["hidden"]["graph"]["gold"] == [HIDDEN]


def test_a_record_that_says_nothing_of_its_rights_is_an_administrators(runs):
    old = records.Run("old", tuple({k: v for k, v in r.items() if k not in ("rights", "gold_open")} for r in runs["by-guest"].records), {})
    assert rights.readable(old, MEMBER).records == () and rights.readable(old, permissions.local_admin()).records == old.records
    assert rights.said(old) == "Asked by an administrator; show it to nobody else."
    stated = replace(old, summary={"rights": {"access": ["open"], "groups": []}, "gold_open": True})
    assert rights.readable(stated, MEMBER).records == old.records and rights.readable(stated, permissions.nobody()).records == ()


@pytest.mark.parametrize("name", records.names())
def test_a_shipped_run_says_with_which_rights_it_was_asked(name):
    shipped = records.load(name)
    assert all(rights.rights_of(r, shipped) for r in shipped.records)
    assert "administrator" not in rights.said(shipped)


def test_nothing_that_members_may_not_see_of_the_demo_is_in_its_question_sets_or_in_what_they_are_shown_of_its_runs(demo):
    secrets = Secrets.of(permissions.member("m"), everything(demo.store, demo.workspace))
    for path in questions.SETS.glob("demo*.jsonl"):
        asked = [asdict(q) for q in questions.load(path)]
        assert asked and secrets.told(asked) == []
    for name in records.names():
        if name.startswith("demo"):
            shown = rights.readable(records.load(name), permissions.member("m"))
            assert [t for r in shown.records for t in secrets.told({**r, "ms": None, "as_of": None}, [r["question"]])] == []


def test_what_failed_is_shown_to_administrators_alone(brain, tmp_path):
    def broken(question, arm):
        raise BadInput(f"{CANARY} broke it")

    whole = run.run(SET[:1], ["graph"], broken, tmp_path / "failed")
    assert CANARY in whole.records[0]["error"] and rights.readable(whole, MEMBER).records == ()


def test_exports_hold_what_their_reader_may_be_shown_and_say_who_that_is(runs):
    for viewer in (permissions.guest(), permissions.nobody()):
        shown = rights.readable(runs["by-local"], viewer)
        assert CANARY not in report.markdown(shown) + report.web_page(shown)
    assert "anybody may see it" in report.markdown(rights.readable(runs["by-local"], permissions.guest()))
    assert "other rights than yours" in report.web_page(rights.readable(runs["by-local"], permissions.nobody()))
    assert "show it to nobody who may read less" in report.markdown(runs["by-local"]) and CANARY in report.web_page(runs["by-local"])


def test_a_comparison_names_no_question_that_its_reader_may_not_see(runs):
    a, b = (rights.readable(runs[name], permissions.guest()) for name in ("by-local", "by-guest"))
    assert CANARY not in str(compare(a, b)) and CANARY in str(compare(runs["by-local"], runs["by-guest"]))


def test_the_commands_write_for_a_reader(runs, home, monkeypatch, tmp_path):
    monkeypatch.setenv("BRAIN_HOME", str(home.home))
    runner = CliRunner()
    for reader, there in (("guest", False), ("local", True)):
        made = runner.invoke(app, ["eval", "report", "by-local", "--out", str(tmp_path / reader), "--for", reader, "-w", WS])
        assert made.exit_code == 0 and (CANARY in (tmp_path / reader / "report.html").read_text()) is there
        told = runner.invoke(app, ["eval", "compare", "by-local", "by-guest", "--for", reader, "-w", WS, "--json"])
        assert told.exit_code == 0 and (CANARY in told.stdout) is there


def test_a_set_can_be_run_as_somebody(runs, home, monkeypatch, tmp_path):
    monkeypatch.setenv("BRAIN_HOME", str(home.home))
    path = tmp_path / "one.jsonl"
    path.write_text(SET[0].line() + "\n")
    done = CliRunner().invoke(app, ["eval", "run", "--set", str(path), "--arms", "graph", "--out", "as-guest", "--as", "guest", "-w", WS])
    assert done.exit_code == 0, done.output
    assert records.load("as-guest", home.workspaces / WS / "eval").records[0]["rights"] == {"access": ["open"], "groups": []}


# -- pages ---------------------------------------------------------------------------------------


@pytest.fixture
def looked_at_by(brain, runs, home, monkeypatch):
    """Opens a page of the workspace as somebody and gives all that it shows."""
    monkeypatch.setitem(os.environ, "BRAIN_HOME", str(home.home))
    st.cache_resource.clear()

    def opened(script, viewer, **params):
        monkeypatch.setattr(session, "viewer", lambda *a, **k: viewer)
        page = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
        for name, value in {"ws": WS, **params}.items():
            page.query_params[name] = value
        page.switch_page(f"pages/{script}.py")
        page.run()
        assert not page.exception, page.exception
        return str(page.main) + "".join(str(e.value) for kind in ("header", "subheader", "markdown", "dataframe", "caption", "info", "code") for e in page.get(kind))

    yield opened
    st.cache_resource.clear()


def test_the_evaluation_page_shows_a_guest_the_scores_and_no_answer_of_somebody_who_may_read_more(looked_at_by):
    assert CANARY in looked_at_by("evaluation", permissions.local_admin(), run="by-local", question="hidden")
    for viewer in (permissions.guest(), MEMBER, permissions.nobody()):
        shown = looked_at_by("evaluation", viewer, run="by-local", question="hidden")
        assert CANARY not in shown and "By category" in shown


def test_the_sources_page_shows_reports_to_administrators_alone(looked_at_by):
    assert CANARY in looked_at_by("sources", permissions.local_admin())
    for viewer in (permissions.guest(), MEMBER):
        shown = looked_at_by("sources", viewer)
        assert CANARY not in shown and "What you may see" in shown
    for view in ("health", "candidates"):
        assert CANARY not in looked_at_by("sources", MEMBER, view=view)
