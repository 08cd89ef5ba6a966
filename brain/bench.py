"""What the program costs, as ratios taken in one run on one machine: each bound is stated beside what was measured.

Nothing is changed in the workspace measured; loads go into a copy of its records, which is removed again.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from brain import bench_load, bench_loop
from brain.audit.timed import Timed
from brain.bench_load import Peak, Rate, Wait
from brain.bench_loop import STEP_MS, LoopTime
from brain.brain import Brain
from brain.errors import BadInput, ToolError
from brain.tools import Tool, tools
from brain.tools.asking import Asking
from brain.types import ARMS, Result, Viewer

if TYPE_CHECKING:
    from brain.audit.cost import Cost

WALL_FACTOR, WALL_EXTRA_MS, ASK_MS = 2.0, 1.0, 100.0
LOOPED = 12
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class ToolTime:
    """One tool with fixed arguments, milliseconds: the caller's time against the server's own, added over the tool's queries."""

    tool: str
    args: dict[str, Any]
    rows: int
    queries: int
    wall_p50: float
    wall_p95: float
    server_p50: float
    server_p95: float

    @property
    def bound(self) -> float:
        """The most that the median may be."""
        return WALL_FACTOR * self.server_p50 + WALL_EXTRA_MS

    @property
    def holds(self) -> bool:
        """Whether the median is within the bound."""
        return self.wall_p50 <= self.bound


@dataclass(frozen=True)
class AskTime:
    """One arm over all questions, milliseconds from question to kept answer."""

    arm: str
    questions: int
    p50: float
    p95: float


@dataclass(frozen=True)
class Bound:
    """One thing promised, what was measured, and whether it holds; None where nothing is promised or could be measured."""

    what: str
    bound: str
    measured: str
    holds: bool | None


@dataclass(frozen=True)
class Bench:
    """Everything measured in one run."""

    workspace: str
    entities: int
    tools: tuple[ToolTime, ...]
    asks: tuple[AskTime, ...]
    rate: Rate
    peak: Peak
    wait: Wait
    bounds: tuple[Bound, ...] = ()
    rule: Cost | None = None
    loop: LoopTime | None = None


def bench(brain: Brain, questions: Sequence[str] = (), *, repeats: int = 20, progress: Progress = lambda *a: None) -> Bench:
    """Measures a loaded workspace; `questions` are asked beside its own suggestions. Raises BadInput when nothing is loaded."""
    if not brain.loaded():
        raise BadInput(f"nothing is loaded in {brain.workspace!r}; load something: brain demo, or brain ingest")
    viewer = brain.viewer("local")
    known = pool(brain.asking(viewer))
    calls = [(t, args) for t in brain.tools.values() for args in arguments(t, known) or examples(brain, t)]
    timed = []
    for i, (tool, args) in enumerate(calls):
        progress(f"tool {tool.name}", i, len(calls))
        timed += time_tool(brain, viewer, tool, args, repeats)
    asked = list(dict.fromkeys([*brain.suggestions(viewer), *questions]))
    asks = tuple(time_asks(brain, viewer, arm, asked, progress) for arm in ARMS)
    loop = bench_loop.measure(brain, asked[:LOOPED], viewer, progress)
    progress("the same rows through the bulk loader", 0, 0)
    rate = bench_load.rate(brain)
    progress("loading while somebody reads", 0, 0)
    peak, wait = bench_load.load_while_reading(brain, viewer)
    entities = sum(brain.status()["counts"].values())
    rule = _rule(brain, repeats, progress)
    found = Bench(brain.workspace, entities, tuple(timed), asks, rate, peak, wait, rule=rule, loop=loop)
    return Bench(**{**found.__dict__, "bounds": tuple(bounds(found))})


def _rule(brain: Brain, repeats: int, progress: Progress) -> Cost:
    from brain.audit import cost  # which takes its calls from here

    return cost.measure(brain, repeats=repeats, progress=progress)


def pool(ctx: Asking) -> dict[str, list[Any]]:
    """Values of the workspace to call tools with, by parameter name."""
    repos, files = ctx.run("busy_repo").rows, ctx.run("hot_file").rows
    issues, prs = ctx.run("shipped_issue").rows, ctx.run("reviewed_pr").rows
    services, decisions, rules = (ctx.run(name).rows for name in ("needed_service", "a_decision", "a_rule"))
    keys = [str(row["key"]) for row in (*issues[:1], *prs[:1])]
    alerts = ctx.run("alerts_of", k=1).rows
    tickets = tools(ctx.catalogue)["list_items"].run(ctx, kind="tickets", limit=1).rows
    return {
        "ticket": [str(row["key"]) for row in tickets],
        "aid": [str(row["aid"]) for row in ctx.run("claims", states=["candidate", "rejected"], k=1).rows],
        "title": ["Keep it as it is"],
        "alert": [str(row["key"]) for row in alerts],
        "changes": [[str(row["key"]) for row in ctx.run("changes_to", things=[str(a["on"]) for a in alerts]).rows]] if alerts else [],
        "key": keys,
        "a": keys[:1],
        "b": keys[-1:],
        "names": [[str(row["name"]).rpartition("/")[2].lower()] for row in repos[:1]],
        "path": [str(row["path"]) for row in files[:1]],
        "target": [*(str(row["key"]) for row in (*files[:1], *services[:1])), *(f"repo:{row['name']}" for row in repos[:1])],
        "topic": [str(row["key"]) for row in decisions[:1]],
        "rule": [str(row["key"]) for row in rules[:1]],
        "text": [str(row["title"]) for row in prs[:1]],
    }


