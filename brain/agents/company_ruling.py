"""Rules: which is in force for whom and when, what it was before, what is announced, and which contradict each other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents import company_near, company_values
from brain.agents.company_facts import AUTHORITY, Row, answered, by_path, by_query, called, nothing, quotes, unique, where
from brain.agents.company_findings import clash
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, listing, short
from brain.text.analysis import query_terms
from brain.text.link_things import RUNS

_SAYS_NOTHING = frozenset(
    query_terms("rule rules policy policies force effect apply applies deadline limit time current currently now long much many")
)
SHARE = 0.6
_FAR = 9_000_000_000
# Asked for the end of a time or for leave: the value of the rule answers, not a day or a bare yes.
_LIMIT = re.compile(
    r"\b(?:by when|until when"
    r"|when (?:must|should|may|can|do|does|have|has|is|are)\b(?![^?]*\b(?:start|begin|valid|force|effect|chang)))", re.I
)
_SINCE = re.compile(r"\b(?:(?:from|since|as of) when|when (?:will|did|does|do|has|was|were)|starting when|from which day)\b", re.I)
_MAY = re.compile(
    r"\b(?:allowed|permitted|forbidden|(?:may|can|could|must|should) (?:i|we|one|somebody|anybody|someone|an?|the|[a-z]+s)\b"
    r"|(?:do|does) (?:i|we|one|somebody|anybody|someone|people|[a-z]+s) (?:\w+ ){0,3}?(?:have|need)\b"
    r"|who (?:may|can|must|is allowed|is permitted|has to|decides))",
    re.I,
)
_NAMES_THEM = re.compile(r"\b(?:which|what|name|list|show|give|between)\b", re.I)


def meant(u: Understanding) -> list[str]:
    """The rules a question means, by name or by the greater part of a name's words; the fullest match first."""
    titles = {m.text for m in u.links.of("Rule")}
    if titles:
        return unique(titles)
    return _named_by(u, u.question)


def meant_by(u: Understanding, text: str) -> list[str]:
    """The rules whose names the words cover for the greater part."""
    return _named_by(u, text)


def _named_by(u: Understanding, text: str) -> list[str]:
    names: dict[str, set[str]] = {}
    asked = set(query_terms(text))
    for key, label in u.lexicon.company.items():
        if label == "Rule":
            names.setdefault(u.lexicon.titles.get(key, ""), set()).add(key)
    scored = []
    for name in names:
        words = set(query_terms(name))
        shared = words & asked
        if shared - _SAYS_NOTHING and len(shared) >= 0.6 * len(words):
            scored.append((len(shared) / len(words), len(shared), name))
    best = sorted(scored, key=lambda s: (-s[0], -s[1], s[2]))
    return [name for share, n, name in best if (share, n) == best[0][:2]]


def in_force(u: Understanding, run: Run) -> Draft | None:
    """The value of the rule asked about at the instant asked about, higher authority first, with what it replaced."""
    rows = rules(u, run)
    if not rows:
        return None
    keys = unique(r["key"] for r in rows)
    facts = [stated(r, run) for r in rows[:12]]
    if _SINCE.search(u.question) and (begun := _begins(u, run, rows, facts)):
        return begun
    best = [r for r in rows if r.get("slot") == rows[0].get("slot")]
    named = bool(meant(u))
    if u.want == "date" and not _LIMIT.search(u.question):
        return answered([day(int(best[0]["valid_from"]))] if best[0].get("valid_from") else [], facts, keys)
    if u.want == "people" and not _MAY.search(u.question):
        return _makers(run, best, facts)
    said = company_values.measures(u.question) if u.want == "yesno" else []
    if u.want == "yesno" and (in_time := _over_time(u, run, said, str(rows[0]["name"]))):
        return in_time
    if said and not any(company_values.same_value(v, str(r["value"])) for v in said for r in best):
        return answered(["no"], facts, keys, "No.")
    if u.want == "yesno" and (said or not _MAY.search(u.question)):
        return answered(["yes"], facts, keys, "Yes.")
    if u.want == "count" and (named or u.kind == "rules" or not rows[0].get("value")) and not u.says("how_long"):
        return answered([str(len(rows))], facts, keys)
    if u.says("rules_themselves"):
        return answered(unique(r["key"] for r in (best if named else rows)), facts, keys)
    return answered(unique(r["value"] for r in (best if named else rows)), facts, keys)


