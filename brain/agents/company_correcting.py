"""Holds what a question takes for granted against the graph, and corrects what the graph contradicts: what is so instead,
who is responsible, how to reach them, each with its source.
"""

from __future__ import annotations

import re

from brain.agents import company_duty, company_owning, company_people
from brain.agents.company_assumed import Finding, needs, replaced, stands, ticket, value
from brain.agents.company_facts import answered, by_query, called, person_of, unique
from brain.agents.company_premise import Premise, premises
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import listing, short


def check(u: Understanding, run: Run) -> tuple[Draft | None, list[Premise]]:
    """The correction of the first premise that the graph contradicts, else None; and the premises that were found."""
    found = premises(u)
    confirmed: list[Finding] = []
    for p in found:
        stranger = p.subject[0].partition(":")[2] if p.subject and p.subject[0].startswith("stranger:") else ""
        result = _stranger(run, p, stranger) if stranger else _CHECKS[p.kind](u, run, p)
        if result.holds is False:
            return Draft(result.items, result.facts, "premise_corrected", "That is not so.", unique(result.entries)), found
        if result.holds:
            confirmed.append(result)
    if not confirmed:
        return None, []
    facts = [f for c in confirmed for f in c.facts]
    draft = answered([i for c in confirmed for i in c.items], facts, unique(e for c in confirmed for e in c.entries), "As stated:")
    return draft, found


def _owns(u: Understanding, run: Run, p: Premise) -> Finding:
    """Somebody owns or leads something."""
    who, what = p.subject, p.object[0] if p.object else ""
    if not what:
        return Finding(None, [], [], [])
    rows = company_owning.ownership(run, what)
    owners, leads = company_owning.current(rows, "OWNS"), company_owning.current(rows, "TECH_LEAD_OF")
    here = [r for r in (leads if p.kind == "lead" else [*owners, *leads]) if not r.get("departed")]
    step = run.last
    if any(r["key"] in who for r in here):
        told = [company_owning.said(r, what, run) for r in here if r["key"] in who]
        return Finding(True, told[:3], list(who[:1]), [what, *who])
    if p.kind == "own" and _in_owning_team(run, who, owners):
        return Finding(None, [], [], [])
    if not (owners or leads):
        return Finding(None, [], [], [])
    facts = _is_instead(run, who[0], what, rows, step)
    responsible = here or [r for r in [*owners, *leads] if not r.get("departed")]
    facts += [company_owning.said(r, what, run) for r in _telling(responsible)]
    facts += company_owning.problems(rows, what, run)[:2] if not responsible else []
    items, reach = _reach(run, what)
    return Finding(
        False,
        [*facts, *reach],
        unique(r["key"] for r in responsible if r.get("rel") == "TECH_LEAD_OF")[:1] or items or unique(r["key"] for r in responsible)[:1],
        [what, *who],
    )


def _stranger(run: Run, p: Premise, name: str) -> Finding:
    """Somebody whom nothing loaded names is taken for the owner, lead or the one on call: who is that instead."""
    what = p.object[0] if p.object else ""
    if p.kind not in ("own", "lead", "oncall") or not what:
        return Finding(None, [], [], [])
    rows = company_owning.ownership(run, what)
    held = [*company_owning.current(rows, "OWNS"), *company_owning.current(rows, "TECH_LEAD_OF")]
    here = [r for r in held if not r.get("departed")]
    if not held:
        return Finding(None, [], [], [])
    facts = [Fact(f"Nobody called {name} is loaded, so not as {_AS[p.kind]} {short(what)}.", (what,), step=run.last, aggregate=True)]
    facts += [company_owning.said(r, what, run) for r in _telling(here)]
    items, reach = _reach(run, what)
    wanted = "OWNS" if p.kind == "own" else "TECH_LEAD_OF"
    found = unique(r["key"] for r in here if r.get("rel") == wanted)[:1] if p.kind != "oncall" else []
    return Finding(False, [*facts, *reach], found or items or unique(r["key"] for r in here)[:1], [what])


