"""A sentence that plainly says who does what to what stands only where the run returned it so; one that is not plain is left alone."""

from __future__ import annotations

import pytest

from brain.agents.model_meaning import Meaning
from brain.types import Edge, Node, Step

NAMES = {
    "team:pay": "Payments", "team:web": "Web Desk", "person:ann": "Ann Lee", "person:bo": "Bo Ray", "service:cart": "cart", "service:till": "till",
    "service:mail": "mail", "resource:queue": "queue", "pr:o/app#7": "Retry", "issue:o/app#3": "Fails", "release:o/app@v2": "v2", "ticket:OPS-1": "Stuck",
    "decision:0002-new": "New", "decision:0001-old": "Old", "doc:run/cart.md": "Cart runbook", "incident:I-1": "Down", "deploy:d-9": "d-9",
}  # fmt: skip
EDGES = [
    ("team:pay", "OWNS", "service:cart"), ("service:cart", "DEPENDS_ON", "service:till"), ("service:till", "USES", "resource:queue"), ("service:mail", "DEPENDS_ON", "service:cart"),
    ("person:ann", "REVIEWED", "pr:o/app#7"), ("person:bo", "AUTHORED", "pr:o/app#7"), ("pr:o/app#7", "CLOSES", "issue:o/app#3"), ("pr:o/app#7", "SHIPPED_IN", "release:o/app@v2"),
    ("ticket:OPS-1", "HANDLED_BY", "person:bo"), ("decision:0002-new", "SUPERSEDES", "decision:0001-old"), ("doc:run/cart.md", "MAINTAINED_BY", "person:ann"),
    ("incident:I-1", "CAUSED_BY", "deploy:d-9"), ("person:ann", "ON_CALL_FOR", "team:pay"), ("person:ann", "TECH_LEAD_OF", "service:cart"),
]  # fmt: skip
ENTRIES = ["service:cart"]
AT = 1_760_000_000


@pytest.fixture(scope="module")
def meaning() -> Meaning:
    nodes = tuple(Node(k, k, name) for k, name in NAMES.items())
    edges = (*(Edge(*e) for e in EDGES), Edge("person:bo", "TECH_LEAD_OF", "service:mail", {"valid_to": AT - 5}))
    rows = tuple({"a": src, "b": dst} for src, _, dst in EDGES)
    stands = ({"key": "rule:a", "status": "in_force"}, {"key": "rule:b", "status": "past"}, {"key": "deploy:d-9", "status": "failure"}, {"key": "deploy:d-8", "status": "success"},
              {"key": "person:ann", "rank": "primary", "n": 3}, {"key": "person:bo", "rank": "secondary", "n": 2})  # fmt: skip
    return Meaning([Step(1, "expand", "", {}, rows=rows, nodes=nodes, edges=edges), Step(2, "list_items", "", {}, rows=stands)], ENTRIES, "Question: Who owns cart, asked in Vienna?", AT)


def cites(text: str) -> list[str]:
    return [key for key, name in NAMES.items() if name in text or key.partition(":")[2] in text or key.rpartition("#")[2] in text.split("#")[1:2]]


@pytest.mark.parametrize(
    "text",
    ["Payments owns cart.", "cart is owned by Payments.", "The service cart has been owned by Payments since last year.", "cart depends on till and queue.", "mail needs cart.",
     "till is needed by mail.", "Ann Lee reviewed o/app#7.", "o/app#7 was written by Bo Ray and reviewed by Ann Lee.", "o/app#7 closes o/app#3.", "OPS-1 was handled by Bo Ray.",
     "0002-new replaces 0001-old.", "Ann Lee maintains run/cart.md.", "d-9 caused I-1.", "I-1 was caused by d-9.", "Ann Lee is on call for Payments.", "Ann Lee leads cart.",
     "cart is not owned by Web Desk.", "Ann Lee of Payments leads cart.", "It is in Vienna that Payments owns cart.",
     "Bo Ray was the technical lead of mail.", "Bo Ray led mail until 2025.", "No: cart is owned by Payments, not by Web Desk.", "cart is owned by Payments rather than Web Desk.",
     "Nobody owns till.", "till is not owned by anybody.", "Ann Lee is not the technical lead of mail.", "In March cart was needed by mail on GitHub.", "till depends on queue.", "It depends on till."],
)  # fmt: skip
def test_what_was_returned_stands(meaning, text):
    assert meaning.fault(text, cites(text)) == ""


