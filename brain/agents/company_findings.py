"""What is wrong with ownership: orphaned things, things that one person alone knows, sources that disagree."""

from __future__ import annotations

from collections.abc import Sequence

from brain.agents import company_services
from brain.agents.company_facts import AUTHORITY, Row, answered, by_query, called, nothing, unique
from brain.agents.company_owning import ownership, problems, said, targets
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import count, day, short

MOST = 400  # services whose owners and hands are looked at one by one; what is left out is said


def findings(u: Understanding, run: Run) -> Draft | None:
    """What is orphaned, or known to one person alone: for what is named, else over everything that runs."""
    wanted = "bus_factor_one" if u.cued("busfactor") else "orphaned"
    places = targets(u)
    if not places:
        return _everywhere(run, u, wanted)
    items, facts = list[str](), list[Fact]()
    held = False
    for place in places:
        rows = ownership(run, place)
        bad = [r for r in rows if r.get("finding") in (wanted, *(("departed", "unknown_owner") if wanted == "orphaned" else ()))]
        held = held or bool(bad)
        items += unique(r["key"] for r in bad) if wanted == "bus_factor_one" else unique(r["key"] for r in rows if r.get("ask"))
        facts += [said(r, place, run) for r in (bad or rows)[:5]] + problems(rows, place, run)
    if u.want in ("yesno", "text"):
        return answered(["yes" if held else "no"], facts, places, "Yes." if held else "No.")
    return answered(items, facts, places) if items else Draft([], facts, "insufficient", entries=places)


def _everywhere(run: Run, u: Understanding, wanted: str) -> Draft:
    """Everything that runs for which the finding holds."""
    if wanted == "orphaned":
        return _orphaned_everywhere(run, u)
    every = sorted(k for k, label in u.lexicon.company.items() if label == "Service")
    items, facts = list[str](), list[Fact]()
    for place in every[:MOST]:
        rows = ownership(run, place)
        bad = [r for r in rows if r.get("finding") == wanted]
        if bad:
            items.append(place)
            facts += [*[said(r, place, run) for r in bad[:2]], *problems(rows, place, run)][:4]
    rest = [Fact(f"Only the first {MOST} of {count(len(every), 'services')} were looked at.", step=1)] if len(every) > MOST else []
    if not items:
        none = nothing(f"None of the {count(len(every[:MOST]), 'services')} looked at is like that.")
        return Draft(state="insufficient", facts=[*rest, *none.facts])
    return answered([str(len(items))] if u.want == "count" else items, [*rest, *facts], items)


def _orphaned_everywhere(run: Run, u: Understanding) -> Draft:
    """The services that nobody who is still here owns: those named have left, are unknown, or are teams with nobody in them."""
    got = run.ctx.run("owners_here")
    run.add("owners_here", "who is named as the owner of each service, and whether anybody of them is still here", {}, got)
    owners: dict[str, list[Row]] = {}
    for r in got.rows:
        if not r["elsewhere"] or r.get("owner"):
            owners.setdefault(str(r["key"]), []).append(r)
    counted = any(r["members"] for r in got.rows)
    lost = {k: rows for k, rows in owners.items() if _without(rows, counted, run.ctx.as_of)}
    facts = [by_query(run, f"{short(k)}: {_why(rows, counted, run.ctx.as_of)}.", *_cited(k, rows)) for k, rows in lost.items()]
    if not lost and company_services.whether(u):
        return answered(["no"], [by_query(run, "Every service that is loaded has an owner who is still here.")], [], "No.")
    if not lost:
        return nothing("Every service that is loaded has an owner who is still here.")
    if company_services.whether(u):
        return answered(["yes"], facts[:40], [], "Yes.")
    return answered([str(len(lost))] if u.want == "count" else list(lost), facts[:40], [])


def _cited(key: str, rows: Sequence[Row]) -> list[str]:
    return [key, *(str(r["owner"]) for r in rows if r.get("owner"))]


def _here(r: Row, counted: bool, now: int) -> bool:
    """Can the owner be asked: is it somebody who has not left, or a team that is known and has people in it?"""
    gone = r.get("departed_at") is not None and int(r["departed_at"]) <= now
    empty = r["unknown"] or (counted and r["label"] == "Team" and not r["members"])
    return bool(r.get("owner")) and not gone and not empty


def _without(rows: Sequence[Row], counted: bool, now: int) -> bool:
    """Is nobody left: no owner at all who is here, or none of the persons who are named?"""
    persons = [r for r in rows if r.get("owner") and r["label"] == "Person"]
    if persons and not any(_here(r, counted, now) for r in persons):
        return True
    return not any(_here(r, counted, now) for r in rows)


def _why(rows: Sequence[Row], counted: bool, now: int) -> str:
    told = []
    for r in (r for r in rows if r.get("owner")):
        who = called(str(r["owner"]), r["owner_name"])
        if r.get("departed_at") is not None and int(r["departed_at"]) <= now:
            told.append(f"its owner {who} left on {day(int(r['departed_at']))}")
        elif not _here(r, counted, now):
            told.append(f"its owner {who} is {'known to no other source' if r['unknown'] else 'a team that nobody is in'}")
        else:
            told.append(f"{who} is named too")
    return "; ".join(told) or "no source names an owner"


def disagreement(u: Understanding, run: Run) -> Draft | None:
    """The sources that name different owners of one thing, both cited, the higher authority first."""
    places = targets(u)
    got = run.call("conflicts", "claims that contradict each other", **({"target": places[0]} if places else {}))
    rows = [r for r in got.rows if r.get("kind") == "ownership"]
    facts, items = list[Fact](), list[str]()
    for r in rows[:20]:
        items += [str(r["a"]), str(r["b"])] if places else [str(r["subject"])]
        facts.append(by_query(run, clash(r), *(str(r[k]) for k in ("subject", "a", "b", "a_from", "b_from") if r.get(k))))
    if not rows:
        if u.want == "yesno" and places:
            facts = [by_query(run, f"No two sources that are loaded disagree about who owns {short(places[0])}.", *places)]
            return answered(["no"], facts, places, "No.")
        return nothing("No two sources that are loaded disagree about an owner" + (f" of {short(places[0])}." if places else "."), *places)
    if u.want == "yesno":
        return answered(["yes"], facts, places, "Yes.")
    return answered([str(len(rows))] if u.want == "count" else items, facts, places)


def clash(r: Row) -> str:
    """Two claims that contradict each other, the one with the higher authority first."""
    a, b = (f"{r[x + '_value']} ({AUTHORITY.get(str(r.get(x + '_authority')), r.get(x + '_authority'))})" for x in ("a", "b"))
    of = f"{short(str(r['subject']))}, {str(r.get('slot') or 'owner').replace('_', ' ')}"
    since = f", since {day(int(r['since']))}" if r.get("since") else ""
    return f"{of}: {a} against {b}{since}."
