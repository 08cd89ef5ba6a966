"""Who answers for something: owners and technical leads as every source names them, who keeps a document, and what is
wrong with it: sources that disagree, owners who left, one person who alone knows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents import company_people, company_services, company_sources, company_strangers
from brain.agents.company_facts import (
    AUTHORITY,
    SOURCES,
    Row,
    answered,
    by_path,
    by_query,
    called,
    cites,
    nothing,
    person_of,
    quotes,
    spell,
    unique,
    where,
)  # fmt: skip
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, listing, short
from brain.text.link_things import RUNS

DECLARED = ("OWNS", "TECH_LEAD_OF", "MAINTAINED_BY", "ON_CALL_FOR", "MEMBER_OF")
_KINDS = {
    "systems?": "System",
    "apis?|interfaces?": "Api",
    "resources?|databases?": "Resource",
    "modules?": "Module",
    "services?|components?": "Service",
    "projects?": "Project",
    "domains?": "Domain",
    "repos?|repositor(?:y|ies)": "Repo",
}
_DID = {"changed": "changes", "reviewed": "reviews", "handled": "tickets"}
_SAYS = {
    "OWNS": "{who} owns {what}",
    "TECH_LEAD_OF": "{who} leads {what} technically",
    "MAINTAINED_BY": "{who} keeps {what} up to date",
    "ON_CALL_FOR": "{who} is on call for {what}",
    "MEMBER_OF": "{who} belongs to {what}",
}
_FINDINGS = {
    "disagrees": "the sources disagree about who owns {what}",
    "departed": "somebody named for {what} has left",
    "orphaned": "{what} is orphaned: nobody who is still here owns it",
    "bus_factor_one": "one person alone works on {what} (bus factor one)",
    "unknown_owner": "the owner named for {what} is not known anywhere else",
}


def targets(u: Understanding) -> list[str]:
    """What the question asks about: documents only when nothing else is named."""
    for labels in (RUNS, ("Directory", "File"), ("Repo",), ("Team",), ("Doc",)):
        if found := [m for m in u.links.of(*labels) if not company_sources.is_source(u, m.text)]:
            return unique(k for m in found for k in (m.keys if m.label == "Repo" else m.keys[:1]))[:3]
    return []


def ownership(run: Run, target: str) -> Sequence[Row]:
    """What every source says about who answers for the target, at the run's instant."""
    return run.call("who_owns", f"who answers for {short(target)}, by every source", target=target, k=50).rows


def said(row: Row, target: str, run: Run) -> Fact:
    """A row of `ownership` as a sentence with its source."""
    on = str(row.get("on") or target)
    who, what = called(str(row["key"]), row.get("name")), called(on, run.names().get(on, "")) if on.startswith("doc:") else short(on)
    if row.get("source") in _DID:
        last = f", last on {day(int(row['last_at']))}" if row.get("last_at") else ""
        often = f"{row['n']} {_DID[str(row['source'])]}" if row.get("n") else f"no {_DID[str(row['source'])]} in the last year"
        return by_path(run, f"{who}: {often} in {what}{last}{gone(row)}.", str(row["key"]), target)
    text = _SAYS.get(str(row.get("rel")), "{who} answers for {what}").format(who=who, what=what)
    by = SOURCES.get(str(row.get("source")), "a source")
    standing = f", as {AUTHORITY[str(row['authority'])]}" if row.get("authority") in AUTHORITY else ""
    ended = "" if row.get("stands", "current") == "current" else "; that has ended"
    return Fact(f"{text} according to {by}{standing}{where(row)}{spell(row)}{ended}{gone(row)}.", cites(row, target), quotes(row), run.last)


def gone(row: Row) -> str:
    """That the person has left, where they have."""
    if not row.get("departed"):
        return ""
    return f"; left on {day(int(row['departed_at']))}" if row.get("departed_at") else "; has left"


def current(rows: Sequence[Row], rel: str) -> list[Row]:
    """The rows that claim the relation and hold at the run's instant, higher authority first."""
    return [r for r in rows if r.get("rel") == rel and r.get("stands", "current") == "current"]


def owners(u: Understanding, run: Run) -> Draft | None:
    """Who owns it, or whom to ask, with every source beside the others; None for a place of which no source tells."""
    places = targets(u)
    if not places:
        return None
    items: list[str] = []
    facts: list[Fact] = []
    for place in places:
        rows = ownership(run, place)
        rows = company_sources.as_asked(u, rows)
        if company_sources.source_asked(u) and not current(rows, "OWNS"):
            facts.append(by_path(run, f"The source that is asked names no owner of {short(place)}.", place))
            continue
        declared = [r for r in rows if r.get("rel") in DECLARED and r.get("rel") != "MAINTAINED_BY"]
        if not declared and not place.startswith(("service:", "team:", "system:", "api:", "resource:", "module:")):
            return None
        found = current(rows, "OWNS")
        chosen = _chosen(u, run, rows, found)
        items += chosen
        facts += _first(rows, chosen, place, run, u)
    if u.want == "date":
        items = _dates(u, run, places)
    if not items:
        return _unowned(facts, places, run)
    return _yes_or_no(u, items, facts, places) if u.want == "yesno" else answered(items, facts, places)