_ALWAYS = re.compile(
    r"\b(?:always|all along|from the (?:start|beginning)|ever since|never (?:been )?(?:changed"
    r"|different|anything (?:else|but)))\b",
    re.I,
)
_EVER = re.compile(r"\b(?:ever|at any time|at some (?:time|point)|once|formerly|never)\b", re.I)


def _over_time(u: Understanding, run: Run, said: Sequence[str], name: str) -> Draft | None:
    """Whether every version of the rule has the value that is stated, or any ever had; None where only the present is asked about."""
    always = bool(_ALWAYS.search(u.question))
    if not (always or _EVER.search(u.question)) or u.window:
        return None
    versions = list(run.call("rule_history", f"how {name!r} changed", rule=name).rows)
    low = u.question.lower()
    begun = [r for r in versions if r.get("status") != "future"]
    stated = [r for r in versions if str(r["value"]).lower() in low or any(company_values.same_value(v, str(r["value"])) for v in said)]
    held = [r for r in begun if r in stated]
    if not begun or not (said or stated):
        return None
    yes = len(held) == len(begun) if always else bool(held) != bool(re.search(r"\bnever\b", u.question, re.I))
    facts = [version(r, run) for r in versions[:20]]
    return answered(["yes" if yes else "no"], facts, unique(r["key"] for r in versions), "Yes." if yes else "No.")


def permission(u: Understanding) -> bool:
    """Is it asked what one may or must do, so that a day of the week is part of the rule and no time?"""
    return bool(_MAY.search(u.question))


def _begins(u: Understanding, run: Run, rows: Sequence[Row], facts: list[Fact]) -> Draft | None:
    """From which day the value that the question states holds, held or will hold."""
    said = company_values.measures(u.question)
    name = str(rows[0]["name"])
    versions = run.call("rule_history", f"since when {name!r} says so", rule=name).rows if said else ()
    hits = [r for r in versions if r.get("valid_from") and any(company_values.same_value(v, str(r["value"])) for v in said)]
    if not hits:
        return None
    told = [version(r, run) for r in hits[:1]]
    return answered([day(int(hits[0]["valid_from"]))], [*told, *facts], unique([hits[0]["key"], *(r["key"] for r in rows)]))


def rules(u: Understanding, run: Run) -> list[Row]:
    """The rules in force that the question means: by name, else by what they apply to, else by its words."""
    places = unique(m.keys[0] for m in u.links.of(*RUNS, "Team", "Role"))
    names = meant(u)
    rows: list[Row] = []
    for name in names[:3]:
        for place in places or [""]:
            got = run.call("rule_in_force", f"what holds for {name!r}", rule=name, target=place, k=20).rows
            rows += got or (run.call("rule_in_force", f"what holds for {name!r} in general", rule=name, k=20).rows if place else ())
    for place in places if not names else ():
        rows += run.call("rule_in_force", f"what applies to {short(place)}", rule="", target=place, k=50).rows
    if not rows and not names:
        words = " ".join(w for w in u.words if w not in _SAYS_NOTHING)
        got = run.call("rule_in_force", f"a rule about {words!r}", rule=words, k=10).rows if words else ()
        rows = [r for r in got if _about(u, r)]
        for name in company_near.rule_names(u, run) if not rows else ():
            rows += run.call("rule_in_force", f"what holds for {name!r}", rule=name, k=20).rows
    seen: dict[str, Row] = {}
    for r in rows:
        seen.setdefault(str(r["key"]), r)
    return list(seen.values())


def _about(u: Understanding, r: Row) -> bool:
    """Does a rule found by words have the words that matter?"""
    asked = set(query_terms(u.question)) - _SAYS_NOTHING
    name = set(query_terms(f"{r['name']} {r.get('slot') or ''}")) - _SAYS_NOTHING
    number = re.search(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|quarter)\b", str(r.get("value") or ""), re.I)
    return bool(asked & name) and len(asked & name) >= SHARE * len(name) and (bool(number) or not u.says("how_long"))


