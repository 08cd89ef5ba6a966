"""The parts of the pages that need no browser: words, the evidence graph, live arms, jobs, links."""

import threading
import time
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from app_here import app_here
from streamlit.testing.v1 import AppTest

from brain import instants
from brain.catalogue import Param
from brain.errors import BadInput, Cancelled, ToolError
from brain.types import Answer, Claim, Edge, Node, Quote, Step
from brain.ui import answers, asking, charts, forms, graph, jobs, judged, live, text
from brain.ui.frame import PAGES

ROOT = Path(__file__).parent.parent
EVIL = "![x](http://evil.test/p.png) <img src=http://evil.test/i.png onerror=alert(1)> [go](javascript:alert(1)) :red[hot]"

PERSON = Node("person:ada", "Person", "Ada")
PULL = Node("pr:acme/app#12", "PullRequest", EVIL, {"state": "merged", "at": 1_700_000_000, "text": "hidden"})
ISSUE = Node("issue:acme/app#7", "Issue", "Crash")
RELEASE = Node("release:acme/app@v2", "Release", "v2")
CLOSES = Edge(PULL.key, "CLOSES", ISSUE.key)
SHIPPED = Edge(PULL.key, "SHIPPED_IN", RELEASE.key)
WROTE = Edge(PERSON.key, "AUTHORED", PULL.key)
STEPS = (
    Step(1, "find_entities", "named", {}, nodes=(ISSUE,)),
    Step(2, "trace", "follow", {}, nodes=(PULL, RELEASE), edges=(CLOSES, SHIPPED)),
    Step(3, "details", "who", {}, nodes=(PERSON,), edges=(WROTE,)),
)
PROVED = Claim("Shipped in v2.", (RELEASE.key,), (), "supported", 2, (ISSUE.key, PULL.key, RELEASE.key))


def answer(**changes):
    given = {
        "run": "r1",
        "question": "Which release?",
        "arm": "graph",
        "engine": "builtin",
        "viewer": "local",
        "as_of": 1,
        "state": "answered",
        "text": "Shipped in v2.",
        "claims": (PROVED,),
        "steps": STEPS,
        "nodes": (ISSUE, PULL, RELEASE),
    }
    return Answer(**{**given, **changes})


# -- words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("pr:org/name#12", "PR name#12"),
        ("commit:org/name@0123456789abcdef", "commit name@01234567"),
        ("chunk:pr:org/name#12/3", "PR name#12 ¶3"),
        ("file:org/name/src/x.c", "file name/src/x.c"),
        ("person:ada", "ada"),
        ("2019", "2019"),
    ],
)
def test_a_key_reads_as_people_write_it(key, said):
    assert text.key_label(key).strip() == said


def test_markdown_of_a_title_shows_its_characters_and_nothing_else():
    shown = text.safe_md(EVIL)
    assert "![" not in shown and "](" not in shown and "http://" not in shown and ":red[" not in shown
    assert shown.replace("\\", "").replace("\u2060", "") == EVIL


def test_direction_and_control_characters_are_taken_out():
    assert text.plain("a\u202egnp\x00 b\n c\u200bd") == "agnp b cd"


def test_only_web_addresses_become_links():
    assert text.web_url("https://github.com/a/b/pull/1") != ""
    assert text.web_url("javascript:alert(1)") == "" and text.web_url('http://x"y') == ""


def test_links_are_relative_and_repeat_lists():
    assert text.url("evidence", {"run": "a b", "key": "pr:o/n#1"}) == "evidence?run=a%20b&key=pr%3Ao%2Fn%231"
    assert text.url("", {"q": "x", "arm": ["graph", "vector"], "ws": ""}) == "./?q=x&arm=graph&arm=vector"


def test_an_instant_that_is_none_is_not_a_date():
    assert [text.when(v) for v in (0, None, True, "x", 10**13)] == [""] * 5
    assert text.when(1_700_000_000) == "2023-11-14"


# -- answers -----------------------------------------------------------------------------------


def test_nothing_of_an_answer_is_live_html():
    evil = Claim(EVIL, (PULL.key,), (Quote(PULL.key, 3, EVIL),), "contradicted", reason=EVIL)
    html = answers.answer_html(answer(claims=(evil,), dropped=(evil,), text=EVIL), lambda k: f'x?"><script>{k}')
    assert "<img" not in html and "<script" not in html and "javascript:" in html
    assert 'href="x?&quot;&gt;&lt;script&gt;' in html


