"""The strongest check of access: take away all that a viewer may not see, and nothing they are told may change.

Each viewer gets a copy of the graph without what is hidden from them, its derived edges worked out anew, and everything is asked
of both: every query, every tool, questions and a few alerts in every arm, suggestions, names, health and notices. Rows, their
order, nodes, edges, counts, claims, citations and the words of refusals must be the same.
"""

from __future__ import annotations

import secrets
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from brain import ask, whatif
from brain.audit import investigated
from brain.audit.arguments import Asked, everything
from brain.audit.copying import Copied, Props, copy, may_see
from brain.audit.timed import Timed
from brain.audit.told import first_difference, told
from brain.audit.viewpoints import Viewpoint
from brain.bulk import Loader
from brain.derive import derived
from brain.errors import BadInput, ToolError
from brain.health import health
from brain.incident import findings as incident
from brain.known import LEXICON
from brain.store import graph_name
from brain.suggest import suggestions
from brain.text import lexicon
from brain.tools import Tool
from brain.tools.asking import Asking
from brain.types import ARMS, Arm, Result

PART, LEFT_S, SHOWN = "pruned-", 3600, 200
Progress = Callable[[str, int, int], None]


@dataclass
class _Found:
    """What one run has compared so far."""

    counts: dict[str, int] = field(default_factory=dict)
    differences: list[dict[str, str]] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)


def differential(
    ctx: Asking, seen_by: Sequence[Viewpoint], questions: Sequence[str] = (), *, tools: Mapping[str, Tool], now: int,
    arms: Sequence[Arm] = ARMS, every: int = 1, progress: Progress = lambda *a: None,
) -> dict[str, Any]:
    """What differs between the graph of `ctx` and the same without what is hidden, for each viewer; `ctx` asks as one who may see
    all. Of everything that could be asked only each `every`th thing is, others for each viewer.

    As plain data: viewers, queries, calls, questions, investigations, compared, differences (at most 200), n_differences, seconds,
    slowdown (the server's time on the whole graph over that on the pruned one, the median call's).
    """  # fmt: skip
    began, found, rows = time.perf_counter(), _Found(), []
    for i, point in enumerate(seen_by):
        progress(f"taking away what is hidden from {point.viewer.id}", i, len(seen_by))
        with pruned(ctx, point, now) as (there, copied, hidden):
            here = replace(ctx, viewer=point.viewer)
            removed = {"nodes_removed": copied.nodes_removed, "edges_removed": copied.edges_removed}
            rows.append({"id": point.viewer.id, "people": point.people, **removed})
            asked = list(_everything(here, tools, hidden, questions, arms, now))
            _compare(found, here, there, asked[i % every :: every], progress)
    kinds = {"query": "queries", "tool": "calls", "question": "questions", "investigation": "investigations"}
    return {
        "viewers": rows, **{name: found.counts.get(kind, 0) for kind, name in kinds.items()}, "compared": sum(found.counts.values()),
        "differences": found.differences[:SHOWN], "n_differences": len(found.differences),
        "seconds": round(time.perf_counter() - began, 1), "slowdown": round(statistics.median(found.ratios), 3) if found.ratios else None,
    }  # fmt: skip


@contextmanager
def pruned(ctx: Asking, point: Viewpoint, now: int) -> Iterator[tuple[Asking, Copied, list[Props]]]:
    """The same surroundings over a copy without what is hidden from the viewer, what was taken away in numbers, and the
    properties of the things taken away; the copy goes in the end, as do those that a process left behind.
    """
    sweep(ctx, PART, now)
    name, hidden, accept = f"{ctx.workspace}:{PART}{now}-{secrets.token_hex(4)}", [], may_see(point.viewer)

    def keep(props: Props) -> bool:
        if not (seen := accept(props)) and "aid" not in props:
            hidden.append(props)
        return seen

    graph = graph_name(name)
    try:
        copied = copy(ctx.store, graph_name(ctx.workspace), ctx.store, graph, keep=keep)
        loader = Loader(ctx.store, graph)
        for rel, edges in derived(ctx.store, graph):
            loader.edges(rel, edges)
        yield replace(ctx, workspace=name, viewer=point.viewer), copied, hidden
    finally:
        ctx.store.drop(graph)