def stated(r: Row, run: Run) -> Fact:
    """A rule with its value, for whom, since when, by which authority, and where it is written."""
    key = str(r["key"])
    whom = f" for {r['subject']}" if r.get("subject") else ""
    conditions = f" ({r['conditions']})" if r.get("conditions") else ""
    start, end = int(r.get("valid_from") or 0), int(r.get("valid_to") or 0)
    span = (f", from {day(start)}" if start else "") + (f" until {day(end)}" if end and end < _FAR else "")
    by = AUTHORITY.get(str(r.get("authority")), str(r.get("authority") or "a source"))
    before = unique(k for k in r.get("replaces") or ())
    after = f" It replaces {listing([short(k) for k in before], 3)}." if before else ""
    clashing = " Another rule contradicts it." if r.get("conflict") else ""
    text = f"“{r['name']}”{whom}{conditions}: {r['value']}{span}, by {by}{where(r)}.{after}{clashing}"
    source = [str(r["from_key"])] if r.get("from_key") else []
    return Fact(text, tuple(dict.fromkeys([key, *source, *before])), quotes(r), run.last, aggregate=True)


def _makers(run: Run, rows: Sequence[Row], facts: list[Fact]) -> Draft:
    """Who set the rule."""
    keys = unique(r["key"] for r in rows)[:3]
    items = []
    for key in keys:
        got = run.call("expand", f"who set {short(key)}", key=key, rels=["DECIDED", "WROTE"], direction="in", k=20)
        items += unique(r["key"] for r in got.rows)
        facts = [*facts, *(by_path(run, f"{called(str(r['key']), r['name'])} set {short(key)}.", str(r["key"]), key) for r in got.rows)]
        source = next((str(r["from_key"]) for r in rows if r["key"] == key and r.get("from_key")), "")
        if not got.rows and source:
            more = run.call("expand", f"who wrote {short(source)}", key=source, rels=["WROTE", "AUTHORED", "POSTED", "MAINTAINED_BY"], k=10)
            items += unique(r["key"] for r in more.rows if str(r["key"]).startswith(("person:", "team:")))
            facts += [
                by_path(run, f"{called(str(r['key']), r['name'])} wrote {short(source)}.", str(r["key"]), source) for r in more.rows[:3]
            ]
    return answered(items, facts, keys) if items else nothing(f"No source says who set {listing([short(k) for k in keys])}.", *keys)


def history(u: Understanding, run: Run) -> Draft | None:
    """Every version of the rule in order: what it was, is, and will be."""
    names = meant(u)
    if not names:
        words = " ".join(w for w in u.words if w not in _SAYS_NOTHING)
        names = [words] if words else []
    rows: list[Row] = []
    for name in names[:2]:
        rows += run.call("rule_history", f"how {name!r} changed", rule=name).rows
    if not rows:
        return None
    keys = unique(r["key"] for r in rows)
    facts = [version(r, run) for r in rows[:20]]
    by_status = {s: [r for r in rows if r.get("status") == s] for s in ("past", "in_force", "future")}
    if u.want == "yesno" and u.window and not u.says("was_before"):
        return _whether_changed(u, rows, facts, keys)
    if u.says("will_change"):
        return _some(u, by_status["future"][:1], facts, keys, "No change of it is announced.")
    if u.says("was_before"):
        return _some(u, by_status["past"][-1:], facts, keys, "No earlier version of it is loaded.")
    if u.cued("replaced") and not u.cued("history"):
        old = by_status["past"][-1:] if u.says("replaces_others") else by_status["in_force"][:1]
        return _some(u, old, facts, keys, "Nothing that is loaded replaced it.", themselves=True)
    if u.want == "yesno":
        return _whether_changed(u, rows, facts, keys)
    if u.want == "count":
        return answered([str(len(rows))], facts, keys)
    if u.want == "date":
        latest = by_status["in_force"] or rows
        return answered([day(int(latest[-1]["valid_from"]))], facts, keys)
    return answered(unique(r["key"] for r in rows) if u.says("rules_themselves") else unique(r["value"] for r in rows), facts, keys)


