"""Questions about another time, about who came and went, and about what is near and far, over a small company."""

from __future__ import annotations

import pytest


def people(*logins):
    return {f"person:{login}" for login in logins}


def services(*names):
    return {f"service:{name}" for name in names}


@pytest.mark.parametrize(
    ("question", "items"),
    [
        # whose turn it is at another time
        ("Who is on duty for Platform tomorrow?", people("ayobrandt")),
        ("Who has the secondary shift for Platform tomorrow?", people("mcoelho")),
        ("Who was on call for Platform on November 12th?", people("jwhitlock")),
        ("Who was on call for Platform in November 2025?", people("jwhitlock", "ayobrandt")),
        ("Whom should I page about metrics-store?", people("ayobrandt")),
        ("metrics-store is on fire, whom do I get out of bed?", people("ayobrandt")),
        # who came and who went
        ("Who left Platform?", people("moyelaran")),
        ("Who left the Boards and Billing team in September 2025?", people("leoquist")),
        ("Who joined Boards and Billing in 2025?", people("moyelaran")),
        ("Has anybody left Console this year?", {"no"}),
        # near and far
        ("What uses the levels API?", services("operator-console")),
        ("Which team uses the levels API?", {"team:console"}),
        ("Which services notice right away if event-bus fails?", services("gate-control", "gauge-store")),
        (
            "If event-bus dies, what else is hit, directly or down the line?",
            services("gate-control", "gauge-store", "operator-console", "threshold-watch", "tide-model"),
        ),
        ("Which teams would be hit by an outage of event-bus?", {"team:gates", "team:platform", "team:console"}),
        ("What are the dependencies of tide-model, transitively?", services("gauge-store", "event-bus") | {"resource:readings-db"}),
        ("How is tide-model connected to event-bus?", services("tide-model", "gauge-store", "event-bus")),
    ],
)
def test_the_time_the_move_and_the_reach_that_are_asked_for_are_answered(answer, question, items):
    found = answer(question)
    assert (found.state, set(found.items), [d.text for d in found.dropped]) == ("answered", items, [])


@pytest.mark.parametrize(
    "question",
    [
        "Who is on call for Platform in the coming sprint?",
        "Who is on call for Platform in ten weeks' time?",
        "Which deploys of event-bus are planned next week?",
        "Who left Platform in July 2025?",
        "What depends on the coffee machine?",
        "Who wrote the handbook on elephants?",
    ],
)
def test_what_was_not_understood_has_not_come_yet_or_is_unknown_is_not_answered(answer, question):
    found = answer(question)
    assert (found.state, found.items) == ("insufficient", ())


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Who has left the company?", people("leoquist")),
        ("Has anybody left the company in 2024?", {"no"}),
        ("Who belongs to Boards and Billing?", people("hyejinp", "moyelaran", "pnolan", "rachterberg")),
        ("Who belonged to Platform in May 2025?", people("ayobrandt", "jwhitlock", "leilaf", "mcoelho", "moyelaran", "ondrejm", "opritchard", "vhalloran")),
    ],
)
def test_who_is_there_are_those_who_have_not_left(answer, question, items):
    found = answer(question)
    assert (found.state, set(found.items)) == ("answered", items)


def test_somebody_who_did_something_that_nothing_tells_of_is_not_the_owner(answer):
    assert answer("Who sings about event-bus?").state == "insufficient"
