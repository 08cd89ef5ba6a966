"""Finishing what a decision began: writing what was approved, taking out what was undone, once each, also after a crash; and
writing all of it into a graph made anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from brain import permissions
from brain.approvals import claims, effects, kept
from brain.approvals.kept import Action
from brain.errors import BadInput
from brain.store import Store, graph_name
from brain.text.vectors import VectorCache

if TYPE_CHECKING:
    from brain.brain import Brain
    from brain.ingest import Workspace


@contextmanager
def locked(files: Workspace, wait_s: float) -> Iterator[None]:
    """The load lock, waited for; BadInput when a load holds it for longer."""
    lock = files.lock(wait_s)
    try:
        yield
    finally:
        lock.release()


def finish(brain: Brain) -> None:
    """Finishes what a decision began and a crash cut short. Whoever loads or decides at this moment does so themselves."""
    if not kept.actions(brain.store, brain.workspace, pending=True) or not brain.loaded():
        return
    try:
        with locked(brain.files, 0):
            finish_locked(brain)
    except BadInput:
        return


def finish_locked(brain: Brain) -> bool:
    """The same, for who holds the load lock; whether the graph must be made anew for all of it to show."""
    reaches = False
    for action in kept.actions(brain.store, brain.workspace, pending=True):
        failed = ""
        try:
            reaches |= _carry_out(brain, action)
        except BadInput as error:
            failed = str(error)
        kept.done(brain.store, brain.workspace, action.id, failed)
    return reaches


def _carry_out(brain: Brain, action: Action) -> bool:
    """Writes the action, or takes it out; BadInput when what it is about is not there."""
    graph, reaches = graph_name(brain.workspace), False
    if action.change.aids:
        reaches = claims.carry_out(brain.looking(permissions.local_admin()), brain.files, action)
    elif action.state == "undone":
        effects.take_back(brain.store, graph, action.change)
    elif not effects.apply(brain.store, graph, action.change, vectors=brain.vectors if action.change.nodes else None):
        raise BadInput("what it is about was not there any more")
    if action.change.needs or action.change.nodes:
        brain.store.changed(graph)
    return reaches


def again(store: Store, workspace: str, graph: str, decided: Mapping[str, str], vectors: VectorCache | None) -> None:
    """Writes everything that was approved and not undone into a graph made anew from the records, as far as what it is about is
    still there. The load lock is held by whoever calls.
    """
    for action in kept.actions(store, workspace):
        if action.state == "approved":
            effects.apply(store, graph, action.change, decided, vectors)
