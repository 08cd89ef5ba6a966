"""One alert, incident or deployment: what it is about, what caused and fixed it, what it brought, who handled it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents.company_changing import about, before, recent
from brain.agents.company_facts import Row, answered, by_path, by_query, called, nothing, unique
from brain.agents.company_telling import lines_about
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, short
from brain.types import Node

_PULL = re.compile(r"\b(?:prs?|pull[ -]?requests?|merge[ -]?requests?|commits?)\b", re.I)
def one(u: Understanding, run: Run) -> Draft | None:
    """What is asked of the alert, incident or deployment that is named."""
    mention = u.links.of("Incident", "Alert", "Deploy")[0]
    key = mention.keys[0]
    if u.want == "people":
        return _people(u, run, key)
    if u.want == "count" and (len(mention.keys) > 1 or _TIMES.search(u.masked)):
        return _times(u, run, mention.text, mention.keys)
    if u.want == "yesno" and mention.label == "Alert" and (then := _fired_then(u, run, mention.text, mention.keys)):
        return then
    if u.says("asks_fix") and mention.label != "Deploy":
        return _linked(run, key, "FIXED_BY", "fixed", u)
    if u.cued("cause") and mention.label != "Deploy":
        return _linked(run, key, "CAUSED_BY", "caused", u)
    if u.cued("changed") and mention.label != "Deploy" and not u.cued("deploy"):
        return recent(u, run)
    if u.cued("deploy") and mention.label != "Deploy":
        return recent(u, run) if before(u) else _linked(run, key, "CAUSED_BY", "caused", u)
    if u.want in ("prs", "commits", "issues") or u.cued("ticket"):
        return _items(u, run, key)
    if u.says("which_service") or u.cued("breaks"):
        return _services(run, key)
    if u.cued("discuss"):
        return _threads(run, key)
    return _record(u, run, key)


_TIMES = re.compile(r"\b(?:how many times|how often|number of times)\b", re.I)


def _times(u: Understanding, run: Run, name: str, keys: Sequence[str]) -> Draft:
    """How many times what goes by one name happened, in the stretch of time asked about."""
    since, until = u.time.since or 0, u.time.until if u.time.until is not None else run.ctx.as_of + 1
    nodes = run.ctx.run("by_keys", keys=list(keys)[:500]).nodes
    then = [n.key for n in nodes if since <= int(n.props.get("at") or 0) < until]
    shown = then[:8] or list(keys[:1])
    return answered([str(len(then))], [Fact(f"{len(then)} are called {name}.", tuple(shown), step=1)], shown)


_FIRED = re.compile(r"\b(?:ever|before|already|fired?|happen\w*|seen|occur\w*|went off|gone off|go off|trigger\w*)\b", re.I)


def _fired_then(u: Understanding, run: Run, name: str, keys: Sequence[str]) -> Draft | None:
    """Whether an alert of that name fired in the stretch of time asked about; None where no time is."""
    if not u.window or not _FIRED.search(u.question) or u.says("still"):
        return None
    since, until = u.time.since or 0, u.time.until if u.time.until is not None else run.ctx.as_of + 1
    got = run.look("by_keys", f"those called {name}", keys=list(keys)[:500])
    then = sorted((n for n in got.nodes if since <= int(n.props.get("at") or 0) < until), key=lambda n: -int(n.props["at"]))
    facts = [by_query(run, f"{short(n.key)} \u201c{n.name}\u201d, {day(int(n.props['at']))}.", n.key) for n in then[:10]]
    none = by_query(run, f"Nothing called {name} that is loaded is of then.", *list(keys)[:5])
    return answered(["yes" if then else "no"], facts or [none], [n.key for n in then[:10]] or list(keys)[:5], "Yes." if then else "No.")


def _people(u: Understanding, run: Run, key: str) -> Draft:
    rels = ["HANDLED_BY", "ASSIGNED_TO", "OPENED", "AUTHORED"]
    got = run.call("expand", f"who had a part in {short(key)}", key=key, rels=rels, labels=["Person", "Team"], k=50)
    rows = [r for r in got.rows if r["rel"] == "HANDLED_BY"] or got.rows
    if (not rows or u.says("asks_fix")) and (fixers := _through(run, key, u)):
        return fixers
    items = unique(r["key"] for r in rows)
    facts = [by_path(run, f"{called(str(r['key']), r['name'])} had a part in {short(key)}.", str(r["key"]), key) for r in rows]
    node = next((n for n in run.ctx.run("by_keys", keys=[key]).nodes), None)
    author = str(node.props.get("author") or "") if node else ""
    if not items and author:
        person = next((n.key for n in u.lexicon.get(author) if n.label == "Person"), "")
        run.call("details", f"the record of {short(key)}", key=key)
        if person:
            return answered([person], [by_path(run, f"{short(key)} is by {author}.", key)], [key])
    return answered(items, facts, [key]) if items else nothing(f"No source that is loaded says who that was for {short(key)}.", key)


def _through(run: Run, key: str, u: Understanding) -> Draft | None:
    """Who fixed it: those behind the ticket, pull request, commit or deployment that did, or that it or its report names as the fix."""
    if not (u.says("asks_fix") or u.cued("cured", "handle")) or key.startswith("deploy:"):
        return None
    got = run.call("expand", f"what fixed {short(key)}", key=key, rels=["FIXED_BY"], direction="out", k=20)
    rows = list(got.rows)
    if not rows:
        rows = list(run.call("expand", f"the tickets of {short(key)}", key=key, rels=["REFERENCES", "ABOUT"], labels=["Ticket"], k=5).rows)
        docs = run.call("expand", f"the report of {short(key)}", key=key, rels=["REPORTED_IN"], labels=["Doc"], k=3).rows
        for doc in docs if not rows else ():
            rows += run.call(
                "expand", f"the tickets that {short(str(doc['key']))} names", key=str(doc["key"]), rels=["REFERENCES"], direction="out",
                labels=["Ticket"], k=5,
            ).rows  # fmt: skip
        rows = rows if len(unique(r["key"] for r in rows)) == 1 else []
    items = list[str]()
    facts = [by_path(run, f"{called(str(r['key']), r['name'])} belongs to {short(key)}.", str(r["key"]), key) for r in rows]
    for what in unique(r["key"] for r in rows):
        out = run.call("expand", f"who did {short(what)}", key=what, rels=["HANDLED_BY", "AUTHORED"], labels=["Person"], k=20)
        did = [o for o in out.rows if o["rel"] == "AUTHORED" or str(o.get("how") or "") in ("fixed", "resolved", "closed")] or out.rows
        items += unique(o["key"] for o in did)
        facts += [by_path(run, f"{called(str(o['key']), o['name'])} handled {short(what)}.", str(o["key"]), what) for o in did]
    return answered(items, facts, [key, *unique(r["key"] for r in rows)]) if items else None


def _linked(run: Run, key: str, rel: str, verb: str, u: Understanding) -> Draft:
    """What caused or fixed it, as its report states; else what changed shortly before, told as no more than that."""
    got = run.call("expand", f"what {verb} {short(key)}", key=key, rels=[rel], direction="out", k=20)
    facts = [by_path(run, f"{called(str(r['key']), r['name'])} {verb} {short(key)}.", str(r["key"]), key) for r in got.rows]
    if got.rows:
        found = unique(r["key"] for r in got.rows)
        if _PULL.search(u.masked) and not any(k.startswith("pr:") for k in found):
            brought = [k for deploy in found if deploy.startswith("deploy:") for k in brings(run, deploy, facts)]
            found = blamed(run, key, brought) or brought or found
        return answered(found, facts, [key])
    told = _told(run, key, "cause" if rel == "CAUSED_BY" else "resolution")
    if told:
        return answered(unique(f.cites[0] for f in told), told, [key])
    draft = recent(u, run) if rel == "CAUSED_BY" else None
    none = by_path(run, f"No source that is loaded states what {verb} {short(key)}.", key)
    return Draft([], [none, *(draft.facts if draft else [])], "insufficient", entries=[key])


def _told(run: Run, key: str, about: str) -> list[Fact]:
    """What the report of an incident says in its own words."""
    got = run.call("expand", f"the report of {short(key)}", key=key, rels=["REPORTED_IN", "REFERENCES", "PART_OF"], labels=["Doc"], k=5)
    return lines_about(run, unique(r["key"] for r in got.rows)[:2], [about, "root cause" if about == "cause" else "fix"])


def went_out(run: Run, change: str) -> Draft | None:
    """The first deployment of each service that a pull request or commit went out in: one that names it, else one of the
    version it first shipped in; None when none is known.
    """
    got = run.call("expand", f"where {short(change)} went", key=change, rels=["INCLUDES", "SHIPPED_IN", "IN_REPO"], k=200)
    direct = [str(r["key"]) for r in got.rows if r["label"] == "Deploy"]
    versions = {str(r["name"]) for r in got.rows if r["label"] == "Release"} | {
        str(r["key"]).rpartition("@")[2] for r in got.rows if r["label"] == "Release"
    }
    facts: list[Fact] = [by_query(run, f"{short(change)} is part of {short(d)}.", d, change) for d in direct]
    if direct or not versions:
        return answered(direct, facts, [change]) if direct else None
    home = "repo:" + change.partition(":")[2].partition("#")[0].partition("@")[0]
    code = run.call("expand", f"what runs the code of {short(home)}", key=home, rels=["CODE_IN"], direction="in", k=50)
    folders = run.call("expand", "its folders", key=f"dir:{home[5:]}", rels=["IN_DIR"], direction="in", k=200).rows
    services = unique(r["key"] for r in code.rows if r["label"] == "Service")
    for folder in folders[:60] if not services else ():
        more = run.call(
            "expand", f"what runs the code of {short(str(folder['key']))}", key=str(folder["key"]), rels=["CODE_IN"], direction="in", k=20
        )
        services += [k for k in unique(r["key"] for r in more.rows) if k not in services]
    items: list[str] = []
    for service in services[:10]:
        out = run.call("expand", f"the deployments of {short(service)}", key=service, rels=["DEPLOYED_TO"], direction="in", k=500)
        of = {n.key: str(n.props.get("version") or "") for n in out.nodes}
        first = [r for r in reversed(out.rows) if of.get(str(r["key"])) in versions][:1]
        items += unique(r["key"] for r in first)
        facts += [
            by_query(
                run,
                f"{short(str(r['key']))} brought {of[str(r['key'])]} to {short(service)} on {day(int(r['at']))}.", str(r["key"]),
                service,
            )
            for r in first
        ]
    return answered(items, facts, [change]) if items else None


def brings(run: Run, deploy: str, facts: list[Fact]) -> list[str]:
    """The pull requests that a deployment brought: those of its commits, else those that first shipped in its version."""
    got = run.call("expand", f"what {short(deploy)} brings", key=deploy, rels=["INCLUDES", "DEPLOYED_TO"], direction="out", k=200)
    found = [r for r in got.rows if r["label"] == "PullRequest"]
    node = next((n for n in run.ctx.run("by_keys", keys=[deploy]).nodes), None)
    version = str(node.props.get("version") or "") if node else ""
    homes = {str(r["key"]).partition(":")[2].partition("@")[0] for r in got.rows if r["label"] == "Commit"}
    for home in sorted(homes) if version and not found else ():
        release = f"release:{home}@{version}"
        if run.ctx.run("by_keys", keys=[release]).rows:
            out = run.call("expand", f"what first shipped in {short(release)}", key=release, rels=["SHIPPED_IN"], direction="in", k=100)
            found += _since(run, deploy, node, got.rows, [r for r in out.rows if r["label"] == "PullRequest"])
    facts += [by_query(run, f"{short(deploy)} brings {short(str(r['key']))} “{r['name']}”.", str(r["key"]), deploy) for r in found[:12]]
    return unique(r["key"] for r in found)


def blamed(run: Run, key: str, brought: Sequence[str]) -> list[str]:
    """Those of several changes that the report of the incident names."""
    if len(brought) < 2:
        return []
    reports = run.call("expand", f"the report of {short(key)}", key=key, rels=["REPORTED_IN"], k=5)
    named: set[str] = set()
    for source in [key, *unique(r["key"] for r in reports.rows)][:3]:
        got = run.call("expand", f"what {short(source)} names", key=source, rels=["REFERENCES"], direction="out", k=50)
        named |= {str(r["key"]) for r in got.rows}
    return [k for k in brought if k in named]


def _since(run: Run, deploy: str, node: Node | None, linked: Sequence[Row], found: list[Row]) -> list[Row]:
    """Those of the pull requests that were merged since what the deployment before it, to the same place, brought; all if none was."""
    service = next((str(r["key"]) for r in linked if r["rel"] == "DEPLOYED_TO"), "")
    at = int(node.props.get("at") or 0) if node else 0
    if not (service and at and len(found) > 1):
        return found
    out = run.call("expand", f"the deployments of {short(service)}", key=service, rels=["DEPLOYED_TO"], direction="in", until=at, k=20)
    where = {n.key: n.props.get("env") for n in out.nodes}
    own = node.props.get("env") if node else None
    last = next((r for r in out.rows if r["key"] != deploy and int(r["at"] or 0) < at and where.get(str(r["key"])) == own), None)
    if last is None:
        return found
    earlier = str(last["key"])
    commits = run.call("expand", f"what {short(earlier)} brought", key=earlier, rels=["INCLUDES"], labels=["Commit"], k=50)
    since = max((int(r["at"] or 0) for r in commits.rows), default=int(last["at"] or 0))
    nodes = {n.key: n for n in run.ctx.run("by_keys", keys=[str(r["key"]) for r in found]).nodes}
    new = [r for r in found if since < int(nodes[str(r["key"])].props.get("merged_at") or 0) <= at]
    return new or found


def _items(u: Understanding, run: Run, key: str) -> Draft:
    """The tickets, pull requests, issues or commits linked with it."""
    if key.startswith("deploy:") and u.want == "prs":
        facts: list[Fact] = []
        brought = brings(run, key, facts)
        return answered(brought, facts, [key]) if brought else nothing(f"No pull request that {short(key)} brings is loaded.", key)
    label = "Ticket" if u.cued("ticket") else {"prs": "PullRequest", "commits": "Commit", "issues": "Issue"}[u.want]
    rels = ["CAUSED_BY", "FIXED_BY", "REFERENCES", "INCLUDES", "REPORTED_IN", "ABOUT"]
    got = run.call("expand", f"what is linked with {short(key)}", key=key, rels=rels, k=100)
    rows = [r for r in got.rows if r["label"] == label]
    facts = [by_path(run, f"{called(str(r['key']), r['name'])} is linked with {short(key)}.", str(r["key"]), key) for r in rows]
    for doc in unique(r["key"] for r in got.rows if r["label"] == "Doc")[:2]:
        more = run.call("expand", f"what {short(doc)} names", key=doc, rels=["REFERENCES"], labels=[label], k=100)
        rows += more.rows
        facts += [by_path(run, f"{short(doc)} names {called(str(r['key']), r['name'])}.", str(r["key"]), doc) for r in more.rows]
    items = unique(r["key"] for r in rows)
    return answered(items, facts, [key]) if items else nothing(f"Nothing of that kind is linked with {short(key)}.", key)


def _services(run: Run, key: str) -> Draft:
    rows = about(run, key)
    facts = [by_path(run, f"{short(key)} is about {short(str(r['key']))}.", str(r["key"]), key) for r in rows]
    return answered(unique(r["key"] for r in rows), facts, [key]) if rows else nothing(f"No source says what {short(key)} is about.", key)


def _threads(run: Run, key: str) -> Draft:
    got = run.call(
        "expand", f"where {short(key)} was discussed", key=key,
        rels=["DISCUSSED_IN", "REFERENCES", "REPORTED_IN", "ABOUT"],
        labels=["Thread"],
        k=50,
    )
    facts = [by_path(run, f"Discussed in {short(str(r['key']))} “{r['name']}”.", str(r["key"]), key) for r in got.rows]
    return answered(unique(r["key"] for r in got.rows), facts, [key]) if facts else nothing(f"No thread about {short(key)} is loaded.", key)


def _record(u: Understanding, run: Run, key: str) -> Draft:
    """Its own record: when, how long, how severe, where reported."""
    got = run.call("details", f"the record of {short(key)}", key=key)
    node = next((n for n in got.nodes if n.key == key), None)
    if node is None:
        return nothing(f"{short(key)} is not loaded.", key)
    p, facts = node.props, [by_path(run, _summary(key, node), key)]
    words = {
        "FIRED_ON": "fired on",
        "ABOUT": "is about",
        "CAUSED_BY": "was caused by",
        "FIXED_BY": "was fixed by",
        "DEPLOYED_TO": "was deployed to",
        "INCLUDES": "includes",
        "REPORTED_IN": "is reported in",
        "REFERENCES": "refers to",
        "MODIFIES": "changes",
    }
    for r in got.rows[:20]:
        if str(r["rel"]) in words and r["direction"] == "out":
            facts.append(by_path(run, f"{short(key)} {words[str(r['rel'])]} {called(str(r['key']), r['name'])}.", key, str(r["key"])))
    if u.want == "date":
        at = p.get("ended_at") if u.says("ended") else p.get("at")
        return answered([day(int(at))], facts[:1], [key]) if at else nothing(f"No such time of {short(key)} is loaded.", key)
    if u.says("how_long_it_took") and p.get("ended_at") and p.get("at"):
        minutes = (int(p["ended_at"]) - int(p["at"])) // 60
        return answered([str(minutes)], facts[:1], [key], f"{minutes} minutes.")
    if u.says("severity_asked") and p.get("severity"):
        return answered([str(p["severity"])], facts[:1], [key])
    if u.want == "yesno":
        over = bool(p.get("ended_at")) and int(p["ended_at"]) <= run.ctx.as_of
        yes = (not over) if u.says("still") or u.state == "open" else over
        return answered(["yes" if yes else "no"], facts, [key], "Yes." if yes else "No.")
    return answered([key], facts, [key])


def _summary(key: str, node: Node) -> str:
    p = node.props
    parts = [f"{name} {p[name]}" for name in ("severity", "status", "version", "env") if p.get(name)]
    dates = [f"{name} {day(int(p[prop]))}" for name, prop in (("from", "at"), ("until", "ended_at")) if p.get(prop)]
    return f"{called(key, node.name)}: {', '.join([*parts, *dates])}."
