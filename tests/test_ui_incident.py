"""The Incident page as a script: choosing an alert, its result kept under a link, both arms, going on, confirming, drafts, a message."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import small_company
import small_graph
import streamlit as st
from app_here import app_here
from incident_made import CAUSE, INCOMPLETE, NONE, PASSAGES, RIVALS, hostile
from streamlit.testing.v1 import AppTest
from test_cli_incident import WEBHOOK

from brain import permissions
from brain.brain import Brain
from brain.ui import incident, incident_acts, incident_result, incident_suspects, incident_time, session, text

ROOT = Path(__file__).parent.parent
ALERT = "alert:0e06d5f413d88dc9"
DAY = "2025-12-01"
EVERY = [CAUSE, RIVALS, NONE, PASSAGES, INCOMPLETE, hostile()]


@pytest.fixture(scope="module")
def brain(tmp_path_factory):
    with app_here(tmp_path_factory.mktemp("ui-incident"), "bus") as own:
        opened = Brain.open(own)
        small_company.build(opened.store, "bus", "restricted")
        yield opened
        opened.close()


def opened(**params):
    page = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=90)
    for name, value in params.items():
        page.query_params[name] = value
    page.switch_page("pages/incident.py")
    return page.run()


def shown(page):
    return " ".join([*(h.proto.body for h in page.get("html")), *(m.value for m in page.markdown), *(h.value for h in page.header)])


def ids(page):
    """The investigations in the page's address."""
    found = page.query_params["inv"]
    return [found] if isinstance(found, str) else list(found)


def kept(brain):
    return brain.incidents(brain.viewer("local")).recent(100)


@pytest.fixture(scope="module")
def done(brain):
    """An investigation of the small company's alert that the page made, over both arms."""
    page = opened(alert=ALERT, at=DAY, arm=["graph", "vector"])
    assert not page.exception and not page.error
    return page


def test_nothing_is_investigated_before_an_alert_is_chosen(brain):
    before = len(kept(brain))
    page = opened()
    assert not page.exception and len(kept(brain)) == before
    first = page.selectbox(key="incident_alert")
    assert any(o.startswith("firing · ThresholdEvaluationLag on threshold-watch") for o in first.options)


def test_a_result_stands_under_a_link_that_gives_it_again_without_another_investigation(brain, done):
    made = ids(done)
    assert len(made) == 2 and ALERT in done.query_params["alert"]
    before = len(kept(brain))
    again = opened(inv=made)
    assert not again.exception and len(kept(brain)) == before
    one = brain.incidents(brain.viewer("local")).read(made[0])
    assert text.esc(one.causes[0].name if one.causes else "No cause") in shown(again)


def test_the_graph_is_drawn_for_the_graph_and_passages_for_the_search(brain, done):
    first, second = ids(done)
    assert "Way" in " ".join(h.value for h in opened(inv=[first]).header) or "Suspects" in shown(opened(inv=[first]))
    alone = opened(inv=[second])
    heads = [h.value for h in alone.header]
    assert any(h.startswith("Passages") for h in heads) and not any(h.startswith("Way") for h in heads)


def test_the_other_arm_is_shown_in_full_when_it_is_chosen(done):
    assert not any(h.value.startswith("Passages: what") for h in done.header)
    done.segmented_control(key="incident_full").set_value("vector").run()
    assert any(h.value.startswith("Passages: what") for h in done.header) and not done.exception
    done.segmented_control(key="incident_full").set_value("graph").run()


def test_an_unfinished_one_says_so_and_can_be_gone_on_with(brain, done):
    room = brain.incidents(brain.viewer("local"))
    whole = room.read(ids(done)[0])
    left = replace(whole, id="left-over", state="incomplete", roles=("triage",), outcome="none", suspects=(), claims=(), page=())
    room.board.write(left, "triage")
    page = opened(inv=["left-over"])
    assert "incomplete" in page.warning[0].value and "Not finished" in shown(page)
    page.button(key="incident_resume_left-over").click().run()
    assert not page.exception and room.read("left-over").state == "complete" and ids(page) == ["left-over"]


def test_a_cause_is_confirmed_by_a_press(brain, done):
    one = brain.incidents(brain.viewer("local")).read(ids(done)[0])
    assert one.suspects
    page = opened(inv=[one.id])
    page.button(key=f"incident_confirm_{one.id}").click().run()
    assert not page.exception and page.success and brain.playbooks(brain.viewer("local")).of_run(one.id)


def test_a_draft_is_proposed_once_and_only_waits(brain, done):
    one = ids(done)[0]
    page = opened(inv=[one])
    page.button(key=f"incident_draft_message_{one}").click().run()
    assert not page.exception and "It waits for approval" in page.success[0].value
    (waits,) = brain.approvals(brain.viewer("local")).list("proposed")
    assert (waits.kind, waits.proposal.draft[:4]) == ("draft_message", "*SEV")
    assert brain.approvals(brain.viewer("mcoelho")).list("proposed") == []