def test_a_verdict_is_said_in_words_and_by_a_symbol():
    html = answers.answer_html(answer(), lambda k: k)
    assert "✓ supported, 2 hops" in html
    html = answers.answer_html(answer(claims=(Claim("No.", reason="no row says so"),)), lambda k: k)
    assert "? unsupported" in html and "no row says so" in html


def test_text_that_only_repeats_the_claims_is_not_shown_twice():
    said = answer(text="In short:\n- Shipped in v2.\nANSWER: release:acme/app@v2")
    assert answers.said_besides(said) == "In short:"
    assert answers.answer_html(said, lambda k: k).count("Shipped in v2.") == 1


def test_items_that_are_keys_are_links_and_values_are_words():
    html = answers.answer_html(answer(items=(RELEASE.key, "12", *map(str, range(100, 130)))), lambda k: f"evidence?key={k}")
    assert 'href="evidence?key=release:acme/app@v2"' in html and ", 12," in html and "and 20 more" in html


def _row(n, score, title=""):
    return {
        "chunk": f"chunk:pr:a/b#{n}/0",
        "src": f"pr:a/b#{n}",
        "src_label": "PullRequest",
        "title": title,
        "text": f"{title}\nbody {n}",
        "line": 1,
        "line_end": 1,
        "at": 1_700_000_000,
        "author": "ada",
        "repo": "a/b",
        "part": "body",
        "score": score,
    }


def test_passages_come_in_the_order_the_run_read_them_with_the_score_of_each_ranking():
    near = Step(2, "vector_search", "", {}, rows=(_row(1, 0.8, EVIL), _row(2, 0.7)))
    same = Step(3, "search_text", "", {}, rows=(_row(2, 11.0), _row(3, 9.0)))
    found = answers.passages(answer(steps=(STEPS[0], near, same)))
    assert [f.passage.src for f in found] == ["pr:a/b#2", "pr:a/b#1", "pr:a/b#3"]
    assert found[0].scores == {"meaning": 0.7, "words": 11.0}
    html = answers.passages_html(found, lambda k: k)
    assert "<img" not in html and "score by meaning 0.700, words 11.000" in html


def test_two_answers_are_compared_item_by_item():
    sides = answers.compared(answer(items=("a", "b", "b")), answer(items=("b", "c")))
    assert sides == {"both": ["b"], "first": ["a"], "second": ["c"]}


# -- the evidence graph ------------------------------------------------------------------------


def test_the_replay_goes_step_by_step_and_outwards():
    pic = graph.picture(STEPS, [PROVED])
    assert [hop.keys for hop in pic.hops] == [(ISSUE.key,), (PULL.key,), (RELEASE.key,), (PERSON.key,)]
    assert pic.hop_of(RELEASE.key) == 2


def test_gold_is_the_path_of_supported_claims_only():
    pic = graph.picture(STEPS, [PROVED])
    assert pic.gold == {ISSUE.key, PULL.key, RELEASE.key}
    assert [e for e in pic.edges if pic.golden(e)] == [CLOSES, SHIPPED]
    doubted = Claim("x", (), (), "unsupported", 0, (ISSUE.key, PULL.key))
    assert graph.picture(STEPS, [doubted]).gold == frozenset()


def test_a_verified_path_is_drawn_whole_where_no_tool_returned_it():
    claim = Claim("x", (PERSON.key,), (), "supported", 2, (ISSUE.key, "repo:acme/app", PERSON.key))
    pic = graph.picture(STEPS[:1], [claim])
    assert {n.key for n in pic.nodes} == set(claim.path) == pic.gold
    assert all(pic.golden(e) and e.rel == graph.PROOF for e in pic.edges) and len(pic.edges) == 2
    assert pic.hops[-1].tool == "verify"


def test_what_is_too_much_is_left_out_and_counted_cited_nodes_last():
    many = tuple(Node(f"file:acme/app/{i}", "File", str(i)) for i in range(300))
    pic = graph.picture((Step(1, "impact", "", {}, nodes=many), *STEPS), [PROVED], limit=50)
    assert len(pic.nodes) == 50 and pic.left_out == 254 and pic.gold <= {n.key for n in pic.nodes}


