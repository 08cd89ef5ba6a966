"""Questions about many things at once: how many, the most, per group, and the items themselves."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from brain.agents.filters import anchors, described, filters
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import count, day, short, titled

MEASURED = ("prs", "issues", "reviews", "approvals", "change_requests", "comments", "commits", "releases", "files")
SHOWN = 40
_GROUP_NOUNS = {
    "people": "person",
    "repositories": "repository",
    "directories": "directory",
    "labels": "label",
    "months": "month",
    "years": "year",
    "files": "file",
}


def event_kind(u: Understanding) -> str:
    """What is counted, from the noun asked for or, where that names a group, from the verbs."""
    nouns = [k for k in u.nouns if k in MEASURED]
    if u.kind in MEASURED and u.kind not in _GROUP_NOUNS:
        return _by_verb(u, u.kind)
    by_noun = next((k for k in nouns if k not in _GROUP_NOUNS), "")
    if by_noun:
        return _by_verb(u, by_noun)
    if u.kind == "files" and u.want == "count" and not nouns[1:] and not u.most:
        return "files"
    for aspect, kind in (
        ("approve", "approvals"),
        ("changes_requested", "change_requests"),
        ("review", "reviews"),
        ("comment", "comments"),
    ):
        if u.has(aspect):
            return kind
    return "commits" if re.search(r"\bcommit", u.masked, re.I) else "prs"


def _by_verb(u: Understanding, kind: str) -> str:
    """Reviews that are approvals or change requests are counted as such."""
    if kind == "reviews":
        return (
            "approvals"
            if u.has("approve") and "without_approval" not in u.flags
            else "change_requests"
            if u.has("changes_requested")
            else kind
        )
    return kind


def group_of(u: Understanding) -> tuple[str, int]:
    """The grouping asked for, and the depth of directories."""
    if u.group:
        return u.group, 1
    by = _GROUP_NOUNS.get(u.want) or (_GROUP_NOUNS.get(u.kind, "") if u.want == "count" and u.kind != "files" else "")
    depth = re.search(r"(\w+)[- ]level", u.masked, re.I)
    levels = {"top": 1, "first": 1, "second": 2, "two": 2, "third": 3, "three": 3}
    return by, levels.get(depth[1].lower(), 1) if depth else 1


def counted(u: Understanding, run: Run) -> Draft:
    """How many there are under the question's filters."""
    by, depth = group_of(u)
    kind = event_kind(u)
    args = filters(u, kind)
    if by and not u.group and "often" not in u.flags:
        return _how_many_groups(u, run, by, depth, args)
    if by and u.group:
        return ranked(u, run)
    if "in_release" in args:
        return _count_in_release(u, run, args)
    got = run.call("measure", f"how many {kind}", **args)
    n = int(got.rows[0]["n"]) if got.rows else 0
    text = f"{count(n, kind)}: {described(args)}." if described(args) else f"{count(n, kind)} in all."
    return Draft([str(n)], [Fact(text, tuple(anchors(args)), step=run.last, aggregate=True)], entries=anchors(args))


def _count_in_release(u: Understanding, run: Run, args: dict[str, Any]) -> Draft:
    release = args.pop("in_release")
    got = run.call("measure", "how many first shipped in each release", **{**args, "by": "release", "top": 500})
    n = next((int(r["n"]) for r in got.rows if r["key"] == release), 0)
    return Draft(
        [str(n)],
        [Fact(f"{count(n, args['kind'])} first shipped in {short(release)}.", (release,), step=run.last, aggregate=True)],
        entries=[release],
    )


def _how_many_groups(u: Understanding, run: Run, by: str, depth: int, args: dict[str, Any]) -> Draft:
    extra = {"depth": depth} if by == "directory" else {}
    if by == "person":
        extra["by_role"] = acting_role(u, args["kind"])
        args = _without_subject(u, args)
    got = run.call("measure", f"how many different {u.kind}", **{**args, **extra, "by": by, "top": 100})
    n = int(got.rows[0]["groups"]) if got.rows else 0
    noun = {"person": "people", "repository": "repositories", "directory": "directories", "file": "files"}.get(by, f"{by}s")
    return Draft(
        [str(n)],
        [
            Fact(
                f"{n} {noun} ({args['kind'].replace('_', ' ')}: {described(args) or 'all'}).",
                tuple(anchors(args)),
                step=run.last,
                aggregate=True,
            )
        ],
        entries=anchors(args),
    )


