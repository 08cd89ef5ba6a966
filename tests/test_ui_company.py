"""Sources beyond loading, as scripts: the queue of claims with its buttons, and what is wrong with what is loaded."""

from datetime import date
from pathlib import Path

import pytest
import small_company
import small_graph
import streamlit as st
from app_here import app_here
from claims_graph import Company, at
from streamlit.testing.v1 import AppTest

from brain import permissions, settings
from brain.brain import Brain
from brain.tools import tools
from brain.tools.asking import Asking
from brain.types import Answer, Step
from brain.ui import candidates, ownership, session
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
    with app_here(tmp_path_factory.mktemp("ui-company"), "pumps"):
        yield


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
    monkeypatch.setattr(session, "viewer", lambda brain: permissions.guest())
    page = sources("candidates")
    assert not page.exception and "Bo fixed 1" in shown(page)
    assert not [b for b in page.button if b.label in ("Approve", "Reject", "Take back")] and not page.checkbox
    monkeypatch.setattr(session, "viewer", lambda brain: permissions.nobody())
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


# -- rules -----------------------------------------------------------------------------------------


@pytest.fixture
def ruled(brain):
    small_company.build(brain.store, "ruled")
    brain.store.set_meta("ruled", {"stands_at": str(small_graph.NOW)})
    yield brain
    brain.store.drop("brain:ruled")


def rules(**params):
    page = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    for name, value in {"ws": "ruled", **params}.items():
        page.query_params[name] = value
    page.switch_page("pages/rules.py")
    page.run()
    assert not page.exception
    return page


def test_a_rule_counts_from_its_day_on_and_the_one_it_replaces_until_then(ruled):
    for day, there, gone in (("2025-09-14", "8 hours", "4 hours"), ("2025-09-15", "4 hours", "2 hours"), ("2025-12-15", "2 hours", "4 hours</td>")):
        page = rules(at=day, words="ticket claim deadline")
        assert f"in force on {day}" in shown(page) and there in shown(page) and gone not in shown(page)


def test_without_a_day_the_rules_are_those_of_the_day_the_data_stands_at(ruled):
    page = rules(words="ticket claim deadline")
    assert str(page.slider[0].value) == "2025-12-01" and "4 hours" in shown(page)


@pytest.mark.parametrize("params", [{"at": "soon"}, {"at": "1999-01-01"}, {"view": "nonsense"}, {"target": "team:none"}, {"at": EVIL}])
def test_an_address_that_means_nothing_shows_what_is_in_force(ruled, params):
    assert "rules in force on 2025-12-01" in shown(rules(**params))


def test_words_that_name_no_rule_are_one_line(ruled):
    page = rules(words="!!")
    assert "needs a key" in page.error[0].value
    assert "0 rules" in shown(rules(words="xylophone"))


def test_the_slider_and_the_field_say_one_day_and_the_address_too(ruled):
    page = rules(at="2025-12-01")
    page.slider[0].set_value(date(2025, 12, 20)).run()
    assert str(page.date_input[0].value) == "2025-12-20" == page.query_params["at"]
    page.date_input[0].set_value(date(2025, 9, 14)).run()
    assert str(page.slider[0].value) == "2025-09-14" == page.query_params["at"] and not page.exception


def test_only_what_binds_a_team_is_left_by_the_filter(ruled):
    page = rules()
    page.selectbox(key="rules_target").set_value("team:boards").run()
    assert page.query_params["target"] == "team:boards" and not page.exception
    assert "8 hours" in shown(page) and "1 hour</td>" not in shown(page)


def test_the_history_says_what_each_rule_was_replaced_by(ruled):
    page = rules(view="history", rule="rule:docs-policies-ticket-handling/ticket-claim-deadline")
    html = shown(page)
    assert html.index("8 hours") < html.index("4 hours") < html.index("2 hours") and "future" in html and "in force" in html
    assert "There is no rule" in rules(view="history", rule="rule:none").warning[0].value


def test_conflicts_tell_both_sides(ruled):
    html = shown(rules(view="conflicts"))
    assert html.index("Friday 15:00") < html.index("Friday 12:00") and "practice" in html


