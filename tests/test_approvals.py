"""What is proposed is done once, by whoever may, however many press and whatever is killed; and undone to the byte."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest
from acting_company import ADA, ADMIN, CY, DEE, NOW, assigned, office
from claims_graph import at
from tiny_org import dump

from brain import permissions
from brain.approvals import desk as desk_module
from brain.approvals import kept
from brain.approvals.approval import Change
from brain.errors import BadInput
from brain.store import graph_name

PATH = os.pathsep.join([os.path.dirname(__file__), os.path.dirname(os.path.dirname(__file__))])


@pytest.fixture
def b(home, shared_store, request):
    with office(home, "act-" + re.sub(r"\W", "", request.node.name)[:44]) as opened:
        yield opened


def desk(b, who=ADMIN):
    return b.approvals(b.viewer(who) if isinstance(who, str) else who)


def give(b, ticket="ticket:KIL-1", to="ada", who=ADA, why=""):
    return desk(b, who).propose("assign_ticket", {"ticket": ticket, "assignee": to}, why).id


def graph(b):
    return dump(b.store, b.workspace)


def actions(b):
    rows = b.store.read(graph_name(b.workspace, "runs"), "MATCH (a:Approval)-[:DID]->(x:Action) RETURN a.id AS id, x.by AS by, x.done AS done").rows
    return [(r["id"], r["by"], r["done"]) for r in rows]


def test_a_proposal_changes_nothing_of_the_company_and_says_what_it_would_change(b):
    before = graph(b)
    a = desk(b, DEE).propose("assign_ticket", {"ticket": "KIL-2"}, "Cy is away")
    assert graph(b) == before and a.state == "proposed" and (a.viewer, a.at) == ("dee", NOW)
    assert a.proposal.before[0]["assignee"] == "person:cy" and a.proposal.after[0]["assignee"] in ("person:ada", "person:dee")
    assert a.proposal.does.startswith("Assign KIL-2 (Kiln cools 2) to ") and a.proposal.does.endswith(" instead of Cy")
    assert a.proposal.why[0] == "Cy is away" and "in the team that owns kiln-control" in a.proposal.why[1]
    assert {"ticket:KIL-2", "person:cy"} <= set(a.proposal.cites)


def test_a_tool_that_acts_keeps_nothing_when_it_is_only_called(b):
    before = graph(b), b.store.graphs("brain:")
    for name, args in (("assign_ticket", {"ticket": "KIL-1"}), ("record_decision", {"title": "Cool slowly", "text": "It cracks.", "about": ["kiln-control"]})):
        assert b.tools[name].run(b.looking(b.viewer(ADMIN)), **args).rows
    assert (graph(b), b.store.graphs("brain:")) == before


def test_the_same_proposal_twice_is_one(b):
    assert give(b) == give(b) and len(desk(b).list()) == 1
    assert give(b, who=DEE) != give(b) and len(desk(b).list()) == 2


def test_approving_assigns_from_now_on_and_ends_what_was_before(b):
    id_ = give(b, "ticket:KIL-2")
    a = desk(b, DEE).approve(id_, "go ahead")
    assert (a.state, a.decided_by, a.decided_at, a.reason) == ("approved", "dee", NOW, "go ahead")
    assert assigned(b, "ticket:KIL-2") == ["person:ada"]
    rows = b.store.read(graph_name(b.workspace), "MATCH (:Entity {key: 'ticket:KIL-2'})-[r:ASSIGNED_TO]->(p) RETURN p.key AS key, r.valid_from AS f, r.valid_to AS t, r.authority AS a, r.evidence[0] AS e ORDER BY key").rows
    assert [(r["key"], r["f"], r["t"], r["a"]) for r in rows] == [("person:ada", NOW, None, "practice"), ("person:cy", 0, NOW, "record")]
    proof = b.store.read(graph_name(b.workspace), "MATCH (e:Evidence {id: $id}) RETURN e.quote AS q, e.access AS a", {"id": rows[0]["e"]}).rows[0]
    assert proof["q"] == "Assigned to Ada by dee on 2025-12-01: go ahead" and proof["a"] == "open"
    before = b.tools["expand"].run(b.looking(b.viewer(ADMIN), at("2025-11-20")), key="ticket:KIL-2", rels=["ASSIGNED_TO"]).rows
    assert [r["key"] for r in before] == ["person:cy"], "history stays"


def test_undoing_restores_the_graph_to_the_byte(b):
    before = graph(b)
    id_ = give(b, "ticket:KIL-2")
    desk(b).approve(id_)
    assert graph(b) != before
    a = desk(b, ADA).undo(id_)
    assert (a.state, a.undone_by, a.undone_at) == ("undone", "ada", NOW) and graph(b) == before
    with pytest.raises(BadInput, match=f"nothing was undone: ada undid {id_}"):
        desk(b).undo(id_)
    with pytest.raises(BadInput, match="nothing was done"):
        desk(b).approve(id_)
    assert graph(b) == before


def test_what_has_moved_on_is_not_undone(b):
    first = give(b)
    desk(b).approve(first)
    second = give(b, to="dee")
    b.clock = lambda: NOW + 60
    desk(b).approve(second)
    before = graph(b)
    with pytest.raises(BadInput, match=f"not assigned to 'person:ada' any more; {first} cannot be undone"):
        desk(b).undo(first)
    assert graph(b) == before and desk(b).get(first).state == "approved"
    desk(b).undo(second)
    desk(b).undo(first)
    assert assigned(b, "ticket:KIL-1") == []


def test_what_no_longer_holds_is_not_approved(b):
    one, two = give(b, "ticket:KIL-2"), give(b, "ticket:KIL-2", to="dee")
    desk(b).approve(one)
    before = graph(b)
    with pytest.raises(BadInput, match="changed hands since this was proposed: it is Ada's now"):
        desk(b).approve(two)
    assert graph(b) == before and desk(b).get(two).state == "proposed"


def test_a_ticket_that_has_gone_is_assigned_to_nobody(b):
    id_ = give(b)
    b.store.write(graph_name(b.workspace), "MATCH (t:Entity {key: 'ticket:KIL-1'}) DELETE t")
    with pytest.raises(BadInput, match="'ticket:KIL-1' is not there any more"):
        desk(b).approve(id_)
    assert actions(b) == []


@pytest.mark.parametrize("to", ["bo", "robot"])
def test_nobody_is_given_a_ticket_who_left_or_is_a_bot(b, to):
    with pytest.raises(Exception, match="cannot take it"):
        give(b, to=to)


def test_the_team_that_owns_it_may_approve_and_no_other(b):
    id_ = give(b, who=CY)
    before = graph(b)
    with pytest.raises(BadInput, match=r"cy may not decide about .* or is in the team that does may"):
        desk(b, CY).approve(id_)
    assert graph(b) == before
    assert desk(b, DEE).approve(id_).state == "approved"


def test_rights_are_those_of_the_moment_of_the_decision(b):
    """Who was in the team when they looked, and is not when they press, does not decide."""
    id_, dee = give(b, who=DEE), b.viewer(DEE)
    held = desk(b, dee)
    assert held.list("proposed")
    b.store.write(graph_name(b.workspace), f"MATCH (:Entity {{key: 'person:dee'}})-[r:MEMBER_OF]->() SET r.valid_to = {NOW - 1}")
    with pytest.raises(BadInput):
        held.approve(id_)
    assert actions(b) == [] and desk(b, ADA).approve(id_).decided_by == "ada"


def test_who_looks_as_somebody_else_decides_nothing(b):
    id_ = give(b)
    seen = replace(b.viewer(ADA), by="local")
    for press in (lambda: desk(b, seen).approve(id_), lambda: desk(b, seen).reject(id_, "no"), lambda: give(b, who=seen)):
        with pytest.raises(BadInput, match="look"):
            press()
    assert actions(b) == []


@pytest.mark.parametrize("who", [permissions.guest(), permissions.nobody()])
def test_who_has_no_name_proposes_nothing(b, who):
    with pytest.raises(BadInput, match="needs a name"):
        give(b, who=who)


def test_rejecting_needs_a_reason_and_keeps_it(b):
    id_ = give(b)
    with pytest.raises(BadInput, match="say why"):
        desk(b).reject(id_, "  ")
    with pytest.raises(BadInput, match="cy may not decide"):
        desk(b, CY).reject(id_, "mine")
    a = desk(b).reject(id_, "  Dee is  nearer ")
    assert (a.state, a.reason, a.decided_by) == ("rejected", "Dee is nearer", "local") and desk(b, ADA).get(id_).reason == "Dee is nearer"
    with pytest.raises(BadInput, match=f"local rejected {id_} at 2025-12-01"):
        desk(b).approve(id_)
    assert actions(b) == []


def test_who_proposed_it_may_withdraw_it(b):
    assert desk(b, CY).reject(give(b, who=CY), "no longer needed").state == "rejected"


# -- exactly once --------------------------------------------------------------------------------


def test_of_two_who_press_at_once_one_acts_and_the_other_is_told_who_was_first(b):
    id_, gate, before = give(b), Barrier(2), graph(b)

    def press(who):
        held = desk(b, who)
        gate.wait()
        try:
            return held.approve(id_).decided_by
        except BadInput as error:
            return str(error)

    with ThreadPoolExecutor(2) as pool:
        said = sorted(pool.map(press, (ADMIN, DEE)), key=len)
    first = said[0]
    assert first in ("local", "dee") and said[1] == f"nothing was done: {first} approved {id_} at 2025-12-01 00:00:00 UTC"
    assert actions(b) == [(id_, first, True)] and len(graph(b)["edges"]) == len(before["edges"]) + 1


def test_of_two_who_undo_at_once_one_does(b):
    before = graph(b)
    id_, gate = give(b, "ticket:KIL-2"), Barrier(2)
    desk(b).approve(id_)

    def press(who):
        held = desk(b, who)
        gate.wait()
        try:
            return held.undo(id_).undone_by
        except BadInput as error:
            return str(error)

    with ThreadPoolExecutor(2) as pool:
        said = sorted(pool.map(press, (ADMIN, DEE)), key=len)
    assert said[1] == f"nothing was undone: {said[0]} undid {id_} at 2025-12-01 00:00:00 UTC" and graph(b) == before


def test_the_database_lets_one_of_many_through_where_no_lock_does(b):
    """The lock is of one machine; the query that claims is what decides."""
    id_ = give(b)
    approval, gate = desk(b).get(id_), Barrier(8)

    def press(n):
        gate.wait()
        return kept.claim(b.store, b.workspace, approval, replace(b.viewer(ADMIN), id=f"p{n}"), NOW, "", Change())

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(press, range(8))) == [False] * 7 + [True]
    assert len(actions(b)) == 1


def script(b, body):
    """A process of its own that has the workspace open as `b`."""
    text = f"""
        from pathlib import Path
        from brain.settings import Settings
        from acting_company import NOW
        from tiny_org import brain_of
        import os, signal, sys
        b = brain_of(Settings(home=Path({str(b.settings.home)!r})), {b.workspace!r})
        b.clock = lambda: NOW
    """
    code = textwrap.dedent(text) + textwrap.dedent(body)
    return subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": PATH}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


PRESS = """
    held = b.approvals(b.viewer({who!r}))
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        print(held.approve({id_!r}).decided_by)
    except Exception as error:
        print(error)
