"""The pages in a real Chromium against a real server and store: first requests, links, keyboard, axe, nothing fetched."""

import json
import os
import re
import time
from itertools import pairwise
from pathlib import Path

import app_server
import pytest
import small_company
import small_graph
from access_results import RESULTS
from app_server import CHROMIUM, FLAGS, free_port
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect, sync_playwright

from brain import settings
from brain.audit import record
from brain.brain import Brain
from brain.connectors import github
from brain.memory.hearing import hear
from brain.store import graph_name
from brain.ui.frame import PAGES
from eval.arms import asker
from eval.questions import Question
from eval.run import run

pytestmark = pytest.mark.browser
expect.set_options(timeout=30_000)

AT_HOME = re.compile(r"(?:https?|wss?)://(?:localhost|127\.0\.0\.1)[:/]|data:|blob:|about:")
EVIL = (
    '![x](http://evil.test/p.png?leak=1) <img src="http://evil.test/i.png" onerror="document.title=1">'
    " <script>document.title=1</script> href [go](javascript:alert(1)) :red[hot] http://evil.test/bare"
)
LINKS = {
    "Ask": "?q=Who+left+the+most+reviews%3F",
    "Evidence": "evidence",
    "Incident": "incident?alert=alert%3A0e06d5f413d88dc9&arm=graph",
    "Approvals": "approvals?state=all",
    "Rules": "rules",
    "Access": "access",
    "Queries": "queries?query=find_entities",
    "Sources": "sources",
    "Evaluation": "evaluation",
    "Memory": "memory",
}

if not Path(CHROMIUM).exists():
    pytest.skip(f"needs {CHROMIUM} (Debian package chromium)", allow_module_level=True)


def serving(home):
    """A fresh server of the app on a free port; the store is that of `home`."""
    return app_server.serving(home, free_port(), BRAIN_WORKSPACE="demo")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def context(tmp_path_factory):
    """One browser with a new, empty profile."""
    with sync_playwright() as p:
        folder = tmp_path_factory.mktemp("profile")
        made = p.chromium.launch_persistent_context(
            str(folder), executable_path=CHROMIUM, args=FLAGS, headless=True, viewport={"width": 1400, "height": 1000}
        )
        made.set_default_timeout(30_000)
        yield made
        made.close()


@pytest.fixture
def page(context):
    opened = context.new_page()
    opened.off_host = []
    opened.on("request", lambda r: None if AT_HOME.match(r.url) else opened.off_host.append(r.url))
    opened.on("dialog", lambda d: (opened.off_host.append(f"dialog {d.message}"), d.dismiss()))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def first_visit(home, context):
    """What the very first visitor of an empty store got: the seconds until the first answer, and its address."""
    with serving(home) as address:
        opened = context.new_page()
        began = time.monotonic()
        opened.goto(address)
        opened.locator(".hc-state").first.wait_for(timeout=300_000)
        seconds = time.monotonic() - began
        expect(opened).to_have_url(re.compile(r"run="), timeout=20_000)
        url = opened.url
        opened.close()
        yield seconds, url.removeprefix(address)


@pytest.fixture(scope="module")
def hostile(home, first_visit, tmp_path_factory):
    """A second workspace whose every title and text tries to reach the net."""
    at = "2024-01-0{}T00:00:00Z"
    who = {"login": "mallory"}
    issue = {
        "number": 1,
        "title": EVIL,
        "body": EVIL,
        "state": "closed",
        "user": who,
        "created_at": at.format(1),
        "closed_at": at.format(3),
        "updated_at": at.format(3),
        "html_url": "https://github.com/acme/app/issues/1",
        "labels": [{"name": EVIL[:40]}],
        "comments": 0,
    }
    pull = {
        **issue,
        "number": 2,
        "title": f"Parser {EVIL}",
        "body": f"Fixes #1 {EVIL}",
        "merged_at": at.format(3),
        "html_url": "https://github.com/acme/app/pull/2",
        "pull_request": {"merged_at": at.format(3)},
        "repository_url": "https://api.github.com/repos/acme/app",
    }
    issue["repository_url"] = pull["repository_url"]
    file = tmp_path_factory.mktemp("hostile") / "issues.json"
    file.write_text(json.dumps([issue, pull]))
    brain = Brain.open(settings.load({**os.environ, "BRAIN_HOME": str(home)}), "hostile")
    outcome = brain.load({"hostile": lambda: github.fetch(file, repo="acme/app")})
    assert not outcome.failures
    brain.close()
    return "hostile"