def test_an_announced_notice_fills_the_form_and_shows_what_it_would_change(ruled):
    page = rules(view="whatif")
    page.selectbox(key="whatif_start").select_index(1).run()
    assert page.text_input(key="whatif_value").value == "2 hours" and str(page.date_input(key="whatif_from").value) == "2025-12-15"
    next(b for b in page.button if b.label == "Try it on a copy").click().run()
    assert not page.exception and "1 rule new, 1 rule no longer in force" in shown(page)
    assert ruled.store.graphs("brain:ruled:whatif-") == []
    press(page, "whatif_reset")
    assert "no longer in force" not in shown(page) and page.text_input(key="whatif_value").value == ""


def test_a_notice_that_contradicts_names_the_conflict_and_links_only_to_what_is_loaded(ruled):
    page = rules(view="whatif")
    page.text_input(key="whatif_name").set_value("Change freeze window")
    page.text_input(key="whatif_value").set_value("never")
    next(b for b in page.button if b.label == "Try it on a copy").click().run()
    assert "#### Conflicts that would begin" in [m.value for m in page.markdown]
    assert "p.key=rule%3Adocs-policies-releases" in shown(page) and "p.key=rule%3Awhat-if" not in shown(page)


def test_a_notice_without_a_value_is_one_line(ruled):
    page = rules(view="whatif")
    page.text_input(key="whatif_name").set_value("Quiet hours")
    next(b for b in page.button if b.label == "Try it on a copy").click().run()
    assert not page.exception and "needs the name" in page.error[0].value


def test_who_may_read_no_rule_is_told_so(ruled, monkeypatch):
    monkeypatch.setattr(session, "viewer", lambda brain: permissions.nobody())
    assert "No rule is loaded" in rules().info[0].value


def test_what_a_rule_approved_can_be_rejected_and_what_was_rejected_approved(brain):
    page = sources("candidates")
    page.segmented_control(key="candidates_state").set_value("approved").run()
    owned = brain.candidates(brain.viewer("local")).page(["approved"])[1][0]
    assert not [b for b in page.button if b.label == "Approve"]
    press(page, f"candidates_no_{owned.aid}")
    assert brain.candidates(brain.viewer("local")).of([owned.aid])[0].state == "rejected"
    page.segmented_control(key="candidates_state").set_value("rejected").run()
    assert not [b for b in page.button if b.label == "Reject"]
    press(page, f"candidates_yes_{owned.aid}")
    assert brain.candidates(brain.viewer("local")).of([owned.aid])[0].state == "approved"


def test_a_hostile_rule_is_inert_on_every_view(brain):
    made = Company()
    for n in (1, 2):
        made.doc(f"docs/{n}.md", f"{EVIL} | {n} hours")
        made.node(f"rule:docs-{n}/x", EVIL, access="open", title=EVIL, slot="x", value=f"{EVIL} {n} hours", conditions=EVIL, subject=EVIL,
                  at=at("2025-01-01"), valid_from=at("2025-01-01"), authority="formal_rule", doc=f"doc:docs/{n}.md")  # fmt: skip
    made.build(brain.store, "ruled")
    for view in ("force", "history", "conflicts", "whatif"):
        html = shown(rules(view=view))
        assert "<img" not in html and 'href="javascript' not in html
    assert "&lt;img" in shown(rules(view="force"))
    brain.store.drop("brain:ruled")


def test_when_the_last_page_is_decided_the_first_is_shown(brain, monkeypatch):
    monkeypatch.setattr(candidates, "PER_PAGE", 5)
    page = sources("candidates")
    page.get("pagination")[0].set_value(3).run()
    assert len(page.checkbox) == 4
    page.radio(key="candidates_scope").set_value("page")
    press(page, "candidates_reject")
    assert waiting(brain) == 10 and len(page.checkbox) == 5


def test_copies_that_an_earlier_process_left_go_when_the_app_opens(brain):
    brain.store.write("brain:pumps:whatif-1700000000-abc", "CREATE (:Entity)")
    st.cache_resource.clear()
    sources("loads")
    assert brain.store.graphs("brain:pumps:whatif-") == []
