"""Sources beyond loading, as scripts: the queue of claims with its buttons, and what is wrong with what is loaded."""

import os
from pathlib import Path

import pytest
import small_company
import small_graph
import streamlit as st
from claims_graph import Company, at
from streamlit.testing.v1 import AppTest

from brain import permissions, settings
from brain.brain import Brain
from brain.tools import tools
from brain.tools.asking import Asking
from brain.types import Answer, Step
from brain.ui import ownership, session
from brain.ui.text import short

ROOT = Path(__file__).parent.parent
EVIL = "<img src=x onerror=alert(1)> ![x](http://evil.test) [go](javascript:alert(1))"


def company():
    made = Company()
    made.node("person:bo", "Bo")
    made.node("person:old", "Old Hand", departed_at=at("2020-01-01"))
    made.node("service:pump", "pump")
    made.node("message:field/1", EVIL, access="open")
    made.text("message:field/1", "\n".join(f"Bo fixed {n}" for n in range(1, 15)) + f"\npump is with Old Hand {EVIL}")
    for n in range(1, 15):
        made.node(f"ticket:OPS-{n}", access="open")
        made.claim(f"ticket:OPS-{n}", "HANDLED_BY", "person:bo", "message:field/1", n, f"Bo fixed {n}", state="candidate")
    made.claim("person:old", "OWNS", "service:pump", "message:field/1", 15, f"Old Hand {EVIL}")
    return made


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ui-company")
    before = {k: os.environ.get(k) for k in ("BRAIN_HOME", "BRAIN_WORKSPACE")}
    os.environ.update(BRAIN_HOME=str(folder), BRAIN_WORKSPACE="pumps")
    st.cache_resource.clear()
    yield folder
    st.cache_resource.clear()
    for name, value in before.items():
        os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)


@pytest.fixture
def brain(place):
    opened = Brain.open(settings.load())
    opened._embedder.append(None)
    company().build(opened.store, "pumps")
    opened.files.decisions._path.unlink(missing_ok=True)
    st.cache_data.clear()
    yield opened
    opened.close()


def sources(view, **params):
    page = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    for name, value in {"view": view, **params}.items():
        page.query_params[name] = value
    page.switch_page("pages/sources.py")
    return page.run()


def press(page, key):
    page.button(key=key).click().run()
    assert not page.exception
    return page


def waiting(brain):
    return sum(brain.candidates(brain.viewer("local")).counts().values())


def shown(page):
    return " ".join(h.proto.body for h in page.get("html"))


def test_one_claim_is_approved_where_it_stands(brain):
    page = sources("candidates")
    first = brain.candidates(brain.viewer("local")).page()[1][0]
    assert f"“{first.quote}”" in shown(page) and "line 1" in shown(page)
    press(page, f"candidates_yes_{first.aid}")
    assert page.success[0].value == "1 claim approved." and waiting(brain) == 13
    assert brain.candidates(brain.viewer("local")).of([first.aid])[0].state == "approved"


def test_ticked_claims_are_rejected_with_a_reason_and_taken_back(brain):
    page = sources("candidates")
    picked = [c.aid for c in brain.candidates(brain.viewer("local")).page()[1][:3]]
    for aid in picked:
        page.checkbox(key=f"candidates_tick_{aid}").check()
    page.text_input(key="candidates_reason").set_value("hearsay")
    press(page, "candidates_reject")
    made = brain.files.decisions.history()[-1]
    assert (set(made.aids), made.state, made.reason) == (set(picked), "rejected", "hearsay") and waiting(brain) == 11
    assert page.text_input(key="candidates_reason").value == ""
    press(page, "candidates_undo_1")
    assert waiting(brain) == 14 and page.success[0].value == "3 claims taken back."
    assert not [b for b in page.button if b.label == "Take back"]


@pytest.mark.parametrize(("scope", "left"), [("page", 4), ("every", 0)])
def test_a_page_or_the_whole_list_is_decided_at_once(brain, scope, left):
    page = sources("candidates")
    page.radio(key="candidates_scope").set_value(scope)
    press(page, "candidates_approve")
    assert waiting(brain) == left


def test_only_what_the_filter_leaves_is_decided(brain):
    page = sources("candidates")
    page.text_input(key="candidates_words").set_value("ops-1").run()
    page.radio(key="candidates_scope").set_value("every")
    press(page, "candidates_reject")
    assert {c.src for c in brain.candidates(brain.viewer("local")).page(["rejected"])[1]} == {f"ticket:OPS-{n}" for n in (1, 10, 11, 12, 13, 14)}


def test_nothing_ticked_is_one_line_and_no_decision(brain):
    page = press(sources("candidates"), "candidates_approve")
    assert "at least one" in page.error[0].value and waiting(brain) == 14


def test_who_may_not_decide_gets_no_buttons(brain, monkeypatch):
    monkeypatch.setattr(session, "viewer", permissions.guest)
    page = sources("candidates")
    assert not page.exception and "Bo fixed 1" in shown(page)
    assert not [b for b in page.button if b.label in ("Approve", "Reject", "Take back")] and not page.checkbox
    monkeypatch.setattr(session, "viewer", permissions.nobody)
    assert "Bo fixed" not in shown(sources("candidates"))


def test_each_finding_links_to_the_line_that_shows_it_and_nothing_in_it_is_live(brain):
    page = sources("health")
    assert not page.exception
    assert "Owners who left: 1" in [e.label for e in page.expander]
    html = shown(page)
    assert "owned by" in html and "line 15" in html and "p.key=message%3Afield%2F1" in html
    assert "<img" not in html and 'href="javascript' not in html and short("&lt;img src=x", 20) in html


def test_an_empty_workspace_has_nothing_to_decide_and_no_health(brain):
    for view in ("health", "candidates"):
        page = sources(view, ws="empty")
        assert not page.exception and "Nothing is loaded" in page.info[0].value


# -- who answers for a thing -----------------------------------------------------------------------


def owning(shared_store, target):
    small_company.build(shared_store, "ui-ownership")
    ctx = Asking(shared_store, "ui-ownership", permissions.local_admin(), small_graph.NOW)
    found = tools(ctx.catalogue)["who_owns"].run(ctx, target=target)
    return Step(1, "who_owns", "", {"target": target}, rows=found.rows)


def test_sources_stand_side_by_side_with_dates_departures_findings_and_whom_to_ask(shared_store):
    step = owning(shared_store, "asset-register")
    given = Answer("r", "?", "graph", "builtin", "local", small_graph.NOW, "answered", "", steps=(step, step, Step(2, "who_owns", "", {"target": "none"})))
    assert [target for target, _ in ownership.asked_about(given)] == ["asset-register"]
    html = ownership.table("asset-register", list(step.rows), lambda key: f"to/{key}")
    for said in ("Catalogue", "left on 2025-", "orphaned", "ask now", "Changed it", "to/person:leoquist", "in the last year"):
        assert said in html, said
    assert html.count("<tr>") == len(step.rows) + 1


def test_nothing_in_a_row_is_live():
    row = {"source": EVIL, "rel": EVIL, "key": "person:x", "name": EVIL, "label": EVIL, "authority": EVIL, "quote": EVIL, "from_key": "doc:x", "line": 1}
    html = ownership.table(EVIL, [row], lambda key: 'x" onclick="alert(1)')
    assert "<img" not in html and 'onclick="' not in html
