"""An investigation as the few findings that a summary tells, in their order: each with the sentence that code words it in, the keys it
may cite, and what any other wording must keep. What was decided stands here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from brain.incident import telling
from brain.incident.findings import Investigation, Suspect
from brain.instants import DAY

REASONS, SUSPECTS = 3, 3


@dataclass(frozen=True)
class Slot:
    """One finding. `text` is code's own sentence; `keeps` are words of it that every wording holds, in this order: who or what is
    named, how sure it is, and numbers; `cites` the keys it rests on.
    """

    name: str
    text: str
    keeps: tuple[str, ...]
    cites: tuple[str, ...]


def slots(inv: Investigation) -> tuple[Slot, ...]:
    """The findings of a complete investigation, the most important first."""
    return tuple(_slots(inv))


def _slots(inv: Investigation) -> Iterator[Slot]:
    yield Slot("outcome", telling.headline(inv), _outcome(inv), _of_alert(inv) + tuple(s.key for s in _named(inv)))
    yield from _reasons(inv)
    first = next(iter(telling.paged(inv)), None)
    if first is not None:
        yield Slot("page", f"Page {telling.whom(inv)}.", tuple(filter(None, (first.name, first.contact))), (first.key, *first.cites))
    else:
        yield Slot("page", f"Page: {telling.whom(inv)}.", ("nobody",), _of_alert(inv))
    past = telling.helped(inv)
    if past is not None:
        remedy = telling.remedy(inv, past)
        yield Slot("last time", f"What fixed it last time: {telling.last_time(inv)}.", (remedy, past.name), (past.key, *past.fixes))
    if rule := telling.baseline(inv):
        named = next((s.name for s in inv.suspects if s.key == inv.baseline), "") or ("nothing" if not inv.baseline else "")
        yield Slot("rule of thumb", rule, (named,) if named else (), (inv.baseline,) if inv.baseline else ())


def _outcome(inv: Investigation) -> tuple[str, ...]:
    """The suspects in their order, each with how sure it is."""
    named = _named(inv)
    if inv.outcome == "none" or not named:
        span = "24 h" if inv.window == DAY else telling.span(inv.window)
        return ("no cause", span) if inv.signal.service else ("nothing",)
    sure = telling.sure(inv.confidence or named[0].confidence) if inv.outcome == "cause" else telling.sure(named[0].confidence)
    if len(named) == 1:
        return (sure, named[0].name) if sure in telling.headline(inv) else (named[0].name,)
    return (str(len(inv.causes)), *(word for s in named for word in (s.name, telling.sure(s.confidence))))


def _named(inv: Investigation) -> tuple[Suspect, ...]:
    return inv.causes[: 1 if inv.outcome == "cause" else SUSPECTS]


def _of_alert(inv: Investigation) -> tuple[str, ...]:
    return tuple(key for key in (inv.signal.key, inv.signal.service) if key)


def _reasons(inv: Investigation) -> Iterator[Slot]:
    """What speaks for the first one named, and what most speaks against it."""
    if not inv.causes:
        return
    first = inv.causes[0]
    pro, contra = telling.sides(first)
    for reason in [r for r in pro if r.points > 0][:REASONS]:
        yield Slot("for it", telling.ended(f"For it: {reason.text}"), (), (first.key, *reason.cites))
    for reason in contra[:1]:
        yield Slot("against it", telling.ended(f"Against it: {reason.text}"), (), (first.key, *reason.cites))
