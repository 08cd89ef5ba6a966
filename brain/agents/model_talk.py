"""One conversation with a model about one question: what was said, what it cost, and a step for every turn and every step down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from brain.agents.model_calls import repeatable
from brain.agents.run import EMPTY, Run
from brain.errors import BadInput, Cancelled
from brain.llm.talk import Call, Function, Message, Model, OnText, Reply, Request, Tokens
from brain.settings import Settings
from brain.types import Usage

MOST_STEPS, LEAST_STEPS = 6, 2
MODES = ("auto", "tools", "json")
LETTERS_A_TOKEN = 4
SHOWN = 20
LONGEST_SAID = 8_000
_FAULTS = {
    "cut": "the reply was cut off",
    "too_long": "the reply was longer than is read, and was ended",
    "length": "the reply reached the limit of tokens",
    "content_filter": "the server's filter ended the reply",
}
_GONE = "(left out to make room)"


@dataclass
class Limits:
    """What a model may use in one question, and how it chooses its tools."""

    steps: int = 6
    max_tokens: int = 1024
    prompt_tokens: int = 24_000
    seed: int = 7
    mode: str = "auto"
    tools: tuple[str, ...] = ()

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """The limits of the settings. BadInput for a mode that is none, or a number of turns outside 2 to 6."""
        if settings.llm_mode not in MODES:
            raise BadInput(f"BRAIN_LLM_MODE is {settings.llm_mode!r}; legal: {', '.join(MODES)}")
        if not LEAST_STEPS <= settings.llm_steps <= MOST_STEPS:
            raise BadInput(f"BRAIN_LLM_STEPS is {settings.llm_steps}; legal: {LEAST_STEPS} to {MOST_STEPS}")
        named = tuple(name.strip() for name in settings.llm_tools.split(",") if name.strip())
        return cls(settings.llm_steps, settings.llm_max_tokens, settings.llm_prompt_tokens, settings.llm_seed, settings.llm_mode, named)


@dataclass
class Engine:
    """A model with its limits, and what listens to it. `fall_back` says whether the built-in engine answers where the model cannot;
    `spare` is asked instead where a budget is spent.
    """

    model: Model
    limits: Limits = field(default_factory=Limits)
    on_text: OnText | None = None
    cancelled: Callable[[], bool] = lambda: False
    fall_back: bool = True
    spare: Callable[[str], tuple[Model, Limits] | None] = lambda question: None
    spent: Usage = field(default_factory=Usage)

    def stop(self) -> None:
        """Raises Cancelled when a person asked to stop."""
        if self.cancelled():
            raise Cancelled("stopped; nothing more was asked of the model")

    def add(self, reply: Reply) -> None:
        """Counts what an exchange cost."""
        was, tokens = self.spent, reply.tokens
        usd = None if reply.usd is None or was.usd is None else was.usd + reply.usd
        self.spent = replace(
            was, model=reply.model or was.model, prompt_tokens=was.prompt_tokens + tokens.prompt, usd=usd, turns=was.turns + 1,
            completion_tokens=was.completion_tokens + tokens.completion, cached_tokens=was.cached_tokens + tokens.cached,
            model_ms=was.model_ms + reply.ms, estimated=was.estimated or tokens.estimated,
        )  # fmt: skip


class Talk:
    """The turns of one question. `turns` counts those the model took."""

    def __init__(self, engine: Engine, run: Run, messages: Sequence[Message]) -> None:
        self.engine, self.run = engine, run
        self.messages = [*messages]
        self.turns = 0

    @property
    def left(self) -> int:
        """How many turns the model may still take."""
        return self.engine.limits.steps - self.turns

    def say(self, text: str) -> None:
        """Adds a turn of the user's; two in a row are one, since some servers refuse them."""
        if self.messages[-1].role == "user":
            self.messages[-1] = replace(self.messages[-1], text=f"{self.messages[-1].text}\n\n{text}")
        else:
            self.messages.append(Message("user", text))

    def tell(self, text: str) -> None:
        """Adds to what the model is told first, which servers keep between questions."""
        self.messages[0] = replace(self.messages[0], text=f"{self.messages[0].text}\n\n{text}")

    def ask(self, why: str, mode: str, functions: tuple[Function, ...] = (), about: Mapping[str, Any] | None = None, **how: Any) -> Reply:
        """The model's next turn, as a step that holds what it is `about` too; every model that was tried before it is a step down."""
        self.engine.stop()
        limits = self.engine.limits
        sent = self._fitted(limits.prompt_tokens, functions)
        request = Request(sent, functions, max_tokens=limits.max_tokens, seed=limits.seed, **how)
        self.turns += 1
        reply = self.engine.model.ask(request, self.engine.on_text, self.engine.cancelled)
        self.engine.add(reply)
        for trial in reply.tried:
            down(self.run, f"{trial.model}: {trial.why}", model=trial.model)
        error = _FAULTS.get(reply.finish)
        if not error and not reply.calls and not reply.text.strip():
            error = "the reply was empty"
        calls = [c.name[:80] for c in reply.calls[:SHOWN]]
        offered = [f.name for f in functions]
        said = {"model": reply.model, "turn": self.turns, "mode": mode, "tools": offered, "calls": calls, "finish": reply.finish}
        self.run.add("model", why, {**said, **_counted(reply.tokens), **(about or {})}, EMPTY, error, reply.ms)
        return reply

    def replied(self, reply: Reply) -> None:
        """Notes what the model said, as far as it is worth saying back to it."""
        self.messages.append(Message("assistant", reply.text[:LONGEST_SAID] or "(nothing)"))

    def called(self, text: str, calls: Sequence[Call], results: Sequence[str]) -> None:
        """Notes a turn with calls and what each of them gave."""
        self.messages.append(Message("assistant", text[:LONGEST_SAID], tuple(repeatable(call) for call in calls)))
        self.messages += [Message("tool", result, answers=call.id) for call, result in zip(calls, results, strict=True)]

    def in_plain_turns(self) -> None:
        """Makes calls and their results ordinary turns, for a model that has no calls."""
        plain: list[Message] = []
        for message in self.messages:
            role = "user" if message.role == "tool" else message.role
            text = message.text or "\n".join(f'{{"tool": "{c.name}", "arguments": {c.arguments or "{}"}}}' for c in message.calls)
            if plain and plain[-1].role == role == "user":
                plain[-1] = replace(plain[-1], text=f"{plain[-1].text}\n\n{text}")
            else:
                plain.append(Message(role, text))
        self.messages = plain

    def _fitted(self, most: int, functions: Sequence[Function]) -> tuple[Message, ...]:
        """The turns, what tools returned first taken out of the oldest where they are too long together."""
        room = most * LETTERS_A_TOKEN - sum(len(f.description) + len(str(f.schema)) for f in functions)
        sent = [*self.messages]
        for i, message in enumerate(sent[:-1]):
            if sum(len(m.text) + sum(len(c.arguments) for c in m.calls) for m in sent) <= room:
                break
            if message.role == "tool":
                sent[i] = replace(message, text=_GONE)
        return tuple(sent)


def down(run: Run, why: str, **args: Any) -> None:
    """Notes a step down, in words for whoever asked."""
    run.add("stepped_down", why, args, EMPTY)


def _counted(tokens: Tokens) -> dict[str, Any]:
    counted = {"prompt_tokens": tokens.prompt, "completion_tokens": tokens.completion, "cached_tokens": tokens.cached}
    return {**counted, "estimated": True} if tokens.estimated else counted