@pytest.fixture(scope="module")
def evaluated(home, first_visit):
    """A recorded run of four questions in two arms, in the demo's own folder of runs."""
    configured = settings.load({**os.environ, "BRAIN_HOME": str(home), "BRAIN_WORKSPACE": "demo"})
    brain = Brain.open(configured)
    asked = [
        Question(f"q{i}", ("trace", "expertise")[i % 2], q, (f"person:{i}",), "set")
        for i, q in enumerate(brain.suggestions(brain.viewer("local"))[:4])
    ]
    run(asked, ["graph", "vector"], asker(brain, brain.viewer), configured.workspaces / "demo" / "eval" / "small", name_of_set="small")
    brain.close()
    return "small"


@pytest.fixture(scope="module")
def company(home, first_visit):
    """A workspace with services, rules, documents, and a claim that waits for a decision."""
    brain = Brain.open(settings.load({**os.environ, "BRAIN_HOME": str(home)}), "company")
    small_company.build(brain.store, "company")
    brain.store.set_meta("company", {"stands_at": str(small_graph.NOW)})
    me = brain.viewer("local")
    for said in ("I work on event-bus. Who owns it?", "Who is on call for my service?"):
        brain.ask(said, viewer=me, memory=hear(brain.memory(me), said))
    for name, result in RESULTS.items():
        record.save(brain.files, name, result, at=small_graph.NOW, graph=brain.store.version(graph_name("company")))
    brain.close()
    return "company"


@pytest.fixture(scope="module")
def app(home, first_visit, evaluated):
    with serving(home) as address:
        yield address


def settled(page: Page) -> None:
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(timeout=60_000)
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=60_000)
    page.wait_for_timeout(700)


def visit(page: Page, address: str) -> None:
    page.goto(address)
    settled(page)