def sweep(ctx: Asking, part: str, now: int) -> None:
    """Drops the copies of that name that a process left behind."""
    for graph in ctx.store.graphs(graph_name(ctx.workspace, part)):
        made = graph.rpartition(part)[2].partition("-")[0]
        if not made.isdigit() or now - int(made) > LEFT_S:
            ctx.store.drop(graph)


@dataclass(frozen=True)
class _Asked:
    """One thing to ask of both graphs."""

    kind: str
    name: str
    run: Callable[[Asking], Any]


def _everything(
    here: Asking, tools: Mapping[str, Tool], hidden: Sequence[Props], questions: Sequence[str], arms: Sequence[Arm], now: int
) -> Iterator[_Asked]:
    vector = [float(x) for x in here.embedder.embed(["what is this about"])[0]] if here.embedder is not None else None
    for asked in everything(here, tools, hidden, vector):
        yield _Asked(asked.kind, str(asked), partial(_called, asked, tools))
    yield _Asked("suggestions", "suggestions", suggestions)
    yield _Asked("health", "health", partial(health, tools=tools))
    yield _Asked("lexicon", "lexicon", _names)
    yield _Asked("notices", "notices", partial(_notices, tools=tools, now=now))
    names: dict[str, Any] = {}
    closed = [str(p["key"]) for p in hidden if str(p.get("key", "")).startswith("alert:")][:1]
    for alert, by in investigated.each([*investigated.alerts(here), *closed]):
        yield _Asked("investigation", f"{by}: {alert}", partial(_investigated, tools=tools, alert=alert, arm=by, names=names))
    for question in questions:
        for arm in arms:
            yield _Asked("question", f"{arm}: {question}", partial(_answer, tools=tools, question=question, arm=arm, names=names))


def _called(asked: Asked, tools: Mapping[str, Tool], ctx: Asking) -> Result:
    return tools[asked.name].run(ctx, **asked.args) if asked.kind == "tool" else ctx.run(asked.name, **asked.args)


def _answer(ctx: Asking, *, tools: Mapping[str, Tool], question: str, arm: Arm, names: dict[str, Any]) -> Any:
    known, suggested = _known(ctx, names)
    return ask.ask(question, arm, ctx, tools, known, suggest=lambda: suggested)


def _investigated(ctx: Asking, *, tools: Mapping[str, Tool], alert: str, arm: incident.Arm, names: dict[str, Any]) -> Any:
    return investigated.investigated(ctx, alert, arm, tools=tools, names=lambda: _known(ctx, names)[0])


def _known(ctx: Asking, names: dict[str, Any]) -> Any:
    """The names and the suggestions of a graph, made once."""
    if ctx.workspace not in names:
        names[ctx.workspace] = lexicon.build(*_names(ctx)), suggestions(ctx)
    return names[ctx.workspace]


def _names(ctx: Asking) -> list[Any]:
    return [ctx.run(f"lexicon_{name}").rows for name in LEXICON]


def _notices(ctx: Asking, *, tools: Mapping[str, Tool], now: int) -> Any:
    """What the notices that are announced would change, and what one would that gives the first rule another value."""
    rules = whatif.spans(ctx)
    ahead = whatif.coming(rules, ctx.as_of)
    first = [whatif.Notice(str(r["name"]), "another value", ctx.as_of + 1, replaces=(str(r["key"]),)) for r in rules[:1]]
    return [rules, *(whatif.what_if(ctx, tools, notices, now) for notices in (ahead, first) if notices)]


def _compare(found: _Found, here: Asking, there: Asking, asked: Sequence[_Asked], progress: Progress) -> None:
    for i, one in enumerate(asked):
        progress(f"{here.viewer.id}: {one.kind}", i, len(asked))
        (whole, took), (less, took_less) = _outcome(here, one), _outcome(there, one)
        found.counts[one.kind] = found.counts.get(one.kind, 0) + 1
        if took_less > 0:
            found.ratios.append(took / took_less)
        if where := first_difference(whole, less):
            found.differences.append({"viewer": here.viewer.id, "kind": one.kind, "name": one.name, "detail": where})


def _outcome(ctx: Asking, one: _Asked) -> tuple[Any, float]:
    """What it says, refusals included, and the milliseconds that the server spent on it."""
    timed = Timed(*(getattr(ctx, name) for name in ("store", "workspace", "viewer", "as_of", "embedder", "catalogue", "known_at")))
    try:
        return told(one.run(timed)), sum(timed.spent)
    except (ToolError, BadInput) as err:
        return f"{type(err).__name__}: {err}", sum(timed.spent)
