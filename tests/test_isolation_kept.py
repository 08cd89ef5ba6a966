"""What is kept of investigations, playbooks, memory and proposals passes to no other viewer, workspace, or person who looks as another."""

import itertools
from dataclasses import replace

import pytest
from incident_company import ALERT, CAUSE, FIRED
from incident_hidden import build, rich

from brain import catalogue, permissions
from brain.audit import investigated
from brain.brain import Brain
from brain.errors import BadInput
from brain.ingest import Workspace
from brain.store import graph_name

ADMIN, GUEST = permissions.local_admin(), permissions.guest()
ANN, BOB = permissions.member("ann"), permissions.member("bob")
CY = permissions.member("cy", frozenset({"team:till"}))
AS_ANN, AS_CY = replace(ANN, by="local"), replace(CY, by="local")
VIEWERS = {"local": ADMIN, "cy": CY, "ann": ANN, "guest": GUEST}
WORKSPACES = ("kept-a", "kept-b")


@pytest.fixture(scope="module")
def loaded(shared_store):
    for name in WORKSPACES:
        build(shared_store, name, rich(name == "kept-a"))
    return shared_store


@pytest.fixture
def brains(loaded, home):
    """The two workspaces with nothing kept yet; in one of them there is something hidden."""
    for name in WORKSPACES:
        for graph in (graph_name(name, "runs"), *loaded.graphs(graph_name(name, "mem"))):
            loaded.drop(graph)
    return [opened(loaded, home, name) for name in WORKSPACES]


def opened(store, home, name):
    files = Workspace(home.workspaces / name)
    return Brain(home, name, store, catalogue.load(), files, clock=lambda: FIRED + 2000, _embedder=[None])


def seen(brain, viewer, arm="graph"):
    inv = brain.incidents(viewer, FIRED + 2000).investigate(ALERT, arm=arm, save=False, playbooks=False)
    return investigated.shown(inv)


def test_an_investigation_is_the_same_whoever_asked_before_in_the_same_process(brains, loaded, home):
    one, _ = brains
    for arm in ("graph", "vector"):
        alone = {name: seen(opened(loaded, home, "kept-a"), viewer, arm) for name, viewer in VIEWERS.items()}
        assert len({str(v) for v in alone.values()}) > 2, "the viewers must be told different things for this to say anything"
        for order in itertools.permutations(("cy", "ann", "guest")):
            for name in ("local", *order):
                assert seen(one, VIEWERS[name], arm) == alone[name], (arm, name, order)


def test_a_kept_investigation_is_its_owner_s_in_its_workspace_alone(brains):
    one, other = brains
    kept = one.incidents(ANN).investigate(ALERT, playbooks=False).id
    assert [r["id"] for r in one.incidents(ANN).recent()] == [kept]
    for brain, viewer in ((one, BOB), (one, CY), (one, GUEST), (one, AS_ANN), (other, ANN), (other, ADMIN)):
        room = brain.incidents(viewer)
        assert room.recent() == []
        with pytest.raises(BadInput, match="there is no investigation"):
            room.read(kept)
        with pytest.raises(BadInput, match="there is no investigation"):
            room.investigate("", resume=kept)


def test_what_an_administrator_began_as_somebody_is_not_put_before_them(brains):
    one, _ = brains
    kept = one.incidents(AS_CY).investigate(ALERT, playbooks=False).id
    assert one.incidents(AS_CY).read(kept).id == kept
    assert one.incidents(CY).recent() == []
    with pytest.raises(BadInput, match="there is no investigation"):
        one.incidents(CY).read(kept)


def test_an_investigation_is_lost_with_the_group_that_opened_a_part_of_it(brains):
    one, _ = brains
    kept = one.incidents(CY).investigate(ALERT, playbooks=False).id
    left = replace(CY, groups=frozenset())
    assert one.incidents(CY).read(kept).id == kept
    assert one.incidents(left).recent() == []
    with pytest.raises(BadInput, match="there is no investigation"):
        one.incidents(left).read(kept)


def test_a_playbook_is_of_its_workspace_and_made_in_the_name_of_whoever_looks(brains):
    one, other = brains
    found = one.incidents(AS_ANN).investigate(ALERT, playbooks=False, save=False)
    made = one.playbooks(AS_ANN).confirm(found, CAUSE)
    assert (made.by, one.playbooks(ANN).playbook(made.id).mine) == ("local", False)
    with pytest.raises(BadInput):
        one.playbooks(ANN).demote(made.id, "not mine")
    for brain, viewer in ((other, ANN), (other, ADMIN)):
        assert brain.playbooks(viewer).every() == []
        assert brain.playbooks(viewer).for_signal(found.signal) is None


def test_what_is_remembered_is_one_viewer_s_in_one_workspace(brains):
    one, other = brains
    fact = one.memory(ANN).tell("I work on shop")[0]
    assert [f.key for f in one.memory(ANN).facts()] == ["service:shop"]
    for brain, viewer in ((one, BOB), (one, CY), (one, GUEST), (one, ADMIN), (one, AS_ANN), (other, ANN)):
        memory = brain.memory(viewer)
        assert (memory.facts(), list(memory.turns()), memory.last()) == ([], [], ())
        with pytest.raises(BadInput):
            memory.forget(fact.id)


def test_nobody_writes_into_the_memory_of_whom_they_look_as(brains):
    one, _ = brains
    one.memory(ANN).tell("I work on shop")
    looking = one.memory(AS_ANN)
    for act in (lambda: looking.tell("I work on basket"), looking.forget_everything):
        with pytest.raises(BadInput, match="look as somebody else"):
            act()
    one.ask("Who owns shop?", viewer=AS_ANN, arm="graph")
    assert [f.key for f in one.memory(ANN).facts()] == ["service:shop"]
    assert [turn.question for turn in one.memory(ANN).turns()] == ["I work on shop"]


def test_nobody_proposes_approves_or_rejects_in_the_name_of_whom_they_look_as(brains):
    one, other = brains
    kept = one.incidents(ANN).investigate(ALERT, playbooks=False).id
    draft = {"investigation": kept, "title": "Totals", "text": "The totals are right again.", "cites": [ALERT]}
    made = one.approvals(ANN).propose("draft_message", draft, "it is over")
    looking = one.approvals(AS_ANN)
    acts = {"propose": ("draft_message", draft, "again"), "approve": (made.id,), "reject": (made.id, "no"), "undo": (made.id,)}
    for name, given in acts.items():
        with pytest.raises(BadInput):
            getattr(looking, name)(*given)
    assert [a.state for a in one.approvals(ANN).list()] == [made.state]
    for brain, viewer in ((one, BOB), (one, GUEST), (other, ANN), (other, ADMIN)):
        assert viewer == BOB or list(brain.approvals(viewer).list()) == []
        with pytest.raises(BadInput):
            brain.approvals(viewer).approve(made.id)


def test_a_draft_of_an_investigation_that_saw_more_is_kept_from_those_who_may_not(brains):
    """Even where it cites nothing of it: its words rest on all that was found."""
    one, _ = brains
    kept = one.incidents(CY).investigate(ALERT, playbooks=False).id
    draft = {"investigation": kept, "title": "Totals", "text": "It was the near one.", "cites": [ALERT]}
    made = one.approvals(CY).propose("draft_message", draft, "it is over")
    assert [a.id for a in one.approvals(CY).list()] == [made.id]
    for viewer in (ANN, GUEST, replace(CY, groups=frozenset())):
        assert list(one.approvals(viewer).list()) == []
