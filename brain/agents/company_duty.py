"""Who is on call and whom to page: now or on a date, never anybody who has left, with who was passed over and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from brain.agents import company_owning
from brain.agents.company_facts import Row, answered, by_path, called, cites, nothing, quotes, spell, unique, where
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, listing, short
from brain.text.link_things import RUNS
from brain.text.timewords import DAY

_WHY = {
    "on_call": "is on call",
    "technical_lead": "is the technical lead",
    "owner": "belongs to the owner",
    "handled": "handled its tickets last",
    "changed": "changed it last",
}


def _places(u: Understanding, run: Run) -> list[str]:
    """What is to be answered for: services and teams, or the service an alert or incident is about."""
    named = [m.keys[0] for m in u.links.of(*RUNS, "Team", "Repo")]
    if named:
        return unique(named)[:3]
    found: list[str] = []
    for event in (m.keys[0] for m in u.links.of("Alert", "Incident", "Ticket", "Deploy")):
        got = run.call(
            "expand", f"what {short(event)} is about", key=event, rels=["FIRED_ON", "ABOUT", "DEPLOYED_TO"], direction="out", k=10
        )
        found += [str(r["key"]) for r in got.rows if r["label"] in (*RUNS, "Team")]
    return unique(found)[:3]


def paged(u: Understanding, run: Run) -> Draft | None:
    """Whom to page for it, first choice first, how to reach them, and who was passed over."""
    places = _places(u, run) or company_owning.targets(u)
    if not places:
        return None
    items, facts, entries = list[str](), list[Fact](), [*places, *(m.keys[0] for m in u.links.of("Alert", "Incident", "Ticket", "Deploy"))]
    for place in places:
        rows = run.call("whom_to_page", f"whom to page for {short(place)}", target=place).rows
        first = [r for r in rows if r.get("place")]
        items += unique(r["key"] for r in first[: u.top or 1])
        facts += [turn(r, place, run) for r in first[:4]]
        facts += [_passed(r, place, run) for r in rows if not r.get("place")]
    if not items:
        return nothing(f"Nobody who is here is named for {listing([short(p) for p in places])} by any source.", *places)
    return answered(items, facts, entries)


def turn(r: Row, place: str, run: Run) -> Fact:
    """Somebody to turn to, with the reason, the source and how to reach them."""
    via = f" of {short(str(r['via']))}" if r.get("via") and r["via"] != place else ""
    contact = f", reached at {r['contact']}" if r.get("contact") else ""
    who = called(str(r["key"]), r.get("name"))
    text = f"{r['place']}. {who} {_WHY.get(str(r['why']), str(r['why']))}{via}{spell({'valid_to': r.get('valid_to')})}{where(r)}{contact}."
    return Fact(text, cites(r, place), quotes(r), run.last, aggregate=True)


def _passed(r: Row, place: str, run: Run) -> Fact:
    text = f"Not {called(str(r['key']), r.get('name'))}: {r.get('skipped') or 'passed over'}{where(r)}."
    return Fact(text, cites(r, place), quotes(r), run.last, aggregate=True)


def on_call(u: Understanding, run: Run) -> Draft | None:
    """Who is on call for a team or service at the instant asked about; for every team when none is named."""
    places = _places(u, run)
    persons = [k for m in u.links.of("Person") for k in m.keys]
    if not places and persons:
        return _duties(u, run, persons[0])
    if not places:
        return _everybody(u, run)
    items, facts = list[str](), list[Fact]()
    part = _PART_OF_DAY.search(u.masked)
    for place in places:
        found = [r for r in _shifts(u, run, place) if not part or part[1].lower() in f"{r.get('rank')} {r.get('quote')}".lower()]
        items += unique(r["key"] for r in found)
        facts += [_shift(r, place, run) for r in found]
    if not items:
        return nothing(f"No rota that is loaded names anybody on call for {listing([short(p) for p in places])} then.", *places)
    if u.want == "yesno" and persons:
        held = bool(set(persons) & set(items))
        return answered(["yes" if held else "no"], facts, places, "Yes." if held else "No.")
    return answered(items, facts, places)


_LONG = 8 * DAY
_PART_OF_DAY = re.compile(r"\b(night|late|early|day|morning|evening) shift\b", re.I)


def _shifts(u: Understanding, run: Run, place: str) -> list[Row]:
    """Who is on call at the instant asked about; over a stretch longer than a week each shift in it, one after the other."""
    since, until = u.time.since, u.time.until
    if since is None or until is None or until - since <= _LONG or u.time.as_of is not None:
        return _rostered(run, place, u)
    found, instant, at = list[Row](), run.ctx, since
    for _ in range(60):
        run.ctx = replace(instant, as_of=at)
        rows = _rostered(run, place, u)
        found += [r for r in rows if r not in found]
        at = max(at + DAY, min((int(r["valid_to"]) + 1 for r in rows if r.get("valid_to")), default=0))
        if at >= until:
            break
    run.ctx = instant
    return found


def _rostered(run: Run, place: str, u: Understanding) -> list[Row]:
    """The rows of a rota for a place, or for the team that owns it, of the rank asked for."""
    called_out = run.call("whom_to_page", f"who is on call for {short(place)}", target=place).rows
    rows = [r for r in called_out if r.get("why") == "on_call" and r.get("place")]
    if not rows:
        rows = company_owning.current(company_owning.ownership(run, place), "ON_CALL_FOR")
    if u.says("after_the_primary") or (u.says("secondary_on_call") and not u.says("primary_on_call")):
        return list(rows[1:2])
    both = u.says("all_on_call") or (u.says("secondary_on_call") and u.says("primary_on_call"))
    return list(rows if both else rows[:1])


def _shift(r: Row, place: str, run: Run) -> Fact:
    who, via = called(str(r["key"]), r.get("name")), str(r.get("via") or "")
    rank = f" ({r['rank']})" if r.get("rank") else ""
    of = f" as {short(via)}" if via and via != place else ""
    return Fact(f"{who} is on call for {short(place)}{of}{rank}{spell(r)}{where(r)}.", cites(r, place), quotes(r), run.last, aggregate=True)


def _duties(u: Understanding, run: Run, person: str) -> Draft:
    """What a person is on call for."""
    got = run.call("expand", f"what {short(person)} is on call for", key=person, rels=["ON_CALL_FOR"], direction="out", k=20)
    facts = [by_path(run, f"{short(person)} is on call for {called(str(r['key']), r['name'])}.", str(r["key"]), person) for r in got.rows]
    if u.want == "date":
        field = "valid_to" if u.says("ended") else "valid_from"
        days = sorted(day(int(e.props[field])) for e in got.edges if e.rel == "ON_CALL_FOR" and e.props.get(field))
        return answered(days[:1], facts, [person]) if days else nothing(f"No rota that is loaded tells that of {short(person)}.", person)
    if u.want == "yesno":
        none = [by_path(run, f"No rota that is loaded has {short(person)} on call then.", person)]
        return answered(["yes" if facts else "no"], facts or none, [person], "Yes." if facts else "No.")
    if not facts:
        return nothing(f"No rota that is loaded has {short(person)} on call then.", person)
    return answered([str(r["key"]) for r in got.rows], facts, [person])


def _everybody(u: Understanding, run: Run) -> Draft:
    """Who is on call for each team."""
    teams: Sequence[str] = sorted(k for k, label in u.lexicon.company.items() if label == "Team")[:60]
    items, facts, entries = list[str](), list[Fact](), list[str]()
    for team in teams:
        found = [r for r in _rostered(run, team, u) if "ON_CALL_FOR" in (r.get("rel"), "ON_CALL_FOR" if r.get("why") == "on_call" else "")]
        items += unique(r["key"] for r in found)
        facts += [_shift(r, team, run) for r in found]
        entries += [team] * bool(found)
    if not items:
        return nothing("No rota that is loaded names anybody on call then.")
    return answered(items, facts, entries)
