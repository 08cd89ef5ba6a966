"""One run on its way: tool calls become steps, findings become claims to be checked.

A tool that fails is a step with an error, never an exception through the page.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from brain.errors import Cancelled, StoreDown
from brain.tools import Tool
from brain.tools.asking import Asking
from brain.types import Claim, Quote, Result, State, Step

EMPTY = Result(())


@dataclass(frozen=True)
class Fact:
    """One sentence an engine proposes, with the keys and quotes it rests on. `step` is the number of
    the step whose rows it states; `aggregate` says that the step's own query is its anchor.
    """

    text: str
    cites: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    step: int = 0
    aggregate: bool = False


@dataclass
class Draft:
    """What an engine has to say before it is checked. `judged` are the claims that stand and those that do not, where the engine has had
    them checked already; `engine` is who made it.
    """

    items: list[str] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    state: State = "answered"
    lead: str = ""
    entries: list[str] = field(default_factory=list)
    judged: tuple[Sequence[Claim], Sequence[Claim]] | None = None
    engine: str = "builtin"


class Run:
    """The steps of one run and the means to add to them."""

    def __init__(
        self, ctx: Asking, tools: Mapping[str, Tool], on_step: Callable[[Step], None] | None = None, steps: Sequence[Step] = ()
    ) -> None:
        self.ctx, self.tools, self._on_step = ctx, tools, on_step
        self.steps: list[Step] = [*steps]
        self._asked: dict[int, Asking] = {step.n: ctx for step in steps}

    def call(self, tool: str, why: str, /, **args: Any) -> Result:
        """Calls a tool and notes the step; what went wrong is in the step and the result is empty."""
        return self._noted(tool, why, args, lambda: self.tools[tool].run(self.ctx, **args))

    def look(self, query: str, why: str, /, **args: Any) -> Result:
        """Runs an internal query of the catalogue and notes the step, as `call` does for a tool."""
        return self._noted(query, why, args, lambda: self.ctx.run(query, **args))

    def _noted(self, tool: str, why: str, args: Mapping[str, Any], made: Callable[[], Result]) -> Result:
        began = time.perf_counter()
        error = None
        result = EMPTY
        try:
            result = made()
        except (StoreDown, Cancelled):
            raise
        except Exception as err:  # the one place where a tool's failure becomes a step
            error = str(err).splitlines()[0] if str(err) else type(err).__name__
        self.add(tool, why, args, result, error, (time.perf_counter() - began) * 1000)
        return result

    def add(self, tool: str, why: str, args: Mapping[str, Any], result: Result, error: str | None = None, ms: float | None = None) -> None:
        """Notes a step that was made outside `call`."""
        step = Step(
            len(self.steps) + 1, tool, why, dict(args), result.query, result.params, result.rows, result.nodes, result.edges,
            result.ms if ms is None else ms, result.server_ms, error,
        )  # fmt: skip
        self.steps.append(step)
        self._asked[step.n] = self.ctx
        if self._on_step:
            self._on_step(step)

    def repeat(self, step: Step) -> Sequence[Mapping[str, Any]] | None:
        """The rows that the tool of a step gives when it is called again for the same viewer and instant; None when it is no tool."""
        if step.tool not in self.tools or step.error:
            return None
        return self.tools[step.tool].run(self._asked[step.n], **step.args).rows

    def lookup(self, query: str, **params: Any) -> Sequence[Mapping[str, Any]]:
        """Rows of an internal query, for linking; not a step of its own."""
        return self.ctx.run(query, **params).rows

    @property
    def last(self) -> int:
        """The number of the step made last."""
        return len(self.steps)

    def names(self) -> dict[str, str]:
        """Key -> name of everything the run has met."""
        return {n.key: n.name for s in self.steps for n in s.nodes}
