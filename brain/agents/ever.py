"""Whether somebody ever had a hand in a place, still has, and since when: from the changes and reviews of the place itself, which may
also be described ("the modbus code") rather than named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import count, day, listing, short
from brain.agents.words import words
from brain.text.link_things import RUNS

YEAR = 365 * 86_400
_DID = (
    r"(?:touch\w*|chang\w+|modif\w+|edit\w*|alter\w*|rewr\w+|work\w*|contribut\w+|commit\w*|wr[io]t\w+|cod\w+|develop\w*|implement\w*|patch\w*|hack\w*"
    r"|fix\w*|maintain\w*|had a hand|been involved|involved|done (?:anything|something|any work)|do (?:anything|something|any work))"
)
_EVER = re.compile(
    rf"^\W*(?:and |but |so )?(?:did|does|do|has|have|had|was"
    rf"|is)\s+(?:the )?PERSON\d+(?:['\u2019]s)?\s+(?:\w+\s+){{0,2}}?{_DID}\b",
    re.I,
)
_STILL = re.compile(
    r"^\W*(?:and |but |so )?(?:is|does|has)\s+PERSON\d+\s+(?:(?:been|still|currently|also|even)\s+)*"
    r"(?:active|around|contribut\w+|work\w*|commit\w*|involved|writ\w+|chang\w+|busy|at it)\b",
    re.I,
)
_SINCE = re.compile(
    rf"\b(?:since when|from when|when did|how long (?:has|have|is|was))\b[^?]*\bPERSON\d+\b[^?]*\b(?:{_DID}|active)\b", re.I
)
_FIRST = re.compile(r"\b(?:since when|from when|first|start|started|begin|began|how long)\b", re.I)
_LAST = re.compile(r"\b(?:last|latest|most recently|stop|stopped|recently)\b", re.I)
_AREA = re.compile(
    r"\b(?:the |any |our )?(?P<word>[\w.-]{3,})(?:['\u2019]s)? (?:code ?base|code|part|area|side|module|layer|files?|drivers?"
    r"|sources?|package|subsystem|logic|stuff)\b"
    r"|\b(?:code|part|area|module|files?|sources?) (?:of|for|in|about|under|behind) (?:the )?(?P<of>[\w.-]{3,})",
    re.I,
)
_OTHERS = ("PullRequest", "Issue", "Commit", "Release", "Ticket", "Decision", "Doc", "Rule")
_KNOWN_IN = re.compile(
    r"\b(?:know\w*|experts? (?:in|on|for)|expertise (?:in|on|with)|familiar with|understands?|about)\s+"
    r"(?:(?:most|best|much|about|the|of|how)\s+)*"
    r"(?P<word>[\w.-]{3,})\s+(?:in|of|within|inside)\s+(?:the\s+)?REPO\d",
    re.I,
)
_NO_AREAS = """the any our this that all some same other own which what source test open new old and ever"""
_NOT_AN_AREA = frozenset(_NO_AREAS.split())


def answer(u: Understanding, run: Run) -> Draft | None:
    """Yes or no with the last time, or the day of the first or last time; None for a question that asks nothing of the kind."""
    people = u.links.of("Person")
    if len(people) != 1 or len(people[0].keys) != 1 or u.links.of(*_OTHERS):
        return None
    person = people[0].keys[0]
    dated = u.want in ("date", "count") and bool(_SINCE.search(u.masked)) and bool(_FIRST.search(u.masked) or _LAST.search(u.masked))
    still = u.want == "yesno" and bool(_STILL.search(u.masked)) and ("still" in u.masked.lower() or not _EVER.search(u.masked))
    if not (dated or still or (u.want == "yesno" and _EVER.search(u.masked))) or u.cued("ticket", "oncall", "decide", "rule", "discuss"):
        return None
    places, called = _places(u, run, _AREA.search(u.masked))
    if called and not places:
        return Draft(state="insufficient", facts=[Fact(f"Nothing that is loaded has \u201c{called}\u201d in its path.")])
    if dated:
        return _when(u, run, person, places)
    if not places and not still:
        return None
    return _still(u, run, person, places) if still else _ever(u, run, person, places)


def area(u: Understanding, run: Run) -> tuple[list[str], str]:
    """The files and folders of the area that a question describes within a repository, and the word it is described with."""
    asked = _AREA.search(u.masked) or _KNOWN_IN.search(u.masked)
    if u.links.of("Directory", "File", *RUNS) or not asked or words().noun.fullmatch(next(w for w in asked.groups() if w)):
        return [], ""
    found, word = _places(u, run, asked)
    return [k for k in found if k.startswith("dir:") or k.rpartition("/")[2].partition(".")[0].lower() == word], word


def _places(u: Understanding, run: Run, described: re.Match[str] | None) -> tuple[list[str], str]:
    """The places asked about, and the word they are described with where they are not named."""
    repos = [k for m in u.links.of("Repo") for k in m.keys]
    word = next((w for w in described.groupdict().values() if w), "").lower() if described else ""
    named = [k for x in u.links.of("Directory", "File", *RUNS) for k in x.keys]
    if named:
        return named[:5], ""
    if not word or word in _NOT_AN_AREA or re.match(r"(?:PERSON|REPO)\d", word, re.I):
        return repos[:3], ""
    got = run.look("paths_with", f"files and folders called {word}", word=word, repos=[r.removeprefix("repo:") for r in repos])
    found: list[str] = []
    for r in got.rows:
        inside = any(k.startswith("dir:") and str(r["key"]).partition(":")[2].startswith(k[4:] + "/") for k in found)
        found += [] if inside else [str(r["key"])]
    return found[:6], word


def _part(run: Run, person: str, place: str, u: Understanding) -> tuple[bool, Fact] | None:
    """What somebody did in a place, and whether any of it was a change; None when nothing is loaded."""
    if place.partition(":")[0] not in ("repo", "dir", "file"):
        return _service(run, person, place, u)
    got = run.call("who_knows", f"who changed and reviewed {short(place)}", target=place, k=1000, bots=True, **u.window)
    row = next((r for r in got.rows if r["key"] == person), None)
    if row is None:
        return None
    kinds = (("authored", "changes"), ("commits", "commits"), ("reviewed", "reviews"))
    did = listing([count(int(row[name]), kind) for name, kind in kinds if row[name]])
    text = f"{short(person)}: {did} in {short(place)}, last on {day(int(row['last_at'] or 0))}."
    return bool(row["authored"] or row["commits"]), Fact(text, (person, place), step=run.last)


def _service(run: Run, person: str, place: str, u: Understanding) -> tuple[bool, Fact] | None:
    """The last change of somebody on what runs."""
    since, until = u.time.since or 0, u.time.until or run.ctx.as_of
    got = run.call("recent_changes", f"what changed on {short(place)}", target=place, hops=0, since=since, until=until, k=1000)
    names = {person, short(person), *(n.name for n in run.ctx.run("by_keys", keys=[person]).nodes)}
    rows = [r for r in got.rows if r.get("author") in names and r["what"] != "deploy"]
    if not rows:
        return None
    last = max(rows, key=lambda r: int(r["at"] or 0))
    text = f"{short(person)}: last {last['what']} {short(str(last['key']))}, {day(int(last['at'] or 0))}, on {short(place)}."
    return True, Fact(text, (person, str(last["key"]), place), step=run.last, aggregate=True)


def _ever(u: Understanding, run: Run, person: str, places: Sequence[str]) -> Draft:
    facts: list[Fact] = []
    wrote = False
    for place in places:
        part = _part(run, person, place, u)
        if run.steps[-1].error:
            return Draft(state="insufficient", facts=[Fact(f"{run.steps[-1].tool}: {run.steps[-1].error}")])
        if part is not None:
            wrote = wrote or part[0]
            facts.append(part[1])
    if not facts:
        where, then = listing([short(p) for p in places], 6), " then" if u.window else ""
        text = f"Nothing that is loaded has {short(person)} changing or reviewing {where}{then}."
        none = Fact(text, (person, *places[:6]), step=run.last, aggregate=True)
        return Draft(["no"], [none], entries=[person, *places], lead="No.")
    return Draft(["yes" if wrote else "no"], facts, entries=[person, *places], lead="Yes." if wrote else "No change, but:")


def _events(u: Understanding, run: Run, person: str, places: Sequence[str], order: str) -> list[tuple[int, str]]:
    """The first or last change and review of somebody, in the places or anywhere, as (when, key)."""
    found: list[tuple[int, str]] = []
    for place in places or [""]:
        where = {"repos": [place]} if place.startswith("repo:") else {"path": place} if place else {}
        for kind, role in (("commits", "author"), ("prs", "author"), ("reviews", "reviewer")):
            args = {"kind": kind, "persons": [person], "role": role, "limit": 1, "order": order, **where}
            got = run.call("list_items", f"the {kind} of {short(person)}", **args)
            found += [(int(r["at"]), str(r["key"])) for r in got.rows[:1] if r.get("at")]
    return sorted(found, reverse=order == "newest")


def _when(u: Understanding, run: Run, person: str, places: Sequence[str]) -> Draft | None:
    if any(p.partition(":")[0] not in ("repo", "dir", "file") for p in places):
        return None
    last = bool(_LAST.search(u.masked)) and not re.search(r"\bsince when|first\b", u.masked, re.I)
    found = _events(u, run, person, places, "newest" if last else "oldest")
    of = f" in {listing([short(p) for p in places])}" if places else ""
    if not found:
        return Draft(state="insufficient", facts=[Fact(f"Nothing that is loaded is by {short(person)}{of}.")])
    at, key = found[0]
    fact = Fact(f"The {'last' if last else 'first'} of {short(person)}{of} is {short(key)}, {day(at)}.", (person, key))
    return Draft([day(at)], [_stepped(fact, run, key)], entries=[person, *places])


def _stepped(fact: Fact, run: Run, key: str) -> Fact:
    """The fact resting on the step that returned the thing."""
    step = next((s.n for s in reversed(run.steps) if any(r.get("key") == key for r in s.rows)), run.last)
    return Fact(fact.text, fact.cites, fact.quotes, step, True)


def _still(u: Understanding, run: Run, person: str, places: Sequence[str]) -> Draft | None:
    """Whether the last change or review is less than a year old, and when it was."""
    code = [p for p in places if p.partition(":")[0] in ("repo", "dir", "file")]
    if len(code) != len(places):
        return None
    found = _events(u, run, person, code, "newest")
    of = f" in {listing([short(p) for p in places])}" if places else ""
    if not found:
        none = Fact(f"Nothing that is loaded is by {short(person)}{of}.", (person, *places), step=run.last, aggregate=True)
        return Draft(["no"], [none], entries=[person, *places], lead="No.")
    at, key = found[0]
    yes = run.ctx.as_of - at < YEAR
    fact = _stepped(Fact(f"The last of {short(person)}{of} is {short(key)}, {day(at)}.", (person, key)), run, key)
    lead = "Yes, within the last year." if yes else "No, not within the last year."
    return Draft(["yes" if yes else "no"], [fact], entries=[person, *places], lead=lead)
