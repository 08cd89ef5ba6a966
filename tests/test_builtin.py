"""One engine, three arms: what they share, what they differ in, and that no question is too odd for them."""

from __future__ import annotations

import re

import pytest

from brain.types import ARMS

NOW = 1_792_195_200
SEARCHES = {"link", "vector_search", "search_text", "chunks_for"}


@pytest.fixture(scope="module")
def ask(demo):
    return lambda question, arm="graph", **kw: demo.ask(question, arm=arm, **{"viewer": demo.viewer(), "as_of": NOW, "save": False, **kw})


@pytest.mark.parametrize(
    "question",
    ["Who reviewed gatekeeper#12?", "Why does the limit switch at Thornwick chatter?", "issues in floodline opened in May 2026 by Eunice"],
)
def test_the_arms_read_a_question_alike_and_look_in_different_places(ask, question):
    steps = {arm: ask(question, arm).steps for arm in ARMS}
    first = {arm: (s[0].tool, s[0].args, [n.key for n in s[0].nodes]) for arm, s in steps.items()}
    assert first["graph"] == first["vector"] == first["hybrid"] and first["graph"][0] == "link"
    tools = {arm: {step.tool for step in s} for arm, s in steps.items()}
    assert tools["vector"] <= SEARCHES - {"search_text"} and tools["hybrid"] <= SEARCHES
    assert tools["hybrid"] - tools["vector"] == {"search_text"}


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize(
    "question", ["Who reviewed gatekeeper#12?", "Top 5 authors of floodline", "Why was CEL turned down?", "reviews by sanna in May 2026"]
)
def test_the_same_question_has_the_same_answer(ask, arm, question):
    a, b = ask(question, arm), ask(question, arm)
    assert (a.text, a.items, a.state, a.claims, a.dropped) == (b.text, b.items, b.state, b.claims, b.dropped)
    assert [(s.tool, s.args, s.rows) for s in a.steps] == [(s.tool, s.args, s.rows) for s in b.steps]


ODD = [
    "colourless green ideas sleep furiously", "?!?!", "    ...   ", "1 2 3 4 5", "who who who who", "of of of #1 #2 #3", "a" * 2000, "gate " * 400,
    ("Who reviewed gatekeeper#12 and gatekeeper#16? " * 50)[:2000], "((((((((((" * 20, "[" * 300, "\\" * 500, "'" * 301, '"' * 301, "`" * 301,
    "gatekeeper\\n\\t\\0 '); MATCH (n) DETACH DELETE n //", "who wrote `\"'“”«»", "nul \x00 in the \x00 middle of gatekeeper", "\u202egatekeeper\u202c", "🦆🦆🦆 who knows 🦆?",
    "\ud83e lone half", "Wer hat gatekeeper#12 geprüft?", "¿Quién revisó gatekeeper#12 en junio de 2026?", "谁审查了 gatekeeper#12？", "кто закрыл gatekeeper#10?", "من راجع gatekeeper#12؟",
    "PERSON0 REPO1 ITEM2 PATH3 RELEASE4 THERE0 in XLBL", "people of REPO7 but not in PATH9", "how many PRs since 9999-12-31", "PRs in the last 99999999 years", "between 2026-02-31 and 0000-00-00",
    "% 100% of $x {y} <script>alert(1)</script> in gatekeeper", "SELECT * FROM issues WHERE 1=1 --", "@@@@ #### ////", "v v v v1 v1. v1.. 1.2.3.4.5", "merefold/merefold/merefold#1#2#3",
]  # fmt: skip


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("question", ODD, ids=range(len(ODD)))
def test_no_question_is_too_odd(ask, arm, question):
    a = ask(question, arm)
    assert a.state in ("answered", "insufficient") and a.text and not [s.error for s in a.steps if s.error and s.tool == "link"]
    assert all(c.verdict == "supported" for c in a.claims)


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize(
    "question",
    ["Who reviewed merefold/gatekeeper#12?", "How many pull requests are open?", "Why was CEL turned down?", "Who knows floodline/tides?"],
)
def test_whoever_may_see_nothing_is_told_nothing(demo, ask, arm, question):
    a = ask(question, arm, viewer=demo.viewer("nobody"))
    assert (a.nodes, a.edges) == ((), ()) and set(a.items) <= {"0"}
    said = a.text + " ".join(c.text for c in a.claims)
    assert not re.search(r"person:|sannakivela|tdabrowski|CEL\b.*“", said.replace(question, ""))


def test_what_came_later_is_not_seen_earlier(ask):
    early = 1_751_500_800  # 3 July 2025, the day gatekeeper#12 was merged
    assert ask("Was gatekeeper#12 merged?", as_of=early).items == ("no",)
    assert ask("How many merged pull requests are there?", as_of=early).items == ("133",)
    assert ask("Who reviewed control-room#40?", as_of=early).state == "insufficient"


def test_the_day_a_question_names_is_its_instant_only_when_it_asks_how_things_stood(ask):
    stood, happened = ask("Which gatekeeper PRs were open on 1 May 2026?"), ask("Which gatekeeper PRs were opened on 1 May 2026?")
    assert stood.as_of == 1_777_679_999 and happened.as_of == NOW


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("As of 1 May 2026, was gatekeeper#46 open?", ("yes",)),
        ("Is gatekeeper#46 open?", ("no",)),
        ("As of 1 May 2026, when was gatekeeper#46 closed?", ()),
        ("What state was gatekeeper#46 in as of 2026-05-01?", ("open",)),
    ],
)
def test_a_thing_is_told_of_as_it_stood(ask, question, items):
    assert ask(question).items == items
