"""The whole way to a model over real HTTP: budgets in front, recordings in its place, and what is said where neither helps."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace

import pytest
import small_company
from model_server import call, fails, model_server, text
from small_graph import NOW

from brain import permissions
from brain.brain import Brain
from brain.errors import BadInput, BudgetSpent, ModelDown
from brain.graphs import LEDGER
from brain.llm import opening, recording
from brain.llm.budget import Purse
from brain.llm.ledger import Ledger
from brain.llm.limits import Cost
from brain.llm.talk import Message, Request

QUESTION, OTHER = "Who owns event-bus?", "Which team owns gauge-store?"
OWNED = "STATE: answered\n- Platform owns event-bus. [team:platform] [service:event-bus]\nANSWER: team:platform"
KEY = "sk-wholly-secret-0123456789"
TIMED = re.compile(r'"(ms|model_ms|server_ms|run)": ("\w+"|[\d.e-]+)')


def owns(body):
    """A model that looks up who owns what is asked about, and answers with what it was told."""
    asked = "gauge-store" if "gauge-store" in body["messages"][1]["content"] else "event-bus"
    given = [m["content"] for m in body["messages"] if m["role"] == "tool"]
    if not given:
        return call("who_owns", target=asked)
    team = next(iter(re.findall(r"team:\w+", given[-1])), "team:none")
    return text(f"STATE: answered\n- {team} owns {asked}. [{team}] [service:{asked}]\nANSWER: {team}")


@pytest.fixture(scope="module")
def company(home, shared_store):
    small_company.build(shared_store, "opened")
    return home


@pytest.fixture
def brain(company, shared_store):
    """The small company with such settings; nothing was spent yet."""
    shared_store.drop(LEDGER)
    opened = []

    def with_(**settings):
        made = Brain.open(replace(company, llm_key=KEY, llm_models="small", llm_retries=0, **settings), "opened")
        opened.append(made)
        return made

    yield with_
    for made in opened:
        made.close()


def ask(brain, question=QUESTION, arm="graph", **how):
    return brain.ask(question, viewer=permissions.local_admin(), arm=arm, engine="openai", as_of=NOW, save=False, **how)


def bare(answer):
    """An answer without times and the name of its run."""
    return TIMED.sub(r'"\1": 0', json.dumps(asdict(answer), default=str, sort_keys=True))


def downs(answer):
    return [s.why for s in answer.steps if s.tool == "stepped_down"]


@pytest.fixture(scope="module")
def recorded(company, tmp_path_factory):
    """A recording of both questions in two arms, and the answers it was made with."""
    path = tmp_path_factory.mktemp("recordings") / "both.jsonl"
    made = Brain.open(replace(company, llm_key=KEY, llm_models="small", llm_seed=11, llm_retries=0, llm_record=str(path)), "opened")
    with model_server(owns) as server:
        made.settings = replace(made.settings, llm_url=server.url)
        answers = {(q, arm): ask(made, q, arm) for q in (QUESTION, OTHER) for arm in ("graph", "vector")}
    made.close()
    assert answers[QUESTION, "graph"].items == ("team:platform",) and answers[QUESTION, "graph"].engine == "openai"
    return path, answers


def test_what_a_question_cost_is_written_down_and_what_is_left_is_told(brain):
    asked = brain(llm_limits="question.tokens=60000, viewer.runs=3, day.tokens=100000", llm_prices="small=1/10")
    with model_server(owns) as server:
        asked.settings = replace(asked.settings, llm_url=server.url)
        answer = ask(asked)
    left = {(x.scope, x.what): (x.spent, x.left) for x in opening.left(asked.settings, asked.store, "local", asked.clock)}
    assert left == {("question", "tokens"): (0, 60000), ("viewer", "runs"): (1, 2), ("day", "tokens"): (220, 99780)}
    (spent,) = Ledger(asked.store, "local").spent()
    assert (spent.model, spent.prompt, spent.completion, spent.exchanges, spent.runs) == ("small", 200, 20, 2, 1)
    assert spent.usd == pytest.approx(answer.usage.usd) == pytest.approx(0.0004)


def test_at_a_cap_nothing_is_sent_the_built_in_engine_answers_and_says_so(brain):
    with model_server([]) as server:
        asked = brain(llm_url=server.url, llm_limits="viewer.runs=0")
        answer = ask(asked)
    assert answer.engine == "builtin" and answer.items == ("team:platform",)
    assert "your budget for models (viewer.runs=0) does not allow another exchange" in downs(answer)[-1]
    with pytest.raises(BudgetSpent):
        ask(asked, fall_back=False)


def test_a_question_ends_at_its_own_budget(brain):
    with model_server([call("who_owns", target="event-bus").but(usage=(6000, 100, 0))]) as server:
        asked = brain(llm_url=server.url, llm_limits="question.tokens=15000", llm_prompt_tokens=12000)
        answer = ask(asked)
    assert answer.engine == "builtin" and "this question's budget" in downs(answer)[-1] and "6,100 tokens spent" in downs(answer)[-1]


@pytest.mark.parametrize(
    ("said", "prompts"),
    [(text("never").but(delay_s=30), 1), (text("cut").but(cut_after=0), 1), (fails(504, "the model took too long"), 1),
     (fails(401, "who are you?"), 0), (fails(500, "out of order"), 0)],
)  # fmt: skip
def test_a_prompt_that_reached_a_server_is_counted_though_no_reply_came(brain, said, prompts):
    with model_server([said, said], all_used=False) as server:
        asked = brain(llm_url=server.url, llm_timeout_s=2, llm_prices="small=1/10")
        with pytest.raises(ModelDown):
            ask(asked, fall_back=False)
        sent = len(server.requests)
    (spent,) = Ledger(asked.store, "local").spent()
    assert sent == 1 and (spent.prompt > 1000) == bool(prompts) and (spent.usd > 0.001) == bool(prompts) and spent.completion == 0


def test_a_prompt_that_is_sent_again_is_counted_again(brain):
    with model_server([text("cut").but(cut_after=0), call("who_owns", target="event-bus"), text(OWNED)]) as server:
        asked = brain(llm_url=server.url)
        asked.settings = replace(asked.settings, llm_retries=1)
        ask(asked, fall_back=False)
    (spent,) = Ledger(asked.store, "local").spent()
    assert spent.prompt > 1200 and spent.exchanges == 2


def test_a_server_that_is_not_there_costs_nothing(brain):
    asked = brain(llm_url="http://127.0.0.1:9/v1")
    assert ask(asked).engine == "builtin"
    assert [s.prompt for s in Ledger(asked.store, "local").spent()] == [0]


def test_a_purse_is_shared_by_the_questions_of_one_run(brain):
    purse = Purse()
    with model_server(owns) as server:
        asked = brain(llm_url=server.url)
        for _ in range(2):
            ask(asked, model=opening.open_model(asked.settings, asked.store, "local", asked.clock, [purse]))
    assert purse.spent == Cost(440, 0.0, 2)


def test_a_replay_gives_the_same_answers_in_any_order_without_server_key_or_budget(brain, recorded):
    path, answers = recorded
    asked = brain(llm_replay=str(path), llm_limits="day.runs=0", llm_seed=3, llm_steps=2, llm_url="")
    asked.settings = replace(asked.settings, llm_key="", llm_models="something-else")
    for (question, arm), before in reversed(answers.items()):
        assert bare(ask(asked, question, arm)) == bare(before)
    assert not Ledger(asked.store, "local").spent(everybody=True)


def test_the_key_is_in_no_recording_of_the_whole_way(brain, tmp_path):
    path = tmp_path / "kept.jsonl"
    with model_server([fails(401, f"no such key: {KEY}")]) as server:
        ask(brain(llm_url=server.url, llm_record=str(path)))
    lines = path.read_text()
    assert "no such key: [key]" in lines and KEY not in lines and "127.0.0.1" not in lines


def test_a_question_that_was_recorded_needs_no_model_and_others_are_told_what_to_set(brain, recorded):
    asked = brain(llm_record=str(recorded[0]))
    asked.settings = replace(asked.settings, llm_models="")
    assert set(opening.recorded_questions(asked.settings)) >= {QUESTION, OTHER} and not opening.available(asked.settings)
    assert bare(ask(asked)) == bare(recorded[1][QUESTION, "graph"])
    with pytest.raises(BadInput, match="BRAIN_LLM_MODELS"):
        ask(asked, "Who owns the moon?")


def test_at_the_cap_a_recording_of_this_question_answers_and_is_named(brain, recorded):
    asked = brain(llm_record=str(recorded[0]), llm_limits="day.runs=0", llm_seed=11)
    answer = ask(asked)
    assert answer.engine == "openai" and answer.items == ("team:platform",) and answer.usage.model == "small"
    assert "today's budget for models (day.runs=0)" in downs(answer)[0] and "recording" in downs(answer)[0]
    assert ask(asked, "Who owns tidewire?").engine == "builtin"


def test_nobody_but_an_administrator_learns_that_somebody_here_asked_a_model_the_same(brain, recorded):
    """Neither behind a spent budget nor without a model: a question that was recorded here is to them like one that was not."""
    spent = brain(llm_record=str(recorded[0]), llm_limits="day.runs=0", llm_seed=11)
    unset = brain(llm_record=str(recorded[0]))
    unset.settings = replace(unset.settings, llm_models="")
    for viewer in (permissions.guest(), permissions.member("pnolan", frozenset())):
        answer = spent.ask(QUESTION, viewer=viewer, engine="openai", as_of=NOW, save=False)
        assert answer.engine == "builtin" and not any("recording" in why for why in downs(answer))
        told = []
        for question in (QUESTION, "Who owns the moon?"):
            with pytest.raises(BadInput) as err:
                unset.ask(question, viewer=viewer, engine="openai", as_of=NOW, save=False)
            told.append(str(err.value))
        assert told == [opening.HOW] * 2


def test_what_a_recording_does_not_hold_is_said_with_what_differs(brain, recorded):
    asked = brain(llm_replay=str(recorded[0]))
    with pytest.raises(ModelDown, match=r"both\.jsonl does not hold this request; the nearest one differs in message 2"):
        ask(asked, "Who owns tidewire?", fall_back=False)
    assert ask(asked, "Who owns tidewire?").engine == "builtin"


def test_a_recording_of_a_picky_and_busy_server_replays_question_by_question(brain, tmp_path):
    """The first question teaches what is refused and which model is busy; the second is asked accordingly, and alone in the replay."""
    path = tmp_path / "picky.jsonl"

    def picky(body):
        if body["model"] == "busy":
            return fails(429, "too many requests", headers={"retry-after": "100"})
        return fails(400, "seed is not supported", param="seed") if "seed" in body else owns(body)

    with model_server(picky) as server:
        made = brain(llm_url=server.url, llm_record=str(path))
        made.settings = replace(made.settings, llm_models="busy, small")
        first, second = ask(made), ask(made, OTHER)
        sent = [(r["model"], "seed" in r) for r in server.requests]
    assert sent == [("busy", True), ("small", True), ("small", False), ("small", False), ("small", False), ("small", False)]
    for question, before in ((OTHER, second), (QUESTION, first)):
        again = ask(brain(llm_replay=str(path)), question)
        assert (again.items, again.text, again.engine) == (before.items, before.text, "openai")


def test_a_reply_that_says_it_is_busy_makes_a_replay_wait_no_longer_than_others(brain, tmp_path):
    path = tmp_path / "busy.jsonl"
    script = [fails(503, "overloaded", headers={"retry-after": "1"}), call("who_owns", target="event-bus"), text(OWNED)]
    with model_server(script) as server:
        made = brain(llm_url=server.url, llm_record=str(path))
        made.settings = replace(made.settings, llm_retries=1)
        slow = ask(made)
    quick = ask(brain(llm_replay=str(path)), fall_back=False)
    assert [e.status for e in recording.read(path)] == [503, 200, 200] and quick.items == slow.items == ("team:platform",)
    assert quick.usage.model_ms < slow.usage.model_ms / 2


def test_a_budget_of_money_says_beforehand_which_models_it_cannot_hold(company):
    settings = replace(company, llm_models="small, dear", llm_prices="dear=1/2", llm_limits="day.usd=1")
    (note,) = opening.notes(settings)
    assert "no price is known for small:" in note and "BRAIN_LLM_PRICES" in note
    assert not opening.notes(replace(settings, llm_limits="day.tokens=1"))
    assert not opening.notes(replace(settings, llm_models="dear"))
    request = Request((Message("user", "x" * 3000),), max_tokens=500)
    assert opening.guess(settings, request).usd == pytest.approx((1000 + 2 * 500) / 1e6, rel=0.01), "the dearest that is known"
    assert opening.guess(settings, request).tokens.prompt >= 1000
