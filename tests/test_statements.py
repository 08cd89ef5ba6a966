"""What a model states of what it cites is in the rows that tell of it, and what anybody wrote there breaks nothing."""

from __future__ import annotations

import pytest

from brain.agents.run import Fact
from brain.statements import Statements
from brain.types import Node, Step

REPORT = "The bus stood still\n---\nid: I-7\nstart: 2026-03-05T08:20:00Z\nend: 2026-03-05T09:40:00Z\n---\n\n" + "Nobody was hurt and all was well again soon. " * 8 + "\n\nThe queue held 90 messages. Two hours later 30 were left."
BROKEN = REPORT.replace("03-05T08:20", "99-99T99:99")
NODES = (Node("doc:report.md", "Doc", "The bus stood still"), Node("pr:o/a#1", "PullRequest", "Retry", {"created_at": 1_780_000_000, "closed_at": 1_780_350_000}))
RULE = {"key": "rule:answer", "name": "First answer", "value": "2 working hours", "conditions": "working days"}


def unheld(text: str, cites: tuple[str, ...], report: str = REPORT) -> str:
    rows = ({"src": "doc:report.md", "title": "The bus stood still", "text": report}, RULE, {"key": "pr:o/a#1", "name": "Retry", "priority": "SEV3"})
    return Statements([Step(1, "search_text", "", {}, rows=rows, nodes=NODES)], [], strict=True).unheld(Fact(text, cites, (), 1))


@pytest.mark.parametrize(
    ("text", "cites"),
    [("The queue held 90 messages.", ("doc:report.md",)), ("Two hours later 30 messages were left.", ("doc:report.md",)), ("It lasted 80 minutes.", ("doc:report.md",)),
     ("It began at 08:20 and ended at 09:40.", ("doc:report.md",)), ("An answer is due within 2 working hours.", ("rule:answer",)), ("It was closed four days later.", ("pr:o/a#1",))],
)  # fmt: skip
def test_what_is_held_is_held(text, cites):
    assert unheld(text, cites) == ""


@pytest.mark.parametrize(
    ("text", "cites"),
    [("The queue held 30 messages.", ("doc:report.md",)), ("It lasted 50 minutes.", ("doc:report.md",)), ("It began at 09:40.", ("doc:report.md",)), ("An answer is due within 2 working days.", ("rule:answer",)),
     ("It was closed nine days later.", ("pr:o/a#1",)), ("It lasted three days.", ("pr:o/a#1",))],
)  # fmt: skip
def test_what_is_of_something_else_is_not(text, cites):
    assert unheld(text, cites)


def test_a_time_that_is_none_is_no_instant():
    assert unheld("It lasted 80 minutes.", ("doc:report.md",), BROKEN) == "80"


@pytest.mark.parametrize("strange", [10**13, -5, 1e14, "x", None])
def test_a_number_that_is_no_instant_breaks_nothing(strange):
    step = Step(1, "measure", "", {}, rows=({"key": "2026-03", "n": strange, "total": strange, "at": strange, "merged_at": strange},), nodes=NODES)
    assert Statements([step], [], strict=True).unheld(Fact("There were 7.", ("pr:o/a#1",), (), 1)) == "7"
