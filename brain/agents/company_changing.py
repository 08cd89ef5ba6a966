"""What happened to what runs: changes in a window, deployments, alerts, incidents and tickets of a service."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents import company_handling
from brain.agents.company_facts import Row, answered, by_path, by_query, called, nothing, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, listing, minute, short
from brain.agents.words import NUMBERS
from brain.text.link_things import RUNS
from brain.types import Result

DAY = 86_400
_KINDS = {
    "deploys": ("DEPLOYED_TO", "Deploy"),
    "alerts": ("FIRED_ON", "Alert"),
    "incidents": ("ABOUT", "Incident"),
    "tickets": ("ABOUT", "Ticket"),
}
_WINDOW = re.compile(
    r"\b(?:before|prior to|leading up to|ahead of|just before|right before|shortly before|minutes? before|hours? before)\b", re.I
)


def of_things(u: Understanding, run: Run, kind: str) -> Draft | None:
    """The deployments, alerts, incidents or tickets of a service in the window asked about."""
    places = unique(m.keys[0] for m in u.links.of(*RUNS, "Repo", "Team"))[:3]
    if not places:
        return None
    if kind == "tickets" and company_handling.unassigned(u):
        return company_handling.listed(u, run, kind)
    rel, label = _KINDS[kind]
    rels = [rel, "MODIFIES"] if kind == "tickets" else [rel]
    whose = _whose(u, run, places) if kind == "tickets" else None
    if whose is not None:
        return whose
    items, facts = list[str](), list[Fact]()
    total = 0
    for place in places:
        if place.startswith("team:") and kind != "tickets":
            owned = run.call("expand", f"what {short(place)} owns", key=place, rels=["OWNS"], direction="out", labels=[*RUNS], k=200)
            inner = unique(r["key"] for r in owned.rows)
        else:
            inner = [place]
        for one in inner:
            got = run.call("expand", f"the {kind} of {short(one)}", key=one, rels=rels, labels=[label], direction="in", k=500, **_span(u))
            rows = [r for r in got.rows if company_handling.fits(u, r, got, kind, run.ctx.as_of)]
            total += len(unique(r["key"] for r in rows))
            items += unique(r["key"] for r in rows)
            facts += [_event(r, got, one, run) for r in _chosen(u, rows)[:30]]
            items = items if len(_chosen(u, rows)) == len(rows) else unique(r["key"] for r in _chosen(u, rows))
    if u.want == "count":
        n = len(set(items))
        told = by_query(run, f"{n} {kind} of {listing([short(p) for p in places])}.", *(items or places))
        return answered([str(n)], [told, *facts], places)
    if u.want == "yesno":
        none = by_query(run, f"No {kind} of {listing([short(p) for p in places])} are loaded for then.", *places)
        return answered(["yes" if items else "no"], facts or [none], places, "Yes." if items else "No.")
    if u.want in ("people", "teams"):
        return _authors(u, run, items, facts, places)
    if u.want == "date":
        return answered(
            [re.findall(r"\d{4}-\d\d-\d\d", facts[0].text)[0]], facts[:1], places
        ) if facts else nothing(f"No {kind} then are loaded.", *places)
    if not items:
        return answered([], [by_query(run, f"No {kind} of {listing([short(p) for p in places])} are loaded for then.", *places)], places)
    if kind == "deploys" and u.says("version_asked"):
        return _version(run, items[0], facts, places)
    return answered(items, facts, places)


_OF_TEAM = re.compile(
    r"\b(?:assign|queue|backlog|inbox|plate|get|gets|got|gotten|has|have|had|receiv|given|belong|landed|reach|own|pile|wait)\w*", re.I
)


def _whose(u: Understanding, run: Run, places: Sequence[str]) -> Draft | None:
    """The tickets that are a team's to do; None when none are assigned to teams, or what they are about is asked."""
    teams = [p for p in places if p.startswith("team:")]
    if not teams or len(teams) != len(places) or (u.says("about_something") and not _OF_TEAM.search(u.masked)):
        return None
    state = {"state": "open" if u.state == "open" else "closed"} if u.state in ("open", "closed") else {}
    got = run.call(
        "list_items", f"the tickets assigned to {listing([short(t) for t in teams])}",
        kind="tickets", persons=teams, role="assignee", limit=500, **state, **_span(u),
    )
    to, part = short(teams[0]), "is assigned to"
    if not got.rows and len(teams) == 1:
        part = "is about what is owned by"
        got = run.call("list_items", f"the tickets about what {to} owns", kind="tickets", path=teams[0], limit=500, **state, **_span(u))
    if not got.rows:
        return None
    items = unique(r["key"] for r in got.rows)
    facts = [by_query(run, f"{called(str(r['key']), r['name'])} {part} {to}.", str(r["key"]), teams[0]) for r in got.rows[:30]]
    if u.want in ("count", "yesno"):
        return answered([str(len(items)) if u.want == "count" else "yes"], facts, teams, "Yes." if u.want == "yesno" else "")
    return answered(items, facts, teams)