def arguments(tool: Tool, values: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Calls of a tool: every combination of the choices and values for what it needs; none when a value is not known."""
    columns = []
    for p in tool.params:
        if p.required or p.name == "names" or (p.choices and p.name == "by" and tool.name == "rank"):
            columns.append([(p.name, v) for v in (p.choices or values.get(p.name, ()))])
    return [dict(row) for row in itertools.product(*columns)]


def examples(brain: Brain, tool: Tool) -> list[dict[str, Any]]:
    """The call that a tool's own query file gives as its example; it may find nothing here."""
    query = brain.catalogue.queries.get(tool.name)
    return [dict(query.example)] if query and query.kind == "query" else []


def time_tool(brain: Brain, viewer: Viewer, tool: Tool, args: dict[str, Any], repeats: int) -> list[ToolTime]:
    """The tool's times over `repeats` calls after two to warm up; nothing for arguments that it refuses."""
    plain = brain.asking(viewer)
    walls, servers, result, queries = [], [], Result(()), 0
    for n in range(repeats + 2):
        ctx = Timed(plain.store, plain.workspace, plain.viewer, plain.as_of, plain.embedder, plain.catalogue)
        began = time.perf_counter()
        try:
            result = tool.run(ctx, **args)
        except ToolError:
            return []
        if n >= 2:
            walls.append((time.perf_counter() - began) * 1000)
            servers.append(sum(ctx.spent))
            queries = len(ctx.spent)
    (w50, w95), (s50, s95) = ((float(x) for x in np.percentile(times, [50, 95])) for times in (walls, servers))
    return [ToolTime(tool.name, args, len(result.rows), queries, w50, w95, s50, s95)]


def time_asks(brain: Brain, viewer: Viewer, arm: Any, questions: Sequence[str], progress: Progress) -> AskTime:
    """An arm's times over the questions, after one that warms up."""
    times = []
    for n, question in enumerate([*questions[:1], *questions]):
        progress(f"asking {arm}", n, len(questions))
        began = time.perf_counter()
        brain.ask(question, viewer=viewer, arm=arm)
        times.append((time.perf_counter() - began) * 1000)
    p50, p95 = (float(x) for x in np.percentile(times[1:], [50, 95])) if len(times) > 1 else (0.0, 0.0)
    return AskTime(arm, len(questions), p50, p95)


def bounds(found: Bench) -> list[Bound]:
    """What is promised, beside what was measured."""
    over = [t for t in found.tools if not t.holds]
    worst = max(found.tools, key=lambda t: t.wall_p50 / t.bound, default=None)
    measured = f"{len(found.tools) - len(over)} of {len(found.tools)} calls within"
    if worst:
        measured += f"; closest {worst.tool}: {worst.wall_p50:.2f} ms, server {worst.server_p50:.2f} ms"
    out = [Bound("tool wall time, median", f"{WALL_FACTOR:g} x server time + {WALL_EXTRA_MS:g} ms", measured, not over)]
    for ask in found.asks:
        out.append(Bound(f"ask, {ask.arm}, median", f"{ASK_MS:g} ms", f"{ask.p50:.1f} ms (95 %: {ask.p95:.1f} ms)", ask.p50 < ASK_MS))
    wait = found.wait
    says = f"{wait.max_ms:.1f} ms (99 %: {wait.p99_ms:.1f} ms; idle {wait.idle_max_ms:.1f} and {wait.idle_p99_ms:.1f} ms)"
    out.append(Bound("longest wait of a reader during a load", f"{bench_load.WAIT_MS:g} ms", says, wait.max_ms <= bench_load.WAIT_MS))
    if found.rule is not None and found.rule.calls:
        worst_call = max(found.rule.calls, key=lambda c: c.ratio)
        says = f"{found.rule.ratio:.2f} x over {len(found.rule.calls)} calls; dearest {worst_call.tool}: {worst_call.ratio:.2f} x"
        out.append(Bound("access rule, a tool's server time, median", f"{found.rule.bound:g} x without it", says, found.rule.holds))
    if found.loop is not None and found.loop.took:
        loop = found.loop
        says = f"{loop.step_p50:.1f} ms (95 %: {loop.step_p95:.1f} ms; on the processor {loop.cpu_p50:.1f} ms)"
        says += f"; a question {loop.ratio:.1f} x the built-in engine's own time"
        out.append(Bound("tool loop without model and database, a step, median", f"{STEP_MS:g} ms", says, loop.holds))
    rate = found.rate
    says = f"{rate.ours:,.0f} rows a second"
    says += f", bulk loader {rate.bulk:,.0f}: {rate.ours / rate.bulk:.2f} of it" if rate.bulk else f"; {rate.reason}"
    out.append(Bound("load rate on the same rows", "reported", says, None))
    out.append(Bound("peak memory of a load", "reported", f"{found.peak.megabytes:.0f} MB in {found.peak.seconds:.1f} s", None))
    return out
