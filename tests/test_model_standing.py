"""How a thing stands, when it happened and which is the most is told as it was returned of that very thing."""

from __future__ import annotations

import pytest

from brain.agents.model_standing import Standing
from brain.types import Node, Step

NODES = (
    Node("pr:o/a#1", "PullRequest", "One", {"state": "merged", "merged_at": 1_780_000_000}), Node("pr:o/a#2", "PullRequest", "Two", {"state": "closed", "closed_at": 1_780_000_000}),
    Node("ticket:T-1", "Ticket", "Leak", {"state": "Open"}), Node("ticket:T-2", "Ticket", "Drip", {"state": "Done"}), Node("alert:a", "Alert", "Hot", {"status": "resolved"}),
)  # fmt: skip
ROWS = ({"key": "rule:new", "status": "in_force"}, {"key": "rule:old", "status": "past"}, {"key": "decision:no", "stated": "rejected", "status": "rejected"},
        {"key": "deploy:1", "state": "success", "at": 1_780_000_000, "total": 2}, {"key": "deploy:2", "state": "failure", "at": 1_780_100_000, "total": 2})  # fmt: skip
COUNTS = ({"key": "person:ann", "tickets": 7, "people": 2}, {"key": "person:bo", "tickets": 5, "people": 2}, {"key": "alert:a", "priority": "warning"})


@pytest.fixture(scope="module")
def standing() -> Standing:
    return Standing([Step(1, "details", "", {}, rows=ROWS, nodes=NODES), Step(2, "handled_by", "", {}, rows=COUNTS)])


@pytest.mark.parametrize(
    ("sentence", "cites"),
    [("It was merged.", ["pr:o/a#1"]), ("It was closed and merged.", ["pr:o/a#1"]), ("It was closed without being merged.", ["pr:o/a#2"]), ("T-1 is still open.", ["ticket:T-1"]),
     ("T-2 is done, and T-1 is open.", ["ticket:T-1", "ticket:T-2"]), ("T-2 was open for a day.", ["ticket:T-2"]), ("T-1 is not solved.", ["ticket:T-1"]), ("The rule has been in force since May.", ["rule:new"]),
     ("It was rejected.", ["decision:no"]), ("Today the new rule holds.", ["rule:new"]), ("Today the new rule holds in place of the old.", ["rule:new", "rule:old"]), ("One succeeded.", ["deploy:1"]),
     ("It was merged on 28 May 2026.", ["pr:o/a#1"]), ("Ann handled the most.", ["person:ann"]), ("Bo handled the fewest.", ["person:bo"]), ("The oldest is 1.", ["deploy:1"]), ("It was a warning.", ["alert:a"]),
     ("The team is open.", ["team:x"])],
)  # fmt: skip
def test_what_was_returned_stands(standing, sentence, cites):
    assert standing.fault(sentence, cites) == ""


@pytest.mark.parametrize(
    ("sentence", "cites"),
    [("It was merged.", ["pr:o/a#2"]), ("It was closed without being merged.", ["pr:o/a#1"]), ("T-1 is done.", ["ticket:T-1"]), ("T-2 is still open.", ["ticket:T-2"]), ("The alert is still firing.", ["alert:a"]),
     ("The rule has been in force since May.", ["rule:old"]), ("It has been in force since May.", ["decision:no"]), ("It was accepted.", ["decision:no"]), ("Today the old rule holds.", ["rule:old"]),
     ("All deploys succeeded.", ["deploy:1", "deploy:2"]), ("It was merged on 29 May 2026.", ["pr:o/a#1"]), ("Bo handled the most.", ["person:bo"]), ("Bo handled more than anybody else.", ["person:bo"]),
     ("Ann handled the fewest.", ["person:ann"]), ("The oldest is 2.", ["deploy:2"]), ("The newest is 1.", ["deploy:1"]), ("It was critical.", ["alert:a"])],
)  # fmt: skip
def test_what_stands_otherwise_does_not(standing, sentence, cites):
    assert standing.fault(sentence, cites)


def test_what_a_list_was_filtered_by_stands_of_all_of_it():
    listed = ({"key": "ticket:A", "state": "In Progress"}, {"key": "ticket:B", "state": "Open"})
    asked, free = (Standing([Step(1, "list_items", "", args, rows=listed)]) for args in ({"state": "open"}, {}))
    assert free.like_others({"open"}, frozenset({"ticket:A"}), frozenset())
    assert not asked.like_others({"open"}, frozenset({"ticket:A"}), frozenset())
