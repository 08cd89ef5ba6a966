"""A set asked over a model: what it may cost is said first, a cap ends it, a failure is a miss, and a recording gives the same everywhere."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
import small_company
from model_server import call, fails, model_server, text
from small_graph import NOW
from typer.testing import CliRunner

from brain import embedded
from brain.agents.model_tools import PASSAGES
from brain.brain import Brain
from brain.cli.app import app
from brain.errors import BadInput, Cancelled
from brain.graphs import LEDGER
from brain.llm import opening
from brain.llm.budget import Purse
from brain.llm.ledger import Ledger
from brain.llm.limits import parse
from brain.settings import Settings
from brain.store import Store
from eval import arms, records, report
from eval.estimate import estimate
from eval.questions import Question
from eval.run import remaining, run

SERVICES = ("event-bus", "gauge-store", "site-gateway", "metrics-store")
SET = [Question(f"q{n}", "own", f"Who owns {name}?", ("team:platform",), "set", (f"service:{name}",), "guest", NOW, name)
       for n, name in enumerate(SERVICES)]  # fmt: skip
TIMED = re.compile(r'"(ms|model_ms|server_ms|run)": ("\w+"|[\d.e-]+)')


def owns(body):
    """A model that looks up who owns what is asked about, and answers with what it was told."""
    asked = re.findall(r"Question: Who owns (\S+)\?", body["messages"][1]["content"])[0]
    given = [m["content"] for m in body["messages"] if m["role"] == "tool"]
    if not given:
        name = next(t["function"]["name"] for t in body["tools"] if t["function"]["name"] in ("who_owns", PASSAGES))
        return call(name, **({"target": asked} if name == "who_owns" else {"text": asked}))
    return text(f"STATE: answered\n- Platform owns {asked}. [team:platform] [service:{asked}]\nANSWER: team:platform")


@pytest.fixture(scope="module")
def company(home, shared_store):
    small_company.build(shared_store, "evaluated")
    return home


@pytest.fixture
def brain(company, shared_store):
    """The small company with such settings; nothing was spent yet."""
    shared_store.drop(LEDGER)
    made = Brain.open(replace(company, llm_models="small", llm_retries=0, llm_prices="small=1/10"), "evaluated")
    yield lambda **settings: setattr(made, "settings", replace(made.settings, **settings)) or made
    made.close()


def asked(brain, folder, set_=SET, over=("graph", "vector"), purse=None, **how):
    return run(set_, over, arms.asker(brain, brain.viewer, "openai", purse), folder, name_of_set="own", engine="openai", **how)


def bare(done):
    """The records of a run without times and the names of answers."""
    return [TIMED.sub(r'"\1": 0', json.dumps(r, sort_keys=True)) for r in done.records]


def test_a_run_keeps_and_shows_what_the_model_of_each_arm_cost(brain, tmp_path):
    with model_server(owns) as server:
        done = asked(brain(llm_url=server.url), tmp_path / "r")
    assert done.summary["overall"]["graph"]["value"] == 1 and done.summary["overall"]["vector"]["value"] < 1
    used = done.summary["models"]["graph"]
    assert (used["models"], used["n"], used["turns"], used["prompt_tokens"], used["unpriced"]) == (["small"], 4, 8, 800, 0)
    assert used["usd"] == pytest.approx(4 * (200 + 20 * 10) / 1e6)
    assert {r["engine"] for r in done.records} == {"openai"} and all(r["model"]["name"] == "small" for r in done.records)
    shown = report.markdown(done)
    assert "## Model" in shown and "| graph | small | 8 | 800 | 0 | 80 | $0.0016 | 0 |" in shown and "<h2>Model</h2>" in report.web_page(done)
    assert sum(s.exchanges for s in Ledger(brain().store, "local").spent()) == len(server.requests), "whoever runs it pays, not the guest"


def test_a_model_that_fails_is_a_miss_that_is_counted_and_nothing_stands_in(brain, tmp_path):
    def sometimes(body):
        return fails(500, "out of order") if "gauge-store" in body["messages"][1]["content"] and len(body["messages"]) > 2 else owns(body)

    with model_server(sometimes) as server:
        done = asked(brain(llm_url=server.url), tmp_path / "r", over=["graph"])
    missed = done.by_question()["q1"]["graph"]
    assert missed["error"].startswith("ModelDown: no model answered") and missed["score"]["value"] == 0 and missed["answer"] is None
    assert missed["model"]["prompt_tokens"] == 110, "the first of its exchanges was paid for"
    assert done.summary["overall"]["graph"]["failures"] == 1 and done.summary["overall"]["graph"]["value"] == 0.75


def test_a_question_beyond_its_own_budget_is_a_miss_and_the_run_goes_on(brain, tmp_path):
    def model(body):
        return owns(body).but(usage=(60_000, 10, 0)) if "event-bus" in body["messages"][1]["content"] else owns(body)

    with model_server(model) as server:
        done = asked(brain(llm_url=server.url, llm_limits="question.tokens=61000"), tmp_path / "r", over=["graph"])
    by = done.by_question()
    assert "this question's budget" in by["q0"]["graph"]["error"] and [by[f"q{n}"]["graph"]["error"] for n in (1, 2, 3)] == [None] * 3


@pytest.mark.parametrize(("limit", "kept"), [("run.tokens=140000", 2), ("day.runs=3", 3)])
def test_a_cap_ends_a_run_with_what_was_kept_and_the_same_command_goes_on(brain, tmp_path, limit, kept):
    over, own = ["graph", "vector", "hybrid"], limit.startswith("run")
    with model_server(lambda body: owns(body).but(usage=(30_000, 10, 0))) as server:
        made = brain(llm_url=server.url, llm_limits="none" if own else limit)
        with pytest.raises(Cancelled, match=rf"^stopped: .*\({limit}\).* the same command goes on from there"):
            asked(made, tmp_path / "r", over=over, purse=Purse(parse(limit, ("run",)) if own else ()))
        before = records.load(tmp_path / "r")
        assert len(before.records) == kept and not before.summary and len(remaining(SET, over, tmp_path / "r")) == 12 - kept
        done = asked(brain(llm_limits="none"), tmp_path / "r", over=over)
    assert len(done.records) == 12 and done.records[:kept] == before.records and not any(r["error"] for r in done.records)


def test_a_folder_with_a_run_of_another_engine_is_not_gone_on_with(brain, tmp_path):
    run(SET[:1], ["graph"], arms.asker(brain(), brain().viewer), tmp_path / "r")
    with pytest.raises(BadInput, match="a run of the engine builtin"):
        asked(brain(), tmp_path / "r")


def test_the_estimate_asks_nobody_and_what_is_spent_lies_within_it(brain, tmp_path):
    left = remaining(SET, ["graph", "vector"], tmp_path / "r")
    with model_server([]) as server:
        made = brain(llm_url=server.url)
        first = estimate(made, left, made.viewer)
    assert first.answers == 8 and first.calls == (16, 48) and first.likely is None and "8 answers" in first.said()
    with model_server(lambda body: owns(body).but(usage=None)) as server:  # tokens are counted here, as the estimate counts them
        done = asked(brain(llm_url=server.url), tmp_path / "r")
    spent = sum(u["prompt_tokens"] + u["completion_tokens"] for u in done.summary["models"].values())
    assert first.tokens[0] < spent < first.tokens[1]
    assert first.usd[0] < sum(u["usd"] for u in done.summary["models"].values()) < first.usd[1]
    again = estimate(made, left, made.viewer)
    assert again.likely == pytest.approx(spent, rel=0.01) and "by 8 earlier questions" in again.said()
    assert "money not known" in estimate(brain(llm_prices=""), left, made.viewer).said()
    assert estimate(brain(llm_prices="small=0/0"), left, made.viewer).free
    assert estimate(made, [], made.viewer).said() == "Nothing is left to ask."


def test_a_recording_gives_the_same_records_from_every_home(brain, tmp_path):
    path = tmp_path / "own.jsonl"
    with model_server(owns) as server:
        made = asked(brain(llm_url=server.url, llm_record=str(path)), tmp_path / "made")
    elsewhere = Settings(home=tmp_path / "elsewhere", llm_replay=str(path), llm_seed=99, llm_models="not-this")
    store = Store.open(elsewhere)
    try:
        small_company.build(store, "evaluated")
        other = Brain.open(elsewhere, "evaluated")
        other.settings = opening.as_recorded(other.settings)
        there = asked(other, tmp_path / "there")
        other.close()
    finally:
        store.close()
        embedded.stop(elsewhere)
    same = brain(llm_replay=str(path), llm_url="")
    same.settings = opening.as_recorded(same.settings)
    here = asked(same, tmp_path / "here")
    assert bare(here) == bare(there) == bare(made)
    assert all(here.summary[part] == made.summary[part] for part in ("pairs", "verdict", "models"))


@pytest.fixture
def command(company, monkeypatch):
    """Runs `brain eval run` on the small company, in this process; nobody sits at a terminal."""
    monkeypatch.setenv("BRAIN_HOME", str(company.home))
    monkeypatch.setenv("BRAIN_LLM_MODELS", "small")

    def call_(*args, **env):
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        return CliRunner().invoke(app, ["eval", "run", "-w", "evaluated", "--arms", "graph", *args])

    return call_


def test_the_command_says_what_it_may_cost_and_starts_only_when_told_to(command, tmp_path):
    path, out = tmp_path / "own.jsonl", tmp_path / "kept"
    path.write_text("".join(json.dumps({"id": q.id, "category": q.category, "question": q.question, "gold": list(q.gold), "match": q.match,
                                        "sources": list(q.sources), "viewer": q.viewer, "as_of": q.as_of, "cluster": q.cluster}) + "\n"
                            for q in SET))  # fmt: skip
    with model_server(owns) as server:
        common = ["--set", str(path), "--out", str(out), "--json", "--engine", "openai"]
        env = {"OPENAI_BASE_URL": server.url, "BRAIN_LLM_PRICES": "small=1/10", "BRAIN_LLM_RECORD": str(tmp_path / "made.jsonl")}
        refused = command(*common, **env)
        assert isinstance(refused.exception, BadInput) and "add --yes" in str(refused.exception) and "4 answers: 8 to 24 calls" in refused.stderr
        assert not server.requests
        stopped = command(*common, "--yes", "--model-limit", "usd=0.0001")
        assert isinstance(stopped.exception, Cancelled) and "this evaluation's budget for models (run.usd=0.0001)" in str(stopped.exception)
        assert not server.requests
        done = command(*common, "--yes")
        assert done.exit_code == 0, done.exception
    found = json.loads(done.stdout)
    assert found["overall"]["graph"]["f1"] == 1 and found["models"]["graph"]["turns"] == 8
    again = command("--set", str(path), "--out", str(tmp_path / "again"), "--replay", str(tmp_path / "made.jsonl"), OPENAI_BASE_URL="", BRAIN_LLM_MODELS="", BRAIN_LLM_RECORD="")
    assert again.exit_code == 0 and "4 answers" not in again.stderr, again.exception
    assert "small" in again.stdout and "$0.0016" in again.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--engine", "gpt"], "legal: builtin, openai"),
        (["--engine", "openai", "--model-limit", "euros=3"], "--model-limit: 'run.euros=3' is no budget"),
        (["--engine", "openai", "--model-limit", "runs=3"], "usd=number"),
        (["--model-limit", "usd=3"], "--model-limit is for --engine openai"),
        (["--replay", "/nowhere/x.jsonl"], "cannot read the recording"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(command, args, said):
    done = command("--set", "demo", *args)
    assert isinstance(done.exception, BadInput) or "--model-limit" in str(done.exception)
    assert said in str(done.exception) and "\n" not in str(done.exception)
