"""The time axis of an investigation: what happened when, each thing once and in order, UTC."""

from __future__ import annotations

from collections.abc import Sequence

from brain.incident.findings import Event, Investigation
from brain.incident.telling import called

AFTER = 43_200
KINDS = {
    "alert": "Alerts",
    "ended": "Alert ended",
    "deploy": "Deployments",
    "flag": "Feature flags",
    "ticket": "Tickets",
    "pr": "Merged",
    "commit": "Commits",
    "message": "Messages",
    "incident": "Incidents",
}


def timeline(inv: Investigation) -> list[Event]:
    """What happened around the alert, oldest first: the alert itself, what was found on the way, and the suspects; nothing that
    came half a day after it was over.
    """
    signal = inv.signal
    last = max(signal.at, signal.ended_at or 0) + AFTER
    told = [*inv.events, *(Event(s.at, s.kind, s.key, s.name, s.on) for s in inv.suspects)]
    if signal.at and not _told(told, "alert", signal.at):
        told.append(Event(signal.at, "alert", signal.key, f"{signal.name or signal.title} fired", signal.service))
    if signal.ended_at and not _told(told, "ended", signal.ended_at):
        told.append(Event(signal.ended_at, "ended", signal.key, f"{signal.name or signal.title} ended", signal.service))
    once: dict[tuple[object, ...], Event] = {}
    for event in told:
        if 0 < event.at <= last:
            once.setdefault((event.kind, event.key or event.text, event.at), event)
    return sorted(once.values(), key=lambda e: (e.at, e.kind, e.key))


def said(inv: Investigation, event: Event) -> str:
    """An event in words: what it says, and on what where it does not say that itself."""
    words = event.text or called(inv, event.key)
    on = called(inv, event.on) if event.on else ""
    return f"{words} (on {on})" if on and on.lower() not in words.lower() else words


def marked(inv: Investigation, events: Sequence[Event]) -> list[tuple[Event, str]]:
    """The events, each with how a suspect stands that it is: cause, rival, discounted, or nothing."""
    standing = {s.key: s.standing for s in inv.suspects}
    return [(e, standing.get(e.key, "") if e.kind not in ("alert", "ended") else "") for e in events]



def _told(events: Sequence[Event], kind: str, at: int) -> bool:
    return any(e.kind == kind and e.at == at for e in events)
