"""Precision and recall of a model on the labelled set, of the claims and decisions that stand after every check. What waits for a name
stands nowhere: it is counted beside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from brain.errors import ModelDown
from brain.extract import prompt
from brain.extract.extraction import judge
from brain.extract.kept import Reading
from brain.extract.names import Names
from brain.extract.outcome import Claimed, Outcome
from brain.llm.talk import Model
from eval.extraction.labelled import NOW, Gold, Labelled


@dataclass(frozen=True)
class Score:
    """How many were right, how many stood, how many there are."""

    right: int
    stood: int
    gold: int

    def __add__(self, other: Score) -> Score:
        return Score(self.right + other.right, self.stood + other.stood, self.gold + other.gold)

    @property
    def precision(self) -> float | None:
        """The share of what stood that is right; None where nothing stood."""
        return self.right / self.stood if self.stood else None

    @property
    def recall(self) -> float | None:
        """The share of what there is that stood; None where there is nothing."""
        return self.right / self.gold if self.gold else None


@dataclass(frozen=True)
class Measured:
    """What became of one text: its scores, what stood that is wrong, what is missing, and what waited or was refused."""

    id: str
    kind: str
    claims: Score
    decisions: Score
    reasons: Score
    wrong: tuple[str, ...]
    missing: tuple[str, ...]
    refused: tuple[str, ...]
    unsettled: int
    error: str = ""


def measure(
    texts: Sequence[Labelled], names: Names, opened: Callable[[], Model], parallel: int = 4,
    progress: Callable[[str, int, int], None] = lambda *a: None,
) -> list[Measured]:  # fmt: skip
    """Each text read by a model and judged; a text that no model answered is a miss, and says so."""
    found: list[Measured] = []
    with ThreadPoolExecutor(max_workers=parallel) as pool:
        for one in pool.map(lambda text: _one(text, names, opened), texts):
            found.append(one)
            progress("reading texts", len(found), len(texts))
    return found


def _one(text: Labelled, names: Names, opened: Callable[[], Model]) -> Measured:
    outcome, error = Outcome(), ""
    try:
        reply = opened().ask(prompt.request(text.part))
        judge(text.part, Reading("", "", "", reply.model, reply.text, reply.finish), names, NOW, outcome)
    except ModelDown as why:
        error = str(why)
    return scored(text, outcome, error)


def scored(text: Labelled, outcome: Outcome, error: str = "") -> Measured:
    """What stands of a text beside what it states."""
    stood = {_triple(c): c for c in outcome.claims}
    gold = {(g.src, g.rel, g.dst): g for g in text.states}
    right = [t for t, c in stood.items() if t in gold and _dated(c, gold[t])]
    where = {(ln.source, ln.line): n for n, ln in enumerate(text.part.lines, 1)}
    decided = {_decided_at(d.claims, where, text): d for d in outcome.decisions}
    wanted = {d.line: d for d in text.decides}
    because = [(n, where.get((c.source, c.line), 0)) for n, d in decided.items() for c in d.claims if c.rel == "JUSTIFIED_BY"]
    reasons = {(d.line, n) for d in text.decides for n in d.because}
    on_claims, on_reasons = Score(len(right), len(stood), len(gold)), Score(len(set(because) & reasons), len(because), len(reasons))
    on_decisions = Score(len(set(decided) & set(wanted)), len(outcome.decisions), len(wanted))
    return Measured(
        text.id, text.kind, on_claims, on_decisions, on_reasons,
        tuple(" ".join(t) for t in stood if t not in right), tuple(" ".join(t) for t in gold if t not in right),
        tuple(f"{r.said}: {r.reason}" for r in outcome.refused), len(outcome.unsettled), error,
    )  # fmt: skip


def _triple(c: Claimed) -> tuple[str, str, str]:
    return c.src, c.rel, c.dst


def _dated(c: Claimed, gold: Gold) -> bool:
    """Does it hold when the text says so? Where the text says nothing, nothing is asked."""
    return (gold.start is None or c.valid_from == gold.start) and c.valid_to == gold.until


def _decided_at(claims: Sequence[Claimed], where: Mapping[tuple[str, int], int], text: Labelled) -> int:
    """The number of the line where it is decided: the one quoted beside the reasons, else that of the decision's reason itself."""
    beside = [where.get((c.source, c.line), 0) for c in claims if c.rel != "JUSTIFIED_BY"]
    reasons = [where.get((c.source, c.line), 0) for c in claims if c.rel == "JUSTIFIED_BY"]
    if beside:
        return beside[0]
    return next((d.line for d in text.decides if set(reasons) & set(d.because)), 0)


def summary(found: Sequence[Measured]) -> dict[str, Any]:
    """The measures over all texts and by kind, as `--json` has them."""
    kinds = dict.fromkeys(m.kind for m in found)
    return {
        "texts": len(found), "failed": sum(bool(m.error) for m in found), "unsettled": sum(m.unsettled for m in found),
        "claims": _told([m.claims for m in found]), "decisions": _told([m.decisions for m in found]),
        "reasons": _told([m.reasons for m in found]),
        "kinds": {kind: _told([m.claims + m.decisions for m in found if m.kind == kind]) for kind in kinds},
        "wrong": {m.id: list(m.wrong) for m in found if m.wrong}, "missing": {m.id: list(m.missing) for m in found if m.missing},
        "refused": {m.id: list(m.refused) for m in found if m.refused}, "errors": {m.id: m.error for m in found if m.error},
    }  # fmt: skip


def _told(scores: Sequence[Score]) -> dict[str, Any]:
    total = sum(scores, Score(0, 0, 0))
    return {"right": total.right, "stood": total.stood, "gold": total.gold, "precision": total.precision, "recall": total.recall}
