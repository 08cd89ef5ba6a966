"""Logging in for real: an identity provider over HTTP and a browser, and a proxy's header over a websocket."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from app_server import CHROMIUM, FLAGS, drawn, free_port, serving
from axe_playwright_python.sync_playwright import Axe
from local_idp import identity_provider
from playwright.sync_api import Page, expect, sync_playwright
from test_session import HIDDEN, company

from brain import embedded, settings
from brain.brain import Brain

WS = "sluice"
FOUND = "query=by_keys&p.keys=doc:hidden.md"
PEOPLE = {
    "ada": {"preferred_username": "ada"},
    "bo": {"preferred_username": "bo", "email": "bo@acme.test", "email_verified": True},
    "local": {"preferred_username": "local"},
    "unverified": {"email": "bo@acme.test", "email_verified": False},
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("login")
    configured = settings.load({"BRAIN_HOME": str(folder), "BRAIN_WORKSPACE": WS})
    brain = Brain.open(configured)
    company().build(brain.store, WS)
    yield folder
    brain.close()
    embedded.stop(configured)


# -- a header of a proxy -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def behind_a_proxy(home):
    port = free_port()
    with serving(home, port, BRAIN_WORKSPACE=WS, BRAIN_ADMINS="bo", STREAMLIT_SERVER_TRUSTED_USER_HEADERS='{"X-Forwarded-User": "login"}'):
        yield port


@pytest.mark.parametrize(
    ("headers", "who", "reads"),
    [
        ([("X-Forwarded-User", "ada")], "ada", True), ([("X-Forwarded-User", "bo")], "bo", True), ([("X-Forwarded-User", "stranger")], "stranger", False),
        ([("X-Forwarded-User", "local")], "login:local", False), ([("X-Forwarded-User", "")], "guest", False), ([("X-Forwarded-User", "  ")], "guest", False),
        ([("X-Forwarded-User", "stranger, bo")], "guest", False), ([("X-Forwarded-User", "bo,")], "guest", False), ([], "guest", False),
        ([("X-Forwarded-Login", "bo"), ("X-User", "bo"), ("Cookie", "login=bo; _streamlit_user=bo")], "guest", False),
        ([("X-Forwarded-User", "stranger"), ("X-Forwarded-User", "bo")], "stranger", False),
    ],
)  # fmt: skip
def test_a_proxy_says_who_looks_and_nothing_else_does(behind_a_proxy, headers, who, reads):
    told = drawn(behind_a_proxy, "queries", FOUND, headers)
    assert f"Viewer: <b>{who}</b>" in told and (HIDDEN in told) is reads


# -- no login at all -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def without_login(home):
    port = free_port()
    with serving(home, port, BRAIN_WORKSPACE=WS):
        yield port


@pytest.mark.parametrize(
    ("headers", "host", "who"),
    [([], "", "local"), ([("X-Forwarded-User", "bo")], "", "local"), ([], "brain.acme.test", "guest"), ([("X-Forwarded-For", "10.0.0.7")], "", "guest"),
     ([("X-Forwarded-Host", "brain.acme.test")], "", "guest")],
)  # fmt: skip
def test_without_login_only_who_calls_this_machine_by_its_own_name_administers_it(without_login, headers, host, who):
    told = drawn(without_login, "queries", FOUND, headers, host)
    assert f"Viewer: <b>{who}</b>" in told and (HIDDEN in told) is (who == "local")


def test_an_app_that_other_machines_reach_shows_strangers_what_is_open(home):
    port = free_port()
    with serving(home, port, ["--server.address", "0.0.0.0"], BRAIN_WORKSPACE=WS):
        told = drawn(port, "queries", FOUND)
        assert "Viewer: <b>guest</b>" in told and HIDDEN not in told


# -- an identity provider ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def context(tmp_path_factory):
    """One browser for all: a new one would fetch the whole app again."""
    if not Path(CHROMIUM).exists():
        pytest.skip(f"needs {CHROMIUM} (Debian package chromium)")
    if importlib.util.find_spec("authlib") is None:
        pytest.skip("needs Authlib: pip install 'hopcheck[login]'")
    with sync_playwright() as p:
        made = p.chromium.launch_persistent_context(str(tmp_path_factory.mktemp("profile")), executable_path=CHROMIUM, args=FLAGS, headless=True)
        made.set_default_timeout(60_000)
        yield made
        made.close()


@pytest.fixture(scope="module")
def app(home, context, tmp_path_factory):
    port = free_port()
    secret = tmp_path_factory.mktemp("secrets") / "secrets.toml"
    with identity_provider(PEOPLE) as issuer:
        secret.write_text(
            f'[auth]\nredirect_uri = "http://localhost:{port}/oauth2callback"\ncookie_secret = "{"s" * 40}"\nclient_id = "hopcheck"\n'
            f'client_secret = "x"\nserver_metadata_url = "{issuer}/.well-known/openid-configuration"\n'
        )
        with serving(home, port, ["--secrets.files", str(secret)], BRAIN_WORKSPACE=WS, BRAIN_ADMINS="bo@acme.test") as address:
            yield address


@pytest.fixture
def page(app, context):
    context.clear_cookies()
    opened = context.new_page()
    yield opened
    opened.close()


def visit(page: Page, address: str) -> None:
    page.goto(f"{address}queries?{FOUND}")
    expect(page.get_by_test_id("stSidebar")).to_contain_text("Viewer:", timeout=60_000)


def violations(page: Page) -> list[str]:
    return [f"{v['id']}: {[n['html'][:120] for n in v['nodes'][:2]]}" for v in Axe().run(page).response["violations"]]


def log_in(page: Page, address: str, me: str) -> None:
    visit(page, address)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name=me, exact=True).click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible(timeout=60_000)
    visit(page, address)


def is_viewer(page: Page, name: str) -> None:
    expect(page.get_by_test_id("stSidebar")).to_contain_text(f"Viewer: {name} (", timeout=60_000)


def reads(page: Page) -> bool:
    expect(page.get_by_text("of which the server spent")).to_be_visible(timeout=60_000)
    return page.get_by_text("1 row in").count() == 1


@pytest.mark.browser
def test_nobody_is_a_guest_until_they_log_in_and_again_when_they_log_out(app, page):
    visit(page, app)
    is_viewer(page, "guest")
    assert not reads(page)
    log_in(page, app, "ada")
    is_viewer(page, "ada")
    assert reads(page)
    other = page.context.new_page()
    visit(other, app)
    is_viewer(other, "ada")
    other.close()
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url(lambda url: "queries" not in url, timeout=60_000)  # the way home over the address that takes the cookie away
    expect(page.get_by_role("button", name="Log in")).to_be_visible(timeout=60_000)
    visit(page, app)
    is_viewer(page, "guest")
    assert not reads(page)


@pytest.mark.browser
@pytest.mark.parametrize(("me", "who"), [("local", "login:local"), ("unverified", "guest")])
def test_a_login_that_the_company_does_not_know_reads_what_is_open(app, page, me, who):
    log_in(page, app, me)
    is_viewer(page, who)
    assert not reads(page) and page.get_by_label("View as").count() == 0


@pytest.mark.browser
def test_an_administrator_looks_as_somebody_in_one_tab_and_goes_back(app, page):
    log_in(page, app, "bo")
    is_viewer(page, "bo")
    page.get_by_role("combobox", name="View as").fill("guest")
    page.get_by_role("option", name="guest").click()
    is_viewer(page, "guest")
    expect(page.get_by_text("You see what guest may see")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name="Sources").click()
    expect(page.get_by_role("heading", name="Sources", level=1)).to_be_visible()
    is_viewer(page, "guest")
    other = page.context.new_page()
    visit(other, app)
    is_viewer(other, "bo")
    other.close()
    page.get_by_role("button", name="Back to me").click()
    is_viewer(page, "bo")
    expect(page.get_by_text("You see what guest may see")).to_have_count(0)