_AS = {"own": "the owner of", "lead": "the technical lead of", "oncall": "on call for"}


def _telling(rows: list[company_owning.Row]) -> list[company_owning.Row]:
    """One row for each owner or lead, those of a higher authority first."""
    seen: dict[tuple[str, str], company_owning.Row] = {}
    for r in rows:
        seen.setdefault((str(r["rel"]), str(r["key"])), r)
    return list(seen.values())[:4]


def _in_owning_team(run: Run, who: tuple[str, ...], owners: list[company_owning.Row]) -> bool:
    teams = {str(r["key"]) for r in owners if str(r["key"]).startswith("team:")}
    return any(teams & set(company_owning.teams_of(run, person)) for person in who if person.startswith("person:")) if teams else False


def _is_instead(run: Run, who: str, what: str, rows: object, step: int) -> list[Fact]:
    """What somebody is, who was taken for the owner: left, keeper of a document, owner of something else, member of a team."""
    facts = company_people.departure(run, who)
    named = [r for r in rows if r["key"] == who]  # type: ignore[attr-defined]
    for r in named[:3]:
        told = company_owning.said(r, what, run)
        facts.append(Fact(told.text, told.cites, told.quotes, step))
    held = company_people.holds(run, who)
    keeps = [f for f in held if " keeps " in f.text]
    about = _about(run, [c for f in keeps for c in f.cites if c.startswith("doc:")], what) if keeps else set[str]()
    told_of = {c for f in facts for c in f.cites}
    first = [f for f in keeps if set(f.cites) & about - told_of]
    keeps = [f for f in keeps if not set(f.cites) & about]
    facts += first[:3] or ([] if about & told_of else keeps[:1])
    facts += [f for f in held if f not in facts and " keeps " not in f.text][:3]
    return facts or [
        Fact(f"No source that is loaded says that {person_of(run, who)} answers for {short(what)}.", (who, what), step=step, aggregate=True)
    ]


def _about(run: Run, docs: list[str], what: str) -> set[str]:
    """Those of the documents that are about the thing."""
    got = run.call(
        "expand", f"the documents about {short(what)}", key=what, rels=["ABOUT", "MENTIONS"], direction="in", labels=["Doc"], k=200
    )
    return {str(r["key"]) for r in got.rows} & set(docs)


def _reach(run: Run, what: str) -> tuple[list[str], list[Fact]]:
    """Whom to turn to now, and how."""
    draft = None
    rows = run.call("whom_to_page", f"whom to turn to for {short(what)}", target=what).rows
    first = [r for r in rows if r.get("place")][:1]
    facts = [company_duty.turn(r, what, run) for r in first]
    return (draft.items if draft else [str(r["key"]) for r in first]), facts


def _on_call(u: Understanding, run: Run, p: Premise) -> Finding:
    """Somebody is on call, first or second; who is second is not the one to page while somebody is first."""
    place = p.object[0]
    got = run.call("whom_to_page", f"who is on call for {short(place)}", target=place)
    rows = [r for r in got.rows if r.get("place")]
    duty = [r for r in rows if r.get("why") == "on_call"]
    facts = [company_duty.turn(r, place, run) for r in (duty or rows)[:2]]
    if not duty:
        return Finding(None, [], [], [])
    ranks = {e.src: str(e.props.get("rank") or "") for e in got.edges if e.rel == "ON_CALL_FOR"}
    held = {ranks.get(str(r["key"]), "") for r in duty if r["key"] in p.subject}
    said = u.masked[p.start : p.end].lower()
    wanted = "secondary" if re.search(r"second|back-?up", said) else "primary" if re.search(r"primar|first", said) or u.cued("page") else ""
    holds = bool(held) and (not wanted or wanted in held or "" in held or wanted not in ranks.values())
    if held and not holds:
        other = [k for k, rank in ranks.items() if rank == wanted]
        who = listing([person_of(run, k) for k in other])
        text = f"{person_of(run, p.subject[0])} is {min(held)} on call for {short(place)}; {wanted} is {who}."
        facts.insert(0, by_query(run, text, p.subject[0], place, *other))
    left = company_people.departure(run, p.subject[0])
    first = next((k for k, rank in ranks.items() if rank == (wanted or "primary")), str(duty[0]["key"]))
    return Finding(holds, [*left, *facts], [first], [place, *p.subject])


