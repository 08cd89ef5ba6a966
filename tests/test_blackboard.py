"""An investigation is written down role by role: killed, it is there, marked, and can be gone on with; and nobody reads another's."""

import os
import signal
import subprocess
import sys

import pytest
from incident_company import ALERT, CAUSE, FIRED, company
from test_suspects import room

from brain import permissions
from brain.errors import BadInput
from brain.incident.blackboard import QUIET_S, Blackboard
from brain.incident.findings import ROLES
from brain.store import graph_name
from brain.tools.asking import Asking

WS = "blackboard"
NOW = FIRED + 2000
ANN, BEN = permissions.member("ann"), permissions.member("ben")
TILL = permissions.member("cy", frozenset({"team:till"}))
_KILLED = """
import os, sys, time
sys.path.insert(0, sys.argv[3])
from pathlib import Path
from test_suspects import room
from brain.settings import Settings
from brain.store import Store
store = Store.open(Settings(home=Path(sys.argv[1])))
def step(s):
    print(s.n, s.tool, flush=True)
    if s.tool == sys.argv[2]:
        time.sleep(600)
room(store, "blackboard").investigate("alert:late", on_step=step)
"""


@pytest.fixture(scope="module")
def loaded(shared_store):
    company(True).build(shared_store, WS)
    return shared_store


@pytest.fixture
def store(loaded):
    loaded.drop(graph_name(WS, "runs"))
    return loaded


def board(store, viewer, now=NOW):
    return Blackboard(store, WS, viewer, Asking(store, WS, permissions.local_admin(), FIRED + 1200), now)


def killed(store, home, at):
    """An investigation whose process was killed (-9) in the middle of that step."""
    here = os.path.dirname(__file__)
    process = subprocess.Popen([sys.executable, "-c", _KILLED, str(home.home), at, here], stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if line.split()[-1] == at:
            break
    process.send_signal(signal.SIGKILL)
    process.wait()
    return board(store, permissions.local_admin()).recent()[0]


@pytest.mark.parametrize(("at", "done"), [("signal_of", ()), ("before", ROLES[:1]), ("causal_path", ROLES[:2]), ("whom_to_page", ROLES[:3])])
def test_killed_in_the_middle_it_is_marked_as_incomplete_and_goes_on_from_the_role_that_is_missing(store, home, at, done):
    listed = killed(store, home, at)
    assert listed["state"] == "incomplete"
    kept = room(store, WS).read(listed["id"])
    assert (kept.state, kept.roles) == ("incomplete", done)
    fresh = room(store, WS).investigate(ALERT, save=False)
    steps = []
    again = room(store, WS, now=NOW + 3600).investigate(ALERT, resume=listed["id"], on_step=steps.append)
    assert (again.id, again.state, again.roles) == (kept.id, "complete", ROLES)
    assert (again.outcome, again.suspects, again.page, again.claims) == (fresh.outcome, fresh.suspects, fresh.page, fresh.claims)
    assert [s.n for s in again.steps] == list(range(1, len(again.steps) + 1))
    assert len(again.steps) == len(kept.steps) + len(steps)
    assert [r["state"] for r in board(store, permissions.local_admin()).recent()] == ["complete"]


def test_while_it_is_worked_on_it_is_running_and_after_a_long_silence_it_is_not(store):
    def stop(step):
        seen.append(board(store, permissions.local_admin()).recent()[0]["state"])
        later.append(board(store, permissions.local_admin(), NOW + QUIET_S + 1).recent()[0]["state"])

    seen, later = [], []
    room(store, WS).investigate(ALERT, on_step=stop)
    assert set(seen) == {"running"}
    assert set(later) == {"incomplete"}


def test_one_that_is_complete_is_given_back_as_it_is(store):
    made = room(store, WS).investigate(ALERT)
    steps = []
    again = room(store, WS).investigate(ALERT, resume=made.id, on_step=steps.append)
    assert not steps
    assert again == room(store, WS).read(made.id)
    assert CAUSE in {s.key for s in again.suspects}


def test_what_each_role_found_is_a_node_of_its_own(store):
    made = room(store, WS).investigate(ALERT)
    rows = store.read(graph_name(WS, "runs"), "MATCH (i:Investigation {id: $id})-[:FOUND]->(f) RETURN f.role AS role ORDER BY f.role", {"id": made.id}).rows
    assert [r["role"] for r in rows] == sorted(ROLES)
    steps = store.read(graph_name(WS, "runs"), "MATCH (i:Investigation {id: $id})-[:HAS_STEP]->(s) RETURN count(s) AS n", {"id": made.id}).rows
    assert steps[0]["n"] == len(made.steps)


def test_nobody_but_its_maker_and_an_administrator_reads_it(store):
    made = room(store, WS, viewer=ANN).investigate(ALERT)
    assert board(store, ANN).read(made.id).id == made.id
    assert board(store, permissions.local_admin()).read(made.id).id == made.id
    for other in (BEN, permissions.guest(), permissions.nobody()):
        with pytest.raises(BadInput, match="there is no investigation"):
            board(store, other).read(made.id)
        assert not board(store, other).recent()


def test_who_has_lost_a_right_it_was_made_with_reads_it_no_more(store):
    made = room(store, WS, viewer=TILL).investigate(ALERT)
    assert "deploy:secret" in {s.key for s in made.suspects}
    assert board(store, TILL).read(made.id)
    fewer = permissions.member("cy")
    assert not board(store, fewer).recent()
    with pytest.raises(BadInput, match="there is no investigation"):
        board(store, fewer).read(made.id)


def test_the_record_of_an_investigation_begins_before_its_first_look(store):
    seen = []

    def first(step):
        if not seen:
            seen.append(board(store, permissions.local_admin()).recent())

    room(store, WS).investigate(ALERT, on_step=first)
    assert [r["alert"] for r in seen[0]] == [ALERT]


def test_shared_viewers_have_no_list(store):
    room(store, WS, viewer=permissions.guest()).investigate(ALERT)
    assert not board(store, permissions.guest()).recent()