"""


def test_of_two_processes_that_press_at_once_one_acts(b):
    id_, before = give(b), graph(b)
    pressing = [script(b, PRESS.format(who=who, id_=id_)) for who in (ADMIN, DEE)]
    for p in pressing:
        assert p.stdout.readline() == "ready\n"
    for p in pressing:
        p.stdin.write("go\n")
        p.stdin.flush()
    said = sorted((p.communicate(timeout=60)[0].strip() for p in pressing), key=len)
    assert said[0] in ("local", "dee") and said[1].startswith(f"nothing was done: {said[0]} approved {id_}")
    assert actions(b) == [(id_, said[0], True)] and len(graph(b)["edges"]) == len(before["edges"]) + 1


KILLED = """
    from brain.approvals import effects
    def die(*args, **how):
        os.kill(os.getpid(), signal.SIGKILL)
    effects.{what} = die
    b.approvals(b.viewer("local")).{press}({id_!r})
"""


def killed(b, what, press, id_):
    p = script(b, KILLED.format(what=what, press=press, id_=id_))
    p.communicate(timeout=60)
    assert p.returncode == -signal.SIGKILL


def test_what_was_killed_between_the_claim_and_the_effect_is_finished_once_by_whoever_looks_next(b):
    id_, before = give(b, "ticket:KIL-2"), graph(b)
    killed(b, "apply", "approve", id_)
    assert graph(b) == before and actions(b) == [(id_, "local", False)]
    assert desk(b, ADA).list("approved")[0].id == id_
    after = graph(b)
    assert assigned(b, "ticket:KIL-2") == ["person:ada"] and actions(b) == [(id_, "local", True)]
    desk(b).list()
    assert graph(b) == after
    killed(b, "take_back", "undo", id_)
    assert graph(b) == after and desk(b).get(id_).state == "undone" and graph(b) == before


def test_what_was_killed_is_finished_when_the_workspace_is_next_opened(b):
    id_ = give(b)
    killed(b, "apply", "approve", id_)
    type(b).open(b.settings, b.workspace).close()
    assert assigned(b, "ticket:KIL-1") == ["person:ada"]


def test_what_cannot_be_finished_has_failed_and_says_so(b):
    id_ = give(b)
    killed(b, "apply", "approve", id_)
    b.store.write(graph_name(b.workspace), "MATCH (t:Entity {key: 'ticket:KIL-1'}) DELETE t")
    a = desk(b).get(id_)
    assert (a.state, a.reason) == ("failed", "what it is about was not there any more")
    with pytest.raises(BadInput, match="nothing was undone"):
        desk(b).undo(id_)


def test_nothing_is_decided_while_a_load_is_under_way(b, monkeypatch):
    id_ = give(b)
    monkeypatch.setattr(desk_module, "WAIT_S", 0.1)
    with b.files.lock(), pytest.raises(BadInput, match="another load"):
        desk(b).approve(id_)
    assert actions(b) == [] and desk(b).approve(id_).state == "approved"


def test_what_a_crash_left_waits_for_a_load_that_is_under_way(b):
    id_ = give(b)
    killed(b, "apply", "approve", id_)
    with b.files.lock():
        assert desk(b).get(id_).state == "approved" and actions(b) == [(id_, "local", False)]
    assert desk(b).get(id_) and actions(b) == [(id_, "local", True)]
