"""The claims that a person has to decide about: to look at, to approve or reject one by one or in bulk, and to take back.

What is decided is written down first (`brain.decisions`), then set on the live edges, so that it shows at once and a graph
made anew knows it. Only an administrator decides; others see the claims whose sources they may read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import groupby
from typing import Any

from brain.connectors.extracted import RESOLVED
from brain.decisions import Decision
from brain.errors import BadInput
from brain.ingest import Workspace
from brain.permissions import FOREVER
from brain.schema import SLOTS, STATES
from brain.store import graph_name
from brain.tools.asking import Asking

MOST = 5000
REBUILDING = frozenset({"SAME_AS"})


@dataclass(frozen=True)
class Candidate:
    """A claim with its evidence: what it says, in which state it is, and the words it rests on. Times are epoch seconds. `against`
    names what is approved and holds now in the place that the claim would take.
    """

    aid: str
    rel: str
    src: str
    src_name: str
    dst: str
    dst_name: str
    state: str
    authority: str
    read_by: str
    scope: str
    recorded_at: int
    valid_from: int
    valid_to: int | None
    source: str
    source_name: str
    line: int
    quote: str
    file: str
    against: tuple[str, ...] = ()


@dataclass(frozen=True)
class Decided:
    """A decision as people look back on it: the claims it was about that still stand somewhere, and whether it was taken back."""

    decision: Decision
    claims: tuple[Candidate, ...]
    taken_back: bool


class Queue:
    """The claims of a workspace as one viewer may see and decide them."""

    def __init__(self, ctx: Asking, files: Workspace) -> None:
        self._ctx, self._files, self._now = replace(ctx, as_of=FOREVER - 1, known_at=None), files, ctx.as_of

    def page(
        self, states: Sequence[str] = ("candidate",), rels: Sequence[str] = (), words: str = "", skip: int = 0, k: int = 50
    ) -> tuple[int, list[Candidate]]:
        """How many claims there are in these states, of these relationships (none: any), called by these words; and `k` of
        them after the first `skip`.
        """
        if unknown := set(states) - set(STATES):
            raise BadInput(f"a claim is {', '.join(STATES)}, not {unknown.pop()!r}")
        return self._claims(states=list(states), rels=list(rels), words=words.strip().lower(), skip=skip, k=min(k, MOST))

    def counts(self, states: Sequence[str] = ("candidate",)) -> dict[str, int]:
        """How many claims there are in these states, by relationship, most first."""
        return {str(r["rel"]): int(r["n"]) for r in self._ctx.run("claim_counts", states=list(states)).rows}

    def of(self, aids: Iterable[str]) -> list[Candidate]:
        """The claims of these ids that the viewer may read, in whatever state."""
        wanted = list(dict.fromkeys(aids))
        return self._claims(states=list(STATES), aids=wanted, k=MOST)[1] if wanted else []

    def _claims(self, **args: Any) -> tuple[int, list[Candidate]]:
        rows = self._ctx.run("claims", **args).rows
        found = [_candidate(r) for r in rows]
        return (int(rows[0]["total"]) if rows else 0), self._contradicted(found)

    def _contradicted(self, claims: list[Candidate]) -> list[Candidate]:
        """The claims with what stands approved against those that wait."""
        wanted = {getattr(c, SLOTS[c.rel]) for c in claims if c.state == "candidate" and c.rel in SLOTS}
        if not wanted:
            return claims
        now = replace(self._ctx, as_of=self._now)
        rows = now.run("rivals", keys=sorted(wanted)).rows
        return [replace(c, against=_against(c, rows)) if c.state == "candidate" and c.rel in SLOTS else c for c in claims]

    def decide(self, aids: Iterable[str], state: str, at: int, reason: str = "") -> tuple[Decision, bool]:
        """The decision, written down and shown at once; and whether the graph must be made anew before it shows in full, as
        who is who reaches into everything. BadInput for who may not decide, and for a claim that is not there.
        """
        with self._files.lock():
            return self.decided(aids, state, at, reason, self._ctx.viewer.id)

    def decided(self, aids: Iterable[str], state: str, at: int, reason: str, by: str, action: str = "") -> tuple[Decision, bool]:
        """As `decide`, for who holds the load lock, in the name of `by`. What an action decided before is shown again, not decided
        again.
        """
        wanted = list(dict.fromkeys(aids))
        found = self._deciding(wanted)
        made = next((d for d in self._files.decisions.history() if action and d.action == action), None)
        if made is None:
            was = {c.aid: c.state for c in found}
            made = self._files.decisions.add(wanted, state, by, at, reason.strip(), was=was, action=action)
        return made, self._show(found, dict.fromkeys(wanted, state))

    def undo(self, n: int, at: int) -> tuple[Decision, bool]:
        """Takes decision `n` back: each of its claims is again what it was before, or what was decided about it otherwise."""
        with self._files.lock():
            return self.undone(n, at, self._ctx.viewer.id)

    def undone(self, n: int, at: int, by: str, again: bool = False) -> tuple[Decision, bool]:
        """As `undo`, for who holds the load lock, in the name of `by`. With `again`, what was taken back before is shown again."""
        self._may_decide()
        kept = self._files.decisions
        made = next((d for d in kept.history() if again and d.undoes == n), None) or kept.undo(n, by, at)
        states = {**dict.fromkeys(made.aids, "candidate"), **kept.read_as(), **kept.states()}
        return made, self._show(self.of(made.aids), states)

    def history(self, k: int = 20, claims: int = 5) -> list[Decided]:
        """The latest decisions, newest first, each with up to so many of its claims. Who does not decide is told of those alone
        all of whose claims they may read, and not by their numbers, which would tell of others.
        """
        made = self._files.decisions.history()
        undone = {d.undoes for d in made}
        latest = [d for d in reversed(made) if not d.undoes]
        if not self._ctx.viewer.admin:
            return self._read_by_others(latest, undone, k, claims)
        latest = latest[:k]
        known = {c.aid: c for c in self.of([a for d in latest for a in d.aids[:claims]])}
        return [Decided(d, tuple(known[a] for a in d.aids[:claims] if a in known), d.n in undone) for d in latest]

    def _read_by_others(self, latest: Sequence[Decision], undone: set[int], k: int, claims: int) -> list[Decided]:
        found: list[Decided] = []
        for d in latest:
            known = {c.aid: c for c in self.of(d.aids)} if len(found) < k else {}
            if known and set(known) == set(d.aids):
                found.append(Decided(replace(d, n=0), tuple(known[a] for a in d.aids[:claims]), d.n in undone))
        return found

    def _may_decide(self) -> None:
        if not self._ctx.viewer.admin:
            raise BadInput(f"{self._ctx.viewer.id} may not decide about claims; only the administrator may")

    def _deciding(self, aids: Sequence[str]) -> list[Candidate]:
        self._may_decide()
        if len(aids) > MOST:
            raise BadInput(f"{len(aids)} claims are more than the {MOST} that can be decided at once")
        found = self.of(aids)
        if lost := set(aids) - {c.aid for c in found}:
            raise BadInput(f"no claim has the id {min(lost)!r}; brain candidates list shows them")
        return found

    def _show(self, claims: Sequence[Candidate], states: Mapping[str, str]) -> bool:
        """Sets what stands decided on the live edges."""
        graph = graph_name(self._ctx.workspace)
        for rel, group in groupby(sorted(claims, key=lambda c: c.rel), key=lambda c: c.rel):
            self._ctx.store.set_states(graph, rel, [(c.src, c.dst, c.aid, states.get(c.aid, c.state)) for c in group])
        self._ctx.store.set_waiting(graph, sorted({key for c in claims for key in (c.src, c.dst) if key.startswith(RESOLVED)}))
        return any(c.rel in REBUILDING for c in claims)


def _against(claim: Candidate, rows: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """What is approved with the same fixed end and another free one, in words."""
    fixed = SLOTS[claim.rel]
    free = "src" if fixed == "dst" else "dst"
    same = [r for r in rows if r["rel"] == claim.rel and r[fixed] == getattr(claim, fixed)]
    if any(r[free] == getattr(claim, free) for r in same):
        return ()
    return tuple(dict.fromkeys(f"{r[f'{free}_name'] or r[free]}" for r in same))


def _candidate(row: Mapping[str, Any]) -> Candidate:
    numbers = ("recorded_at", "valid_from", "line")
    names = [f.name for f in fields(Candidate) if f.name not in (*numbers, "against")]
    given: dict[str, Any] = {n: str(row[n] or "") for n in names} | {n: int(row[n] or 0) for n in numbers}
    return Candidate(**{**given, "valid_to": row["valid_to"]})
