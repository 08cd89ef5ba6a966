"""Questions that lean on the one before, over the demo."""

from __future__ import annotations

import pytest

from brain.agents.followup import Completing, whole
from brain.text.linking import Linker
from eval.questions import SETS, load

NOW = 1_792_195_200
G, S, F, C = (f"merefold/{name}" for name in ("gatekeeper", "gauge-stream", "floodline", "control-room"))


@pytest.fixture(scope="module")
def then(demo):
    def ask(first, second):
        me = demo.viewer()
        before = demo.ask(first, viewer=me, as_of=NOW)
        return demo.ask(second, viewer=me, as_of=NOW, previous=before.run, save=False)

    return ask


@pytest.fixture(scope="module")
def asked(demo):
    """The answer to a first question, asked once."""
    known = {}

    def ask(question):
        if question not in known:
            known[question] = demo.ask(question, viewer=demo.viewer(), as_of=NOW, save=False)
        return known[question]

    return ask


def reading(demo):
    """The linker and the present that follow-ups are completed with."""
    asking = demo.looking(demo.viewer())
    return Linker(demo.lexicon(demo.viewer()), lambda query, **params: asking.run(query, **params).rows), NOW


@pytest.mark.parametrize(
    ("first", "second", "items"),
    [
        ("Who reviewed gatekeeper#12?", "And who merged it?", {"person:tdabrowski"}),
        ("Who reviewed gatekeeper#12?", "When did it land?", {"2025-07-03"}),
        ("Who reviewed gatekeeper#12?", "what about gatekeeper#11?", None),
        ("Which pull request fixed control-room#15?", "Who wrote that?", {"person:bjarki"}),
        ("Which pull request fixed control-room#15?", "Which release was it in?", {f"release:{S}@v0.9.0"}),
        ("Who got most pull requests merged?", "How many reviews did they give?", None),
        ("How many pull requests were merged in gatekeeper in 2025?", "And in floodline?", None),
        ("How many pull requests were merged in gatekeeper in 2025?", "And in 2026?", None),
        ("How many pull requests are open in gatekeeper?", "Which ones?", None),
        ("Which issues are open in fenproto?", "Who opened those?", None),
        ("Who wrote gatekeeper#12?", "Who reviewed #16?", None),
    ],
)
def test_a_follow_up_is_answered(then, first, second, items):
    a = then(first, second)
    assert a.state == "answered" and a.items, a.text
    assert items is None or set(a.items) == items, a.text


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (
            "How many pull requests were merged in gatekeeper in 2025?",
            "And in floodline?",
            "How many pull requests were merged in floodline in 2025?",
        ),
        (
            "How many pull requests were merged in gatekeeper in 2025?",
            "What about 2026?",
            "How many pull requests were merged in gatekeeper in 2026?",
        ),
        ("How many pull requests are open in gatekeeper?", "Which ones?", "which pull requests are open in gatekeeper?"),
        ("Who reviewed gatekeeper#12?", "same for floodline#43", "Who reviewed floodline#43?"),
        ("Who wrote gatekeeper#12?", "Who reviewed #16?", "Who reviewed gatekeeper#16?"),
        ("Who got most pull requests merged?", "What did they review in sluiceway?", "What did @ondrejm review in sluiceway?"),
    ],
)
def test_a_follow_up_means_the_whole_question(demo, then, first, second, same):
    whole = demo.ask(same, viewer=demo.viewer(), as_of=NOW, save=False)
    assert then(first, second).items == whole.items


