"""Services by what happened to them: which were deployed, rolled back, alerted or had a ticket in the time asked about, and which were
not; and services in number: all there are, how many each team owns, who owns most.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents import company_handling, company_services
from brain.agents.company_facts import Row, answered, by_query, nothing, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import count, day, listing, short
from brain.text.link_things import RUNS

_KINDS = {"deploy": "deploys", "alert": "alerts", "incident": "incidents", "ticket": "tickets"}
_NONE = re.compile(r"\b(?:no|not|never|without|none|zero|nothing)\b|n['\u2019]t\b", re.I)
_THING = re.compile(
    r"^\W*what (?:was|were|got|has been|have been|had been|is|are)\b[^?]{0,20}\b(?:rolled back|deployed"
    r"|reverted|released)\b",
    re.I,
)


def asked(u: Understanding) -> bool:
    """Is it asked to which services something happened, or did not?"""
    kind = next((k for cue, k in _KINDS.items() if u.cued(cue)), "")
    services = u.want == "services" or (u.want == "count" and u.kind == "services") or bool(_THING.match(u.masked))
    ranked = u.most or u.least or u.top or u.minimum
    return bool(kind) and services and not ranked and not u.links.of(*RUNS, "Person", "Rule", "Ticket", "Alert", "Incident") and not u.cued(
        "needs", "needed", "breaks", "rule", "decide", "own"
    )  # fmt: skip


def happened(u: Understanding, run: Run) -> Draft | None:
    """The services to which it happened in the time asked about, or those to which it did not."""
    kind = next(k for cue, k in _KINDS.items() if u.cued(cue))
    args = {k: v for k, v in (company_handling.filters(u, kind) or {"kind": kind}).items() if k not in ("text", "state")}
    got = run.call("list_items", f"the {kind} that fit", **args, limit=company_handling.MOST, order="newest")
    step = run.last
    by: dict[str, list[Row]] = {}
    for r in got.rows:
        if r.get("about") and company_handling.fits(u, r, got, kind, run.ctx.as_of):
            by.setdefault(str(r["about"]), []).append(r)
    if _NONE.search(u.masked):
        return _others(u, run, by, kind)
    facts = [_told(r, step, key) for key, rows in by.items() for r in rows[:1]]
    if u.want == "count":
        return answered([str(len(by))], facts, [], f"{count(len(by), 'services')}:")
    return answered(list(by), facts, []) if by else Draft([], [by_query(run, f"No {kind} that are loaded fit.")])


def _told(r: Row, step: int, key: str) -> Fact:
    name = f" \u201c{r['name']}\u201d" if r.get("name") and str(r["name"]) != short(str(r["key"])) else ""
    return Fact(f"{short(key)}: {short(str(r['key']))}{name}, {day(int(r['at'] or 0))}.", (key, str(r["key"])), step=step, aggregate=True)


def _others(u: Understanding, run: Run, by: dict[str, list[Row]], kind: str) -> Draft:
    every = [k for k, r in company_services.known(run).items() if not r.get("unknown")]
    left = [k for k in every if k not in by]
    facts = [by_query(run, f"{short(k)}: none of the {kind} that fit.", k) for k in left[:40]]
    if u.want == "count":
        return answered([str(len(left))], facts, [], f"{count(len(left), 'services')}:")
    return answered(left, facts or [by_query(run, f"Each service that is loaded is among the {kind} that fit.")], [])


_ALL = re.compile(
    r"^\W*(?:please |can you |could you )?(?:which|what|list|show(?: me)?|name|give(?: me)?|tell me|how many)(?: are)?(?: all| every)?"
    r"(?: the| our| of our| of the)*(?: micro-?)? ?(?:services?|teams?|squads?)"
    r"(?: (?:are there|there are|do we have|we have|have we|exist|do you know(?: of)?|are known|are loaded|is there|in total|altogether"
    r"|at all|in the company|here))*\W*$",
    re.I,
)
_PER = re.compile(
    r"\bhow many services (?:does|do) (?:each|every) (?:team|squad|owner) (?:own|have|run|look after)\b"
    r"|\bservices (?:per|by|for each|for every|of each) (?:team|squad|owner)\b",
    re.I,
)
_MOST = re.compile(
    r"\b(?:which|what) (?:team|squad)s? (?:owns?|has|have|runs?) (?:the )?(?:most|fewest|least|(?:largest|highest"
    r"|smallest|lowest) number of) services\b",
    re.I,
)


def numbered(u: Understanding) -> bool:
    """Are all services or teams asked for, their number, or how many services each team owns?"""
    if [m for m in u.links.mentions if m.label not in ("Concept", "")] or u.window:
        return False
    return bool(_ALL.match(u.masked) or _PER.search(u.masked) or _MOST.search(u.masked))


_AT_WORK = re.compile(
    r"\b(?:is|are|am|been|who['\u2019]?s|currently|still|also|now)\s+(?:fixing|working on|changing|touching|editing"
    r"|developing|maintaining|hacking on"
    r"|committing to|contributing to|at work on)\b",
    re.I,
)


def at_work(u: Understanding) -> bool:
    """Is it asked who is changing something that runs, rather than who handles its tickets?"""
    return bool(u.links.of(*RUNS)) and not u.cued("ticket") and bool(_AT_WORK.search(u.masked))


def numbers(u: Understanding, run: Run) -> Draft | None:
    """All services, their number, or how many each team owns, most first."""
    if "services" not in u.nouns:
        return _teams(u, run)
    known = {k: r for k, r in company_services.known(run).items() if not r.get("unknown")}
    if _PER.search(u.masked) or _MOST.search(u.masked):
        return _by_team(u, run, list(known.values()))
    if not known:
        return nothing("No services are loaded.")
    facts = [by_query(run, f"{short(k)}{_owned(r)}.", k) for k, r in known.items()]
    n = count(len(known), "services")
    if u.want == "count":
        return answered([str(len(known))], facts[:20], [], f"{n}, such as:" if len(known) > 20 else f"{n}:")
    return answered(list(known), facts[:60], [])


def _owned(r: Row) -> str:
    return f"; owned by {listing([short(str(o)) for o in r['owners']])}" if r["owners"] else ""


def _teams(u: Understanding, run: Run) -> Draft:
    """All teams, or their number."""
    got = run.look("by_keys", "every team", keys=sorted(k for k, label in u.lexicon.company.items() if label == "Team")[:500])
    teams = [n for n in got.nodes if not n.props.get("unknown")]
    if not teams:
        return nothing("No teams are loaded.")
    facts = [by_query(run, f"{n.name} ({short(n.key)}).", n.key) for n in teams[:60]]
    return answered([str(len(teams))] if u.want == "count" else [n.key for n in teams], facts, [], f"{count(len(teams), 'teams')}:")


def _by_team(u: Understanding, run: Run, rows: Sequence[Row]) -> Draft:
    owned: dict[str, list[str]] = {}
    for r in rows:
        for o in unique(r["owners"]):
            owned.setdefault(o, []).append(str(r["key"]))
    teams = sorted((k for k in owned if k.startswith("team:")), key=lambda k: ((1 if u.least else -1) * len(owned[k]), k))
    if not teams:
        return nothing("No source that is loaded names a team as an owner of services.")
    ends = [k for k in teams if len(owned[k]) == len(owned[teams[0]])]
    kept = (teams[: u.top] if u.top else ends) if u.most or u.least else teams
    told = {k: f"{short(k)} owns {listing([short(s) for s in owned[k]], 20)}." for k in kept}
    facts = [by_query(run, text, k, *owned[k]) for k, text in told.items()]
    lead = f"Services owned: {listing([f'{short(k)} {len(owned[k])}' for k in kept], 40)}."
    if u.want == "count":
        return answered([f"{k}={len(owned[k])}" for k in kept], facts, [], lead)
    return answered(kept, facts, [], lead)
