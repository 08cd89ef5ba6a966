"""What is wrong with ownership: orphaned things, things that one person alone knows, sources that disagree."""

from __future__ import annotations

from brain.agents.company_facts import AUTHORITY, Row, answered, by_query, called, nothing, unique
from brain.agents.company_owning import ownership, problems, said, targets
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import count, day, short

MOST = 80
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
        return _unowned_everywhere(run, u)
    every = sorted(k for k, label in u.lexicon.company.items() if label == "Service")[:MOST]
    items, facts = list[str](), list[Fact]()
    for place in every:
        rows = ownership(run, place)
        bad = [r for r in rows if r.get("finding") == wanted]
        if bad:
            items.append(place)
            facts += [*[said(r, place, run) for r in bad[:2]], *problems(rows, place, run)][:4]
    if not items:
        return nothing(f"None of the {count(len(every), 'services')} that are loaded is like that.")
    return answered([str(len(items))] if u.want == "count" else items, facts, items)


def _unowned_everywhere(run: Run, u: Understanding) -> Draft:
    """The services that nobody who is still here owns."""
    got = run.ctx.run("unowned_services")
    run.add("unowned_services", "services that nobody who is still here owns", {}, got)
    rows = [r for r in got.rows if not r["unknown"]]
    if not rows:
        return nothing("Every service that is loaded has an owner who is still here.")
    facts = []
    for r in rows[:40]:
        why = f"its owner {called(str(r['about']), r['about_name'])} has left" if r.get("about") else "no source names an owner"
        cited = (str(r["key"]), *([str(r["about"])] if r.get("about") else []))
        facts.append(by_query(run, f"{short(str(r['key']))}: {why}.", *cited))
    return answered([str(len(rows))] if u.want == "count" else unique(r["key"] for r in rows), facts, [])


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
