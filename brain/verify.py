"""The verifier; no model in it. A claim stands when the run itself was given every key it cites, a
real path of at most four hops leads there from what the question names, and every number, date, name and
quote in it is in the rows or the stored line (`brain.statements`). A claim about an aggregate is checked by running the
aggregate again.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from brain import schema
from brain.agents.run import Fact
from brain.errors import ToolError
from brain.statements import Statements, keys
from brain.store import graph_name
from brain.tools.asking import Asking
from brain.tools.paths import between
from brain.types import Claim, Edge, Step, Verdict

MAX_HOPS = 4


@dataclass
class Verifier:
    """Checks the facts of one run. `entries` are the keys the question starts from, `again` calls the tool of a step once more, `strict`
    is for words that were not made from the rows (see `brain.statements`).
    """

    ctx: Asking
    steps: Sequence[Step]
    entries: Sequence[str]
    again: Callable[[Step], Sequence[Mapping[str, Any]] | None] = lambda step: None
    strict: bool = False
    _links: dict[str, list[tuple[str, str, str, str]]] = field(default_factory=lambda: defaultdict(list))
    _returned: set[str] = field(default_factory=set)
    _words: Statements = field(init=False)
    _again: dict[int, bool] = field(default_factory=dict)
    _found: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._words = Statements(self.steps, self.entries, self.strict)
        for step in self.steps:
            self._returned |= {n.key for n in step.nodes} | set(keys(step.rows))
            for e in step.edges:
                if e.rel not in schema.HUBS:
                    self._link(e)

    def _link(self, e: Edge) -> None:
        """A relationship leads from either end to the other, and to the source a claim stands in."""
        self._links[e.src].append((e.dst, e.src, e.rel, e.dst))
        self._links[e.dst].append((e.src, e.src, e.rel, e.dst))
        if source := e.props.get("access_key"):
            for end in (e.src, e.dst):
                self._links[end].append((str(source), e.src, e.rel, e.dst))

    def check(self, facts: Sequence[Fact]) -> list[Claim]:
        """Every fact as a claim with its verdict, the path that proves it, and the reason if it fails."""
        paths = self._evidence_paths({c for f in facts for c in f.cites})
        stored = self._stored_texts({q.source for f in facts for q in f.quotes})
        return [self._one(f, paths, stored) for f in facts]

    def _one(self, fact: Fact, paths: Mapping[str, tuple[str, ...]], stored: Mapping[str, list[Mapping[str, Any]]]) -> Claim:
        claim = Claim(fact.text, fact.cites, fact.quotes)
        unknown = [c for c in fact.cites if c not in self._returned and c not in self.entries]
        if unknown:
            return replace(claim, reason=f"{unknown[0]} was not returned by any tool of this run")
        for quote in fact.quotes:
            if not _in_store(quote.text, quote.line, stored.get(quote.source, [])):
                return replace(claim, reason=f"the quote is not in line {quote.line} of {quote.source}")
        missing = self._words.unheld(fact)
        if missing:
            verdict: Verdict = "contradicted" if fact.aggregate else "unsupported"
            return replace(claim, verdict=verdict, reason=f"{missing} is in no row the claim cites")
        if fact.aggregate or not self.entries:
            return self._by_rerun(claim, fact)
        return self._by_path(claim, fact, paths)

    # -- (1, 2) keys and paths ---------------------------------------------------------------

    def _by_rerun(self, claim: Claim, fact: Fact) -> Claim:
        if not self._repeats(fact.step) and not self._found_again(fact):
            return replace(claim, reason="running its query again gave something else")
        return replace(claim, verdict="supported", reason="its query, run again, gives the same", path=fact.cites[:1])

    def _by_path(self, claim: Claim, fact: Fact, paths: Mapping[str, tuple[str, ...]]) -> Claim:
        longest: tuple[str, ...] = ()
        for cite in fact.cites:
            path = (cite,) if cite in self.entries else paths.get(cite) or self._search(cite)
            if not path:
                return replace(claim, reason=f"no path of at most {MAX_HOPS} hops leads from what the question names to {cite}")
            longest = max(longest, path, key=len)
        if not fact.cites:
            return replace(claim, reason="it cites nothing")
        return replace(claim, verdict="supported", hops=max(0, len(longest) - 1), path=longest)

    def _evidence_paths(self, cites: set[str]) -> dict[str, tuple[str, ...]]:
        """Paths over relationships the run was shown, each hop checked again in the graph."""
        came: dict[str, tuple[str, tuple[str, str, str]] | None] = {e: None for e in self.entries}
        queue = deque((e, 0) for e in self.entries)
        while queue:
            at, depth = queue.popleft()
            for other, src, rel, dst in self._links[at] if depth < MAX_HOPS else ():
                if other not in came:
                    came[other] = (at, (src, rel, dst))
                    queue.append((other, depth + 1))
        routes = {c: _route(came, c) for c in cites if came.get(c)}
        wanted = {hop for _, hops in routes.values() for hop in hops}
        standing = self._standing(wanted)
        return {c: nodes for c, (nodes, hops) in routes.items() if all(h in standing for h in hops)}

    def _standing(self, hops: set[tuple[str, str, str]]) -> set[tuple[str, str, str]]:
        if not hops:
            return set()
        pairs = sorted({f"{a}\n{b}" for a, _, b in hops})
        rels = sorted({rel for _, rel, _ in hops})
        rows = self.ctx.run("edges_stand", pairs=pairs, rels=rels).rows
        return {(str(r["pair"]).split("\n")[0], str(r["rel"]), str(r["pair"]).split("\n")[1]) for r in rows}

    def _search(self, cite: str) -> tuple[str, ...]:
        if cite not in self._found:
            try:
                self._found[cite] = between(self.ctx, self.entries, cite)
            except ToolError:
                self._found[cite] = ()
        return self._found[cite]

    # -- (3) what the words state ------------------------------------------------------------

    def _repeats(self, n: int) -> bool:
        """Does the step's query, run again, give the same rows?"""
        if n not in self._again:
            step = self.steps[n - 1] if 0 < n <= len(self.steps) else None
            if step is None or not step.cypher:
                self._again[n] = False
            else:
                again = self.ctx.store.read(graph_name(self.ctx.workspace), step.cypher, step.params)
                self._again[n] = _comparable(again.rows) == _comparable(step.rows) or self._told_again(step)
        return self._again[n]

    def _found_again(self, fact: Fact) -> bool:
        """Of a search for words or meaning: does it find what is cited again, as it was? What else it finds may differ when much is going
        on, for such an index is searched in part.
        """
        step = self.steps[fact.step - 1] if 0 < fact.step <= len(self.steps) else None
        told = [row for row in step.rows if row.get("src") in fact.cites] if step else []
        if step is None or not step.cypher or not told or any("chunk" not in row for row in told):
            return False
        again = self.ctx.store.read(graph_name(self.ctx.workspace), step.cypher, step.params)
        return {*_comparable(told)} <= {*_comparable(again.rows)}

    def _told_again(self, step: Step) -> bool:
        """Does a tool that makes its rows of what its query gives say the same when it is called again?"""
        rows = self.again(step)
        return rows is not None and _comparable(rows) == _comparable(step.rows)

    def _stored_texts(self, keys: set[str]) -> dict[str, list[Mapping[str, Any]]]:
        found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        if keys:
            for row in self.ctx.run("chunks_for", keys=sorted(keys), per=200).rows:
                found[str(row["src"])].append(row)
        return found


def _route(came: Mapping[str, Any], cite: str) -> tuple[tuple[str, ...], list[tuple[str, str, str]]]:
    nodes, hops = [cite], []
    while came[nodes[-1]] is not None:
        before, hop = came[nodes[-1]]
        nodes.append(before)
        hops.append(hop)
    return tuple(reversed(nodes)), hops


def _in_store(text: str, line: int, rows: Iterable[Mapping[str, Any]]) -> bool:
    wanted = " ".join(text.split())
    for row in rows:
        near = not line or int(row["line"] or 0) <= line <= max(int(row["line_end"] or 0), int(row["line"] or 0))
        if near and wanted in " ".join(str(row["text"]).split()):
            return True
    return False


def _comparable(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [repr(sorted((k, _rounded(v)) for k, v in row.items())) for row in rows]


def _rounded(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else repr(value)