@pytest.mark.parametrize(
    ("first", "second", "completed"),
    [
        # another name
        ("Who owns gate-control?", "and event-bus?", "Who owns event-bus?"),
        ("Who owns gate-control?", "what about the rota service?", "Who owns rota?"),
        ("Who is on call for the Platform team?", "and for Console?", "Who is on call for the Console team?"),
        ("What services belong to the team Console?", "and to Platform?", "What services belong to the team Platform?"),
        ("What caused INC-2?", "and INC-1?", "What caused INC-1?"),
        ("Who is on call for the Platform team?", "and for event-bus?", "Who is on call for event-bus?"),
        ("What is the ticket claim deadline?", "and the change freeze window?", "What is the change freeze window?"),
        # another time, or a place where none was named
        ("How many pull requests were merged in floodline in 2025?", "what about last year?", "How many pull requests were merged in floodline last year?"),
        ("How many pull requests were merged in 2025?", "and in floodline?", "How many pull requests were merged in 2025 in floodline?"),
        # what was named or found before
        ("Who owns gate-control?", "and who is on call for it?", "and who is on call for gate-control?"),
        ("Who owns gate-control?", "who leads it?", "who leads the Gates and Interlocks team?"),
        ("Who owns gate-control?", "what depends on it?", "what depends on gate-control?"),
        ("Which team owns metrics-store?", "who leads the team?", "who leads the Platform team?"),
        ("Who is on call for event-bus?", "which team is he in?", "which team is @ayobrandt in?"),
        ("Who knows most about gatekeeper?", "who reviews there?", "who reviews in gatekeeper?"),
        ("Who reviewed gatekeeper#12?", "did she merge it?", "did @tdabrowski merge gatekeeper#12?"),
        ("Which issues are open in fenproto?", "who opened the first one?", "who opened merefold/fenproto#27?"),
        ("What caused INC-2?", "who fixed it?", "who fixed INC-2?"),
        # a word alone
        ("When was gatekeeper#12 merged?", "why?", "Why was gatekeeper#12 merged?"),
        ("When was gatekeeper#12 merged?", "by whom?", "Who merged gatekeeper#12?"),
        ("Who merged gatekeeper#12?", "when?", "When was gatekeeper#12 merged?"),
        ("Who decided ADR-0015?", "why?", "Why did we decide ADR-0015?"),
        ("Which team owns metrics-store?", "and the members?", "Who belongs to the Platform team?"),
        ("Which services depend on event-bus?", "how many?", "How many services depend on event-bus?"),
    ],
)
def test_a_follow_up_is_completed(demo, asked, first, second, completed):
    assert Completing(asked(first), *reading(demo)).complete(second) == completed


def test_a_follow_up_of_a_follow_up_is_completed_from_the_whole_question(demo):
    me, before, run = demo.viewer(), None, None
    for question in ("How many pull requests were merged in gatekeeper in 2025?", "and in floodline?", "and in 2026?"):
        before = demo.ask(question, viewer=me, as_of=NOW, previous=run)
        run = before.run
    assert whole(before) == "How many pull requests were merged in floodline in 2026?"


@pytest.mark.parametrize(
    ("first", "second", "items"),
    [
        ("Which services depend on event-bus?", "which of them are owned by the gates team?", {"service:gate-control"}),
        ("Which issues are open in fenproto?", "which of them were opened by bjarki?", set()),
        ("Which issues are open in fenproto?", "which of those were opened by hamid-r?", {"issue:merefold/fenproto#27"}),
    ],
)
def test_which_of_them_gives_those_of_them_alone(then, first, second, items):
    answer = then(first, second)
    assert answer.state == "answered" and set(answer.items) == items, answer.text
    assert items or "None of these" in answer.text


@pytest.mark.parametrize("first", ["Who owns gate-control?", "Which issues are open in fenproto?", "Who reviewed gatekeeper#12?"])
def test_no_question_of_the_sets_is_taken_for_a_follow_up(demo, asked, first):
    completing = Completing(asked(first), *reading(demo))
    questions = [q.question for path in sorted(SETS.glob("demo*.jsonl")) for q in load(path)][::3]
    assert len(questions) > 100
    assert [q for q in questions if completing.complete(q) != q] == []


@pytest.mark.parametrize(
    "question",
    [
        "If a station goes silent, whom do I page for it?", "When the gateway does not come back, where do I find its plan?",
        "What is a tide model and how does it work?", "Is it true that event-bus is down?", "Whose job is it to rotate the keys?",
        "Which team renamed its channel?", 'Who wrote "it is what it is"?', "Who owns event-bus and who depends on it?",
        "Where was it noted that polls are slow?", "List the services, whatever their owner.", "Name those services that have no owner.",
        "Which of them were opened by bjarki?", "Is there a rule on the lunch window?", "Which service has Leila Farahani as its lead?", "Who knows how long it takes to merge?",
    ],
)  # fmt: skip
def test_a_pronoun_that_means_something_in_its_own_question_is_left(demo, asked, question):
    assert Completing(asked("Who owns gate-control?"), *reading(demo)).complete(question) == question


@pytest.mark.parametrize(
    "second", ["Who reviewed floodline#43?", "How many issues are open in crewboard?", "it", "?", "and", "and and and", "those"]
)
def test_a_question_that_stands_alone_is_left_alone(demo, then, second):
    alone = demo.ask(second, viewer=demo.viewer(), as_of=NOW, save=False)
    after = then("How many customers does merefold have?", second)
    assert after.items == alone.items and after.state == alone.state
