"""What “my team”, “what we own” and “assigned to me” mean: from what was told, else from what may be read, else nothing."""

import pytest
import small_company
from small_graph import NOW
from test_memory import ask, memory

from brain.agents.followup import whole
from brain.brain import Brain
from brain.store import graph_name

WS = "mine"


@pytest.fixture(scope="module")
def company(home, shared_store):
    opened = Brain.open(home, WS)
    small_company.build(opened.store, WS)
    opened.store.set_meta(WS, {"stands_at": str(NOW)})
    opened._embedder.append(None)
    yield opened
    opened.close()


@pytest.fixture
def brain(company):
    for graph in company.store.graphs(graph_name(WS, "mem:")):
        company.store.drop(graph)
    return company


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("who leads my team?", "who leads the platform team?"),
        ("who is in my team?", "who is in the platform team?"),
        ("Who is my team lead?", "Who leads the platform team?"),
        ("who is our on-call engineer?", "who is on call for the platform team?"),
        ("who is on call for us?", "who is on call for the platform team?"),
        ("which services do we own?", "which services does the platform team own?"),
        ("what depends on the services we own?", "what depends on the services the platform team owns?"),
        ("which services are owned by us?", "which services are owned by the platform team?"),
        ("who are my teammates?", "who are the members of the platform team?"),
        ("which tickets are assigned to me?", "which tickets are assigned to @leilaf?"),
        ("my open pull requests", "@leilaf's open pull requests"),
        ("what did I merge in 2025?", "what did @leilaf merge in 2025?"),
        ("what do I own?", "what does @leilaf own?"),
    ],
)
def test_words_about_oneself_get_their_meaning_from_what_may_be_read(brain, asked, meant):
    answer = ask(brain, "leilaf", asked)
    assert whole(answer).lower() == meant.lower()
    (step,) = [s for s in answer.steps if s.tool == "memory"]
    assert "from docs/registry/people.md" in step.why or "from your login" in step.why


def test_what_was_told_goes_before_what_may_be_read_and_the_answer_says_which(brain):
    read = ask(brain, "leilaf", "who is on call for us?")
    ask(brain, "leilaf", "I am in the gates team")
    told = ask(brain, "leilaf", "who is on call for us?")
    assert whole(told) == "who is on call for the Gates and Interlocks team?" != whole(read)
    assert "from what you told me on" in told.text and "from docs/registry/people.md" in read.text
    assert told.items == brain.ask("who is on call for the gates team?", viewer=brain.viewer("leilaf"), save=False).items


def test_my_services_are_those_told_of_and_one_of_several_is_not_guessed(brain):
    ask(brain, "leilaf", "I work on event-bus")
    assert whole(ask(brain, "leilaf", "Who owns my service?")) == "Who owns event-bus?"
    ask(brain, "leilaf", "I work on rota")
    several = ask(brain, "leilaf", "Who owns my service?")
    assert several.state == "insufficient" and "event-bus" in several.text and "rota" in several.text and not several.items
    which = ask(brain, "leilaf", "which of my services are owned by the duty team?")
    assert which.items == ("service:rota",), which.text


def test_my_services_are_read_where_none_was_told(brain):
    answer = ask(brain, "leilaf", "who depends on my service?")
    assert "event-bus" in whole(answer) and "from what you told me" not in answer.text


@pytest.mark.parametrize("asked", ["who leads my team?", "which services do we own?", "Who owns my service?", "which tickets are assigned to me?"])
def test_what_nothing_says_is_said_to_be_unknown_and_not_guessed(brain, asked):
    answer = ask(brain, "local", asked)
    assert answer.state == "insufficient" and "is not known" in answer.text and "Tell me" in answer.text and not answer.items


@pytest.mark.parametrize(
    "asked",
    [
        "Which of our repositories has most issues?", "What does our rule on the ticket claim deadline say?", "Whom do I page for event-bus?",
        "Where did we discuss the tile cache?", "Why did we decide ADR-0007?", 'Who said "my team is tired"?', "Who told us about event-bus?",
        "When did I or anybody else say so?", "How do I restart event-bus?",
    ],
)  # fmt: skip
def test_words_that_mean_the_company_or_anybody_are_left(brain, asked):
    answer = ask(brain, "leilaf", asked)
    assert whole(answer) == asked and not [s for s in answer.steps if s.tool == "memory"]


def test_what_one_is_asked_about_alone_is_told(brain):
    assert ask(brain, "leilaf", "what is my team?").items == ("team:platform",)
    ask(brain, "leilaf", "I work on rota")
    assert ask(brain, "leilaf", "what are my services?").items == ("service:rota",)
    assert "You work on rota: “I work on rota”" in ask(brain, "leilaf", "what do you know about me?").text


def test_a_fact_is_forgotten_with_what_was_completed_from_it(brain):
    ask(brain, "leilaf", "I work on rota")
    ask(brain, "leilaf", "Who owns my service?")
    held = memory(brain, "leilaf")
    assert held.forget(held.facts()[0].id).wiped == 1
    (turn,) = held.turns()
    assert (turn.question, turn.completed, turn.runs) == ("Who owns my service?", "", ())
