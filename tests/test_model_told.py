"""Words are those of who wrote them, and work is that of who had a hand in it."""

from __future__ import annotations

import pytest

from brain.agents.model_hands import Hands
from brain.agents.model_told import Told
from brain.types import Edge, Node, Step

PEOPLE = (Node("person:ann", "Person", "Ann Lee"), Node("person:bo", "Person", "Bo Ray"), Node("person:cy", "Person", "Cy Dow"))
NODES = (*PEOPLE, Node("pr:o/a#1", "PullRequest", "Cut the queue to ten", {"author": "ann"}), Node("ticket:T-1", "Ticket", "Leak"))
EDGES = (Edge("ticket:T-1", "HANDLED_BY", "person:bo"),)
ROWS = (
    {"src": "pr:o/a#1", "title": "Cut the queue to ten", "text": "Cut the queue to ten\nTen is enough.", "author": "ann"},
    {"src": "pr:o/a#1", "title": "Cut the queue to ten", "text": "Cut the queue to ten\nIs it enough for all?", "author": "bo"},
    {"key": "deploy:d", "name": "till v2 to production", "author": "Ann Lee"},
)
STEPS = [Step(1, "search_text", "", {}, rows=ROWS, nodes=NODES, edges=EDGES)]
NAMES = {n.key: {n.name} for n in NODES}


@pytest.mark.parametrize(
    "sentence",
    ["Bo Ray asked “Is it enough for all?”", "Bo Ray (bo) doubted it and asked “Is it enough for all?”", "Ann Lee wrote “Ten is enough.”", "The request is called “Cut the queue to ten”, says Ann Lee."],
)  # fmt: skip
def test_words_of_who_wrote_them_stand(sentence):
    assert Told(STEPS, NAMES).fault(sentence, ["pr:o/a#1"]) == ""


@pytest.mark.parametrize("sentence", ["Ann Lee asked “Is it enough for all?”", "Cy Dow wrote “Ten is enough.”"])
def test_words_of_somebody_else_do_not(sentence):
    assert "the words of" in Told(STEPS, NAMES).fault(sentence, ["pr:o/a#1"])


@pytest.mark.parametrize(
    ("sentence", "cites"),
    [("Bo Ray handled T-1.", ["ticket:T-1"]), ("Ann Lee cut the queue to ten.", ["pr:o/a#1"]), ("Bo Ray asked about the queue.", ["pr:o/a#1"]), ("Ann Lee deployed till.", ["deploy:d"]),
     ("Cy Dow did not handle T-1.", ["ticket:T-1"]), ("Ann Lee and Cy Dow know T-1.", ["ticket:T-1"])],
)  # fmt: skip
def test_who_was_returned_with_the_work_stands(sentence, cites):
    assert Hands(STEPS).fault(sentence, cites) == ""


@pytest.mark.parametrize(
    ("sentence", "cites"),
    [("Cy Dow handled T-1.", ["ticket:T-1"]), ("Ann Lee carried out T-1.", ["ticket:T-1", "person:ann"]), ("Bo Ray (bo) cut the queue to ten.", ["pr:o/a#1"]), ("Bo Ray opened it.", ["pr:o/a#1"]),
     ("Cy Dow deployed till.", ["deploy:d"]), ("till was deployed by Bo Ray.", ["deploy:d"])],
)  # fmt: skip
def test_who_was_not_does_not(sentence, cites):
    assert Hands(STEPS).fault(sentence, cites)


AGREED = [Step(1, "decision", "", {}, rows=({"key": "decision:7", "reason": "The queue filled. Taken by the guild; the rota called her. The person on call decides it."},), nodes=PEOPLE)]


@pytest.mark.parametrize("by", ["the guild", "Bo Ray", "Friday"])
def test_who_agreed_is_whom_a_text_names_or_somebody_who_was_returned(by):
    assert Hands(AGREED).fault(f"The decision was accepted by {by}.", ["decision:7"]) == ""


def test_who_is_said_to_agree_in_other_words_agreed():
    assert Hands(AGREED).fault("It is decided by the person on call.", ["decision:7"]) == ""


@pytest.mark.parametrize("text", ["The decision was accepted by the rota.", "It was quickly approved by a queue after that."])
def test_what_nothing_says_agreed_did_not(text):
    assert "that it was by" in Hands(AGREED).fault(text, ["decision:7"])
