"""Every check of access by its name, run over a whole workspace, its result kept for the Access page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from brain import permissions
from brain.audit import record
from brain.brain import Brain
from brain.errors import BadInput
from brain.store import graph_name

Progress = Callable[[str, int, int], None]
SAMPLE, EVERY = 10, 50


@dataclass(frozen=True)
class Ask:
    """What a check is to ask: the questions of sets, each with the instant it is asked as of or None; and all that there is to
    ask, which can take an hour, or a sample of it that is always the same.
    """

    questions: Sequence[tuple[str, int | None]] = ()
    everything: bool = True


def run(
    brain: Brain,
    name: str,
    ask: Ask = Ask(),
    *,
    progress: Progress = lambda *a: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """The result of the check of that name, made now and kept. BadInput for a name that no check has, or when nothing is loaded."""
    if name not in record.CHECKS:
        raise BadInput(f"there is no check {name!r}; legal: {', '.join(record.CHECKS)}")
    if not brain.loaded():
        raise BadInput(f"nothing is loaded in {brain.workspace!r}; load something: brain demo, or brain ingest")
    graph = brain.store.version(graph_name(brain.workspace))
    special = _SPECIAL.get(name)
    if special is not None:
        found = special(brain, ask, progress, cancelled)
    else:
        found = import_module(f"brain.audit.{name}").run(brain, progress=progress, cancelled=cancelled)
    record.save(brain.files, name, found, at=brain.now(), graph=graph)
    return found


def _probe(brain: Brain, ask: Ask, progress: Progress, cancelled: Callable[[], bool]) -> dict[str, Any]:
    from brain.audit import probe

    sample = None if ask.everything else SAMPLE
    return probe.run(brain, questions=ask.questions, sample=sample, progress=progress, cancelled=cancelled)


def _differential(brain: Brain, ask: Ask, progress: Progress, cancelled: Callable[[], bool]) -> dict[str, Any]:
    from brain.audit.differential import differential
    from brain.audit.viewpoints import viewpoints

    ctx = brain.asking(permissions.local_admin())
    every, asked = 1 if ask.everything else EVERY, list(dict.fromkeys(q for q, _ in ask.questions))
    return differential(ctx, viewpoints(ctx), asked, tools=brain.tools, now=brain.now(), every=every, progress=progress)


def _mutation(brain: Brain, ask: Ask, progress: Progress, cancelled: Callable[[], bool]) -> dict[str, Any]:
    from brain.audit import mutation, samples

    progress("giving everything a hidden twin", 0, 0)
    with mutation.canaries(brain.looking(permissions.local_admin()), brain.now()) as (ctx, values):
        calls = samples.calls(brain.catalogue, brain.tools, values)
        return mutation.mutation(ctx, brain.tools, calls, every=1 if ask.everything else EVERY, progress=progress)


def _cost(brain: Brain, ask: Ask, progress: Progress, cancelled: Callable[[], bool]) -> dict[str, Any]:
    from brain.audit import cost

    return cost.measure(brain, progress=progress).plain()


_SPECIAL = {"probe": _probe, "differential": _differential, "mutation": _mutation, "cost": _cost}
