"""An investigation in sentences, for a tired reader: the page, the command and both drafts say the same in the same words.

Sentences hold words of others as they were written; whoever shows them makes them harmless for their screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from brain.incident.findings import ROLES, Investigation, Paged, Past, Reason, Suspect
from brain.instants import DAY
from brain.schema import LABEL_OF_PREFIX

NOT_KNOWN = "not known"
_SURE = ((0.85, "very likely"), (0.65, "likely"), (0.5, "more likely than not"), (0.25, "possible"), (0.0, "not likely"))
_KINDS = {"deploy": "deployment", "ticket": "ticket", "pr": "change", "flag": "feature flag"}
_NOUNS = {"deploy": "a deployment", "doc": "a document", "alert": "an alert", "incident": "an incident"}
_NUMBERED = ("pr", "issue")


def called(inv: Investigation, key: str) -> str:
    """What people call the thing: its name, with its number where they know it by that; never its key."""
    name = inv.names.get(key) or next((n.name for n in inv.nodes if n.key == key), "")
    prefix, _, rest = key.partition(":")
    if prefix in _NUMBERED and "#" in rest:
        number = rest.rpartition("/")[2]
        return f"{number} ({name})" if name else number
    if prefix == "ticket" and rest and name != rest:
        return f"{rest} ({name})" if name else rest
    return name or _NOUNS.get(prefix) or f"a {LABEL_OF_PREFIX.get(prefix, 'thing').lower()}"


def clock(epoch: int) -> str:
    """An instant as `2024-03-01 02:41 UTC`; `not known` for none."""
    return f"{minute(epoch)} UTC" if epoch > 0 else NOT_KNOWN


def minute(epoch: int) -> str:
    """The same without the zone, for where that is said once."""
    return datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%d %H:%M")


def span(seconds: int) -> str:
    """A length of time as `3 d`, `1 h 30 min`, `8 min` or `less than a minute`."""
    minutes = abs(seconds) // 60
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        return f"{days} d {hours} h" if hours else f"{days} d"
    if hours:
        return f"{hours} h {minutes % 60} min" if minutes % 60 else f"{hours} h"
    return f"{minutes} min" if minutes else "less than a minute"


def before(inv: Investigation, epoch: int) -> str:
    """How long before or after the alert that was."""
    side = "before" if epoch <= inv.signal.at else "after"
    return f"{span(inv.signal.at - epoch)} {side} the alert"


def sure(confidence: float) -> str:
    """A confidence in words and as a number."""
    return f"{next(words for least, words in _SURE if confidence >= least)} ({confidence:.0%})"


def listed(words: Iterable[str], most: int = 6) -> str:
    """`a, b and c`; what is beyond `most` is counted."""
    said = [w for w in words if w]
    if len(said) > most:
        return f"{', '.join(said[:most])} and {len(said) - most} more"
    return " and ".join((", ".join(said[:-1]), said[-1])) if len(said) > 1 else "".join(said)


def alerted(inv: Investigation) -> str:
    """What went off, on what."""
    on = inv.signal.service_name or inv.signal.service.partition(":")[2]
    return f"{inv.signal.name or inv.signal.title or 'an alert'} on {on}" if on else inv.signal.name or inv.signal.title or "an alert"


def change(inv: Investigation, suspect: Suspect) -> str:
    """A suspect as what it is, where and when: `deployment x on y, 1 h 30 min before the alert`."""
    on = f" on {suspect.on_name}" if suspect.on_name and suspect.on_name not in suspect.name else ""
    return f"{_KINDS[suspect.kind]} {suspect.name or called(inv, suspect.key)}{on}, {before(inv, suspect.at)}"


def headline(inv: Investigation) -> str:
    """The outcome in one sentence; an investigation that did not come to its end says how far it came."""
    if inv.state != "complete":
        done = listed([role for role in ROLES if role in inv.roles])
        came = f"it came as far as {done}" if done else "no part of it is done"
        return f"Not finished: {came}. What follows is what was found until then."
    named = inv.causes
    if inv.outcome == "cause" and named:
        first = named[0]
        return f"Cause, {sure(inv.confidence or first.confidence)}: {change(inv, first)}."
    if inv.outcome == "rivals" and named:
        if len(named) == 1:
            weak = f"{sure(named[0].confidence)}, too little to name it the cause"
            return f"One change could have caused it, {weak}: {change(inv, named[0])}."
        some = "; ".join(f"{change(inv, s)}, {sure(s.confidence)}" for s in named[:3])
        return f"{len(named)} changes could have caused it and none stands out: {some}."
    return f"No cause found in what was searched: {searched(inv)}."


def searched(inv: Investigation) -> str:
    """What was searched for a cause: how long before the alert, and how many things."""
    n = len(inv.scope)
    things = f" on {n} {'thing' if n == 1 else 'things'}" if n else ""
    return f"the {span(inv.window) if inv.window != DAY else '24 h'} before the alert{things}"


def whom(inv: Investigation) -> str:
    """Whom to page first, and why; that nobody was found, when that is so."""
    first = next(iter(paged(inv)), None)
    return f"{first.name}, {reached(inv, first)}" if first else "nobody found who answers for it"


def reached(inv: Investigation, paged: Paged) -> str:
    """Why somebody is to be paged, and how they are reached."""
    via = called(inv, paged.via) if paged.via else ""
    parts = (paged.why, f"by {via}" if via and via not in paged.why else "", f"contact: {paged.contact}" if paged.contact else "")
    return ", ".join(part for part in parts if part)


def paged(inv: Investigation) -> list[Paged]:
    """Whom to turn to, in order."""
    return sorted((p for p in inv.page if p.place > 0), key=lambda p: p.place)


def passed_over(inv: Investigation) -> list[Paged]:
    """Who was not taken, each with why."""
    return [p for p in inv.page if p.place <= 0]


def last_time(inv: Investigation) -> str:
    """What fixed the incident that is most like this one; that none is known, when that is so."""
    past = next((p for p in inv.past if p.fixes or p.lesson), None)
    if past is not None:
        return f"{remedy(inv, past)} ({told(past)})"
    return f"what fixed {told(inv.past[0])} is not written down" if inv.past else "no earlier incident like this one is known"


def told(past: Past) -> str:
    """A past incident as `name, 2024-03-01`."""
    return f"{past.name}, {minute(past.at)[:10]}" if past.at > 0 else past.name


def remedy(inv: Investigation, past: Past) -> str:
    """What fixed a past incident, as far as it is known."""
    fixes = listed(called(inv, key) for key in past.fixes)
    return ": ".join(part for part in (fixes, past.lesson) if part) or NOT_KNOWN


def baseline(inv: Investigation) -> str:
    """What the rule of thumb says, and how that stands to the result."""
    rule = "The rule of thumb, the latest deployment on it or one hop away, names"
    if not inv.baseline:
        return f"{rule} nothing."
    same = next((s for s in inv.suspects if s.key == inv.baseline), None)
    name = same.name if same else called(inv, inv.baseline)
    if same in inv.causes[:1]:
        return f"{rule} {name}: the same."
    reason = against(same) if same else ""
    return f"{rule} {name}{f', which counts for little here: {reason}' if reason else '.'}"


def against(suspect: Suspect) -> str:
    """The weightiest thing that speaks against a suspect, as a sentence; empty when nothing does."""
    reasons = sorted((r for r in suspect.reasons if r.points < 0), key=lambda r: r.points)
    return reasons[0].text if reasons else ""


def sides(suspect: Suspect) -> tuple[Sequence[Reason], Sequence[Reason]]:
    """What speaks for a suspect and what against it, the weightiest first; what weighs nothing stands with what is for it."""
    ordered = sorted(suspect.reasons, key=lambda r: -abs(r.points))
    return [r for r in ordered if r.points >= 0], [r for r in ordered if r.points < 0]


def followed(inv: Investigation) -> str:
    """How the playbook that was tried first did; empty when none was."""
    f = inv.followed
    if f is None:
        return ""
    if not f.held:
        return f"The playbook “{f.title}” was tried first and did not hold{f': {f.reason}' if f.reason else ''}."
    instead = f" instead of {f.steps_before}" if f.steps_before else ""
    return f"By the playbook “{f.title}”: {f.steps} steps{instead}."