def test_every_drawn_node_has_a_place_of_its_own():
    many = tuple(Node(f"file:acme/app/{i}", "File", str(i)) for i in range(40))
    pic = graph.picture((*STEPS, Step(4, "impact", "", {}, nodes=many)), [PROVED])
    places = graph.layout(pic)
    assert len(set(places.values())) == len(places) == len(pic.nodes)


def test_the_drawing_gets_positions_parallel_relations_and_no_internal_text():
    both = Step(4, "x", "", {}, edges=(Edge(PULL.key, "REFERENCES", ISSUE.key),), nodes=(ISSUE, PULL))
    data = graph.network_data(graph.picture((*STEPS, both), [PROVED]), lambda k: f"evidence?key={k}")
    assert len([e for e in data["edges"] if e["from"] == PULL.key and e["to"] == ISSUE.key]) == 2
    pull = next(n for n in data["nodes"] if n["id"] == PULL.key)
    assert pull["gold"] and pull["label"].startswith("✓ ") and {"x", "y", "hop"} <= pull.keys()
    assert ["at", "2023-11-14"] in pull["facts"] and not any("hidden" in v for _, v in pull["facts"])


def test_no_nodes_make_an_empty_picture():
    assert graph.picture((), ()).hops == ()


# -- arms at once ------------------------------------------------------------------------------


def watched(exchange):
    """Every side that was to be drawn, as it was then."""
    return [(arm, replace(exchange.sides[arm], steps=[*exchange.sides[arm].steps])) for some in exchange.changes() for arm in some]


def test_arms_answer_at_the_same_time_and_steps_come_as_they_happen():
    gate = threading.Barrier(2, timeout=20)

    def ask(arm, hooks):
        gate.wait()
        hooks.on_step(STEPS[0])
        time.sleep(0.3)
        return answer(arm=arm)

    exchange = live.Exchange(ask, ["graph", "vector"])
    seen = watched(exchange)
    assert {arm for arm, side in seen if side.steps and not side.over} == {"graph", "vector"}
    assert [a.arm for a in exchange.answers()] == ["graph", "vector"]


def test_an_arm_that_fails_says_so_and_the_other_still_answers():
    def ask(arm, hooks):
        if arm == "vector":
            raise BadInput("no passages here")
        return answer()

    exchange = live.Exchange(ask, ["graph", "vector"])
    watched(exchange)
    assert exchange.sides["vector"].error == "no passages here" and exchange.sides["graph"].answer


def test_a_bug_in_an_arm_is_not_hidden():
    def ask(arm, hooks):
        raise ZeroDivisionError

    exchange = live.Exchange(ask, ["graph"])
    with pytest.raises(ZeroDivisionError):
        watched(exchange)
    watched(exchange)
    assert "ZeroDivisionError" in exchange.sides["graph"].error


def test_what_a_model_writes_is_shown_as_it_comes_and_goes_with_its_turn():
    def ask(arm, hooks):
        for word in ("Kay", " owns", " it"):
            hooks.on_text(word)
            time.sleep(0.3)
        hooks.on_step(STEPS[0])
        hooks.on_text("x" * 3 * live.KEPT)
        time.sleep(0.3)
        return answer()

    seen = watched(live.Exchange(ask, ["graph"]))
    words = [side.writing for _, side in seen]
    assert "Kay owns" in words
    assert all(not side.writing.startswith("Kay") for _, side in seen if side.steps)
    assert max(map(len, words)) == live.KEPT


def test_a_fast_model_is_drawn_a_few_times_a_second():
    def ask(arm, hooks):
        for _ in range(2000):
            hooks.on_text("word ")
            time.sleep(0.0002)
        return answer()

    exchange = live.Exchange(ask, ["graph"])
    drawn = len(watched(exchange))
    assert exchange.sides["graph"].written == 10_000
    assert drawn <= 3 + exchange.seconds / live.PAUSE


def test_an_arm_that_ends_while_another_is_drawn_is_drawn_too():
    go_on = threading.Event()

    def ask(arm, hooks):
        hooks.on_step(STEPS[0])
        if arm == "vector":
            assert go_on.wait(20)
        return answer()

    exchange = live.Exchange(ask, ["graph", "vector"])
    drawn = set()
    for changed in exchange.changes():
        drawn |= {arm for arm in changed if exchange.sides[arm].over}
        if drawn == {"graph"}:
            go_on.set()
            exchange.wait(20)
    assert drawn == {"graph", "vector"}


