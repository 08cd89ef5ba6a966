"""Questions about tickets that are somebody's or nobody's, about what is going on, and about words that say which one is meant."""

from __future__ import annotations

import pytest

ALERT = "alert:0e06d5f413d88dc9"
HANDLED = {f"ticket:FLD-{n}" for n in (1, 2, 3)}


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("What is assigned to Kofi Danquah?", {"ticket:OPS-187"}),
        ("Which tickets are on event-bus that are not done yet?", {"ticket:OPS-190"}),
        ("Which tickets about map-tiles are still unfinished?", set()),
        ("How many tickets have no assignee?", {"7"}),
        ("Are any tickets without an assignee?", HANDLED | {f"ticket:OPS-{n}" for n in (1, 2, 3, 190)}),
        ("Which unassigned tickets are still open?", {"ticket:OPS-190"}),
        ("Is anything firing right now?", {ALERT}),
        ("Which alerts are firing on threshold-watch?", {ALERT}),
        ("Is anything firing on event-bus at the moment?", {"no"}),
        ("Was anything firing on 2025-11-20?", {"no"}),
        ("What was alerting on 2025-11-29?", {ALERT}),
        ("How many times was event-bus deployed?", {"2"}),
        ("How often did we deploy in October 2025?", {"1"}),
        ("Which incident was about late thresholds?", {"incident:INC-3"}),
        ("Which tickets has Padraig Nolan fixed?", HANDLED),
    ],
)  # fmt: skip
def test_what_is_somebodys_and_what_is_going_on(answer, question, items):
    found = answer(question)
    assert (found.state, set(found.items)) == ("answered", items), found.text


@pytest.mark.parametrize(
    "question",
    ["Which incident was about purple elephants?", "Which alerts mention sunflowers?", "Who is the CFO?", "Which tickets has nobody verified?", "Who is the head of catering?", "Who passed OPS-190 to Kofi Danquah?"],
)  # fmt: skip
def test_words_that_nothing_has_are_said_and_not_left_out(answer, question):
    found = answer(question)
    assert found.state == "insufficient" and not found.items, found.text


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Which deploys failed?", {"deploy:event-bus-20251015-1000"}),
        ("How many deploys failed in 2025?", {"1"}),
        ("Which deploys were rolled back?", set()),
        ("What does Kofi Danquah still have to do?", set()),
    ],
)
def test_how_it_ended_is_no_filter_to_leave_out(answer, question, items):
    found = answer(question)
    assert (found.state, set(found.items)) == ("answered", items), found.text


def test_why_an_open_ticket_was_closed_is_corrected(answer):
    assert answer("Why was OPS-190 closed?").state == "premise_corrected"
    assert answer("When was OPS-190 fixed?").state == "premise_corrected"
    assert answer("When was OPS-187 closed?").items == ("2025-11-28",)


def test_tickets_of_two_people_are_those_that_went_from_one_to_the_other(answer):
    found = answer("Which tickets did Pádraig Nolan hand to Kofi Danquah?")
    assert found.state == "insufficient" and not found.items, found.text


def test_tickets_of_a_team_to_which_none_are_assigned_are_about_what_it_owns(answer):
    found = answer("Which Platform tickets are open?")
    assert set(found.items) == {"ticket:OPS-190"}, found.text


def test_a_number_of_no_ticket_is_said(answer):
    found = answer("Who handled ticket 999999?")
    assert found.state == "insufficient" and "999999" in found.text
