"""Alerts of the demo, investigated as they were minutes after they fired."""

from dataclasses import replace

import pytest

from brain import permissions
from brain.errors import BadInput
from brain.incident import record
from brain.incident.findings import ROLES, Signal
from brain.incident.room import Incidents

LATE, PORTAL, SILENT, STALE = "alert:0e06d5f413d88dc9", "alert:e4dbf1689ef70c9b", "alert:92c91d03c189d363", "alert:ff96ed0cdd07cf24"
BUS, TOKENS = "deploy:event-bus-20261014-0111", "deploy:token-broker-20260922-1944"
FIRED = {LATE: 1791945660, PORTAL: 1790111820, SILENT: 1791259920, STALE: 1790835600}


def found(demo, alert, viewer=None, after=1200, **more):
    who = viewer or permissions.local_admin()
    return demo.incidents(who, FIRED[alert] + after).investigate(alert, **{"save": False, "playbooks": False, **more})


@pytest.mark.parametrize(
    ("alert", "cause", "on", "page", "baseline"),
    [
        (LATE, BUS, "service:event-bus", "person:ayobrandt", "deploy:threshold-watch-20261014-0233"),
        (PORTAL, TOKENS, "service:token-broker", "person:gweiss", "deploy:board-portal-20260922-2058"),
        (STALE, "ticket:OPS-187", "service:tide-model", "person:knowicka", ""),
    ],
)
def test_the_cause_is_named_with_its_way_its_owner_is_paged_and_the_dumb_rule_stands_beside(demo, alert, cause, on, page, baseline):
    inv = found(demo, alert)
    assert inv.outcome == "cause"
    first = inv.suspects[0]
    assert (first.key, first.on, inv.broke) == (cause, on, on)
    assert (first.path[0], first.path[1], first.path[-2], first.path[-1]) == (alert, inv.signal.service, on, cause)
    assert len(first.rels) == len(first.path) - 1
    assert [p.key for p in inv.page if p.place == 1] == [page]
    assert inv.baseline == baseline
    assert inv.roles == ROLES
    assert inv.state == "complete"


def test_the_red_herring_is_shown_with_what_speaks_against_it(demo):
    inv = found(demo, LATE)
    herring = next(s for s in inv.suspects if s.key == inv.baseline)
    assert herring.standing == "discounted"
    assert {"texts_only", "went_on"} <= {r.kind for r in herring.reasons if r.points < 0}
    assert herring.hops < inv.suspects[0].hops
    assert herring.at > inv.suspects[0].at


def test_the_rule_it_breaks_is_quoted_from_the_line_where_it_stands(demo):
    rule = next(r for r in found(demo, LATE).suspects[0].reasons if r.kind == "rule")
    assert rule.cites[0] == "decision:docs/adr/0007-bus-batches-close-within-two-seconds"
    assert "eight seconds" in rule.text
    assert "two seconds" in rule.text
    assert rule.quotes


def test_nothing_found_is_a_result_and_says_what_was_looked_at(demo):
    inv = found(demo, SILENT)
    assert inv.outcome == "none"
    assert not inv.causes
    assert inv.text.startswith("No cause found in what was searched")
    assert {c.on for c in inv.checked} == set(inv.scope)
    assert all(c.clean and c.found == 0 for c in inv.checked)
    assert [p.key for p in inv.page if p.place == 1] == ["person:lachreyes"]


def test_every_sentence_of_the_report_is_checked(demo):
    inv = found(demo, LATE)
    assert inv.claims
    assert {c.verdict for c in inv.claims} == {"supported"}
    assert any(BUS in c.cites for c in inv.claims)


def test_what_was_written_afterwards_about_the_same_alert_is_not_what_it_rests_on(demo):
    now = demo.incidents(permissions.local_admin()).investigate("alert:0f46b9b48bacf2ff", save=False, playbooks=False)
    assert [r.incident for r in now.recorded] == ["incident:INC-3", "incident:Q1THRESH01"]
    assert now.recorded[0].causes == ("deploy:event-bus-20260318-0405",)
    assert not {p.key for p in now.past} & {"incident:INC-3", "incident:Q1THRESH01"}
    assert all("incident:INC-3" not in r.cites for s in now.suspects for r in s.reasons)


def test_the_past_speaks_only_of_what_was_over_before(demo):
    inv = found(demo, LATE)
    assert inv.past[0].key in ("incident:INC-3", "incident:Q1THRESH01")
    assert all(p.at < inv.signal.at for p in inv.past)
    fixed = next(p for p in inv.past if p.key == "incident:INC-3")
    assert (fixed.causes, fixed.fixes) == (("deploy:event-bus-20260318-0405",), ("deploy:event-bus-20260318-0612",))


def test_later_a_change_that_was_taken_back_just_before_the_end_counts_for_it_and_one_that_changed_nothing_against_it(demo):
    kinds = {s.key: {r.kind for r in s.reasons} for s in found(demo, PORTAL, after=7200).suspects}
    assert "ended_with" in kinds[TOKENS]


def test_with_the_graph_off_there_are_passages_and_no_way(demo):
    inv = found(demo, LATE, arm="vector")
    assert inv.arm == "vector"
    assert inv.passages
    assert not inv.scope
    assert not inv.affected
    assert all(not s.path for s in inv.suspects)
    assert not {s.tool for s in inv.steps} & {"blast_radius", "causal_path", "recent_changes", "whom_to_page"}
    assert inv.roles == ROLES


