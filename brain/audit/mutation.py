"""Does every check in every query bind? One after the other is taken away, and what a guest is told must change.

It happens on a graph in which everything has a hidden twin (`brain.audit.twins`), so a check that lets one through is seen, in
the rows or in a count. What is left of a check that is taken away is its part about time.
"""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from brain import derive, permissions
from brain.audit.arguments import Asked, answering
from brain.audit.differential import sweep
from brain.audit.mutants import Mutant, mutants, refused, together, why
from brain.audit.samples import Samples, sampled
from brain.audit.told import told
from brain.audit.twins import GROUP, edges_of, nodes_of, twin, twinned
from brain.catalogue import Query
from brain.errors import HopcheckError
from brain.store import WRITE_TIMEOUT_MS, graph_name
from brain.tools import Tool
from brain.tools.asking import Asking
from brain.tools.compose import compose, joined
from brain.types import Result

PART, TRIES = "twins-", 20
COVERED = "the same thing is checked once more in the query: without both checks it is noticed"
_SURROUNDINGS = ("store", "workspace", "viewer", "as_of", "embedder", "catalogue", "known_at")
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class _Mutated(Asking):
    """A question's surroundings in which one query, or one part of composed ones, has a check less."""

    mutant: Mutant | None = None

    def query(self, query: Query, args: Mapping[str, Any]) -> Result:
        mutant = self.mutant
        return super().query(replace(query, text=mutant.text) if mutant and query.name == mutant.query.name else query, args)

    def fragments(self, name: str, parts: tuple[str, ...], args: Mapping[str, Any], hops: int | None = None) -> Result:
        query, mutant = compose(self.catalogue, name, parts, hops), self.mutant
        if mutant and mutant.query.name in parts:
            texts = [mutant.text if part == mutant.query.name else self.catalogue[part].text for part in parts]
            query = replace(query, text=joined(texts, hops))
        known = {p.name for p in query.params}
        return super().query(query, {k: v for k, v in args.items() if k in known})


def mutation(
    ctx: Asking, tools: Mapping[str, Tool], calls: Sequence[Asked], *, every: int = 1, progress: Progress = lambda *a: None
) -> dict[str, Any]:
    """How many checks there are and how many were noticed to be gone, over the twinned graph of `ctx`, as its viewer; `calls` are
    what is asked. With `every` only each so-manieth check is taken away.

    As plain data: total, caught, queries (name, weakened, caught), missed (query, macro, n, why; an empty why is one that should
    have been noticed), refused (how many the lint refuses when they are deleted outright), seconds.
    """
    began, wanted = time.perf_counter(), [*answering(ctx.catalogue), *ctx.catalogue.of_kind("fragment"), *ctx.catalogue.of_kind("derive")]
    asked = _Calls(ctx, tools, calls)
    made, missed, counts = list(mutants(wanted))[::every], [], dict[str, list[int]]()
    for i, mutant in enumerate(made):
        progress(f"{mutant.query.name}: {mutant}", i, len(made))
        caught = _moves_edges(ctx, mutant) if mutant.query.kind == "derive" else asked.notice(mutant)
        count = counts.setdefault(mutant.query.name, [0, 0])
        count[0] += 1
        count[1] += caught
        if not caught:
            missed.append({"query": mutant.query.name, "macro": str(mutant), "n": mutant.n, "why": why(mutant) or asked.covered(mutant)})
    return {
        "total": len(made), "caught": sum(c for _, c in counts.values()),
        "queries": [{"name": name, "weakened": n, "caught": c} for name, (n, c) in counts.items()],
        "missed": missed, "refused": sum(map(refused, made)), "seconds": round(time.perf_counter() - began, 1),
    }  # fmt: skip


@contextmanager
def canaries(ctx: Asking, now: int) -> Iterator[tuple[Asking, Samples]]:
    """The surroundings of a guest, who is in a group that they may not see, over a twinned copy of the graph of `ctx`, and values
    of it to call with; the copy goes in the end, as do those that a process left behind.
    """
    sweep(ctx, PART, now)
    graph = graph_name(ctx.workspace)
    found = sampled(list(nodes_of(ctx.store, graph)), list(edges_of(ctx.store, graph)))
    name = f"{ctx.workspace}:{PART}{now}-{secrets.token_hex(4)}"
    near = [*found.keys, *(key for pair in found.pairs for key in pair)]
    try:
        twinned(ctx.store, graph, graph_name(name), near)
        yield replace(ctx, workspace=name, viewer=replace(permissions.guest(), groups=frozenset({GROUP}))), found
    finally:
        ctx.store.drop(graph_name(name))


@dataclass(frozen=True)
class Composed:
    """A query that a tool puts together, asked beside the tool with names that no tool would hand on."""

    name: str
    parts: tuple[str, ...]
    args: Mapping[str, Any]
    hops: int | None


@dataclass(frozen=True)
class _Planned(Asking):
    """A question's surroundings that note which parts a composed query would have, and do not run it."""

    composed: list[Composed] = field(default_factory=list)

    def fragments(self, name: str, parts: tuple[str, ...], args: Mapping[str, Any], hops: int | None = None) -> Result:
        self.composed.append(Composed(name, parts, dict(args), hops))
        return Result(())


