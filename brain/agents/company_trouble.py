"""What went wrong: the incidents and alerts of a stretch of time, an incident that is described rather than named, and the people
behind the change that caused or fixed one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from brain.agents import company_owning
from brain.agents.company_changing import of_things
from brain.agents.company_events import blamed, brings, one
from brain.agents.company_facts import Row, answered, by_path, by_query, called, nothing, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, short
from brain.text.analysis import query_terms, terms
from brain.text.link_things import RUNS
from brain.text.linking import Links, Mention

_WRONG = re.compile(
    r"\b(?:(?:go|goes|went|gone|going) wrong|trouble|problems?|mishaps?|breakdowns?|break|breaks|broke|broken|failures?"
    r"|(?:bad|unusual) happened|issues? did we have|took down|brought down|went down)\b",
    re.I,
)
_HAPPENED = re.compile(r"\b(?:what|anything|something)(?: all| else)? (?:has |had )?(?:happen(?:ed)?|was going on|went on)\b", re.I)
_ONE = re.compile(
    r"\b(?:the|that|this|an?)(?: [\w-]+){0,3}? (?:incident|outage|disruption|failure|breakdown|post-?mortem)\b(?! of SERVICE\d+\W*$)", re.I
)
_NO_SUBJECT = """incident incidents outage disruption trouble problem failure breakdown went go wrong break broke broken caused cause
    causes led took down brought change changes wrote write written author authored made make merged reviewed approved
    deployed fix fixed fixes solved resolved undid ended day night morning evening about behind happened pull request
    requests pr commit deploy deployment post mortem postmortem anything something everything else whole own happen board
    company who which what when where how long last severe severity team service services ticket owner one
    belong belongs"""
_SAYS_NOTHING = frozenset(term for word in _NO_SUBJECT.split() for term in query_terms(word))
_WORK = re.compile(
    r"\b(?P<verb>wrote|written|author\w*|made|opened|merged|merging|reviewed|approved|deployed|rolled|shipped|released|committed|behind)\b"
    r"[^?]{0,20}?\b(?:the|that|this|a|its|out|whatever|what)\b(?: \w+){0,2}? ?\b(?:change|prs?|pull[ -]?request|commit|code|patch|deploy"
    r"|deployment|release|rollout|version|fix|caused|broke|fixed)",
    re.I,
)
_AUTHOR = re.compile(r"\b(?:author|authors|writer) of\b[^?]*\b(?:change|prs?|pull[ -]?request|commit|code|patch|fix)\b", re.I)
_RELS = {"merg": "MERGED", "review": "REVIEWED", "approv": "REVIEWED"}
SHARE, REPORTS, RECORDS = 0.5, 8, 3
_NAMED = ("Incident", "Alert", "Ticket", "PullRequest", "Issue", "Deploy", "Commit", "Decision", "Rule")


def asked(u: Understanding) -> bool:
    """Is it asked what went wrong in a stretch of time, of all or of a service?"""
    bound = bool(u.window) or bool(u.links.of(*RUNS, "Team"))
    wrong = _WRONG.search(u.masked) or (_HAPPENED.search(u.masked) and u.window and not u.links.of("Repo", *RUNS, "Team", "Channel"))
    return bound and bool(wrong) and u.want in ("text", "yesno", "items", "count", "services", "incidents") and not _rest(u)


def _rest(u: Understanding) -> set[str]:
    """The words that say what it was about."""
    return set(query_terms(" ".join([*u.words, *(m.text for m in u.links.of("Concept"))]))) - _SAYS_NOTHING


def went_wrong(u: Understanding, run: Run) -> Draft | None:
    """The incidents and alerts of the window; the deployments too where it is asked what happened."""
    items, facts = list[str](), list[Fact]()
    if u.links.of(*RUNS, "Team", "Repo"):
        for kind in ("incidents", "alerts"):
            part = of_things(replace(u, want=kind), run, kind)
            items += part.items if part and part.items else []
            facts += part.facts if part and part.items else []
        return _told(u, run, items, facts)
    for kind in ("incidents", "alerts") if _WRONG.search(u.masked) else ("incidents", "alerts", "deploys"):
        got = run.call("list_items", f"the {kind} of then", kind=kind, **u.window, limit=200, order="newest")
        items += unique(r["key"] for r in got.rows)
        facts += [_event(r, run) for r in got.rows[:20]]
    return _told(u, run, items, facts)


def _event(r: Row, run: Run) -> Fact:
    on = f", {short(str(r['about']))}" if r.get("about") else ""
    return by_query(run, f"{called(str(r['key']), r['name'])}, {day(int(r['at'] or 0))}{on}.", str(r["key"]))


def _told(u: Understanding, run: Run, items: Sequence[str], facts: list[Fact]) -> Draft:
    entries = unique(m.keys[0] for m in u.links.of(*RUNS, "Team"))
    none = by_query(run, "No incident and no alert is loaded for then.", *entries)
    if u.want == "yesno":
        return answered(["yes" if items else "no"], facts or [none], entries, "Yes." if items else "No.")
    if u.want == "count":
        return answered([str(len(set(items)))], facts or [none], entries)
    if u.want == "services":
        about = unique(r.get("about") for s in run.steps if s.tool == "list_items" for r in s.rows)
        return answered(about, facts, entries) if about else answered([], [none], entries)
    return answered(items, facts or [none], entries)


def with_incident(u: Understanding, run: Run) -> Understanding:
    """The question with the incident it describes among what it names, when its words and its day single one out."""
    fixing = u.says("asks_fix") and (u.want in ("prs", "commits") or not (u.links.of(*RUNS) or u.most))
    bad = u.cued("cause") or _WRONG.search(u.masked) or fixing
    change = u.want in ("people", "prs", "commits") or u.cued("deploy")
    of_record = change or u.cued("ticket") or u.want in ("teams", "date", "services") or u.says("severity_asked")
    of_record = of_record or u.says("how_long_it_took")
    if not ((_ONE.search(u.masked) and of_record) or (bad and change and not u.cued("ticket"))) or u.links.of(*_NAMED):
        return u
    words = _rest(u)
    places = set(unique(k for m in u.links.of(*RUNS) for k in m.keys))
    text = " ".join([*u.words, *(m.text for m in u.links.of("Concept", *RUNS))])
    got = run.call("list_items", "the incidents of then", kind="incidents", **u.window, limit=200, order="newest")
    about = {str(r["key"]): str(r.get("about") or "") for r in got.rows}
    named = {str(r["key"]): str(r["name"] or "") for r in got.rows}
    if not about:
        return u
    held: dict[str, set[str]] = {key: set(query_terms(f"{name} {short(about[key])}")) for key, name in named.items()}
    if words or places:
        found = run.call("search_text", "reports with these words", text=text, k=60, labels=["Incident", "Doc"])
        for src, terms in _texts(run, found.rows):
            if src in held:
                held[src] |= terms
    scored = sorted(
        (
            (len(words & held[k]) / max(len(words), 1), len(words & set(query_terms(named[k]))), about[k] in places, k)
            for k in held
        ),
        reverse=True,
    )
    key = _single(run, scored, bool(words), bool(places), bool(u.window))
    if not key:
        return u
    mention = Mention(0, 0, named[key], (key,), "Incident", "described", True)
    links: Links = replace(u.links, mentions=[*u.links.mentions, mention])
    return replace(u, links=links)


def unfound(u: Understanding) -> bool:
    """Is it asked whose change caused an incident of a day or of a description that no incident loaded fits?"""
    if u.links.of(*_NAMED) or u.want != "people" or not (u.window or _ONE.search(u.masked)):
        return False
    return bool((u.cued("cause") or _WRONG.search(u.masked)) and _WORK.search(u.masked))


def _texts(run: Run, rows: Sequence[Row]) -> list[tuple[str, set[str]]]:
    """The words of each passage with the incident it tells of: its own, or the one that its document reports."""
    told: dict[str, list[str]] = {}
    for r in rows:
        src = str(r["src"])
        if src not in told and len(told) < REPORTS:
            told[src] = [src]
            if src.startswith("doc:"):
                got = run.call("expand", f"what {short(src)} reports", key=src, rels=["REPORTED_IN"], direction="in", k=5)
                told[src] = unique(o["key"] for o in got.rows if o["label"] == "Incident")
    return [(k, set(terms(f"{r.get('title') or ''} {r['text']}"))) for r in rows for k in told.get(str(r["src"]), ())]


def _single(run: Run, scored: Sequence[tuple[float, int, bool, str]], words: bool, places: bool, window: bool) -> str:
    """The one incident that is meant: the only one of that time, else the one that has most of the words; of two records that have
    the same of both, the one that tells what caused and ended it.
    """
    fitting = [s for s in scored if (not words or s[0] >= SHARE) and (not places or s[2] or s[0] >= SHARE)]
    if not fitting or not (words or places or window):
        return ""
    best = [s[3] for s in fitting if s[:3] == fitting[0][:3]] if words or window else [s[3] for s in fitting]
    if 1 < len(best) <= RECORDS:
        told = [
            key for key in best
            if run.call("expand", f"what is told of {short(key)}", key=key, rels=["CAUSED_BY", "FIXED_BY"], direction="out", k=1).rows
        ]
        best = told or best
    return best[0] if len(best) == 1 else ""


def behind(u: Understanding, run: Run, key: str) -> Draft | None:
    """Who wrote, merged, reviewed or deployed the change that caused or fixed the incident; None when that is not asked."""
    verb = _WORK.search(u.masked)
    if not verb and not _AUTHOR.search(u.masked):
        return None
    fixed = u.says("asks_fix") and not u.cued("cause") and not re.search(r"\bbroke\b", u.masked, re.I)
    rel, did = ("FIXED_BY", "fixed") if fixed else ("CAUSED_BY", "caused")
    got = run.call("expand", f"what {did} {short(key)}", key=key, rels=[rel], direction="out", k=20)
    facts = [by_path(run, f"{called(str(r['key']), r['name'])} {did} {short(key)}.", str(r["key"]), key) for r in got.rows]
    said = verb["verb"].lower() if verb else "wrote"
    if said.startswith(("deploy", "roll", "ship", "releas")):
        return _deployers(u, run, [str(r["key"]) for r in got.rows if r["label"] == "Deploy"], facts, key)
    role = next((rel for stem, rel in _RELS.items() if said.startswith(stem)), "AUTHORED")
    changes = unique(r["key"] for r in got.rows if r["label"] in ("PullRequest", "Commit"))
    if not changes:
        brought = [k for r in got.rows if r["label"] == "Deploy" for k in brings(run, str(r["key"]), facts)]
        changes = blamed(run, key, brought) or brought
    items = list[str]()
    for change in changes[:4]:
        out = run.call("expand", f"who had that part in {short(change)}", key=change, rels=[role], direction="in", labels=["Person"], k=20)
        items += unique(r["key"] for r in out.rows)
        part = {"MERGED": "merged", "REVIEWED": "reviewed"}.get(role, "wrote")
        facts += [by_path(run, f"{called(str(r['key']), r['name'])} {part} {short(change)}.", str(r["key"]), change) for r in out.rows]
    return answered(items, facts, [key, *changes[:4]]) if items else nothing(f"No source says whose change {did} {short(key)}.", key)


def _deployers(u: Understanding, run: Run, deploys: Sequence[str], facts: list[Fact], key: str) -> Draft:
    nodes = run.ctx.run("by_keys", keys=list(deploys)).nodes if deploys else ()
    names = [str(n.props.get("author") or "") for n in nodes]
    people = unique(next((n.key for n in u.lexicon.get(name) if n.label == "Person"), "") for name in names if name)
    told = [by_query(run, f"{short(n.key)} is by {n.props['author']}.", n.key, key) for n in nodes if n.props.get("author")]
    return answered(people, [*facts, *told], [key]) if people else nothing(f"No source says who deployed what caused {short(key)}.", key)


def event(u: Understanding, run: Run) -> Draft | None:
    """What is asked of an alert, incident or deployment: of the people or services behind its change, else of itself."""
    found = u.links.of("Incident")
    key = found[0].keys[0] if found else ""
    told = behind(u, run, key) if found and u.want == "people" else None
    if told is None and found and (u.cued("cause") or _FAULT.search(u.masked)):
        told = _where(u, run, key) if u.want in ("services", "teams") or (u.cued("own", "lead") and u.want == "people") else None
    return told or one(u, run)


_FAULT = re.compile(r"\b(?:at fault|to blame|guilty|culprit)\b", re.I)


def _where(u: Understanding, run: Run, key: str) -> Draft | None:
    """The services whose deployment caused the incident, or who answers for them."""
    got = run.call("expand", f"what caused {short(key)}", key=key, rels=["CAUSED_BY"], direction="out", k=20)
    facts = [by_path(run, f"{called(str(r['key']), r['name'])} caused {short(key)}.", str(r["key"]), key) for r in got.rows]
    services = list[str]()
    for deploy in [str(r["key"]) for r in got.rows if r["label"] == "Deploy"][:3]:
        out = run.call("expand", f"where {short(deploy)} went", key=deploy, rels=["DEPLOYED_TO"], direction="out", k=5)
        services += unique(r["key"] for r in out.rows)
        facts += [by_path(run, f"{short(deploy)} went to {short(str(r['key']))}.", deploy, str(r["key"])) for r in out.rows]
    if not services or u.want == "services":
        return answered(services, facts, [key]) if services else None
    rows = company_owning.current(company_owning.ownership(run, services[0]), "TECH_LEAD_OF" if u.cued("lead") else "OWNS")
    here = [r for r in rows if not r.get("departed") and (u.want != "teams" or str(r["key"]).startswith("team:"))]
    told = [company_owning.said(r, services[0], run) for r in here[:3]]
    return answered(unique(r["key"] for r in here), [*facts, *told], [key, services[0]]) if here else None