def _authors(u: Understanding, run: Run, items: list[str], facts: list[Fact], places: list[str]) -> Draft:
    """Who made the deployments: the latest alone where it is asked for."""
    kept = items[:1] if "recent" in u.flags else items[:50]
    nodes = {n.key: n for n in run.ctx.run("by_keys", keys=kept).nodes} if kept else {}
    names = [str(nodes[k].props.get("author") or "") for k in kept if k in nodes]
    people = [next((n.key for n in u.lexicon.get(name) if n.label == "Person"), "") for name in names if name]
    found = unique(people)
    return answered(
        found, facts[: 1 if "recent" in u.flags else 10], places
    ) if found else nothing("No source that is loaded says who that was.", *places)


def _span(u: Understanding) -> dict[str, int]:
    """The window of the question as arguments of `expand`."""
    return {name: int(at) for name, at in (("since", u.time.since), ("until", u.time.until)) if at is not None}


def _chosen(u: Understanding, rows: Sequence[Row]) -> Sequence[Row]:
    """The latest or the first alone, where one is asked for."""
    if u.top:
        return rows[: u.top] if "first" not in u.flags else list(reversed(rows))[: u.top]
    single = not re.search(r"\b(?:deploys|deployments|alerts|incidents|tickets|outages|rollouts|releases|changes|alarms)\b", u.masked, re.I)
    if "recent" in u.flags and single:
        return rows[:1]
    return rows[-1:] if "first" in u.flags and single else rows


def _event(r: Row, got: Result, place: str, run: Run) -> Fact:
    key = str(r["key"])
    node = next((n for n in got.nodes if n.key == key), None)
    p = node.props if node else {}
    more = [str(p[name]) for name in ("version", "status", "severity", "state") if p.get(name)]
    by = f", by {p['author']}" if p.get("author") and not key.startswith("ticket:") else ""
    text = f"{called(key, r['name'])}, {day(int(r['at'] or 0))}, {short(place)}{', ' + ', '.join(more) if more else ''}{by}."
    return by_path(run, text, key, place)


def _version(run: Run, deploy: str, facts: list[Fact], places: list[str]) -> Draft:
    node = next((n for n in run.ctx.run("by_keys", keys=[deploy]).nodes if n.key == deploy), None)
    version = str(node.props.get("version") or "") if node else ""
    return answered([version or deploy], facts, places)


def before(u: Understanding) -> bool:
    """Is it asked what came before something?"""
    return bool(_WINDOW.search(u.masked))


_LONG = re.compile(
    rf"\b(?P<n>\d+|an?|half an?|{'|'.join(NUMBERS)}|twelve|couple of|few)\s+(?P<unit>minute|hour|day|week)s?\s+(?:right |just |shortly )?"
    r"(?:before|prior to|leading up to|ahead of|preceding)\b",
    re.I,
)
_UNITS = {"minute": 60, "hour": 3600, "day": DAY, "week": 7 * DAY}


def _long_before(u: Understanding) -> float:
    """How many seconds before something are meant, where the question says so; else 0."""
    m = _LONG.search(u.question)
    if not m:
        return 0
    n = m["n"].lower()
    many = int(n) if n.isdigit() else {"half a": 0.5, "half an": 0.5, "twelve": 12, "couple of": 2, "few": 3}.get(n, NUMBERS.get(n, 1))
    return many * _UNITS[m["unit"].lower()]


_CHANGES = re.compile(r"\bchanges?\b", re.I)


def recent(u: Understanding, run: Run) -> Draft | None:
    """What changed on a service and on what it needs, before an instant or in a window."""
    target = _target(u, run)
    if not target:
        return None
    if u.want == "people" and not (u.cued("deploy") or before(u) or u.links.of("Alert", "Incident")):
        return _at_work(u, run, target)
    until = u.time.until or _event_time(u, run) or u.time.as_of or run.ctx.as_of
    since = u.time.since or until - (_long_before(u) or 2 * DAY if before(u) or u.links.of("Alert", "Incident") else 14 * DAY)
    far = u.says("indirect") or u.cued("cause") or u.links.of("Alert", "Incident")
    hops = 0 if u.says("itself_only") else 3 if far else 1
    since = int(since)
    got = run.call(
        "recent_changes", f"what changed on {short(target)} and what it needs", target=target, hops=hops, since=since, until=until, k=100
    )
    rows = [r for r in got.rows if not u.says("its_needs_only") or r.get("hops")]
    kinds = {"deploys": "deploy", "prs": "pr", "tickets": "ticket"}
    wanted = next((kind for noun, kind in kinds.items() if noun == u.want), "deploy" if u.cued("deploy") and not u.cued("ticket") else "")
    of_kind = [r for r in rows if not wanted or r["what"] == wanted]
    rows = rows if not of_kind and wanted == "pr" and _CHANGES.search(u.masked) else of_kind  # any change is one, merged here or not
    facts = [_change(r, target, run) for r in rows[:30]]
    said = minute if _long_before(u) else day
    lead = f"From {said(since)} to {said(until)}:"
    if not rows:
        none = by_query(run, f"No change of {short(target)} or of what it needs is loaded for {day(since)} to {day(until)}.", target)
        return answered(["0"] if u.want == "count" else ["no"] if u.want == "yesno" else [], [none], [target])
    if u.want == "people":
        return answered(unique(r.get("author") for r in rows if str(r.get("author") or "").startswith("person:")), facts, [target], lead)
    if u.want in ("count", "yesno"):
        return answered([str(len(rows)) if u.want == "count" else "yes"], facts, [target], lead)
    return answered(unique(r["key"] for r in rows), facts, [target], lead)


