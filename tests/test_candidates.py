"""Claims that wait for a person: listed with their words, decided at once and for good, taken back exactly, and never in an answer."""

import re

import pytest
from claims_graph import Company, lines
from tiny_org import brain_of, dump

from brain import catalogue, permissions, schema
from brain.errors import BadInput

TALK = lines("the pump at Holme jumps at midnight", "taking OPS-7 then", "I think Bo fixed OPS-8", "Bo is bo2 in chat")
SECRET = lines("quietly: Cy caused it",)


@pytest.fixture
def company():
    made = Company()
    for key in ("person:ada", "person:bo", "person:cy", "team:locks", "service:pump", "account:slack/u2"):
        made.node(key)
    for ticket in ("ticket:OPS-7", "ticket:OPS-8"):
        made.node(ticket, access="open")
    made.node("message:field/1", "talk", access="open")
    made.node("thread:field/1", "talk", access="open")
    made.node("message:secret/1", "secret talk", access="restricted")
    made.text("message:field/1", TALK)
    made.text("message:secret/1", SECRET, "restricted")
    made.claim("ticket:OPS-7", "HANDLED_BY", "person:ada", "message:field/1", 2, "taking OPS-7 then")
    made.claim("ticket:OPS-8", "HANDLED_BY", "person:bo", "message:field/1", 3, "I think Bo fixed OPS-8", state="candidate")
    made.claim("thread:field/1", "SIMILAR_TO", "ticket:OPS-7", "message:field/1", 1, "jumps at midnight", state="candidate", authority="observation")
    made.claim("account:slack/u2", "SAME_AS", "person:bo", "message:field/1", 4, "Bo is bo2 in chat", state="candidate")
    made.claim("ticket:OPS-7", "HANDLED_BY", "person:cy", "message:secret/1", 1, "Cy caused it", state="candidate", access="restricted")
    return made


@pytest.fixture
def brain(home, shared_store, company, request):
    opened = brain_of(home, "cand-" + re.sub(r"\W", "", request.node.name)[:40])
    company.build(opened.store, opened.workspace)
    opened.clock = lambda: 1_790_000_000
    return opened


def who(brain, name="local"):
    return brain.candidates(brain.viewer(name))


def handlers(brain, ticket="ticket:OPS-8"):
    rows = brain.tools["expand"].run(brain.asking(brain.viewer("guest")), key=ticket, rels=["HANDLED_BY"]).rows
    return [r["key"] for r in rows]


def test_what_waits_is_listed_with_its_words_and_where_they_stand(brain):
    total, found = who(brain).page(rels=["HANDLED_BY"], words="OPS-8")
    assert total == 1 and (found[0].src, found[0].dst, found[0].dst_name) == ("ticket:OPS-8", "person:bo", "bo")
    assert (found[0].quote, found[0].source, found[0].line) == ("I think Bo fixed OPS-8", "message:field/1", 3)
    assert who(brain).counts() == {"HANDLED_BY": 2, "SAME_AS": 1, "SIMILAR_TO": 1}


def test_a_page_at_a_time_is_in_one_order_and_leaves_nothing_out(brain):
    every = [c.aid for c in who(brain).page()[1]]
    assert [who(brain).page(skip=i, k=1)[1][0].aid for i in range(4)] == every and len(set(every)) == 4


def test_who_may_not_read_a_source_sees_no_claim_of_it(brain, company):
    total, found = who(brain, "guest").page()
    assert total == 3 and "person:cy" not in {c.dst for c in found}
    assert who(brain, "guest").counts()["HANDLED_BY"] == 1
    assert who(brain, "nobody").page() == (0, [])
    assert who(brain, "guest").of([company.aids["ticket:OPS-7", "HANDLED_BY", "person:cy"]]) == []


@pytest.mark.parametrize("name", ["guest", "someone", "nobody"])
def test_only_the_administrator_decides(brain, company, name):
    aid = company.aids["ticket:OPS-8", "HANDLED_BY", "person:bo"]
    before = dump(brain.store, brain.workspace)
    with pytest.raises(BadInput, match="only the administrator"):
        brain.decide([aid], "approved", brain.viewer(name))
    made = brain.decide([aid], "approved", brain.viewer("local"))
    with pytest.raises(BadInput, match="only the administrator"):
        brain.undo(made.n, brain.viewer(name))
    brain.undo(made.n, brain.viewer("local"))
    assert dump(brain.store, brain.workspace) == before


def test_a_candidate_is_in_no_answer_until_it_is_approved_and_then_at_once(brain, company):
    aid = company.aids["ticket:OPS-8", "HANDLED_BY", "person:bo"]
    assert handlers(brain) == []
    brain.decide([aid], "approved", brain.viewer("local"), "he said so himself")
    assert handlers(brain) == ["person:bo"]
    assert [c.state for c in who(brain).of([aid])] == ["approved"] and who(brain).counts()["HANDLED_BY"] == 1