def violations(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {[n['html'][:120] for n in v['nodes'][:2]]}" for v in found]


# -- the first minute ----------------------------------------------------------------------------


def test_an_empty_store_loads_the_demo_by_itself_and_answers_its_first_question(first_visit):
    seconds, url = first_visit
    print(f"first answer {seconds:.1f} s after the browser opened; 20 s are promised on a machine that is not busy")
    assert "q=" in url


@pytest.mark.parametrize("name", [p.name for p in PAGES])
def test_a_page_whose_link_is_the_first_request_of_a_fresh_server_is_complete(name, home, first_visit, page):
    with serving(home) as address:
        visit(page, address + LINKS[name])
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        expect(page).to_have_title(f"{name} · Hopcheck")
        for entry in PAGES:
            expect(page.get_by_test_id("stSidebar").get_by_role("link", name=entry.name, exact=True)).to_be_visible()
        expect(page.get_by_test_id("stSidebar")).to_contain_text("Viewer: local")
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert page.off_host == []


# -- asking --------------------------------------------------------------------------------------


def test_a_link_with_a_question_asks_at_once_and_becomes_the_link_of_its_runs(app, page, first_visit):
    question = re.search(r"q=([^&]+)", first_visit[1])[1]
    visit(page, f"{app}?q={question}")
    expect(page).to_have_url(re.compile(r"q=.*run=.*run="), timeout=30_000)
    expect(page.get_by_role("heading", name="Graph", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Passages", exact=True)).to_be_visible()
    runs = re.findall(r"run=(\w+)", page.url)
    claims = page.locator(".hc-claims").first.inner_text()
    visit(page, page.url)
    assert re.findall(r"run=(\w+)", page.url) == runs
    assert page.locator(".hc-claims").first.inner_text() == claims


def test_every_verdict_has_its_word_and_its_symbol(app, page, first_visit):
    visit(page, app + first_visit[1])
    badges = page.locator(".hc-badge").all_inner_texts()
    assert badges and all(re.match(r"[✓?✗] (supported|unsupported|contradicted)", b) for b in badges)


def test_a_question_is_asked_by_keyboard_and_back_returns_to_the_one_before(app, page, first_visit):
    visit(page, app + first_visit[1])
    before = page.url
    box = page.get_by_role("textbox", name="Question")
    box.fill("Who are you?")
    box.press("Enter")
    expect(page).to_have_url(re.compile("q=Who.*run=.*run="))
    page.go_back()
    expect(page).to_have_url(before)
    expect(box).not_to_have_value("Who are you?")


def test_the_replay_goes_hop_by_hop_and_a_node_shows_its_details(app, page, first_visit):
    visit(page, app + first_visit[1])
    now = page.locator("output.now")
    expect(now).to_contain_text(" of ", timeout=30_000)
    back = page.get_by_role("button", name="Previous")
    while back.is_enabled():
        back.click()
    expect(now).to_contain_text("Start")
    page.get_by_role("button", name="Next").press("Enter")
    expect(now).to_contain_text("Hop 1")
    page.get_by_text("Nodes as a list").click()
    page.locator(".list button").first.press("Enter")
    expect(page.locator(".details dt").first).to_have_text("key")
    page.get_by_role("link", name="Open in Evidence").click()
    settled(page)
    expect(page.get_by_role("heading", level=2).first).to_contain_text("Source")


def test_what_is_drawn_is_also_in_a_table(app, page, first_visit):
    visit(page, app + first_visit[1])
    page.get_by_text(re.compile(r"As a table: \d+ node")).click()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()


def test_a_reader_who_wants_no_motion_gets_none(app, page, first_visit):
    page.emulate_media(reduced_motion="reduce")
    visit(page, app + first_visit[1])
    expect(page.get_by_role("button", name="Play is off")).to_be_disabled(timeout=30_000)


# -- the other pages -----------------------------------------------------------------------------


def test_a_step_of_a_run_is_run_again(app, page, first_visit):
    made = re.search(r"run=(\w+)", first_visit[1])[1]
    visit(page, f"{app}evidence?run={made}")
    page.get_by_role("button", name="Run again").first.click()
    expect(page.get_by_text("in the server")).to_be_visible()


def test_a_query_runs_with_own_parameters_and_its_link_runs_it_again(app, page):
    visit(page, f"{app}queries?query=find_entities")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("of which the server spent")).to_be_visible()
    expect(page).to_have_url(re.compile(r"query=find_entities.*p\."))
    visit(page, page.url)
    expect(page.get_by_text("of which the server spent")).to_be_visible()


def test_a_path_that_is_not_there_costs_one_line_and_nothing_loaded(app, page, tmp_path):
    visit(page, f"{app}sources")
    page.get_by_role("textbox", name="Files or folders").fill(str(tmp_path / "missing"))
    page.get_by_role("button", name="Load", exact=True).click()
    expect(page.get_by_test_id("stAlert").filter(has_text="missing").first).to_be_visible()
    expect(page).to_have_url(re.compile("job="))
    expect(page.get_by_role("heading", name="Import reports")).to_be_visible()


def test_a_recorded_run_opens_without_running_down_to_each_answer(app, page, evaluated):
    visit(page, f"{app}evaluation?run={evaluated}&question=q1")
    expect(page.locator(".hc-verdict")).to_contain_text(re.compile("^(Yes|No):"))
    expect(page.get_by_test_id("stPlotlyChart").first).to_be_visible(timeout=30_000)
    expect(page.get_by_role("heading", level=4)).to_have_text(["Graph", "Passages"])
    expect(page.get_by_text("Right answer")).to_contain_text("person:1")


def test_a_run_of_a_set_shows_its_progress_to_every_tab_and_stops_when_asked(app, page):
    visit(page, f"{app}evaluation")
    page.get_by_text("Run a question set here").click()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_in_viewport(ratio=1)
    page.wait_for_timeout(500)  # the panel slides open, and a click on a moving button can miss it
    settled(page)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("progressbar").first).to_be_visible()
    expect(page).to_have_url(re.compile("job="))
    visit(page, page.url)
    expect(page.get_by_role("progressbar").first).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("was stopped")).to_be_visible(timeout=30_000)


def test_a_claim_is_approved_and_taken_back_by_keyboard(app, page, company):
    visit(page, f"{app}sources?ws={company}&view=candidates")
    expect(page.locator(".hc-claim")).to_contain_text("depends on")
    page.get_by_role("textbox", name="Reason").fill("seen in the code")
    page.get_by_role("checkbox", name="Tick").press("Space")
    page.get_by_role("button", name="Approve").first.press("Enter")
    expect(page.get_by_text("1 claim approved")).to_be_visible()
    expect(page.get_by_text("seen in the code")).to_be_visible()
    page.get_by_role("button", name="Take back").press("Enter")
    expect(page.get_by_text("1 claim taken back")).to_be_visible()
    expect(page.locator(".hc-claim")).to_be_visible()


