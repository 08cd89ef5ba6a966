"""Decisions: which one it was, why, by whom and when, whether it still stands, and what replaced it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents import company_near
from brain.agents.company_facts import Row, answered, by_path, nothing, quotes, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, listing, short
from brain.text.analysis import query_terms, terms
from brain.text.irregular import forms

_STATUS = {
    "in_force": "is in force",
    "superseded": "is superseded",
    "partly_superseded": "is partly superseded",
    "proposed": "is only proposed",
    "rejected": "was rejected",
    "deprecated": "is deprecated",
    "unknown": "has no stated status",
}
ROOT = 6
STANDS = ("in_force", "partly_superseded")


def topic_of(u: Understanding) -> list[str]:
    """What to look for: the decisions named, else the words that describe one."""
    named = unique(k for m in u.links.of("Decision") for k in m.keys[:3]) or (records(u) if u.cued("decide") else [])
    return named or [" ".join(described(u))]


def records(u: Understanding) -> list[str]:
    """The decisions that are recorded in the documents the question names."""
    keys = (f"decision:{k.partition(':')[2].rpartition('.')[0]}" for m in u.links.of("Doc") for k in m.keys[:3])
    return unique(k for k in keys if u.lexicon.company.get(k) == "Decision")


_WORDS = """decide decided decides deciding decision decisions against adr adrs record records choose chose chosen pick picked apply applies
    applied ever made make makes still valid force effect replaced replace superseded supersede rejected proposed accepted deprecated
    status reason rationale motivation behind architecture agree agreed settle settled adopt adopted used using instead"""
_PERHAPS = """approve approved approves accept accepts refuse refused withdraw withdrawn drop dropped overturn overturned overrule
    overruled undo undid reverse reversed amend amended change changed stand stands stood say says said state states stated tell tells
    lay laid lays concern concerns concerning concerned regard regarding touch touches touching affect affects relate relates related
    deal deals dealt cover covers involve involved involves date dated day anything something anyone anybody somebody nothing currently
    today now since taken took take taking takes already finally originally exactly other another earlier later newer older previous
    former yet never once follow follows followed written wrote write writes
    recorded noted published drafted revised revoked retired undone"""
_ABOUT_DECIDING = frozenset(_WORDS.split())
_MAY_ASK = frozenset(_PERHAPS.split())
# Turns of phrase that ask about a decision; none of their words say what it was about.
_ASKING = re.compile(
    r"\b(?:t(?:ook|akes?|aking|aken) (?:the )?place of|in (?:the )?place of"
    r"|t(?:ook|akes?|aking|aken) (?:any |a |an |no |active )?(?:part|hand)|ha(?:d|s|ve) (?:a |any )?(?:part|say|hand) in"
    r"|(?:was|were|been|is|are) (?:a |any )?part(?:y|ies)? (?:of|to)|sign\w*(?: it| that)? off"
    r"|how (?:long|often|many|much|far)|come? (?:about|to)|came (?:about|to)|t(?:ook|aken|akes?) (?:the |a |that )?decisions?"
    r"|turn\w* (?:it |that )?down|rul\w* (?:it |that )?out|in force|in effect|up to date)\b",
    re.I,
)
_PASSIVE = re.compile(
    r"\b(?:was|is|were|are|been|g[eo]t)\b (?:the )?DECISION\d+ (?:\w+ ){0,2}?(?:replaced|superseded|overruled|amended)\b"
    r"|DECISION\d+ (?:\w+ ){0,2}?(?:was|is|were|are|been|g[eo]t) (?:\w+ ){0,2}?(?:replaced|superseded|overruled|amended)\b",
    re.I,
)
_REFUSES = re.compile(r"\b(?:reject|refus|declin|turn(?:ed)? (?:it |that )?down|rule[ds]? out|throw out|threw out)", re.I)
_VERDICT = re.compile(
    r"\b(?:was|were|has|have|is|are|did|why|when|who)\b[^?]*\b(?:approv|accept|adopt|propos|reject|refus|declin|agree|turn\w* down"
    r"|rul\w* out|sign\w* off|withdr[ae]w|deprecat|decid)\w*",
    re.I,
)
_ACCEPTS = re.compile(r"\b(?:accept|approv|adopt|agree|introduc|pass(?:ed)?\b|allow|decid\w* (?:to|for)\b|choos|chose)\w*", re.I)


def described(u: Understanding) -> list[str]:
    """The words that say what the decision is about, names of services and concepts among them."""
    named = [m.text for m in u.links.mentions if m.label in ("Service", "System", "Api", "Resource", "Concept", "Team", "Doc", "Repo")]
    asking = set(re.findall(r"[\w-]+", " ".join(m[0].lower() for m in _ASKING.finditer(u.masked))))
    left = [w for w in u.words if w not in _ABOUT_DECIDING and w not in asking]
    if any(w in _MAY_ASK for w in left):
        titles = " ".join(u.lexicon.titles.get(k, "") for k, label in u.lexicon.company.items() if label == "Decision")
        said = set(terms(titles))
        left = [w for w in left if w not in _MAY_ASK or set(query_terms(w)) & said]
    return list(dict.fromkeys([*named, *left]))


def verdict(u: Understanding) -> bool:
    """Is it asked of something that a decision's title describes whether, when or by whom it was accepted or turned down?"""
    others = ("PullRequest", "Issue", "Commit", "Ticket", "Rule", "Deploy", "Incident", "Alert", "File")
    if not _VERDICT.search(u.masked) or u.links.of(*others):
        return False
    asked = [forms(t) for t in query_terms(" ".join(described(u)))]
    titles = (set(terms(u.lexicon.titles.get(k, ""))) for k, label in u.lexicon.company.items() if label == "Decision")
    enough = max(min(2, len(asked)), 0.6 * len(asked))
    return bool(asked) and any(sum(any(_alike(a, b) for a in one for b in title) for one in asked) >= enough for title in titles)


