"""Ranking of passages: BM25 on what the store's index holds, and the fusion of several rankings.

The store's own full-text score divides by the distance of the matched words and is no ranking for
questions; the index gives the hits of one term with a score from which the term's frequency follows
(score x `ft_max`, in units of its smallest value, which is a hit that has the term once, or as rarely
as any has it), and BM25 is summed up from those in one query.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import repeat
from typing import TypeVar

K1 = 1.5
B = 0.75
TYPICAL_TERMS = 50.0

T = TypeVar("T", bound=Hashable)


def norm(n_terms: int, avg_len: float = TYPICAL_TERMS) -> float:
    """BM25's length norm of a passage with that many terms; the average is a constant of ours."""
    return K1 * (1 - B + B * n_terms / avg_len)


def weights(ft: str) -> dict[str, float | int]:
    """The properties that a passage needs beside its `ft`: `ft_max`, how often its most frequent term
    occurs, and `ft_norm`, its length norm.
    """
    terms = ft.split()
    return {"ft_max": max(Counter(terms).values(), default=1), "ft_norm": round(norm(len(terms)), 6)}


def rrf(lists: Iterable[Sequence[T]], k: int = 60, weights: Iterable[float] | None = None) -> list[tuple[T, float]]:
    """Reciprocal rank fusion: each thing with its score, best first; ties in the order first seen.
    `weights` say how much each list counts, one a list; equally when none are given.
    """
    scores: dict[T, float] = {}
    for ranked, weight in zip(lists, repeat(1.0) if weights is None else weights, strict=False):
        for rank, thing in enumerate(dict.fromkeys(ranked), 1):
            scores[thing] = scores.get(thing, 0.0) + weight / (k + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])