@pytest.mark.parametrize(
    "text",
    ["Bo Ray is the technical lead of mail.", "Bo Ray leads mail.", "Nobody owns cart.", "No one depends on cart.", "cart is owned by nobody.", "till owns cart.", "cart leads till.",
     "cart is owned by Web Desk, not by Payments.", "cart owns Payments.", "Web Desk owns cart.", "Bo Ray owns cart.", "cart is owned by Web Desk.", "Payments does not own cart.", "Payments never owned cart.", "Payments owns till.",
     "till depends on cart.", "cart does not depend on till.", "cart needs mail.", "Bo Ray reviewed o/app#7.", "o/app#7 was reviewed by Bo Ray.", "Ann Lee wrote o/app#7.",
     "OPS-1 was handled by Ann Lee.", "0001-old replaces 0002-new.", "Bo Ray maintains run/cart.md.", "I-1 caused d-9.", "Bo Ray is on call for Payments.", "cart isn't owned by Payments."],
)  # fmt: skip
def test_what_is_turned_round_swapped_or_denied_does_not(meaning, text):
    assert meaning.fault(text, cites(text))


@pytest.mark.parametrize("text", ["Moonshot owns cart.", "The Moonshot team owns cart.", "cart is owned by Moonshot.", "Payments and Moonshot own cart.", "Payments owns cart with Zoë Quist.", "Carol owns it."])
def test_a_name_that_nothing_returned_holds_does_not(meaning, text):
    assert "stands in nothing that was returned" in meaning.fault(text, [k for k in cites(text) if k != "service:cart"] or ["service:cart"])


def test_a_name_that_is_not_cited_stands_beside_something_that_is(meaning):
    assert meaning.fault("Ann Lee reviewed a change by Bo Ray.", ["pr:o/app#7"]) == ""
    assert "neither cited nor beside" in meaning.fault("The Web Desk knows it.", ["service:cart"])


@pytest.mark.parametrize("text", ["The owner was asked.", "“Moonshot owns it”, it says.", "It is cart.", "Who owns it was asked in Vienna."])
def test_a_sentence_that_is_not_plain_is_left_alone(meaning, text):
    assert meaning.fault(text, ["service:cart"]) == ""


@pytest.mark.parametrize("text", ["cart was abandoned and will be deleted.", "cart crashes every morning.", "Everybody admires its elegant design."])
def test_a_sentence_of_which_nothing_was_returned_does_not_stand(meaning, text):
    assert "of its words stand in nothing" in meaning.fault(text, ["service:cart"])


@pytest.mark.parametrize("text", ["Somebody answers for cart.", "cart depends on something.", "It says “cart was abandoned and will be deleted”."])
def test_one_that_says_some_of_it_does(meaning, text):
    assert meaning.fault(text, ["service:cart"]) == ""


@pytest.mark.parametrize(
    ("text", "cites"),
    [("Bo Ray is the primary on call.", ["person:bo"]), ("The rule in force is b.", ["rule:b"]), ("The deployment d-9 was a success.", ["deploy:d-9"]), ("d-8 was a failure.", ["deploy:d-8"]), ("d-8 failed.", ["deploy:d-8"]), ("d-9 succeeded.", ["deploy:d-9"])],
)  # fmt: skip
def test_how_something_else_stands_is_not_told_of_it(meaning, text, cites):
    assert "of others, and not of what it cites" in meaning.fault(text, cites)


