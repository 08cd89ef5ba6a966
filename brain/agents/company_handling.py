"""Tickets and other records in numbers: who has experience with those of a service, how many there are and which."""

from __future__ import annotations

import re

from brain.agents import company_left, company_unknown
from brain.agents.company_facts import Row, answered, by_query, called, nothing, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import count, day, listing, short
from brain.text.link_things import RUNS
from brain.types import Result

MOST = 2000
_BY = {"services": "service", "teams": "team"}
_RANK = re.compile(r"\b(critical|high|medium|low|highest|lowest|urgent|normal|warning|info|sev-?\d|p\d)\b", re.I)
def experienced(u: Understanding, run: Run) -> Draft | None:
    """The people who handled the tickets of a service, module or team, in both systems, most and latest first."""
    places = unique(m.keys[0] for m in u.links.of(*RUNS, "Team"))[:3]
    if not places:
        return None
    items, facts = list[str](), list[Fact]()
    limit = u.top or (1 if u.says("one_expert") or u.most else 10)
    for place in places:
        got = run.call(
            "handled_by", f"who handled tickets of {short(place)}", target=place,
            k=200 if u.least else max(limit, 10),
            **({"since": u.time.since} if u.time.since else {}),
        )
        rows = [r for r in got.rows if _did(u, r)]
        if u.least:
            rows = [r for r in rows if r["tickets"] == min(int(o["tickets"]) for o in rows)]
        if u.says("whom_to_ask"):
            rows = [r for r in rows if not r.get("departed")]
        items += unique(r["key"] for r in rows[:limit])
        facts += [_record_of(r, place, run) for r in rows[: max(limit, 5)]]
    if not items:
        return nothing(f"No source that is loaded says who handled tickets of {listing([short(p) for p in places])}.", *places)
    return answered([str(len(items))] if u.want == "count" else items, facts, places)


def _did(u: Understanding, r: Row) -> bool:
    for turn, act in (("act_verified", "verified"), ("act_fixed", "fixed")):
        if u.says(turn) and act in r:
            return bool(r[act])
    return True


def _record_of(r: Row, place: str, run: Run) -> Fact:
    did = [f"{r[n]} {n}" for n in ("fixed", "verified") if r.get(n)]
    more = f" ({', '.join(did)})" if did else ""
    examples = unique(r.get("examples") or ())[:3]
    such = f", such as {listing([short(k) for k in examples])}" if examples else ""
    gone = "; has left" if r.get("departed") else ""
    n = int(r["tickets"])
    tickets = f"{n} {'ticket' if n == 1 else 'tickets'} of {short(place)}{more}"
    text = f"{called(str(r['key']), r['name'])}: {tickets}, last on {day(int(r['last_at'] or 0))}{such}{gone}."
    return by_query(run, text, str(r["key"]), place, *examples)


