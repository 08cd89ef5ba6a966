"""Triage: what went off and where, how bad it is, what it takes with it, and where a cause has to be looked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from brain.agents.run import Run
from brain.incident.findings import Affected, Investigation, Reason, Severity

HOPS = 3
_SAID = {
    "critical": 2, "page": 2, "emergency": 2, "high": 2, "error": 2, "sev1": 3, "sev2": 2, "p1": 3, "p2": 2, "major": 2, "disaster": 3,
    "warning": 1, "warn": 1, "medium": 1, "average": 1, "sev3": 1, "p3": 1, "minor": 0, "low": 0, "info": 0, "notice": 0, "none": 0,
    "sev4": 0, "p4": 0,
}  # fmt: skip
WIDE = 5


def triage(inv: Investigation, run: Run, seen: bool = True) -> Investigation:
    """The investigation with severity, what is affected, and the scope: the thing that alerted and all it needs, three hops deep.
    `seen` off: the alert is not looked at again.
    """
    signal = inv.signal
    told = run.look("signal_of", "triage: what went off, and where", alert=signal.key).rows if signal.key and seen else ()
    row = next(iter(told), None)
    step = run.last if row else 0
    if not signal.service:
        return replace(inv, severity=_severity(inv, None, (), step), scope=())
    target = signal.key or signal.service
    around = run.call("blast_radius", "triage: what needs it, and what it needs", target=target, direction="both", max_hops=HOPS, k=400)
    affected = tuple(_affected(r) for r in around.rows if r["direction"] == "dependents")
    tier = next((n.props.get("tier") for n in around.nodes if n.key == signal.service), row["tier"] if row else None)
    scope = (signal.service, *(str(r["key"]) for r in around.rows if r["direction"] == "dependencies"))
    return replace(inv, severity=_severity(inv, tier, affected, step), affected=affected, scope=scope, broke=signal.service)


def _affected(row: Mapping[str, Any]) -> Affected:
    tier = row["tier"] if isinstance(row["tier"], int) else None
    return Affected(
        str(row["key"]), str(row["name"] or row["key"]), int(row["hops"]), tier, str(row["owner"] or ""), str(row["owner_name"] or "")
    )


def _severity(inv: Investigation, tier: Any, affected: tuple[Affected, ...], step: int) -> Severity:
    """SEV1 to SEV4: what the alert says, moved by how much hangs on what alerted."""
    signal = inv.signal
    weight = _SAID.get(signal.severity.lower(), 1)
    told = f"the alert says {signal.severity!r}" if signal.severity else "the alert does not say how bad it is"
    reasons = [Reason("severity", float(weight), told, (signal.key,) if signal.key else (), step=step)]
    if tier == 1 and weight:
        weight += 1
        reasons.append(Reason("tier", 1.0, f"{signal.service_name} is of tier 1", (signal.service,), step=step))
    first = [a for a in affected if a.tier == 1]
    if len(first) >= WIDE and weight and tier != 1:
        weight += 1
        reasons.append(Reason("blast", 1.0, f"{len(first)} things of tier 1 need it", tuple(a.key for a in first[:5])))
    if signal.ended_at and signal.ended_at - signal.at < 900 and weight:
        weight -= 1
        reasons.append(
            Reason("over", -1.0, "it ended by itself within a quarter of an hour", (signal.key,) if signal.key else (), step=step)
        )
    return Severity(f"SEV{4 - min(weight, 3)}", tuple(reasons))
