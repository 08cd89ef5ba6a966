"""What a playbook saves: when the same thing goes off again, the change that caused it last time is looked for where it was then,
before anything else is. Only a strong result ends the investigation here; anything less is a whole investigation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from brain.agents.run import Run
from brain.incident import changes as gathering
from brain.incident import scoring
from brain.incident.changes import Change
from brain.incident.evidence import SPAN, Evidence
from brain.incident.findings import ROLES, Checked, Event, Followed, Investigation, Reason, Suspect
from brain.incident.harmless import release_only
from brain.incident.investigator import named, rulings
from brain.incident.responder import paged, reported
from brain.incident.symptoms import Profile, Rarity
from brain.incident.triage import HOPS, triage
from brain.playbooks import Cause, Playbook
from brain.text.analysis import terms

STRONG, WORDS, RARE = 3.0, 2, 0.1
USUAL = 6  # changes of one thing in sixty days, where nothing was counted


def followed(inv: Investigation, run: Run, playbook: Playbook) -> Investigation | None:
    """The investigation ended by the playbook; None when what it looks for is not there, or not alone, or not strong enough."""
    cause = playbook.known_cause()
    first = triage(inv, run, seen=False)
    if cause.broke not in first.scope:
        return None
    since = inv.signal.at - inv.window
    before, later = gathering.gather(run, inv.signal, since, inv.as_of + 1, HOPS, (cause.broke,))
    before = [replace(c, hops=cause.rels.count("DEPENDS_ON")) for c in before]
    before, later = gathering.opened(run, before, later) if before else (before, later)
    found = _alike(first, run, cause, before, later)
    if len(found) != 1:
        return None
    suspect = _pathed(inv, run, found[0])
    if suspect is None:
        return None
    text = f"only this was looked at: playbook {playbook.title!r}"
    looked = Checked("changes", cause.broke, len(before), False, text, suspect.reasons[0].step)
    gone_off = Event(inv.signal.at, "alert", inv.signal.key, inv.signal.title, inv.signal.service)
    events = (*(Event(c.at, "deploy" if c.kind == "flag" else c.kind, c.key, c.name, c.on) for c in (*before, *later)), gone_off)
    done = replace(
        first,
        suspects=(suspect,),
        outcome="cause",
        confidence=suspect.confidence,
        broke=cause.broke,
        roles=ROLES,
        checked=(looked,),
        events=tuple(sorted(events, key=lambda e: (e.at, e.kind, e.key))),
    )
    done = reported(paged(done, run), run)
    return replace(done, followed=Followed(playbook.id, playbook.title, True, run.last, playbook.steps, 0.0, playbook.ms))


def failed(playbook: Playbook, steps: int, reason: str) -> Followed:
    """The playbook was tried and did not hold."""
    return Followed(playbook.id, playbook.title, False, steps, playbook.steps, 0.0, playbook.ms, reason)


def _alike(inv: Investigation, run: Run, cause: Cause, before: Sequence[Change], later: Sequence[Change]) -> list[Suspect]:
    """The changes that are like the one of last time: of its kind, and speaking of the same or breaking the same rule."""
    if not before:
        return []
    decided = rulings(run.look("decided_on", "investigator: what was decided about what broke last time", things=[cause.broke]).rows)
    step = run.last
    words = _telling(run, cause, before)
    rates = {cause.broke: (USUAL, inv.signal.at - SPAN)}
    deployed = frozenset(c.on for c in before if c.kind == "deploy")
    evidence = Evidence(
        inv.signal,
        inv.as_of,
        Profile(dict.fromkeys(words, 1.0)),
        Rarity(0),
        rates,
        decided,
        (),
        {},
        later,
        before,
        {},
        deployed,
        {"decided_on": step},
    )
    found = []
    for c in before:
        shared = words & set(terms(" ".join(c.texts())))
        reasons = [r for r in scoring.reasons(c, evidence) if r.kind != "modified"]
        broken = any(r.kind == "rule" and r.points >= scoring.RULE_BROKEN and r.cites[0] in cause.rules for r in reasons)
        if len(shared) >= WORDS:
            said = ", ".join(f"“{w}”" for w in sorted(shared)[:4])
            reasons.append(
                Reason("past", 2.0, f"like the cause of {cause.title!r} before, it speaks of {said}", (c.key, cause.change), step=c.step)
            )
        score = round(sum(r.points for r in reasons), 2)
        if score >= STRONG and (broken or len(shared) >= WORDS):
            found.append(_suspect(c, cause, score, reasons))
    return found


def _telling(run: Run, cause: Cause, before: Sequence[Change]) -> set[str]:
    """The words of the cause of last time that one of these changes shares and that few passages hold."""
    silent = {*terms(cause.broke.partition(":")[2]), *terms(cause.service.partition(":")[2])}
    said = set().union(*(terms(" ".join(c.texts())) for c in before))
    shared = sorted(t for t in said & {*cause.words} - silent if not any(x.isdigit() for x in t))
    if not shared:
        return set()
    counts = run.look("word_counts", "investigator: how rare the words are that they share", terms=shared[:100]).rows
    total = run.lookup("passages_total")
    rarity = Rarity(int(total[0]["n"]) if total else 0, {str(r["term"]): int(r["n"]) for r in counts})
    return {t for t in shared if rarity.of(t) >= RARE}


def _suspect(c: Change, cause: Cause, score: float, reasons: Sequence[Reason]) -> Suspect:
    inside = tuple(p.key for p in c.parts if not release_only(p))
    (share,), _ = scoring.confidences([score])
    ordered = tuple(sorted(reasons, key=lambda r: -abs(r.points)))
    hops = cause.rels.count("DEPENDS_ON")
    on = c.on.partition(":")[2]
    return Suspect(c.key, c.kind, named(c), c.at, c.on, on, hops, c.author, score, round(share, 3), "cause", ordered, changes=inside)


def _pathed(inv: Investigation, run: Run, suspect: Suspect) -> Suspect | None:
    """The suspect with the way to it, which must still be there."""
    rows = run.call(
        "causal_path", "investigator: is the way of last time still there", alert=inv.signal.key, changes=[suspect.key], max_hops=HOPS
    ).rows
    if not rows:
        return None
    row = rows[0]
    return replace(suspect, path=tuple(map(str, row["path"])), rels=tuple(map(str, row["rels"])), hops=int(row["hops"]))
