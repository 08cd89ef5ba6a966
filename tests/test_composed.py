"""Questions made of questions, over a company small enough to judge by hand: what limits a question is taken into account or named."""

from __future__ import annotations

import pytest


def services(*names):
    return {f"service:{name}" for name in names}


def people(*logins):
    return {f"person:{login}" for login in logins}


@pytest.mark.parametrize(
    ("question", "items"),
    [
        # what is left out is left out
        ("Is anyone besides the owning team fixing map-tiles?", {"yes"}),
        ("Which services does Platform own except event-bus?", services("gauge-store", "metrics-store", "site-gateway")),
        ("Which services does Platform own, apart from event-bus and metrics-store?", services("gauge-store", "site-gateway")),
        ("Was anything deployed besides event-bus?", {"yes"}),
        ("Who has changed assets/list.ts in mapdesk, not counting people who left?", people("pnolan")),
        ("Who made the most pull requests in mapdesk apart from Leopold Quist and Ondřej Malý?", people("pnolan")),
        # one and not the other, both of two
        ("Which services depend on event-bus but not on site-gateway?", services("gauge-store")),
        (
            "What breaks if event-bus goes down but not if site-gateway does?",
            services("gauge-store", "operator-console", "threshold-watch", "tide-model"),
        ),
        ("Does gate-control depend on both event-bus and site-gateway?", {"yes"}),
        ("Does gate-control depend on both event-bus and map-tiles?", {"no"}),
        ("Does gate-control depend on either map-tiles or event-bus?", {"yes"}),
        ("Which services depend on both event-bus and site-gateway?", services("gate-control")),
        ("Who contributed to mapdesk in May 2025 but not in September 2025?", people("leoquist")),
        # two questions in one
        ("Who owns event-bus and who is on call for it?", {"team:platform", *people("ayobrandt")}),
        ("Who owns map-tiles and does it depend on event-bus?", {"team:boards", "no"}),
        # the only one
        ("Is Pádraig Nolan the only one who changed assets/list.ts in mapdesk?", {"no"}),
        ("Is Ondřej Malý the only one who changed tiles/cache.ts in mapdesk?", {"yes"}),
        # more than the other
        ("Who made more pull requests in mapdesk, Pádraig Nolan or Ondřej Malý?", people("ondrejm")),
        ("Did more people work on mapdesk in 2024 than in 2025?", {"no"}),
        ("How many days lie between mapdesk#1 and mapdesk#3?", {"182"}),
        # what is denied
        ("Does map-tiles not depend on event-bus?", {"yes"}),
        ("Doesn't gate-control depend on event-bus?", {"yes"}),
        ("Which services are not owned by Platform?", services("asset-register", "callout-engine", "gate-control", "left-alone", "map-tiles")
         | services("operator-console", "rota", "threshold-watch", "tide-model")),
    ],
)  # fmt: skip
def test_what_limits_a_question_is_taken_into_account(answer, question, items):
    found = answer(question)
    assert (found.state, set(found.items), [d.text for d in found.dropped]) == ("answered", items, []), found.text


def test_it_is_said_who_was_left_out_and_who_is_left(answer):
    found = answer("Is anyone besides the owning team fixing map-tiles?")
    assert "besides the owning team: hyejinp and pnolan" in found.text
    assert "ondrejm" in found.text.partition("From")[2] and "ci[bot]" not in found.text


def test_a_denied_yes_or_no_says_how_it_is(answer):
    assert "That map-tiles does depend on event-bus is not so." in answer("Does map-tiles not depend on event-bus?").text
    assert "That gate-control does depend on event-bus is so." in answer("Does gate-control not depend on event-bus?").text


def test_of_two_questions_what_is_not_answered_is_said_and_the_rest_is_told(answer):
    found = answer("Who left in 2025 and who took over from them?")
    assert (found.state, found.items) == ("answered", ("person:leoquist",))
    assert found.text.startswith("Not answered: “who took over from them?”")


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who besides the interns knows map-tiles?", "besides the interns"),
        ("Which services depend on event-bus but not on the gizmo?", "but not on the gizmo"),
        ("Which files did nobody but Leopold Quist ever change in mapdesk?", "but Leopold Quist"),
        ("Who may merge to mapdesk?", "may merge"),
        ("How many pull requests were merged in mapdesk in May 2025 compared to June 2025?", "compared to June 2025"),
    ],
)
def test_a_limiting_word_that_is_not_understood_is_named_and_nothing_is_answered(answer, question, words):
    found = answer(question)
    assert (found.state, found.items) == ("insufficient", ()) and f"“{words}”" in found.text


def test_a_plain_question_is_answered_as_before(answer):
    plain = answer("Which services does Platform own?")
    assert set(plain.items) == services("event-bus", "gauge-store", "metrics-store", "site-gateway") and "Left out" not in plain.text