def _chosen(u: Understanding, run: Run, rows: Sequence[Row], found: Sequence[Row]) -> list[str]:
    """The owners that the source with the highest authority names; who is to be asked when they are gone or asked for."""
    ask = unique(r["key"] for r in rows if r.get("ask"))
    living = [r for r in found if not r.get("departed")]
    if u.says("formerly"):
        return unique(
            r["key"] for r in rows if r.get("rel") in ("OWNS", "TECH_LEAD_OF") and (r.get("stands") == "ended" or r.get("departed"))
        )
    if u.says("all_owners"):
        return unique(r["key"] for r in found)
    if asks_whom(u):
        return ask or unique(r["key"] for r in living[:1])
    if not living and not (found and company_sources.source_asked(u)):
        return ask if not u.says("named_owner") else unique(r["key"] for r in found[:1])
    if company_sources.source_asked(u):
        living = list(found)
    best = unique(r["key"] for r in living if r.get("source") == living[0].get("source"))
    wanted = "team:" if u.says("which_team") else "person:" if u.says("which_person") else ""
    fitting = [k for k in best if k.startswith(wanted)] or [str(r["key"]) for r in living if str(r["key"]).startswith(wanted)][:1]
    if wanted == "team:" and not fitting:
        return unique(k for person in best for k in teams_of(run, person))
    if wanted == "person:" and not fitting:
        return unique(r["key"] for r in current(rows, "TECH_LEAD_OF") if not r.get("departed"))[:1] or ask or best
    return fitting


def asks_whom(u: Understanding) -> bool:
    """Is it asked whom to ask, rather than who is named?"""
    return u.says("whom_to_ask")


def _first(rows: Sequence[Row], chosen: Sequence[str], place: str, run: Run, u: Understanding) -> list[Fact]:
    """The sentences: what is answered first, then what other sources say, then what is wrong."""
    told = [
        r for r in rows if r.get("rel") in ("OWNS", "TECH_LEAD_OF") or r["key"] in chosen or r.get("departed") or r.get("source") in _DID
    ]
    told = [r for r in told if r.get("rel")]
    order = sorted(told, key=lambda r: (r["key"] not in chosen, r.get("rel") != "OWNS", r.get("source") in _DID))
    facts = [said(r, place, run) for r in order[:8]]
    return [*facts, *problems(rows, place, run)]


def problems(rows: Sequence[Row], place: str, run: Run) -> list[Fact]:
    """What is wrong with the ownership, each finding once, with whom to ask."""
    facts = []
    for finding in unique(r.get("finding") for r in rows):
        if finding not in _FINDINGS:
            continue
        held = unique(r["key"] for r in rows if r.get("finding") == finding)
        text = _FINDINGS[finding].format(what=short(place))
        facts.append(by_path(run, f"{text[0].upper()}{text[1:]}.", *held[:4], place))
    ask = [r for r in rows if r.get("ask")]
    if ask and facts:
        names = listing([called(str(r["key"]), r.get("name")) for r in ask], 3)
        facts.append(by_path(run, f"The one to ask now is {names}.", *unique(r["key"] for r in ask[:3]), place))
    return facts


def _unowned(facts: Sequence[Fact], places: Sequence[str], run: Run) -> Draft:
    text = f"No source that is loaded names an owner of {listing([short(p) for p in places])}."
    if not facts:
        return nothing(text, *places)
    return Draft([], [by_path(run, text, *places), *facts], "insufficient", entries=list(places))


def _yes_or_no(u: Understanding, items: Sequence[str], facts: Sequence[Fact], places: Sequence[str]) -> Draft:
    """Does the named person or team own it? Membership of the owning team is not owning."""
    asked = {k for m in u.links.of("Person", "Team") for k in m.keys} - set(places)
    strangers = company_strangers.read(u.masked)[1] if not asked else {}
    if strangers:
        facts = [Fact(f"Nobody called {who} is loaded.", tuple(places[:1]), step=facts[0].step) for who in strangers.values()] + [*facts]
    yes = bool(asked & set(items)) if asked else bool(items) and not strangers
    return answered(["yes" if yes else "no"], facts, places, "Yes." if yes else "No.")


def _dates(u: Understanding, run: Run, places: Sequence[str]) -> list[str]:
    """Since when the owner owns it, as far as a source says."""
    rel = "TECH_LEAD_OF" if u.cued("lead") else "OWNS"
    rows = [r for place in places for r in current(ownership(run, place), rel)]
    asked = {k for m in u.links.of("Person", "Team") for k in m.keys}
    starts = [int(r["valid_from"]) for r in rows if r.get("valid_from") and (not asked - set(places) or r["key"] in asked)]
    return [day(min(starts))] if starts else []


