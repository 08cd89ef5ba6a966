"""The same four roles with the graph off: passage search and what the passages' own documents say of themselves, nothing else.

A change is a suspect when a passage of it was found and its date lies in the window. There is no dependency to follow,
no path to show, and nothing to say about what was clean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from brain.agents.retrieve import like
from brain.agents.run import Draft, Fact, Run
from brain.agents.wording import minute
from brain.ask import checked
from brain.incident import scoring
from brain.incident.findings import Investigation, Paged, Passage, Past, Reason, Severity, Standing, Suspect
from brain.incident.responder import verdict
from brain.incident.symptoms import body
from brain.text import passages as stored

_CHANGES = ("Deploy", "Ticket", "PullRequest")
_TOLD = ("Doc", "Incident", "Message", "Thread", "Decision", "Rule")
K, FETCHED = 12, 60
UNPROVEN = 0.74  # no way is known from the alert to what a passage tells of, so nothing is sure
Ask = Callable[[Run, str], Draft]


def triage(inv: Investigation, run: Run) -> Investigation:
    """Severity as the alert states it; what else hangs on it no passage tells."""
    level = {"critical": "SEV2", "page": "SEV2", "warning": "SEV3"}.get(inv.signal.severity.lower(), "SEV4")
    told = f"the alert says {inv.signal.severity!r}" if inv.signal.severity else "the alert does not say how bad it is"
    return replace(inv, severity=Severity(level, (Reason("severity", 1.0, told, (inv.signal.key,)),)), broke=inv.signal.service)


def historian(inv: Investigation, run: Run) -> Investigation:
    """Passages of documents, reports and chat that are like the alert."""
    found = [p for p in like(run, _words(inv), K, _TOLD) if p.src not in _own(inv, run)]
    past = [
        Past(p.src, p.title, p.at, round(p.score, 4), "its text is like the alert", lesson=body(p.body), step=run.last)
        for p in found
        if p.src.startswith(("incident:", "doc:incident")) or p.about.get("kind") in ("incident", "postmortem")
    ]
    return replace(inv, past=tuple(past[:5]), passages=tuple(_passage(p) for p in found))


def investigator(inv: Investigation, run: Run) -> Investigation:
    """Changes in the window whose passages are most like the alert, each weighed by how near it is in time and in the ranking."""
    since = inv.signal.at - inv.window
    found = [p for p in like(run, _words(inv), FETCHED, _CHANGES) if since <= _when(p) <= inv.signal.at]
    best: dict[str, tuple[int, stored.Passage]] = {}
    for place, p in enumerate(found):
        best.setdefault(p.src, (place, p))
    made = [_suspect(inv, key, place, p, run.last) for key, (place, p) in best.items()]
    ordered = sorted(made, key=lambda s: (-s.score, s.key))
    shares, nothing = scoring.confidences(s.score for s in ordered)
    outcome = "none" if not ordered or ordered[0].score <= scoring.NOTHING else "cause" if shares[0] >= scoring.CAUSE else "rivals"
    standing: list[Standing] = [
        "discounted" if outcome == "none" or share < scoring.NAMED else "cause" if i == 0 and outcome == "cause" else "rival"
        for i, share in enumerate(shares)
    ]
    sure = [min(share, UNPROVEN) for share in shares]
    suspects = tuple(replace(s, confidence=round(c, 3), standing=st) for s, c, st in zip(ordered, sure, standing, strict=True))
    told = (*inv.passages, *(_passage(p) for p in found[:K]))
    confidence = sure[0] if outcome != "none" else nothing
    return replace(inv, suspects=suspects, outcome=outcome, confidence=round(confidence, 3), passages=told)  # type: ignore[arg-type]


def responder(inv: Investigation, run: Run, ask: Ask) -> Investigation:
    """Whom the passages say to page, and the report over the passages."""
    name = inv.signal.service_name or inv.signal.title
    people: list[str] = []
    for question in (f"Who is on call for {name}?", f"Who owns {name}?"):
        people += [key for key in ask(run, question).items if key.startswith(("person:", "team:")) and key not in people]
    people = people[:3]
    names = run.names()
    page = tuple(
        Paged(i + 1, key, names.get(key, key.partition(":")[2]), "named in a passage", cites=(key,), step=run.last)
        for i, key in enumerate(people)
    )
    inv = replace(inv, page=page)
    facts = [Fact(f"{s.key.partition(':')[2]} is dated {minute(s.at)}.", (s.key,), (), s.reasons[0].step) for s in inv.causes[:3]]
    claims, dropped = checked(run, Draft(facts=facts, entries=[s.key for s in inv.causes]))
    return replace(inv, claims=tuple(claims), dropped=tuple(dropped), text=_verdict(inv))


def _verdict(inv: Investigation) -> str:
    if inv.outcome == "none":
        return "No cause found in the passages: none that is like this alert belongs to a change in the window."
    return verdict(inv)


def _words(inv: Investigation) -> str:
    return " ".join(dict.fromkeys(f"{inv.signal.name} {inv.signal.title} {inv.signal.service_name}".split()))


def _own(inv: Investigation, run: Run) -> set[str]:
    """The alert itself and what was written about this very alert afterwards: nothing may rest on it, here as with the graph."""
    if not inv.signal.key:
        return set()
    rows = run.lookup("recorded_of", alert=inv.signal.key)
    return {inv.signal.key, *(str(r["key"]) for r in rows), *(str(d) for r in rows for d in r["docs"] or ())}


def _when(p: stored.Passage) -> int:
    """When a change took effect, as its document says."""
    return int(p.about.get("closed_at") or p.about.get("merged_at") or p.at or 0)


def _suspect(inv: Investigation, key: str, place: int, p: stored.Passage, step: int) -> Suspect:
    at = _when(p)
    near = max(0.0, 2.0 - (inv.signal.at - at) / 7200)
    reasons = (
        Reason(
            "modified", round(2.0 / (place + 1), 2), f"its passage came at place {place + 1} of those like the alert", (key,), step=step
        ),
        Reason("time", round(near, 2), f"{scoring.spell(inv.signal.at - at)} before the alert", (key,), step=step),
    )
    kind = {"deploy": "deploy", "ticket": "ticket", "pr": "pr"}[key.partition(":")[0]]
    score = round(sum(r.points for r in reasons), 2)
    return Suspect(key, kind, p.title or key, at, "", "", 0, p.author, score, reasons=reasons)  # type: ignore[arg-type]


def _passage(p: stored.Passage) -> Passage:
    return Passage(p.chunk, p.src, p.title, p.body, p.line, p.at, round(p.score, 5))


def roles(ask: Ask) -> Sequence[tuple[str, Callable[[Investigation, Run], Investigation]]]:
    """The four roles in their order."""
    return (
        ("triage", triage),
        ("historian", historian),
        ("investigator", investigator),
        ("responder", lambda inv, run: responder(inv, run, ask)),
    )
