"""One ticket: who handled, fixed and verified it, what closes it, where it was discussed, how it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents import company_undoing
from brain.agents.company_facts import Row, answered, by_path, called, nothing, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, short
from brain.text.link_things import RUNS
from brain.types import Edge, Node, Result

_ACTS = (
    ("act_verified", "verified"),
    ("act_fixed", "fixed"),
    ("act_claimed", "claimed"),
    ("act_transferred", "transferred"),
    ("act_resolved", "resolved"),
)
_ENDED = re.compile(
    r"\b(?:why|when|how come|how) (?:was|were|did|has|got)\b[^?]{0,30}TICKET\d+ (?:\w+ )?"
    r"(?:clos|fix|solv|resolv|finish|complet|done|end)\w*",
    re.I,
)
_GAVE = re.compile(
    r"\bwho\b(?! (?:was|is|were|has been))(?: \w+){0,2}?"
    r" (?:(?:pass|hand|giv|transferr|reassign|forward)(?:s|es|ed|ing)?|gave|given|delegat\w*) "
    r"(?:(?:over|on|off) )?(?:the )?(?:ticket )?TICKET\d",
    re.I,
)
_LINKS = {
    "prs": (["CLOSES", "FIXED_BY", "REFERENCES"], ["PullRequest"]),
    "commits": (["CLOSES", "FIXED_BY", "REFERENCES"], ["Commit"]),
    "issues": (["REFERENCES", "SIMILAR_TO"], ["Issue", "Ticket"]),
    "repositories": (["CLOSES", "FIXED_BY", "REFERENCES"], ["PullRequest"]),
}


def one(u: Understanding, run: Run) -> Draft | None:
    """What is asked of the ticket that is named."""
    key = u.links.of("Ticket")[0].keys[0]
    if company_undoing.asked(u):
        return company_undoing.told(u, run, key)
    if u.want == "people":
        return _people(u, run, key)
    if u.cued("discuss") and u.want in ("text", "items", "yesno", "count", "files", "channels", "threads"):
        return _discussed(u, run, key)
    if u.cued("deploy"):
        return _deployed(run, key)
    if u.want in _LINKS or (u.cued("cured") and u.want == "text"):
        return _linked(run, key, "prs" if u.want == "text" else u.want)
    if u.says("which_service"):
        return _related(run, key, ["ABOUT", "MODIFIES"], [*RUNS], "is about")
    if u.cued("incident"):
        return _related(run, key, ["REFERENCES", "CAUSED_BY", "FIXED_BY", "ABOUT"], ["Incident", "Alert"], "is linked with")
    return _record(u, run, key)


def _people(u: Understanding, run: Run, key: str) -> Draft:
    """Who handled, is assigned to, opened, passed on or commented on the ticket."""
    if _GAVE.search(u.masked):
        return _givers(u, run, key)
    if u.says("opened_it"):
        rels = ["OPENED"]
    elif u.has("comment"):
        rels = ["COMMENTED_ON"]
    elif u.cued("own", "oncall", "page") and not u.cued("handle"):
        return _owners(run, key)
    elif u.has("assign") and not u.cued("cured"):
        rels = ["ASSIGNED_TO"]
    else:
        rels = ["HANDLED_BY", "ASSIGNED_TO"]
    got = run.call("expand", f"who had a part in {short(key)}", key=key, rels=rels, labels=["Person", "Team"], k=100)
    rows = _by_act(u, got, key) if "HANDLED_BY" in rels else got.rows
    if not rows:
        return nothing(f"No source that is loaded says who {'handled' if 'HANDLED_BY' in rels else 'had that part in'} {short(key)}.", key)
    facts = [_part(r, got.edges, key, run) for r in rows]
    return answered(unique(r["key"] for r in rows), facts, [key])


def _givers(u: Understanding, run: Run, key: str) -> Draft:
    """Who passed the ticket on to somebody, to the one that is named where one is."""
    to = {k for m in u.links.of("Person") for k in m.keys}
    got = run.call("expand", f"to whom {short(key)} was passed", key=key, rels=["HANDLED_BY"], labels=["Person"], k=100)
    passed = [e for e in got.edges if e.rel == "HANDLED_BY" and e.props.get("what") == "transferred" and (not to or e.dst in to)]
    items, facts = list[str](), list[Fact]()
    for edge in passed:
        message = str(edge.props.get("access_key") or "")
        if not message.startswith("message:"):
            continue
        said = run.call("expand", f"who wrote {short(message)}", key=message, rels=["POSTED"], direction="in", labels=["Person"], k=3)
        items += [str(r["key"]) for r in said.rows]
        where = f"passed {short(key)} to {short(edge.dst)} in {short(message)}"
        facts += [by_path(run, f"{called(str(r['key']), r['name'])} {where}.", str(r["key"]), message) for r in said.rows]
    none = f"No source that is loaded says who passed {short(key)} {f'to {short(min(to))}' if to else 'on'}."
    return answered(items, facts, [key, *unique(e.dst for e in passed)]) if items else nothing(none, key)


def _by_act(u: Understanding, got: Result, key: str) -> Sequence[Row]:
    """Those who did the act that is asked about; else those who handled it; else whom it is assigned to."""
    handled = [r for r in got.rows if r["rel"] == "HANDLED_BY"]
    done: dict[str, set[str]] = {}
    for e in got.edges:
        if e.rel == "HANDLED_BY" and e.src == key:
            done.setdefault(e.dst, set()).add(str(e.props.get("what") or ""))
    for turn, act in _ACTS:
        if u.says(turn):
            same = {"fixed", "resolved"} if act in ("fixed", "resolved") else {act}
            fitting = [r for r in handled if done.get(str(r["key"]), set()) & same]
            if fitting:
                return fitting
    return handled or got.rows


def _part(r: Row, edges: Sequence[Edge], key: str, run: Run) -> Fact:
    verbs = {"ASSIGNED_TO": "is assigned", "OPENED": "opened", "COMMENTED_ON": "commented on", "HANDLED_BY": "handled"}
    acts = sorted({str(e.props.get("what")) for e in edges if e.rel == "HANDLED_BY" and e.dst == r["key"] and e.props.get("what")})
    verb = " and ".join(acts) if acts and r["rel"] == "HANDLED_BY" else verbs.get(str(r["rel"]), "handled")
    when = f" on {day(int(r['at']))}" if r.get("at") and r["rel"] != "ASSIGNED_TO" else ""
    return by_path(run, f"{called(str(r['key']), r['name'])} {verb} {short(key)}{when}.", str(r["key"]), key)


def _owners(run: Run, key: str) -> Draft:
    """Who answers for what the ticket is about."""
    about = run.call("expand", f"what {short(key)} is about", key=key, rels=["ABOUT", "MODIFIES"], direction="out", labels=[*RUNS], k=5)
    items, facts = list[str](), list[Fact]()
    for r in about.rows[:2]:
        target = str(r["key"])
        rows = run.call("who_owns", f"who answers for {short(target)}", target=target, k=20).rows
        held = [o for o in rows if o.get("rel") == "OWNS" and o.get("stands", "current") == "current" and not o.get("departed")]
        items += unique(o["key"] for o in held[:1])
        facts += [by_path(run, f"{called(str(o['key']), o.get('name'))} owns {short(target)}.", str(o["key"]), target) for o in held[:3]]
    return answered(items, facts, [key]) if items else nothing(f"No source says who answers for what {short(key)} is about.", key)


def _linked(run: Run, key: str, want: str) -> Draft:
    """The changes that close the ticket, or refer to it."""
    rels, labels = _LINKS[want]
    got = run.call("expand", f"what fixes or names {short(key)}", key=key, rels=rels, labels=labels, k=100)
    rows = next((found for rel in rels if (found := [r for r in got.rows if r["rel"] == rel])), [])
    facts = [
        by_path(run, f"{short(str(r['key']))} “{r['name']}” {_verb(r, 'ticket')} {short(key)}.", str(r["key"]), key) for r in rows[:12]
    ]
    items = unique(r["key"] for r in rows)
    if want == "repositories":
        items = unique("repo:" + k.partition(":")[2].split("#")[0] for k in items)
    return answered(items, facts, [key]) if items else nothing(f"No change that is loaded closes or names {short(key)}.", key)


def _verb(r: Row, what: str) -> str:
    return {"CLOSES": "closes", "FIXED_BY": "fixes"}.get(str(r["rel"]), "is linked with")


def _related(run: Run, key: str, rels: list[str], labels: list[str], verb: str) -> Draft:
    got = run.call("expand", f"what {short(key)} {verb}", key=key, rels=rels, labels=labels, k=50)
    facts = [by_path(run, f"{short(key)} {verb} {called(str(r['key']), r['name'])}.", key, str(r["key"])) for r in got.rows[:12]]
    items = unique(r["key"] for r in got.rows)
    return answered(items, facts, [key]) if items else nothing(f"Nothing of that kind is linked with {short(key)}.", key)


def _discussed(u: Understanding, run: Run, key: str) -> Draft:
    """The threads in which the ticket was discussed, or the channels of those threads."""
    got = run.call(
        "expand", f"where {short(key)} was discussed", key=key,
        rels=["DISCUSSED_IN", "REFERENCES", "REPORTED_IN"],
        labels=["Thread", "Message"],
        k=100,
    )
    threads = [r for r in got.rows if r["label"] == "Thread"] or list(got.rows)
    if not threads:
        if u.want == "yesno":
            return answered(["no"], [by_path(run, f"No thread that is loaded names {short(key)}.", key)], [key], "No.")
        return nothing(f"No thread that is loaded names {short(key)}.", key)
    facts = [
        by_path(run, f"Discussed in {short(str(r['key']))} “{r['name']}” on {day(int(r['at'] or 0))}.", str(r["key"]), key)
        for r in threads[:12]
    ]
    items = unique(r["key"] for r in threads)
    if u.want == "yesno":
        return answered(["yes"], facts, [key], "Yes.")
    if u.says("which_channel"):
        items = unique("channel:" + k.partition(":")[2].split("/")[0] for k in items)
    return answered([str(len(items))] if u.want == "count" else items, facts, [key])


def _deployed(run: Run, key: str) -> Draft:
    """The deployments that carry what fixed the ticket."""
    got = run.call(
        "expand", f"what fixes {short(key)}", key=key,
        rels=["CLOSES", "FIXED_BY", "REFERENCES"],
        labels=["PullRequest", "Commit", "Deploy"],
        k=50,
    )
    items, facts = list[str](), list[Fact]()
    for r in got.rows:
        change = str(r["key"])
        if change.startswith("deploy:"):
            items.append(change)
            facts.append(by_path(run, f"{short(change)} is linked with {short(key)}.", change, key))
            continue
        out = run.call(
            "expand", f"in which deployment {short(change)} went out", key=change,
            rels=["INCLUDES"],
            direction="in", labels=["Deploy"],
            k=20,
        )
        items += unique(d["key"] for d in out.rows)
        facts += [
            by_path(run, f"{short(change)} went out in {short(str(d['key']))} on {day(int(d['at'] or 0))}.", str(d["key"]), change)
            for d in out.rows
        ]
    return answered(items, facts, [key]) if items else nothing(f"No deployment that is loaded carries a fix of {short(key)}.", key)


_PROPERTY = (
    ("priority", "priority_asked"),
    ("state", "status_asked"),
    ("component", "component_asked"),
    ("resolution", "resolution_asked"),
    ("kind", "kind_asked"),
)


def _record(u: Understanding, run: Run, key: str) -> Draft:
    """The ticket's own record: its state, dates, priority, component."""
    got = run.call("details", f"the record of {short(key)}", key=key)
    node = next((n for n in got.nodes if n.key == key), None)
    if node is None:
        return nothing(f"{short(key)} is not loaded.", key)
    p = node.props
    facts = [by_path(run, _summary(key, node), key)]
    facts += [
        by_path(run, f"{short(key)} {_word(r)} {called(str(r['key']), r['name'])}.", key, str(r["key"]))
        for r in got.rows[:10]
        if r.get("key")
    ]
    if not p.get("closed_at") and _ENDED.search(u.masked) and u.want in ("date", "text"):
        return Draft([key], facts[:1], "premise_corrected", "That is not so: it is not closed.", [key])
    if u.want == "date":
        closing = u.cued("handle", "cured") or u.has("close")
        at = p.get("closed_at") if closing else p.get("created_at") or p.get("at")
        return answered([day(int(at))], facts[:1], [key]) if at else nothing(f"{short(key)} has no such date.", key)
    if u.want == "yesno":
        done = bool(p.get("closed_at"))
        open_asked = u.state == "open" or u.says("still")
        yes = done != open_asked
        return answered(["yes" if yes else "no"], facts[:1], [key], "Yes." if yes else "No.")
    for prop, turn in _PROPERTY:
        if p.get(prop) and u.says(turn):
            return answered([str(p[prop])], facts[:1], [key])
    return answered([key], facts, [key])


def _summary(key: str, node: Node) -> str:
    p = node.props
    parts = [
        f"{name} {p[prop]}" for name, prop in (("state", "state"), ("priority", "priority"), ("component", "component")) if p.get(prop)
    ]
    dates = [f"{name} on {day(int(p[prop]))}" for name, prop in (("opened", "created_at"), ("closed", "closed_at")) if p.get(prop)]
    return f"{short(key)} “{node.name}”: {', '.join([*parts, *dates])}."


def _word(r: Row) -> str:
    words = {
        "HANDLED_BY": "was handled by",
        "ASSIGNED_TO": "is assigned to",
        "ABOUT": "is about",
        "MODIFIES": "changes",
        "DISCUSSED_IN": "was discussed in",
        "OPENED": "was opened by",
        "CLOSES": "is closed by",
        "FIXED_BY": "was fixed by",
        "REFERENCES": "is linked with",
        "COMMENTED_ON": "was commented on by",
    }
    return words.get(str(r["rel"]), "is linked with")