def test_whoever_comes_back_sees_what_was_done_so_far_and_nothing_is_asked_twice():
    asked, go_on = [], threading.Event()

    def ask(arm, hooks):
        asked.append(arm)
        hooks.on_step(STEPS[0])
        go_on.wait(5)
        return answer()

    exchange = live.Exchange(ask, ["graph"])
    while not exchange.sides["graph"].steps:
        time.sleep(0.01)
    first = exchange.changes()
    assert next(first) == ["graph"]
    first.close()
    again = exchange.changes()
    assert next(again) == ["graph"]
    go_on.set()
    assert [*again][-1] == ["graph"] and exchange.answers() and asked == ["graph"]


def test_a_question_is_stopped_at_once_and_what_was_there_is_kept():
    ended = threading.Event()

    def ask(arm, hooks):
        hooks.on_step(STEPS[0])
        hooks.on_text("half a sent")
        while not hooks.cancelled():
            time.sleep(0.01)
        ended.set()
        raise Cancelled("stopped")

    exchange = live.Exchange(ask, ["graph"])
    for _ in exchange.changes():
        if exchange.sides["graph"].writing:
            exchange.stop()
    assert ended.wait(20)
    exchange.wait(20)
    side = exchange.sides["graph"]
    assert (exchange.stopped, side.over, side.answer, side.error) == (True, True, None, "")
    assert [s.tool for s in side.steps] == ["find_entities"] and side.writing == "half a sent"


@pytest.mark.parametrize("tell", [lambda hooks: hooks.on_step(STEPS[0]), lambda hooks: hooks.on_text("x")])
def test_nobody_looking_stops_the_arms_at_the_next_that_they_tell(tell):
    stopped = threading.Event()

    def ask(arm, hooks):
        try:
            while True:
                tell(hooks)
                time.sleep(0.01)
        finally:
            stopped.set()

    exchange = live.Exchange(ask, ["graph"], patience=0.1)
    assert stopped.wait(20)
    exchange.wait(20)
    assert exchange.over and not exchange.sides["graph"].error


# -- jobs --------------------------------------------------------------------------------------


def _ended(job):
    deadline = time.monotonic() + 5
    while job.state == "running" and time.monotonic() < deadline:
        time.sleep(0.01)
    return job.state


def test_a_job_reports_and_gives_its_result():
    def work(job):
        job.report("half way", 1, 2)
        return 42

    job = jobs.Jobs().start("load", "Loading", "ada", work)
    assert _ended(job) == "done" and job.future.result() == 42 and job.share == 0.5


def test_a_job_stops_at_the_next_report_after_cancel():
    def work(job):
        while True:
            job.report("", 0, 0)
            time.sleep(0.01)

    job = jobs.Jobs().start("load", "Loading", "ada", work)
    job.cancel()
    assert _ended(job) == "cancelled"


def test_a_failed_job_says_why_in_one_line():
    def work(job):
        raise BadInput("no such path")

    job = jobs.Jobs().start("load", "Loading", "ada", work)
    assert _ended(job) == "failed" and job.error == "no such path"


def test_a_job_is_seen_by_its_owner_only():
    held = jobs.Jobs()
    job = held.start("load", "Loading", "ada", lambda job: None)
    assert held.get(job.id, "ada") is job and held.get(job.id, "bob") is None and held.get("nope", "ada") is None


def test_old_jobs_are_forgotten_running_ones_are_not():
    held = jobs.Jobs(keep=3)
    wait = threading.Event()
    running = held.start("load", "x", "ada", lambda job: wait.wait(5))
    for _ in range(6):
        _ended(held.start("load", "x", "ada", lambda job: None))
    assert held.get(running.id, "ada") and len(held._jobs) <= 5
    wait.set()


# -- parameters --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "value"),
    [("int", 3), ("float", 0.5), ("bool", True), ("str", "a b"), ("list[str]", ["a", "b c"]), ("list[int]", [1, 2])],
)
def test_a_value_survives_its_field(kind, value):
    assert forms.parse(Param("p", kind), forms.written(value)) == value


def test_an_empty_field_is_no_value_and_a_wrong_one_is_refused():
    assert forms.parse(Param("p", "int?", None, False), " ") is None
    with pytest.raises(ToolError, match="'p' must be int"):
        forms.parse(Param("p", "int"), "many")


# -- a run of a question set -------------------------------------------------------------------


