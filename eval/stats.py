"""Paired statistics over questions: both arms answered the same ones, clusters are resampled whole."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

REPEATS = 4000
EQUAL = 1e-9


@dataclass(frozen=True)
class Paired:
    """Two arms on the same questions; `low` and `high` bound the difference of means at 95 %.

    `detectable` is the smallest true difference that a set like this would show four times in five;
    `p` is the exact McNemar test over fully right answers.
    """

    n: int
    clusters: int
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    wins: int
    ties: int
    losses: int
    detectable: float
    p: float

    @property
    def decided(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.n > 0 and (self.low > 0 or self.high < 0)


def mean(values: Sequence[float | None]) -> float | None:
    """Mean of what is scored; None when nothing is."""
    known = [v for v in values if v is not None]
    return sum(known) / len(known) if known else None


def percentile(values: Sequence[float], p: float) -> float | None:
    """The p-th percentile, interpolated; None without values."""
    return float(np.percentile(np.asarray(values, dtype=float), p)) if values else None


def macro(by_group: Mapping[str, Sequence[float | None]]) -> float | None:
    """Mean of the groups' means, each group counting once."""
    return mean([mean(values) for values in by_group.values()])


def wilson(right: float, n: int) -> tuple[float, float]:
    """The 95 % interval of a share, `right` of n; good for few of them and near 0 and 1. Without any, all of 0 to 1."""
    if n == 0:
        return 0.0, 1.0
    z, share = 1.959963984540054, right / n
    middle, wide = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, (middle - wide) / (1 + z * z / n)), min(1.0, (middle + wide) / (1 + z * z / n))


def paired(a: Sequence[float], b: Sequence[float], clusters: Sequence[str], seed: int = 1) -> Paired:
    """Compares arm a with arm b, question by question; the three sequences run in step."""
    if not len(a) == len(b) == len(clusters):
        raise ValueError(f"{len(a)}, {len(b)} and {len(clusters)} values: give one of each a question")
    if len(a) == 0:
        return Paired(0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0.0, 1.0)
    gap = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    draws = _bootstrap(gap, clusters, seed)
    low, high = (float(x) for x in np.percentile(draws, [2.5, 97.5]))
    wins, losses = int((gap > EQUAL).sum()), int((gap < -EQUAL).sum())
    only_a = sum(bool(x >= 1 - EQUAL > y) for x, y in zip(a, b, strict=True))
    only_b = sum(bool(y >= 1 - EQUAL > x) for x, y in zip(a, b, strict=True))
    return Paired(len(gap), len(set(clusters)), float(np.mean(a)), float(np.mean(b)), float(gap.mean()), low, high, wins,
                  len(gap) - wins - losses, losses, float(2.8 * draws.std()), mcnemar(only_a, only_b))


def _bootstrap(gap: np.ndarray, clusters: Sequence[str], seed: int) -> np.ndarray:
    names = {name: i for i, name in enumerate(dict.fromkeys(clusters))}
    which = np.asarray([names[c] for c in clusters])
    sums = np.bincount(which, weights=gap)
    sizes = np.bincount(which)
    drawn = np.random.default_rng(seed).integers(0, len(names), size=(REPEATS, len(names)))
    return sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)


def mcnemar(only_a: int, only_b: int) -> float:
    """Two-sided exact p: how surprising is this split of the questions that just one arm got right."""
    n = only_a + only_b
    if n == 0:
        return 1.0
    tail = sum(math.comb(n, k) for k in range(min(only_a, only_b) + 1)) / 2**n
    return min(1.0, 2 * tail)
