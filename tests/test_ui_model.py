"""A model on the pages: the choice, what it writes, where it stepped down, what it cost, what is left, and that nothing of it is live."""

from __future__ import annotations

import gzip
import json
import re
import time
from pathlib import Path

import pytest
import small_company
import streamlit as st
from model_server import call, fails, model_server, text
from small_graph import NOW
from streamlit.testing.v1 import AppTest

from brain.llm import opening
from brain.llm.limits import Left
from brain.types import Answer, Claim, Step, Usage
from brain.ui import answers, asked, engines, first, session, turns
from brain.ui.text import safe_md
from eval import questions

APP = Path(__file__).parent.parent / "streamlit_app.py"
WHERE = "modelpages"
EVIL = '![x](http://evil.test/p.png) <img src=x onerror=alert(1)> [go](javascript:alert(1)) :red[hot]'
QUESTION = "Who owns event-bus?"
OWNED = "STATE: answered\n- Platform owns event-bus. [team:platform] [service:event-bus]\nANSWER: team:platform"
OWNS = call("who_owns", target="event-bus")


def turn(n: int, error: str | None = None, **args) -> Step:
    said = {"model": "small", "turn": n, "mode": "tools", "tools": ["who_owns"], "calls": [], "prompt_tokens": 10, "completion_tokens": 2}
    return Step(n, "model", "the model chooses tools", {**said, **args}, error=error, ms=5)


def down(why: str) -> Step:
    return Step(1, "stepped_down", why, {})


def answer(**changes) -> Answer:
    given = {"run": "r1", "question": "q?", "arm": "graph", "engine": "openai", "viewer": "local", "as_of": 1, "state": "answered", "text": "It is so.",
             "claims": (Claim("It is so.", (), (), "supported"),), "usage": Usage(1500.0, "small", 4000, 60, 0.00123, 1000, 1200.0, 2)}  # fmt: skip
    return Answer(**{**given, **changes})


# -- in words ----------------------------------------------------------------------------------


def test_what_did_not_go_as_chosen_is_said_above_the_answer_once():
    steps = (down("a is busy"), down("a is busy"), turn(1, "the reply was cut off"), turn(2, handed_back=[["It is 7.", "no row says so"]]))
    html = answers.answer_html(answer(steps=steps), str)
    assert html.count("a is busy") == 1 and "a is busy (2 times)" in html
    assert "Turn 1: the reply was cut off" in html and "Turn 2: 1 statement did not pass the check" in html
    assert html.index("a is busy") < html.index("It is so.")
    assert "hc-notes" not in answers.answer_html(answer(steps=(turn(1),)), str)


def test_who_answered_in_a_models_place_is_said_once():
    why = "no model answered (small: busy). The built-in planner answers, without a model"
    html = answers.answer_html(answer(engine="builtin", steps=(down(why),), text=f"{why}.\nIt is so.", usage=Usage(5.0)), str)
    assert html.count("The built-in planner answers") == 1 and "built in, in place of a model" in html
    assert "no model" in answers.answer_html(answer(engine="builtin", usage=Usage(5.0)), str)


@pytest.mark.parametrize(
    ("usd", "said"), [(None, "price not known"), (0.0, "$0.00"), (0.00123, "$0.0012"), (0.00001, "less than $0.0001"), (0.5, "$0.5"), (12.345, "$12.35")]
)
def test_money_is_told_with_the_digits_that_say_something(usd, said):
    assert turns.money(usd) == said


def test_what_a_model_cost_stands_with_the_answer():
    html = answers.answer_html(answer(), str)
    for said in ("small", "2 turns", "4,000 tokens read (1,000 cached), 60 written", "$0.0012", "model 1.2 s"):
        assert said in html
    assert "about 4,000 tokens read" in answers.answer_html(answer(usage=Usage(1.0, "small", 4000, 60, None, turns=1, estimated=True)), str)


def test_who_answered_is_said_in_words():
    assert turns.engine(answer()) == "answered by a model" and turns.engine(answer(engine="builtin")).endswith("engine")
    assert turns.engine(answer(engine="builtin", steps=(down("no model answered"),))).endswith("engine in place of a model")


