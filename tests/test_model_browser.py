"""A model on the pages in a real Chromium: its words as it writes them, the way to stop it, and others who are not kept waiting."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
import small_company
from app_server import CHROMIUM, FLAGS, free_port, serving
from axe_playwright_python.sync_playwright import Axe
from model_server import call, model_server, text
from playwright.sync_api import Page, expect, sync_playwright
from small_graph import NOW

pytestmark = pytest.mark.browser
expect.set_options(timeout=30_000)

WHERE = "modelbrowser"
EVIL = '![x](http://evil.test/p.png) <img src="http://evil.test/i.png" onerror="document.title=1"> [go](javascript:alert(1))'
OWNED = "STATE: answered\n- Platform owns event-bus. [team:platform] [service:event-bus]\n- It was founded in 1871. [team:platform]\nANSWER: team:platform"
LONG = f"{EVIL} " + "and so on " * 3000

if not Path(CHROMIUM).exists():
    pytest.skip(f"needs {CHROMIUM} (Debian package chromium)", allow_module_level=True)


def replies(body):
    """Looks the owner up and says so; asked about maps, it goes on and on."""
    asked = str(body["messages"][1]["content"])
    if not any(m["role"] == "tool" for m in body["messages"]):
        return call("who_owns", target="map-tiles" if "map-tiles" in asked else "event-bus")
    return text(LONG, dribble_s=0.05) if "map-tiles" in asked else text(OWNED)


@pytest.fixture(scope="module")
def model():
    with model_server(replies) as server:
        yield server


@pytest.fixture(scope="module")
def app(home, shared_store, model):
    small_company.build(shared_store, WHERE)
    shared_store.set_meta(WHERE, {"stands_at": str(NOW)})
    with serving(home.home, free_port(), BRAIN_WORKSPACE=WHERE, OPENAI_BASE_URL=model.url, BRAIN_LLM_MODELS="small", BRAIN_LLM_TIMEOUT_S="300") as address:
        yield address


@pytest.fixture(scope="module")
def context(tmp_path_factory):
    with sync_playwright() as p:
        made = p.chromium.launch_persistent_context(
            str(tmp_path_factory.mktemp("profile")), executable_path=CHROMIUM, args=FLAGS, headless=True, viewport={"width": 1400, "height": 1000}
        )
        made.set_default_timeout(30_000)
        yield made
        made.close()


@pytest.fixture
def visit(context):
    """Opens addresses in tabs, each a session of its own, that may fetch nothing from elsewhere."""
    tabs: list[Page] = []
    outside: list[str] = []

    def opened(address: str) -> Page:
        tabs.append(context.new_page())
        tabs[-1].on("request", lambda r: outside.append(r.url) if "evil.test" in r.url else None)
        tabs[-1].goto(address)
        return tabs[-1]

    yield opened
    for tab in tabs:
        tab.close()
    assert outside == []


def settled(page: Page) -> None:
    """Waits until the page is drawn to its end."""
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()
    page.wait_for_timeout(700)


def violations(page: Page) -> list[str]:
    """What is wrong for those who cannot see or read it well, in light and in dark."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.wait_for_timeout(700)  # colours fade into one another, and half way they are hard to tell apart
        found += [f"{scheme} {v['id']}: {[n['html'][:120] for n in v['nodes'][:2]]}" for v in Axe().run(page).response["violations"]]
    return found


def test_words_come_as_they_are_written_others_do_not_wait_and_stopping_ends_the_exchange(app, model, visit):
    page = visit(f"{app}?q=Who+owns+map-tiles%3F&arm=graph&engine=openai")
    writing = page.locator(".hc-writing")
    expect(writing).to_contain_text("not checked yet")
    expect(writing).to_contain_text("<img src=")
    expect(writing).to_contain_text("and so on")

    other = visit(f"{app}?q=Who+owns+event-bus%3F&arm=graph")
    expect(other.locator(".hc-state")).to_contain_text("answered")
    expect(writing).to_contain_text("not checked yet")
    assert violations(page) == []

    asked, gone = len(model.requests), model.hung_up
    page.get_by_role("button", name="Stop answering").press("Enter")
    expect(page.get_by_text("Stopped after")).to_be_visible()
    expect(writing).to_contain_text("What it had written, not checked")
    expect(page.locator(".hc-steps")).to_contain_text("who owns")
    other.wait_for_timeout(1000)
    assert model.hung_up > gone and len(model.requests) == asked
    page.get_by_role("button", name="Ask again").press("Enter")
    expect(writing).to_contain_text("not checked yet")
    assert len(model.requests) > asked
    gone = model.hung_up
    page.close()
    until = time.monotonic() + 60
    while model.hung_up == gone and time.monotonic() < until:
        other.wait_for_timeout(200)
    assert model.hung_up > gone, "nobody looks any more, and the model goes on"


def test_an_answer_of_a_model_is_chosen_by_keyboard_and_readable_by_everybody(app, visit):
    page = visit(f"{app}?q=Who+owns+event-bus%3F&arm=graph")
    expect(page.locator(".hc-state")).to_be_visible()
    page.get_by_role("radio", name="Model").press("Space")
    page.get_by_role("textbox", name="Question").press("Enter")
    expect(page.get_by_text("did not pass the check and went back")).to_be_visible()
    expect(page.locator(".hc-meta")).to_contain_text("tokens read")
    expect(page).to_have_url(re.compile("engine=openai"))
    settled(page)
    assert violations(page) == []
    page.get_by_role("link", name="Every step of this run").click()
    expect(page.get_by_role("heading", name="What the model did")).to_be_visible()
    page.get_by_text("offered to the model").click()
    settled(page)
    assert violations(page) == []
