"""How `brain eval run` goes with a model: from a recording or a server, after saying what it may cost, and not beyond a cap."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brain.brain import Brain
from brain.cli.output import say
from brain.engines import BUILTIN, ENGINES, OPENAI
from brain.errors import BadInput, Cancelled
from brain.llm import chain, limits, opening
from brain.llm.budget import Purse
from brain.llm.limits import RUN, WHAT, Limit
from brain.types import Viewer

if TYPE_CHECKING:
    from eval.questions import Question

Engine = Annotated[str, typer.Option(help="builtin: no model; openai: the model that BRAIN_LLM_MODELS names.")]
Replay = Annotated[Path | None, typer.Option(help="Answer from this recording of a model instead of asking one; costs nothing.")]
ModelLimit = Annotated[str, typer.Option(help="Stop the run before it takes more than this, such as usd=2 or tokens=500000.")]
Yes = Annotated[bool, typer.Option("--yes", help="Start without asking, whatever the estimate says.")]


def chosen(engine: str, replay: Path | None) -> str:
    """The engine to ask; a recording is one of a model."""
    if engine not in ENGINES:
        raise BadInput(f"--engine is {engine!r}; legal: {', '.join(ENGINES)}")
    return OPENAI if replay else engine


def prepared(brain: Brain, engine: str, replay: Path | None, limit: str) -> Purse | None:
    """Gives the workspace what the engine needs, and the purse that all questions of the run share; None without a model."""
    if engine == BUILTIN:
        if limit:
            raise BadInput("--model-limit is for --engine openai")
        return None
    if replay:
        brain.settings = replace(brain.settings, llm_replay=str(replay))
    brain.settings = opening.as_recorded(brain.settings)
    if not opening.available(brain.settings):
        raise BadInput(opening.HOW)
    return Purse(_limits(limit))


def label(brain: Brain, engine: str) -> list[str]:
    """What the name of a run says of its engine."""
    if engine == BUILTIN:
        return []
    model = next(iter(chain.names(brain.settings)), "recorded")
    return [engine, "".join(c if c.isalnum() or c in "._" else "_" for c in model)]


def agreed(brain: Brain, left: Sequence[tuple[Question, str]], viewer: Callable[[str | None], Viewer], purse: Purse, yes: bool) -> None:
    """Says what the run may take, and asks whether to start it where somebody is there to be asked; BadInput where nobody is and it may
    cost something.
    """
    from eval.estimate import estimate

    if brain.settings.llm_replay or not left:
        return
    found = estimate(brain, left, viewer)
    say(found.said())
    for line in [*opening.notes(brain.settings, purse.limits), *(f"It stops at {limit}." for limit in purse.limits)]:
        say(line)
    if yes or found.free:
        return
    if not sys.stdin.isatty():
        raise BadInput("this may cost money, and nobody is here to be asked; add --yes to start it, and --model-limit to cap it")
    if not typer.confirm("Start?", err=True):
        raise Cancelled("nothing was asked")


def _limits(text: str) -> tuple[Limit, ...]:
    entries = ",".join(f"{RUN}.{part.strip()}" for part in text.split(",") if part.strip())
    found = limits.parse(entries, (RUN,), "--model-limit")
    if any(limit.what == "runs" for limit in found):
        raise BadInput(f"--model-limit is {text!r}; write {' or '.join(f'{w}=number' for w in WHAT if w != 'runs')}")
    return found
