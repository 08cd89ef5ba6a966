"""An administrator who looks as somebody else is told how much was hidden from them, and what; nobody else is."""

from __future__ import annotations

import pytest
from small_company import build
from small_graph import CANARY, NOW

from brain import permissions
from brain.audit.hidden import hidden
from brain.brain import Brain
from brain.errors import BadInput
from brain.store import graph_name

ADMIN = permissions.local_admin()


@pytest.fixture(scope="module", params=["aud", "none"])
def brain(home, request):
    name = f"hidden-{request.param}"
    opened = Brain.open(home, name)
    opened._embedder.append(None)
    build(opened.store, name, request.param if request.param == "aud" else None)
    opened.clock = lambda: NOW
    yield opened
    opened.store.drop(graph_name(name))
    opened.close()


QUESTIONS = ("Who owns event-bus?", "Which tickets about map-tiles were fixed?", "What depends on event-bus?", "What is the ticket claim deadline?")


@pytest.mark.parametrize("arm", ["graph", "hybrid"])
def test_what_was_hidden_from_a_member_is_counted_and_named_and_only_where_something_is(brain, arm):
    member = permissions.member("m")
    answers = [brain.ask(q, viewer=member, arm=arm, save=False) for q in QUESTIONS]
    found = [hidden(brain, a, member, ADMIN) for a in answers]
    if brain.workspace.endswith("none"):
        assert [(f.rows, f.changed, f.n_things) for f in found] == [(0, 0, 0)] * len(QUESTIONS)
        return
    assert sum(f.rows for f in found) > 0 and all(f.rows == sum(s.rows for s in f.steps) for f in found)
    things = {key for f in found for key in f.things}
    assert any(CANARY in key for key in things)
    let = {row["key"] for row in brain.looking(member).run("may_read", keys=sorted(things)).rows}
    assert not let, "what the asker may read was hidden from nobody"
    assert CANARY not in str(answers)


def test_nothing_is_hidden_from_who_is_in_the_group_it_is_open_to(brain):
    inside = permissions.member("in", frozenset({"team:secret"}))
    for question in QUESTIONS:
        told = hidden(brain, brain.ask(question, viewer=inside, save=False), inside, ADMIN)
        assert (told.rows, told.changed, told.n_things) == (0, 0, 0)


def test_the_rows_that_name_something_hidden_are_counted_and_those_that_only_count_it_are_told_apart(brain):
    member = permissions.member("m")
    answer = brain.ask("Which tickets are about map-tiles?", viewer=member, save=False)
    told = hidden(brain, answer, member, ADMIN)
    ticket = f"ticket:OPS-9{CANARY}"
    if brain.workspace.endswith("none"):
        assert told.rows == told.changed == 0
    else:
        assert told.rows == 2, "it is about the service, and modifies it"
        assert ticket in told.things and told.changed > 0


def test_nobody_but_an_administrator_is_told(brain):
    member = permissions.member("m")
    answer = brain.ask(QUESTIONS[0], viewer=member, save=False)
    for who in (member, permissions.guest(), permissions.member("x", frozenset({"team:secret"}))):
        with pytest.raises(BadInput, match="only an administrator"):
            hidden(brain, answer, member, who)
