"""The leak probe: every question of the sets and every probe, asked by everybody who differs in what they may see, on every arm;
every tool called with what is hidden; and everything else that a viewer comes to see. What came out is searched for what they
may not see, and answers about hidden things are compared with answers about things that do not exist.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any

from brain import ask as asking
from brain import permissions
from brain.audit import calls
from brain.audit.personas import personas
from brain.audit.probing import Asked, as_real, made_up, questions
from brain.audit.secrets import Secrets, Thing, Told, everything
from brain.brain import Brain
from brain.errors import BadInput, Cancelled
from brain.instants import day
from brain.rebuild import Progress
from brain.tools.asking import Asking
from brain.types import ARMS, Answer, Arm, Viewer

MOST, EACH, FILLS, SEED = 200, 25, 2, 20_261
_CONFIRMS = ("state", "text", "items", "claims", "suggestions")
Question = tuple[str, int | None]


@dataclass
class _Found:
    """What the probe has done and found so far."""

    answers: int = 0
    calls: int = 0
    probes: int = 0
    total: int = 0
    leaks: list[dict[str, str]] = field(default_factory=list)
    by: Counter[tuple[str, str, bool]] = field(default_factory=Counter)

    def add(self, viewer: Viewer, arm: str, question: str, told: Iterable[Told]) -> None:
        """Keeps leaks, each with where it stood, up to a bound in all and for each viewer, arm and way; all are counted."""
        for t in told:
            self.total += 1
            self.by[kind := (viewer.id, arm, t.where.startswith("confirmed"))] += 1
            if len(self.leaks) < MOST and self.by[kind] <= EACH:
                self.leaks.append({"viewer": viewer.id, "arm": arm, "question": question[:300], "where": t.where, "what": t.what[:200]})


def run(
    brain: Brain, *, questions: Sequence[Question] = (), viewers: Sequence[str] = (), arms: Sequence[Arm] = ARMS, sample: int | None = None,
    fills: int = FILLS, progress: Progress = lambda *a: None, cancelled: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """Probes a workspace for leaks. `questions` are those of the sets, each with the instant it is asked as of or None;
    `sample` asks only so many of questions, probes and calls each, always the same ones. Shape: `viewers`, `arms`, `questions`,
    `probes`, `calls`, `answers`, `leaks` (at most 200 of `n_leaks`: viewer, arm, question, where, what) and `seconds`.
    """
    began = time.monotonic()
    if not brain.loaded():
        raise BadInput(f"nothing is loaded in {brain.workspace!r}; load something: brain demo, or brain ingest")
    things = everything(brain.store, brain.workspace)
    who = personas(brain, things, viewers)
    found = _Found()
    hidden = []
    for n, viewer in enumerate(who):
        secrets = Secrets.of(viewer, things)
        hidden.append({"id": viewer.id, "hidden": sum(1 for t in secrets.hidden if t.ends is None)})
        at = _Round(brain, viewer, secrets, things, found, _steps(f"probing as {viewer.id}", n, len(who), progress, cancelled))
        at.everything(questions, arms, sample, fills)
    return {
        "viewers": hidden, "arms": list(arms), "questions": len(questions if sample is None else _some(questions, sample)),
        "probes": found.probes, "calls": found.calls, "answers": found.answers, "leaks": found.leaks, "n_leaks": found.total,
        "seconds": round(time.monotonic() - began, 1),
    }  # fmt: skip


def _steps(said: str, n: int, of: int, progress: Progress, cancelled: Callable[[], bool]) -> Callable[[int, int], None]:
    """Reports how far a viewer's round is, as a part of all rounds."""

    def step(done: int, total: int) -> None:
        if cancelled():
            raise Cancelled("stopped; the last finished probe is kept")
        progress(said, n * 1000 + done * 1000 // max(total, 1), of * 1000)

    return step


def _some(items: Iterable[Any], sample: int | None) -> list[Any]:
    """All of them, or a sample that is always the same, in their order."""
    whole = list(items)
    if sample is None or sample >= len(whole):
        return whole
    return [whole[i] for i in sorted(Random(SEED).sample(range(len(whole)), sample))]


@dataclass
class _Round:
    """One viewer's part of the probe."""

    brain: Brain
    viewer: Viewer
    secrets: Secrets
    things: Sequence[Thing]
    found: _Found
    step: Callable[[int, int], None]

    def everything(self, sets: Sequence[Question], arms: Sequence[Arm], sample: int | None, fills: int) -> None:
        """Asks, calls and looks."""
        probes = _some(questions(self.secrets, self.things, fills), sample)
        asked = [*(Asked("set", q, as_of=at) for q, at in _some(sets, sample)), *probes]
        called = _some(calls.calls(self.brain.tools, self.secrets, self.things, fills), sample)
        self.found.probes += len(probes)
        total = len(asked) + len(called) // 8 + 1
        for i, one in enumerate(asked):
            self.step(i, total)
            for arm in arms:
                self._answer(one, arm)
        for i, call in enumerate(called):
            self.step(len(asked) + i // 8, total)
            self._call(call)
        self._look(fills)

    def _answer(self, asked: Asked, arm: Arm) -> None:
        ctx = self.brain.asking(self.viewer, asked.as_of, asked.known_at)
        for answer in self._answers(ctx, asked.question, asked.then, arm):
            self.found.answers += 1
            typed = (asked.question, asked.then, *_instants(asked), day(ctx.as_of))  # who asks knows what day it is
            told = self.secrets.told(shown(answer), typed)
            told += self.secrets.linked((e.src, e.rel, e.dst) for e in answer.edges)
            self.found.add(self.viewer, arm, f"{asked.question} {asked.then}".strip(), told)
        if asked.kind != "set" and arm != "hybrid":  # searched by words alone, hybrid is vector
            self._confirmed(replace(ctx, embedder=None), asked, arm)

    def _answers(self, ctx: Asking, question: str, then: str, arm: Arm) -> Iterator[Answer]:
        lexicon = self.brain.lexicon(self.viewer)
        before = None
        for text in filter(None, (question, then)):
            before = asking.ask(
                text, arm, ctx, self.brain.tools, lexicon, before=before, suggest=lambda: self.brain.suggestions(self.viewer)
            )
            yield before

    def _confirmed(self, ctx: Asking, asked: Asked, arm: Arm) -> None:
        """Is the answer about a hidden thing another than that about one that does not exist? Searched by words alone, since
        made-up words lie elsewhere among the vectors.
        """
        other = made_up(f"{asked.question}\n{asked.then}", self.secrets)
        if other is None:
            return
        question, _, then = other[0].partition("\n")
        real = [*self._answers(ctx, asked.question, asked.then, arm)]
        made = [*self._answers(ctx, question, then, arm)]
        for a, b in zip(real, made, strict=True):
            self.found.answers += 2
            one, two = as_real(_outcome(a), {}), as_real(_outcome(b), other[1])
            told = [Told(f"confirmed: {name}", f"differs from a made-up thing: {b.question}") for name in one if one[name] != two[name]]
            self.found.add(self.viewer, arm, a.question, told)

    def _call(self, call: calls.Call) -> None:
        self.found.calls += 1
        ctx = self.brain.asking(self.viewer)
        came = calls.outcome(self.brain.tools, ctx, call)
        told = self.secrets.told(came, call.typed) + self.secrets.linked(came["edges"])
        other = made_up(call.typed[0], self.secrets) if call.typed else None
        if other:
            bare = replace(ctx, embedder=None)
            args = {k: other[0] if v == call.typed[0] else [other[0]] if v == [call.typed[0]] else v for k, v in call.args.items()}
            one = as_real(calls.outcome(self.brain.tools, bare, call), {})
            two = as_real(calls.outcome(self.brain.tools, bare, calls.Call(call.tool, args, (other[0],))), other[1])
            told += [Told(f"confirmed: {name}", f"differs from a made-up thing: {other[0]}") for name in one if one[name] != two[name]]
        self.found.add(self.viewer, "tool", call.said(), told)

    def _look(self, fills: int) -> None:
        for name, value in calls.surfaces(self.brain, self.viewer):
            self.found.add(self.viewer, "seen", name, self.secrets.told(value))
        for name, value in calls.asked_for(self.brain, self.secrets, self.things, fills):
            self.found.add(self.viewer, "seen", name, self.secrets.told(value))
        for others in (calls.runs_of_others, calls.investigations_of_others):
            for name, value in others(self.brain, self.viewer, permissions.local_admin()):
                self.found.add(self.viewer, "seen", name, self.secrets.told(value))


def _instants(asked: Asked) -> list[str]:
    return [str(at) for at in (asked.as_of, asked.known_at) if at is not None]


def shown(answer: Answer) -> dict[str, Any]:
    """All that an answer shows of anything, beside what was asked and who asked."""
    steps = [
        {
            "args": _texts(s.args), "why": s.why, "error": s.error, "rows": list(s.rows), "nodes": [asdict(n) for n in s.nodes],
            "edges": [asdict(e) for e in s.edges], "params": _texts({k: v for k, v in s.params.items() if not k.startswith("viewer_")}),
        }
        for s in answer.steps
    ]  # fmt: skip
    claims = [asdict(c) for c in (*answer.claims, *answer.dropped)]
    nodes, edges = [asdict(n) for n in answer.nodes], [asdict(e) for e in answer.edges]
    return {
        "text": answer.text, "items": answer.items, "claims": claims, "steps": steps, "suggestions": answer.suggestions,
        "nodes": nodes, "edges": edges, "error": "",
    }  # fmt: skip


def _texts(value: Any) -> Any:
    """The texts alone: an instant among arguments comes from the question."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return {k: _texts(v) for k, v in value.items()}
    return [_texts(v) for v in value] if isinstance(value, list | tuple) else None


def _outcome(answer: Answer) -> dict[str, Any]:
    """What somebody can tell two answers apart by."""
    whole = asdict(answer)
    steps = [(s.tool, len(s.rows), len(s.nodes), len(s.edges), s.error) for s in answer.steps]
    return {**{name: whole[name] for name in _CONFIRMS}, "steps": [list(s) for s in steps]}