def test_a_rejected_claim_leaves_the_queue_and_answers_alike(brain, company):
    brain.decide([company.aids["ticket:OPS-7", "HANDLED_BY", "person:ada"]], "rejected", brain.viewer("local"))
    assert handlers(brain, "ticket:OPS-7") == []
    assert [c.dst for c in who(brain).page(states=["rejected"])[1]] == ["person:ada"]


def test_many_are_decided_in_one_go_and_taken_back_in_one_go(brain):
    before = dump(brain.store, brain.workspace)
    aids = [c.aid for c in who(brain).page(rels=["HANDLED_BY", "SIMILAR_TO"])[1]]
    made = brain.decide(aids, "approved", brain.viewer("local"))
    assert len(made.aids) == 3 and who(brain).counts() == {"SAME_AS": 1}
    brain.undo(made.n, brain.viewer("local"))
    assert dump(brain.store, brain.workspace) == before


def test_taking_back_restores_what_each_claim_was(brain, company):
    """An approved claim that was rejected is approved again, not a candidate; one decided twice is as it was decided first."""
    approved, waiting = (company.aids[k] for k in (("ticket:OPS-7", "HANDLED_BY", "person:ada"), ("ticket:OPS-8", "HANDLED_BY", "person:bo")))
    admin = brain.viewer("local")
    first = brain.decide([waiting], "approved", admin)
    second = brain.decide([approved, waiting], "rejected", admin)
    brain.undo(second.n, admin)
    assert handlers(brain) == ["person:bo"] and handlers(brain, "ticket:OPS-7") == ["person:ada"]
    brain.undo(first.n, admin)
    assert handlers(brain) == [] and handlers(brain, "ticket:OPS-7") == ["person:ada"]
    with pytest.raises(BadInput, match="no decision"):
        brain.undo(first.n, admin)


def test_the_history_tells_who_decided_what_why_and_whether_it_stands(brain, company):
    admin = brain.viewer("local")
    made = brain.decide([company.aids["ticket:OPS-8", "HANDLED_BY", "person:bo"]], "rejected", admin, "  hearsay ")
    brain.decide([company.aids["ticket:OPS-7", "HANDLED_BY", "person:cy"]], "approved", admin)
    brain.undo(made.n, admin)
    last, first = who(brain).history()
    assert (first.decision.by, first.decision.reason, first.taken_back) == ("local", "hearsay", True)
    assert not last.taken_back and [c.dst for c in last.claims] == ["person:cy"]
    assert [d.decision.reason for d in who(brain, "guest").history()] == ["hearsay"]


def test_who_does_not_decide_hears_of_decisions_about_what_they_may_read_and_of_no_other(brain, company):
    hidden, seen = (company.aids[key] for key in (("ticket:OPS-7", "HANDLED_BY", "person:cy"), ("ticket:OPS-8", "HANDLED_BY", "person:bo")))
    brain.decide([hidden], "rejected", brain.viewer("local"), "a secret reason")
    brain.decide([seen], "rejected", brain.viewer("local"), "hearsay")
    brain.decide([seen, hidden], "rejected", brain.viewer("local"), "both, which says something of the other")
    (only,) = who(brain, "guest").history()
    assert (only.decision.reason, only.decision.n, only.decision.aids) == ("hearsay", 0, (seen,))
    assert [d.decision.n for d in who(brain).history()] == [3, 2, 1]


def test_a_decision_about_something_that_is_not_there_changes_nothing(brain, company):
    aid = company.aids["ticket:OPS-8", "HANDLED_BY", "person:bo"]
    for aids, state in (([aid, "gone"], "approved"), ([], "approved"), ([aid], "maybe")):
        with pytest.raises(BadInput):
            brain.decide(aids, state, brain.viewer("local"))
    assert who(brain).counts()["HANDLED_BY"] == 2 and who(brain).history() == []


def test_nothing_is_decided_while_a_load_is_under_way(brain, company):
    aid = company.aids["ticket:OPS-8", "HANDLED_BY", "person:bo"]
    with brain.files.lock(), pytest.raises(BadInput, match="another load"):
        brain.decide([aid], "approved", brain.viewer("local"))
    assert who(brain).history() == []


def test_who_is_who_needs_the_graph_made_anew(brain, company):
    _, reaches = who(brain).decide([company.aids["account:slack/u2", "SAME_AS", "person:bo"]], "approved", 5)
    assert reaches
    assert not who(brain).decide([company.aids["ticket:OPS-8", "HANDLED_BY", "person:bo"]], "approved", 6)[1]


def test_the_queue_knows_every_assertion_of_the_schema():
    for name in ("claims", "claim_counts"):
        types = re.search(r"\[r:([A-Z_|]+)\]", catalogue.load()[name].text)[1].split("|")
        assert sorted(types) == sorted(schema.ASSERTIONS)


def test_an_answer_can_come_from_no_query_that_lets_candidates_through():
    let = [q for q in catalogue.load().queries.values() if any(m == "claimed" for m, *_ in permissions.macro_calls(q.text))]
    assert let and all((q.topic, q.kind) == ("candidates", "internal") for q in let)
