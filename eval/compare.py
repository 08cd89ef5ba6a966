"""Two runs against each other, arm by arm, over the questions that both asked in the same words."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from brain.errors import BadInput
from eval import stats
from eval.records import Record, Run


def compare(a: Run, b: Run) -> dict[str, Any]:
    """`b` minus `a` for each arm that both have: `overall` and `categories` as paired statistics, and `changed`,
    the questions whose score moved. Raises BadInput when the runs share no question and arm.
    """
    arms = {}
    for arm in a.arms:
        pairs = _pairs(a, b, arm)
        if pairs:
            categories = list(dict.fromkeys(new["category"] for _, new in pairs))
            arms[arm] = {
                "overall": _paired(pairs),
                "categories": {c: _paired([p for p in pairs if p[1]["category"] == c]) for c in categories},
                "changed": [_change(old, new) for old, new in pairs if abs(_value(old) - _value(new)) > stats.EQUAL],
            }
    if not arms:
        raise BadInput(f"{a.name} and {b.name} share no question and arm; compare two runs of one set")
    return {"a": a.name, "b": b.name, "arms": arms}


def _pairs(a: Run, b: Run, arm: str) -> list[tuple[Record, Record]]:
    earlier = {r["id"]: r for r in a.records if r["arm"] == arm}
    found = [(earlier[r["id"]], r) for r in b.records if r["arm"] == arm and r["id"] in earlier]
    return [(old, new) for old, new in found if old["question"] == new["question"]]


def _value(record: Record) -> float:
    return float(record["score"]["value"])


def _paired(pairs: list[tuple[Record, Record]]) -> dict[str, Any]:
    result = stats.paired([_value(new) for _, new in pairs], [_value(old) for old, _ in pairs], [new["cluster"] for _, new in pairs])
    return asdict(result) | {"decided": result.decided}


def _change(old: Record, new: Record) -> dict[str, Any]:
    return {"id": new["id"], "question": new["question"], "before": _value(old), "after": _value(new)}
