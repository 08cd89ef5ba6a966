"""What a model read, on the Sources page: read with a model over real HTTP, refused, settled and taken back, by its administrator alone."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import streamlit as st
from extract_company import honest, loaded
from model_server import model_server, text
from streamlit.testing.v1 import AppTest
from tiny_org import brain_of

from brain.extract.extraction import Extraction
from brain.ui import extract_left, session, viewing

APP = Path(__file__).parent.parent / "streamlit_app.py"
WHERE = "ui-extract"
LOGIN = {"auth": {name: "http://localhost/x" for name in ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")}}
EVIL = '<img src=x onerror=alert(1)> ![x](http://evil.test/p.png) [go](javascript:alert(1))'


@pytest.fixture(scope="module")
def server():
    with model_server(lambda body: text(honest(body["messages"][-1]["content"]), usage=(2500, 500, 0)), all_used=False) as running:
        yield running


@pytest.fixture(scope="module")
def company(home, shared_store, tmp_path_factory):
    brain = loaded(brain_of(home, WHERE), tmp_path_factory.mktemp("ui-extract"))
    yield brain
    brain.close()


@pytest.fixture
def opened(company, server, monkeypatch):
    """Opens the view with a model, or without one."""
    env = {"BRAIN_HOME": str(company.settings.home), "BRAIN_WORKSPACE": WHERE, "BRAIN_LLM_LIMITS": "none", "BRAIN_LLM_RETRIES": "0"}
    for name, value in env.items():
        monkeypatch.setenv(name, value)

    def run(models="tiny-1", login=None, url=server.url, **params):
        for name, value in {"BRAIN_LLM_MODELS": models, "OPENAI_BASE_URL": url if models else ""}.items():
            monkeypatch.setenv(name, value)
        st.cache_resource.clear()
        at = AppTest.from_file(str(APP), default_timeout=60)
        if login:
            at.secrets, at.user = LOGIN, {"is_logged_in": True, "login": login}
        for name, value in {"view": "read", **params}.items():
            at.query_params[name] = value
        at.switch_page("pages/sources.py").run()
        assert not at.exception
        return at

    yield run
    st.cache_resource.clear()


def words(at) -> str:
    kinds = (at.markdown, at.warning, at.caption, at.info, at.success, at.error)
    said = "\n".join([*(m.value for kind in kinds for m in kind), *(h.proto.body for h in at.get("html"))])
    return said.replace("\\", "").partition("<style>")[0] + said.replace("\\", "").rpartition("</style>")[2]


def click(at, key):
    at.button(key=key).click().run()
    assert not at.exception
    return at


def ended(at):
    """The page once the work in its address is over."""
    job = session.jobs().get("".join(at.query_params["job"]), "local")
    deadline = time.monotonic() + 60
    while job.state == "running" and time.monotonic() < deadline:
        time.sleep(0.02)
    at.run()
    assert job.state == "done" and not at.exception, job.error
    return words(at)


def test_who_is_no_administrator_learns_nothing_of_it(opened, company):
    Extraction(company, company.viewer("local")).kept.keep_left(
        {"refused": [{"reason": "secret reason", "said": "x OWNS y", "quote": "q", "source": "doc:docs/firing.md", "line": 1, "model": "m"}]}
    )
    for login, part in (("bo-diddley", "reading"), ("bo-diddley", "refused"), ("bo-diddley", "names"), ("stranger", "refused")):
        at = opened(login=login, part=part)
        said = words(at)
        assert "for the administrator" in said and not [b for b in at.button if (b.key or "").startswith("extract")]
        assert "slices" not in said and "secret reason" not in said
    at = opened(part="refused")
    assert "secret reason" in words(at)
    at.selectbox(key=viewing.PICKED).set_value("guest").run()
    assert "for the administrator" in words(at) and "secret reason" not in words(at)


def test_without_a_model_it_says_how_to_set_one_and_nothing_can_be_started(opened, server):
    at = opened(models="")
    assert "BRAIN_LLM_MODELS" in words(at) and "0 of 5 slices of text are read" in words(at)
    assert not [b for b in at.button if b.key == "extract_start"] and server.requests == []


def test_nothing_is_sent_before_somebody_agrees_to_what_it_takes(opened, server):
    at = opened()
    at.button[[b.label for b in at.button].index("What would it take?")].click().run()
    said = words(at)
    assert "5 of 5 slices would be sent to tiny-1: at most" in said and "at no known price" in said
    assert "One of them is of a restricted source, and would be sent too" in said and server.requests == []
    at.pills(key="extract_labels").set_value(["open", "internal"])
    at.number_input(key="extract_usd").set_value(1.0)
    at.button[[b.label for b in at.button].index("What would it take?")].click().run()
    assert "4 of 4 slices" in words(at) and "None of them is of a restricted source" in words(at)
    assert "a budget in usd does not hold it" in words(at)
    click(at, "extract_not")
    assert not [b for b in at.button if b.key == "extract_start"] and server.requests == []


def test_a_reading_is_started_tells_what_it_came_to_and_a_second_one_asks_nothing(opened, server):
    at = opened()
    at.button[[b.label for b in at.button].index("What would it take?")].click().run()
    click(at, "extract_start")
    said = ended(at)
    assert "Read 5 slices: 12,500 tokens in, 2,500 out, cost 5 at no known price." in said and len(server.requests) == 5
    assert "8 claims now stand, those of 1 decision among them." in said and "All 5 slices of text are read." in said
    assert "8 claims brought in" in said and "1 name to settle" in said and "2 proposals refused" in said
    at = opened()
    at.button[[b.label for b in at.button].index("What would it take?")].click().run()
    assert "nothing would be asked" in words(at) and not [b for b in at.button if b.key == "extract_start"]
    assert "All 5 slices of text are read." in words(opened(models="")) and "tiny-1" in words(opened(models=""))
    assert "All 5 slices of text are read. other has not read 5 of the 5." in words(opened(models="other")) and len(server.requests) == 5


def test_what_was_refused_is_filtered_by_reason_and_by_words_and_the_address_gives_the_same_again(opened):
    at = opened(part="refused")
    assert "Bo Diddley <b>owns</b> sensor-hub" in words(at) and "Glaze team <b>owns</b> glaze-store" in words(at)
    assert "query=details&p.key=doc%3Adocs%2Ffiring.md" in words(at).replace("&amp;", "&")
    reason = at.selectbox(key="extract_at_reason")
    assert [option.rpartition(" (")[2] for option in reason.options] == ["2)", "1)", "1)"]
    reason.set_value("the sentence asks").run()
    assert "1 of 2 refused proposals" in words(at) and "sensor-hub" not in words(at)
    again = opened(**{name: "".join(value) for name, value in at.query_params.items()})
    assert "1 of 2 refused proposals" in words(again) and "sensor-hub" not in words(again)
    assert "0 of 2 refused proposals" in words(opened(part="refused", words="the king"))
    assert "1 of 2 refused proposals" in words(opened(part="refused", words="sensor-hub", reason="no such reason"))


def test_a_name_is_searched_settled_and_taken_back_and_no_model_is_asked(opened, server):
    at, asked = opened(part="names"), len(server.requests)
    assert "the Bunker <b>depends on</b> sensor-hub" in words(at) and at.button(key="extract_settle").disabled
    at.radio(key="extract_means_the Bunker").set_value("other").run()
    at.text_input(key="extract_search_the Bunker").set_value("no such").run()
    assert at.button(key="extract_settle").disabled and "service or system is called so" in words(at)
    at.text_input(key="extract_search_the Bunker").set_value("glaze").run()
    assert [o.rpartition(", ")[2] for o in at.selectbox(key="extract_found_the Bunker").options] == ["service:glaze-store"]
    said = click(at, "extract_settle") and ended(at)
    assert "9 claims now stand" in said and "No name waits" in said and len(server.requests) == asked
    assert "Glaze-store" in said or "glaze-store (service)" in said
    said = click(at, "extract_back_the Bunker") and ended(at)
    assert "8 claims now stand" in said and "the Bunker <b>depends on</b>" in said and "Said before" not in words(at)
    at.radio(key="extract_means_the Bunker").set_value("nothing").run()
    said = click(at, "extract_settle") and ended(at)
    assert "3 proposals refused" in said and "means nothing that is stored" in said
    assert "does not wait" in words(opened(part="names", called="the Bunker"))


def test_what_was_said_of_a_name_and_never_judged_is_told_and_judged_on_demand(opened, company):
    extraction = Extraction(company, company.viewer("local"))
    extraction.unsaid("the Bunker")
    at = opened(part="names")
    assert "not judged yet" in words(at)
    said = click(at, "extract_behind") and ended(at)
    assert "No model was asked. 8 claims now stand" in said and "not judged yet" not in said and "the Bunker" in said


def test_a_reading_that_is_stopped_keeps_and_judges_what_was_read(opened):
    slow = []

    def stalls(body):
        slow.append(body)
        return text(honest(body["messages"][-1]["content"])).but(delay_s=0 if len(slow) < 3 else 60)

    with model_server(stalls, all_used=False) as server:
        at = opened(models="slow-1", url=server.url)
        at.button[[b.label for b in at.button].index("What would it take?")].click().run()
        click(at, "extract_start")
        deadline = time.monotonic() + 30
        while len(slow) < 5 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert [b.disabled for b in at.button if b.label == "What would it take?"] == [True] or at.run() is not None
        session.jobs().get("".join(at.query_params["job"]), "local").cancel()
        said = ended(at)
    assert "Read 2 slices" in said and "Not all was read: stopped; what was read is kept. 3 slices left for the next time." in said
    assert "8 claims now stand" in said and "done in" not in said


def test_a_reading_that_no_model_answers_says_why_and_loses_nothing(opened):
    at = opened(models="gone-1", url="http://127.0.0.1:9/v1")
    at.button[[b.label for b in at.button].index("What would it take?")].click().run()
    click(at, "extract_start")
    said = ended(at)
    assert "no model answers" in said and "8 claims now stand" in said and "All 5 slices of text are read." in said


def test_nothing_that_a_model_wrote_is_live(opened, company):
    row = {"reason": EVIL, "said": f"{EVIL} OWNS {EVIL}", "quote": EVIL, "source": "doc:docs/firing.md", "line": 1, "model": EVIL}
    Extraction(company, company.viewer("local")).kept.keep_left(
        {"refused": [row], "unsettled": [{**row, "name": EVIL, "labels": ["Service"], "candidates": ["service:glaze-store"], "why": EVIL}]}
    )
    kept = Extraction(company, company.viewer("local")).kept
    left = kept.left()
    kept.keep_left({**left, "unsettled": [*left["unsettled"], {**left["unsettled"][0], "name": "the Shed", "why": "two names wait"}]})
    for part in ("refused", "names"):
        at = opened(part=part)
        bodies = "".join(h.proto.body for h in at.get("html"))
        assert "<img" not in bodies and "&lt;img" in bodies
        assert not [r for r in at.radio if "![" in r.label.replace("\\", "") and "!\\[" not in r.label]
    assert "called=the%20Shed" in words(at) and "the Shed" in str(opened(part="names", called="the Shed").radio[0].label)
    assert extract_left.proposed("a <b>OWNS</b> b") == "a &lt;b&gt;<b>owns</b>&lt;/b&gt; b"
