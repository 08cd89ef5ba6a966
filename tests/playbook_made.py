"""Investigations over the small company, with the edges that are really stored there, for tests of playbooks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from small_graph import NOW, at

from brain import permissions
from brain.incident.findings import Investigation, Reason, Recorded, Signal, Suspect
from brain.playbooks import Playbooks
from brain.store import Store
from brain.tools.asking import Asking
from brain.types import Edge, Quote, Usage, Viewer

ADMIN, GUEST = permissions.local_admin(), permissions.guest()
ANN, BEN = permissions.member("ann"), permissions.member("ben")
FIRED, LATER = at("2025-11-29T02:41:00"), at("2025-11-30T04:00:00")
DEPLOY, CHANGE = "deploy:event-bus-20251129-0111", "pr:merefold/tidewire#1"
LAG = Signal(
    "alert:0e06d5f413d88dc9", "ThresholdEvaluationLag", "Thresholds are evaluated late", "service:threshold-watch", "threshold-watch", FIRED
)
AGAIN = Signal("alert:next", "ThresholdEvaluationLag", "Thresholds are evaluated late", "service:threshold-watch", "threshold-watch", LATER)
WAY = (LAG.key, "service:threshold-watch", "service:gauge-store", "service:event-bus", DEPLOY)
STORED = replace(LAG, key="alert:stored", name="MetricsLate", service="service:metrics-store", service_name="metrics-store")
HIDDEN_WAY = (STORED.key, STORED.service, "service:event-bus", DEPLOY)


def shelf(store: Store, ws: str, viewer: Viewer, embedder: Any = None, now: int = NOW) -> Playbooks:
    """The playbooks of that workspace as the viewer sees them."""
    everything = Asking(store, ws, ADMIN, NOW) if store.exists(f"brain:{ws}") else None
    return Playbooks(Asking(store, ws, viewer, NOW, embedder), everything, lambda: float(now))


def suspect(way: tuple[str, ...] = WAY, **more: Any) -> Suspect:
    """What was changed at the end of that way."""
    reasons = (
        Reason("modified", 3.0, "It changed how long a batch waits.", (CHANGE,), (Quote(CHANGE, 1, "Let batches wait under load"),)),
        Reason("rule", 2.0, "It breaks a decision.", ("decision:docs/adr/0007-bus-batches-close-quickly", "doc:elsewhere")),
    )
    given: dict[str, Any] = {"score": 7.0, "confidence": 0.8, "standing": "cause", "reasons": reasons, "changes": (CHANGE,), **more}
    rels = ("FIRED_ON", *["DEPENDS_ON"] * (len(way) - 3), "DEPLOYED_TO")
    return Suspect(way[-1], "deploy", "event-bus v2.9.0", at("2025-11-29T01:11:00"), way[-2], "event-bus", len(way) - 3, path=way, rels=rels, **given)


def investigation(store: Store, ws: str, way: tuple[str, ...] = WAY, **more: Any) -> Investigation:
    """A finished investigation that went that way, with every edge between its things that the graph holds."""
    found = store.read(f"brain:{ws}", "MATCH (a:Entity)-[r]->(b:Entity) WHERE a.key IN $k AND b.key IN $k RETURN a, r, b", {"k": [*way, CHANGE]})
    signal = more.pop("signal", STORED if way == HIDDEN_WAY else LAG)
    given: dict[str, Any] = {
        "suspects": (suspect(way),), "outcome": "cause", "confidence": 0.8, "state": "complete", "edges": found.edges,
        "recorded": (Recorded("incident:INC-3", "Late", (DEPLOY,), ("ticket:OPS-187",)),), "names": {CHANGE: "Let batches wait under load"},
        "usage": Usage(900.0), **more,
    }  # fmt: skip
    given["edges"] = (*given["edges"], Edge(signal.key, "FIRED_ON", signal.service))
    return Investigation("inv1", signal, "local", "graph", "builtin", NOW, 86_400, **given)
