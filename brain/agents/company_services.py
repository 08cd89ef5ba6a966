"""Services by what they are: their tier, their kind, their lifecycle, what they are part of, who owns or leads them. One of these
words in a question about services keeps those that fit, alone or beside what depends on what.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from brain.agents.company_facts import Row, answered, by_query, nothing, unique
from brain.agents.run import Draft, Run
from brain.agents.understand import Understanding
from brain.agents.wording import count, listing, short
from brain.agents.words import NUMBERS

_N = r"(?:\d+|" + "|".join(NUMBERS) + r")"
_TIER = re.compile(rf"\b(?:tiers?|criticality)[ -]?(?:level |class |number )?({_N})(?:\s*(?:,|or|and|/)\s*(?:tier[ -]?)?({_N}))?\b", re.I)
_KIND = re.compile(
    r"\b(web ?sites?|front-?ends?|back-?ends?|librar(?:y|ies)|daemons?|workers?|(?:batch |cron ?)jobs?|pipelines?|functions?|gateways?"
    r"|mobile apps?|applications?|apps?|(?:of|the) (?:kind|type) [\"“]?(?!of\b)[\w-]+|(?:kind|type) (?:is )?[\"“]?(?!of\b|is\b)[\w-]+)\b",
    re.I,
)
_STAGE = re.compile(
    r"\b(experimental|deprecated|retired|production|development|alpha|beta|end[- ]of[- ]life|decommissioned|sunset)\b"
    r"(?=\W+(?:\w+\W+){0,2}?(?:services?|components?|web ?sites?|librar(?:y|ies)|apps?|applications?|lifecycle|stage|ones?)\b|\W*$)"
    r"|\b(?:lifecycle|stage)(?: of| is|:)? [\"“]?([\w-]+)",
    re.I,
)
_WITHIN = ("System", "Domain", "Project")
_LISTS = ("services", "count", "yesno", "items", "text", "directories", "repositories")
_ELSEWHERE = (
    "deploy", "alert", "incident", "ticket", "rule", "decide", "handle", "changed", "page", "oncall", "discuss", "conflict",
)  # fmt: skip


def filters(u: Understanding) -> dict[str, list[str]]:
    """What the question says of the services it asks for: tier, kind, lifecycle; each with the values that will do."""
    found: dict[str, list[str]] = {}
    if m := _TIER.search(u.masked):
        found["tier"] = [str(NUMBERS.get(n.lower(), n)) for n in m.groups() if n]
    if m := _KIND.search(u.masked):
        found["kind"] = [_one(m[1].split()[-1])]
    if m := _STAGE.search(u.masked):
        found["lifecycle"] = [(m[1] or m[2]).lower()]
    return found


def asked(u: Understanding) -> bool:
    """Are services asked for by what they are?"""
    said = filters(u)
    if said and u.want in ("people", "teams") and u.cued("own", "lead") and not u.cued("page", "oncall", "ticket", "handle"):
        named = [m for m in u.links.mentions if m.label not in ("Concept", *_WITHIN)]
        return not named and ("tier" in said or said.get("kind") in (["website"], ["library"], ["daemon"]))
    if not said or u.want not in _LISTS or u.cued(*_ELSEWHERE) or u.cued("orphaned", "busfactor"):
        return False
    if u.cued("needs", "needed", "breaks", "chain") and u.links.of("Service", "Api", "Resource"):
        return False
    return "kind" not in said or len(said) > 1 or u.want in ("services", "items") or _of_one(u) or _opens_with_kind(u.masked)


def _of_one(u: Understanding) -> bool:
    return u.want == "yesno" and bool(u.links.of("Service"))


def whether(u: Understanding) -> bool:
    """Is it asked whether there is any, rather than which?"""
    return u.want == "yesno" or bool(_WHETHER.match(u.masked))


_WHETHER = re.compile(r"\W*(?:is|are|was|were|does|do|did|has|have)\b[^?]*\b(?:any|anything|an?|some)\b", re.I)


def _opens_with_kind(masked: str) -> bool:
    """Is it the first thing that is asked for?"""
    opening, kind = _OPENS.match(masked), _KIND.search(masked)
    return bool(opening and kind and len(masked[opening.end() : kind.start()].split()) < 4)


_OPENS = re.compile(r"\W*(?:please |can you |could you )?(?:list|show|name|give|find|which|what|all|every|how many)\b", re.I)


def _one(word: str) -> str:
    """A kind in the singular, in small letters."""
    low = word.lower().strip('"“')
    return re.sub(r"ies$", "y", low) if low.endswith("ies") else re.sub(r"(?<=[a-z])s$", "", low)


def known(run: Run) -> Mapping[str, Row]:
    """Every service that is loaded, by key; the step is noted."""
    got = run.ctx.run("things_running")
    run.add("things_running", "every service with its tier, kind, lifecycle, place and owners", {}, got)
    return {str(r["key"]): r for r in got.rows}


def kept(u: Understanding, run: Run, keys: Iterable[str]) -> list[str]:
    """Those of the keys that are what the question says services must be; all of them where it says nothing."""
    said = filters(u)
    if not said:
        return list(keys)
    every = known(run)
    return [k for k in keys if k in every and _fits(every[k], said)]


def _fits(row: Row, said: Mapping[str, list[str]]) -> bool:
    return all(_plain(row.get(name)) in values for name, values in said.items())


def _plain(value: Any) -> str:
    return re.sub(r"^tier[- ]?", "", str("" if value is None else value).lower().replace(" ", ""))


def listed(u: Understanding, run: Run) -> Draft | None:
    """The services that are of the tier, kind or lifecycle asked for, of the team, person or system that is named."""
    said = filters(u)
    every = known(run)
    holders = {k for m in u.links.of("Team", "Person") for k in m.keys}
    within = {k for m in u.links.of(*_WITHIN) for k in m.keys}
    named = {k for m in u.links.of("Service") for k in m.keys}
    held = "leads" if u.cued("lead") or re.search(r"\bleads?\b|\bled\b", u.masked, re.I) else "owners"
    rows = [
        r for r in every.values()
        if _fits(r, said) and (not holders or holders & set(r[held])) and (not within or within & set(r["within"]))
    ]  # fmt: skip
    facts = [by_query(run, _said(r), str(r["key"])) for r in rows[:40]]
    entries = [*holders, *within, *named]
    if named and whether(u):
        yes = bool(named & {str(r["key"]) for r in rows})
        facts = [by_query(run, _said(every[k]), k) for k in named if k in every]
        return answered(["yes" if yes else "no"], facts, entries, "Yes." if yes else "No.") if facts else None
    if whether(u):
        return answered(["yes" if rows else "no"], facts or [by_query(run, "None that is loaded.")], entries, "Yes." if rows else "No.")
    if u.want == "count":
        return answered([str(len(rows))], [by_query(run, f"{count(len(rows), 'services')}."), *facts], entries)
    if not rows:
        of = listing([f"{name} {' or '.join(values)}" for name, values in said.items()])
        return nothing(f"No service that is loaded fits: {of}.", *entries)
    if u.want in ("people", "teams"):
        wanted = "team:" if u.want == "teams" else ""
        return answered(unique(k for r in rows for k in r[held] if k.startswith(wanted)), facts, entries)
    return answered(unique(r["key"] for r in rows), facts, entries)


def _said(r: Row) -> str:
    """A service with what it is."""
    told = [f"{name} {r[name]}" for name in ("tier", "kind", "lifecycle") if r.get(name) not in (None, "")]
    owners = f"; owned by {listing([short(str(k)) for k in r['owners']])}" if r["owners"] else ""
    place = f"; part of {listing([short(str(k)) for k in r['within']])}" if r["within"] else ""
    return f"{short(str(r['key']))}: {', '.join(told)}{place}{owners}."
