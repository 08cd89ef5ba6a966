"""Memory: one viewer's own. Viewers that are shared have none, nor has an administrator who looks as somebody else, who would
otherwise read theirs. What is in it is given back only while the rights of now cover it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from brain import runs
from brain.errors import BadInput
from brain.held import Held, covered
from brain.memory.graph import Graph
from brain.memory.items import ON_CALL, ONE_OF_A_KIND, OWNS, WORKS_ON, Fact, Forgotten, Turn
from brain.memory.naming import Named
from brain.memory.statements import Stated, statements
from brain.text.lexicon import Lexicon
from brain.tools.asking import Asking
from brain.types import Viewer

_THINGS = frozenset({WORKS_ON, OWNS})
_GONE, _ALL = "[forgotten]", 1_000_000


@dataclass(frozen=True)
class Memory:
    """What is remembered of the viewer that `asking` asks for; `everything` asks as one who may see all that is loaded (None:
    nothing is), `names` gives the names the viewer may see, `now` is the present instant.
    """

    asking: Asking
    everything: Asking | None
    names: Callable[[], Lexicon]
    now: int

    @property
    def viewer(self) -> Viewer:
        """Whose memory it is."""
        return self.asking.viewer

    @property
    def off(self) -> str:
        """Why nothing is remembered of this viewer; empty when it is."""
        if self.viewer.by:
            return "nothing is remembered while you look as somebody else"
        return "nothing is remembered of viewers that are not known: several people may share them" if self.viewer.id in runs.SHARED else ""

    @property
    def graph(self) -> Graph:
        """Where it is kept."""
        return Graph(self.asking.store, self.asking.workspace, self.viewer.id)

    # -- reading -----------------------------------------------------------------------------

    def facts(self) -> list[Fact]:
        """What the viewer said about themselves, the latest first."""
        found = [] if self.off else self.graph.facts()
        open_ = self._open({f.id: Held(frozenset(), frozenset(), frozenset(), (f.key,) if f.key else ()) for f in found})
        return [f for f in found if f.id in open_]

    def holding(self) -> list[Fact]:
        """The facts that hold at the instant asked about."""
        return [f for f in self.facts() if f.until is None or f.until > self.asking.as_of]

    def turns(self, k: int = 50) -> list[Turn]:
        """The latest questions, newest first, with what their runs called."""
        graph = self.graph
        if self.off or not graph.exists():
            return []
        closed = (held := graph.rights()).keys() - self._open(held)
        found = [t for t in graph.turns(k=k + len(closed)) if not any(r.run in closed for r in t.runs)][:k]
        calls = graph.calls([r.run for t in found for r in t.runs])
        return [replace(t, runs=tuple(replace(r, calls=calls.get(r.run, ())) for r in t.runs)) for t in found]

    def last(self) -> tuple[str, ...]:
        """The runs of the latest question that gave any; empty when there is none to read."""
        return next((tuple(r.run for r in t.runs) for t in self.turns(k=5) if t.runs), ())

    def _open(self, held: dict[str, Held]) -> set[str]:
        """Those of these items that the viewer may read now."""
        if self.viewer.admin:
            return set(held)
        return covered(held, self.viewer, self.everything) if self.everything is not None and held else set()

    # -- learning ----------------------------------------------------------------------------

    def read(self, text: str) -> list[Stated]:
        """The statements about themselves that a viewer makes in a text."""
        run = self.asking.run
        return statements(text, Named(self.names(), lambda query, **params: run(query, **params).rows, self.asking.as_of))

    def learn(self, stated: Sequence[Stated], turn: str) -> tuple[list[Fact], list[Fact]]:
        """What was learned from a turn's statements, and which facts went for it: replaced, or no longer so."""
        learned: list[Fact] = []
        gone: list[Fact] = []
        for said in stated:
            new = [Fact(uuid.uuid4().hex[:8], said.kind, key, name, said.words, self.now, turn, said.until) for key, name in said.named]
            if said.kind == ON_CALL and not new and not said.denied:
                new = [Fact(uuid.uuid4().hex[:8], said.kind, "", "", said.words, self.now, turn, said.until)]
            known = [f for f in self.graph.facts() if f not in gone and _gives_way(f, said, learned)]
            self.graph.drop_facts([f.id for f in known])
            gone += [f for f in known if f not in learned]
            if not said.denied and not said.unknown:
                for fact in new:
                    self.graph.add_fact(fact)
                learned += new
        return learned, [f for f in gone if (f.kind, f.key) not in {(n.kind, n.key) for n in learned}]

    def tell(self, words: str, instead: str = "") -> list[Fact]:
        """Learns what the words state, in place of the fact of the id `instead` where one is given. BadInput when there is no such
        fact, or the words state nothing.
        """
        if self.off:
            raise BadInput(self.off)
        wrong = self._fact(instead) if instead else None
        stated = [s for s in self.read(words) if not s.unknown and not s.denied]
        if not stated:
            raise BadInput(f"{words!r} states nothing about yourself that is known here; write, for instance: I work on …")
        turn = uuid.uuid4().hex[:12]
        self.graph.add_turn(turn, words, self.now)
        if wrong is not None:
            self.graph.drop_facts([wrong.id])
        return self.learn(stated, turn)[0]

    def _fact(self, ident: str) -> Fact:
        found = next((f for f in self.facts() if f.id == ident), None)
        if found is None:
            raise BadInput(f"nothing known of you has the id {ident!r}; brain memory list shows what is")
        return found

    # -- forgetting --------------------------------------------------------------------------

    def forget(self, ident: str) -> Forgotten:
        """Forgets a fact with the question in which it was said, or a question with what was learned from it; with the runs of
        that question, and with what was completed from it later. BadInput for an id that is neither's.
        """
        if fact := next((f for f in self.facts() if f.id == ident), None):
            kept = [f for f in self.graph.facts() if f.turn == fact.turn and f.id != fact.id]
            return self._reword(fact, kept) if kept else self._forget([fact.turn])
        if not any(t.id == ident for t in (() if self.off else self.graph.turns([ident]))):
            raise BadInput(f"nothing remembered has the id {ident!r}; brain memory list shows what is")
        return self._forget([ident])

    def forget_everything(self) -> Forgotten:
        """Forgets every fact and question, and every kept run of this viewer's."""
        if self.off:
            raise BadInput(self.off)
        facts, turns = self.graph.facts(), self.graph.turns(k=_ALL)
        self.graph.drop()
        gone = runs.forget(self.asking.store, self.asking.workspace, self.viewer)
        return Forgotten(len(facts), len(turns), gone, 0, self._rewritten())

    def _forget(self, turns: Sequence[str]) -> Forgotten:
        facts = [f.id for f in self.graph.facts() if f.turn in turns]
        wiped = self._wiped([*turns, *facts], but=turns)
        lost = self._runs_of(turns)
        self.graph.drop_facts(facts)
        self.graph.drop_turns(turns)
        gone = runs.forget(self.asking.store, self.asking.workspace, self.viewer, [*lost, *wiped[1]])
        return Forgotten(len(facts), len(turns), gone, wiped[0], self._rewritten())

    def _reword(self, fact: Fact, kept: Sequence[Fact]) -> Forgotten:
        """Takes one fact out of a turn that taught others as well: its words go from the turn and from those that share them."""
        turn = self.graph.turns([fact.turn])[0]
        wiped = self._wiped([fact.id, turn.id], but=[turn.id])
        lost = self._runs_of([turn.id])
        self.graph.drop_runs([turn.id])
        self.graph.reword(turn.id, turn.question.replace(fact.words, _GONE))
        self.graph.drop_facts([fact.id, *(f.id for f in kept if f.words == fact.words)])
        for other in (f for f in kept if f.words == fact.words):
            self.graph.add_fact(replace(other, words=other.sentence))
        gone = runs.forget(self.asking.store, self.asking.workspace, self.viewer, [*lost, *wiped[1]])
        return Forgotten(1, 0, gone, wiped[0], self._rewritten())

    def _wiped(self, ids: Sequence[str], but: Sequence[str]) -> tuple[int, list[str]]:
        """Takes from later turns what was completed from these: their completed text and runs, not the words of the viewer."""
        later = [t for t in self.graph.turns([*self.graph.resting_on(ids)], k=_ALL) if t.id not in but]
        lost = [r.run for t in later for r in t.runs]
        self.graph.drop_runs([t.id for t in later])
        for turn in later:
            self.graph.reword(turn.id, turn.question)
        return len(later), lost

    def _runs_of(self, turns: Sequence[str]) -> list[str]:
        return [r.run for t in self.graph.turns(turns, k=_ALL) for r in t.runs]

    def _rewritten(self) -> bool:
        return self.asking.store.rewrite((self.graph.name, runs.where(self.asking.workspace)))


def _gives_way(fact: Fact, said: Stated, learned: Sequence[Fact]) -> bool:
    """Does a known fact end by what is said now?"""
    kinds = _THINGS if said.kind in _THINGS else {said.kind}
    if fact.kind not in kinds or said.unknown:
        return False
    named = {key for key, _ in said.named}
    if said.denied:
        return not named or fact.key in named
    if fact in learned:
        return fact.kind == said.kind and fact.key in named
    replaced = said.kind in ONE_OF_A_KIND and not said.more
    return replaced or said.wrong or (fact.kind == said.kind and fact.key in named)