def listed(u: Understanding, run: Run, kind: str) -> Draft | None:
    """How many tickets, deployments, alerts or incidents there are, or which, under the question's filters."""
    args = filters(u, kind)
    if args is None:
        return None
    unknown = company_unknown.stray(u) if not {"path", "persons", "text"} & set(args) else ""
    if unknown:
        return nothing(f"{unknown}: nothing of that name is loaded.")
    if u.want == "people":
        got = run.call("measure", f"whose {kind}", **args, by="person", top=max(u.top, 10))
        rows = [r for i, r in enumerate(got.rows) if i < (u.top or 1) or r["n"] == got.rows[0]["n"]]
        facts = [by_query(run, f"{called(str(r['key']), r['name'])}: {r['n']} {kind}.", str(r["key"])) for r in rows]
        return answered([str(r["key"]) for r in rows], facts, []) if rows else nothing(f"No {kind} that are loaded fit.")
    if u.want in _BY:
        order = "least" if u.least else "most"
        got = run.call("measure", f"{kind} of each {_BY[u.want]}", **args, by=_BY[u.want], top=max(u.top, 20), order=order)
        rows = [r for i, r in enumerate(got.rows) if i < (u.top or 1) or (not u.top and r["n"] == got.rows[0]["n"])]
        facts = [by_query(run, f"{called(str(r['key']), r['name'])}: {r['n']} {kind}.", str(r["key"])) for r in rows]
        return answered([str(r["key"]) for r in rows], facts, []) if rows else nothing(f"No {kind} that are loaded fit.")
    if u.want == "count" and not unassigned(u) and not (kind == "deploys" and (u.says("failed_ones") or u.says("rolled_back"))):
        got = run.call("measure", f"how many {kind}", **args)
        n = int(got.rows[0]["n"]) if got.rows else 0
        return answered([str(n)], [by_query(run, f"{count(n, kind)}.")], [])
    if kind == "tickets" and _UNDONE.search(u.masked) and not unassigned(u):
        return nothing("No source tells what nobody did; tickets without an assignee and open tickets can be asked for.")
    if unassigned(u) and kind in ("tickets", "incidents"):
        return _without(u, run, args, kind)
    limit = u.top or (1 if ("recent" in u.flags or "first" in u.flags) and not u.says("several_latest") else 200)
    words, picked = str(args.get("text") or ""), kind == "deploys" and (u.says("failed_ones") or u.says("rolled_back"))
    most = MOST if picked else limit
    got = run.call("list_items", f"the {kind} that fit", **args, limit=most, order="oldest" if "first" in u.flags else "newest")
    rows = [r for r in got.rows if not picked or fits(u, r, got, kind, run.ctx.as_of)]
    if words and not rows:
        every = run.call("list_items", f"the {kind} that fit otherwise", **{**args, "text": None, "limit": MOST}, order="newest")
        rows = company_left.having(run, kind, every.rows, words)[:limit] if kind != "tickets" else []
    items = unique(r["key"] for r in rows)
    facts = [by_query(run, f"{called(str(r['key']), r['name'])}, {day(int(r['at'] or 0))}{_state(r)}.", str(r["key"])) for r in rows[:40]]
    if u.want == "count":
        return answered([str(len(items))], facts or [by_query(run, f"No {kind} that are loaded fit.")], [])
    if u.want == "yesno":
        none = by_query(run, f"No {kind} that are loaded fit.")
        return answered(["yes" if items else "no"], facts[:10] or [none], [], "Yes." if items else "No.")
    if u.want == "date" and rows:
        return answered([day(int(rows[0]["at"]))], facts[:1], [])
    if not items and words:
        return nothing(f"No {kind} that are loaded have the words \u201c{words}\u201d.")
    return answered(items, facts, []) if items else Draft([], [by_query(run, f"No {kind} that are loaded fit.")])


_OUTCOME = re.compile(r"fail|success|succeed|rolled|broke|went|wrong|bad", re.I)
_HANDLES = re.compile(
    r"\b(?:handl|t[ao]ke|took|claim|pick|grab|fix|repair|mend|solv|resolv|verif|confirm|check|clos|finish|complet|deal|sort"
    r"|work(?:ed|s) (?:on|through)|look(?:ed|s) into|attend|investigat|transfer|hand(?:ed|s|ing)? over|pass)\w*",
    re.I,
)
_UNASSIGNED = re.compile(
    r"\b(?:un-?assigned|(?:not|never|n't) (?:yet |been |being |currently )*(?:assigned|given to any\w+|taken|picked up)"
    r"|(?:no|without|lack\w*|missing|miss|an? empty) (?:(?:an|any|a|the|current|named) )*(?:assignee|owner|handler)s?"
    r"|assigned to (?:nobody|no ?one|none)"
    r"|(?:nobody|no ?one)\b[^?]{0,25}\b(?:assigned|assignee|taken?|took|picked|working|works?|has|owns|claimed)\b)",
    re.I,
)


_UNDONE = re.compile(
    r"\b(?:nobody|no ?one)\b[^?]{0,20}\b(?:handl|fix|solv|resolv|verif|confirm|clos|check|look|investigat|answer"
    r"|comment|deal|finish|touch)\w*",
    re.I,
)
_THEIRS = re.compile(
    r"\bassigned to (?:the )?PERSON\d"
    r"|\bPERSON\d+(?:['\u2019]s?)? (?:\w+ )?(?:plate|desk|queue|backlog|to-?do(?: list)?|work ?load|work list)\b"
    r"|\b(?:plate|desk|queue|backlog) of PERSON\d"
    r"|\bPERSON\d+ (?:still |currently |now )?(?:has|have|had|got|is) (?:\w+ )?(?:to (?:do|finish)|assigned)\b",
    re.I,
)


def theirs(u: Understanding) -> bool:
    """Is it asked what somebody has to do, without saying that tickets are meant?"""
    return bool(_THEIRS.search(u.masked)) and u.want in ("text", "items", "issues", "count", "yesno")


def _did_them(u: Understanding) -> bool:
    """Does the question ask what somebody did with tickets, rather than which are theirs?"""
    return u.state != "open" and bool(_HANDLES.search(u.masked)) and not u.has("assign")


