"""Who left a team and who joined it, in the stretch of time asked about: by memberships that end or begin, and by who left altogether."""

from __future__ import annotations

import re

from brain.agents import company_people
from brain.agents.company_facts import YEAR, Row, answered, called, cites, nothing, quotes, unique, where
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, short

_WHO = r"(?:who|whoever|anybody|anyone|somebody|someone|nobody|people|persons?|members?|engineers?|colleagues?|developers?|folks|how many)"
_LEFT = re.compile(
    rf"\b{_WHO}\b[^?]{{0,40}}\b(?:left|leaves?|leaving|quit|departed|resigned|exited|dropped out|moved (?:away|out|on|from)"
    r"|(?:has|have|is|are) gone|no longer (?:in|on|with|part|belongs?))\b"
    r"|\b(?:former|past|previous|ex-?) ?(?:members?|people|engineers?|colleagues?)\b"
    rf"|\b{_WHO} used to (?:be|work|belong)\b|\bwho (?:was|were) (?:once|formerly|previously)\b",
    re.I,
)
_JOINED = re.compile(
    rf"\b{_WHO}\b[^?]{{0,40}}\b(?:joined|joins?|joining|came (?:in|to)|started (?:in|on|at)|moved (?:in)?to|new (?:in|to|on))\b"
    r"|\bnew(?:est)? (?:members?|people|engineers?|colleagues?|arrivals?|faces?)\b",
    re.I,
)
_FAR = 9_000_000_000


def asked(u: Understanding) -> str:
    """Whether the question is who `left` a team or who `joined` it; empty when it is neither."""
    if not u.links.of("Team") or u.links.of("Person") or u.want == "date":
        return ""
    return "left" if _LEFT.search(u.masked) else "joined" if _JOINED.search(u.masked) else ""


_ALTOGETHER = re.compile(
    r"\b(?i:who|whoever|anybody|anyone|people|persons?|colleagues?|employees|engineers?|how many)\b[^?]{0,25}"
    r"\b(?:left|quit|resigned|departed)"
    r"(?:\s+(?:us|the (?:company|firm|organi[sz]ation|business)|[A-Z][a-z]\w*))?\W*$"
)


def whole_company(u: Understanding) -> bool:
    """Is it asked who left, and no team or thing that they left is named?"""
    things = [m for m in u.links.mentions if m.label != "Concept"]
    return not things and u.want in ("people", "count", "yesno") and bool(_ALTOGETHER.search(u.masked.strip()))


def left_altogether(u: Understanding, run: Run) -> Draft:
    """Everybody who left in the stretch of time asked about."""
    got = run.ctx.run("people_who_left")
    run.add("people_who_left", "who has left", {}, got)
    since, until = u.time.since or 0, u.time.until or _FAR
    rows = [r for r in got.rows if since <= int(r["departed_at"]) < until]
    facts = [
        Fact(f"{called(str(r['key']), r['name'])} left on {day(int(r['departed_at']))}.", (str(r["key"]),), step=run.last, aggregate=True)
        for r in rows[:60]
    ]
    if u.want != "people" and (rows or got.rows):
        facts = facts or [Fact("Nobody that is loaded left then.", (), step=run.last, aggregate=True)]
        return answered([str(len(rows)) if u.want == "count" else "yes" if rows else "no"], facts, [])
    items = unique(r["key"] for r in rows)
    return answered(items, facts, items) if items else nothing("Nobody that is loaded left then.")


def moved(u: Understanding, run: Run) -> Draft | None:
    """Who left the team, or joined it."""
    how, teams = asked(u), u.links.of("Team")
    if not how:
        return company_people.members(u, run)
    team = teams[0].keys[0]
    rows = _ever(run, team)
    when: dict[str, tuple[int, Row]] = {}
    lately = run.ctx.as_of - YEAR if how == "joined" and not u.window and re.search(r"\bnew\b", u.masked, re.I) else 0
    for key in unique(r["key"] for r in rows):
        found = _when(how, [r for r in rows if r["key"] == key], run.ctx.as_of)
        if found and (u.time.since or lately) <= found[0] < (u.time.until or _FAR):
            when[key] = found
    if how == "left" and len(teams) > 1:
        to = {str(r["key"]) for r in _ever(run, teams[1].keys[0])}
        when = {k: w for k, w in when.items() if k in to}
    order = sorted(when, key=lambda k: -when[k][0])
    if "recent" in u.flags and not u.window:
        order = [k for k in order if when[k][0] == when[order[0]][0]]
    facts = [_told(how, when[k], team, run) for k in order[:40]]
    none = f"Nobody that is loaded {how} {short(team)}{' then' if u.window else ''}."
    if u.want in ("count", "yesno"):
        facts = facts or [Fact(none, (team,), step=run.last, aggregate=True)]
        return answered([str(len(order)) if u.want == "count" else "yes" if order else "no"], facts, [team])
    return answered(order, facts, [team]) if order else nothing(none, team)


def _ever(run: Run, team: str) -> list[Row]:
    """Every membership of the team, those that have ended among them."""
    got = run.ctx.run("members_ever", key=team)
    run.add("members_ever", f"who belongs and belonged to {short(team)}", {"key": team}, got)
    return list(got.rows)


def _when(how: str, rows: list[Row], now: int) -> tuple[int, Row] | None:
    """When somebody left or joined, with the row that tells; None for who did not, or of whom no date is told."""
    if how == "joined":
        starts = [(int(r["valid_from"]), r) for r in rows if r.get("valid_from") and int(r["valid_from"]) <= now]
        return min(starts, key=lambda s: s[0]) if starts else None
    gone = next((r for r in rows if r.get("departed_at") and int(r["departed_at"]) <= now), None)
    ends = [(int(r["valid_to"]), r) for r in rows if r.get("valid_to") and int(r["valid_to"]) <= now]
    if gone:
        return min([(int(gone["departed_at"]), gone), *ends], key=lambda s: s[0])
    last = max(ends, key=lambda s: s[0]) if ends else None
    back = last and any(r.get("valid_from") and not _ended(r, now) and int(r["valid_from"]) >= last[0] for r in rows)
    return None if back else last


def _ended(r: Row, now: int) -> bool:
    return bool(r.get("valid_to")) and int(r["valid_to"]) <= now


def _told(how: str, found: tuple[int, Row], team: str, run: Run) -> Fact:
    at, row = found
    date = f" on {day(at)}" if at else ""
    out = " and the company" if how == "left" and row.get("departed_at") == at else ""
    text = f"{called(str(row['key']), row.get('name'))} {how} {short(team)}{out}{date}{where(row)}."
    return Fact(text, cites(row, team), quotes(row), run.last, aggregate=True)
