"""A company full of texts that try to reach the net, browsed on every page in a real Chromium, beside a real server that waits for a request."""

import http.server
import os
import re
import threading
from urllib.parse import quote

import injected_company as company
import pytest
from playwright.sync_api import expect
from test_pages_browser import context, home, page, serving, settled, visit  # noqa: F401  (fixtures)

from brain import permissions, settings
from brain.brain import Brain
from eval.arms import asker
from eval.questions import Question
from eval.run import run

pytestmark = pytest.mark.browser
WORKSPACE = "planted"
LIVE = (
    'a[href^="javascript" i], a[href^="data:" i], a[href^="file:" i], a[href^="vbscript" i], iframe[src*="{at}"], img[src*="{at}"], image[href*="{at}"], link[href*="{at}"],'
    ' script[src*="{at}"], form[action*="{at}"], base[href*="{at}"], meta[http-equiv="refresh" i], [onerror], [onload], [onmouseover], [style*="{at}"]'
)
RULES = (
    "# Odd rules\n\n| Rule | Value | Applies to | Conditions | From | Until | Replaces |\n|---|---|---|---|---|---|---|\n"
    + "{rows}\n"
)  # fmt: skip


class Listener(http.server.BaseHTTPRequestHandler):
    """Notes every request that reaches it."""

    def do_GET(self):
        self.server.seen.append(self.path)
        self.send_response(204)
        self.end_headers()

    do_POST = do_HEAD = do_OPTIONS = do_GET

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def listener():
    """A server on this machine that keeps the paths it was asked for."""
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    made.seen = []
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture(scope="module")
def at(listener):
    return f"127.0.0.1:{listener.server_port}"


@pytest.fixture(scope="module")
def texts(at):
    """The planted texts, those that name an address naming the listener's."""
    return [re.sub(r"https?://collect\.invalid|//collect\.invalid", f"http://{at}", t).replace("collect.invalid", at) for t in company.injections()]


@pytest.fixture(scope="module")
def planted(home, texts, tmp_path_factory):  # noqa: F811
    """The company loaded, one question asked in every arm, and a recorded run whose every word is a planted text; the runs by arm."""
    folder = company.write(tmp_path_factory.mktemp("files") / "company", texts)
    odd = [t.replace("\n", " ").replace("|", "/").replace("\0", "")[:150] for t in texts]
    rows = "\n".join(f"| Odd {n} {t[:60]} | {t} |  | {t[:80]} | 2025-01-05 |  |  |" for n, t in enumerate(odd) if n % 3 == 0)
    company._put(folder / "docs" / "policies" / "odd.md", RULES.replace("{rows}", rows))
    opened = Brain.open(settings.load({**os.environ, "BRAIN_HOME": str(home)}), WORKSPACE)
    assert not company.load(opened, folder).failures
    who = permissions.local_admin()
    made = {arm: opened.ask("What is in the vault?", viewer=who, arm=arm).run for arm in ("graph", "vector", "hybrid")}
    made["owner"] = opened.ask("Who owns kiln-control?", viewer=who).run
    asked = [Question(f"q{n}", texts[20 + n], texts[n], (texts[30 + n],), "set") for n in range(6)]
    run(asked, ["graph", "vector"], asker(opened, opened.viewer), opened.settings.workspaces / WORKSPACE / "eval" / "odd", name_of_set="odd")
    opened.close()
    return made


@pytest.fixture(scope="module")
def app(home, planted):  # noqa: F811
    with serving(home) as address:
        yield address


@pytest.fixture
def watched(page, at):  # noqa: F811
    """The page, which must come to the end with nothing live on it and nothing sent."""
    told = []
    page.on("dialog", lambda d: (told.append(d.message), d.dismiss()))
    page.on("popup", lambda p: told.append(p.url))

    def look():
        for fold in page.locator("summary").all():
            if fold.is_visible():
                fold.click()
        page.wait_for_timeout(400)
        assert page.locator(LIVE.replace("{at}", at)).count() == 0, page.url
        assert page.get_by_test_id("stException").count() == 0, page.url
        assert page.title().endswith("Hopcheck") and told == [] and page.off_host == []

    page.look = look
    return page