def test_nothing_that_a_model_wrote_is_live():
    evil = turn(1, EVIL, model=EVIL, calls=[EVIL], tools=[EVIL], handed_back=[[EVIL, EVIL]])
    shown = [turns.writing_html(EVIL), turns.notes_html([evil, down(EVIL)]), turns.asked_html([evil]), answers.steps_html([evil, down(EVIL)])]
    for html in (*shown, answers.answer_html(answer(steps=(evil,), usage=Usage(1.0, EVIL, turns=1)), str)):
        assert "<img" not in html and "&lt;img" in html


def test_each_turn_is_a_row_with_the_tools_it_was_offered_and_asked_for():
    steps = [turn(1, calls=["who_owns", "details"]), Step(2, "who_owns", "", {}), turn(2, "the reply was empty", mode="answer", tools=[])]
    frame = turns.table(steps)
    assert list(frame["turn"]) == [1, 2] and list(frame["tools offered"]) == [1, 0]
    assert frame["tools it asked for"][0] == "who_owns, details" and frame["fault"][1] == "the reply was empty"
    assert "1 tool offered" in turns.asked_html(steps) and "who_owns" in turns.asked_html(steps)


def test_what_is_left_is_said_and_until_when_nothing_is():
    found = [Left("question", "tokens", 120000, 0, 120000, None), Left("viewer", "usd", 1, 0.25, 0.75, NOW), Left("month", "runs", 50, 50, 0, 1_767_225_600)]
    html = engines.left_html(found)
    assert "$0.75 of $1.00 for you today" in html and "A question may cost 120,000 tokens." in html
    assert "no runs for everybody this month until 2026-01-01" in html
    assert engines.left_html([]) == ""


# -- on the page -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def company(home, shared_store):
    small_company.build(shared_store, WHERE)
    shared_store.set_meta(WHERE, {"stands_at": str(NOW)})
    return home


@pytest.fixture
def opened(company, monkeypatch):
    """Opens a page of an app whose model is at an address; none where there is no address."""
    monkeypatch.setenv("BRAIN_HOME", str(company.home))
    monkeypatch.setenv("BRAIN_WORKSPACE", WHERE)

    def run(url="", page="", limits="", record="", replay="", **params):
        models = "small,second" if url else ""
        env = {"OPENAI_BASE_URL": url, "BRAIN_LLM_MODELS": models, "BRAIN_LLM_LIMITS": limits, "BRAIN_LLM_RECORD": record, "BRAIN_LLM_REPLAY": replay}
        for name, value in {**env, "BRAIN_LLM_RETRIES": "0"}.items():
            monkeypatch.setenv(name, value)
        st.cache_resource.clear()
        at = AppTest.from_file(str(APP), default_timeout=60)
        for name, value in params.items():
            at.query_params[name] = value
        if page:
            at.switch_page(f"pages/{page}.py")
        at.run()
        assert not at.exception
        return at

    yield run
    st.cache_resource.clear()


def words(at) -> str:
    said = "\n".join([*(m.value for m in at.markdown), *(h.proto.body for h in at.get("html")), *(w.value for w in at.warning), *(c.value for c in at.caption)])
    return said.replace("\\", "")


def param(at, name) -> str:
    found = at.query_params.get(name, "")
    return found if isinstance(found, str) else found[0]


def test_without_a_model_there_is_no_choice_but_a_word_on_how_to_set_one_up(opened):
    at = opened(q=QUESTION, arm="graph")
    assert not [g for g in at.get("button_group") if g.label == "Engine"]
    assert "BRAIN_LLM_MODELS" in words(at) and "no model" in words(at)


def test_an_address_that_asks_for_a_model_where_there_is_none_is_answered_and_says_so(opened):
    at = opened(q=QUESTION, arm="graph", engine="openai")
    assert "A model is asked for" in at.warning[0].value
    assert "team:platform" in words(at) or "team platform" in words(at)
    at.text_input(key="ask_question").set_value("Who owns gauge-store?")
    next(b for b in at.button if b.label == "Ask").click().run()
    assert "A model is asked for" not in words(at)


def test_an_engine_of_no_such_name_is_the_built_in_one(opened):
    at = opened(q=QUESTION, arm="graph", engine="magic")
    assert not at.warning and "engine" not in at.query_params