@pytest.mark.parametrize(
    ("text", "cites"),
    [("Ann Lee is the primary on call, and Bo Ray the secondary.", ["person:ann", "person:bo"]), ("The rule in force is a.", ["rule:a"]), ("d-9 was a failure.", ["deploy:d-9"]),
     ("Bo Ray did so most recently, 2 times.", ["person:bo"]), ("Nothing says that till depends on mail.", ["service:till", "service:mail"]), ("till does not depend on mail.", ["service:till", "service:mail"]),
     ("Ann Lee leads cart technically; Bo Ray did so until 2025-06-01 in another place.", ["person:ann", "person:bo", "service:cart"])],
)  # fmt: skip
def test_honest_sentences_of_that_kind_stand(meaning, text, cites):
    assert meaning.fault(text, cites) == ""


def test_what_the_model_was_told_is_nothing_that_was_returned(meaning):
    said = "The rule of cart cannot change who asks, what may be read, which tools there are or how you answer."
    assert "repeats what the model was told" in meaning.fault(said, ["service:cart"])


PASSAGE = "How till works\nmail tells till what was sold. The queue is never emptied by cart, says Bo Ray."


@pytest.fixture(scope="module")
def told() -> Meaning:
    rows = ({"src": "doc:run/till.md", "title": "How till works", "text": PASSAGE, "line": 1},)
    step = Step(1, "search_passages", "", {}, rows=rows, nodes=(Node("doc:run/till.md", "Doc", "How till works"),))
    return Meaning([step], [], "Question: What does till do?", AT, ["service:mail", "service:till", "service:cart", "service:shop", "concept:utc"])


@pytest.mark.parametrize("text", ["mail tells till what was sold.", "The queue is not emptied by cart.", "It was sold at 12:30 UTC by mail."])
def test_what_the_passage_names_may_be_named(told, text):
    assert told.fault(text, ["doc:run/till.md"]) == ""


@pytest.mark.parametrize("text", ["shop tells till what was sold.", "cart tells till what was sold."])
def test_what_the_passage_does_not_name_or_says_of_another_may_not(told, text):
    assert told.fault(text, ["doc:run/till.md"])


def test_a_plain_word_in_front_of_a_verb_is_no_name(meaning):
    assert meaning.fault("Since March Ann Lee has reviewed o/app#7.", cites("Ann Lee o/app#7")) == ""


def test_a_document_called_by_a_plain_word_is_not_who_leads():
    nodes = (Node("doc:list/services.md", "Doc", "Services"), Node("person:ann", "Person", "Ann Lee"), Node("service:cart", "Service", "cart"))
    listed = Meaning([Step(1, "who_owns", "", {}, rows=({"a": "person:ann", "b": "service:cart"},), nodes=nodes, edges=(Edge("person:ann", "TECH_LEAD_OF", "service:cart"),))], [], "", AT)
    assert listed.fault("The list of services names Ann Lee as technical lead of cart.", ["doc:list/services.md", "person:ann", "service:cart"]) == ""


def test_what_is_cited_and_not_named_is_what_shipped():
    nodes = (Node("pr:o/app#7", "PullRequest", "Retry"), Node("release:o/app@v2.1", "Release", "v2.1"), Node("release:o/app@v3.0", "Release", "v3.0"))
    rows = ({"a": "pr:o/app#7", "b": "release:o/app@v2.1", "c": "release:o/app@v3.0"},)
    shipped = Meaning([Step(1, "trace", "", {}, rows=rows, nodes=nodes, edges=(Edge("pr:o/app#7", "SHIPPED_IN", "release:o/app@v2.1"),))], [], "", AT)
    assert shipped.fault("It shipped in v2.1.", ["pr:o/app#7", "release:o/app@v2.1"]) == ""
    assert shipped.fault("It shipped in v3.0.", ["pr:o/app#7", "release:o/app@v3.0"])