def test_a_finding_leads_to_the_thing_it_is_about(app, page, company):
    visit(page, f"{app}sources?ws={company}&view=health&check=owners_left")
    page.get_by_role("region", name="Owners who left").get_by_role("link", name="asset-register").first.click()
    settled(page)
    expect(page).to_have_url(re.compile(r"query=details.*asset-register"))
    expect(page.get_by_text("of which the server spent")).to_be_visible()


def test_the_day_of_the_rules_moves_by_keyboard_and_stays_in_the_link(app, page, company):
    visit(page, f"{app}rules?ws={company}&at=2025-12-14")
    table = page.get_by_role("region", name=re.compile("Rules in force"))
    expect(table).to_contain_text("4 hours")
    page.get_by_role("slider", name="Day").press("ArrowRight")
    expect(page).to_have_url(re.compile("at=2025-12-15"))
    expect(table).to_contain_text("2 hours")
    expect(page.get_by_role("spinbutton", name="day, Day, typed")).to_have_text("15")
    visit(page, page.url)
    expect(page.get_by_role("region", name="Rules in force on 2025-12-15")).to_contain_text("2 hours")


def test_the_history_of_a_rule_is_drawn_and_told(app, page, company):
    visit(page, f"{app}rules?ws={company}&at=2025-12-01&view=force&words=claim")
    page.get_by_role("link", name="Ticket claim deadline").first.click()
    settled(page)
    expect(page).to_have_url(re.compile("view=history.*rule="))
    told = page.get_by_role("region", name=re.compile("History of the rule"))
    for value in ("8 hours", "4 hours", "2 hours"):
        expect(told).to_contain_text(value)
    expect(page.locator("output.now")).to_contain_text(" of ", timeout=30_000)


def test_a_notice_is_tried_and_reset_and_leaves_nothing(app, page, company, home):
    visit(page, f"{app}rules?ws={company}&at=2025-12-01&view=whatif")
    page.get_by_role("textbox", name="Rule", exact=True).fill("Quiet hours")
    page.get_by_role("textbox", name="Value").fill("22:00 to 06:00")
    page.get_by_role("button", name="Try it on a copy").click()
    expect(page.get_by_role("region", name="Rules that would change")).to_contain_text("22:00 to 06:00")
    expect(page.get_by_text("1 rule new")).to_be_visible()
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_text("1 rule new")).to_have_count(0)
    visit(page, f"{app}rules?ws={company}&at=2025-12-20&words=quiet")
    expect(page.get_by_text("22:00 to 06:00")).to_have_count(0)


def test_conflicts_show_both_sides_with_the_higher_authority_first(app, page, company):
    visit(page, f"{app}rules?ws={company}&at=2025-12-01&view=conflicts")
    row = page.get_by_role("region", name=re.compile("Conflicts on")).get_by_role("row").filter(has_text="change freeze window")
    text_of = row.first.inner_text()
    assert text_of.index("Friday 15:00") < text_of.index("Friday 12:00")
    assert "formal rule" in text_of and "practice" in text_of


def test_why_somebody_may_read_a_thing_is_asked_by_keyboard_and_stands_in_the_link(app, page, company):
    visit(page, f"{app}access?ws={company}")
    expect(page.locator(".hc-gauge b").first).to_have_text("201")
    page.get_by_role("radio", name="A thing").focus()
    page.keyboard.press("Space")
    field = page.get_by_role("textbox", name="Key or title")
    field.fill("ticket handling")
    field.press("Enter")
    expect(page).to_have_url(re.compile("view=thing.*key="))
    expect(page.get_by_text("may read it").first).to_be_visible()
    visit(page, page.url)
    expect(page.get_by_text("Everybody reads it").first).to_be_visible()


def test_an_administrator_sees_how_much_is_hidden_from_a_person_and_runs_a_check(app, page, company):
    visit(page, f"{app}access?ws={company}&view=person&person=guest")
    expect(page.locator(".hc-gauge")).to_contain_text("hidden from guest")
    expect(page.get_by_test_id("stPlotlyChart")).to_be_visible()
    visit(page, f"{app}access?ws={company}&view=checks")
    page.get_by_role("button", name="Run again").last.press("Enter")
    expect(page).to_have_url(re.compile("job="))
    expect(page.get_by_text("What the filter costs: done")).to_be_visible(timeout=90_000)


# -- safe, and usable by everybody ---------------------------------------------------------------


