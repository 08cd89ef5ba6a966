"""The message for the chat: short, no ids, nobody called, and the next step."""

from dataclasses import replace

import pytest
from incident_made import CAUSE, INCOMPLETE, NAMES, NONE, PASSAGES, RIVALS, SIGNAL, at, hostile

from brain.incident.message import LONGEST, message

EVERY = [CAUSE, RIVALS, NONE, PASSAGES, INCOMPLETE, hostile()]


@pytest.mark.parametrize("inv", EVERY, ids=lambda i: f"{i.id}-{i.outcome}")
def test_it_is_short_and_holds_no_ids(inv):
    said = message(inv)
    assert len(said) < LONGEST and "\n\n" not in said
    assert not [key for key in NAMES if key in said] and inv.id not in said


def test_it_says_what_since_when_why_whom_and_what_next():
    said = message(CAUSE).splitlines()
    assert said[0] == "*SEV2: Checkout takes more than 4 seconds* on shop"  # its address is none to trust
    assert said[1] == "Since 2031-06-05 02:40 UTC, still firing"
    assert said[2].startswith("*Likely cause:* <https://deploys.bakery.example/q-118|order-queue 1.18 to production>, 1 h 30 min before") and "82%" in said[2]
    assert said[3].startswith("*Page:* Mo Adeyemi (on call for order-queue), #queue-help; then Bo Lind")
    assert "0.89" in said[4] and "Orders stood still" in said[4] and "rolling it back" in said[5] and "Draft" in said[6]


def test_rivals_are_all_named_and_none_is_called_the_cause():
    said = message(RIVALS)
    assert "none stands out" in said and "Longer timeouts" in said and "Likely cause" not in said and "rolling" not in said


def test_no_cause_is_said_in_so_many_words():
    assert "none found in what was searched" in message(NONE) and "nobody found" in message(NONE)
    assert "not finished" in message(INCOMPLETE)


def test_what_is_over_is_not_to_be_rolled_back():
    said = message(replace(CAUSE, signal=replace(SIGNAL, ended_at=at("05T03:40"))))
    assert "over at 2031-06-05 03:40 UTC" in said and "rolling" not in said and "confirm what it was" in said


def test_nobody_is_called_and_nothing_is_linked_by_words_of_others():
    said = message(hostile())
    assert "<" not in said and "@" not in said and "`" not in said and "://" not in said
    assert said.count("*") == 2 * 5 and said.count("_") == 2


def test_the_longest_names_leave_it_short():
    long = "x" * 400
    named = tuple(replace(s, name=long) for s in RIVALS.suspects)
    people = tuple(replace(p, name=long, why=long) for p in RIVALS.page)
    inv = replace(RIVALS, suspects=named, signal=replace(SIGNAL, title=long, service_name=long), page=people)
    assert len(message(inv)) < LONGEST and "Next:" in message(inv)
