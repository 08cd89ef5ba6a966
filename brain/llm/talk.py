"""What is said to a model and what comes back; plain nouns that know no SDK, no server and no price."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant", "tool"]
Choice = Literal["auto", "required", "none"]
OnText = Callable[[str], None]
Cancelled = Callable[[], bool]


@dataclass(frozen=True)
class Function:
    """A tool as a model is offered it: `schema` is the JSON schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class Call:
    """A tool that the model wants called; `arguments` as it wrote them, which need not be JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Message:
    """One turn of a conversation. `calls` are those an assistant's turn asks for; `answers` is the id of the call that a tool's turn
    answers.
    """

    role: Role
    text: str
    calls: tuple[Call, ...] = ()
    answers: str = ""


@dataclass(frozen=True)
class Request:
    """One exchange to be had, at temperature 0. With a `schema` the reply is to be JSON that fits it, and no function is offered."""

    messages: tuple[Message, ...]
    functions: tuple[Function, ...] = ()
    choice: Choice = "auto"
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 1024
    seed: int = 0


@dataclass(frozen=True)
class Tokens:
    """Tokens of one or more exchanges; `cached` are those of the prompt that the server had already read. `estimated` where a server
    did not count, and they were counted here by the length of the texts.
    """

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    estimated: bool = False

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            self.prompt + other.prompt, self.completion + other.completion, self.cached + other.cached, self.estimated or other.estimated
        )


@dataclass(frozen=True)
class Trial:
    """A model of the list that was asked and did not answer, and the one line that says why."""

    model: str
    why: str


@dataclass(frozen=True)
class Reply:
    """What a model said: `text`, the `calls` it asks for, why it ended (`stop`, `tool_calls`, `length`, `content_filter`, `cut`: the
    stream ended too early, `too_long`: the reply was larger than is read), what it cost, and which models were tried before it.
    `usd` is None where no price is known. `ms` is the time spent waiting for the server, tries and pauses included.
    """

    text: str
    calls: tuple[Call, ...] = ()
    finish: str = "stop"
    model: str = ""
    tokens: Tokens = Tokens()
    usd: float | None = None
    ms: float = 0.0
    tried: tuple[Trial, ...] = field(default=())


class Model(Protocol):
    """Anything that answers a request: a server, several in a row, a recording, one with a budget in front."""

    def ask(self, request: Request, on_text: OnText | None = None, cancelled: Cancelled = lambda: False) -> Reply:
        """The reply. `on_text` is given the text as it comes, `cancelled` is asked often and ends the exchange with `Cancelled`.

        Raises ModelRefused when the server cannot do what was asked for (no tools, no schema), ModelDown when nothing answered,
        BudgetSpent when the budget does not allow it. Never anything else.
        """
        ...
