"""The alert to investigate, found by its key, its fingerprint or the thing it is on; only what the viewer may read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rapidfuzz import fuzz

from brain.errors import BadInput, ToolError
from brain.incident.findings import Signal
from brain.tools.asking import Asking
from brain.tools.things import thing

NEAREST, SOUGHT = 3, 300


def signal(ctx: Asking, said: str) -> Signal:
    """The alert that a key, a bare id or fingerprint, an incident's id, or the name of a service (its newest alert, firing ones first)
    means. BadInput names the nearest when there is none.
    """
    said = said.strip()
    for key in dict.fromkeys((said, f"alert:{said}")):
        found = ctx.run("signal_of", alert=key).rows if key.startswith("alert:") else ()
        if found:
            return _made(found[0])
    rows = _of_incident(ctx, said) or _of_thing(ctx, said)
    if rows:
        return _made(ctx.run("signal_of", alert=str(rows[0]["key"])).rows[0])
    near = ", ".join(_nearest(ctx, said))
    raise BadInput(f"there is no alert {said!r}; {f'nearest: {near}' if near else 'no alert is loaded that you may read'}")


def _nearest(ctx: Asking, said: str) -> list[str]:
    """The alerts whose name, service or id is most like what was said, each as `key (name on service)`; of one name and service the
    newest alone.
    """
    words = said.partition(":")[2].lower() or said.lower()
    once: dict[tuple[str, str], Mapping[str, Any]] = {}
    for row in ctx.run("alerts_of", k=SOUGHT).rows:
        once.setdefault((str(row["title"] or row["name"]), str(row["on_name"])), row)

    def like(names: tuple[str, str]) -> float:
        return max(fuzz.ratio(words, part.lower()) for part in (*names, str(once[names]["key"]).partition(":")[2]))

    best = sorted(once, key=like, reverse=True)[:NEAREST]
    return [f"{once[names]['key']} ({names[0]} on {names[1]})" for names in best]


def _of_incident(ctx: Asking, said: str) -> list[Mapping[str, Any]]:
    key = said if said.startswith("incident:") else f"incident:{said}"
    return [{"key": r["alert"]} for r in ctx.run("alerts_in", incident=key).rows]


def _of_thing(ctx: Asking, said: str) -> list[Mapping[str, Any]]:
    try:
        key = thing(ctx, said, ("Service", "Resource", "Alert"))
    except ToolError:
        return []
    if key.startswith("alert:"):
        return [{"key": key}]
    return [*ctx.run("alerts_of", things=[key], k=1).rows]


def _made(row: Mapping[str, Any]) -> Signal:
    labels = dict(part.split("=", 1) for part in map(str, row["labels"] or ()) if "=" in part)
    name = str(row["title"] or labels.get("alertname") or row["name"] or "")
    return Signal(
        str(row["key"]), name, str(row["name"] or name), str(row["on"] or ""), str(row["on_name"] or ""), int(row["at"] or 0),
        int(row["ended_at"]) if row["ended_at"] else None, str(row["severity"] or ""), labels, "\n".join(map(str, row["texts"] or ())),
    )  # fmt: skip
