"""Whether somebody ever had a hand in a place, still has, and since when; and when things hold, happened or stand, on a small company."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Did tdabrowski ever touch the modbus code?", {"yes"}),
        ("Did Pádraig Nolan ever touch the modbus code?", {"no"}),
        ("Has Ondřej Malý ever touched assets/list.ts?", {"no"}),
        ("Did Park Hye-jin work on map-tiles in 2025?", {"yes"}),
        ("Did Park Hye-jin work on map-tiles in 2024?", {"no"}),
        ("Is Leopold Quist still active in mapdesk?", {"yes"}),
        ("since when is Ondřej Malý contributing to mapdesk?", {"2025-03-03"}),
        ("Who changed assets/list.ts in mapdesk last?", {"person:pnolan"}),
        # since when something holds that is described
        ("Since when do batches on the bus close within two seconds?", {"2025-03-25"}),
        ("Was the ticket claim deadline ever 8 hours?", {"yes"}),
        ("Has the ticket claim deadline always been 4 hours?", {"no"}),
        ("Has the diagnosis deadline always been 24 hours?", {"yes"}),
        # what happened in a stretch of time
        ("Did ThresholdEvaluationLag fire in October 2025?", {"no"}),
        ("Did ThresholdEvaluationLag fire in November 2025?", {"yes"}),
        ("What changed on event-bus in the two hours before ThresholdEvaluationLag?", {"deploy:event-bus-20251129-0111"}),
        ("Which services had a deployment in November 2025?", {"service:event-bus", "service:threshold-watch"}),
        ("Which teams are there?", {"team:boards", "team:console", "team:duty", "team:gates", "team:platform", "team:secret"}),
        ("Which team owns the most services?", {"team:platform"}),
        ("Is threshold-watch down right now?", {"alert:0e06d5f413d88dc9"}),
    ],
)
def test_what_is_asked_of_time_and_place_is_answered(answer, question, items):
    found = answer(question)
    assert (found.state, set(found.items), [d.text for d in found.dropped]) == ("answered", items, []), found.text


def test_services_without_a_deployment_are_all_but_those_that_had_one(answer):
    every, had = (set(answer(q).items) for q in ("Which services are there?", "Which services had a deployment in November 2025?"))
    assert set(answer("Which services had no deployment in November 2025?").items) == every - had and had


def test_whether_something_is_up_is_not_told_from_words_about_it(answer):
    found = answer("Is event-bus down right now?")
    assert found.state == "insufficient" and "No alert and no incident of event-bus" in found.text


def test_code_that_is_nowhere_is_said_to_be_nowhere(answer):
    found = answer("Did tdabrowski ever touch the frobnicator code?")
    assert found.state == "insufficient" and "frobnicator" in found.text


def test_since_when_is_not_the_day_a_document_was_written(answer):
    found = answer("Since when does a site gateway get restarted?")
    assert found.state == "insufficient" or not found.items


def test_the_part_of_a_repository_that_is_asked_about_is_not_taken_for_the_whole(answer):
    part, whole = answer("Who knows the modbus side of gatekeeper?"), answer("Who knows gatekeeper?")
    assert part.items and all("internal/modbus" in c.text for c in part.claims) and "gatekeeper," not in part.text
    assert any("merefold/gatekeeper" in c.text for c in whole.claims)
    none = answer("Who knows the frobnicator side of gatekeeper?")
    assert none.state == "insufficient" and "frobnicator" in none.text
    other = answer("Who knows snow clearing in gatekeeper best?")
    assert other.state == "insufficient" or "not taken into account" in other.text


@pytest.mark.parametrize(
    ("question", "near"),
    [("Who owns map-tyles?", "map-tiles"), ("Who is on call for the platfrom?", "platform"), ("What breaks if gage-store fails?", "gauge-store")],
)
def test_a_misspelt_name_is_said_to_be_near_to_one_and_is_not_left_out(answer, question, near):
    found = answer(question)
    assert (found.state, found.items) == ("insufficient", ()) and f"near to it is {near}" in found.text
