"""Every check of access by its name, run over a whole workspace, its result kept for the Access page."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from brain import permissions
from brain.audit import record
from brain.brain import Brain
from brain.errors import BadInput
from brain.store import graph_name

Progress = Callable[[str, int, int], None]


def run(brain: Brain, name: str, progress: Progress = lambda *a: None, cancelled: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """The result of the check of that name, made now and kept. BadInput for a name that no check has, or when nothing is loaded."""
    if name not in record.CHECKS:
        raise BadInput(f"there is no check {name!r}; legal: {', '.join(record.CHECKS)}")
    if not brain.loaded():
        raise BadInput(f"nothing is loaded in {brain.workspace!r}; load something: brain demo, or brain ingest")
    graph = brain.store.version(graph_name(brain.workspace))
    found = _SPECIAL.get(name, _plain)(brain, name, progress, cancelled)
    record.save(brain.files, name, found, at=brain.now(), graph=graph)
    return found


def _plain(brain: Brain, name: str, progress: Progress, cancelled: Callable[[], bool]) -> dict[str, Any]:
    found: dict[str, Any] = import_module(f"brain.audit.{name}").run(brain, progress=progress, cancelled=cancelled)
    return found


def _differential(brain: Brain, name: str, progress: Progress, cancelled: Callable[[], bool]) -> dict[str, Any]:
    from brain.audit.differential import differential
    from brain.audit.viewpoints import viewpoints

    everything = brain.asking(permissions.local_admin())
    return differential(everything, viewpoints(everything), tools=brain.tools, now=brain.now(), progress=progress)


def _cost(brain: Brain, name: str, progress: Progress, cancelled: Callable[[], bool]) -> dict[str, Any]:
    from brain.audit import cost

    return cost.measure(brain, progress=progress).plain()


_SPECIAL = {"differential": _differential, "cost": _cost}