def _alike(a: str, b: str) -> bool:
    """Is it one word, or two of one family, such as recognise and recognition?"""
    return a == b or (min(len(a), len(b)) >= ROOT and a[:ROOT] == b[:ROOT])


def found(u: Understanding, run: Run) -> list[Row]:
    """The rows of every decision named or described, best first."""
    rows: list[Row] = []
    named = bool(u.links.of("Decision"))
    for topic in topic_of(u):
        got = run.call(
            "decision", f"what was decided about {short(topic) if named else topic!r}", topic=topic, k=1 if named else 5
        ) if topic else None
        rows += got.rows if got else ()
    bearing = rows if named else [r for r in rows if _bears(u, r)]
    for key in company_near.decisions(u, run, " ".join(described(u))) if not bearing and not named and described(u) else ():
        bearing += run.call("decision", f"how {short(key)} stands", topic=key, k=1).rows
    return bearing


def _bears(u: Understanding, r: Row) -> bool:
    """Does a decision found by words have enough of them?"""
    asked = [forms(t) for t in query_terms(" ".join(described(u)))]
    said = set(terms(" ".join(str(r.get(k) or "") for k in ("name", "reason", "quote", "scope", "key", "doc"))))
    return not asked or sum(bool(one & said) for one in asked) >= (1 if len(asked) < 3 else 2 if len(asked) < 6 else 3)


def answer(u: Understanding, run: Run) -> Draft | None:
    """What the question asks of the decision it names or describes."""
    rows = found(u, run)
    if not rows:
        if u.links.of("Decision") or u.cued("decide"):
            return nothing("No decision about that is loaded.", *unique(m.keys[0] for m in u.links.of("Decision")))
        return None
    named = bool(u.links.of("Decision"))
    chosen = rows if named else [_standing(u, rows)]
    keys = unique(r["key"] for r in chosen)
    facts = [told(r, run) for r in chosen]
    if _contradicted(u, chosen, named):
        return Draft(keys, facts, "premise_corrected", "That is not so.", keys)
    if len(chosen) == 2 and named and u.cued("replaced") and (pair := _pair(u, chosen, facts)):
        return pair
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


def _standing(u: Understanding, rows: Sequence[Row]) -> Row:
    """The decision that is described: where the first was replaced by one whose title fits as well, what holds now."""
    asked = [forms(t) for t in query_terms(" ".join(described(u)))]
    fit = {str(r["key"]): sum(bool(one & set(terms(str(r["name"])))) for one in asked) for r in rows}
    first = rows[0]
    if first.get("status") != "superseded" or u.cued("replaced") or u.says("status_asked") or u.want == "yesno":
        return first
    after = [r for r in rows if r["key"] in (first.get("superseded_by") or ()) and fit[str(r["key"])] >= fit[str(first["key"])]]
    return after[0] if after else first


def _contradicted(u: Understanding, rows: Sequence[Row], named: bool) -> bool:
    """Does the question take for granted that a decision was accepted which was rejected or is only proposed, or the reverse?"""
    if u.want == "yesno" or len(rows) != 1 or u.says("status_asked"):
        return False
    status, against = str(rows[0].get("status")), _REFUSES.search(u.masked)
    if against:
        return named and status in STANDS
    return bool(_ACCEPTS.search(u.masked)) and not re.search(r"\bnot\b|n't\b|\bnever\b", u.masked) and status in ("rejected", "proposed")


def _pair(u: Understanding, rows: Sequence[Row], facts: list[Fact]) -> Draft | None:
    """What is asked of one decision's replacing another: whether, when, why, or who did; corrected when it never did."""
    passive = re.search(r"\b(?:replaced|superseded|overruled|overridden|amended) by (?:the )?DECISION\d", u.masked, re.I)
    old, new = (rows[0], rows[1]) if passive else (rows[1], rows[0])
    keys = [str(new["key"]), str(old["key"])]
    did = keys[0] in (old.get("superseded_by") or ()) or keys[1] in (new.get("supersedes") or ())
    if u.want == "yesno":
        return answered(["yes" if did else "no"], facts, keys, "Yes." if did else "No.")
    if not did:
        return Draft(keys[:1], facts, "premise_corrected", "That is not so.", keys) if u.want in ("date", "text", "people") else None
    if u.want == "date":
        return answered([day(int(new["at"]))], facts, keys) if new.get("at") else _unstated("when that was", facts, keys)
    return answered(keys[:1], facts, keys) if u.want == "text" else None


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
    column = "supersedes" if u.says("replaces_others") and not _PASSIVE.search(u.masked) else "superseded_by"
    items = unique(k for r in rows for k in r.get(column) or ())
    if u.want == "yesno":
        asks = items and re.search(r"\b(?:anything|something|any|another|some|others?)\b", u.masked, re.I)
        return answered(items if asks else ["yes" if items else "no"], facts, keys, "Yes." if items else "No.")
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
    if u.want == "date" and column == "superseded_by":
        dates = [day(int(r["at"])) for key in items[:1] for r in run.call("decision", "when", topic=key, k=1).rows if r.get("at")]
        return answered(dates, facts, keys) if dates else _unstated("when it was replaced", facts, keys)
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
