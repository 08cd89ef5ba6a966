"""Who belongs to which team, who holds which role, who left, and what a person answers for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents.company_facts import Row, answered, by_query, called, nothing, person_of, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, short
from brain.types import Edge

_HOLDS = {
    "OWNS": "owns",
    "TECH_LEAD_OF": "leads technically",
    "ON_CALL_FOR": "is on call for",
    "MEMBER_OF": "belongs to",
    "HOLDS_ROLE": "holds the role",
    "WORKS_ON": "works on",
}


def stretch(edge: Edge | None) -> str:
    """Since when and until when an edge holds."""
    if edge is None:
        return ""
    start, end = int(edge.props.get("valid_from") or 0), edge.props.get("valid_to")
    return (f" since {day(start)}" if start else "") + (f" until {day(int(end))}" if end else "")


def edge_of(edges: tuple[Edge, ...], src: str, rel: str, dst: str) -> Edge | None:
    """The edge of that kind between the two; None where there is none."""
    return next((e for e in edges if (e.src, e.rel, e.dst) == (src, rel, dst)), None)


def members(u: Understanding, run: Run) -> Draft | None:
    """The people of a team, or the teams of a person, at the instant asked about."""
    persons, teams = u.links.of("Person"), u.links.of("Team")
    if persons and (not teams or u.want != "people"):
        return _teams(u, run, persons[0].keys[0], [k for m in teams for k in m.keys])
    if not teams:
        return None
    team = teams[0].keys[0]
    got = run.call("expand", f"who belongs to {short(team)}", key=team, rels=["MEMBER_OF"], direction="in", labels=["Person"], k=500)
    gone = {n.key for n in got.nodes if 0 < int(n.props.get("departed_at") or 0) <= run.ctx.as_of}
    here = [r for r in got.rows if r["key"] not in gone]
    items = unique(r["key"] for r in here)
    facts = [_member(r, team, got.edges, run) for r in here[:40]]
    if not items:
        return nothing(f"Nobody that is loaded belongs to {short(team)} then.", team)
    if u.want == "count":
        return answered([str(len(items))], [by_query(run, f"{len(items)} people belong to {short(team)}.", team), *facts], [team])
    return answered(items, facts, [team])


def _member(r: Row, team: str, edges: tuple[Edge, ...], run: Run) -> Fact:
    person = str(r["key"])
    text = f"{called(person, r['name'])} belongs to {short(team)}{stretch(edge_of(edges, person, 'MEMBER_OF', team))}."
    return by_query(run, text, person, team)


def _teams(u: Understanding, run: Run, person: str, asked: list[str]) -> Draft:
    got = run.call("expand", f"the teams of {short(person)}", key=person, rels=["MEMBER_OF"], direction="out", k=50)
    rows = _then(u, got.rows, got.edges, person)
    items = unique(r["key"] for r in rows)
    facts = []
    for r in rows:
        edge = edge_of(got.edges, person, "MEMBER_OF", str(r["key"]))
        facts.append(
            by_query(run, f"{person_of(run, person)} belongs to {called(str(r['key']), r['name'])}{stretch(edge)}.", str(r["key"]), person)
        )
    left = departure(run, person)
    if u.want == "yesno" and asked:
        held = bool(set(asked) & set(items)) and not left
        facts = facts or [by_query(run, f"No team of {short(person)} then is loaded.", person)]
        return answered(["yes" if held else "no"], [*facts, *left], [person, *asked], "Yes." if held else "No.")
    if u.want == "date":
        starts = [day(int(e.props["valid_from"])) for e in got.edges if e.props.get("valid_from") and (not asked or e.dst in asked)]
        return answered(starts[:1], facts, [person]) if starts else nothing(
            f"No source says since when {short(person)} belongs there.", person
        )
    if not items and left:
        return answered([], left, [person])
    return answered(items, [*facts, *left], [person]) if items else nothing(f"No team of {short(person)} then is loaded.", person)


def _then(u: Understanding, rows: Sequence[Row], edges: tuple[Edge, ...], person: str) -> list[Row]:
    """Of the teams at a time that is past, those that a source gives dates for where one does: what has no date tells of today."""
    dated = {e.dst for e in edges if e.rel == "MEMBER_OF" and e.src == person and (e.props.get("valid_from") or e.props.get("valid_to"))}
    past = u.time.as_of is not None or u.time.until is not None
    return [r for r in rows if not (past and dated) or r["key"] in dated]


def departure(run: Run, person: str) -> list[Fact]:
    """That a person has left, as a sentence; empty for who is still here."""
    rows = run.ctx.run("by_keys", keys=[person])
    node = next((n for n in rows.nodes if n.key == person), None)
    left = int(node.props.get("departed_at") or 0) if node else 0
    if not left or left > run.ctx.as_of:
        return []
    run.add("by_keys", f"whether {short(person)} is still here", {"keys": [person]}, rows)
    return [by_query(run, f"{called(person, node.name if node else '')} left on {day(left)}.", person)]


def departed(u: Understanding, run: Run) -> Draft:
    """Whether and when somebody left, and what they were named for."""
    person = u.links.of("Person")[0].keys[0]
    gone = departure(run, person)
    held = holds(run, person)
    if not gone:
        still = Fact(f"No source that is loaded says that {short(person)} has left.", (person,), step=1)
        yes = u.says("still_there")
        return answered(
            ["yes" if yes else "no"], [still, *held[:4]], [person], "Yes." if yes else "No."
        ) if u.want == "yesno" else nothing(still.text, person)
    if u.want == "date":
        return answered([gone[0].text.rsplit(" ", 1)[-1].rstrip(".")], [*gone, *held[:4]], [person])
    items = ["no" if u.says("still_there") else "yes"] if u.want == "yesno" else [person]
    return answered(items, [*gone, *held[:6]], [person])


def holds(run: Run, person: str) -> list[Fact]:
    """What a person is, by every claim that holds: owner, lead, member, on call, keeper of documents."""
    rels = [*_HOLDS, "MAINTAINED_BY"]
    got = run.call("expand", f"what {short(person)} is and does", key=person, rels=rels, direction="both", k=60)
    facts = []
    for r in got.rows:
        key, rel = str(r["key"]), str(r["rel"])
        if rel == "MAINTAINED_BY" and r["direction"] == "in":
            text = f"{person_of(run, person)} keeps {called(key, r['name'])} up to date."
        elif rel in _HOLDS and r["direction"] == "out":
            text = f"{person_of(run, person)} {_HOLDS[rel]} {called(key, r['name'])}{stretch(edge_of(got.edges, person, rel, key))}."
        else:
            continue
        facts.append(by_query(run, text, key, person))
    return facts


def roles(u: Understanding, run: Run) -> Draft | None:
    """Who holds a role, or what role somebody holds."""
    persons, held = u.links.of("Person"), u.links.of("Role")
    if held and not (persons and u.want != "people"):
        role = held[0].keys[0]
        got = run.call(
            "expand", f"who holds {short(role)}", key=role, rels=["HOLDS_ROLE", "HAS_ROLE"], direction="in", labels=["Person"], k=100
        )
        items = unique(r["key"] for r in got.rows)
        facts = [by_query(run, f"{called(str(r['key']), r['name'])} is {held[0].text}.", str(r["key"]), role) for r in got.rows[:20]]
        return answered(items, facts, [role]) if items else nothing(f"Nobody that is loaded holds {short(role)} then.", role)
    if not persons:
        return None
    return about(u, run)


def about(u: Understanding, run: Run) -> Draft:
    """What a person is in the company: title, roles, team, what they answer for."""
    person = u.links.of("Person")[0].keys[0]
    node = next((n for n in run.ctx.run("by_keys", keys=[person]).nodes if n.key == person), None)
    facts = holds(run, person)
    items = unique(c for f in facts for c in f.cites[:1] if c.startswith("role:")) or unique(c for f in facts for c in f.cites[:1])
    title = str(node.props.get("title") or "") if node else ""
    if title:
        facts.insert(0, Fact(f"{called(person, node.name if node else '')}: {title}.", (person,), step=1))
        items = [title] if u.cued("role") else items
    left = departure(run, person)
    if not (facts or left):
        return nothing(f"No source that is loaded says what {short(person)} is in the company.", person)
    return answered(items or [person], [*left, *facts][:12], [person])



_WHO_IS = re.compile(
    r"^\W*(?:who(?:['\u2019]s| is| are| was| were| will be)|what is the name of|name) (?:the|our|your|an?) "
    r"(?P<role>(?:[\w&-]+ ){0,3}?[\w&-]+?(?: of (?-i:[a-z][\w-]*))?)(?: (?:of|at|in|for|here|today|now|currently|right now)\b[^?]*)?\W*$",
    re.I,
)


def unheld(u: Understanding) -> str:
    """The role whose holder is asked for, when it is none that the graph knows; empty when that is not asked."""
    m = _WHO_IS.match(u.masked)
    others = ("Person", "Role", "Ticket", "Incident", "Alert", "Deploy", "PullRequest", "Issue")
    if not m or u.want != "people" or u.aspects or u.links.of(*others):
        return ""
    known = u.cued("own", "lead", "oncall", "page", "maintain", "member", "handle", "decide", "ticket", "departed", "contact")
    return "" if known or re.search(r"[A-Z]{3,}\d", m["role"]) or u.most or u.least else m["role"]