def acting_role(u: Understanding, kind: str) -> str:
    """Whose part in a pull request or issue the groups are, when people are asked for."""
    if kind in ("prs",):
        if u.has("approve") and "without_approval" not in u.flags:
            return "approver"
        if u.has("review"):
            return "reviewer"
        if u.has("merge") and re.search(r"who (?:\w+ )?merg|merg\w+ the most|most merges|merged by|mergers?\b|press", u.masked, re.I):
            return "merger"
        if u.has("comment"):
            return "commenter"
        return "author"
    if kind == "issues":
        return "closer" if u.has("close") and not u.has("author") else "opener"
    return {"reviews": "reviewer", "approvals": "reviewer", "change_requests": "reviewer", "comments": "commenter"}.get(kind, "author")


def _without_subject(u: Understanding, args: dict[str, Any]) -> dict[str, Any]:
    """When people are asked for, a named person is the other side: whose work, not whose doing."""
    if not args.get("persons") or args.get("role") != "author" or u.want != "people":
        return args
    return {**{k: v for k, v in args.items() if k not in ("persons", "role")}, "authors": [*args.get("authors", []), *args["persons"]]}


def ranked(u: Understanding, run: Run, top: int = 0) -> Draft:
    """The groups with the most (or fewest), each with its number."""
    by, depth = group_of(u)
    kind = event_kind(u)
    args = _without_subject(u, filters(u, kind))
    extra: dict[str, Any] = {"depth": depth} if by == "directory" else {}
    if u.minimum:
        extra["min"] = u.minimum
    if by == "person":
        extra["by_role"] = acting_role(u, kind)
    if u.least:
        extra["order"] = "least"
    elif by in ("month", "year") and not u.most:
        extra["order"] = "key"
    limit = u.top or top or (200 if u.minimum else 1 if (u.most or u.least) and not _plural(u) else 5 if u.most or u.least else 200)
    got = run.call(
        "measure",
        f"{kind} for each {by}",
        **{k: v for k, v in {**args, **extra}.items() if k != "in_release"},
        by=by,
        top=max(limit + 5, 20),
    )
    rows = list(got.rows)
    kept = rows[:limit]
    if limit == 1 and rows:
        kept = [r for r in rows if r["n"] == rows[0]["n"]]
    facts = [_group_fact(r, kind, by, run.last) for r in kept[:SHOWN]]
    items = [str(r["key"]) for r in kept]
    if u.want == "count":
        items = [f"{r['key']}={r['n']}" if u.group else str(r["n"]) for r in kept]
    lead = f"{kind.replace('_', ' ').capitalize()} by {by}{', ' + described(args) if described(args) else ''}:"
    if not rows:
        facts = [
            Fact(
                f"Nothing that is loaded fits: {kind.replace('_', ' ')} {described(args)}.",
                tuple(anchors(args)),
                step=run.last,
                aggregate=True,
            )
        ]
    return Draft(items, facts, entries=anchors(args), lead=lead)


def _plural(u: Understanding) -> bool:
    return bool(
        re.search(
            r"\b(?:who are|which (?:\w+ ){0,2}(?:people|reviewers|authors|contributors|repos|repositories|files|directories|labels|developers|engineers)|the (?:most \w+ )?(?:people|reviewers|authors|contributors|files))\b",
            u.masked,
            re.I,
        )
    )


def _group_fact(r: Any, kind: str, by: str, step: int) -> Fact:
    key = str(r["key"])
    cites = (key,) if ":" in key else ()
    return Fact(
        f"{titled(key, str(r.get('name') or '')) if ':' in key else key}: {count(int(r['n']), kind)}.", cites, step=step, aggregate=True
    )


