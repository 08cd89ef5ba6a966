"""What the access rule is worth: how often one goes from what a viewer may see to something hidden, with the rule and without.

The measures are those of S. Thornton, "Retrieval Pivot Attacks in Hybrid RAG" (arXiv 2602.08668), for questions q and the
results S(q), of which S_k(q) are the first k:

- Retrieval Pivot Risk: the probability over the questions that S(q) holds something the asker may not see;
- Leakage@k: how many such things S_k(q) holds, here the mean over the questions;
- Amplification Factor: the mean Leakage@k over the graph divided by that over passages alone, both without the rule (where
  passages keep theirs, as in the paper, they leak nothing and the factor has no bound);
- Pivot Depth: the hops from the seed to the first such thing, here the median over the questions that meet one.

A seed is what a viewer may see of a question: the sources of the passages nearest to it, or one entity that has this name. The
graph is followed from there as `expand` does it, hop by hop; passages are searched by meaning, and by words as well. What is
hidden is decided on the stored labels, not by the rule that is measured. Only numbers come out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean, median_low
from typing import Any

from brain import permissions
from brain.audit import copying
from brain.audit.unfiltered import Unfiltered
from brain.audit.viewpoints import viewpoints
from brain.brain import Brain
from brain.errors import BadInput, Cancelled
from brain.text.analysis import query_terms
from brain.text.ranking import rrf
from brain.tools.asking import Asking
from brain.types import Edge, Result, Viewer

K, SEEDS, FAN, HOPS = 50, 3, 8, 3
VIEWERS, QUESTIONS, NAMES = 8, 25, 10
ARMS = ("graph", "vector", "hybrid")
MEASURES = ("rpr", "leakage", "amplification", "pivot_depth", "items")
Progress = Callable[[str, int, int], None]
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Question:
    """A text, and the entity that has it for its name, if it is one."""

    text: str
    entity: str = ""


@dataclass(frozen=True)
class Item:
    """One result: how far from the seed it was met, and whether the viewer may not see it."""

    depth: int
    hidden: bool


@dataclass
class Measures:
    """What one arm gave for each seed."""

    found: list[Sequence[Item]] = field(default_factory=list)

    def plain(self, passages: float | None = None) -> dict[str, Any]:
        """As JSON; `passages` is the leakage over passages that this one's is compared with, if it is to be."""
        leaks = [[i.depth for i in items if i.hidden] for items in self.found]
        leakage = mean(map(len, leaks)) if leaks else 0.0
        met: list[int] = [first for depths in leaks if (first := min(depths, default=0))]
        return {
            "rpr": round(sum(map(bool, leaks)) / len(leaks), 4) if leaks else 0.0, "leakage": round(leakage, 4),
            "amplification": round(leakage / passages, 2) if passages else None, "pivot_depth": median_low(met) if met else None,
            "items": sum(map(len, self.found)),
        }  # fmt: skip


class Labels:
    """The stored labels of a workspace, read once, and what they hide from a viewer."""

    def __init__(self, things: Iterable[Row], links: Iterable[Row]) -> None:
        self._things = {str(t["key"]): t for t in things}
        self._links = {(str(x["src"]), str(x["rel"]), str(x["dst"]), _mark(x)): x for x in links}

    @classmethod
    def of(cls, everything: Asking) -> Labels:
        """Those of a workspace, as its administrator reads them."""
        return cls(_pages(everything, "labels_of_things", "key"), _pages(everything, "labels_of_links", "n"))

    def hides(self, viewer: Viewer, key: str) -> bool:
        """May the viewer not see the thing of this key? What is not stored is hidden."""
        return not copying.may_see(viewer)(self._things.get(key, {}))

    def hides_link(self, viewer: Viewer, edge: Edge) -> bool:
        """May the viewer not see this relationship, its ends left aside?"""
        props = self._links.get((edge.src, edge.rel, edge.dst, _mark(edge.props)))
        if props is None:
            return False
        if props["basis"]:
            return props["basis"] not in ("both", *viewer.clearance)
        return not copying.may_see(viewer)(props)


def _pages(ctx: Asking, query: str, column: str) -> Iterator[Row]:
    last: dict[str, Any] = {}
    while rows := ctx.run(query, **last).rows:
        yield from rows
        last = {"after": rows[-1][column]}


def _mark(props: Row) -> str:
    return str(props.get("aid") or props.get("basis") or props.get("id") or "")


@dataclass
class _Room:
    """The labels, and what was read already; without the rule every viewer is given the same, so it is read once."""

    labels: Labels
    vectors: dict[str, list[float] | None] = field(default_factory=dict)
    read: dict[tuple[Viewer | None, str, str], Result] = field(default_factory=dict)

    def get(self, ctx: Asking, query: str, what: str, **args: Any) -> Result:
        """The result of a query about a text or key, for whoever asks."""
        name = (None if isinstance(ctx, Unfiltered) else ctx.viewer, query, what)
        if name not in self.read:
            self.read[name] = ctx.run(query, **args)
        return self.read[name]


