"""Who may not see a ticket does not see what is proposed about it, decides nothing about it, and cannot learn of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from acting_company import ADA, ADMIN, CY, DEE, assigned, office
from small_company import build
from small_graph import CANARY, NOW
from tiny_org import dump

from brain import catalogue, permissions
from brain.brain import Brain
from brain.errors import BadInput, HopcheckError
from brain.ingest import Workspace
from brain.store import graph_name

TICKET = f"ticket:OPS-9{CANARY}"
MEMBER = permissions.member("m", frozenset({"team:other"}))
INSIDE = permissions.member("in", frozenset({"team:secret"}))
MAY = {"restricted": [permissions.local_admin()], "aud": [permissions.local_admin(), INSIDE], "unlabelled": []}
OTHERS = {"restricted": [INSIDE, MEMBER], "aud": [MEMBER], "unlabelled": [permissions.local_admin(), INSIDE, MEMBER]}
KINDS = ("assign_ticket", "draft_reply", "record_decision")


def args(kind, key):
    return {
        "assign_ticket": {"ticket": key, "assignee": "hyejinp"}, "draft_reply": {"key": key},
        "record_decision": {"title": "Mind it", "text": "It matters.", "because": [key]},
    }[kind]  # fmt: skip


@pytest.fixture(scope="module", params=MAY)
def hidden(request, shared_store, home):
    """A company in which a ticket is hidden in one way, and which way that is."""
    ws = f"act-{request.param}"
    build(shared_store, ws, request.param)
    opened = Brain(home, ws, shared_store, catalogue.load(), Workspace(home.workspaces / ws), clock=lambda: NOW)
    opened._embedder.append(None)
    yield opened, request.param
    for part in ("", "runs"):
        shared_store.drop(graph_name(ws, part))


@pytest.fixture
def b(home, shared_store):
    with office(home, "act-weaker") as opened:
        yield opened


def refused(call, *args):
    with pytest.raises(HopcheckError) as told:
        call(*args)
    return str(told.value)


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_proposes_about_what_they_may_not_see_and_is_told_what_they_are_of_nothing(hidden, kind):
    b, how = hidden
    for who in OTHERS[how]:
        said = [refused(b.approvals(who).propose, kind, args(kind, key)).replace(key, "KEY") for key in (TICKET, "ticket:OPS-9none")]
        assert said[0] == said[1] and CANARY not in said[0]


@pytest.mark.parametrize("kind", KINDS[::2])
def test_what_is_proposed_about_it_is_nothing_to_whoever_may_not_see_it(hidden, kind):
    b, how = hidden
    for who in MAY[how]:
        made = b.approvals(who).propose(kind, args(kind, TICKET))
        assert made.id in [a.id for a in b.approvals(who).list()]
        before = dump(b.store, b.workspace)
        for other in [*OTHERS[how], permissions.guest(), permissions.nobody()]:
            held = b.approvals(other)
            assert held.list() == []
            for press in (held.get, held.approve, held.undo, lambda id_, h=held: h.reject(id_, "no")):
                assert refused(press, made.id).replace(made.id, "ID") == refused(press, "0" * 10).replace("0" * 10, "ID")
        assert dump(b.store, b.workspace) == before and b.approvals(who).get(made.id).state == "proposed"


def test_one_in_the_group_shares_it_with_the_group_alone(hidden):
    b, how = hidden
    if how != "aud":
        pytest.skip("only where a group opens it")
    made = b.approvals(INSIDE).propose("assign_ticket", args("assign_ticket", TICKET), "quietly")
    assert made.id in [a.id for a in b.approvals(replace(INSIDE, id="in-too")).list()]
    assert b.approvals(MEMBER).list() == []


def test_a_hidden_assignment_is_neither_shown_nor_ended(b):
    b.store.write(graph_name(b.workspace), "MATCH (t:Entity {key: 'ticket:KIL-1'}), (p:Entity {key: 'person:cy'}) CREATE (t)-[:ASSIGNED_TO {id: 'h', aid: 'h', state: 'approved',"
                  " authority: 'record', valid_from: 0, recorded_at: 0, access_key: 'doc:secret.md', access: 'restricted', aud: ['team:gas']}]->(p)")  # fmt: skip
    a = b.approvals(b.viewer(ADA)).propose("assign_ticket", {"ticket": "ticket:KIL-1", "assignee": "ada"})
    assert a.proposal.before == () and "cy" not in str(a.proposal).lower()
    done = b.approvals(b.viewer(DEE)).approve(a.id)
    assert done.state == "approved" and assigned(b, "ticket:KIL-1", ADA) == ["person:ada"]
    assert sorted(assigned(b, "ticket:KIL-1", CY)) == ["person:ada", "person:cy"]
    assert b.approvals(b.viewer(DEE)).undo(a.id).state == "undone" and assigned(b, "ticket:KIL-1", CY) == ["person:cy"]


def test_what_is_assigned_is_as_open_as_the_ticket(b):
    a = b.approvals(b.viewer(CY)).propose("assign_ticket", {"ticket": "ticket:KIL-9", "assignee": "cy"}, "mine")
    b.approvals(b.viewer(CY)).approve(a.id, "it may explode")
    rows = b.store.read(graph_name(b.workspace), "MATCH (:Entity {key: 'ticket:KIL-9'})-[r:ASSIGNED_TO]->() MATCH (e:Evidence {id: r.evidence[0]}) RETURN r.access AS a, r.aud AS u, e.access AS ea, e.aud AS eu").rows
    assert [tuple(r.values()) for r in rows] == [("restricted", ["team:gas"], "restricted", ["team:gas"])]
    assert assigned(b, "ticket:KIL-9", ADA) == [] and assigned(b, "ticket:KIL-9", CY) == ["person:cy"]


def test_a_ticket_that_is_closed_to_them_takes_the_proposal_with_it(b):
    """Of open, then restricted: the proposal was made when it was open."""
    a = b.approvals(b.viewer(ADA)).propose("assign_ticket", {"ticket": "ticket:KIL-1", "assignee": "ada"}, "mine")
    b.store.write(graph_name(b.workspace), "MATCH (t:Entity {key: 'ticket:KIL-1'}) SET t.access = 'restricted'")
    for who in (ADA, DEE):
        held = b.approvals(b.viewer(who))
        assert held.list() == []
        assert "there is no approval" in refused(held.approve, a.id)
    assert [x.id for x in b.approvals(b.viewer(ADMIN)).list()] == [a.id]
    b.store.write(graph_name(b.workspace), "MATCH (t:Entity {key: 'ticket:KIL-1'}) SET t.access = null")
    assert b.approvals(b.viewer(ADMIN)).list() == [], "no label means deny"
    assert "there is no approval" in refused(b.approvals(b.viewer(ADMIN)).approve, a.id)


def test_what_was_made_with_more_rights_is_not_shown_to_who_has_fewer(b):
    """Unless the very same comes out with fewer, and no word of the proposer's own is in it."""
    held = b.approvals(b.viewer(ADMIN))
    args_ = {"ticket": "ticket:KIL-1", "assignee": "ada"}
    worded, plain = held.propose("assign_ticket", args_, "see the secret"), held.propose("assign_ticket", {**args_, "assignee": "dee"})
    assert [a.id for a in b.approvals(b.viewer(DEE)).list()] == [plain.id]
    assert "there is no approval" in refused(b.approvals(b.viewer(DEE)).approve, worded.id)
    assert b.approvals(b.viewer(DEE)).approve(plain.id).decided_by == "dee"


