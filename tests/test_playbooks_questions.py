"""A wording that was answered right helps the next question that means the same, and never makes another one of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
import small_company
from small_graph import NOW

from brain import permissions, runs
from brain.brain import Brain
from brain.errors import BadInput
from brain.playbooks import wordings
from brain.types import Viewer

WS = "wordings"
ADMIN, ANN, BEN, GUEST = permissions.local_admin(), permissions.member("ann"), permissions.member("ben"), permissions.guest()
GOOD, BAD = "Which team owns {}?", "Who wears the hat of {}?"


@pytest.fixture(scope="module")
def opened(home, shared_store):
    small_company.build(shared_store, WS, "restricted")
    brain = Brain.open(home, WS)
    brain.clock = lambda: float(NOW)
    yield brain
    brain.close()


@pytest.fixture
def brain(opened):
    opened.store.drop(f"brain:{WS}:runs")
    return opened


def ask(brain, question, viewer=ANN, **more):
    return brain.ask(question, viewer=viewer, save=False, **more)


def keep(brain, viewer=ANN, good=GOOD, failed=(BAD,), service="map-tiles"):
    answers = [ask(brain, q.format(service), viewer) for q in (good, *failed)]
    return brain.playbooks(viewer).keep(answers[0], answers[1:])


def test_a_wording_that_failed_is_answered_for_another_thing_the_next_time(brain):
    assert ask(brain, BAD.format("gauge-store")).state == "insufficient"
    assert [p.wording.masked for p in keep(brain)] == ["Which team owns <Service>?", "Who wears the hat of <Service>?"]
    answer = ask(brain, BAD.format("gauge-store"), BEN, playbooks=True)
    assert answer.items == ask(brain, GOOD.format("gauge-store")).items == ("team:platform",)
    assert answer.question == BAD.format("gauge-store")
    step = next(s for s in answer.steps if s.tool == "playbook")
    assert step.args["steps"] < step.args["instead_of"]
    assert f"By a playbook of ann, asked as “{GOOD.format('gauge-store')}”: {step.args['steps']} steps instead of {step.args['instead_of']}" in answer.text


def test_a_playbook_is_followed_where_it_is_wanted_alone(brain):
    keep(brain)
    assert ask(brain, BAD.format("gauge-store")).state == "insufficient"
    assert ask(brain, BAD.format("gauge-store"), arm="vector", playbooks=True).arm == "vector"
    assert not any(s.tool == "playbook" for s in ask(brain, BAD.format("gauge-store"), arm="vector", playbooks=True).steps)


def test_what_is_understood_as_it_is_gains_nothing_and_is_asked_as_it_is(brain):
    keep(brain)
    for question in (GOOD.format("gauge-store"), "Who leads gauge-store technically?", "Which services need gauge-store?"):
        assert brain.playbooks(ANN).for_question(question) is None
        assert ask(brain, question, playbooks=True).items == ask(brain, question).items


@pytest.mark.parametrize(
    "question",
    ["Who wears the hat of nothing-there?", "Who wears the hat?", "Who wears the hat of map-tiles and gauge-store?", "Who wears the hat of Platform?",
     "Who wears the hat of map-tiles on 2025-03-01?", "Who lost the hat of gauge-store?", ""],
)  # fmt: skip
def test_another_question_is_not_taken_for_it(brain, question):
    keep(brain)
    assert brain.playbooks(ANN).for_question(question) is None


def test_near_words_that_say_something_of_their_own_are_not_taken_for_it(brain, monkeypatch):
    keep(brain, good="What does {} need directly?", failed=())
    monkeypatch.setattr(wordings, "NEAR", -1.0)
    assert brain.playbooks(ANN).for_question("Which services need gauge-store directly?") is None


@pytest.mark.parametrize(
    ("question", "found"),
    [("Give me the services of Console.", "What services belong to the team Console?"), ("Give me the services of Console in June.", None), ("Give me three services of Console.", None),
     ("Give me the beautiful services of Console.", None), ("Give me the services of Console and Platform.", None)],
)  # fmt: skip
def test_near_words_that_leave_open_what_is_asked_are_asked_in_the_words_that_are_known(brain, question, found):
    if brain.embedder is None:
        pytest.skip("no embedder on this machine")
    keep(brain, good="What services belong to the team {}?", failed=(), service="Platform")
    tried = brain.playbooks(ANN).for_question(question)
    assert (tried and tried[1]) == found


def test_words_that_are_not_near_are_asked_as_they_are(brain, monkeypatch):
    keep(brain, good="What services belong to the team {}?", failed=(), service="Platform")
    monkeypatch.setattr(wordings, "NEAR", 0.99)
    assert brain.playbooks(ANN).for_question("Give me the services of Console.") is None


def test_a_playbook_that_does_not_get_the_answer_fails_and_the_question_is_asked_as_it_is(brain):
    keep(brain)
    plain = ask(brain, BAD.format("left-alone"))
    answer = ask(brain, BAD.format("left-alone"), playbooks=True)
    assert (answer.state, answer.items, [s.tool for s in answer.steps]) == (plain.state, plain.items, [s.tool for s in plain.steps])
    failed = next(p for p in brain.playbooks(ANN).every() if p.wording.masked == BAD.format("<Service>"))
    assert (failed.standing, failed.failures) == ("doubtful", 1)
    ask(brain, BAD.format("left-alone"), playbooks=True)
    assert brain.playbooks(ANN).for_question(BAD.format("gauge-store")) is None


def test_a_wording_about_something_hidden_helps_those_alone_who_may_see_it(brain):
    hidden = f"OPS-9{small_company.CANARY}"
    made = brain.playbooks(ADMIN).keep(ask(brain, f"Who handled {hidden}?", ADMIN))
    assert brain.playbooks(ADMIN).playbook(made[0].id).wording.masked == "Who handled <Ticket>?"
    assert brain.playbooks(ANN).every() == []
    assert hidden not in made[0].title


def test_a_wording_with_a_word_that_only_hidden_texts_hold_is_shown_to_those_alone_who_may_read_them(brain):
    made = keep(brain, ADMIN, failed=(BAD, f"Who wears the {small_company.CANARY} hat of {{}}?"))
    assert small_company.CANARY in made[2].title
    shown = {p.id for p in brain.playbooks(ANN).every()}
    assert shown == {made[0].id, made[1].id}
    assert {p.id for p in brain.playbooks(ADMIN).every()} == {p.id for p in made}


def test_a_question_that_leans_on_the_one_before_follows_no_playbook(brain):
    keep(brain)
    before = ask(brain, GOOD.format("map-tiles"))
    brain.store.drop(f"brain:{WS}:runs")
    keep(brain, failed=(BAD, "Its hat is worn by whom, that of {}?"))
    runs.save(brain.store, WS, before, NOW, ANN, brain.looking(ADMIN))
    answer = ask(brain, "Its hat is worn by whom, that of gauge-store?", previous=before.run, playbooks=True)
    assert not any(s.tool == "playbook" for s in answer.steps)


@pytest.mark.parametrize(
    ("question", "said"),
    [(BAD.format("map-tiles"), "all of whose claims stand"), ("Which rules contradict each other?", "names no thing|claims stand"),
     ("How are map-tiles and asset-register connected?", "two of one kind")],
)  # fmt: skip
def test_what_is_no_right_answer_or_names_no_one_thing_is_not_kept(brain, question, said):
    with pytest.raises(BadInput, match=said):
        brain.playbooks(ANN).keep(ask(brain, question))


def test_an_answer_from_passages_or_of_nobody_is_not_kept(brain):
    right = ask(brain, GOOD.format("map-tiles"))
    with pytest.raises(BadInput, match="over the graph"):
        brain.playbooks(ANN).keep(replace(right, arm="vector"))
    for viewer in (GUEST, Viewer("nobody")):
        with pytest.raises(BadInput, match="log in"):
            brain.playbooks(viewer).keep(right)


def test_what_failed_must_have_asked_for_the_same_things(brain):
    right, other = ask(brain, GOOD.format("map-tiles")), ask(brain, BAD.format("gauge-store"))
    with pytest.raises(BadInput, match="names other things"):
        brain.playbooks(ANN).keep(right, [other])


def test_kept_for_another_thing_it_is_the_same_playbook(brain):
    first = keep(brain)
    again = keep(brain, BEN, service="gauge-store")
    assert [p.id for p in first] == [p.id for p in again]
    assert len(brain.playbooks(ANN).every("question")) == 2
    assert brain.playbooks(ANN).every("incident") == []
