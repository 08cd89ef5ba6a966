"""What a model did and cost in a run: noted with each answer, added up by arm. Runs without a model hold nothing of this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from eval.records import Record

COUNTED = ("prompt_tokens", "completion_tokens", "cached_tokens", "turns", "stepped_down")


def of(answer: Mapping[str, Any]) -> dict[str, Any] | None:
    """What an answer says of its model: name, tokens, US dollars (None where no price is known), turns, and how often it stepped down
    to another model or another way of choosing tools. None where no model took part.
    """
    if answer.get("engine", "builtin") == "builtin":
        return None
    used = answer.get("usage") or {}
    down = sum(step.get("tool") == "stepped_down" for step in answer.get("steps") or ())
    counted = {name: int(used.get(name) or 0) for name in COUNTED[:-1]} | {"stepped_down": down}
    return {"name": used.get("model") or "", **counted, "usd": used.get("usd"), "estimated": bool(used.get("estimated"))}


def of_failure(tokens: int, usd: float | None) -> dict[str, Any]:
    """The same where no answer came: what was spent on it until then, which nobody can split any more."""
    return {"name": "", **dict.fromkeys(COUNTED, 0), "prompt_tokens": tokens, "usd": usd, "estimated": True}


def by_arm(records: Sequence[Record]) -> dict[str, dict[str, Any]]:
    """Arm -> models, questions, what was counted in all, US dollars of what has a price, and how many have none; empty where no model
    took part.
    """
    arms = list(dict.fromkeys(r["arm"] for r in records if r.get("model")))
    return {arm: _added([r["model"] for r in records if r["arm"] == arm and r.get("model")]) for arm in arms}


def _added(used: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    priced = [u["usd"] for u in used if u["usd"] is not None]
    return {
        "models": sorted({u["name"] for u in used if u["name"]}), "n": len(used), **{k: sum(u[k] for u in used) for k in COUNTED},
        "usd": round(sum(priced), 9), "unpriced": len(used) - len(priced), "estimated": sum(u["estimated"] for u in used),
    }  # fmt: skip


def table(models: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """A header, and a row an arm, as text."""
    rows = [["arm", "model", "turns", "tokens read", "of them cached", "tokens written", "cost", "stepped down"]]
    for arm, used in models.items():
        counted = [f"{used[k]:,}" for k in ("turns", "prompt_tokens", "cached_tokens", "completion_tokens")]
        rows.append([arm, ", ".join(used["models"]) or "-", *counted, money(used), str(used["stepped_down"])])
    return rows


def money(used: Mapping[str, Any]) -> str:
    """What an arm cost, and how much of it has no known price."""
    if used["unpriced"] == used["n"]:
        return "price not known"
    return f"${used['usd']:.4f}" + (f" ({used['unpriced']} answers have no known price)" if used["unpriced"] else "")
