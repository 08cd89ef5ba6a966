"""The measures of a whole set, arm beside arm: rates with intervals and denominators, and the paired difference of two arms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from eval import stats

Record = Mapping[str, Any]
# measure: what it is called, whether more is better
MEASURES = {
    "ac1": ("AC@1", True),
    "ac3": ("AC@3", True),
    "grounded": ("path grounded", True),
    "rejected": ("red herring rejected", True),
    "page": ("page target right", True),
    "accused": ("false accusation", False),
}


def summarise(records: Sequence[Record]) -> dict[str, Any]:
    """Everything that the report, the page and `--json` show of a run."""
    arms = list(dict.fromkeys(r["arm"] for r in records))
    categories = list(dict.fromkeys(r["category"] for r in records))
    by_arm = {a: [r for r in records if r["arm"] == a] for a in arms}
    return {
        "alerts": len({r["id"] for r in records}), "arms": arms, "measures": {a: measured(by_arm[a]) for a in arms},
        "categories": {c: {a: _short(r for r in by_arm[a] if r["category"] == c) for a in arms} for c in categories},
        "pairs": [compared(by_arm[arms[0]], by_arm[other], arms[0], other) for other in arms[1:]],
    }  # fmt: skip


def measured(records: Sequence[Record]) -> dict[str, Any]:
    """One arm: each measure with its interval, how many alerts it is of and how many it leaves out; steps and times."""
    out: dict[str, Any] = {name: rate(records, name) for name in MEASURES}
    steps = [float(r["said"]["steps"]) for r in records if r["said"] and r["said"]["steps"] is not None]
    times = [float(r["said"]["ms"]) for r in records if r["said"] and r["said"]["ms"] is not None]
    return {
        **out, "n": len(records), "failures": sum(bool(r["error"]) for r in records), "steps": stats.mean(steps),
        "p50_ms": stats.percentile(times, 50), "p95_ms": stats.percentile(times, 95),
    }  # fmt: skip


def rate(records: Iterable[Record], name: str) -> dict[str, Any]:
    """A measure over alerts: mean, 95 % interval, of how many alerts, how many are not scored. The interval is Wilson's where every
    alert is right or wrong, else from resampling whole clusters.
    """
    found = [(r["score"][name], r["cluster"]) for r in records]
    known = [(float(v), c) for v, c in found if v is not None]
    n, left_out = len(known), len(found) - len(known)
    if not known:
        return {"mean": None, "low": None, "high": None, "n": 0, "unscored": left_out}
    values, clusters = [v for v, _ in known], [c for _, c in known]
    if all(v in (0.0, 1.0) for v in values):
        low, high = stats.wilson(sum(values), n)
    else:
        drawn = stats.paired(values, [0.0] * n, clusters)
        low, high = drawn.low, drawn.high
    return {"mean": sum(values) / n, "low": low, "high": high, "n": n, "unscored": left_out}


def compared(a: Sequence[Record], b: Sequence[Record], name_a: str, name_b: str) -> dict[str, Any]:
    """AC@1 of two arms over the alerts that both were scored on: difference, interval, and the exact McNemar test."""
    other = {r["id"]: r for r in b}
    pairs = [(r, other[r["id"]]) for r in a if r["id"] in other and r["score"]["ac1"] is not None]
    found = stats.paired([x["score"]["ac1"] for x, _ in pairs], [y["score"]["ac1"] for _, y in pairs], [x["cluster"] for x, _ in pairs])
    return {"a": name_a, "b": name_b, **asdict(found), "decided": found.decided}


def _short(records: Iterable[Record]) -> dict[str, Any]:
    kept = list(records)
    return {"n": len(kept), **{name: stats.mean([r["score"][name] for r in kept]) for name in MEASURES}}


def verdict(summary: Mapping[str, Any]) -> str:
    """What the run says about the first arm against each other one, in one sentence each."""
    said = []
    for pair in summary["pairs"]:
        where = f"{pair['difference']:+.2f} ({pair['low']:+.2f} to {pair['high']:+.2f})"
        chance = "< 0.001" if pair["p"] < 0.001 else f"= {pair['p']:.3f}"
        where += f", McNemar p {chance}, {pair['n']} alerts with a cause"
        better = "finds more causes than" if pair["decided"] and pair["difference"] > 0 else "finds fewer causes than"
        said.append(f"{pair['a']} {better if pair['decided'] else 'is not shown to differ from'} {pair['b']}: AC@1 {where}.")
    return " ".join(said)
