"""How far one investigation got: deterministic, per alert; what cannot be scored is None, and counted as such."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from brain.incident.findings import Investigation
from eval.incidents.replay import Replay

Stands = Callable[[Sequence[str]], bool]
KEPT = 6


@dataclass(frozen=True)
class Named:
    """A change that was named as a cause, and the way that was given from the alert to it (keys; empty for none)."""

    key: str
    name: str = ""
    path: tuple[str, ...] = ()
    confidence: float = 0.0


@dataclass(frozen=True)
class Said:
    """What an arm said of an alert: causes named, best first; passed over with why; whom to turn to, first first. `steps` and `ms` are
    None where it takes none.
    """

    named: tuple[Named, ...] = ()
    discounted: tuple[tuple[str, str], ...] = ()
    page: tuple[str, ...] = ()
    outcome: str = "none"
    text: str = ""
    title: str = ""
    steps: int | None = None
    ms: float | None = None
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Scored:
    """Measures of one alert in one arm, each 0 to 1. `accused` is bad: something was named where nothing is behind the alert."""

    ac1: float | None
    ac3: float | None
    grounded: float | None
    rejected: float | None
    page: float
    accused: float | None
    why: str = ""


def said(inv: Investigation) -> Said:
    """What an investigation said, as far as it is scored and shown."""
    passed = [s for s in inv.suspects if s.standing == "discounted"][:KEPT]
    people = sorted((p for p in inv.page if p.place > 0), key=lambda p: p.place)
    return Said(
        tuple(Named(s.key, s.name, s.path, s.confidence) for s in inv.causes[:KEPT]),
        tuple((s.key, "; ".join(r.text for r in s.reasons if r.points < 0)) for s in passed),
        tuple(p.key for p in people[:KEPT]), inv.outcome, inv.text, inv.signal.title or inv.signal.name, len(inv.steps), inv.usage.ms,
        {k: inv.names[k] for k in (*(s.key for s in (*inv.causes, *passed)), *(p.key for p in people)) if k in inv.names},
    )  # fmt: skip


def baseline(replay: Replay) -> Said:
    """What the dumb rule says: the latest deployment on the service or one hop away, and whoever answers for what alerted."""
    named = (Named(replay.baseline),) if replay.baseline else ()
    return Said(named, (), replay.baseline_page, "cause" if named else "none")


def score(replay: Replay, told: Said, stands: Stands | None) -> Scored:
    """The measures of what was said. `stands` tells of a way whether each of its steps is in the graph; None: nobody looked."""
    keys = [n.key for n in told.named]
    first = told.named[0] if told.named else None
    grounded = None if first is None or stands is None else float(leads(replay.alert, first, stands))
    rejected = float(_rejected(replay, keys)) if replay.herrings else None
    page = float(bool(told.page) and told.page[0] in replay.page)
    ac1, ac3 = (None, None) if replay.quiet else (hits(replay, keys, 1), hits(replay, keys, 3))
    accused = float(bool(keys)) if replay.quiet else None
    marks = Scored(ac1, ac3, grounded, rejected, page, accused)
    return Scored(ac1, ac3, grounded, rejected, page, accused, why(replay, told, marks))


def failed(replay: Replay) -> Scored:
    """The score of an arm that raised: a miss wherever there was something to find, and no accusation."""
    missed = None if replay.quiet else 0.0
    return Scored(missed, missed, None, 0.0 if replay.herrings else None, 0.0, 0.0 if replay.quiet else None, "it failed")


def hits(replay: Replay, keys: Sequence[str], k: int) -> float:
    """AC@k: how many of the first k named are causes, of as many as there could be. A cause named twice counts once."""
    found = {replay.cause_of(key) for key in keys[:k]} - {""}
    return len(found) / min(k, len(replay.causes))


def leads(alert: str, first: Named, stands: Stands) -> bool:
    """Whether the way given for a change begins at the alert, ends at the change, and each step of it is in the graph."""
    way = first.path
    return len(way) > 1 and way[0] == alert and way[-1] == first.key and stands(way)


def _rejected(replay: Replay, keys: Sequence[str]) -> bool:
    """Whether no herring is named, or none before anything else that is named."""
    same = {other: h for h in replay.herrings for other in (h, *replay.same.get(h, ()))}
    marks = [key in same for key in keys]
    return not any(marks) or (not all(marks) and marks == sorted(marks))


def why(replay: Replay, told: Said, marks: Scored) -> str:
    """What is wrong, in one line; "" when nothing is."""
    keys = [n.key for n in told.named]
    wrong = []
    if replay.quiet and keys:
        wrong.append("named a cause where none is recorded")
    elif not replay.quiet and not keys:
        passed = [why for key, why in told.discounted if replay.cause_of(key)]
        wrong.append(f"named nothing; the cause was passed over: {passed[0] or 'no reason against it'}" if passed else "named nothing")
    elif marks.ac1 == 0:
        place = next((n for n, key in enumerate(keys, 1) if replay.cause_of(key)), None)
        wrong.append(f"the cause stands in place {place}" if place else "the cause is not among those named")
    elif marks.ac3 is not None and marks.ac3 < 1:
        wrong.append("one of two causes is missing")
    if marks.grounded == 0:
        wrong.append("the way to what it named is not in the graph")
    if marks.rejected == 0:
        wrong.append("followed a red herring")
    if marks.page == 0:
        wrong.append(f"turned to {told.page[0]}" if told.page else "turned to nobody")
    return "; ".join(wrong)
