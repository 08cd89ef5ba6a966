"""Decisions: which one it was, why, by whom and when, whether it still stands, and what replaced it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents.company_facts import Row, answered, by_path, nothing, quotes, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, listing, short
from brain.text.analysis import query_terms

_STATUS = {
    "in_force": "is in force",
    "superseded": "is superseded",
    "partly_superseded": "is partly superseded",
    "proposed": "is only proposed",
    "rejected": "was rejected",
    "deprecated": "is deprecated",
    "unknown": "has no stated status",
}
MOST = 200
STANDS = ("in_force", "partly_superseded")


def topic_of(u: Understanding) -> list[str]:
    """What to look for: the decisions named, else the words that describe one."""
    named = unique(k for m in u.links.of("Decision") for k in m.keys[:3])
    return named or [" ".join(described(u))]


_WORDS = """decide decided decides deciding decision decisions against adr adrs record records choose chose chosen pick picked apply applies
    applied ever made make makes still valid force effect replaced replace superseded supersede rejected proposed accepted deprecated
    status reason rationale motivation behind architecture agree agreed settle settled adopt adopted used using instead"""
_ABOUT_DECIDING = frozenset(_WORDS.split())
_STATED = {
    "is_rejected": ("rejected",),
    "is_superseded": ("superseded", "partly_superseded"),
    "is_proposed": ("proposed",),
    "is_deprecated": ("deprecated",),
}


def described(u: Understanding) -> list[str]:
    """The words that say what the decision is about, names of services and concepts among them."""
    named = [m.text for m in u.links.mentions if m.label in ("Service", "System", "Api", "Resource", "Concept", "Team", "Doc", "Repo")]
    return list(dict.fromkeys([*named, *(w for w in u.words if w not in _ABOUT_DECIDING)]))


def listed(u: Understanding, run: Run) -> Draft:
    """How many decisions there are, or which: all, those of a status, or those that apply to a thing."""
    places = [m.keys[0] for m in u.links.of("Service", "System", "Api", "Resource", "Team", "Module")]
    keys = sorted(k for k, label in u.lexicon.company.items() if label == "Decision")[:MOST]
    if places:
        got = run.call(
            "expand", f"decisions about {short(places[0])}", key=places[0],
            rels=["APPLIES_TO", "ABOUT"],
            direction="in", labels=["Decision"],
            k=200,
        )
        keys = unique(r["key"] for r in got.rows)
    wanted = next((states for turn, states in _STATED.items() if u.says(turn)), STANDS if u.cued("valid") else ())
    rows = [
        r
        for key in keys
        for r in run.call("decision", f"how {short(key)} stands", topic=key, k=1).rows
        if not wanted or r["status"] in wanted
    ]
    facts = [told(r, run) for r in rows[:20]]
    if not rows:
        return nothing("No decision like that is loaded.", *places)
    items = unique(r["key"] for r in rows)
    return answered([str(len(items))] if u.want == "count" else items, facts, items)


def found(u: Understanding, run: Run) -> list[Row]:
    """The rows of every decision named or described, best first."""
    rows: list[Row] = []
    named = bool(u.links.of("Decision"))
    for topic in topic_of(u):
        got = run.call(
            "decision", f"what was decided about {short(topic) if named else topic!r}", topic=topic, k=1 if named else 5
        ) if topic else None
        rows += got.rows if got else ()
    return rows if named else [r for r in rows if _bears(u, r)]


def _bears(u: Understanding, r: Row) -> bool:
    """Does a decision found by words have enough of them?"""
    asked = set(query_terms(" ".join(described(u))))
    said = set(query_terms(" ".join(str(r.get(k) or "") for k in ("name", "reason", "quote", "scope", "key", "doc"))))
    return not asked or len(asked & said) >= (1 if len(asked) < 3 else 2 if len(asked) < 6 else 3)


def answer(u: Understanding, run: Run) -> Draft | None:
    """What the question asks of the decision it names or describes."""
    some = u.want in ("decisions", "count") or u.kind == "decisions"
    told_of = [w for w in u.words if w not in _ABOUT_DECIDING] or u.links.of("Concept", "Doc", "Decision") or u.cued("says")
    if some and not told_of:
        return listed(u, run)
    rows = found(u, run)
    if not rows:
        if u.links.of("Decision") or u.cued("decide"):
            return nothing("No decision about that is loaded.", *unique(m.keys[0] for m in u.links.of("Decision")))
        return None
    named = bool(u.links.of("Decision"))
    chosen = rows if named else rows[:1]
    keys = unique(r["key"] for r in chosen)
    facts = [told(r, run) for r in chosen]
    if u.want == "yesno" and re.search(r"\bamend", u.masked, re.I):
        amended = any(re.search(r"\bamend", str(r.get("stated") or ""), re.I) for r in chosen)
        return answered(["yes" if amended else "no"], facts, keys, "Yes." if amended else "No.")
    if u.cued("replaced") and (u.want != "yesno" or not u.cued("valid")):
        return _replacing(u, chosen, facts, keys, run)
    if u.want == "people":
        people = unique(k for r in chosen for k in (r.get("author"), *_deciders(run, str(r["key"]))))
        made = [by_path(run, f"{short(p)} decided or wrote {short(str(chosen[0]['key']))}.", p, str(chosen[0]["key"])) for p in people]
        return answered(people, [*made, *facts], keys) if people else nothing(
            f"No source says who made {listing([short(k) for k in keys])}.", *keys
        )
    if u.want == "date":
        dated = [day(int(chosen[0]["at"]))] if chosen[0].get("at") else []
        return answered(dated, facts, keys) if dated else _unstated("when it was decided", facts, keys)
    if chosen[0].get("status") == "unknown" and (u.says("status_asked") or u.want == "yesno"):
        return _unstated("how it stands", facts, keys)
    if u.want == "yesno":
        return _stands(u, chosen, facts, keys)
    if u.says("status_asked"):
        return answered([str(chosen[0]["status"]).replace("_", " ")], facts, keys)
    if u.want in ("count",):
        return answered([str(len(rows))], facts, keys)
    return answered(keys, facts, keys)


def _unstated(what: str, facts: list[Fact], keys: list[str]) -> Draft:
    said = Fact(f"{listing([short(k) for k in keys], 3)} does not say {what}.", tuple(keys[:3]), step=facts[0].step if facts else 1)
    return Draft([], [said, *facts], "insufficient", entries=keys)


def told(r: Row, run: Run) -> Fact:
    """A decision with its date, status and reason."""
    key = str(r["key"])
    who = f" by {r['author_name']}" if r.get("author_name") else ""
    by = [str(k) for k in r.get("superseded_by") or ()]
    status = _STATUS.get(str(r.get("status")), f"is {r.get('status')}")
    after = f" by {listing([short(k) for k in by], 4)}" if by else ""
    scope = f", as to {r['scope']}" if r.get("scope") else ""
    reason = f" Because: {r['reason']!s}" if r.get("reason") else ""
    number = f"{r['number']}, " if r.get("number") and str(r["number"]) not in short(key) else ""
    on = f", {day(int(r['at']))}" if r.get("at") else ""
    text = f"{number}“{r['name']}”{on}{who}, {status}{after}{scope}.{reason}"
    doc = [str(r["doc"])] if r.get("doc") else []
    return Fact(text, tuple(dict.fromkeys([key, *doc, *by])), quotes({"from_key": r.get("doc"), **r}), run.last, aggregate=True)


def _deciders(run: Run, key: str) -> list[str]:
    got = run.call("expand", f"who decided {short(key)}", key=key, rels=["DECIDED", "WROTE"], direction="in", k=30)
    decided = [r for r in got.rows if r["rel"] == "DECIDED"]
    return unique(r["key"] for r in decided or got.rows)


def _replacing(u: Understanding, rows: Sequence[Row], facts: list[Fact], keys: list[str], run: Run) -> Draft:
    """What replaced the decision, or what it replaced."""
    column = "supersedes" if u.says("replaces_others") else "superseded_by"
    items = unique(k for r in rows for k in r.get(column) or ())
    if u.want == "yesno":
        return answered(["yes" if items else "no"], facts, keys, "Yes." if items else "No.")
    if not items and not u.links.of("Decision") and column == "superseded_by" and rows[0].get("supersedes"):
        return answered(keys, facts, keys)
    if not items:
        verb = "replaces anything" if column == "supersedes" else "is replaced by anything"
        return Draft(
            [],
            [by_path(run, f"Nothing that is loaded says that {listing([short(k) for k in keys])} {verb}.", *keys), *facts],
            "insufficient", entries=keys,
        )
    for key in items[:4]:
        got = run.call("decision", f"what {short(key)} says", topic=key, k=1)
        facts += [told(r, run) for r in got.rows if r["key"] == key]
    if u.want == "people":
        items = unique(k for key in items for k in _deciders(run, key))
    return answered(items, facts, keys)


def _stands(u: Understanding, rows: Sequence[Row], facts: list[Fact], keys: list[str]) -> Draft:
    """Yes or no: does it stand, was it accepted, rejected, superseded?"""
    status = str(rows[0].get("status"))
    held = {
        "is_rejected": status == "rejected",
        "is_superseded": status in ("superseded", "partly_superseded"),
        "is_proposed": status == "proposed",
        "is_deprecated": status == "deprecated",
    }
    said = next((name for name in held if u.says(name)), "")
    yes = held[said] if said else status in STANDS
    lead = "Yes." if yes else "No."
    if yes and status == "partly_superseded":
        lead = "Yes, but only in part."
    return answered(["yes" if yes else "no"], facts, keys, lead)