def listed(u: Understanding, run: Run) -> Draft:
    """The items themselves under the question's filters."""
    kind = u.want if u.want in MEASURED else event_kind(u)
    args = filters(u, kind)
    release = args.pop("in_release", None)
    if release:
        return _first_in(u, run, release)
    if kind in ("prs", "issues") and "discussed" in u.flags:
        return _most_discussed(u, run, kind, args)
    together = re.search(r"\bboth\b|\beach of\b|\ball of\b", u.masked, re.I) or (
        len(args.get("persons", [])) > 1 and not re.search(r"\bor\b|either", u.masked, re.I)
    )
    if len(args.get("persons", [])) > 1 and together:
        return _by_all(run, kind, args)
    order = "largest" if "largest" in u.flags and kind == "prs" else "oldest" if "first" in u.flags else "newest"
    one = (
        ("recent" in u.flags or "first" in u.flags or order == "largest")
        and not u.top
        and not re.search(r"recently|\b(?:prs|pulls|pull requests|issues|commits|releases|tags|versions|changes)\b", u.masked, re.I)
    )
    limit = u.top or (1 if one else 500)
    got = run.call("list_items", f"the {kind} that fit", **args, limit=limit, order=order)
    items = list(dict.fromkeys(str(r["key"]) for r in got.rows))
    total = int(got.rows[0]["total"]) if got.rows and got.rows[0].get("total") is not None else len(items)
    facts = [_item_fact(r, run.last) for r in got.rows[:SHOWN]]
    what = described(args)
    lead = f"{count(total, kind)}{': ' + what if what else ''}."
    if not items:
        facts = [
            Fact(f"No {kind.replace('_', ' ')} that are loaded fit: {what or 'any'}.", tuple(anchors(args)), step=run.last, aggregate=True)
        ]
    return Draft(items, facts, entries=anchors(args), lead=lead)


def both(u: Understanding, run: Run) -> Draft:
    """Issues and pull requests alike under the question's filters."""
    parts = [listed(narrowed(u, want=kind, kind=kind), run) for kind in ("issues", "prs")]
    items = [i for d in parts for i in d.items]
    facts = [f for d in parts for f in d.facts if d.items] or parts[0].facts
    return Draft(items, facts, entries=[e for d in parts for e in d.entries])


def _most_discussed(u: Understanding, run: Run, kind: str, args: dict[str, Any]) -> Draft:
    """The pull requests or issues with the most comments."""
    keep = {k: v for k, v in args.items() if k in ("repos", "not_repos", "path", "since", "until")}
    got = run.call(
        "measure", "comments on each", kind="comments", by="item", on="pr" if kind == "prs" else "issue", **keep, top=max(u.top, 20)
    )
    limit = u.top or 1
    rows = [r for i, r in enumerate(got.rows) if i < limit or (limit == 1 and r["n"] == got.rows[0]["n"])]
    return Draft([str(r["key"]) for r in rows], [_group_fact(r, "comments", "item", run.last) for r in rows], entries=anchors(args))


def _by_all(run: Run, kind: str, args: dict[str, Any]) -> Draft:
    """The items in which every one of the named people has the part."""
    found: list[dict[str, Any]] = []
    for person in args["persons"]:
        got = run.call("list_items", f"those of {short(person)}", **{**args, "persons": [person]}, limit=2000)
        found.append({str(r["key"]): r for r in got.rows})
    shared = [k for k in found[0] if all(k in f for f in found[1:])]
    facts = [Fact(f"{titled(k, str(found[0][k].get('name') or ''))}.", (k,), step=run.last, aggregate=True) for k in shared[:SHOWN]]
    if not facts:
        facts = [
            Fact(f"No {kind} that are loaded have all of them as {args['role']}.", tuple(args["persons"]), step=run.last, aggregate=True)
        ]
    return Draft(shared, facts, entries=list(args["persons"]))


def _first_in(u: Understanding, run: Run, release: str) -> Draft:
    """What first shipped in a release."""
    from brain.agents import anchored

    return anchored.answer(u, run, release, None)


def _item_fact(r: Any, step: int) -> Fact:
    key = str(r["key"])
    by = f", by {r['author']}" if r.get("author") else ""
    state = f", {r['state']}" if r.get("state") else ""
    return Fact(f"{titled(key, str(r.get('name') or ''))}{by}{state}, {day(r.get('at'))}.", (key,), step=step, aggregate=True)


def narrowed(u: Understanding, **changes: Any) -> Understanding:
    """The same question with some roles read differently."""
    return replace(u, **changes)
