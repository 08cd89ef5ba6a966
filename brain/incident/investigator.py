"""Investigator: every change in the window on what alerted and on all it needs, weighed with evidence for and against."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from brain.agents.run import Run
from brain.incident import changes as gathering
from brain.incident import scoring
from brain.incident.alike import likeness
from brain.incident.changes import Change
from brain.incident.evidence import SPAN, Evidence, Ruling
from brain.incident.findings import Checked, Event, Investigation, Link, Standing, Suspect
from brain.incident.harmless import release_only
from brain.incident.links import links
from brain.incident.symptoms import Profile, Rarity, profile
from brain.incident.triage import HOPS
from brain.incident.webhook import unknown
from brain.text.analysis import terms
from brain.types import Result

SHOWN = 25
PROVEN = 1.5
SUREST, BY_TIME, UNPROVEN = 0.99, 0.74, 0.49
_UNSETTLED = ("proposed", "rejected", "draft", "declined", "withdrawn", "superseded", "deprecated")


def investigator(inv: Investigation, run: Run, on: Sequence[str] = ()) -> Investigation:
    """The investigation with suspects in order, the verdict, the dumb baseline, and what was looked at and clean. `on`: only there."""
    signal = inv.signal
    if not inv.scope:
        return replace(inv, checked=(Checked("scope", "", 0, False, unknown(signal)),))
    before, later = gathering.gather(run, signal, signal.at - inv.window, inv.as_of + 1, HOPS, on)
    found = run.last
    rates = _rates(inv, run, tuple(on) or inv.scope)
    before += _committed(inv, run, rates, before)
    before, later = gathering.opened(run, before, later)
    suspects = _weighed(inv, run, before, later, rates) if before else []
    shown, outcome, confidence = _judged(suspects)
    shown = _pathed(inv, run, shown)
    deploys = [c for c in before if c.kind == "deploy" and c.hops <= 1]
    baseline = max(deploys, key=lambda c: (c.at, c.key)).key if deploys else ""
    broke = shown[0].on if outcome != "none" else signal.service
    return replace(
        inv, suspects=tuple(shown[:SHOWN]), outcome=outcome, confidence=round(confidence, 3), baseline=baseline, broke=broke,
        checked=_checked(inv, before, shown, found, rates), events=tuple(_events(before, later)),
    )  # fmt: skip


def _rates(inv: Investigation, run: Run, scope: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
    """How often each thing changed in the two months before the window."""
    since = inv.signal.at - inv.window
    why = "investigator: how often these change anyway"
    rows = run.look("rates_of", why, things=list(scope), since=since - SPAN, until=since).rows
    return {str(r["key"]): r for r in rows}


def _committed(inv: Investigation, run: Run, rates: Mapping[str, Mapping[str, Any]], before: Sequence[Change]) -> list[Change]:
    """Commits to services of which no deployment is on record: a merge is all that tells of a change there."""
    told = {c.on for c in before if c.kind == "deploy"}
    bare = [key for key, row in rates.items() if key.startswith("service:") and not row["deploys"] and key not in told]
    if not bare:
        return []
    around = next((s.rows for s in reversed(run.steps) if s.tool == "blast_radius"), ())
    hops = {str(r["key"]): int(r["hops"]) for r in around if r["direction"] == "dependencies"}
    return gathering.committed(run, inv.signal, {key: hops.get(key, 0) for key in bare}, inv.signal.at - inv.window)


def _weighed(
    inv: Investigation, run: Run, before: Sequence[Change], later: Sequence[Change], rates: Mapping[str, Mapping[str, Any]]
) -> list[Suspect]:
    evidence = _evidence(inv, run, before, later, rates)
    why = _links(inv, run, before)
    made = []
    for c in before:
        reasons = tuple(scoring.reasons(c, evidence))
        score = round(sum(r.points for r in reasons), 2)
        inside = tuple(p.key for p in c.own if not release_only(p))
        name = named(c)
        made.append(Suspect(
            c.key, c.kind, name, c.at, c.on, c.on.partition(":")[2], c.hops, c.author, score, reasons=reasons, changes=inside,
            links=tuple(why.get(c.key, ())),
        ))  # fmt: skip
    return made


def _links(inv: Investigation, run: Run, before: Sequence[Change]) -> Mapping[str, tuple[Link, ...]]:
    """Why each deployment counts as one of its service, as a step of its own."""
    keys = [c.key for c in before if c.kind in ("deploy", "flag")]
    if not keys:
        return {}
    began = time.perf_counter()
    found = links(run.ctx, keys, inv.signal)
    rows = tuple(asdict(link) for some in found.values() for link in some)
    ms = (time.perf_counter() - began) * 1000
    run.add("links", "investigator: why these deployments count as theirs", {"deploys": keys}, Result(rows), None, ms)
    return found


def named(c: Change) -> str:
    """A change with the title of the first thing in it that is more than a new version."""
    real = [p.title for p in c.own if p.title and not release_only(p)]
    return f"{c.name}: {real[0]}" + (f" and {len(real) - 1} more" if len(real) > 1 else "") if real else c.name


def _evidence(
    inv: Investigation, run: Run, before: Sequence[Change], later: Sequence[Change], rates: Mapping[str, Mapping[str, Any]]
) -> Evidence:
    pace = {key: (int(r["n"] or 0), int(r["first"] or 0)) for key, r in rates.items()}
    on = sorted({c.on for c in before})
    ruled = rulings(run.look("decided_on", "investigator: what was decided about what changed", things=on).rows)
    decided = run.last
    deploys = [c.key for c in before if c.kind == "deploy"]
    again: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    if deploys:
        for row in run.look("elsewhere", "investigator: where else these versions run", deploys=deploys, until=inv.as_of).rows:
            again[str(row["deploy"])].append(row)
    elsewhere = run.last
    near = likeness(run, inv.signal, before)
    alike = run.last
    looked, rarity = _rarity(inv, run, before, ruled)
    opened = next((s.n for s in reversed(run.steps) if s.tool == "changes_in"), 0)
    steps = {"decided_on": decided, "elsewhere": elsewhere, "changes_in": opened, "alike": alike}
    deployed = frozenset(key for key, r in rates.items() if r["deploys"]) | {c.on for c in before if c.kind == "deploy"}
    return Evidence(inv.signal, inv.as_of, looked, rarity, pace, ruled, inv.past, near, later, before, again, deployed, steps)


def rulings(rows: Sequence[Mapping[str, Any]]) -> list[Ruling]:
    """The decisions and rules of `decided_on` that stand."""
    found = []
    for r in rows:
        if r["superseded"] or str(r["stated"] or "").lower() in _UNSETTLED:
            continue
        lines = [(str(text), int(line or 0)) for text, line, _ in r["texts"] or ()]
        lines.append((f"{r['name']}: {r['value']}" if r["value"] else str(r["name"]), 0))
        found.append(Ruling(str(r["key"]), str(r["name"]), str(r["kind"]), tuple(map(str, r["on"])), str(r["doc"] or ""), tuple(lines)))
    return found


def _rarity(inv: Investigation, run: Run, before: Sequence[Change], ruled: Sequence[Ruling]) -> tuple[Profile, Rarity]:
    """What to look for, and how rare the words are that some change shares with it, with a decision or with a report."""
    hints = [*(t.text for t in inv.told), *(p.lesson for p in inv.past if p.likeness >= 1.0)]
    looked = profile([inv.signal.name, inv.signal.title, inv.signal.text], hints, [k.partition(":")[2] for k in inv.scope])
    known = {*looked.weights}.union(*(terms(p.lesson) for p in inv.past), *(terms(text) for r in ruled for text, _ in r.lines))
    said = set().union(*(terms(" ".join(c.texts())) for c in before))
    shared = sorted(t for t in known & said if not t.isdigit())[:150]
    total = run.lookup("passages_total")
    counts = run.look("word_counts", "investigator: how rare the words are that they share", terms=shared).rows if shared else ()
    return looked, Rarity(int(total[0]["n"]) if total else 0, {str(r["term"]): int(r["n"]) for r in counts})


def _judged(suspects: Sequence[Suspect]) -> tuple[list[Suspect], Any, float]:
    """The suspects in order with their standing; the verdict and how sure it is."""
    ordered = sorted(suspects, key=lambda s: (-s.score, -s.at, s.key))
    shares, nothing = scoring.confidences(s.score for s in ordered)
    top = shares[0] if shares else 0.0
    named = [_names(s, share, top) for s, share in zip(ordered, shares, strict=True)]
    sure = [min(share, _surest(s)) for s, share in zip(ordered, shares, strict=True)]
    outcome = "none" if not any(named) else "cause" if named[0] and sure[0] >= scoring.CAUSE else "rivals"
    standing: list[Standing] = [
        "discounted" if not n else "cause" if i == 0 and outcome == "cause" else "rival" for i, n in enumerate(named)
    ]
    made = [replace(s, confidence=round(c, 3), standing=st) for s, c, st in zip(ordered, sure, standing, strict=True)]
    return made, outcome, next((c for c, n in zip(sure, named, strict=True) if n), min(nothing, SUREST))


def _proof(s: Suspect) -> float:
    """The most that anything but time and place says for it."""
    return max((r.points for r in s.reasons if r.kind in ("rule", "past", "ended_with", "modified", "alike")), default=0.0)


def _surest(s: Suspect) -> float:
    """How sure it may be said to be at most: less when what speaks for it beside time and place is weak, little when it is nothing."""
    if _proof(s) >= scoring.CLEAR:
        return SUREST
    return BY_TIME if _proof(s) >= scoring.TOLD or s.score >= scoring.CLOSE else UNPROVEN


def _names(s: Suspect, share: float, top: float) -> bool:
    """Whether a change is named at all: it must beat finding nothing, and either hold a share of its own, or one near the largest, or
    bring proof of its own.
    """
    if s.score <= (scoring.NOTHING if _proof(s) >= scoring.TOLD else scoring.BARE):
        return False
    against = sum(r.points for r in s.reasons if r.kind in scoring.AGAINST)
    proof = _proof(s)
    return share >= min(scoring.NAMED, top / 2) or (proof >= PROVEN and s.score >= scoring.NOTHING + PROVEN and against > -1.0)


def _pathed(inv: Investigation, run: Run, suspects: Sequence[Suspect]) -> list[Suspect]:
    """The suspects with the way that leads from the alert to each; one that no way leads to cannot be named."""
    wanted = [s.key for s in suspects[:10]]
    start = inv.signal.key or inv.signal.service
    if not wanted or not start:
        return [*suspects]
    rows = run.call("causal_path", "investigator: the way from the alert to each", alert=start, changes=wanted, max_hops=HOPS).rows
    ways = {str(r["change"]): r for r in rows}
    made = []
    for s in suspects:
        way = ways.get(s.key)
        made.append(replace(s, path=tuple(map(str, way["path"])), rels=tuple(map(str, way["rels"]))) if way else s)
    return made


def _checked(
    inv: Investigation, before: Sequence[Change], suspects: Sequence[Suspect], step: int, rates: Mapping[str, Mapping[str, Any]]
) -> tuple[Checked, ...]:
    """For everything in scope what was found there; what only a label names was not looked at, and is not clean."""
    named = {s.on for s in suspects if s.standing != "discounted"}
    found: dict[str, list[Change]] = defaultdict(list)
    for c in before:
        found[c.on].append(c)
    span = scoring.spell(inv.window)
    made = []
    for key in inv.scope:
        here = found.get(key, [])
        text = f"{len(here)} change{'s' if len(here) != 1 else ''}" if here else f"nothing changed in the {span} before"
        unknown = not here and bool(rates.get(key, {}).get("unknown"))
        text = "nothing that is loaded describes it: its deployments, dependencies and owner are not known here" if unknown else text
        made.append(Checked("changes", key, len(here), key not in named and not unknown, text, step))
    return tuple(made)


def _events(before: Sequence[Change], later: Sequence[Change]) -> list[Event]:
    return [Event(c.at, c.kind, c.key, c.name, c.on) for c in (*before, *later)]
