"""Who reports to whom: of somebody who is named, or of whoever leads or owns what is named."""

from __future__ import annotations

from brain.agents import company_owning, company_people
from brain.agents.company_facts import answered, by_query, called, nothing, person_of, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import listing, short


def reports(u: Understanding, run: Run) -> Draft | None:
    """Who reports to somebody, or to whom somebody reports, at the instant asked about."""
    persons = [k for m in u.links.of("Person") for k in m.keys[:1]] or _holders(u, run)
    if not persons:
        places = company_owning.targets(u)
        return nothing(f"Nobody who is here is named to answer for {listing([short(p) for p in places])}.", *places) if places else None
    person = persons[0]
    others = [k for m in u.links.of("Person") for k in m.keys if k != person]
    if others and u.want == "yesno" and u.says("is_their_manager"):
        person, others = others[0], [person]
    below = u.says("reports_of_them") and not (others and u.want == "yesno")
    way = "in" if below else "out"
    got = run.call("expand", f"who reports to whom around {short(person)}", key=person, rels=["REPORTS_TO"], direction=way, k=500)
    rows = [r for r in got.rows if str(r["key"]).startswith("person:")]
    items, facts = unique(r["key"] for r in rows), list[Fact]()
    for r in rows[:40]:
        key = str(r["key"])
        src, dst = (key, person) if below else (person, key)
        who, whom = (called(key, r["name"]), person_of(run, person)) if below else (person_of(run, person), called(key, r["name"]))
        since = company_people.stretch(company_people.edge_of(got.edges, src, "REPORTS_TO", dst))
        facts.append(by_query(run, f"{who} reports to {whom}{since}.", key, person))
    left = [] if below else company_people.departure(run, person)
    if u.want == "yesno" and others:
        held = bool(set(others) & set(items))
        return answered(["yes" if held else "no"], facts or [by_query(run, f"Nobody is named to whom {short(person)} reports.", person)],
                        [person, *others], "Yes." if held else "No.")  # fmt: skip
    if not items:
        text = f"Nobody that is loaded reports to {short(person)} then."
        text = text if below else f"No source says to whom {short(person)} reports then."
        return answered(["0"], [by_query(run, text, person)], [person]) if u.want == "count" else nothing(text, person)
    if u.want == "count":
        total = by_query(run, f"{len(items)} people report to {person_of(run, person)}.", person)
        return answered([str(len(items))], [total, *facts], [person])
    return answered(items, [*facts, *left], [person])


def _holders(u: Understanding, run: Run) -> list[str]:
    """The persons who lead, or else own, what the question names."""
    rows = [r for place in company_owning.targets(u) for r in company_owning.ownership(run, place) if not r.get("departed")]
    for rel in ("OWNS", "TECH_LEAD_OF") if u.cued("own") and not u.cued("lead") else ("TECH_LEAD_OF", "OWNS"):
        if found := [k for k in unique(r["key"] for r in company_owning.current(rows, rel)) if k.startswith("person:")]:
            return found
    return []
