"""What is going on at an instant, or was in a stretch of time: alerts that had begun and had not ended yet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from brain.agents.company_facts import Row, answered, by_query, called, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, listing, short
from brain.text.link_things import RUNS

_KINDS = (
    ("alerts", re.compile(r"\b(?:alerts?|alarms?|fir(?:e|es|ing)|alarming|alerting|go(?:es|ing)? off|pagers?|red|on fire)\b", re.I)),
    ("incidents", re.compile(r"\b(?:incidents?|outages?|disruptions?)\b", re.I)),
)
_NOW = (
    r"(?:active|ongoing|on-?going|under way|in progress|firing|alerting|alarming|burning|still open|unresolved|going on|going off"
    r"|on fire|open)"
)
_ASKED = re.compile(
    rf"\b(?:is|are|was|were|be) (?:there )?(?:still |currently |now )?(?:anything|something|any|some|what|everything|the \w+)?\b"
    rf"[^?]{{0,40}}?\b{_NOW}\b"
    rf"|\bwhat(?:'s| is| was| are| were| all is)\b[^?]{{0,30}}?\b{_NOW}\b|\b{_NOW} (?:alerts?|alarms?|incidents?|outages?)\b"
    r"|\b(?:alerts?|alarms?|incidents?|outages?)\b[^?]{0,40}?\b(?:active|ongoing|firing|still open|unresolved|open|under way"
    r"|right now|currently|at the moment|in progress)\b",
    re.I,
)
_DONE = ("resolved", "closed", "ok", "done", "fixed", "solved", "completed", "cleared", "inactive", "expired")
MOST = 2000
LATE = 9_999_999_999


def kind_asked(u: Understanding) -> str:
    """Whether alerts or incidents are asked for that have not ended: their kind; empty when that is not asked."""
    if not _ASKED.search(u.masked) or u.links.of("Alert", "Incident", "Deploy", "Ticket", "PullRequest", "Issue"):
        return ""
    if re.search(r"\b(?:tickets?|issues?|prs?|pull requests?|cases?)\b", u.masked, re.I) or u.want in ("people", "teams", "date"):
        return ""
    return next((kind for kind, words in _KINDS if words.search(u.masked)), "")


def ongoing(u: Understanding, run: Run) -> Draft | None:
    """The alerts or incidents that had begun and not ended at the instant or in the stretch of time asked about."""
    kind = kind_asked(u)
    until = u.time.until if u.time.until is not None else run.ctx.as_of + 1
    since = u.time.since if u.time.since is not None else until - 1
    places = unique(k for m in u.links.of(*RUNS, "Team") for k in m.keys[:1])[:3]
    items, facts = list[str](), list[Fact]()
    for place in places or [""]:
        where = {"path": place} if place else {}
        got = run.call("list_items", f"the {kind} until then", kind=kind, until=until, limit=MOST, order="newest", **where)
        props = {n.key: n.props for n in got.nodes}
        rows = [r for r in got.rows if _goes_on(r, props.get(str(r["key"]), {}), since)]
        rows = [r for r in rows if _as_severe(u, props.get(str(r["key"]), {}))]
        items += unique(r["key"] for r in rows)
        facts += [_told(r, run) for r in rows[:30]]
    of = f" of {listing([short(p) for p in places])}" if places else ""
    none = by_query(run, f"None of the {kind}{of} that are loaded was going on then.", *places)
    if u.want == "count":
        return answered([str(len(set(items)))], facts or [none], places)
    if u.want == "services" and items:
        about = unique(r.get("about") for s in run.steps if s.tool == "list_items" for r in s.rows if str(r["key"]) in items)
        return answered(about, facts, places)
    if u.want == "yesno":
        return answered(items or ["no"], facts or [none], places, "Yes." if items else "No.")
    return answered(items, facts or [none], places)


_STANDS = re.compile(
    r"^\W*(?:is|are|was|were) (?:the )?SERVICE\d+(?:['\u2019]s)? (?:\w+ ){0,2}?"
    r"(?:down|up|back|healthy|unhealthy|ok|okay|fine|working|available|unavailable|reachable|unreachable|broken|degraded|alive|dead|slow|failing|ill|well)"
    r"(?: and running| again)?(?: (?:right|at this|at the|just))?\W*$",
    re.I,
)


def stands_asked(u: Understanding) -> bool:
    """Is it asked whether something that runs is up or down?"""
    return bool(_STANDS.match(" ".join(u.masked.split()))) and len(u.links.of(*RUNS)) == 1


def stands(u: Understanding, run: Run) -> Draft:
    """The alerts and incidents of it that are going on: whether it is up or down no source tells."""
    place = u.links.of(*RUNS)[0].keys[0]
    until = u.time.until if u.time.until is not None else run.ctx.as_of + 1
    items, facts = list[str](), list[Fact]()
    for kind in ("alerts", "incidents"):
        got = run.call("list_items", f"the {kind} of {short(place)}", kind=kind, until=until, limit=MOST, order="newest", path=place)
        props = {n.key: n.props for n in got.nodes}
        rows = [r for r in got.rows if _goes_on(r, props.get(str(r["key"]), {}), until - 1)]
        items += unique(r["key"] for r in rows)
        facts += [_told(r, run) for r in rows[:20]]
    if not items:
        text = f"No alert and no incident of {short(place)} that is loaded is going on; no source tells more of whether it is up."
        return Draft(state="insufficient", facts=[Fact(text)], entries=[place])
    return answered(items, facts, [place], f"Whether {short(place)} is up no source tells; this is going on:")


def _goes_on(r: Row, p: Mapping[str, Any], since: int) -> bool:
    ended = p.get("ended_at") or p.get("closed_at")
    if ended is None:
        return str(p.get("status") or p.get("state") or "").lower() not in _DONE
    return int(ended) > since


def _as_severe(u: Understanding, p: Mapping[str, Any]) -> bool:
    said = re.search(r"\b(critical|high|warning|info|low|sev-?\d|p\d)\b", u.masked, re.I)
    flat = re.sub(r"\W", "", str(p.get("severity") or p.get("priority") or "").lower())
    return not said or re.sub(r"\W", "", said[1].lower()) in flat


def _told(r: Row, run: Run) -> Fact:
    on = f", {short(str(r['about']))}" if r.get("about") else ""
    return by_query(run, f"{called(str(r['key']), r['name'])}, from {day(int(r['at'] or 0))}{on}.", str(r["key"]))