def _belongs(u: Understanding, run: Run, p: Premise) -> Finding:
    person, team = p.subject[0], p.object[0] if p.object else ""
    if not person.startswith("person:") or not team:
        return Finding(None, [], [], [])
    teams = company_owning.teams_of(run, person)
    step = run.last
    left = company_people.departure(run, person)
    facts = [Fact(f"{person_of(run, person)} belongs to {person_of(run, t)}.", (person, t), step=step, aggregate=True) for t in teams]
    if team in teams:
        return Finding(True, [f for f in facts if team in f.cites], [person], [person, team])
    if not teams and not left:
        return Finding(None, [], [], [])
    items, reach = _reach(run, team)
    return Finding(False, [*left, *facts, *reach], teams or items, [person, team])


def _reports(u: Understanding, run: Run, p: Premise) -> Finding:
    """Somebody reports to somebody, or is somebody's manager."""
    below, above = (p.subject, p.object) if p.kind == "reports" else (p.object, p.subject)
    if not (below and above and below[0].startswith("person:")):
        return Finding(None, [], [], [])
    got = run.call("expand", f"to whom {short(below[0])} reports", key=below[0], rels=["REPORTS_TO"], direction="out", k=20)
    named = unique(r["key"] for r in got.rows)
    who = person_of(run, below[0])
    facts = [by_query(run, f"{who} reports to {called(str(r['key']), r['name'])}.", str(r["key"]), below[0]) for r in got.rows]
    return Finding(bool(set(named) & set(above)) if named else None, facts, named, [below[0], *above])


def _role(u: Understanding, run: Run, p: Premise) -> Finding:
    person, role = p.subject[0], p.object[0] if p.object else ""
    if not role:
        return Finding(None, [], [], [])
    got = run.call(
        "expand", f"who holds {short(role)}", key=role, rels=["HOLDS_ROLE", "HAS_ROLE"], direction="in", labels=["Person"], k=100
    )
    holders = unique(r["key"] for r in got.rows)
    facts = [by_query(run, f"{called(str(r['key']), r['name'])} holds {short(role)}.", str(r["key"]), role) for r in got.rows[:4]]
    if not holders:
        return Finding(None, [], [], [])
    if person in holders:
        return Finding(True, [f for f in facts if person in f.cites], [person], [person, role])
    return Finding(False, [*company_people.departure(run, person), *company_people.holds(run, person)[:3], *facts], holders, [person, role])


def _left(u: Understanding, run: Run, p: Premise) -> Finding:
    person = p.subject[0]
    gone = company_people.departure(run, person)
    if gone:
        return Finding(None, gone, [person], [person])
    held = company_people.holds(run, person)
    return Finding(False if held else None, held[:4], [person], [person])


def _keeps(u: Understanding, run: Run, p: Premise) -> Finding:
    doc = p.object[0]
    rows = [r for r in company_owning.ownership(run, doc) if r.get("rel") == "MAINTAINED_BY" and r.get("stands", "current") == "current"]
    facts = [company_owning.said(r, doc, run) for r in rows[:3]]
    if not rows:
        return Finding(None, [], [], [])
    return Finding(any(r["key"] in p.subject for r in rows), facts, unique(r["key"] for r in rows), [doc, *p.subject])


_CHECKS = {
    "own": _owns,
    "lead": _owns,
    "oncall": _on_call,
    "member": _belongs,
    "role": _role,
    "reports": _reports,
    "manages": _reports,
    "left": _left,
    "keeps": _keeps,
    "stands": stands,
    "replaced": replaced,
    "value": value,
    "needs": needs,
    "ticket": ticket,
}
