"""Who a session is, and looking as somebody else: the login alone decides, no address, widget or session state does."""

from pathlib import Path

import pytest
from app_here import app_here
from claims_graph import Company
from streamlit.testing.v1 import AppTest

from brain import permissions
from brain.audit import viewings
from brain.brain import Brain
from brain.ui import session, viewing
from brain.ui.frame import PAGES

ROOT = Path(__file__).parent.parent
LOGIN = {"auth": {"redirect_uri": "http://localhost/oauth2callback", "cookie_secret": "x", "client_id": "x", "client_secret": "x", "server_metadata_url": "http://localhost/x"}}
HIDDEN = "Hidden sluice plan"


def company():
    made = Company()
    for login in ("ada", "bo", "local"):
        made.node(f"person:{login}", login.capitalize(), login=login, access="open")
    made.node("team:heat", "Heat", access="open")
    made.node("service:pump", "pump", access="open")
    for name, access, aud in (("people", "open", None), ("hidden", "restricted", ["team:heat"])):
        made.node(f"doc:{name}.md", HIDDEN if aud else "People", access=access, path=f"{name}.md", **({"aud": aud} if aud else {}))
    made.text("doc:people.md", "ada is in heat\nbo is in works")
    made.node("team:works", "Works", access="open")
    made.claim("person:ada", "MEMBER_OF", "team:heat", "doc:people.md", 1, "ada is in heat")
    made.claim("person:bo", "MEMBER_OF", "team:works", "doc:people.md", 2, "bo is in works")
    return made


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with app_here(tmp_path_factory.mktemp("session"), "sluice", BRAIN_ADMINS="bo") as own:
        brain = Brain.open(own)
        company().build(brain.store, "sluice")
        company().build(brain.store, "other")
        yield brain
        brain.close()


@pytest.fixture
def brain(place):
    (place.files.folder / "access" / "viewings.jsonl").unlink(missing_ok=True)
    return place


def opened(script="evidence", user=None, state=None, **params):
    """A page of a new session; `user` are the claims of whoever logged in, None where nobody can."""
    page = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    if user is not None:
        page.secrets = LOGIN
        page.user = user
    for name, value in params.items():
        page.query_params[name] = value
    for name, value in (state or {}).items():
        page.session_state[name] = value
    page.switch_page(f"pages/{script}.py")
    page.run()
    assert not page.exception
    return page


def note(page):
    return next(h.proto.body for h in page.get("html") if "Viewer:" in h.proto.body)


def shown(page, key="doc:hidden.md"):
    """Whether this session finds the restricted thing."""
    page.switch_page("pages/queries.py")
    page.query_params["query"], page.query_params["p.keys"] = "by_keys", key
    page.run()
    assert not page.exception
    return HIDDEN in str([f.value.to_dict() for f in page.dataframe])


def choose(page, login):
    page.selectbox(key=viewing.PICKED).set_value(login).run()
    assert not page.exception
    return page


def admin(**more):
    return opened(user={"is_logged_in": True, "login": "bo"}, **more)


# -- who it is -----------------------------------------------------------------------------------


def test_without_any_login_the_app_of_this_machine_belongs_to_its_administrator(brain):
    page = opened()
    assert "<b>local</b>" in note(page) and shown(page)


@pytest.mark.parametrize(
    ("user", "name", "reads"),
    [({"login": "ada"}, "ada", True), ({"login": "bo"}, "bo", True), ({"login": "stranger"}, "stranger", False), ({"login": "local"}, "login:local", False),
     ({"is_logged_in": False}, "guest", False), ({"is_logged_in": False, "login": "ada"}, "guest", False), ({"login": "ada, bo"}, "guest", False)],
)  # fmt: skip
def test_a_page_is_drawn_for_who_logged_in(brain, user, name, reads):
    page = opened(user={"is_logged_in": True, **user})
    assert f"<b>{name}</b>" in note(page) and shown(page) is reads


def test_who_is_not_logged_in_is_offered_to_and_who_is_can_leave(brain):
    assert [b.label for b in opened(user={"is_logged_in": False}).sidebar.button] == ["Log in"]
    assert [b.label for b in opened(user={"is_logged_in": True, "login": "ada"}).sidebar.button] == ["Log out"]
    assert not opened().sidebar.button


def test_the_address_of_a_login_is_shown_to_its_owner_alone(brain):
    page = opened(user={"is_logged_in": True, "email": "who@acme.test"})
    assert "<b>who@acme.test</b>" in note(page)


@pytest.mark.parametrize("login", ["stranger", "bo"])
def test_no_address_says_who_looks(brain, login):
    page = opened(user={"is_logged_in": True, "login": login})
    for value in ("ada", "local", "true", "sluice,ada"):
        for name in ("viewer", "as", "view_as", "user", "admin", "groups", "frame_viewing", "frame_view_as", "frame_stamp"):
            page.query_params[name] = value
        page.run()
        assert f"<b>{login}</b>" in note(page)
    assert shown(page) is (login == "bo") and f"<b>{login}</b>" in note(page)


# -- a request from this machine -----------------------------------------------------------------


@pytest.mark.parametrize("headers", [{}, {"Host": "localhost:8501"}, {"Host": "127.0.0.1:8501", "Origin": "http://127.0.0.1:8501"}, {"Host": "[::1]:8501"}])
def test_a_request_by_a_name_of_this_machine_comes_from_it(headers):
    assert session.from_here(headers)


