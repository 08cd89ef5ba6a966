"""Splitting and joining people in a loaded graph: the graph made anew is the one that the decision implies, node by node."""

from __future__ import annotations

import pytest
from tiny_org import archive, brain_of, dump, load, pull, two_of_each

from brain import loads

CATALOGUE = """\
apiVersion: backstage.io/v1alpha1
kind: User
metadata:
  name: %s
  annotations:
    github.com/user-login: %s
spec:
  profile: {displayName: Ada Byron}
  memberOf: [heat]
---
apiVersion: backstage.io/v1alpha1
kind: Group
metadata: {name: heat}
spec: {type: team}
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {name: kiln}
spec: {type: service, owner: "user:%s"}
"""


@pytest.fixture
def brain(home, request, tmp_path):
    opened = brain_of(home, f"acc_{request.node.name[:40]}")
    given = two_of_each()
    given["pulls"].append(pull(5, "Name the kiln", author="cy", created="2025-03-05"))
    assert not load(opened, archive(tmp_path / "a.json", **given)).failures
    yield opened
    opened.store.drop(f"brain:{opened.workspace}")
    opened.close()


def catalogue(brain, tmp_path, user: str = "ada.byron", login: str = "ada") -> None:
    (tmp_path / "catalog").mkdir(exist_ok=True)
    (tmp_path / "catalog" / "all.yaml").write_text(CATALOGUE % (user, login, user))
    outcome = brain.load({"c": loads.named(brain.settings, "backstage", tmp_path / "catalog")})
    assert not outcome.failures and not any(s["reason"].startswith("person") for r in outcome.reports for s in r.refused)


def owner(brain) -> str:
    return brain.store.read(f"brain:{brain.workspace}", "MATCH (p)-[r:OWNS]->(:Service) WHERE r.state = 'approved' RETURN p.key AS key").rows[0]["key"]


def test_a_split_and_taking_it_back_give_the_graphs_of_before_and_after(brain, tmp_path):
    catalogue(brain, tmp_path)
    joined = dump(brain.store, brain.workspace)
    assert owner(brain) == "person:ada"
    local = brain.viewer("local")
    claim = next(c for c in brain.candidates(local).page(["approved"], ["SAME_AS"])[1] if c.read_by == "catalogue:login")
    assert (claim.src, claim.dst, claim.quote.strip()) == ("account:catalogue/ada.byron", "person:ada", "github.com/user-login: ada")
    made = brain.decide([claim.aid], "rejected", local)
    assert owner(brain) == "person:ada-byron"
    people = brain.store.read(f"brain:{brain.workspace}", "MATCH (p:Person) RETURN p.key AS key, p.names AS names ORDER BY key").rows
    assert [(r["key"], r["names"]) for r in people if r["key"].startswith("person:ada")] == [("person:ada", None), ("person:ada-byron", ["Ada Byron"])]
    brain.undo(made.n, local)
    assert dump(brain.store, brain.workspace) == joined


def test_a_split_from_a_login_that_nobody_else_has_can_be_taken_back(brain, tmp_path):
    catalogue(brain, tmp_path, login="ada-b")
    joined = dump(brain.store, brain.workspace)
    local = brain.viewer("local")
    claim = next(c for c in brain.candidates(local).page(["approved"], ["SAME_AS"])[1] if c.dst == "person:ada-b")
    made = brain.decide([claim.aid], "rejected", local)
    assert owner(brain) == "person:ada-byron"
    brain.undo(made.n, local)
    assert dump(brain.store, brain.workspace) == joined


def test_the_order_of_loading_makes_no_other_people(brain, home, tmp_path):
    catalogue(brain, tmp_path)
    other = brain_of(home, "acc_backwards")
    catalogue(other, tmp_path)
    given = two_of_each()
    given["pulls"].append(pull(5, "Name the kiln", author="cy", created="2025-03-05"))
    load(other, archive(tmp_path / "a.json", **given))
    assert dump(other.store, "acc_backwards") == dump(brain.store, brain.workspace)
    other.store.drop("brain:acc_backwards")
    other.close()