def _record(arm, value, **changes):
    score = {"value": value, "exact": value == 1, "source_recall": None, "cited_recall": None, "support": None, "state_right": None}
    return {
        "id": "q1",
        "category": "lookup",
        "arm": arm,
        "question": EVIL,
        "gold": ["pr:a/b#1", ["x", "y"]],
        "match": "set",
        "score": score,
        "ms": 3.0,
        "answer": None,
        "error": None,
        **changes,
    }


def test_what_was_not_scored_is_not_shown_as_zero():
    assert "source recall not scored" in judged.marks(_record("graph", 1.0))


def test_gold_with_alternatives_reads_as_or():
    assert judged.gold(_record("graph", 1.0)) == "pr:a/b#1, x or y"


def test_questions_can_be_narrowed_to_where_the_arms_differ():
    grouped = {
        "same": {"graph": _record("graph", 0.0), "vector": _record("vector", 0.0)},
        "not": {"graph": _record("graph", 1.0), "vector": _record("vector", 0.0)},
    }
    assert list(judged.differing(grouped, "differ")) == ["not"]
    assert list(judged.differing(grouped, "wrong")) == ["same"]
    assert len(judged.differing(grouped, "all")) == 2


def test_a_recorded_answer_comes_back_with_its_steps_and_verdicts():
    raw = {
        "run": "r",
        "question": "q",
        "arm": "graph",
        "engine": "builtin",
        "viewer": "local",
        "as_of": None,
        "state": "answered",
        "text": "t",
        "items": [12],
        "claims": [{"text": "c", "cites": ["pr:a/b#1"], "quotes": [], "verdict": "supported", "hops": 1, "path": ["a"], "reason": ""}],
        "steps": [
            {
                "n": 1,
                "tool": "trace",
                "nodes": ["pr:a/b#1", "odd"],
                "edges": [{"src": "a", "rel": "CLOSES", "dst": "b"}],
                "rows": [{"x": 1}],
            }
        ],
        "usage": {"ms": 5.0, "model": None},
    }
    given = judged.answer(_record("graph", 1.0, answer=raw))
    assert given.items == ("12",) and given.claims[0].verdict == "supported" and given.steps[0].nodes[0].label == "PullRequest"


def test_a_chart_says_in_words_what_it_draws():
    cell = {"n": 1, "value": 0.5}
    summary = {"arms": ["graph", "vector"], "categories": {"lookup": {"graph": cell, "vector": {**cell, "value": None}}}}
    fig, said = charts.dumbbell(summary)
    assert "lookup: Graph 0.50, Passages not scored" in said
    assert len({t.marker.symbol for t in fig.data if t.mode == "markers"}) == 2


# -- pages as scripts --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo(demo):
    """The demo organisation, and the app pointed at it."""
    with app_here(demo.settings.home, "demo"):
        yield demo


def opened(script="", **params):
    at = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    for name, value in params.items():
        at.query_params[name] = value
    if script:
        at.switch_page(f"pages/{script}.py")
    return at.run()


def test_the_folder_of_pages_and_the_navigation_are_the_same():
    assert {p.script for p in PAGES} == {f"pages/{f.name}" for f in (ROOT / "pages").glob("*.py")}
    for script in (ROOT / "pages").glob("*.py"):
        assert len(script.read_text().splitlines()) <= 120, f"{script.name} is too long for a page"


def test_a_question_in_the_address_is_answered_by_the_arms_in_the_address(demo):
    question = demo.suggestions(demo.viewer("local"))[0]
    at = opened(q=question, arm=["hybrid", "graph", "nonsense"])
    assert not at.exception
    assert [h.value for h in at.header][:2] == ["Graph", "Hybrid passages"]
    assert at.text_input[0].value == question
    assert len(at.query_params["run"]) == 2


def test_runs_in_the_address_are_shown_and_not_asked_again(demo):
    question = demo.suggestions(demo.viewer("local"))[0]
    run = demo.ask(question, viewer=demo.viewer("local")).run
    before = demo.recent_runs(demo.viewer("local"), 100)
    at = opened(q=question, arm=["graph"], run=[run])
    assert not at.exception and at.query_params["run"] == run
    assert demo.recent_runs(demo.viewer("local"), 100) == before