def test_the_engine_in_the_address_answers_and_stays_in_the_address(opened):
    with model_server([OWNS, text(OWNED)]) as server:
        at = opened(server.url, q=QUESTION, arm="graph", engine="openai")
        assert param(at, "engine") == "openai" and param(at, "run")
        assert "small" in words(at) and "2 turns" in words(at) and "price not known" in words(at)
        again = opened(server.url, q=QUESTION, arm="graph", engine="openai", run=param(at, "run"))
    assert "2 turns" in words(again)


def test_what_a_model_answered_is_remembered_as_asked_but_not_kept_as_a_playbook(opened):
    with model_server([OWNS, text(OWNED)]) as server:
        at = opened(server.url, q=QUESTION, arm="graph", engine="openai")
        assert not [b for b in at.button if str(b.key).startswith("playbooks_keep")]
        assert [b for b in opened(server.url, q=QUESTION, arm="graph").button if str(b.key).startswith("playbooks_keep")]
        assert QUESTION in words(opened(server.url, "memory"))


def test_a_model_that_is_down_steps_down_to_the_next_and_then_to_the_built_in_engine(opened):
    with model_server(lambda body: fails(503, "overloaded")) as server:
        at = opened(server.url, q=QUESTION, arm="graph", engine="openai")
    said = words(at)
    assert "Stepped down" in said and "small" in said and "second" in said and "built in, in place of a model" in said
    assert "team platform" in said


def test_at_a_cap_the_built_in_engine_answers_and_the_page_says_which_cap(opened):
    with model_server([]) as server:
        at = opened(server.url, q=QUESTION, arm="graph", engine="openai", limits="day.tokens=1")
    said = words(at)
    assert "Stepped down" in said and "built-in" in said and "team platform" in said
    assert "for everybody today" in said


def test_a_limit_that_is_none_is_one_clear_line(opened):
    with model_server([]) as server:
        at = opened(server.url, limits="day.bananas=1")
    assert any("bananas" in e.value for e in at.error)


def test_the_turns_of_a_model_stand_on_the_evidence_page(opened):
    with model_server([OWNS, text(OWNED)]) as server:
        at = opened(server.url, q=QUESTION, arm="graph", engine="openai")
        at = opened(server.url, "evidence", run=param(at, "run"))
    assert "What the model did" in [h.value for h in at.header]
    assert any("turn 1: who_owns" in e.label.replace("\\", "") for e in at.expander)
    assert "tools offered to the model" in words(at) and "who_owns" in words(at)
    assert "engine=openai" in words(at)


@pytest.fixture
def recorded(opened, tmp_path, monkeypatch):
    """The question as a model answered it once, kept where recordings of the demo come with the program."""
    plain = tmp_path / "kept.jsonl"
    with model_server([OWNS, text(OWNED)]) as server:
        opened(server.url, q=QUESTION, arm="graph", engine="openai", record=str(plain))
    folder = tmp_path / "recordings"
    folder.mkdir()
    (folder / "kept.jsonl.gz").write_bytes(gzip.compress(plain.read_bytes()))
    monkeypatch.setattr(opening, "SHIPPED", folder)
    monkeypatch.setattr(first, "DEMO", WHERE)


def pills(at, label):
    return next((g for g in at.get("button_group") if g.label == label), None)


def test_what_a_model_was_recorded_to_answer_opens_without_one(opened, recorded):
    at = opened(q="Who owns gauge-store?", arm="graph")
    offered = pills(at, "Answered by a model once, and recorded")
    assert offered.options == [safe_md(QUESTION)]
    offered.set_value(QUESTION).run()
    assert not at.exception and not at.warning
    assert param(at, "engine") == "openai" and "small" in words(at) and "2 turns" in words(at)
    asked_typed = opened(q="Who owns gauge-store?", arm="graph", engine="openai")
    assert "A model is asked for" in words(asked_typed)