def test_an_investigation_comes_back_from_its_record_as_it_was(demo):
    inv = found(demo, LATE)
    again = record.loads(record.dumps(inv))
    assert replace(again, steps=()) == replace(inv, steps=())
    assert record.as_json(inv)["suspects"][0]["key"] == BUS


@pytest.mark.parametrize("said", ["0e06d5f413d88dc9", LATE, "incident:Q2THRESH01", "Q2THRESH01", "threshold-watch", "service:threshold-watch"])
def test_an_alert_is_found_by_key_fingerprint_incident_or_service(demo, said):
    room = demo.incidents(permissions.local_admin())
    inv = room.investigate(said, save=False, playbooks=False)
    assert inv.signal.key == LATE


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"alert": "alert:nope"}, "there is no alert 'alert:nope'; nearest: alert:"),
        ({"alert": LATE, "arm": "hybrid"}, "arm is 'hybrid'; an investigation has graph, vector"),
        ({"alert": LATE, "engine": "oracle"}, "engine is 'oracle'; legal: builtin"),
        ({"alert": LATE, "window": 5}, "the window is 5 s"),
    ],
)
def test_what_does_not_fit_is_one_line(demo, more, words):
    with pytest.raises(BadInput, match=words):
        demo.incidents(permissions.local_admin()).investigate(**more, save=False)


def test_an_alert_of_after_the_instant_asked_about_is_not_there_yet(demo):
    room = demo.incidents(permissions.local_admin(), FIRED[LATE] - 60)
    with pytest.raises(BadInput, match="there is no alert"):
        room.investigate(LATE, save=False)
    with pytest.raises(BadInput, match="went off only after"):
        room.investigate(Signal("", "Late", "Late", "service:threshold-watch", "threshold-watch", FIRED[LATE]), save=False)


def test_a_signal_that_is_not_loaded_is_investigated_on_the_service_it_names(demo):
    signal = Signal("", "EvaluationLag", "Evaluation is late", "service:threshold-watch", "threshold-watch", FIRED[LATE] + 300)
    inv = demo.incidents(permissions.local_admin(), FIRED[LATE] + 1500).investigate(signal, save=False, playbooks=False)
    assert (inv.outcome, inv.suspects[0].key) == ("cause", BUS)
    assert inv.suspects[0].path[0] == "service:threshold-watch"


def test_a_signal_on_nothing_that_is_known_says_so(demo):
    inv = demo.incidents(permissions.local_admin()).investigate(Signal("", "Late", "Late", "", "", FIRED[LATE]), save=False)
    assert inv.outcome == "none"
    assert inv.text.startswith("No label of 'Late' names a service that is known here")
    assert not any(c.clean for c in inv.checked)


def test_who_sees_nothing_finds_no_alert_and_is_not_told_which_there_are(demo):
    room: Incidents = demo.incidents(permissions.nobody())
    assert not room.alerts()
    with pytest.raises(BadInput, match="no alert is loaded that you may read"):
        room.investigate(LATE, save=False)


def test_a_longer_window_finds_what_a_shorter_one_does_not(demo):
    short = found(demo, STALE, window=3600)
    assert short.outcome == "none"
    assert found(demo, STALE, window=7200).outcome == "cause"


@pytest.mark.parametrize(
    ("first", "then", "cause"),
    [("alert:0f46b9b48bacf2ff", LATE, BUS), ("alert:06ad278fe2894084", PORTAL, TOKENS)],
)
def test_the_second_time_a_confirmed_playbook_leads_there_in_less_than_half_the_steps(demo, first, then, cause):
    lead = permissions.member("ada")
    room = demo.incidents(lead, FIRED[then] - 86_400)
    before = room.investigate(first, playbooks=False, save=False)
    book = demo.playbooks(lead).confirm(before, before.suspects[0].key)
    try:
        plain = found(demo, then, lead)
        again = found(demo, then, lead, playbooks=True)
        assert plain.suspects[0].key == again.suspects[0].key == cause
        assert again.suspects[0].path == plain.suspects[0].path
        assert [p.key for p in again.page][:2] == [p.key for p in plain.page][:2]
        assert again.followed is not None
        assert again.followed.held
        assert 2 * len(again.steps) <= len(plain.steps)
        assert 2 * len(again.steps) <= len(before.steps)
    finally:
        demo.playbooks(lead).forget(book.id)


def test_a_playbook_that_does_not_hold_costs_its_try_and_the_whole_investigation_follows(demo):
    lead = permissions.member("ada")
    before = demo.incidents(lead, FIRED[PORTAL]).investigate("alert:0f46b9b48bacf2ff", playbooks=False, save=False)
    book = demo.playbooks(lead).confirm(before, before.suspects[0].key)
    try:
        inv = demo.incidents(lead, FIRED[LATE] - 3 * 86_400).investigate(
            Signal("", "ThresholdEvaluationLag", "Late", "service:threshold-watch", "threshold-watch", FIRED[LATE] - 3 * 86_400), save=False
        )
        assert inv.followed is not None
        assert not inv.followed.held
        assert inv.roles == ROLES
        assert demo.playbooks(lead).playbook(book.id).standing == "doubtful"
    finally:
        demo.playbooks(lead).forget(book.id)
