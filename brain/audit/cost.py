"""What the access rule costs: every tool with it against the same tool without it, on one graph, in turns within one run.

The graph is a copy of the loaded one in which some sources are restricted to groups; it is dropped again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from brain import bench, catalogue, schema
from brain.audit import copying
from brain.audit.timed import Timed
from brain.audit.unfiltered import Unfiltered
from brain.brain import Brain
from brain.errors import BadInput, ToolError
from brain.store import Store, graph_name
from brain.tools import Tool
from brain.tools.asking import Asking
from brain.types import Viewer

BOUND, SHARE, GROUPS, MINE, REPEATS, WORST = 1.5, 0.1, 50, 5, 9, 20
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Call:
    """One tool with fixed arguments: the server's median milliseconds with the rule and without, over its queries together."""

    tool: str
    args: Mapping[str, Any]
    filtered: float
    unfiltered: float

    @property
    def ratio(self) -> float:
        """How many times as long it takes with the rule."""
        return self.filtered / self.unfiltered


@dataclass(frozen=True)
class Cost:
    """Every call measured, and over how many sources, of which how many were restricted."""

    sources: int
    restricted: int
    calls: tuple[Call, ...]
    bound: float = BOUND

    @property
    def ratio(self) -> float:
        """The median over the calls."""
        return median(c.ratio for c in self.calls) if self.calls else 0.0

    @property
    def holds(self) -> bool:
        """Whether it is within the bound; not when nothing was measured."""
        return bool(self.calls) and self.ratio <= self.bound

    def plain(self) -> dict[str, Any]:
        """As JSON, the dearest calls first."""
        worst = sorted(self.calls, key=lambda c: -c.ratio)[:WORST]
        return {
            "sources": self.sources, "restricted": self.restricted, "groups": GROUPS, "median_ratio": round(self.ratio, 3),
            "worst": [{"tool": _said(c), "ratio": round(c.ratio, 3)} for c in worst], "calls": len(self.calls), "holds": self.holds,
        }  # fmt: skip


@dataclass(frozen=True)
class _Unfiltered(Timed, Unfiltered):
    """The same without the access rule."""


def measure(brain: Brain, *, repeats: int = REPEATS, progress: Progress = lambda *a: None) -> Cost:
    """The cost on a copy of the workspace in which every tenth source is open to one of fifty groups alone, for a viewer who
    is in five of them; which ones follows from the keys. BadInput when nothing is loaded.
    """
    if not brain.loaded():
        raise BadInput(f"nothing is loaded in {brain.workspace!r}; load something: brain demo, or brain ingest")
    name = f"{brain.workspace}:cost"
    brain.store.drop(graph_name(name))
    try:
        progress("copying the graph", 0, 0)
        whole = graph_name(brain.workspace)
        copying.copy(brain.store, whole, brain.store, graph_name(name), change=closing(reader), vectors=False)
        keys = list(_sources(brain.store, graph_name(name)))
        chosen = [key for key in keys if reader(key)]
        viewer = Viewer("cost", frozenset({"open", "internal"}), frozenset(_group(n) for n in range(MINE)))
        with_rule = Timed(brain.store, name, viewer, brain.present(), None, brain.catalogue)
        return Cost(len(keys), len(chosen), tuple(_calls(brain, with_rule, repeats, progress)))
    finally:
        brain.store.drop(graph_name(name))


def reader(key: str) -> str | None:
    """The one group that may read a source here, or None for the sources that stay as they are."""
    mark = int.from_bytes(hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()[:8], "big")
    return _group(mark // 1000 % GROUPS) if mark % 1000 < SHARE * 1000 else None


def _group(n: int) -> str:
    return f"team:readers-{n:02d}"


def _sources(store: Store, graph: str) -> Iterator[str]:
    text, after = catalogue.shipped()["source_keys"].cypher, ""
    labels = [label for label in schema.SOURCES if label != "Chunk"]
    while rows := store.read(graph, text, {"labels": labels, "after": after, "k": 5000}).rows:
        yield from (str(r["key"]) for r in rows)
        after = str(rows[-1]["key"])


def closing(group_of: Callable[[str], str | None]) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    """What restricts, while a graph is copied, each source that has a group to that group, with its passages, evidence and claims."""

    def change(props: Mapping[str, Any]) -> Mapping[str, Any]:
        key = str(props.get("src" if "hash" in props else "source" if "quote" in props else "key") or props.get("access_key") or "")
        source = schema.LABEL_OF_PREFIX.get(key.partition(":")[0]) in schema.SOURCES
        group = group_of(key) if source else None
        return {**props, "access": "restricted", "aud": [group]} if group else props

    return change


def _calls(brain: Brain, ctx: Timed, repeats: int, progress: Progress) -> Iterator[Call]:
    known = bench.pool(ctx)
    wanted = [(tool, args) for tool in brain.tools.values() for args in bench.arguments(tool, known) or bench.examples(brain, tool)]
    for i, (tool, args) in enumerate(wanted):
        progress(f"tool {tool.name}", i, len(wanted))
        if call := _timed(ctx, tool, args, repeats):
            yield call


def _timed(ctx: Timed, tool: Tool, args: Mapping[str, Any], repeats: int) -> Call | None:
    """Both ways in turns, the first ones not counted; None for arguments that the tool refuses."""
    without = _Unfiltered(ctx.store, ctx.workspace, ctx.viewer, ctx.as_of, None, ctx.catalogue)
    sides: tuple[tuple[Asking, list[float]], ...] = ((ctx, []), (without, []))
    for n in range(repeats + 1):
        for side, times in sides if n % 2 else sides[::-1]:
            spent: list[float] = []
            try:
                tool.run(replace(side, spent=spent), **args)  # type: ignore[call-arg]
            except ToolError:
                return None
            if n:
                times.append(sum(spent))
    filtered, unfiltered = (median(times) for _, times in sides)
    return Call(tool.name, args, filtered, unfiltered) if unfiltered else None


def _said(call: Call) -> str:
    words = ", ".join(f"{k} {v}" for k, v in call.args.items())
    return f"{call.tool} ({words})"[:120] if words else call.tool