def unassigned(u: Understanding) -> bool:
    """Does it ask for what nobody is assigned to?"""
    return bool(_UNASSIGNED.search(u.masked)) and not u.links.of("Person")


def _without(u: Understanding, run: Run, args: dict[str, object], kind: str) -> Draft:
    """Those that nobody is assigned to, among those that fit."""
    got = run.call("list_items", f"the {kind} that fit, with their assignees", **args, limit=MOST, order="newest")
    rows = [r for r in got.rows if not r.get("assignee")]
    facts = [by_query(run, f"{called(str(r['key']), r['name'])} has no assignee{_state(r)}.", str(r["key"])) for r in rows[:40]]
    none = by_query(run, f"Each of the {count(len(got.rows), kind)} that fit has an assignee.")
    if u.want in ("count", "yesno"):
        lead = "" if u.want == "count" else "Yes." if rows else "No."
        return answered([str(len(rows)) if u.want == "count" else "yes" if rows else "no"], facts or [none], [], lead)
    return answered(unique(r["key"] for r in rows), facts or [none], [])


def _state(r: Row) -> str:
    return f", {r['state']}" if r.get("state") else ""


def filters(u: Understanding, kind: str) -> dict[str, object] | None:
    """The arguments of measure and list_items for this kind of thing."""
    args: dict[str, object] = {"kind": kind, **u.window}
    places = unique(m.keys[0] for m in u.links.of(*RUNS, "Team"))
    if places:
        args["path"] = places[0]
    persons = unique(k for m in u.links.of("Person") for k in m.keys)
    if persons:
        args["persons"] = persons
        if kind == "tickets":
            args["role"] = "opener" if u.says("opened_it") else "handler" if _did_them(u) else "assignee"
    if persons and kind == "tickets" and not u.state and u.says("on_their_plate"):
        args["state"] = "open"
    elif u.state in ("open", "closed") or u.state == "merged":
        args["state"] = "open" if u.state == "open" else "closed"
    elif u.cued("handle", "cured") and kind == "tickets" and not persons and not unassigned(u):
        args["state"] = "closed"
    if kind in ("tickets", "alerts", "incidents") and (rank := _RANK.search(u.masked)):
        args["priority"] = [rank[1], rank[1].lower(), rank[1].upper(), rank[1].capitalize()]
    if kind == "deploys" and (place := re.search(r"\b(production|prod|staging|test|dev|development)\b", u.masked, re.I)):
        args["environment"] = [place[1].lower()]
    if kind == "alerts" and re.search(r"\b(?:firing|active|still|unresolved|open|right now|currently)\b", u.masked, re.I):
        args["status"] = ["firing", "active", "triggered", "acknowledged"]
        args.pop("state", None)
    saying = [m.text for m in u.links.of("Concept") if m.text.lower() not in kind] if u.cued("discuss") or u.says("about_something") else []
    saying = saying or ([name] if u.says("about_something") and (name := company_unknown.stray(u)) else [])
    saying = [] if unassigned(u) else saying
    if not saying and not company_unknown.stray(u):
        saying = [w for w in company_left.left_over(u) if not _UNASSIGNED.search(w) and not (kind == "deploys" and _OUTCOME.search(w))]
    if saying:
        args["text"] = " ".join(saying)
    return args


def fits(u: Understanding, r: Row, got: Result, kind: str, at: int) -> bool:
    """Does the thing stand as the question says: open, closed, firing, critical, rolled back?"""
    node = next((n for n in got.nodes if n.key == r["key"]), None)
    p = node.props if node else {}
    if kind == "tickets" and (u.state in ("open", "closed") or (u.cued("handle", "cured") and u.state != "open")):
        done = bool(p.get("closed_at")) and int(p["closed_at"]) <= at
        return done if u.state != "open" else not done
    if kind == "deploys" and u.says("rolled_back"):
        told = f"{p.get('description') or ''} {p.get('status') or ''}"
        return bool(p.get("rollback")) or bool(re.search(r"\broll(?:ed|ing)?[ -]?back|\brevert", told, re.I))
    if kind == "deploys" and u.says("failed_ones"):
        return str(p.get("status") or "").lower() not in ("", "success", "succeeded", "active", "healthy", "synced", "finished", "deployed")
    for severity in ("critical", "warning", "info", "sev1", "sev2", "sev3"):
        if re.search(rf"\b{severity}\b", u.masked, re.I):
            return severity in str(p.get("severity") or "").lower().replace("-", "").replace(" ", "")
    return True