@pytest.mark.parametrize(
    "headers",
    [{"Host": "brain.acme.test"}, {"Host": "localhost.evil.test"}, {"Host": "10.0.0.3:8501"}, {"Host": ""}, {"User-Agent": "x"}, {"Host": "localhost@evil.test"},
     {"Host": "127.0.0.1:8501", "Origin": "https://brain.acme.test"}, {"Host": "127.0.0.1", "Origin": "null"},
     *({"Host": "localhost:8501", name: "10.0.0.3"} for name in ("X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "X-Real-Ip", "Via"))],
)  # fmt: skip
def test_a_request_by_another_name_or_through_a_proxy_does_not(headers):
    assert not session.from_here(headers)


# -- looking as somebody else --------------------------------------------------------------------


def test_an_administrator_looks_as_somebody_sees_less_and_it_is_noted(brain):
    page = choose(admin(), "ada")
    assert "<b>ada</b>" in note(page) and shown(page)
    assert [b.label for b in page.main.button if b.key == "frame_back"] == ["Back to me"]
    page = choose(page, "guest")
    assert "<b>guest</b>" in note(page) and not shown(page)
    assert [(v.who, v.seen_as, v.workspace) for v in viewings.latest(brain.files)] == [("bo", "guest", "sluice"), ("bo", "ada", "sluice")]
    page.button(key="frame_back").click().run()
    assert "<b>bo</b>" in note(page) and shown(page) and not [b for b in page.main.button if b.key == "frame_back"]
    assert len(viewings.latest(brain.files)) == 2


def test_a_fixed_viewer_s_name_is_not_among_those_to_look_as(brain):
    options = admin().selectbox(key=viewing.PICKED).options
    assert "local" not in " ".join(options).lower() and any(o.startswith("ada") for o in options)


def test_looking_as_somebody_lasts_through_every_page_and_ends_with_the_workspace(brain):
    page = choose(admin(), "ada")
    for entry in PAGES:
        page.switch_page(entry.script)
        page.run()
        assert not page.exception, entry.name
        assert "<b>ada</b>" in note(page), entry.name
    page.query_params["ws"] = "other"
    page.run()
    assert "<b>bo</b>" in note(page)
    page.query_params["ws"] = "sluice"
    page.run()
    assert "<b>bo</b>" in note(page)


def test_nothing_is_decided_or_loaded_while_looking_as_somebody(brain):
    page = opened("sources", user={"is_logged_in": True, "login": "bo"})
    assert page.button(key="sources_sync")
    page = choose(page, "ada")
    assert not [b for b in page.button if b.key == "sources_sync"] and not page.text_area


@pytest.mark.parametrize("user", [{"login": "ada"}, {"login": "stranger"}, {"login": "local"}, {}])
def test_who_is_no_administrator_cannot_look_as_anybody_whatever_the_session_holds(brain, user):
    user = {"is_logged_in": bool(user), **user}
    before = note(opened(user=user))
    for value in (("sluice", "bo"), ("sluice", "local"), ("sluice", "ada")):
        page = opened(user=user, state={viewing.CHOSEN: value, viewing.PICKED: value[1], session.STAMP: ("sluice", permissions.local_admin())})
        assert note(page) == before and not [s for s in page.selectbox if s.key == viewing.PICKED]
        assert not [b for b in page.button if b.key == "frame_back"]
    assert viewings.latest(brain.files) == []


CRAFTED = """
import streamlit as st
from brain import settings
from brain.brain import Brain
from brain.ui import session, viewing
brain = Brain.open(settings.load())
st.session_state[viewing.PICKED] = {picked!r}
viewing._changed(brain)
st.text(viewing.seen(brain, session.viewer(brain)).id)
"""


@pytest.mark.parametrize(
    ("login", "picked", "seen"),
    [("bo", "ada", "ada"), ("bo", "guest", "guest"), ("bo", "local", "bo"), ("bo", "person:ada", "bo"), ("bo", "", "bo"), ("bo", "ADA", "bo"),
     ("ada", "bo", "ada"), ("stranger", "ada", "stranger"), ("", "ada", "guest"), ("local", "ada", "login:local")],
)  # fmt: skip
def test_a_choice_sent_past_the_page_is_made_only_of_what_an_administrator_is_offered(brain, login, picked, seen):
    page = AppTest.from_string(CRAFTED.format(picked=picked), default_timeout=60)
    page.secrets, page.user = LOGIN, {"is_logged_in": bool(login), "login": login}
    page.run()
    assert not page.exception and page.text[0].value == seen
    assert [v.seen_as for v in viewings.latest(brain.files)] == ([seen] if (login, picked) in (("bo", "ada"), ("bo", "guest")) else [])


def test_who_stops_being_an_administrator_looks_as_themselves_at_once(brain):
    page = choose(admin(), "ada")
    page.user = {"is_logged_in": True, "login": "stranger"}
    page.run()
    assert "<b>stranger</b>" in note(page) and not shown(page)
    page.user = {"is_logged_in": True, "login": "bo"}
    page.run()
    assert "<b>bo</b>" in note(page)


def test_only_an_administrator_is_told_who_looked_as_whom(brain):
    choose(admin(), "ada")
    script = "from brain.ui import viewing\nfrom brain.brain import Brain\nfrom brain import settings\nb = Brain.open(settings.load())\nviewing.log(b, b.viewer({!r}))"
    said = {name: str([h.proto.body for h in AppTest.from_string(script.format(name), default_timeout=60).run().get("html")]) for name in ("local", "ada", "guest")}
    assert "ada" in said["local"] and said["ada"] == said["guest"] == "[]"


def test_a_line_of_the_log_that_cannot_be_read_is_left_out(brain):
    choose(admin(), "ada")
    with (brain.files.folder / "access" / "viewings.jsonl").open("ab") as log:
        log.write(b'{"at": 1\n[]\n{"at": 1, "who": "x"}\n')
    assert [v.seen_as for v in viewings.latest(brain.files)] == ["ada"]
