import re
from html.parser import HTMLParser

import pytest

from eval import report
from eval.records import Run
from eval.summary import summarise, verdict

EVIL = "<script>alert(1)</script> | ![x](https://evil.example/p.png)"


def record(name, arm, value, category="trace", cluster="c", **more):
    marks = {"value": value, "exact": value == 1, "source_recall": None, "cited_recall": 0.5, "support": None, "state_right": None}
    step = {
        "n": 1,
        "tool": "trace",
        "why": "w",
        "cypher": "MATCH (n) RETURN n",
        "args": {"q": EVIL},
        "rows": [],
        "rows_total": 3,
        "ms": 1.5,
    }
    answer = {
        "items": ["pr:a/b#2"],
        "state": "answered",
        "text": EVIL,
        "claims": [{"text": EVIL, "verdict": "supported", "cites": ["pr:a/b#2"]}],
        "steps": [step],
    }
    return {
        "id": name,
        "category": category,
        "cluster": cluster,
        "arm": arm,
        "question": f"Which? {EVIL}",
        "gold": ["pr:a/b#2", ["x", "y"]],
        "match": "set",
        "sources": [],
        "viewer": None,
        "as_of": None,
        "score": marks,
        "ms": 12.0,
        "answer": answer,
        "error": None,
    } | more


def made(values):
    rows = [
        record(f"q{i}", arm, v, cluster=str(i), category="trace" if i % 2 else "lookup")
        for i, pair in enumerate(values)
        for arm, v in zip(("graph", "vector"), pair, strict=True)
    ]
    return Run("first", tuple(rows), summarise(rows) | {"set": "s.jsonl", "created": 0})


@pytest.fixture
def clear():
    return made([(1, 0)] * 12)


def test_the_markdown_has_the_tables_the_verdict_and_every_question(clear):
    text = report.markdown(clear)
    assert "**Yes: graph is better than vector" in text and "| trace | 6 | 1.000 | 0.000 |" in text
    assert "(12 not scored)" in text and "pr:a/b#2, x or y" in text and all(f"| q{i} |" in text for i in range(12))
    assert "<script>" not in text
    for line in (x for x in text.splitlines() if x.startswith("| q")):
        assert len(re.findall(r"(?<!\\)\|", line)) == 6


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.addresses, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.addresses += [v for k, v in attrs if k in ("src", "href", "action", "poster", "srcset")]

    def handle_data(self, data):
        self.text.append(data)


def test_the_page_fetches_nothing_and_no_text_becomes_markup(clear):
    page = Page()
    page.feed(report.web_page(clear))
    assert page.addresses == [] and page.tags.count("script") == 1 and not {"img", "link", "iframe"} & set(page.tags)
    assert page.tags.count("details") == 12 + 24 and any("MATCH (n) RETURN n" in t for t in page.text)
    assert "@import" not in report.web_page(clear) and "url(" not in report.web_page(clear)


def test_the_verdict_says_no_when_nothing_is_shown():
    said = made([(1, 0), (0, 1), (1, 1), (0, 0), (1, 0), (0, 1)]).summary["verdict"]
    assert said.startswith("No: graph is not shown to be better") and "would mostly go unseen" in said


def test_the_verdict_says_no_when_the_graph_is_worse_and_names_where_it_loses():
    assert made([(0, 1)] * 9).summary["verdict"].startswith("No: graph is worse than vector")
    mixed = made([(0, 1) if i % 2 == 0 and i < 10 else (1, 0) for i in range(60)])
    rows = [dict(r, category="lookup" if r["id"] in {"q0", "q2", "q4", "q6", "q8"} else "trace") for r in mixed.records]
    assert "Not everywhere: vector is better in lookup" in summarise(rows)["verdict"]


def test_the_verdict_takes_the_strongest_other_arm():
    rows = [record(f"q{i}", a, v, cluster=str(i)) for i in range(9) for a, v in (("graph", 1), ("vector", 0), ("hybrid", 0.5))]
    assert "hybrid, the strongest other arm" in verdict(summarise(rows)["pairs"])


def test_a_failure_is_shown_as_one():
    failed = record("q", "graph", 0.0, answer=None, error="ToolError: no such key")
    run = Run("f", (failed,), {})
    assert "failed: ToolError: no such key" in report.markdown(run) and "failed: ToolError" in report.web_page(run)


def test_both_files_are_written(clear, tmp_path):
    md, page = report.write(clear, tmp_path / "out")
    assert md.read_text().startswith("# Evaluation: first") and page.read_text().startswith("<!doctype html>")