def test_hostile_titles_are_inert_on_every_page(app, hostile, page):
    visit(page, f"{app}?ws={hostile}&q=Who+opened+acme%2Fapp%231%3F&arm=graph&arm=vector&arm=hybrid")
    expect(page.locator(".hc-state")).to_have_count(3, timeout=90_000)
    runs = re.findall(r"run=(\w+)", page.url)
    page.wait_for_timeout(1500)
    for button in page.locator(".list button").all():
        button.evaluate("b => b.click()")
    for link in [
        *(f"evidence?ws={hostile}&run={r}&key=issue%3Aacme%2Fapp%231" for r in runs),
        f"evidence?ws={hostile}",
        f"queries?ws={hostile}&query=details&p.key=issue%3Aacme%2Fapp%231",
        f"access?ws={hostile}&view=thing&person=guest&key=issue%3Aacme%2Fapp%231",
        f"access?ws={hostile}&view=thing&person=guest&key=evil",
        f"sources?ws={hostile}",
        f"evaluation?ws={hostile}",
    ]:
        visit(page, app + link)
        for fold in page.locator("summary").all():
            fold.click()
        page.wait_for_timeout(700)
        assert page.locator('img[src*="evil"]').count() == 0
        assert page.locator('a[href^="javascript"], a[href*="evil.test"]').count() == 0
    assert page.off_host == []
    assert page.title().endswith("Hopcheck")


def test_an_alert_is_investigated_by_keyboard_and_its_link_gives_the_same_again(app, page, first_visit):
    visit(page, f"{app}incident")
    choice = page.get_by_role("combobox", name="Alert")
    choice.focus()
    page.keyboard.type("PortalSessions")
    page.keyboard.press("Enter")
    page.get_by_text("Passages", exact=True).click()
    page.get_by_role("button", name="Investigate", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"alert=.*inv=\w+.*inv=\w+"), timeout=60_000)
    outcome = page.locator(".hc-outcome").first.inner_text()
    assert "token-broker" in outcome and "1 h 33 min before" in outcome
    expect(page.get_by_role("heading", name="Way from the alert to the cause")).to_be_visible()
    made = re.findall(r"inv=(\w+)", page.url)
    visit(page, page.url)
    assert page.locator(".hc-outcome").first.inner_text() == outcome and re.findall(r"inv=(\w+)", page.url) == made
    page.get_by_role("radio", name="Passages").last.click()
    expect(page.get_by_role("heading", name=re.compile("^Passages: what"))).to_be_visible()
    expect(page.locator(".hc-passages li").first).to_be_visible()
    expect(page.get_by_role("heading", name="Way from the alert to the cause")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as Markdown").click()
    assert "## Action items" in Path(download.value.path()).read_text("utf-8")
    assert page.off_host == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("dark", 400)])
def test_every_page_passes_axe_fits_the_screen_and_has_headings_in_order(app, page, first_visit, company, scheme, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 1000})
    made = re.search(r"run=(\w+)", first_visit[1])[1]
    found = {}
    views = [f"sources?ws={company}&view={v}" for v in ("health", "read", "candidates")] + [f"rules?ws={company}&view={v}" for v in ("history", "whatif")]
    views += [f"access?ws={company}&person=leilaf&key=doc:docs/policies/releases.md&view={v}" for v in ("checks", "person", "thing", "data")]
    alert = f"ws={company}&alert=alert%3A0e06d5f413d88dc9"
    views += [f"approvals?ws={company}&state=all", f"memory?ws={company}", f"incident?ws={company}", f"incident?{alert}&arm=graph", f"incident?{alert}&arm=vector"]
    for link in (first_visit[1], f"evidence?run={made}", "queries?query=find_entities", "sources", "evaluation?run=small", *views):
        visit(page, app + link)
        if link.startswith(("evidence", "queries")):
            page.get_by_test_id("stExpander").last.locator("summary").click()
            expect(page.locator(".stCode .token").first).to_be_attached()
        page.wait_for_timeout(1000)
        levels = [int(h.evaluate("e => e.tagName[1]")) for h in page.locator("h1, h2, h3, h4").all()]
        assert levels[0] == 1 and levels.count(1) == 1
        assert all(b - a <= 1 for a, b in pairwise(levels)), (link, levels)
        assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"), f"{link} is too wide"
        found[link] = violations(page)
    assert {k: v for k, v in found.items() if v} == {}
