"""Responder: whom to page, what helped before, the axis of time, and the report as sentences that the verifier checks.

Claims state only what rows hold; how likely something is, and how long before, is said beside them and never inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from brain.agents.run import Draft, Fact, Run
from brain.agents.wording import minute
from brain.ask import checked
from brain.incident.findings import Event, Investigation, Paged, Suspect
from brain.incident.scoring import spell
from brain.incident.webhook import unknown
from brain.types import Quote

BEFORE, AFTER = 7200, 7200
_WHY = {
    "on_call": "is on call", "technical_lead": "leads it technically", "owner": "answers for it", "handled": "handled its tickets lately",
    "changed": "changed its code lately", "member": "belongs to the team that answers for it",
}  # fmt: skip


def responder(inv: Investigation, run: Run) -> Investigation:
    """The investigation with the people to page, the events, and the checked report."""
    inv = paged(inv, run)
    inv = replace(inv, events=_events(inv, run))
    return reported(inv, run)


def paged(inv: Investigation, run: Run) -> Investigation:
    """With whom to page: for what broke, not for what alerted."""
    target = inv.broke or inv.signal.service
    if not target:
        return inv
    rows = run.call("whom_to_page", "responder: whom to page for what broke", target=target).rows
    return replace(inv, page=tuple(_paged(r, run.last) for r in rows))


def _paged(row: Mapping[str, Any], step: int) -> Paged:
    quote = (Quote(str(row["from_key"]), int(row["line"] or 0), str(row["quote"])),) if row["quote"] and row["from_key"] else ()
    return Paged(
        int(row["place"]), str(row["key"]), str(row["name"]), str(row["why"]), str(row["via"] or ""), str(row["contact"] or ""),
        str(row["skipped"] or ""), (str(row["key"]),), quote, step,
    )  # fmt: skip


def _events(inv: Investigation, run: Run) -> tuple[Event, ...]:
    """Everything on one axis of time: changes, alerts and what was said."""
    signal, found = inv.signal, list(inv.events)
    found.append(Event(signal.at, "alert", signal.key, signal.title or signal.name, signal.service))
    if signal.ended_at:
        found.append(Event(signal.ended_at, "ended", signal.key, f"{signal.title or signal.name}: over", signal.service))
    if inv.scope:
        until = min(inv.as_of, (signal.ended_at or signal.at) + AFTER) + 1
        things = [*inv.scope, *(a.key for a in inv.affected if a.hops == 1)]
        rows = run.look(
            "around", "responder: alerts and messages around it", things=things, since=signal.at - BEFORE, until=until, alert=signal.key
        ).rows
        for r in rows:
            on = "" if str(r["on"]).startswith("concept:") else str(r["on"])
            found.append(Event(int(r["at"]), str(r["what"]), str(r["key"]), str(r["name"]), on))
    return tuple(sorted({(e.at, e.kind, e.key): e for e in found}.values(), key=lambda e: (e.at, e.kind, e.key)))


def reported(inv: Investigation, run: Run) -> Investigation:
    """The report: every sentence checked, what fails handed back once, what fails again dropped and shown."""
    entries = [k for k in (inv.signal.key, inv.signal.service, *(p for s in inv.causes for p in s.path[:-1])) if k]
    draft = Draft(facts=[*_facts(inv)], entries=list(dict.fromkeys(entries)))
    claims, dropped = checked(run, draft)
    return replace(inv, claims=tuple(claims), dropped=tuple(dropped), text=verdict(inv))


def verdict(inv: Investigation) -> str:
    """The result in one or two sentences, with how sure it is."""
    if not inv.signal.service:
        return f"{unknown(inv.signal)} So nothing could be searched."
    if inv.outcome == "none":
        looked = len(inv.suspects)
        what = f"{looked} change{'s' if looked != 1 else ''} looked at and none fits" if looked else "nothing changed"
        if len(inv.scope) == 1 and inv.checked and not inv.checked[0].clean and not looked:
            return f"Nothing that is loaded describes {inv.signal.service_name}: no cause can be looked for here."
        return f"No cause found in what was searched: {what} in the {spell(inv.window)} before, on {_many(len(inv.scope))}."
    first = inv.causes[0]
    sure = f"{round(100 * inv.confidence)} %"
    if inv.outcome == "cause":
        on = f", on {first.on_name}" if first.on_name else ""
        return f"Most likely cause ({sure}): {first.name}, {spell(inv.signal.at - first.at)} before the alert{on}."
    names = "; ".join(f"{s.name} ({round(100 * s.confidence)} %)" for s in inv.causes)
    if len(inv.causes) == 1:
        return f"Nothing is proven; one change may have caused it: {names}."
    return f"No single cause stands out. Rivals: {names}."


def _many(n: int) -> str:
    return f"{n} thing{'s' if n != 1 else ''}"


def _facts(inv: Investigation) -> Iterable[Fact]:
    for s in inv.causes[:3]:
        yield from _about(inv, s)
    for p in [p for p in inv.page if p.place][:2]:
        yield Fact(f"{p.name} {_WHY.get(p.why, 'can be asked')}.", (p.key,), p.quotes, p.step)
    for past in [p for p in inv.past if p.likeness >= 1.0 and (p.causes or p.fixes)][:2]:
        yield from _before(past)
    for s in [s for s in inv.suspects if s.standing == "discounted"][:5]:
        against = min((r for r in s.reasons if r.points < 0), key=lambda r: r.points, default=None)
        if against and against.kind in ("texts_only", "same_version", "went_on", "rolled_back"):
            yield _against(s, against)


def _about(inv: Investigation, s: Suspect) -> Iterable[Fact]:
    verb = {"deploy": "was deployed", "flag": "was switched", "ticket": "was carried out", "pr": "was merged", "commit": "was made"}[s.kind]
    step = next((r.step for r in s.reasons if r.kind == "time"), 0)
    yield Fact(f"{_plain(s)} {verb} on {minute(s.at)}.", (s.key,), (), step)
    if len(s.path) > 2:
        needs = " needs ".join(p.partition(":")[2] for p in s.path[1 : s.path.index(s.on) + 1]) if s.on in s.path else ""
        if " needs " in needs:
            yield Fact(
                f"{needs}, and that is what it changed.", (*s.path[1 : s.path.index(s.on) + 1], s.key), (), _step(inv, "causal_path")
            )
    for r in s.reasons:
        if r.kind == "rule" and r.quotes:
            yield Fact(f"“{r.quotes[0].text}”", (r.cites[0],), r.quotes, r.step)
        if r.kind == "ended_with" and len(r.cites) > 1:
            yield Fact(f"{r.cites[1].partition(':')[2]} took it back.", (r.cites[1],), (), r.step)


def _plain(s: Suspect) -> str:
    return s.key.partition(":")[2]


def _before(past: Any) -> Iterable[Fact]:
    if past.causes:
        yield Fact(f"{past.name} was caused by {past.causes[0].partition(':')[2]}.", (past.key, past.causes[0]), (), past.step)
    if past.fixes:
        yield Fact(f"{past.name} was put right by {past.fixes[0].partition(':')[2]}.", (past.key, past.fixes[0]), (), past.step)
    for quote in past.quotes[:1]:
        yield Fact(f"“{quote.text}”", (quote.source,), (quote,), past.step)


def _against(s: Suspect, reason: Any) -> Fact:
    words = {
        "texts_only": "touches only texts or tests", "same_version": "deploys again what already ran there",
        "went_on": "was taken back and the alert went on", "rolled_back": "had been taken back before",
    }  # fmt: skip
    return Fact(f"{_plain(s)} is ruled out: it {words[reason.kind]}.", tuple(dict.fromkeys((s.key, *reason.cites[:2]))), (), reason.step)


def _step(inv: Investigation, tool: str) -> int:
    return next((s.n for s in reversed(inv.steps) if s.tool == tool), 0)