def run(brain: Brain, *, progress: Progress = lambda *a: None, cancelled: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """The measures over the questions that are suggested, as JSON; see `measure`."""
    return measure(brain, progress=progress, cancelled=cancelled)


def measure(
    brain: Brain,
    questions: Sequence[str] = (),
    *,
    viewers: Sequence[Viewer] = (),
    k: int = K,
    progress: Progress = lambda *a: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """The measures over the given questions, else those suggested to each viewer, and over the names of entities they may see;
    for those viewers, else for up to eight who differ in what they may see. BadInput when nothing is loaded.
    """
    if not brain.loaded():
        raise BadInput(f"nothing is loaded in {brain.workspace!r}; load something: brain demo, or brain ingest")
    everything = brain.asking(permissions.local_admin())
    room = _Room(Labels.of(everything))
    found = {arm: (Measures(), Measures()) for arm in ARMS}
    asked = viewers or [v.viewer for v in viewpoints(everything, most=VIEWERS)]
    seeds = 0
    for i, viewer in enumerate(asked):
        on = brain.asking(viewer)
        off = Unfiltered(on.store, on.workspace, viewer, on.as_of, on.embedder, on.catalogue)
        for question in _questions(on, questions or brain.suggestions(viewer)):
            progress("following what each viewer may see", i, len(asked))
            if cancelled():
                raise Cancelled("stopped; the last result is kept")
            start = _seeds(on, question, room)
            seeds += bool(start)
            if start:
                _measure(found, room, (on, off), question.text, start, k)
    passages = found["vector"][1].plain()["leakage"]
    told = {arm: {"on": on.plain(), "off": off.plain(passages if arm == "graph" else None)} for arm, (on, off) in found.items()}
    return {"k": k, "seeds": seeds, "viewers": len(asked), "arms": told}


def _measure(
    found: dict[str, tuple[Measures, Measures]], room: _Room, sides: tuple[Asking, Asking], text: str, start: Sequence[str], k: int
) -> None:
    """Adds what every arm gives with the rule and without."""
    for side, ctx in enumerate(sides):
        found["graph"][side].found.append(_followed(ctx, room, start, k))
        for arm in ARMS[1:]:
            chunks = rrf([[str(r["chunk"]) for r in got.rows] for got in _searched(ctx, text, arm, room)])
            found[arm][side].found.append([Item(0, room.labels.hides(ctx.viewer, chunk)) for chunk, _ in chunks[:k]])


def _questions(ctx: Asking, texts: Sequence[str]) -> Iterator[Question]:
    """The questions, and the names of some entities the viewer may see, of every kind some."""
    yield from (Question(text) for text in texts[:QUESTIONS])
    for query in ("lexicon_things", "lexicon_people", "lexicon_repos", "lexicon_concepts"):
        rows = [(str(r["key"]), r) for r in ctx.run(query).rows]
        for key, row in sorted(rows, key=lambda r: r[0])[:: max(1, len(rows) // NAMES)][:NAMES]:
            yield Question(str(row.get("name") or row["names"][0]), key)


def _seeds(ctx: Asking, question: Question, room: _Room) -> list[str]:
    """What to start from: the entity, or the sources of the passages nearest to the question that the viewer may see."""
    if question.entity:
        return [question.entity]
    rows = _searched(ctx, question.text, "vector", room)
    return list(dict.fromkeys(str(r["src"]) for got in rows for r in got.rows))[:SEEDS]


def _searched(ctx: Asking, text: str, arm: str, room: _Room) -> list[Result]:
    """What an arm searches: by meaning, and where it is hybrid or there are no vectors, by words."""
    if text not in room.vectors:
        room.vectors[text] = [float(x) for x in ctx.embedder.embed([text])[0]] if ctx.embedder else None
    vector, terms = room.vectors[text], query_terms(text)
    found = [room.get(ctx, "vector_scan", text, vector=vector, k=K)] if vector else []
    if terms and (arm == "hybrid" or not any(got.rows for got in found)):
        found.append(room.get(ctx, "search_text", text, terms=terms, k=K))
    return found


def _followed(ctx: Asking, room: _Room, start: Sequence[str], k: int) -> list[Item]:
    """The first k things met from the seeds on, breadth first, the newest neighbours of each; hidden is also what only hidden
    relationships lead to.
    """
    met, ring = dict.fromkeys(start, True), list(start)
    items = [Item(0, room.labels.hides(ctx.viewer, key)) for key in start]
    for depth in range(1, HOPS + 1):
        fresh: list[str] = []
        for key in ring:
            if len(items) >= k:
                return items[:k]
            for other, hidden in _neighbours(ctx, room, key):
                if other not in met:
                    met[other] = True
                    fresh.append(other)
                    items.append(Item(depth, hidden))
        ring = fresh
    return items[:k]


def _neighbours(ctx: Asking, room: _Room, key: str) -> Iterator[tuple[str, bool]]:
    got, labels = room.get(ctx, "expand", key, key=key, k=FAN), room.labels
    for other in dict.fromkeys(str(r["key"]) for r in got.rows):
        links = [e for e in got.edges if {e.src, e.dst} == {key, other}]
        yield other, labels.hides(ctx.viewer, other) or (bool(links) and all(labels.hides_link(ctx.viewer, e) for e in links))
