"""Decisions in numbers: all of them, those of a status, of a stretch of time, about a thing, or those that somebody had a part
in. One decision that is named or described is told by `company_deciding`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents import company_deciding
from brain.agents.company_deciding import STANDS, described, found, told
from brain.agents.company_facts import Row, answered, by_path, nothing, person_of, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, listing, short
from brain.text.analysis import query_terms, terms

MOST = 200
_STATED = {
    "is_rejected": ("rejected",),
    "is_superseded": ("superseded", "partly_superseded"),
    "is_proposed": ("proposed",),
    "is_deprecated": ("deprecated",),
}
_PLACES = ("Service", "System", "Api", "Resource", "Team", "Module")
_SEVERAL = re.compile(r"\b(?:decisions|adrs|records|rfcs)\b", re.I)
_STANDING = re.compile(r"\b(?:in force|in effect|valid|binding|stand(?:s|ing)?|stood|current(?:ly)?|h[eo]ld|appl(?:y|ied)|active)\b", re.I)
_HOLDING = re.compile(r"\b(?:in force|in effect|valid|binding|still (?:stand|hold|apply)\w*|effective|active)\b", re.I)
_WROTE = re.compile(r"\b(?:wrote|written|writ(?:e|ing)|author\w*|draft\w*|proposed|propose|penned)\b", re.I)
Told = tuple[Row, Fact]


def answer(u: Understanding, run: Run) -> Draft | None:
    """What is asked of decisions: of somebody's, of many, or of one."""
    people = unique(k for m in u.links.of("Person") for k in m.keys)
    if people:
        return _of_people(u, run, people)
    several = bool(_SEVERAL.search(u.masked)) or u.want == "count"
    some = several or u.want == "decisions" or u.kind == "decisions"
    named = {m.text for m in u.links.of(*_PLACES)}
    told_of = [w for w in described(u) if w not in named] or u.links.of("Doc", "Decision") or (u.cued("says") and not several)
    if some and not told_of:
        return _listed(u, run, _all(u, run), [m.keys[0] for m in u.links.of(*_PLACES)])
    if several and not u.links.of("Decision") and not u.cued("replaced"):
        return _listed(u, run, [(r, told(r, run)) for r in found(u, run)], [])
    return company_deciding.answer(u, run)


def _all(u: Understanding, run: Run) -> list[Told]:
    """Every decision, or those about the thing that is named: tied to it, or with its name."""
    keys = sorted(k for k, label in u.lexicon.company.items() if label == "Decision")[:MOST]
    places = u.links.of(*_PLACES)
    if places:
        key = places[0].keys[0]
        got = run.call(
            "expand", f"decisions about {short(key)}", key=key, rels=["APPLIES_TO", "ABOUT"], direction="in", labels=["Decision"], k=MOST
        )
        name = set(query_terms(places[0].text))
        said = run.call("decision", f"what was decided about {places[0].text!r}", topic=places[0].text, k=20).rows
        keys = unique([*(r["key"] for r in got.rows), *(r["key"] for r in said if name <= _words(r))])
    return [
        (r, told(r, run)) for key in keys for r in run.call("decision", f"how {short(key)} stands", topic=key, k=1).rows
    ]


def _words(r: Row) -> set[str]:
    return set(terms(" ".join(str(r.get(k) or "") for k in ("name", "reason", "quote", "scope", "key", "doc"))))


def _listed(u: Understanding, run: Run, rows: Sequence[Told], places: Sequence[str]) -> Draft:
    """Those of the rows that have the status and were made in the time asked about: which they are, or how many."""
    kept = [(r, fact) for r, fact in rows if _fits(u, r)]
    if not kept:
        return nothing("No decision like that is loaded.", *places)
    items = unique(r["key"] for r, _ in kept)
    return answered([str(len(items))] if u.want == "count" else items, [fact for _, fact in kept[:20]], items)


def _fits(u: Understanding, r: Row) -> bool:
    wanted = next((states for turn, states in _STATED.items() if u.says(turn)), STANDS if u.cued("valid") else ())
    if re.search(r"\bamend", u.masked, re.I) and "amend" not in str(r.get("stated") or "").lower():
        return False
    standing = not wanted and (_HOLDING.search(u.masked) or (_STANDING.search(u.masked) and u.time.words))
    if (wanted and r["status"] not in wanted) or (standing and r["status"] not in STANDS):
        return False
    since, until = u.time.since, u.time.until
    if since is None or u.cued("valid") or _STANDING.search(u.masked):
        return True
    return since <= int(r.get("at") or 0) < (until if until is not None else 9_999_999_999)


def _of_people(u: Understanding, run: Run, people: Sequence[str]) -> Draft | None:
    """The decisions that somebody made or wrote, among those that are named or described where any are."""
    told_of = bool(u.links.of("Decision") or described(u))
    among = {str(r["key"]): r for r in found(u, run)} if told_of else {}
    if told_of and not among:
        return nothing("No decision about that is loaded.", *people)
    theirs, facts = list[str](), list[Fact]()
    for person in people:
        rels = ["DECIDED", "WROTE"]
        got = run.call("expand", f"the decisions of {short(person)}", key=person, rels=rels, direction="out", labels=["Decision"], k=MOST)
        wrote = [r for r in got.rows if r["rel"] == "WROTE"] if _WROTE.search(u.masked) else []
        for r in wrote or got.rows:
            if not among or str(r["key"]) in among:
                theirs.append(str(r["key"]))
                verb = "decided" if r["rel"] == "DECIDED" else "wrote"
                facts.append(by_path(run, f"{person_of(run, person)} {verb} {short(str(r['key']))} “{r['name']}”.", str(r["key"]), person))
    rows = [
        (r, told(r, run)) for key in unique(theirs) for r in run.call("decision", f"how {short(key)} stands", topic=key, k=1).rows
    ]
    return _theirs(u, run, [(r, fact) for r, fact in rows if _fits(u, r)], facts, people, list(among))


def _theirs(
    u: Understanding, run: Run, rows: Sequence[Told], facts: list[Fact], people: Sequence[str], among: Sequence[str]
) -> Draft:
    keys = unique(r["key"] for r, _ in rows)
    facts = [f for f in facts if f.cites[0] in keys]
    who = listing([person_of(run, p) for p in people])
    none = by_path(run, f"No source that is loaded names {who} in {'that decision' if among else 'any decision'}.", *people, *among[:1])
    if u.want == "yesno":
        return answered(["yes" if keys else "no"], facts or [none], [*people, *among[:3]], "Yes." if keys else "No.")
    if not keys:
        return Draft([], [none], "insufficient", entries=list(people))
    facts += [fact for _, fact in rows[:12]]
    if u.want == "count":
        return answered([str(len(keys))], facts, [*people, *keys])
    if u.want == "date" and rows[0][0].get("at"):
        return answered([day(int(rows[0][0]["at"]))], facts, [*people, *keys])
    return answered(keys, facts, [*people, *keys])
