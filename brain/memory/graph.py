"""The graph that holds one viewer's memory: turns chained by NEXT, the runs each GAVE with what they CALLED, and facts LEARNED_FROM
a turn. A turn RESTS_ON what it was completed from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from brain.held import Held, kept
from brain.memory.items import Call, Fact, Gave, Turn
from brain.store import Store, graph_name
from brain.types import Answer
from brain.values import header

MOST_KEYS, MOST_CALLS = 300, 60
_TURN = (
    "MERGE (m:Memory {id: 'memory'}) ON CREATE SET m.n = 0 SET m.n = m.n + 1"
    " CREATE (t:Turn {id: $id, n: m.n, question: $q, completed: '', at: $at})"
    " WITH t MATCH (p:Turn) WHERE p.n < t.n WITH t, p ORDER BY p.n DESC LIMIT 1 CREATE (p)-[:NEXT]->(t)"
)
_RUN = (
    "MATCH (t:Turn {id: $turn}) SET t.completed = $completed"
    " CREATE (t)-[:GAVE]->(r:Run {id: $id, arm: $arm, state: $state, clearance: $clearance, groups: $groups, used: $used, keys: $keys})"
    " WITH r UNWIND range(0, size($calls) - 1) AS i WITH r, i, $calls[i] AS c"
    " CREATE (r)-[:CALLED]->(:Call {n: i, tool: c[0], why: c[1], keys: c[2]})"
)
_FACT = (
    "MATCH (t:Turn {id: $turn}) CREATE (f:Fact {id: $id, kind: $kind, key: $key, name: $name, words: $words, at: $at, until: $until})"
    "-[:LEARNED_FROM]->(t)"
)
_RESTS = "MATCH (t:Turn {id: $turn}) MATCH (x) WHERE x.id IN $on AND (x:Turn OR x:Fact) AND x.id <> $turn MERGE (t)-[:RESTS_ON]->(x)"
_RUNS = "MATCH (t:Turn)-[:GAVE]->(r:Run) "
_CALLS = "OPTIONAL MATCH (r)-[:CALLED]->(c:Call) WITH t, r, c ORDER BY c.n WITH t, r, collect([c.tool, c.why, c.keys]) AS calls "
_RIGHTS = "r.clearance AS clearance, r.groups AS groups, r.used AS used, r.keys AS keys"


class Graph:
    """One viewer's memory as it is stored; nothing here looks at rights."""

    def __init__(self, store: Store, workspace: str, viewer: str) -> None:
        self.store, self.name = store, name_of(workspace, viewer)

    def exists(self) -> bool:
        """Was anything remembered?"""
        return self.store.exists(self.name)

    # -- reading -----------------------------------------------------------------------------

    def facts(self) -> list[Fact]:
        """Every fact, the latest first."""
        rows = self._rows(
            "MATCH (f:Fact)-[:LEARNED_FROM]->(t:Turn) RETURN f.id AS id, f.kind AS kind, f.key AS key, f.name AS name, f.words AS words,"
            " f.at AS at, t.id AS turn, f.until AS until, t.n AS n ORDER BY n DESC, id"
        )
        return [Fact(**{name: value for name, value in row.items() if name != "n"}) for row in rows]

    def turns(self, ids: Sequence[str] | None = None, k: int = 50) -> list[Turn]:
        """The latest turns, newest first, without what their runs called; of these ids where any are given."""
        chosen = "" if ids is None else "WHERE t.id IN $ids "
        rows = self._rows(
            f"MATCH (t:Turn) {chosen}OPTIONAL MATCH (t)-[:GAVE]->(r:Run) WITH t, r ORDER BY r.arm"
            " RETURN t.id AS id, t.question AS question, t.completed AS completed, t.at AS at, t.n AS n,"
            " collect([r.id, r.arm, r.state]) AS runs ORDER BY n DESC LIMIT $k",
            ids=list(ids or ()), k=k,
        )  # fmt: skip
        return [Turn(r["id"], r["question"], r["completed"], r["at"], tuple(Gave(*run) for run in r["runs"] if run[0])) for r in rows]

    def calls(self, runs: Sequence[str]) -> dict[str, tuple[Call, ...]]:
        """What each of these runs called."""
        rows = self._rows(f"{_RUNS}WHERE r.id IN $runs {_CALLS}RETURN r.id AS run, calls ORDER BY run", runs=list(runs))
        return {str(row["run"]): tuple(Call(c[0], c[1], tuple(c[2] or ())) for c in row["calls"] if c[0]) for row in rows}

    def rights(self) -> dict[str, Held]:
        """What each run holds, by its id."""
        rows = self._rows(f"{_RUNS}RETURN r.id AS run, {_RIGHTS} ORDER BY run")
        return {str(row["run"]): kept(row) for row in rows}

    def turn_of(self, run: str) -> str:
        """The id of the turn that gave a run; empty when none did."""
        return next((str(row["id"]) for row in self._rows(f"{_RUNS}WHERE r.id = $run RETURN t.id AS id ORDER BY id LIMIT 1", run=run)), "")

    def resting_on(self, ids: Sequence[str]) -> set[str]:
        """The turns that rest on one of these turns or facts, directly or by others."""
        query = "MATCH (t:Turn)-[:RESTS_ON*1..]->(x) WHERE x.id IN $ids RETURN DISTINCT t.id AS id ORDER BY id"
        return {str(row["id"]) for row in self._rows(query, ids=list(ids))}

    def _rows(self, query: str, **params: Any) -> Sequence[Mapping[str, Any]]:
        return self.store.read(self.name, query, params).rows if self.exists() else ()

    # -- writing -----------------------------------------------------------------------------

    def add_turn(self, turn: str, question: str, at: int) -> None:
        """A turn behind the latest."""
        self._write(_TURN, id=turn, q=question, at=at)

    def add_run(self, turn: str, answer: Answer, held: Held, completed: str) -> None:
        """A run that a turn gave, what it may be read with, and what it called."""
        calls = [[s.tool, s.why, _touched(s.nodes, s.edges)] for s in answer.steps[:MOST_CALLS]]
        rights = {"clearance": sorted(held.clearance), "groups": sorted(held.groups), "used": sorted(held.used), "keys": list(held.keys)}
        self._write(_RUN, turn=turn, id=answer.run, arm=answer.arm, state=answer.state, completed=completed, calls=calls, **rights)

    def add_fact(self, fact: Fact) -> None:
        """A fact with the turn it was learned from."""
        self._write(_FACT, **asdict(fact))

    def rest(self, turn: str, on: Sequence[str]) -> None:
        """Notes which turns and facts a turn was completed from."""
        if on:
            self._write(_RESTS, turn=turn, on=list(on))

    def drop_facts(self, ids: Sequence[str]) -> None:
        """Deletes these facts."""
        self._write("MATCH (f:Fact) WHERE f.id IN $ids DELETE f", ids=list(ids))

    def drop_turns(self, ids: Sequence[str]) -> None:
        """Deletes these turns with their runs; the chain closes over them."""
        for turn in ids:
            self._write("MATCH (p:Turn)-[:NEXT]->(t:Turn {id: $id})-[:NEXT]->(n:Turn) CREATE (p)-[:NEXT]->(n)", id=turn)
            self.drop_runs([turn])
            self._write("MATCH (t:Turn {id: $id}) DELETE t", id=turn)

    def drop_runs(self, turns: Sequence[str]) -> None:
        """Deletes the runs of these turns, with what they called."""
        self._write("MATCH (t:Turn)-[:GAVE]->(r:Run)-[:CALLED]->(c:Call) WHERE t.id IN $ids DELETE c", ids=list(turns))
        self._write("MATCH (t:Turn)-[:GAVE]->(r:Run) WHERE t.id IN $ids DELETE r", ids=list(turns))

    def reword(self, turn: str, question: str) -> None:
        """Gives a turn other words, and leaves nothing that was completed from them."""
        self._write("MATCH (t:Turn {id: $id}) SET t.question = $q, t.completed = ''", id=turn, q=question)

    def drop(self) -> None:
        """Deletes the whole memory."""
        self.store.drop(self.name)

    def _write(self, query: str, **params: Any) -> None:
        self.store.write(self.name, header(params) + query)


def name_of(workspace: str, viewer: str) -> str:
    """The graph of a viewer's memory. No two viewers share one: every byte that is not a plain letter, digit or `_.-~` is written out."""
    return graph_name(workspace, f"mem:{quote(viewer, safe='')}")


def _touched(nodes: Sequence[Any], edges: Sequence[Any]) -> list[str]:
    return list(dict.fromkeys([n.key for n in nodes] + [end for e in edges for end in (e.src, e.dst)]))[:MOST_KEYS]