def test_a_ranking_that_hidden_tickets_moved_is_shown_only_to_who_may_count_them(b):
    """Cy has handled a ticket of the burner that only gas may read: for them the reason says so, and so it is for gas alone."""
    b.store.write(graph_name(b.workspace), "MATCH (t:Entity {key: 'ticket:KIL-9'}), (p:Entity {key: 'person:cy'}) CREATE (t)-[:HANDLED_BY {id: 'h9', aid: 'h9', state: 'approved', authority: 'record',"
                  " valid_from: 0, recorded_at: 1760000000, access_key: 'ticket:KIL-9', access: 'restricted', aud: ['team:gas']}]->(p)")  # fmt: skip
    made = {who: b.approvals(b.viewer(who)).propose("assign_ticket", {"ticket": "ticket:KIL-3", "assignee": "cy"}) for who in (CY, ADA)}
    assert "handled 1 ticket about it" in made[CY].proposal.why[0] and "handled" not in made[ADA].proposal.why[0]
    assert {a.id for a in b.approvals(b.viewer(CY)).list()} == {a.id for a in made.values()}
    assert [a.id for a in b.approvals(b.viewer(ADA)).list()] == [made[ADA].id]


def test_who_gets_more_rights_sees_it(b):
    a = b.approvals(b.viewer(CY)).propose("assign_ticket", {"ticket": "ticket:KIL-9", "assignee": "cy"})
    assert b.approvals(b.viewer(DEE)).list() == []
    b.store.write(graph_name(b.workspace), "MATCH (:Entity {key: 'person:dee'})-[r:MEMBER_OF]->() DELETE r")
    b.store.write(graph_name(b.workspace), "MATCH (p:Entity {key: 'person:dee'}), (t:Entity {key: 'team:gas'}) CREATE (p)-[:MEMBER_OF {id: 'm', aid: 'm', state: 'approved', authority: 'practice',"
                  " valid_from: 0, recorded_at: 0, access_key: 'doc:roster.md', access: 'open'}]->(t)")  # fmt: skip
    assert [x.id for x in b.approvals(b.viewer(DEE)).list()] == [a.id] and b.approvals(b.viewer(DEE)).approve(a.id).state == "approved"


def test_an_undo_is_refused_to_who_may_not_see_what_was_done(b):
    a = b.approvals(b.viewer(CY)).propose("assign_ticket", {"ticket": "ticket:KIL-9", "assignee": "cy"})
    b.approvals(b.viewer(CY)).approve(a.id)
    with pytest.raises(BadInput, match="there is no approval"):
        b.approvals(b.viewer(ADA)).undo(a.id)
    assert b.approvals(b.viewer(CY)).undo(a.id).undone_by == "cy"


def test_what_only_an_approver_knows_a_ticket_to_be_about_does_not_hide_what_was_done(b):
    """A ticket that hangs together with something hidden, in a way its proposer cannot see, is assigned before their eyes."""
    b.store.write(graph_name(b.workspace), "MATCH (t:Entity {key: 'ticket:KIL-1'}) CREATE (t)-[:ABOUT]->(:Entity:Service {key: 'service:hidden', name: 'hidden', access: 'restricted'})")
    a = b.approvals(b.viewer(ADA)).propose("assign_ticket", {"ticket": "ticket:KIL-1", "assignee": "ada"})
    assert "hidden" not in str(a.proposal)
    b.approvals(b.viewer(ADMIN)).approve(a.id)
    assert assigned(b, "ticket:KIL-1", ADA) == ["person:ada"] and b.approvals(b.viewer(DEE)).undo(a.id).state == "undone"
