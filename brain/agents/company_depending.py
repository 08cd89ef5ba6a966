"""What needs what: dependents and dependencies with the paths, what breaks when something does, the way from one to
another, and what most rests on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents import company_owning, company_services
from brain.agents.company_facts import Row, answered, by_query, nothing, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import listing, short
from brain.agents.words import NUMBERS
from brain.text.link_things import RUNS
from brain.text.linking import Mention

FAR = 5
_HOPS = re.compile(r"\b(?:within|up to|at most|in|over) (\d+|" + "|".join(NUMBERS) + r") (?:hops?|steps?|levels?|edges?|degrees?)\b", re.I)
_VERB = {"DEPENDS_ON": "needs", "PROVIDED_BY": "is provided by", "USES": "uses", "HAS_RESOURCE": "has", "PROVIDES": "provides"}


def _things(u: Understanding) -> list[str]:
    """What runs; for a repository the service of the same name, since dependencies are of services."""
    return unique(_service(u, m) for m in u.links.of(*RUNS, "Repo"))


def _service(u: Understanding, m: Mention) -> str:
    same = [n.key for n in u.lexicon.get(m.keys[0].rpartition("/")[2]) if n.label == "Service"] if m.label == "Repo" else []
    return same[0] if len(same) == 1 else m.keys[0]


_ON_WHAT = re.compile(
    r"^\W*(?:what|which (?:services?|components?|systems?)|who)\b[^,;?]{0,30}?\b(?:depend\w*|rel(?:y|ies|ying)) (?:\w+ )?(?:up)?on "
    r"(?:the |an? |our )?(?P<x>[a-z][\w-]*(?: [\w-]+){0,2})\W*$",
    re.I,
)


def unknown_target(u: Understanding) -> str:
    """The words that stand where a question says on what something depends, when nothing loaded bears that name; else empty."""
    found = _ON_WHAT.search(u.masked) if not u.links.of(*RUNS, "Repo", "Team", "Person", "Doc", "Rule", "Decision") else None
    return found["x"] if found and not re.search(r"\b(?:that|this|it|them|these|those|each other|others?)\b", found["x"], re.I) else ""


def _hops(u: Understanding, far: bool) -> int:
    """How many hops are meant: a number that is said, one for what is direct, else as far as it goes."""
    if found := _HOPS.search(u.masked):
        return NUMBERS.get(found[1].lower(), 0) or int(found[1])
    if u.says("near_and_far"):
        return FAR
    if u.says("direct"):
        return 1
    return FAR if far or u.says("indirect") else 1


def reach(u: Understanding, run: Run, direction: str, far: bool) -> Draft | None:
    """What the thing needs, or what needs it, directly or as far as it goes, each with the way there."""
    things = _things(u)
    if not things:
        return None
    target = things[0]
    hops = _hops(u, far)
    rows = reached(run, target, direction, hops)
    others = set(things[1:])
    if others and u.want == "yesno":
        return _whether(rows, target, things[1], direction, run)
    facts = [_way(r, target, direction, run) for r in sorted(rows, key=lambda r: not _kind_fits(u, r))[:40]]
    rows = [r for r in rows if _kind_fits(u, r)]
    items = company_services.kept(u, run, unique(r["key"] for r in rows))
    facts = sorted(facts, key=lambda f: f.cites[0] not in items)
    if not items and target.startswith("repo:"):
        return nothing(f"{short(target)} is a repository: no dependencies of it are loaded, they are of services.", target)
    if not items:
        none = "depends on" if direction == "dependents" else "is needed by"
        text = f"Nothing that is loaded {none} {short(target)}{' directly' if hops == 1 else ''}."
        said = [by_query(run, text, target)]
        return answered(["0"] if u.want == "count" else ["no"] if u.want == "yesno" else [], said, [target])
    if u.want == "count":
        text = f"{len(items)} {'depend on' if direction == 'dependents' else 'are needed by'} {short(target)}."
        return answered([str(len(items))], [by_query(run, text, *items), *facts], [target])
    return answered(["yes"] if u.want == "yesno" else items, facts, [target])


def reached(run: Run, target: str, direction: str, hops: int) -> list[Row]:
    """What hangs on the target so many hops away; as far as it goes where more are asked for than one call follows."""
    why = f"what {'needs' if direction == 'dependents' else 'is needed by'} {short(target)}"
    rows = list(run.call("blast_radius", why, target=target, direction=direction, max_hops=min(hops, FAR), k=500).rows)
    known = {target, *(str(r["key"]) for r in rows)}
    edge = [r for r in rows if int(r["hops"]) == FAR] if hops >= FAR else []
    while edge and len(known) < 2000:
        start = edge.pop(0)
        more = run.call(
            "blast_radius", f"further from {short(str(start['key']))}", target=str(start["key"]), direction=direction, max_hops=FAR, k=500
        ).rows
        for r in more:
            if r["key"] not in known:
                known.add(str(r["key"]))
                rows.append(
                    {
                        **r,
                        "hops": int(r["hops"]) + int(start["hops"]),
                        "path": [*start["path"], *r["path"][1:]],
                        "rels": [*start["rels"], *r["rels"]],
                    }
                )
                edge += [rows[-1]] if int(r["hops"]) == FAR else []
    return rows


def _kind_fits(u: Understanding, r: Row) -> bool:
    """Of the kind asked for: services when services are asked for, resources, interfaces or teams when those are."""
    key = str(r["key"])
    if u.says("only_services"):
        return key.startswith(("service:", "module:", "system:"))
    if u.says("only_resources") or u.says("only_interfaces"):
        return key.startswith("resource:" if u.says("only_resources") else "api:")
    return not key.startswith("api:")


def _way(r: Row, target: str, direction: str, run: Run) -> Fact:
    """One thing reached, with the path to it."""
    path = [str(k) for k in r.get("path") or ()]
    rels = [_VERB.get(str(rel), str(rel).lower().replace("_", " ")) for rel in r.get("rels") or ()]
    n = int(r["hops"])
    if path and path[0] == target and direction == "dependents":
        path, rels = path[::-1], rels[::-1]
    way = "".join(f"{short(k)} {rels[i]} " if i < len(rels) else short(k) for i, k in enumerate(path))
    tier = f"; tier {r['tier']}" if r.get("tier") else ""
    owner = f"; owned by {short(str(r['owner']))}" if r.get("owner") else ""
    far = f"{n} {'hop' if n == 1 else 'hops'}"
    text = f"{short(str(r['key']))}, {far}{': ' if way else ''}{way}{tier}{owner}."
    return by_query(run, text, str(r["key"]), target, *path[1:-1])


def depends(r: Row, start: str, run: Run) -> Fact:
    """One of the things that `start` needs, with the path to it."""
    return _way(r, start, "dependencies", run)


def answering(u: Understanding, run: Run) -> Draft | None:
    """Who answers for what the thing needs, or for what needs it: the owners, or the technical leads."""
    things = _things(u)
    if not things:
        return None
    target = things[0]
    direction = "dependencies" if u.cued("needs") and not u.cued("breaks") else "dependents"
    rows = [r for r in reached(run, target, direction, _hops(u, u.cued("breaks"))) if not str(r["key"]).startswith("api:")]
    rel = "TECH_LEAD_OF" if u.cued("lead") else "OWNS"
    items, facts = list[str](), list[Fact]()
    for r in rows[:40]:
        facts.append(_way(r, target, direction, run))
        said = company_owning.current(company_owning.ownership(run, str(r["key"])), rel)
        held = [o for o in said if not o.get("departed")][:1]
        for o in held:
            person = u.want == "teams" and str(o["key"]).startswith("person:")
            items += company_owning.teams_of(run, str(o["key"])) if person else [str(o["key"])]
        facts += [company_owning.said(o, str(r["key"]), run) for o in held]
    if not items:
        return nothing(f"Nobody who answers for what hangs on {short(target)} is loaded.", target)
    return answered(items, facts, [target, *unique(r["key"] for r in rows[:40])])


def _whether(rows: Sequence[Row], target: str, other: str, direction: str, run: Run) -> Draft:
    hit = next((r for r in rows if r["key"] == other), None)
    if hit is not None:
        return answered(["yes"], [_way(hit, target, direction, run)], [target, other], "Yes.")
    a, b = (other, target) if direction == "dependents" else (target, other)
    text = f"No dependency of {short(a)} on {short(b)} is loaded."
    return answered(["no"], [by_query(run, text, target, other)], [target, other], "No.")


_WHETHER = re.compile(r"[,;]\s*(?:then\s+)?(?:is|are|does|do|will|would|can|could|may|might)\b", re.I)


def chain(u: Understanding, run: Run) -> Draft | None:
    """The way over dependencies from one thing to another, whichever of the two needs the other."""
    things = _things(u)
    if len(things) < 2:
        return None
    a, b = things[0], things[1]
    for start, end in ((a, b), (b, a)):
        hit = next((r for r in reached(run, start, "dependencies", FAR) if r["key"] == end), None)
        if hit is not None:
            return _found(u, hit, run, (a, b), start == a)
    if u.want == "yesno" or _WHETHER.search(u.masked):
        text = f"No dependency of {short(a)} on {short(b)} is loaded, nor the other way round."
        return answered(["no"], [by_query(run, text, a, b)], [a, b], "No.")
    return nothing(f"No way over dependencies between {listing([short(a), short(b)])} is loaded.", a, b)


def _found(u: Understanding, hit: Row, run: Run, ends: tuple[str, str], first_needs: bool) -> Draft:
    """The way that was found, as yes or no, as its length, or as what lies between."""
    a, b = ends
    fact = _way(hit, a if first_needs else b, "dependencies", run)
    if u.want == "yesno" or _WHETHER.search(u.masked):
        condition = re.search(r"\b(?:if|when|once|should|outage of|failure of|loss of)\b[^,?]*?(?:SERVICE|REPO)\d+", u.masked, re.I)
        first_breaks = _first_in_condition(u, condition, a)
        yes = (not first_needs) if first_breaks else first_needs
        yes = yes != u.says("stated_without")
        return answered(["yes" if yes else "no"], [fact], [a, b], "Yes." if yes else "No.")
    if u.want == "count":
        return answered([str(hit["hops"])], [fact], [a, b])
    if _HOW.match(u.masked):
        return answered([str(k) for k in hit.get("path") or ends], [fact], [a, b])
    between = [str(k) for k in hit.get("path") or () if k not in ends]
    return answered(between or [b if first_needs else a], [fact], [a, b])


_HOW = re.compile(r"\W*(?:in what way|how)\b(?![^?]*\b(?:via|through|over|by) (?:which|what)\b)", re.I)


def _first_in_condition(u: Understanding, condition: re.Match[str] | None, first: str) -> bool:
    """Is it the first of the two that is said to fail?"""
    named = re.search(r"(?:SERVICE|REPO)\d+", condition[0]) if condition else None
    mention = u.names.get(named[0].upper()) if named else None
    return bool(mention and first in mention.keys)


def central(u: Understanding, run: Run) -> Draft:
    """What most other things rest on, by PageRank over dependencies."""
    if u.says("needs_the_most") or u.says("direct"):
        return _by_number(u, run, needs=u.says("needs_the_most"))
    several = u.top or (5 if re.search(r"\b(?:services|components|systems|points|which are|what are)\b", u.masked, re.I) else 1)
    rows = run.call("rank", "what most rests on", by="dependencies", k=max(several, 5)).rows
    facts = [
        by_query(run, f"{r.get('place', i + 1)}. {short(str(r['key']))}.", str(r["key"])) for i, r in enumerate(rows[: max(several, 3)])
    ]
    if not facts:
        return nothing("No dependencies are loaded.")
    return answered([str(r["key"]) for r in rows[:several]], facts, [], "What most rests on (PageRank over dependencies):")


def _by_number(u: Understanding, run: Run, needs: bool) -> Draft:
    """The services that directly need the most others, or that the most others directly need."""
    got = run.ctx.run("dependency_pairs")
    run.add("dependency_pairs", "which service directly needs which", {}, got)
    ends: dict[str, set[str]] = {}
    for r in got.rows:
        if r.get("dst"):
            at, other = (str(r["src"]), str(r["dst"])) if needs else (str(r["dst"]), str(r["src"]))
            ends.setdefault(at, set()).add(other)
    order = sorted(ends, key=lambda k: (-len(ends[k]), k))
    first = [k for i, k in enumerate(order) if i < (u.top or 1) or (not u.top and len(ends[k]) == len(ends[order[0]]))]
    verb = "needs" if needs else "is needed by"
    told = {k: sorted(ends[k]) for k in order[:5]}
    facts = [by_query(run, f"{short(k)} {verb} {listing([short(o) for o in others], 12)}.", k, *others) for k, others in told.items()]
    return answered(first, facts, []) if first else nothing("No dependencies are loaded.")
