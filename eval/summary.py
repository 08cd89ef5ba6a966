"""What a run comes to: a table a category and arm, paired comparisons, and a verdict that may be "no"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from eval import stats, usage
from eval.records import Record

MEASURES = ("value", "exact", "source_recall", "cited_recall", "support")


def summarise(records: Sequence[Record]) -> dict[str, Any]:
    """`categories` and `overall` by arm, `pairs` (first arm against each other one), and `verdict`; with
    `models` by arm where a model answered.
    """
    arms = list(dict.fromkeys(r["arm"] for r in records))
    categories = list(dict.fromkeys(r["category"] for r in records))
    table = {c: {a: cell([r for r in records if r["category"] == c and r["arm"] == a]) for a in arms} for c in categories}
    overall = {a: cell([r for r in records if r["arm"] == a]) for a in arms}
    for arm in arms:
        overall[arm]["macro"] = stats.mean([table[c][arm]["value"] for c in categories])
    pairs = [_pair(records, arms[0], other, categories) for other in arms[1:]]
    models = usage.by_arm(records)
    return {"arms": arms, "questions": len({r["id"] for r in records}), "categories": table, "overall": overall, "pairs": pairs,
            "verdict": verdict(pairs), **({"models": models} if models else {})}


def cell(records: Sequence[Record]) -> dict[str, Any]:
    """Means over the records (value: set F1 or right), how many could not be scored, and milliseconds."""
    out: dict[str, Any] = {"n": len(records), "failures": sum(r["error"] is not None for r in records)}
    for measure in MEASURES:
        values = [None if r["score"][measure] is None else float(r["score"][measure]) for r in records]
        out[measure] = stats.mean(values)
        out[measure + "_unscored"] = values.count(None)
    times = [r["ms"] for r in records]
    return out | {"p50_ms": stats.percentile(times, 50), "p95_ms": stats.percentile(times, 95)}


def _pair(records: Sequence[Record], a: str, b: str, categories: Sequence[str]) -> dict[str, Any]:
    def compare(category: str | None) -> dict[str, Any]:
        mine = {r["id"]: r for r in records if r["arm"] == a and category in (None, r["category"])}
        theirs = {r["id"]: r for r in records if r["arm"] == b}
        both = [i for i in mine if i in theirs]
        result = stats.paired([mine[i]["score"]["value"] for i in both], [theirs[i]["score"]["value"] for i in both],
                              [mine[i]["cluster"] for i in both])
        return asdict(result) | {"decided": result.decided}

    return {"a": a, "b": b, "overall": compare(None), "categories": {c: compare(c) for c in categories}}


def verdict(pairs: Sequence[dict[str, Any]]) -> str:
    """One or two sentences; says no where the first arm is not shown to be better."""
    if not pairs:
        return "No comparison: one arm alone was asked."
    pair = min(pairs, key=lambda p: p["overall"]["difference"])
    a, b, o = pair["a"], pair["b"], pair["overall"]
    rest = (f"{a} scored {o['mean_a']:.2f} and {b} {o['mean_b']:.2f} over {o['n']} questions, a difference of {o['difference']:+.2f} "
            f"(95 % interval {o['low']:+.2f} to {o['high']:+.2f}); {o['wins']} better, {o['ties']} equal, {o['losses']} worse.")
    if not o["decided"]:
        return (f"No: {a} is not shown to be better than {b}, the strongest other arm. {rest} "
                f"A true difference of less than {o['detectable']:.2f} would mostly go unseen.")
    worse = [c for c, x in pair["categories"].items() if x["decided"] and x["difference"] < 0]
    if o["difference"] < 0:
        return f"No: {a} is worse than {b}. {rest}"
    but = f" Not everywhere: {b} is better in {', '.join(worse)}." if worse else ""
    unsure = [c for c, x in pair["categories"].items() if not x["decided"]]
    also = f" No difference is shown in {', '.join(unsure)}." if unsure else ""
    return f"Yes: {a} is better than {b}, the strongest other arm. {rest}{but}{also}"
