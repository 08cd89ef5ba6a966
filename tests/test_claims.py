"""A claim that waits is approved through an approval as it is through the queue of claims, once, and taken back exactly."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap

import pytest
from acting_company import ADA, ADMIN, NOW, office
from tiny_org import dump

from brain.errors import BadInput, ToolError
from brain.store import graph_name

KEY = "MATCH (:Entity {key: 'ticket:KIL-4'})-[r:HANDLED_BY]->() RETURN r.aid AS aid, r.state AS state"


@pytest.fixture
def b(home, shared_store, request):
    with office(home, "claim-" + re.sub(r"\W", "", request.node.name)[:40]) as opened:
        yield opened


def desk(b, who=ADMIN):
    return b.approvals(b.viewer(who))


def claim(b):
    return b.store.read(graph_name(b.workspace), KEY).rows[0]


def propose(b, who=ADA, **more):
    return desk(b, who).propose("approve_candidate", {"aid": claim(b)["aid"], **more})


def test_it_is_shown_with_its_words_and_changes_nothing_until_it_is_approved(b):
    before = dump(b.store, b.workspace)
    a = propose(b)
    assert a.proposal.does == "Approve the claim: Kiln cools 4 handled by Ada" and "“I think Ada handled KIL-4”" in a.proposal.why[0]
    assert (a.proposal.before[0]["state"], a.proposal.after[0]["state"]) == ("candidate", "approved") and dump(b.store, b.workspace) == before
    with pytest.raises(BadInput, match="an administrator may"):
        desk(b, ADA).approve(a.id)
    assert desk(b).approve(a.id, "he said so").state == "approved" and claim(b)["state"] == "approved"
    (made,) = b.candidates(b.viewer(ADMIN)).history()
    assert (made.decision.by, made.decision.reason, made.decision.action) == ("local", "he said so", a.id)


def test_undoing_makes_it_wait_again_to_the_byte(b):
    before = dump(b.store, b.workspace)
    a = propose(b, state="rejected")
    desk(b).approve(a.id)
    assert claim(b)["state"] == "rejected"
    desk(b).undo(a.id)
    assert dump(b.store, b.workspace) == before and b.files.decisions.states() == {}


def test_what_was_decided_otherwise_meanwhile_is_not_decided_again(b):
    a = propose(b)
    b.decide([claim(b)["aid"]], "rejected", b.viewer(ADMIN))
    with pytest.raises(BadInput, match="is rejected by now; propose again"):
        desk(b).approve(a.id)
    b.decide([claim(b)["aid"]], "approved", b.viewer(ADMIN))
    with pytest.raises(BadInput, match="is approved already; this proposal is out of date"):
        desk(b).approve(a.id)


def test_what_was_decided_otherwise_since_is_not_undone(b):
    a = propose(b)
    desk(b).approve(a.id)
    b.decide([claim(b)["aid"]], "rejected", b.viewer(ADMIN))
    with pytest.raises(BadInput, match="something else was decided about the claim since"):
        desk(b).undo(a.id)
    assert claim(b)["state"] == "rejected"


KILLED = """
    import os, signal
    from pathlib import Path
    from acting_company import NOW
    from brain.settings import Settings
    from brain.store import Store
    from tiny_org import brain_of
    b = brain_of(Settings(home=Path({home!r})), {workspace!r})
    b.clock = lambda: NOW
    Store.set_states = lambda *args: os.kill(os.getpid(), signal.SIGKILL)
    b.approvals(b.viewer("local")).{press}({id_!r})
"""


def killed(b, press, id_):
    code = textwrap.dedent(KILLED.format(home=str(b.settings.home), workspace=b.workspace, press=press, id_=id_))
    path = os.pathsep.join([os.path.dirname(__file__), os.path.dirname(os.path.dirname(__file__))])
    assert subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, timeout=60).returncode == -signal.SIGKILL


def test_a_decision_that_was_written_down_and_not_yet_shown_is_shown_and_not_written_twice(b):
    a, before = propose(b), dump(b.store, b.workspace)
    killed(b, "approve", a.id)
    assert claim(b)["state"] == "candidate" and len(b.files.decisions.history()) == 1
    assert desk(b).get(a.id).state == "approved" and claim(b)["state"] == "approved" and len(b.files.decisions.history()) == 1
    killed(b, "undo", a.id)
    assert desk(b).get(a.id).state == "undone" and dump(b.store, b.workspace) == before and len(b.files.decisions.history()) == 2


@pytest.mark.parametrize("args", [{"aid": ""}, {"aid": "nothing"}, {"aid": "x", "state": "maybe"}])
def test_what_is_no_claim_is_refused(b, args):
    with pytest.raises(ToolError):
        desk(b).propose("approve_candidate", args)
    assert NOW and desk(b).list() == []
