"""An investigation in sentences, for a tired reader: the page, the command and both drafts say the same in the same words.

Sentences hold words of others as they were written; whoever shows them makes them harmless for their screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from brain.incident.findings import ROLES, Investigation, Paged, Past, Reason, Suspect, Told
from brain.instants import DAY
from brain.schema import LABEL_OF_PREFIX
from brain.text.markup import short

NOT_KNOWN = "not known"
LONGEST, ALIKE = 200, 0.5
WHY_PAGED = {
    "on_call": "on call", "technical_lead": "technical lead", "owner": "answers for it", "handled": "handled its tickets lately",
    "changed": "changed its code lately", "member": "in the team that answers for it", "named": "named in a runbook",
}  # fmt: skip
_SURE = ((0.85, "very likely"), (0.65, "likely"), (0.5, "more likely than not"), (0.25, "possible"), (0.0, "not likely"))
_KINDS = {"deploy": "deployment", "ticket": "ticket", "pr": "change", "commit": "commit", "flag": "feature flag"}
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
    number = "over 99%" if confidence > 0.99 else "under 1%" if 0 < confidence < 0.01 else f"{confidence:.0%}"  # never certain
    return f"{next(words for least, words in _SURE if confidence >= least)} ({number})"


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
    return f"{_KINDS.get(suspect.kind, suspect.kind)} {suspect.name or called(inv, suspect.key)}{on}, {before(inv, suspect.at)}"


def headline(inv: Investigation) -> str:
    """The outcome in one sentence; an investigation that did not come to its end says how far it came."""
    if inv.state != "complete":
        done = listed([role for role in ROLES if role in inv.roles])
        came = f"it came as far as {done}" if done else "no part of it is done"
        return f"Not finished: {came}. What follows is what was found until then."
    if not inv.signal.service:
        return "Nothing that is loaded stands behind the labels of this alert, so nothing could be searched."
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
    via = inv.names.get(paged.via, "") if ":" in paged.via else paged.via
    of = f"of {via}" if via and via != paged.name and via not in paged.why else ""
    parts = (why_paged(paged), of, f"contact: {paged.contact}" if paged.contact else "")
    return ", ".join(part for part in parts if part)


def why_paged(paged: Paged) -> str:
    """Why somebody is to be paged, or was thought of, in words."""
    return WHY_PAGED.get(paged.why, paged.why.replace("_", " "))


def because(reasons: Iterable[Reason]) -> str:
    """Reasons in one sentence."""
    return ended("; ".join(r.text.rstrip(".") for r in reasons))


def ended(words: str) -> str:
    """The words as a sentence: it ends in a stop."""
    return words if not words or words.rstrip("\u201d\"')")[-1:] in ".!?…" else f"{words}."


def paged(inv: Investigation) -> list[Paged]:
    """Whom to turn to, in order."""
    return sorted((p for p in inv.page if p.place > 0), key=lambda p: p.place)


def passed_over(inv: Investigation) -> list[Paged]:
    """Who was not taken, each with why."""
    return [p for p in inv.page if p.place <= 0]


def last_time(inv: Investigation) -> str:
    """What fixed the incident that is most like this one; that none is known, when that is so."""
    past = helped(inv)
    if past is not None:
        return f"{remedy(inv, past)} ({told(past)})"
    found = alike(inv)
    return f"what fixed {told(found[0])} is not written down" if found else "no earlier incident like this one is known"


def alike(inv: Investigation) -> list[Past]:
    """The past incidents that are like this one and not only near it; a search of passages gives what reads like it."""
    return [p for p in inv.past if p.likeness >= ALIKE or inv.arm == "vector"]


def helped(inv: Investigation) -> Past | None:
    """The first of them of which it is known what fixed it, or what its report says of it."""
    return next((p for p in alike(inv) if p.fixes or (p.remedy and inv.arm == "graph")), None)


def told(past: Past) -> str:
    """A past incident as `name, 2024-03-01`."""
    return f"{past.name}, {minute(past.at)[:10]}" if past.at > 0 else past.name


def remedy(inv: Investigation, past: Past) -> str:
    """What fixed a past incident: the change that did, else words of its report; `not known` when it has neither."""
    fixes = listed(_noun(key) + called(inv, key) for key in past.fixes)
    said = short(past.remedy, LONGEST) if inv.arm == "graph" else ""  # found as a passage, its words may be of anything
    return fixes or (f"its report says “{said}”" if said else NOT_KNOWN)


def _noun(key: str) -> str:
    return "deployment of " if key.startswith("deploy:") else ""


def baseline(inv: Investigation) -> str:
    """What the rule of thumb says, and how that stands to the result; empty without a graph, which it needs."""
    if inv.arm != "graph":
        return ""
    rule = "The rule of thumb, the latest deployment on it or one hop away, names"
    if not inv.baseline:
        return f"{rule} nothing."
    same = next((s for s in inv.suspects if s.key == inv.baseline), None)
    name = same.name if same else called(inv, inv.baseline)
    if same in inv.causes[:1]:
        return f"{rule} {name}: the same."
    reason = against(same) if same else ""
    return ended(f"{rule} {name}{f', which counts for little here: {reason}' if reason else ''}")


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


def runbooks(inv: Investigation, most: int = 2) -> list[Told]:
    """The documents that say what to do about such an alert: those that name it, else the first; each once."""
    once = {t.key: t for t in sorted(inv.told, key=lambda t: t.named)}
    found = sorted(once.values(), key=lambda t: not t.named)
    return [t for t in found if t.named][:most] or found[:1]


def clean(inv: Investigation) -> dict[str, list[str]]:
    """What was checked and found clean: the words, and on what each of them holds."""
    found: dict[str, list[str]] = {}
    for c in inv.checked:
        if c.clean:
            words = f"{c.text}, none that fits" if c.found else c.text
            found.setdefault(words, []).append(called(inv, c.on) if ":" in c.on else c.on)
    return found


def worth_telling(inv: Investigation) -> list[Past]:
    """The past incidents of which it is known what caused or fixed them; all, when that is known of none."""
    return [p for p in inv.past if p.causes or p.fixes or p.lesson] or list(inv.past)