@pytest.mark.parametrize("arm", ["graph", "vector", "hybrid"])
def test_every_citation_leads_to_its_source_and_every_step_to_its_rows(demo, arm):
    answer = demo.ask(demo.suggestions(demo.viewer("local"))[1], viewer=demo.viewer("local"), arm=arm)
    key = answer.claims[0].cites[0]
    at = opened("evidence", run=answer.run, key=key)
    assert not at.exception
    assert at.header[0].value.replace("\\", "") == f"Source: {text.key_label(key)}"
    again = next(b for b in at.button if b.label == "Run again")
    assert not again.click().run().exception and "in the server" in at.success[0].value


def test_the_day_in_the_address_is_asked_about_and_shown_beside_the_answer(demo):
    question = demo.suggestions(demo.viewer("local"))[0]
    at = opened(q=question, arm=["graph"], at="2026-09-30", known="2026-11-01")
    assert not at.exception and (at.query_params["at"], at.query_params["known"]) == ("2026-09-30", "2026-11-01")
    run = demo.run(at.query_params["run"], demo.viewer("local"))
    assert text.when(run.as_of) == "2026-09-30" and answers.known_at(run) == instants.instant("2026-11-01")
    shown = " ".join(h.proto.body for h in at.get("html"))
    assert "as of 2026-09-30" in shown and "as known on 2026-11-01" in shown
    assert str(at.date_input(key="ask_at").value) == "2026-09-30"


@pytest.mark.parametrize("day", ["soon", "0001-01-01", "2025-99-01", EVIL])
def test_a_day_that_is_none_is_today(demo, day):
    at = opened(q=demo.suggestions(demo.viewer("local"))[0], arm=["graph"], at=day)
    assert not at.exception and "at" not in at.query_params and at.date_input(key="ask_at").value is None


def test_the_day_that_is_picked_is_asked_about(demo):
    at = opened(q=demo.suggestions(demo.viewer("local"))[0], arm=["graph"])
    at.date_input(key="ask_at").set_value(date(2025, 9, 1))
    next(b for b in at.button if b.label == "Ask").click().run()
    assert not at.exception and at.query_params["at"] == "2025-09-01"
    assert text.when(demo.run(at.query_params["run"], demo.viewer("local")).as_of) == "2025-09-01"


def test_a_suggestion_is_asked_when_it_is_picked(demo):
    at = opened()
    tried = next(p for p in at.pills if p.label == "Try")
    tried.set_value(demo.suggestions(demo.viewer("local"))[0]).run()
    assert at.query_params["q"] == demo.suggestions(demo.viewer("local"))[0] and "run" in at.query_params


@pytest.mark.parametrize(
    ("script", "params", "said"),
    [
        ("ask", {"q": "x", "run": "nope"}, "there is no run"),
        ("ask", {"run": ["nope"] * 40}, "there is no run"),
        ("ask", {"q": "x" * 5000, "run": "nope"}, "there is no run"),
        ("evidence", {"run": "nope"}, "there is no run"),
        ("evidence", {"run": EVIL}, "there is no run"),
        ("queries", {"query": "nope"}, "There is no query"),
        ("queries", {"query": "find_entities", "p.k": "many"}, "must be int"),
        ("sources", {"job": "nope"}, ""),
        ("evaluation", {"run": "nope"}, ""),
    ],
)
def test_a_link_that_leads_nowhere_says_so_in_one_line(demo, script, params, said):
    at = opened("" if script == "ask" else script, **params)
    assert not at.exception
    shown = " ".join(e.value for e in (*at.error, *at.warning)).replace("\\", "")
    assert said in shown


def test_a_workspace_that_cannot_be_is_refused_in_one_line(demo):
    at = opened(ws="../etc")
    assert not at.exception and "workspace" in at.error[0].value


def test_an_empty_workspace_points_to_sources(demo):
    at = opened(ws="empty")
    assert not at.exception and "Sources" in at.info[0].value


def test_answers_are_compared_in_one_sentence():
    said = asking.comparison([answer(items=(PERSON.key,)), answer(arm="vector", items=(PERSON.key, "12"))])
    assert said == "Both name: ada. Only passages: 12."
    assert asking.comparison([answer()]) == ""


def test_a_workspace_name_that_cannot_be_is_refused_before_anything_is_loaded(demo, tmp_path):
    at = opened("sources")
    at.text_area[0].set_value(str(tmp_path))
    next(t for t in at.text_input if t.label == "Into workspace").set_value("../up")
    next(b for b in at.button if b.label == "Load").click().run()
    assert not at.exception and "workspace" in at.error[0].value and "job" not in at.query_params
