"""The Approvals page as a script: what waits is shown with what it would change, and done, rejected and undone by its buttons."""

from __future__ import annotations

from pathlib import Path

import pytest
from acting_company import ADA, CY, NOW, assigned, made
from app_here import app_here
from streamlit.testing.v1 import AppTest

from brain import permissions, settings
from brain.brain import Brain
from brain.store import graph_name
from brain.ui import session

ROOT = Path(__file__).parent.parent
WHERE = "approvals-page"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with app_here(tmp_path_factory.mktemp("ui-approvals"), WHERE):
        yield


@pytest.fixture
def b(place):
    opened = Brain.open(settings.load())
    opened._embedder.append(None)
    made().build(opened.store, WHERE)
    opened.store.drop(graph_name(WHERE, "runs"))
    opened.store.set_meta(WHERE, {"stands_at": str(NOW), "loaded_at": str(NOW)})
    yield opened
    opened.close()


@pytest.fixture
def seen(b, monkeypatch):
    """Opens the page as somebody, with parameters in the address."""

    def open_(who=None, **params):
        if who is not None:
            monkeypatch.setattr(session, "viewer", lambda brain: brain.viewer(who) if isinstance(who, str) else who)
        at = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=30)
        at.switch_page("pages/approvals.py")
        for name, value in params.items():
            at.query_params[name] = value
        at.run()
        assert not at.exception
        return at

    return open_


def words(at):
    """Everything the page says."""
    return " ".join(str(e.value) for kind in ("html", "markdown", "info", "success", "error", "code") for e in getattr(at, kind, at.get(kind)))


def give(b, who=ADA, to="ada", why="", ticket="ticket:KIL-2"):
    return b.approvals(b.viewer(who)).propose("assign_ticket", {"ticket": ticket, "assignee": to}, why).id


def test_what_waits_shows_before_and_after_and_is_done_by_a_click(b, seen):
    id_ = give(b)
    at = seen()
    said = words(at)
    assert "Assign KIL-2 (Kiln cools 2) to Ada instead of Cy" in said and "Now" in said and "Then" in said and "proposed by ada" in said
    at.text_input(key=f"approvals_reason_{id_}").input("go <b>now</b>")
    at.button(key=f"approvals_yes_{id_}").click().run()
    assert "Done: Assign KIL" in words(at).replace("\\", "").replace("\u2060", "") and assigned(b, "ticket:KIL-2") == ["person:ada"]
    done = seen(state="approved")
    assert "go &lt;b&gt;now&lt;/b&gt;" in words(done) and "Before" in words(done)
    done.button(key=f"approvals_undo_{id_}").click().run()
    assert "Undone" in words(done) and assigned(b, "ticket:KIL-2") == ["person:cy"]


def test_a_rejection_without_a_reason_is_refused_and_with_one_is_kept(b, seen):
    id_ = give(b)
    at = seen()
    at.button(key=f"approvals_no_{id_}").click().run()
    assert "say why" in words(at) and b.approvals(b.viewer("local")).get(id_).state == "proposed"
    at.text_input(key=f"approvals_reason_{id_}").input("not now")
    at.button(key=f"approvals_no_{id_}").click().run()
    assert b.approvals(b.viewer("local")).get(id_).reason == "not now" and "not now" in words(seen(state="rejected"))


def test_whoever_comes_second_is_told_who_was_first(b, seen):
    id_ = give(b)
    at = seen()
    b.approvals(b.viewer("dee")).approve(id_)
    at.button(key=f"approvals_yes_{id_}").click().run()
    assert f"nothing was done: dee approved {id_}" in words(at).replace("\\", "").replace("\u2060", "")


def test_who_may_not_decide_sees_the_rule_and_no_buttons(b, seen):
    id_ = give(b)
    at = seen(CY)
    assert "May decide: an administrator, or who owns what the ticket is about" in words(at)
    assert not [x.key for x in at.button if id_ in str(x.key)]


def test_who_may_not_see_a_ticket_sees_nothing_of_it_by_list_or_link(b, seen):
    id_ = give(b, CY, "cy", ticket="ticket:KIL-9")
    for params in ({}, {"state": "all"}, {"id": id_}):
        said = words(seen(ADA, **params)).replace("\\", "").replace("\u2060", "")
        assert "KIL-9" not in said and "explode" not in said
    assert f"there is no approval '{id_}'" in words(seen(ADA, id=id_)).replace("\\", "").replace("\u2060", "")
    assert "explode" in words(seen(CY, id=id_))


def test_a_ticket_is_looked_at_and_proposed_from_the_page(b, seen):
    at = seen(ADA)
    at.text_input(key="approvals_ticket").input("KIL-1").run()
    assert "in the team that owns kiln-control" in words(at) and b.approvals(b.viewer("local")).list() == []
    at.text_input(key="approvals_why_assign_ticket").input("it is cold")
    at.button(key="approvals_propose_assign_ticket").click().run()
    (a,) = b.approvals(b.viewer("local")).list()
    assert (a.viewer, a.proposal.why[0], a.state) == ("ada", "it is cold", "proposed") and assigned(b, "ticket:KIL-1") == []
    assert at.text_input(key="approvals_ticket").value == ""


def test_a_decision_is_proposed_from_the_page_and_a_wrong_key_is_said(b, seen):
    at = seen()
    at.segmented_control(key="approvals_kind").set_value("record_decision").run()
    at.text_input(key="approvals_title").input("Cool slowly")
    at.text_area(key="approvals_text").input("It cracks.")
    at.text_area(key="approvals_because").input("ticket:KIL-77").run()
    assert "KIL-77" in words(at).replace("\\", "") and "approvals_propose_record_decision" not in [x.key for x in at.button]
    at.text_area(key="approvals_because").input("ticket:KIL-2").run()
    at.button(key="approvals_propose_record_decision").click().run()
    assert b.approvals(b.viewer("local")).list()[0].proposal.args["because"] == ["ticket:KIL-2"]


@pytest.mark.parametrize("who", [permissions.guest(), permissions.nobody()])
def test_who_has_no_name_is_told_to_log_in(b, seen, who):
    assert "A proposal needs a name" in words(seen(who))