def test_a_recording_in_the_place_of_a_model_answers_what_is_in_it_and_says_of_the_rest_that_it_is_not(opened, recorded, tmp_path):
    at = opened(replay=str(tmp_path / "kept.jsonl"), q=QUESTION, arm="graph", engine="openai")
    assert pills(at, "Engine").value == "openai" and "small" in words(at) and "2 turns" in words(at) and "Left for models" not in words(at)
    at = opened(replay=str(tmp_path / "kept.jsonl"), q="Who owns gauge-store?", arm="graph", engine="openai")
    assert "Stepped down" in words(at) and "built in, in place of a model" in words(at)


def test_what_others_recorded_here_is_offered_to_nobody(opened, recorded, tmp_path, monkeypatch):
    mine = tmp_path / "kept.jsonl"
    monkeypatch.setattr(opening, "SHIPPED", tmp_path / "nothing")
    assert pills(opened(q=QUESTION, arm="graph", record=str(mine)), "Answered by a model once, and recorded") is None


def test_recordings_of_the_demo_are_not_offered_elsewhere(opened, recorded, monkeypatch):
    monkeypatch.setattr(first, "DEMO", "demo")
    assert pills(opened(q=QUESTION, arm="graph"), "Answered by a model once, and recorded") is None


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """A question set of one question, in place of the shipped ones."""
    file = tmp_path / "tiny.jsonl"
    asked_ = {"id": "q1", "category": "owners", "question": QUESTION, "gold": ["team:platform"], "match": "set", "sources": ["service:event-bus"]}
    file.write_text(json.dumps(asked_) + "\n")
    monkeypatch.setattr(questions, "shipped", lambda: {"tiny": file})


def replies(body):
    """Looks the owner up where it can, and says what it knows."""
    if any(m["role"] == "tool" for m in body["messages"]):
        return text(OWNED)
    offered = {t["function"]["name"] for t in body["tools"]}
    return OWNS if "who_owns" in offered else call(next(iter(offered)), text="event-bus")


def started(at, **caps):
    at.selectbox(key="evaluation_set").set_value("tiny")
    engine = next(g for g in at.get("button_group") if g.key == "evaluation_engine")
    assert engine.value == "builtin"
    engine.set_value("openai")
    for name, value in caps.items():
        at.number_input(key=f"evaluation_{name}").set_value(value)
    next(b for b in at.button if b.label == "Run").click().run()
    assert not at.exception
    return at


def ended(at):
    until = time.monotonic() + 30
    while session.jobs().running("evaluation") and time.monotonic() < until:
        time.sleep(0.05)
    at.run()
    assert not at.exception
    return at


def test_an_evaluation_with_a_model_says_first_what_it_may_take_and_then_what_it_took(opened, tiny):
    with model_server(replies) as server:
        at = started(opened(server.url, "evaluation"))
        assert "3 answers: 6 to 18 calls of the model" in words(at) and server.requests == []
        at.button(key="evaluation_start").click().run()
        at = ended(at)
        assert "Open this run" in words(at)
        run = re.search(r"run=(tiny-openai-small-[\w-]+)", words(at))[1]
        at = opened(server.url, "evaluation", run=run, question="q1")
    assert "What the model took" in [h.value for h in at.header]
    assert "tokens" in words(at) and "2 turns" in words(at) and "who_owns" in words(at)


def test_an_evaluation_with_a_model_stops_at_its_cap_and_says_so(opened, tiny):
    with model_server(replies) as server:
        at = started(opened(server.url, "evaluation"), tokens=1)
        assert "It stops before it takes more than 1 token." in words(at)
        at.button(key="evaluation_start").click().run()
        at = ended(at)
    assert server.requests == [] and "this evaluation's budget" in words(at)


def test_an_evaluation_that_is_not_agreed_to_asks_nothing(opened, tiny):
    with model_server(replies) as server:
        at = started(opened(server.url, "evaluation"))
        at.button(key="evaluation_not").click().run()
        assert not [b for b in at.button if b.key == "evaluation_start"] and session.jobs().running("evaluation") is None
    assert server.requests == []


def test_addresses_give_back_what_was_asked():
    given = asked.Asked("q?", ("graph",), ("r",), "2024-01-02", "", ("b",), "openai")
    assert asked.params(given) == {"q": "q?", "arm": ["graph"], "run": ["r"], "after": ["b"], "at": "2024-01-02", "engine": "openai"}
    assert "engine" not in asked.params(asked.Asked("q?"))
