"""Nothing that is shown commands a screen, hides in it, computes in a sheet or draws markup in a chart; what was there can still be read."""

import json
import unicodedata

import injected_company as company
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from brain.text.inert import COMMANDS, UNSEEN, inert, written_out
from brain.ui import charts, text

TEXTS = [*company.injections(), "\x1b]8;;http://x.invalid\x1b\\", "a\x9b2Jb", "\ud800 lone", "z" + "\u0301" * 500, "\u2028line\u2029", "\r\n\x00"]


@pytest.mark.parametrize("raw", TEXTS, ids=range(len(TEXTS)))
def test_what_is_left_is_seen_and_says_the_same_words(raw):
    for shown in (inert(raw), text.plain(raw), text.esc(raw), text.safe_md(raw).replace("\u2060", ""), text.chart(raw)):
        assert not COMMANDS.search(shown) and not UNSEEN.search(shown)
        assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs") and c not in "\n\t" for c in shown)
    words = [w for w in inert(raw).split() if w.isascii() and w.isalpha()]
    assert all(w in raw for w in words if not UNSEEN.search(raw)) and len(inert(raw)) <= len(raw)
    assert inert(inert(raw)) == inert(raw)


def test_lines_tabs_and_ordinary_letters_stay():
    for same in ("a\tb\nc", "Ondřej Malý", "中島 美穂", "Þórsson", "e\u0301", "✓ → “x”", "नमस्ते", "שלום"):
        assert inert(same) == same
    assert inert("one\r\ntwo") == "one\ntwo" and len(inert("z" + "\u0301" * 500)) == 4


@pytest.mark.parametrize("raw", TEXTS, ids=range(len(TEXTS)))
def test_json_says_what_it_held_and_shows_nothing_unseen(raw):
    kept = raw.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    said = text.as_json({"text": kept, kept: [kept]})
    assert not COMMANDS.search(said) and not UNSEEN.search(said)
    assert json.loads(said) == {"text": kept, kept: [kept]}
    assert json.loads(written_out(json.dumps(kept, ensure_ascii=False))) == kept


@pytest.mark.parametrize("raw", ["=1+1", "  =cmd|' /C calc'!A1", "@SUM(1+1)*cmd|x", "-1+cmd|' /C calc'!A0", "+HYPERLINK(\"http://x\")", "\t=1", "\uff1d1+1", "=\u200bcmd"])
def test_a_formula_stands_behind_a_quote_in_a_table(raw):
    assert text.in_sheet(raw).startswith("'") and text.in_sheet(raw)[1:] == inert(raw)


@pytest.mark.parametrize("same", ["- a point", "-12", "+44 20 1234", "@merefold/console", "a=b", "", 5, -1.5, None, True])
def test_what_is_no_formula_stays_as_it_is(same):
    assert text.in_sheet(same) == same


def test_every_cell_that_a_table_shows_is_text_that_computes_nothing():
    def script():
        import pandas as pd

        from brain.ui import tables

        tables.show(pd.DataFrame([{"=a()": "=cmd|x", "n": -3, "b": "\u202eok"}]), "A table", "one")

    shown = AppTest.from_function(script, default_timeout=30).run()
    assert not shown.exception
    frame = shown.dataframe[0].value
    pd.testing.assert_frame_equal(frame, pd.DataFrame([{"=a()": "'=cmd|x", "n": -3, "b": "ok"}]), check_dtype=False)


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "JaVaScRiPt:alert(1)", " https://x.invalid", "https://a.invalid@b.invalid/", "https:\\\\x.invalid",
     "https://x.invalid/\u202ega", "https://x.invalid/\x00", "//x.invalid", "https://", "https://[::1", "https://\u0430pple.invalid/", "ftp://x.invalid/f", "https://x.invalid/a b", "vbscript:x"],
)  # fmt: skip
def test_no_address_that_is_not_what_it_seems_becomes_a_link(address):
    assert text.web_url(address) == ""
    assert text.web_url("https://x.invalid/a?b=c#d") == "https://x.invalid/a?b=c#d"


def test_a_chart_shows_the_marks_of_a_label_and_never_draws_them():
    category, arm = '<a href="javascript:alert(1)">x</a><b>y</b>', "<img src=x>%{x}"
    cell = {"value": 0.5, "n": 1}
    drawn, said = charts.dumbbell({"arms": ["graph", arm], "categories": {category: {"graph": cell, arm: {"value": 0.7, "n": 1}}}})
    spec = drawn.to_json()
    assert "\\u003ca" not in spec and "<a" not in spec and "<img" not in spec and "&lt;a" in spec and "%{x}\\u003c" not in spec
    whole = {"a": arm, "b": "graph", "categories": {category: {"difference": 0.1, "low": 0.0, "high": 0.2}}, "overall": {"difference": 0.1, "low": 0.0, "high": 0.2}}
    drawn, said = charts.differences(whole)
    assert "<a" not in drawn.to_json() and "\\u003ca" not in drawn.to_json() and "<img" not in drawn.to_json()
    assert category in said, "the text for screen readers is an attribute, which is no markup"