def _at_work(u: Understanding, run: Run, target: str) -> Draft:
    """Who changed the code of what is named, or its settings, in the stretch of time asked about, else in the last year; who did so last
    comes first.
    """
    until = u.time.until or u.time.as_of or run.ctx.as_of
    since = u.time.since or until - 365 * DAY
    got = run.call("recent_changes", f"who changed {short(target)}", target=target, hops=0, since=since, until=until, k=500)
    by: dict[str, list[Row]] = {}
    for r in got.rows:
        if r["what"] != "deploy" and (who := _whose_name(u, str(r.get("author") or ""))):
            by.setdefault(who, []).append({**r, "step": run.last})
    if not re.search(r"\b(?:code|files?|sources?|repo\w*)\b", u.masked, re.I):
        _handlers(u, run, target, since, by)
    lead = f"From {day(since)} to {day(until)}:"
    if not by:
        none = f"Nobody that is loaded changed {short(target)} from {day(since)} to {day(until)}."
        return answered([], [by_query(run, none, target)], [target])
    order = sorted(by, key=lambda k: -max(int(r["at"] or 0) for r in by[k]))[: u.top or None]
    return answered(order, [_last_of(by[k], k, target, run) for k in order[:40]], [target], lead)


def _handlers(u: Understanding, run: Run, target: str, since: int, by: dict[str, list[Row]]) -> None:
    """Adds who handled tickets of it since then."""
    got = run.call("handled_by", f"who handled tickets of {short(target)}", target=target, k=200, since=since)
    for r in got.rows:
        such = unique(r.get("examples") or ())[:1]
        if such:
            row = {"what": "ticket", "key": such[0], "name": "", "at": r.get("last_at"), "step": run.last}
            by.setdefault(str(r["key"]), []).append(row)


def _whose_name(u: Understanding, author: str) -> str:
    """The key of an author who is told by name or by key; programs are none."""
    if author.endswith("[bot]") or not author:
        return ""
    if author.startswith("person:"):
        return author
    found = unique(n.key for n in u.lexicon.get(author) if n.label == "Person")
    return found[0] if len(found) == 1 else ""


def _last_of(rows: Sequence[Row], who: str, target: str, run: Run) -> Fact:
    last = max(rows, key=lambda r: int(r["at"] or 0))
    text = f"{short(who)}: last {last['what']} {called(str(last['key']), last['name'])}, {day(int(last['at'] or 0))}, on {short(target)}."
    return Fact(text, (who, str(last["key"]), target), step=int(last.get("step") or run.last), aggregate=True)


def _target(u: Understanding, run: Run) -> str:
    named = u.links.of(*RUNS, "Repo")
    if named:
        return named[0].keys[0]
    for event in u.links.of("Alert", "Incident", "Deploy", "Ticket"):
        rows = about(run, event.keys[0])
        if rows:
            return str(rows[0]["key"])
    return ""


def _event_time(u: Understanding, run: Run) -> int:
    for event in u.links.of("Alert", "Incident"):
        node = next((n for n in run.ctx.run("by_keys", keys=[event.keys[0]]).nodes), None)
        if node and node.props.get("at"):
            return int(node.props["at"])
    return 0


def _change(r: Row, target: str, run: Run) -> Fact:
    on = str(r.get("on") or target)
    far = "" if not r.get("hops") else f", {r['hops']} {'hop' if r['hops'] == 1 else 'hops'} from {short(target)}"
    by = f", by {short(str(r['author']))}" if r.get("author") else ""
    status = f", {r['status']}" if r.get("status") else ""
    what = "feature flag" if r["what"] == "flag" else r["what"]
    text = f"{what} {called(str(r['key']), r['name'])}, {day(int(r['at'] or 0))}, on {short(on)}{far}{by}{status}."
    return by_query(run, text, *dict.fromkeys((str(r["key"]), on, target)))


def about(run: Run, event: str) -> Sequence[Row]:
    """What an alert, incident, deployment or ticket is about."""
    got = run.call(
        "expand", f"what {short(event)} is about", key=event,
        rels=["FIRED_ON", "ABOUT", "DEPLOYED_TO", "MODIFIES"],
        direction="out", labels=[*RUNS, "Repo"],
        k=20,
    )
    return got.rows


