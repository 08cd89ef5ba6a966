"""One investigation from beginning to end: the roles in their order, each given what stands on the board and nothing else."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from brain.agents import builtin
from brain.agents.model_talk import Engine
from brain.agents.run import Draft, Run
from brain.ask import evidence
from brain.errors import BadInput
from brain.incident import passages, shortcut
from brain.incident.blackboard import Blackboard, rest
from brain.incident.findings import ARMS, Arm, Investigation, Signal
from brain.incident.historian import historian
from brain.incident.investigator import investigator
from brain.incident.responder import responder
from brain.incident.triage import triage
from brain.incident.worded import worded
from brain.playbooks import Playbooks
from brain.text.lexicon import Lexicon
from brain.tools import Tool
from brain.tools.asking import Asking
from brain.types import Step, Usage

DAY = 86_400
ENGINES = ("builtin", "openai")
WINDOWS = (600, 30 * DAY)
Role = Callable[[Investigation, Run], Investigation]
GRAPH: tuple[tuple[str, Role], ...] = (
    ("triage", triage),
    ("historian", historian),
    ("investigator", investigator),
    ("responder", responder),
)


@dataclass(frozen=True)
class Surroundings:
    """What an investigation needs beside the alert: who asks and of when, the tools, where it is written down (None: nowhere), and the
    model that words what was found (None: none does).
    """

    ctx: Asking
    tools: Mapping[str, Tool]
    lexicon: Callable[[], Lexicon]
    board: Blackboard | None = None
    on_step: Callable[[Step], None] | None = None
    playbooks: Playbooks | None = None
    engine: Engine | None = None


def begun(signal: Signal, ctx: Asking, arm: Arm = "graph", engine: str = "builtin", window: int = DAY) -> Investigation:
    """A new investigation, nothing found yet. BadInput for an unknown arm or engine, or a window that is none."""
    if arm not in ARMS:
        raise BadInput(f"arm is {arm!r}; an investigation has {', '.join(ARMS)}")
    if engine not in ENGINES:
        raise BadInput(f"engine is {engine!r}; legal: {', '.join(ENGINES)}")
    if not WINDOWS[0] <= window <= WINDOWS[1]:
        raise BadInput(f"the window is {window} s; give 10 minutes to 30 days")
    return Investigation(uuid.uuid4().hex[:12], signal, ctx.viewer.id, arm, engine, ctx.as_of, window)


def investigate(inv: Investigation, around: Surroundings, began: float | None = None) -> Investigation:
    """The investigation, complete. Every role's end is written down before the next one begins; what a process that was killed
    left behind is gone on with by giving it here again.
    """
    began = time.perf_counter() if began is None else began
    spent = inv.usage.ms
    inv = replace(inv, state="running", error="")
    run = Run(around.ctx, around.tools, around.on_step, inv.steps)
    _write(around, inv)
    inv = _by_playbook(inv, run, around)
    if not rest(inv):
        inv = _told(replace(inv, state="complete", usage=Usage(spent + (time.perf_counter() - began) * 1000)), run)
        _write(around, inv, "responder")
    wanted = rest(inv)
    for name, role in _roles(inv, around):
        if name in wanted:
            inv = role(inv, run)
            ms = spent + (time.perf_counter() - began) * 1000
            done = name == wanted[-1]
            inv = _told(replace(inv, roles=(*inv.roles, name), state="complete" if done else "running", usage=Usage(ms)), run)
            _write(around, inv, name)
    if around.engine is None or inv.state != "complete":
        return inv
    inv = worded(inv, run, around.engine)
    inv = _told(replace(inv, usage=replace(around.engine.spent, ms=spent + (time.perf_counter() - began) * 1000)), run)
    _write(around, inv)
    return inv


def _by_playbook(inv: Investigation, run: Run, around: Surroundings) -> Investigation:
    """Ended by a playbook when one is there and holds; else as it was, with what became of the try."""
    books = around.playbooks
    book = books.for_signal(inv.signal) if books is not None and inv.arm == "graph" and not inv.roles else None
    if books is None or book is None:
        return inv
    began = time.perf_counter()
    done = shortcut.followed(inv, run, book)
    ms = (time.perf_counter() - began) * 1000
    reason = "" if done else f"no single change on {book.known_cause().broke_name} fits it now"
    books.used(book.id, done is not None, run.last, ms, reason)
    return (
        replace(done, followed=replace(done.followed, ms=ms))
        if done and done.followed
        else replace(inv, followed=shortcut.failed(book, run.last, reason))
    )


def _roles(inv: Investigation, around: Surroundings) -> Sequence[tuple[str, Role]]:
    if inv.arm == "graph":
        return GRAPH

    def ask(run: Run, question: str) -> Draft:
        return builtin.draft(question, "vector", run, around.lexicon(), run.ctx.as_of)[0]

    return passages.roles(ask)


def _told(inv: Investigation, run: Run) -> Investigation:
    """With the steps so far, what they met, and how it is called."""
    nodes, edges = evidence(run.steps)
    return replace(inv, steps=tuple(run.steps), nodes=nodes, edges=edges, names={n.key: n.name for n in nodes})


def _write(around: Surroundings, inv: Investigation, role: str = "") -> None:
    if around.board is not None:
        around.board.write(inv, role)
