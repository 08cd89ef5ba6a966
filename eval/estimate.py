"""What a run with a model will take, told before it starts: a range, since nobody knows how many turns a model takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import cast

from brain.brain import Brain
from brain.engines import OPENAI
from brain.errors import ModelDown
from brain.llm import chain, limits, prices, talk
from brain.llm.counting import prompt_tokens
from brain.llm.ledger import Ledger
from brain.llm.limits import QUESTION
from brain.llm.talk import OnText, Reply, Request, Tokens
from brain.permissions import local_admin
from brain.types import Arm, Viewer
from eval.questions import Question

MEASURED = 3
LEAST_TURNS = 2
A_REPLY = 60
FEWER, MORE = 0.8, 1.25
"""Models read a text as fewer or more tokens than its length, by which they are counted here, says."""
ENOUGH_RUNS = 5


@dataclass(frozen=True)
class Estimate:
    """Answers still to be had, and for all of them the least and the most calls, tokens and US dollars (None where no price is known);
    `likely` tokens by what earlier questions took, None where there were too few; `basis` says what it rests on.
    """

    answers: int
    calls: tuple[int, int]
    tokens: tuple[int, int]
    usd: tuple[float, float] | None
    likely: int | None
    basis: str

    @property
    def free(self) -> bool:
        """Is it known to cost nothing?"""
        return self.usd is not None and self.usd[1] == 0

    def said(self) -> str:
        """The estimate in a few sentences."""
        if not self.answers:
            return "Nothing is left to ask."
        money = f"${self.usd[0]:,.2f} to ${self.usd[1]:,.2f}" if self.usd else "money not known, for no price is (BRAIN_LLM_PRICES)"
        likely = f", probably about {self.likely:,}" if self.likely is not None else ""
        return (
            f"{self.answers} answers: {self.calls[0]:,} to {self.calls[1]:,} calls of the model, {self.tokens[0]:,} to {self.tokens[1]:,} "
            f"tokens{likely}; {money}. {self.basis}"
        )


class _Silent:
    """A model that hears what it would be asked, and says nothing."""

    def __init__(self) -> None:
        self.heard: list[Request] = []

    def ask(self, request: Request, on_text: OnText | None = None, cancelled: talk.Cancelled = lambda: False) -> Reply:
        self.heard.append(request)
        raise ModelDown("only measured")


def estimate(brain: Brain, left: Sequence[tuple[Question, str]], viewer: Callable[[str | None], Viewer]) -> Estimate:
    """What asking these questions in these arms will take; no model is asked for it."""
    settings = brain.settings
    first = {arm: _first(brain, [q for q, a in left if a == arm][:MEASURED], arm, viewer) for arm in dict.fromkeys(a for _, a in left)}
    low = [Tokens(int(FEWER * sum(first[arm])), LEAST_TURNS * A_REPLY) for _, arm in left]
    steps = settings.llm_steps
    longest = max(settings.llm_prompt_tokens, *(tools for tools, _ in first.values()), 0) if first else 0
    most = Tokens(int(MORE * steps * longest), steps * settings.llm_max_tokens)
    high = [_capped(most, settings.llm_limits)] * len(left)
    names, priced = chain.names(settings), prices.parse(settings.llm_prices)
    price = priced.get(names[0]) if names else None
    usd = (sum(map(price.of, low)), sum(map(price.of, high))) if price else None
    likely, earlier = _likely(brain, names[:1], len(left))
    measured = ", ".join(f"{n:,} tokens in {arm}" for arm, (n, _) in first.items())
    basis = f"The least is a call and an answer, by the first prompts ({measured}), the most {steps} turns as long as settings allow"
    told = f"; what is likely is by {earlier} earlier questions." if earlier else "."
    return Estimate(len(left), (LEAST_TURNS * len(left), steps * len(left)), (_sum(low), _sum(high)), usd, likely, basis + told)


def _first(brain: Brain, asked: Sequence[Question], arm: str, viewer: Callable[[str | None], Viewer]) -> tuple[int, int]:
    """How many tokens the first prompt of a question has, on average of those measured: with the tools, and without them, as for an
    answer.
    """
    found: list[tuple[int, int]] = []
    for question in asked:
        silent = _Silent()
        with suppress(ModelDown):
            brain.ask(
                question.question, viewer=viewer(question.viewer), arm=cast(Arm, arm), engine=OPENAI, as_of=question.as_of, save=False,
                model=silent, fall_back=False,
            )  # fmt: skip
        found += [(prompt_tokens(request), prompt_tokens(replace(request, functions=()))) for request in silent.heard[:1]]
    return (sum(a for a, _ in found) // len(found), sum(b for _, b in found) // len(found)) if found else (0, 0)


def _capped(tokens: Tokens, bounds: str) -> Tokens:
    """No more than one question may take."""
    most = next((b.amount for b in limits.parse(bounds) if b.scope == QUESTION and b.what == "tokens"), None)
    total = tokens.prompt + tokens.completion
    if most is None or total <= most:
        return tokens
    return Tokens(int(tokens.prompt * most / total), int(tokens.completion * most / total))


def _likely(brain: Brain, models: Sequence[str], n: int) -> tuple[int | None, int]:
    """Tokens by what a run of the first model took on average, and of how many runs that is."""
    spent = [s for s in Ledger(brain.store, local_admin().id).spent(everybody=True) if s.model in models]
    runs = sum(s.runs for s in spent)
    if runs < ENOUGH_RUNS:
        return None, 0
    return round(n * sum(s.prompt + s.completion for s in spent) / runs), runs


def _sum(tokens: Sequence[Tokens]) -> int:
    return sum(t.prompt + t.completion for t in tokens)
