"""Cypher of one's own where people meet it: the Queries page as a script, and the command line."""

from pathlib import Path

import pytest
import small_graph
from app_here import app_here
from streamlit.testing.v1 import AppTest
from test_cli import brain as command

from brain import embedded, permissions
from brain.brain import Brain
from brain.tools.freeform import REFUSED, sandbox
from brain.ui import session

ROOT = Path(__file__).parent.parent
WHERE = "freeform-page"


@pytest.fixture(scope="module")
def brain(tmp_path_factory):
    with app_here(tmp_path_factory.mktemp("ui-freeform"), WHERE) as own:
        opened = Brain.open(own)
        small_graph.build(opened.store, WHERE)
        opened.store.set_meta(WHERE, {"stands_at": str(small_graph.NOW), "loaded_at": str(small_graph.NOW)})
        yield opened
        sandbox(session.brain(WHERE).store, WHERE).close()
        opened.close()
        embedded.stop(opened.settings)


def opened(**params):
    at = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    for name, value in params.items():
        at.query_params[name] = value
    return at.switch_page("pages/queries.py").run()


def ran(at, text, params="{}"):
    at.text_area(key="queries_cypher").set_value(text)
    at.text_input(key="queries_cypher_params").set_value(params)
    at = next(b for b in at.button if b.label == "Run on the copy").click().run()
    assert not at.exception
    return at


def tables(at):
    return [frame.value for frame in at.dataframe]


def test_an_administrator_gets_rows_and_the_text_that_ran(brain):
    at = ran(opened(), "MATCH (p:Person {key: $key}) RETURN p.login AS login, p", '{"key": "person:dag"}')
    assert "MATCH (p:Person {key: $key}) RETURN p.login AS login, p\nLIMIT 200" in [c.value for c in at.code]
    assert any(list(frame.columns) == ["login", "p"] and frame["login"].tolist() == ["dag"] for frame in tables(at))
    at = ran(at, "MATCH (n) DELETE n")
    assert "DELETE writes" in at.error[0].value.replace("\\", "")
    assert not any("login" in frame.columns for frame in tables(at))


def test_a_link_fills_the_field_and_runs_nothing(brain):
    at = opened(cypher="MATCH (n) RETURN count(n) AS n")
    assert not at.exception and at.text_area(key="queries_cypher").value == "MATCH (n) RETURN count(n) AS n"
    assert not any("n" in frame.columns for frame in tables(at))


def test_what_comes_out_is_shown_as_words(brain):
    evil = "![x](http://evil.test/p.png) <img src=x onerror=alert(1)>"
    at = ran(opened(), f"RETURN '{evil}' AS `<b>x</b>`")
    assert not any(evil in m.value for m in (*at.markdown, *at.caption, *at.error))


def test_others_get_the_sentence_and_no_field(brain, monkeypatch):
    monkeypatch.setattr(session, "viewer", lambda *_: permissions.member("m"))
    at = opened(cypher="MATCH (n) RETURN n")
    assert not at.exception
    assert [i.value.replace("\\", "").lower() for i in at.info] == [f"{REFUSED}.".lower()] and "queries_cypher" not in [t.key for t in at.text_area]


def test_the_command_prints_rows_the_text_and_one_line_for_a_refusal(brain):
    text = "MATCH (p:Person) WHERE p.key IN $keys RETURN p, p.login AS login"
    rows, *refused = command(
        brain.settings.home, ["query", "cypher", text, "keys=[person:dag]", "--json"], ["query", "cypher", "MATCH (n) DELETE n"],
        ["query", "cypher", "RETURN 1", "--as", "guest"], BRAIN_WORKSPACE=WHERE,
    )  # fmt: skip
    assert rows.json["rows"] == [{"p": "person:dag", "login": "dag"}] and rows.json["nodes"] == ["person:dag"]
    assert rows.json["query"] == f"{text}\nLIMIT 200"
    for done, said in zip(refused, ("DELETE writes", REFUSED), strict=True):
        assert done.code == 1 and said in done.err and done.err.count("\n") == 1 and not done.out
