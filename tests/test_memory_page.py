"""The page Memory and the follow-ups on the page Ask: what is remembered is shown, corrected and forgotten by who it is of alone."""

import pytest
import small_company
from app_here import app_here
from small_graph import NOW
from test_isolation import opened

from brain.brain import Brain
from brain.memory.hearing import hear
from brain.store import graph_name
from brain.ui import viewing


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with app_here(tmp_path_factory.mktemp("memory-page"), "memo") as own:
        opened = Brain.open(own, "memo")
        small_company.build(opened.store, "memo")
        opened.store.set_meta("memo", {"stands_at": str(NOW)})
        opened._embedder.append(None)
        yield opened
        opened.close()


@pytest.fixture
def brain(place):
    for part in ("mem:", "runs"):
        for graph in place.store.graphs(graph_name("memo", part)):
            place.store.drop(graph)
    return place


def told(page):
    kinds = (page.markdown, page.info, page.success, page.error, page.warning)
    return "\n".join([*(str(e.value) for kind in kinds for e in kind), *(h.proto.body for h in page.get("html"))]).replace("\\", "").replace("\u2060", "")


def say(brain, who, *questions):
    viewer = brain.viewer(who)
    return [brain.ask(q, viewer=viewer, memory=hear(brain.memory(viewer), q)) for q in questions]


def click(page, key):
    page.button(key=key).click().run()
    assert not page.exception
    return told(page)


def test_what_is_known_stands_with_its_words_and_its_use(brain):
    (answer, _) = say(brain, "leilaf", "I work on event-bus", "Who owns my service?")
    shown = told(opened("memory", "leilaf"))
    for part in ("You work on event-bus", "I work on event-bus", "“my services”", "Understood as: Who owns event-bus?", "who_owns", answer.run):
        assert part in shown, part


def test_a_fact_is_corrected_and_forgotten(brain):
    say(brain, "leilaf", "I work on event-bus")
    page = opened("memory", "leilaf")
    fact = brain.memory(brain.viewer("leilaf")).facts()[0]
    page.text_input(key=f"memory_right_{fact.id}").set_value("what is rota?").run()
    assert "states nothing about yourself" in click(page, f"memory_correct_{fact.id}")
    page.text_input(key=f"memory_right_{fact.id}").set_value("I work on rota").run()
    assert "you work on rota" in click(page, f"memory_correct_{fact.id}")
    (fact,) = brain.memory(brain.viewer("leilaf")).facts()
    assert fact.key == "service:rota"
    assert "Forgotten: 1 fact, 1 question" in click(page, f"memory_forget_{fact.id}")
    assert brain.memory(brain.viewer("leilaf")).facts() == []


def test_something_said_on_the_page_is_learned(brain):
    page = opened("memory", "leilaf")
    page.text_input(key="memory_told").set_value("I am in the gates team").run()
    assert "Noted" in click(page, "memory_tell")
    assert [f.key for f in brain.memory(brain.viewer("leilaf")).facts()] == ["team:gates"]


def test_everything_is_forgotten_only_when_it_is_ticked_and_nothing_of_it_stays_in_the_session(brain):
    say(brain, "leilaf", "I work on event-bus", "Who owns rota?")
    page = opened("memory", "leilaf")
    page.session_state["ask_question"] = "Who owns rota?"
    assert page.button(key="memory_forget_all").disabled
    page.checkbox(key="memory_all").check().run()
    assert "Forgotten: 1 fact, 2 questions, 2 runs" in click(page, "memory_forget_all")
    assert "ask_question" not in page.session_state and brain.store.graphs(graph_name("memo", "mem:")) == []


def test_nobody_sees_the_memory_of_another_on_the_page(brain):
    say(brain, "leilaf", "I work on event-bus")
    for login in ("kofid", "stranger"):
        assert "I work on event-bus" not in told(opened("memory", login))
    page = opened("memory")
    page.selectbox(key=viewing.PICKED).set_value("leilaf").run()
    shown = told(page)
    assert "I work on event-bus" not in shown and "nothing is remembered while you look as somebody else" in shown.lower()
    assert not [b for b in page.button if str(b.key).startswith("memory_")]


def test_the_next_question_on_the_page_follows_up_the_one_before(brain):
    page = opened("ask", "leilaf", q="Who owns event-bus?", arm="graph")
    page.text_input(key="ask_question").set_value("and rota?")
    submit = next(b for b in page.button if b.label == "Ask")
    submit.click().run()
    assert not page.exception
    shown = told(page)
    assert "Understood as: Who owns rota?" in shown
    assert page.query_params["after"] and page.query_params["q"] == "and rota?"
    turns = brain.memory(brain.viewer("leilaf")).turns()
    assert [(t.question, t.completed) for t in turns] == [("and rota?", "Who owns rota?"), ("Who owns event-bus?", "")]


def test_a_follow_up_is_understood_also_for_who_is_not_known(brain):
    page = opened("ask", "stranger", q="Who owns event-bus?", arm="graph")
    page.text_input(key="ask_question").set_value("and rota?")
    next(b for b in page.button if b.label == "Ask").click().run()
    assert "Understood as: Who owns rota?" in told(page)
