"""The tool loop with a real model, on questions of every kind and in both arms: what is asked of it is to keep the contract (calls that
fit, turns that end, citations that hold, usage that is counted), never to be clever.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import llama
import pytest

from brain import permissions
from brain.agents.model_calls import calls
from brain.agents.model_tools import Toolset
from brain.brain import Brain
from brain.errors import ToolError
from brain.llm.chain import open_chain
from brain.llm.talk import Call, Model, Reply, Request
from brain.settings import load
from brain.statements import keys
from brain.types import Answer
from eval import questions

pytestmark = pytest.mark.local_model

ARMS = ("graph", "vector")
ASKED = questions.load(questions.SETS / "demo.showcase.jsonl")
STEPS = 4


@dataclass
class Overheard:
    """A model, what was asked of it, and what it said to what."""

    model: Model
    requests: list[Request] = field(default_factory=list)
    said: list[tuple[Request, Reply]] = field(default_factory=list)

    def ask(self, request, on_text=None, cancelled=lambda: False):
        """What the model says."""
        self.requests.append(request)
        reply = self.model.ask(request, on_text, cancelled)
        self.said.append((request, reply))
        return reply

    @property
    def replies(self):
        """What it said."""
        return [reply for _, reply in self.said]


@dataclass(frozen=True)
class Asked:
    """A question with its answer in an arm, and everything that was said for it."""

    answer: Answer
    said: Overheard


def small(demo: Brain, url: str, mode: str) -> Brain:
    """The demo, asked with what a small model on a processor can read in a few seconds; one turn more, to step down in."""
    few = load({**llama.SMALL, "BRAIN_HOME": str(demo.settings.home), "BRAIN_LLM_STEPS": str(STEPS), "BRAIN_LLM_MAX_TOKENS": "64"})
    return replace(demo, settings=replace(few, llm_url=url, llm_models="local", llm_mode=mode))


def answers(demo: Brain, url: str, mode: str = "auto") -> dict[tuple[str, str], Asked]:
    """Every question in both arms."""
    brain, found = small(demo, url, mode), {}
    for question in ASKED:
        for arm in ARMS:
            said = Overheard(open_chain(brain.settings))
            answer = brain.ask(
                question.question, viewer=permissions.guest(), arm=arm, engine="openai", as_of=question.as_of, model=said, save=False
            )  # fmt: skip
            found[question.id, arm] = Asked(answer, said)
    return found


@pytest.fixture(scope="module", params=["shipped", "shipped-json", "brought", "brought-calls"])
def runs(request, demo) -> Iterator[dict[tuple[str, str], Asked]]:
    """The questions asked of the model that a package ships (its template knows no tools), of it with JSON from the start, and of the
    model that somebody brings, with its own template and with the one that shows calls.
    """
    who, _, how = request.param.partition("-")
    model = llama.shipped() if who == "shipped" else llama.brought()
    with llama.running(model, llama.TEMPLATE if how == "calls" else None) as url:
        yield answers(demo, url, "json" if how == "json" else "auto")


def test_every_question_has_an_answer_in_both_arms(runs):
    assert len(runs) == len(ASKED) * len(ARMS) >= 20
    for asked in runs.values():
        assert asked.answer.engine in ("openai", "builtin") and asked.answer.text


def test_its_turns_are_bounded(runs):
    for asked in runs.values():
        assert 1 <= len(asked.said.requests) <= 2 * STEPS + 2
        turns = [s for s in asked.answer.steps if s.tool == "model"]
        assert 1 <= len(turns) <= len(asked.said.requests)


def test_each_call_fits_its_tool_or_is_a_step_with_its_fault(runs, demo):
    few, made = tuple(llama.SMALL["BRAIN_LLM_TOOLS"].split(",")), 0
    for (_, arm), asked in runs.items():
        offered = Toolset(demo.tools, arm, permissions.guest(), few)
        faults = {step.tool for step in asked.answer.steps if step.error}
        choosing = [reply for request, reply in asked.said.said if request.functions or "call" in (request.schema or {}).get("properties", ())]
        for call in (call for turn, reply in enumerate(choosing, 1) for call in calls(reply, offered.names, turn)):
            made += 1
            assert fits(offered, call) or call.name[:80] in faults, call
    assert made


def fits(offered: Toolset, call: Call) -> bool:
    try:
        offered.arguments(call)
    except ToolError:
        return False
    return True


def test_every_citation_that_is_shown_was_found_in_the_run_and_stands(runs):
    """The built-in planner, where it stands in, may say without a citation that nothing is called so."""
    for asked in runs.values():
        steps = asked.answer.steps
        found = {n.key for s in steps for n in s.nodes} | {key for s in steps for key in keys(s.rows)}
        for claim in (c for c in asked.answer.claims if c.verdict == "supported"):
            assert claim.cites or asked.answer.engine == "builtin", claim
            assert set(claim.cites) <= found, claim


def test_what_the_arms_are_asked_differs_in_the_tools_alone(runs):
    for question in ASKED:
        graph, vector = (runs[question.id, arm].said.requests[0] for arm in ARMS)
        assert graph.functions != vector.functions or graph.schema != vector.schema
        if graph.functions:
            assert replace(graph, functions=()) == replace(vector, functions=())
        else:
            assert (graph.messages[1:], graph.max_tokens, graph.seed) == (vector.messages[1:], vector.max_tokens, vector.seed)
            assert graph.messages[0].text.partition(" The tools:")[0] == vector.messages[0].text.partition(" The tools:")[0]


def test_what_it_cost_is_counted_by_the_server(runs):
    for asked in runs.values():
        usage, heard = asked.answer.usage, asked.said.replies
        assert usage.prompt_tokens >= sum(r.tokens.prompt for r in heard) > 0
        assert usage.completion_tokens >= sum(r.tokens.completion for r in heard) > 0
        assert not usage.estimated and usage.usd is None


def test_no_prompt_is_longer_than_it_may_be(runs):
    longest = max(r.tokens.prompt for asked in runs.values() for r in asked.said.replies)
    assert longest < llama.CONTEXT


def test_a_step_down_is_said(runs):
    for asked in runs.values():
        ways = {s.args["mode"] for s in asked.answer.steps if s.tool == "model"}
        if asked.answer.engine == "builtin" or {"tools", "json"} <= ways:
            assert any(s.tool == "stepped_down" and s.why for s in asked.answer.steps)