def test_who_may_not_see_something_is_told_of_none_of_it(brain, done, monkeypatch):
    assert small_graph.CANARY in shown(opened(inv=[ids(done)[0]]))
    monkeypatch.setattr(session, "viewer", lambda brain: permissions.guest())
    page = opened()
    assert small_graph.CANARY not in str(page.selectbox(key="incident_alert").options)
    assert "no investigation" in opened(inv=[ids(done)[0]]).error[0].value
    run = opened(alert=ALERT, at=DAY)
    assert not run.exception and small_graph.CANARY not in shown(run) + str([e.label for e in run.expander])
    assert "there is no alert" in opened(alert=f"alert:{small_graph.CANARY}", at=DAY).error[0].value


def test_a_pasted_message_is_investigated_and_a_bad_one_is_one_line(brain):
    page = opened()
    page.text_area(key="incident_pasted").set_value("{").run()
    assert page.error and not page.exception
    page.text_area(key="incident_pasted").set_value(json.dumps(WEBHOOK)).run()
    page.button(key="incident_send").click().run()
    assert not page.exception and "BusLag" in str(brain.incidents(brain.viewer("local")).read(ids(page)[0]).signal)


@pytest.mark.parametrize("inv", EVERY, ids=lambda i: f"{i.id}-{i.outcome}")
def test_every_outcome_has_its_first_screen_and_nothing_in_it_is_live(inv):
    parts = [incident_result.first_screen(inv, text.plain), incident_result.checked(inv), incident_result.past(inv, text.plain),
             incident_result.claims(inv, text.plain), incident_result.people(inv, text.plain), incident_result.reach(inv, text.plain),
             *(incident_suspects.suspect_html(inv, s, text.plain) for s in inv.suspects), *(incident_suspects.way(inv, s, text.plain) for s in inv.suspects)]  # fmt: skip
    made = "".join(parts)
    assert text.esc(incident_result.telling.headline(inv)) in made
    assert "<b>&" not in made and "<!channel>" not in made and 'href="http://evil' not in made


def test_the_picture_goes_from_the_alert_to_the_cause_and_marks_that_way_alone():
    pic = incident_suspects.picture(CAUSE)
    assert pic.gold == set(CAUSE.suspects[0].path) and {"deploy:s-9", "ticket:OPS-3", "pr:bakery/queue#40"} <= {n.key for n in pic.nodes}
    assert [hop.keys[0] for hop in pic.hops][:2] == ["alert:f00d", "service:shop"]
    edges = {(e.src, e.rel, e.dst) for e in pic.edges}
    assert ("deploy:q-118", "DEPLOYED_TO", "service:order-queue") in edges and ("ticket:OPS-3", "MODIFIES", "service:cart") in edges
    several = replace(CAUSE.suspects[0], changes=("pr:bakery/queue#40", "pr:bakery/queue#41", "pr:bakery/queue#42"))
    last = incident_suspects.picture(replace(CAUSE, suspects=(several,))).hops[-1]
    assert set(last.keys) == set(several.changes) and "includes" in last.label
    assert not incident_suspects.picture(PASSAGES).nodes and not incident_suspects.picture(NONE).gold


def test_what_the_hops_weigh_is_what_the_way_was_chosen_by(brain, done):
    inv = brain.incidents(brain.viewer("local")).read(ids(done)[0])
    ways = [(tuple(r["path"]), r["weight"]) for s in inv.steps if s.tool == "causal_path" for r in s.rows]
    known = {frozenset((e.src, e.dst)): e for s in inv.steps for e in s.edges}
    assert any(len(path) > 3 for path, _ in ways)
    for path, weight in ways:
        assert sum(incident_suspects.weight(known[frozenset(pair)]) for pair in pairwise(path)) == pytest.approx(weight)


def test_the_chart_says_in_words_what_it_draws():
    events = incident_time.timeline.marked(CAUSE, incident_time.timeline.timeline(CAUSE))
    fig, said = incident_time.chart(CAUSE, events)
    assert [t.name for t in fig.data if len(t.x)] == ["Cause", "Could be", "Other"]
    assert "2031-06-05 01:10 order-queue 1.18 to production" in said


def test_steps_stand_under_the_role_that_took_them():
    steps = [replace(s, why=f"{role}: {s.why}") for s, role in zip(CAUSE.steps, ("triage", "historian", "historian"), strict=True)]
    said = incident.by_role(steps)
    assert said.index("Triage") < said.index("Historian") and said.count("<p><b>") == 2 and "historian:" not in said


def test_a_draft_rests_on_everything_that_stands_in_it():
    keys = incident_acts.rests_on(CAUSE)
    assert {"alert:f00d", "deploy:q-118", "pr:bakery/queue#40", "decision:adr-7", "person:mo", "incident:I-2", "message:ops/1", "service:kiosk"} <= set(keys)


@pytest.mark.parametrize(("params", "hours", "arms"), [({"hours": "72", "arm": "vector"}, 72, ("vector",)), ({"hours": "9", "arm": "evil"}, 24, ("graph",))])
def test_what_the_address_cannot_mean_is_left_out(params, hours, arms, monkeypatch):
    class Params(dict):
        def get_all(self, name):
            return [self[name]] if name in self else []

    monkeypatch.setattr(st, "query_params", Params(params))
    wanted = incident.from_url()
    assert (wanted.hours, wanted.arms) == (hours, arms)