class _Calls:
    """What is asked, by the queries and parts that each call runs, and what came of it while every check was there."""

    def __init__(self, ctx: Asking, tools: Mapping[str, Tool], calls: Sequence[Asked]) -> None:
        self._surroundings = {name: getattr(ctx, name) for name in _SURROUNDINGS}
        self._tools = tools
        self._by_part: dict[str, list[Asked]] = defaultdict(list)
        self._beside: dict[str, list[Asked | Composed]] = {}
        self._known: dict[str, Any] = {}
        self._chosen: dict[str, list[Asked | Composed]] = {}
        for call in calls:
            composed = self._composed(call) if call.kind == "tool" else []
            self._beside[str(call)] = [*_about_twins(call), *(asked for query in composed for asked in _with_twins(query))]
            for part in {call.name, *(p for c in composed for p in c.parts)}:
                self._by_part[part].append(call)

    def notice(self, mutant: Mutant) -> bool:
        """Does anything change for the viewer?"""
        name = mutant.query.name
        if name not in self._chosen:
            self._chosen[name] = list(self._choose(self._by_part[name]))
        return any(self._outcome(call, mutant) != self._before(call) for call in self._chosen[name])

    def _choose(self, calls: Sequence[Asked]) -> Iterator[Asked | Composed]:
        """The calls that found something, of tools some, and beside each the same about hidden twins; a few of those that found
        nothing.
        """
        tried = _spread(calls, 4 * TRIES)
        found = [c for c in tried if _rows(self._before(c))]
        some = [*(c for c in found if c.kind == "query"), *self._telling([c for c in found if c.kind == "tool"])]
        for call in [*some, *[c for c in tried if c not in found][: TRIES // 4]]:
            yield from (call, *self._beside[str(call)])

    def _telling(self, calls: Sequence[Asked]) -> list[Asked]:
        """Some of these, first those that tell something of a kind that none before them did, then those that tell anything else."""
        chosen = list[Asked]()
        for kind in (_kind, str):
            told_by = {str(c): {(n, kind(v)) for row in self._before(c)["rows"] for n, v in row.items() if v} for c in calls}
            met = {said for c in chosen for said in told_by[str(c)]}
            while len(chosen) < TRIES and calls:
                most = max(calls, key=lambda c: len(told_by[str(c)] - met))
                if not told_by[str(most)] - met:
                    break
                met |= told_by[str(most)]
                chosen.append(most)
        return [*chosen, *_spread([c for c in calls if c not in chosen], TRIES - len(chosen))]

    def _before(self, call: Asked | Composed) -> Any:
        """What comes of a call while every check is there."""
        name = repr(call)
        if name not in self._known:
            self._known[name] = self._outcome(call, None)
        return self._known[name]

    def covered(self, mutant: Mutant) -> str:
        """The reason, where it is another check of the same thing that keeps it hidden: without those, this one does."""
        alone, none = together(mutant, itself=False), together(mutant)
        if mutant.query.kind == "derive" or alone is None or none is None:
            return ""
        return COVERED if any(self._outcome(c, alone) != self._outcome(c, none) for c in self._chosen[mutant.query.name]) else ""

    def _composed(self, call: Asked) -> list[Composed]:
        ctx = _Planned(**self._surroundings)
        with suppress(HopcheckError, IndexError):  # a tool that counts on rows finds none
            self._tools[call.name].run(ctx, **call.args)
        return ctx.composed

    def _outcome(self, call: Asked | Composed, mutant: Mutant | None) -> Any:
        ctx = _Mutated(**self._surroundings, mutant=mutant)
        try:
            if isinstance(call, Composed):
                return told(ctx.fragments(call.name, call.parts, call.args, call.hops))
            return told(self._tools[call.name].run(ctx, **call.args) if call.kind == "tool" else ctx.run(call.name, **call.args))
        except HopcheckError as err:
            return str(err)


def _with_twins(query: Composed) -> Iterator[Composed]:
    """The same about the things and their hidden twins, about the twins alone, and of one thing about the twins of others."""
    for alone, single in ((False, True), (True, True), (False, False)):
        args: dict[str, Any] = {}
        for name, value in query.args.items():
            if isinstance(value, list):
                twins = [twin(v) for v in value if isinstance(v, str) and ":" in v]
                args[name] = twins if alone and twins else [*value, *twins]
            else:
                args[name] = twin(value) if single and isinstance(value, str) and ":" in value else value
        yield replace(query, args=args)


def _spread(some: Sequence[Asked], most: int) -> list[Asked]:
    """At most so many of these, taken evenly."""
    return list(some) if len(some) <= most else [some[i * len(some) // most] for i in range(most)]


def _rows(outcome: Any) -> bool:
    return isinstance(outcome, dict) and bool(outcome.get("rows"))


def _kind(value: Any) -> str:
    """Of a word the word, of a key what it is the key of."""
    return value.partition(":")[0] if isinstance(value, str) and " " not in value else ""


def _about_twins(call: Asked) -> Iterator[Asked]:
    """The same call about the hidden twin of each thing it is about, about all of them and the things, and about them alone."""
    for name, value in call.args.items():
        if isinstance(value, str) and ":" in value:
            yield Asked(call.kind, call.name, {**call.args, name: twin(value)})
        elif isinstance(value, list) and any(isinstance(v, str) and ":" in v for v in value):
            twins = [twin(str(v)) for v in value]
            yield from (Asked(call.kind, call.name, {**call.args, name: some}) for some in ([*value, *twins], twins))


def _moves_edges(ctx: Asking, mutant: Mutant) -> bool:
    """Does the query derive anything else?"""
    return any(_edges(ctx, mutant.query.text, basis) != _edges(ctx, mutant.text, basis) for basis in derive.LABELS)


def _edges(ctx: Asking, text: str, basis: str) -> list[Mapping[str, Any]]:
    cypher = permissions.expand(text)
    given = {"labels": list(derive.LABELS[basis]), "viewer_basis": [derive.BOTH, basis]}
    used = {name: value for name, value in given.items() if f"${name}" in cypher}
    return list(ctx.store.read(graph_name(ctx.workspace), cypher, used, WRITE_TIMEOUT_MS).rows)