def leads(u: Understanding, run: Run) -> Draft | None:
    """The technical lead, with the sources that say so."""
    places = targets(u)
    if not places and u.links.of("Person"):
        return None
    items, facts = list[str](), list[Fact]()
    for place in places:
        rows = company_sources.as_asked(u, ownership(run, place))
        found = [r for r in current(rows, "TECH_LEAD_OF") if not r.get("departed") or company_sources.source_asked(u)]
        left = [r for r in rows if r.get("rel") == "TECH_LEAD_OF" and r not in found]
        if u.says("formerly"):
            found, left = left, found
        items += unique(r["key"] for r in found)[:2]
        facts += [said(r, place, run) for r in [*found, *left][:5]]
        if not found:
            ask = [r for r in rows if r.get("ask")]
            facts.append(by_path(run, f"No source names a technical lead of {short(place)} who is still here.", place))
            facts += [by_path(run, f"The one to ask now is {called(str(r['key']), r.get('name'))}.", str(r["key"]), place) for r in ask[:2]]
    if u.want == "date":
        items = _dates(u, run, places)
    if not items:
        return Draft([], facts, "insufficient", entries=places) if facts else None
    return _yes_or_no(u, items, facts, places) if u.want == "yesno" else answered(items, facts, places)


def owned(u: Understanding, run: Run) -> Draft:
    """What a team or person owns, or is named as the technical lead of."""
    holders = unique(k for m in u.links.of("Team", "Person") for k in m.keys)[:4]
    rels = ["TECH_LEAD_OF"] if u.cued("lead") else ["MAINTAINED_BY"] if u.want == "files" else ["OWNS"]
    items, facts = list[str](), list[Fact]()
    for holder in holders:
        got = run.call("expand", f"what {short(holder)} answers for", key=holder, rels=rels, k=300)
        fitting = [r for r in got.rows if _of_kind(u, str(r["label"]))]
        left = company_services.kept(u, run, [str(r["key"]) for r in fitting])
        rows = [r for r in fitting if r["key"] in left]
        items += unique(r["key"] for r in rows)
        verb = {"TECH_LEAD_OF": "leads technically", "OWNS": "owns"}.get(rels[0], "keeps up to date")
        facts += [
            by_path(run, f"{person_of(run, holder)} {verb} {called(str(r['key']), r['name'])}.", str(r["key"]), holder) for r in rows[:40]
        ]
        facts += company_people.departure(run, holder) if holder.startswith("person:") else []
    if u.want == "count":
        return answered([str(len(set(items)))], facts or [by_query(run, "None.", *holders)], holders)
    return answered(items, facts, holders) if items else nothing(
        f"Nothing that is loaded is owned by {listing([short(h) for h in holders])}.", *holders
    )


def _of_kind(u: Understanding, label: str) -> bool:
    """Services where services are asked for; repositories and paths only where they are."""
    if u.want in ("repositories", "directories", "files"):
        return label in {"repositories": ("Repo",), "directories": ("Directory",), "files": ("File", "Directory", "Doc")}[u.want]
    asked = {kind: label for kind, label in _KINDS.items() if re.search(rf"\b{kind}\b", u.masked, re.I)}
    return label in (asked.values() or ("Service", "Module"))


def keepers(u: Understanding, run: Run) -> Draft | None:
    """Who keeps a document up to date or wrote it; that says nothing of what the document describes."""
    docs = unique(m.keys[0] for m in u.links.of("Doc"))[:2]
    items, facts = list[str](), list[Fact]()
    for doc in docs:
        if (wrote := u.has("author") and not u.cued("maintain", "own")) and _wrote(run, doc, items, facts):
            continue
        facts += [by_path(run, f"Nothing that is loaded says who wrote {short(doc)}.", doc)] * wrote
        rows = ownership(run, doc)
        rels = ("OWNS", "MAINTAINED_BY") if u.cued("own") and not u.cued("maintain") else ("MAINTAINED_BY", "OWNS")
        found = [r for rel in rels for r in current(rows, rel) if str(r.get("on") or doc) == doc]
        first = [r for r in found if r.get("rel") == found[0].get("rel")]
        persons = [r for r in first if str(r["key"]).startswith("person:") and not u.says("which_team")]
        items += unique(r["key"] for r in persons or first)
        facts += [said(r, doc, run) for r in found[:4]]
        if not found and not wrote and not u.cued("maintain"):
            _wrote(run, doc, items, facts)
    if not items:
        return nothing(f"No source that is loaded says who keeps {listing([short(d) for d in docs])}.", *docs)
    return answered(items, facts, docs)


def _wrote(run: Run, doc: str, items: list[str], facts: list[Fact]) -> bool:
    """Adds who wrote the document; False when nothing tells."""
    got = run.call("expand", f"who wrote {short(doc)}", key=doc, rels=["WROTE", "AUTHORED"], k=20)
    items += unique(r["key"] for r in got.rows)
    facts += [by_path(run, f"{called(str(r['key']), r.get('name'))} wrote {short(doc)}.", str(r["key"]), doc) for r in got.rows[:5]]
    return bool(got.rows)


def teams_of(run: Run, person: str) -> list[str]:
    """The teams a person belongs to at the run's instant."""
    got = run.call("expand", f"the teams of {short(person)}", key=person, rels=["MEMBER_OF"], labels=["Team"], direction="out", k=20)
    return unique(r["key"] for r in got.rows)