def _whether_changed(u: Understanding, rows: Sequence[Row], facts: list[Fact], keys: list[str]) -> Draft:
    """Did a version begin in the stretch of time asked about, other than the first?"""
    since, until = u.time.since or 0, u.time.until or _FAR
    changed = any(since <= int(r.get("valid_from") or 0) < until for r in rows[1:])
    return answered(["yes" if changed else "no"], facts, keys, "Yes." if changed else "No.")


def _some(u: Understanding, rows: Sequence[Row], facts: list[Fact], keys: list[str], none: str, themselves: bool = False) -> Draft:
    if not rows:
        if u.want == "yesno":
            return answered(["no"], facts, keys, f"No. {none}")
        return Draft([], [Fact(none, tuple(keys[:1]), step=facts[0].step, aggregate=True), *facts], "insufficient", entries=keys)
    if u.want == "date":
        return answered([day(int(rows[0]["valid_from"]))], facts, keys)
    if u.want == "yesno":
        return answered(["yes"], facts, keys, "Yes.")
    if themselves and u.says("source_asked"):
        return answered(unique(r.get("from_key") for r in rows), facts, keys)
    return answered(unique(r["key"] for r in rows) if u.says("rules_themselves") else unique(r["value"] for r in rows), facts, keys)


_WHEN = {"past": "was", "in_force": "is", "future": "will be"}


def version(r: Row, run: Run) -> Fact:
    """One version of a rule: its value, when it held, who says so."""
    start, end = int(r.get("valid_from") or 0), int(r.get("valid_to") or 0)
    span = (f" from {day(start)}" if start else "") + (f" until {day(end)}" if end and end < _FAR else "")
    by = AUTHORITY.get(str(r.get("authority")), str(r.get("authority") or "a source"))
    scope = f", as to {r['scope']}" if r.get("scope") else ""
    text = f"“{r['name']}” {_WHEN.get(str(r.get('status')), 'is')} {r['value']}{span}{scope}, by {by}{where(r)}."
    source = [str(r["from_key"])] if r.get("from_key") else []
    return Fact(text, tuple(dict.fromkeys([str(r["key"]), *source])), quotes(r), run.last, aggregate=True)


def contradictions(u: Understanding, run: Run) -> Draft:
    """Rules that give one subject different values at one time, both sides cited, the higher authority first."""
    places = unique(m.keys[0] for m in u.links.of(*RUNS, "Team"))
    got = run.call("conflicts", "rules that contradict each other", **({"target": places[0]} if places else {}))
    rows = [r for r in got.rows if r.get("kind") == "rule"]
    names = meant(u)
    slots = {n.lower().replace("-", " ") for n in names}
    if names:
        rows = [r for r in rows if str(r.get("slot") or "").lower().replace("-", " ") in slots or any(s in str(r).lower() for s in slots)]
    entries = [*places, *unique(r["a"] for r in rows)]
    facts = [
        by_query(run, clash(r), *(str(r[k]) for k in ("a", "b", "a_from", "b_from") if r.get(k))) for r in rows[:20]
    ]
    none = by_query(run, "No two rules that are loaded and in force then contradict each other" + (f" about {names[0]}." if names else "."))
    whether = u.want == "yesno" or (re.match(r"\W*(?:do|does|is|are)\b", u.masked, re.I) and not _NAMES_THEM.search(u.masked))
    if whether and (rows or names or places):
        return answered(["yes" if rows else "no"], facts or [none], entries, "Yes." if rows else "No.")
    if not rows:
        known = names or places or not [w for w in u.words if w not in _SAYS_NOTHING]
        return answered([], [none], places) if known else nothing("No rule about that is loaded.", *places)
    if u.want == "count":
        return answered([str(len(rows))], facts, entries)
    if u.says("rules_themselves") and not names:
        return answered(unique(k for r in rows for k in (r["a"], r["b"])), facts, entries)
    return answered(unique(r[k] for r in rows for k in ("a_value", "b_value")), facts, entries)
