"""What speaks for and against a change, each alone, on a company small enough to judge by hand."""

import pytest
from incident_company import ALERT, CAUSE, FIRED, HOUR, company, deploy

from brain import permissions
from brain.incident.blackboard import Blackboard
from brain.incident.findings import Signal
from brain.incident.room import Incidents
from brain.playbooks import Playbooks
from brain.tools.asking import Asking

WS = "suspects"


def room(store, ws=WS, viewer=None, after=1200, now=FIRED + 2000):
    who = viewer or permissions.local_admin()
    ctx, everything = (Asking(store, ws, v, FIRED + after) for v in (who, permissions.local_admin()))
    return Incidents(ctx, Blackboard(store, ws, who, everything, now), Playbooks(ctx, everything, lambda: float(now)), lambda: None)


def looked(store, made, after=1200, **more):
    made.build(store, WS)
    return room(store, after=after).investigate(ALERT, save=False, playbooks=False, **more)


def of(inv, key):
    return next(s for s in inv.suspects if s.key == key)


def kinds(suspect):
    return {r.kind for r in suspect.reasons}


def test_a_change_two_dependencies_away_is_named_when_nothing_else_is_there(shared_store):
    inv = looked(shared_store, company())
    assert (inv.outcome, inv.suspects[0].key) == ("cause", CAUSE)
    assert inv.suspects[0].path == (ALERT, "service:shop", "service:basket", "service:prices", CAUSE)
    assert inv.broke == "service:prices"
    assert [p.key for p in inv.page if p.place == 1] == ["person:ann"]


def test_three_dependencies_away_is_looked_at_and_four_is_not(shared_store):
    made = company()
    deploy(made, "deploy:ledger-9", "ledger", 600)
    deploy(made, "deploy:vault-9", "vault", 600)
    keys = {s.key for s in looked(shared_store, made).suspects}
    assert "deploy:ledger-9" in keys
    assert "deploy:vault-9" not in keys


def test_what_needs_the_thing_and_what_it_does_not_need_is_no_suspect(shared_store):
    made = company()
    deploy(made, "deploy:press-1", "press", 300)
    deploy(made, "deploy:other-1", "other", 300)
    inv = looked(shared_store, made)
    assert {s.key for s in inv.suspects} & {"deploy:press-1", "deploy:other-1"} == set()
    assert {"service:press"} == {a.key for a in inv.affected}


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ({"status": "failure"}, "not_running"),
        ({"env": "staging"}, "not_running"),
        ({"rollback": True}, "not_running"),
    ],
)
def test_a_nearer_change_that_took_no_effect_is_no_rival(shared_store, more, kind):
    made = company()
    deploy(made, "deploy:near", "shop", 300, version="v7", **more)
    inv = looked(shared_store, made)
    near = of(inv, "deploy:near")
    assert near.standing == "discounted"
    assert kind in kinds(near)
    assert inv.suspects[0].key == CAUSE


def test_the_same_change_in_full_effect_is_a_rival(shared_store):
    made = company()
    deploy(made, "deploy:near", "shop", 300, version="v7")
    assert of(looked(shared_store, made), "deploy:near").standing != "discounted"


def test_a_version_that_ran_there_already_is_no_change(shared_store):
    made = company()
    deploy(made, "deploy:before", "shop", 40 * HOUR, version="v7", sha="same")
    deploy(made, "deploy:near", "shop", 300, version="v7", sha="same")
    inv = looked(shared_store, made)
    assert "same_version" in kinds(of(inv, "deploy:near"))
    assert inv.suspects[0].key == CAUSE


def test_what_was_taken_back_before_the_alert_did_not_run(shared_store):
    made = company()
    deploy(made, "deploy:near", "shop", 900, version="v7")
    deploy(made, "deploy:back", "shop", 400, version="v6", rollback=True)
    inv = looked(shared_store, made)
    assert "rolled_back" in kinds(of(inv, "deploy:near"))
    assert inv.suspects[0].key == CAUSE


def test_what_was_taken_back_while_the_alert_went_on_did_not_cause_it(shared_store):
    made = company()
    deploy(made, "deploy:near", "shop", 300, version="v7")
    deploy(made, "deploy:back", "shop", -300, version="v6", rollback=True)
    assert "went_on" in kinds(of(looked(shared_store, made), "deploy:near"))
    assert "went_on" not in kinds(of(looked(shared_store, made, after=360), "deploy:near"))


def test_the_same_version_healthy_on_another_service_speaks_against_it(shared_store):
    made = company()
    deploy(made, "deploy:twin", "other", 20 * HOUR, repo="org/shop", sha="twin")
    deploy(made, "deploy:near", "shop", 300, repo="org/shop", sha="twin")
    assert "healthy_elsewhere" in kinds(of(looked(shared_store, made), "deploy:near"))


def test_of_many_changes_one_that_is_usual_says_less(shared_store):
    rare = of(looked(shared_store, company()), CAUSE)
    made = company()
    for n in range(200):
        deploy(made, f"deploy:busy-{n}", "basket", 26 * HOUR + n * 6 * HOUR, version=f"w{n}")
    usual = of(looked(shared_store, made), CAUSE)
    points = [next(r.points for r in s.reasons if r.kind == "time") for s in (rare, usual)]
    assert points[0] > points[1] + 1


def test_nothing_in_the_window_is_no_cause_found(shared_store):
    inv = looked(shared_store, company(), window=1800)
    assert (inv.outcome, inv.causes) == ("none", ())
    assert [p.key for p in inv.page if p.place == 1] == ["person:bob"]


def test_what_a_viewer_may_not_read_changes_nothing_they_are_told(shared_store):
    told = []
    for secret in (False, True):
        company(secret).build(shared_store, WS)
        inv = room(shared_store, viewer=permissions.member("bo")).investigate(ALERT, save=False)
        told.append([inv.text, inv.suspects, inv.severity, inv.affected, inv.scope, inv.past, inv.events, inv.page, inv.checked, inv.claims])
    assert repr(told[0]) == repr(told[1])
    assert "secret" not in repr(told).lower()


def test_who_may_read_it_is_told_of_it(shared_store):
    company(True).build(shared_store, WS)
    inv = room(shared_store, viewer=permissions.member("cy", frozenset({"team:till"}))).investigate(ALERT, save=False)
    assert "deploy:secret" in {s.key for s in inv.suspects}
    assert "incident:SECRET" in {p.key for p in inv.past}
    assert "alert:secret" in {e.key for e in inv.events}


def test_a_signal_that_is_not_loaded_gives_the_same(shared_store):
    company().build(shared_store, WS)
    signal = Signal("", "TotalsDiffer", "Totals differ from the till", "service:shop", "shop", FIRED)
    assert room(shared_store).investigate(signal, save=False).suspects[0].key == CAUSE
