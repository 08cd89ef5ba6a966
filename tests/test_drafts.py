"""Drafts wait like everything else, are sent nowhere, and are as closed as what they were written of."""

from __future__ import annotations

from dataclasses import replace

import incident_made
import pytest
from acting_company import ADA, ADMIN, CY, DEE, NOW, office
from tiny_org import dump

from brain import permissions
from brain.errors import BadInput
from brain.incident.blackboard import Blackboard
from brain.store import graph_name

TEXT = "# What happened\n\nThe kiln cooled.\n<b>Nothing</b> is sent."


@pytest.fixture
def b(home, shared_store):
    with office(home, "drafts") as opened:
        yield opened


def desk(b, who=ADMIN):
    return b.approvals(b.viewer(who))


def investigated(b, who, key="ticket:KIL-9", ident="inv-1"):
    """An investigation that somebody made, in which something stands that not everybody may read."""
    viewer = b.viewer(who)
    made = replace(incident_made.CAUSE, id=ident, viewer=viewer.id, signal=replace(incident_made.SIGNAL, key=key, title="The kiln is cold"))
    Blackboard(b.store, b.workspace, viewer, b.looking(permissions.local_admin()), NOW).write(made)
    return ident


def test_a_draft_of_an_investigation_waits_and_whoever_proposed_it_may_stand_behind_it(b):
    before = dump(b.store, b.workspace)
    a = desk(b, CY).propose("draft_post_mortem", {"investigation": investigated(b, CY), "text": TEXT})
    assert a.proposal.draft == TEXT and a.proposal.does == "Stand behind this draft of a post-mortem: The kiln is cold; nothing is sent"
    assert a.proposal.cites == ("person:bo", "ticket:KIL-9"), "what is not loaded is not cited"
    assert desk(b, CY).approve(a.id, "read it").state == "approved" and desk(b, CY).undo(a.id).state == "undone"
    assert dump(b.store, b.workspace) == before


def test_it_is_as_closed_as_what_it_was_written_of(b):
    a = desk(b, CY).propose("draft_message", {"investigation": investigated(b, CY), "text": TEXT})
    assert [x.id for x in desk(b).list()] == [a.id]
    for who in (ADA, DEE, "guest"):
        assert desk(b, who).list() == []
        with pytest.raises(BadInput, match="there is no approval"):
            desk(b, who).approve(a.id)


def test_nobody_drafts_of_an_investigation_that_is_not_theirs(b):
    ident = investigated(b, CY)
    for who, of in ((ADA, ident), (ADA, "inv-none")):
        with pytest.raises(BadInput, match="there is no investigation"):
            desk(b, who).propose("draft_message", {"investigation": of, "text": TEXT})


def test_who_does_not_decide_does_not_stand_behind_the_draft_of_another(b):
    a = desk(b, ADA).propose("draft_message", {"title": "Cold", "text": TEXT, "cites": ["ticket:KIL-1"]})
    with pytest.raises(BadInput, match="an administrator, or who proposed it"):
        desk(b, DEE).approve(a.id)
    assert desk(b).approve(a.id).state == "approved"


def test_a_draft_whose_source_has_gone_is_not_approved(b):
    a = desk(b, ADA).propose("draft_message", {"title": "Cold", "text": TEXT, "cites": ["ticket:KIL-1"]})
    b.store.write(graph_name(b.workspace), "MATCH (t:Entity {key: 'ticket:KIL-1'}) DELETE t")
    with pytest.raises(BadInput, match="'ticket:KIL-1' is not there any more"):
        desk(b).approve(a.id)


@pytest.mark.parametrize("args", [{}, {"text": TEXT}, {"title": "x"}, {"title": "x", "text": " "}, {"title": "x", "text": TEXT, "cites": "ticket:KIL-1"},
                                  {"title": "x", "text": "y" * 300_000}])  # fmt: skip
def test_what_is_no_draft_is_refused_in_one_line(b, args):
    with pytest.raises(BadInput, match="needs a title, a text of at most 200,000 characters"):
        desk(b).propose("draft_message", args)
