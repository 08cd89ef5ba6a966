"""Playbooks on the pages: shown with how they did, put away, restored and forgotten by whoever made them; kept from a right answer."""

from pathlib import Path

import pytest
import small_company
from app_here import app_here
from playbook_made import ADMIN, ANN, investigation
from small_graph import NOW
from streamlit.testing.v1 import AppTest

from brain.brain import Brain

APP = Path(__file__).parent.parent / "streamlit_app.py"
WHERE = "playbooks-page"

@pytest.fixture(scope="module")
def brain(tmp_path_factory):
    with app_here(tmp_path_factory.mktemp("ui-playbooks"), WHERE) as own:
        opened = Brain.open(own)
        opened._embedder.append(None)
        small_company.build(opened.store, WHERE)
        opened.store.set_meta(WHERE, {"stands_at": str(NOW)})
        yield opened
        opened.close()


@pytest.fixture
def made(brain):
    brain.store.drop(f"brain:{WHERE}:runs")
    return brain.playbooks(ADMIN).confirm(investigation(brain.store, WHERE))


def section(seen_as=""):
    page = AppTest.from_file(str(APP), default_timeout=60)
    if seen_as:
        page.session_state["frame_viewing"] = (WHERE, seen_as)
    page.switch_page("pages/memory.py").run()
    assert not page.exception
    return page


def words(page):
    return " ".join(str(getattr(e, "value", "") or getattr(e, "body", "")) for e in (*page.markdown, *page.info, *page.success, *page.error, *page.get("html")))


def test_a_playbook_is_shown_with_what_it_holds_and_how_it_did(brain, made):
    brain.playbooks(ADMIN).used(made.id, True, 1, 1.0)
    said = words(section())
    assert made.title in said
    assert "held 1 of 1 time" in said
    assert "service:gauge-store" in said
    assert "Likeness is judged by" in said


def test_its_buttons_put_it_away_restore_and_forget_it(brain, made):
    page = section()
    page.button(f"playbooks_demote_{made.id}").click().run()
    assert "tried no more" in words(page)
    assert brain.playbooks(ADMIN).playbook(made.id).standing == "demoted"
    page.button(f"playbooks_restore_{made.id}").click().run()
    assert brain.playbooks(ADMIN).playbook(made.id).standing == "active"
    page.button(f"playbooks_forget_{made.id}").click().run()
    assert "No playbook is kept" in words(page)


def test_who_did_not_make_it_sees_it_without_buttons(brain):
    brain.store.drop(f"brain:{WHERE}:runs")
    made = brain.playbooks(ANN).confirm(investigation(brain.store, WHERE))
    page = section("guest")
    assert made.title in words(page)
    assert [b for b in page.button if made.id in str(b.key)] == []


def test_a_right_answer_is_kept_where_it_was_asked_with_the_wording_that_failed(brain, made):
    failed = brain.ask("Who wears the hat of map-tiles?", viewer=ADMIN)
    brain.ask("Who wears the hat of gauge-store?", viewer=ADMIN)
    right = brain.ask("Which team owns map-tiles?", viewer=ADMIN)
    page = AppTest.from_file(str(APP), default_timeout=60)
    page.query_params["run"] = right.run
    page.query_params["q"] = right.question
    page.run()
    assert not page.exception
    assert page.multiselect(f"playbooks_failed_{right.run}").options == ["Who wears the hat of map-tiles?"]
    page.multiselect(f"playbooks_failed_{right.run}").select(failed.run)
    page.button(f"playbooks_keep_{right.run}").click().run()
    assert not page.exception
    assert {p.wording.masked for p in brain.playbooks(ADMIN).every("question")} == {"Which team owns <Service>?", "Who wears the hat of <Service>?"}
    assert brain.ask("Who wears the hat of gauge-store?", viewer=ADMIN, save=False, playbooks=True).items == ("team:platform",)


def test_an_answer_that_does_not_stand_is_not_offered(brain, made):
    wrong = brain.ask("Who wears the hat of map-tiles?", viewer=ADMIN)
    page = AppTest.from_file(str(APP), default_timeout=60)
    page.query_params["run"] = wrong.run
    page.query_params["q"] = wrong.question
    page.run()
    assert not page.exception
    assert [b for b in page.button if str(b.key).startswith("playbooks_keep")] == []