def links(planted, texts):
    """Every page, with what is planted in the place of everything an address can name."""
    ws, odd = f"ws={WORKSPACE}", [quote(texts[n]) for n in (18, 20, 23, 25)]
    keys = ("issue:acme/kiln#20", "person:guest20", texts[20])
    return [
        *(f"evidence?{ws}&run={planted[arm]}&key=doc%3Adocs%2Fnotes%2Fnote-20.md" for arm in ("vector", "owner")),
        f"evidence?{ws}&run={planted['hybrid']}&key={odd[1]}",
        *(f"queries?{ws}&query=details&p.key={quote(key)}" for key in keys),
        f"queries?{ws}&query=search_text&p.text=onerror",
        f"rules?{ws}&view=force&at=2025-06-01", f"rules?{ws}&view=history&at=2025-06-01&rule={odd[1]}&words={odd[2]}&target={odd[3]}", f"rules?{ws}&view=whatif",
        f"sources?{ws}&view=loads&job={odd[0]}", f"sources?{ws}&view=health", f"sources?{ws}&view=candidates",
        f"evaluation?{ws}&run=odd&question=q1", f"evaluation?{ws}&run={odd[1]}&question={odd[0]}",
        *(f"access?{ws}&view={view}&key=doc%3Adocs%2Fnotes%2Fnote-20.md&person={odd[1]}" for view in ("person", "thing")),
        f"?{ws}&q={odd[1]}&arm=graph&arm=vector&arm={odd[1]}", f"?{ws}&run={odd[0]}&at={odd[1]}&known={odd[2]}", f"evidence?{ws}&run={odd[1]}", f"?ws={odd[1]}",
    ]  # fmt: skip


def test_the_listener_hears_what_is_sent(app, watched, listener, at):
    """Without this, silence would mean nothing."""
    visit(watched, f"{app}sources?ws={WORKSPACE}")
    watched.evaluate(f"new Image().src = 'http://{at}/heard'")
    watched.wait_for_timeout(500)
    assert listener.seen == ["/heard"]
    listener.seen.clear()


def test_no_page_sends_anything_or_shows_anything_live(app, watched, planted, texts, listener):
    read = ""
    for link in links(planted, texts):
        visit(watched, app + link)
        watched.look()
        assert listener.seen == [], link
        read += watched.locator("body").inner_text()
    for words in ("<img src=x onerror", "<svg xmlns", "[the runbook](javascript:", ":material/delete:"):
        assert words in read, f"{words} was nowhere to be read, so nothing was tried"


def test_the_graph_s_tooltips_and_details_show_planted_names_as_words(app, watched, planted, listener):
    visit(watched, f"{app}evidence?ws={WORKSPACE}&run={planted['graph']}")
    expect(watched.locator(".list button").first).to_be_attached(timeout=30_000)
    for button in watched.locator(".list button").all()[:12]:
        button.evaluate("b => b.click()")
    box = watched.locator(".canvas").bounding_box()
    for across in range(1, 16):
        for down in range(1, 8):
            watched.mouse.move(box["x"] + box["width"] * across / 16, box["y"] + box["height"] * down / 8)
    watched.wait_for_timeout(400)
    watched.look()
    assert listener.seen == []


def test_planted_texts_typed_into_the_fields_stay_words(app, watched, texts, listener):
    visit(watched, f"{app}?ws={WORKSPACE}")
    field = watched.get_by_role("textbox", name="Question")
    for text in (texts[20], texts[18]):
        field.fill(" ".join(text.split()))
        field.press("Enter")
        settled(watched)
        expect(watched.locator(".hc-state").first).to_be_visible(timeout=30_000)
        watched.look()
    visit(watched, f"{app}sources?ws={WORKSPACE}")
    watched.get_by_role("textbox", name="Files or folders").fill(f"/nowhere/{' '.join(texts[20].split())}")
    watched.get_by_role("button", name="Load", exact=True).click()
    settled(watched)
    watched.look()
    assert listener.seen == []
