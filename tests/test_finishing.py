"""What was approved is in every graph made anew from the records, and what was undone in none."""

from __future__ import annotations

import json

import pytest
from company_files import written
from tiny_org import brain_of, dump

from brain import loads
from brain.store import graph_name

PEOPLE = """apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {name: kiln-control}
spec: {type: service, lifecycle: production, owner: heat}
---
apiVersion: backstage.io/v1alpha1
kind: Group
metadata: {name: heat}
spec: {type: team, children: [], members: [ada, cy]}
---
apiVersion: backstage.io/v1alpha1
kind: User
metadata: {name: ada}
spec: {profile: {displayName: Ada Byron}, memberOf: [heat]}
---
apiVersion: backstage.io/v1alpha1
kind: User
metadata: {name: cy}
spec: {profile: {displayName: Cy Twombly}, memberOf: [heat]}
"""


def ticket(number, assignee=None, title="Kiln cools"):
    return json.dumps({"id": f"KIL-{number}", "subject": f"{title} {number}", "status": "open", "created_at": "2025-03-02T06:00:00Z", "assignee": assignee,
                       "requester": "Pot Shop", "tags": ["kiln-control"], "description": "The pots are cold."}) + "\n"  # fmt: skip


def tickets(b, folder, *lines):
    written(folder / "tickets" / "all.jsonl", "".join(lines))
    outcome = b.load(loads.auto(b.settings, folder))
    assert not outcome.failures


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("acting") / "acme"
    written(made / "catalog" / "all.yaml", PEOPLE)
    return made


@pytest.fixture
def b(home, shared_store, folder):
    opened = brain_of(home, "again")
    opened.clock = lambda: 1_760_000_000
    opened.store.drop(graph_name(opened.workspace, "runs"))
    tickets(opened, folder, ticket(1), ticket(2, "Cy Twombly"))
    yield opened
    opened.close()


def test_a_load_keeps_what_was_approved_and_forgets_what_was_undone(b, folder):
    untouched = dump(b.store, b.workspace)
    held = b.approvals(b.viewer("local"))
    give = held.propose("assign_ticket", {"ticket": "ticket:KIL-2", "assignee": "Ada Byron"}).id
    note = held.propose("record_decision", {"title": "Cool slowly", "text": "It cracks.", "about": ["kiln-control"], "because": ["ticket:KIL-2"]}).id
    for id_ in (give, note):
        assert held.approve(id_).state == "approved"
    acted = dump(b.store, b.workspace)
    assert len(acted["nodes"]) > len(untouched["nodes"])
    b.load({})
    assert dump(b.store, b.workspace) == acted
    for id_ in (note, give):
        held.undo(id_)
    assert dump(b.store, b.workspace) == untouched
    b.load({})
    assert dump(b.store, b.workspace) == untouched


def test_what_the_records_no_longer_hold_is_left_out_and_comes_back_with_it(b, folder):
    held = b.approvals(b.viewer("local"))
    held.approve(held.propose("assign_ticket", {"ticket": "ticket:KIL-1", "assignee": "Ada Byron"}).id)
    acted = dump(b.store, b.workspace)
    key = "MATCH (t:Entity {key: 'ticket:KIL-1'})-[r:ASSIGNED_TO]->(p) RETURN p.key AS key"
    whole = (b.files.folder / "records").glob("*tickets*")
    kept = {path: path.read_bytes() for path in whole}
    for path in kept:
        path.unlink()
    b.load({})
    assert b.store.read(graph_name(b.workspace), key).rows == ()
    for path, text in kept.items():
        path.write_bytes(text)
    b.load({})
    assert dump(b.store, b.workspace) == acted


def test_a_newer_word_of_the_source_stands_beside_it(b, folder):
    held = b.approvals(b.viewer("local"))
    held.approve(held.propose("assign_ticket", {"ticket": "ticket:KIL-2", "assignee": "Ada Byron"}).id)
    tickets(b, folder, ticket(1), ticket(2, "Pat Smith"))
    rows = b.tools["expand"].run(b.looking(b.viewer("local")), key="ticket:KIL-2", rels=["ASSIGNED_TO"]).rows
    assert {r["name"] for r in rows} == {"Ada Byron", "Pat Smith"}


def test_what_was_decided_about_the_claim_itself_since_holds_after_a_load(b, folder):
    """An assignment that was approved, and whose claim an administrator then rejected among the claims, stays rejected."""
    admin = b.viewer("local")
    held = b.approvals(admin)
    held.approve(held.propose("assign_ticket", {"ticket": "ticket:KIL-1", "assignee": "Ada Byron"}).id)
    aid = b.store.read(graph_name(b.workspace), "MATCH (:Entity {key: 'ticket:KIL-1'})-[r:ASSIGNED_TO]->() RETURN r.aid AS aid").rows[0]["aid"]
    b.decide([aid], "rejected", admin)
    before = dump(b.store, b.workspace)
    b.load({})
    assert dump(b.store, b.workspace) == before
    (b.files.folder / "decisions.jsonl").unlink()


def test_who_is_who_is_in_the_graph_made_anew_when_it_is_approved_and_no_more_when_it_is_undone(b, folder, monkeypatch):
    """Joining two names reaches into everything, so the graph is made anew at once; nobody has to load."""
    made = []
    monkeypatch.setattr(type(b), "load", lambda self, fetches, *more: made.append(fetches))
    monkeypatch.setattr("brain.candidates.REBUILDING", frozenset({"ASSIGNED_TO"}))
    held = b.approvals(b.viewer("local"))
    aid = b.store.read(graph_name(b.workspace), "MATCH (:Entity {key: 'ticket:KIL-2'})-[r:ASSIGNED_TO]->() RETURN r.aid AS aid").rows[0]["aid"]
    a = held.propose("approve_candidate", {"aid": aid, "state": "rejected"})
    assert held.approve(a.id).state == "approved" and made == [{}]
    assert held.undo(a.id).state == "undone" and made == [{}, {}]
    (b.files.folder / "decisions.jsonl").unlink()
