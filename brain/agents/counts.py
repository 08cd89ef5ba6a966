"""How many of something there are, and who or what has the most: one number, or one for each group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brain.agents.filters import anchors, described, filters
from brain.agents.kinds import acting_role, event_kind, group_of, of_others
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import count, is_key, plural, short, titled

SHOWN = 40
_PLURAL = {"person": "people", "repository": "repositories", "directory": "directories", "file": "files"}


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
        return _count_in_release(run, args)
    got = run.call("measure", f"how many {kind}", **args)
    n = int(got.rows[0]["n"]) if got.rows else 0
    text = f"{count(n, kind)}: {described(args)}." if described(args) else f"{count(n, kind)} in all."
    return Draft([str(n)], [Fact(text, tuple(anchors(args)), step=run.last, aggregate=True)], entries=anchors(args))


def _count_in_release(run: Run, args: dict[str, Any]) -> Draft:
    release = args.pop("in_release")
    got = run.call("measure", "how many first shipped in each release", **{**args, "by": "release", "top": 500})
    n = next((int(r["n"]) for r in got.rows if r["key"] == release), 0)
    text = f"{count(n, args['kind'])} first shipped in {short(release)}."
    return Draft([str(n)], [Fact(text, (release,), step=run.last, aggregate=True)], entries=[release])


def _how_many_groups(u: Understanding, run: Run, by: str, depth: int, args: dict[str, Any]) -> Draft:
    extra: dict[str, Any] = {"depth": depth} if by == "directory" else {}
    if by == "person":
        extra["by_role"] = acting_role(u, args["kind"])
        args = of_others(u, args)
    got = run.call("measure", f"how many different {u.kind}", **{**args, **extra, "by": by, "top": 100})
    n = int(got.rows[0]["groups"]) if got.rows else 0
    text = f"{n} {_PLURAL.get(by, f'{by}s')} ({plural(args['kind'])}: {described(args) or 'all'})."
    return Draft([str(n)], [Fact(text, tuple(anchors(args)), step=run.last, aggregate=True)], entries=anchors(args))


def ranked(u: Understanding, run: Run) -> Draft:
    """The groups with the most (or fewest), each with its number."""
    by, depth = group_of(u)
    kind = event_kind(u)
    args = of_others(u, filters(u, kind))
    limit = _limit(u)
    asked = {name: value for name, value in {**args, **_grouping(u, kind, by, depth)}.items() if name != "in_release"}
    rows = list(run.call("measure", f"{kind} for each {by}", **asked, by=by, top=max(limit + 5, 20)).rows)
    kept = [r for r in rows if r["n"] == rows[0]["n"]] if limit == 1 else rows[:limit]
    items = [str(r["key"]) for r in kept]
    if u.want == "count":
        items = [f"{r['key']}={r['n']}" if u.group else str(r["n"]) for r in kept]
    noun, what = plural(kind), described(args)
    lead = f"{noun.capitalize()} by {by}{', ' + what if what else ''}:"
    facts = [group_fact(r, kind, run.last) for r in kept[:SHOWN]] or [
        Fact(f"Nothing that is loaded fits: {noun} {what}.", tuple(anchors(args)), step=run.last, aggregate=True)
    ]
    return Draft(items, facts, entries=anchors(args), lead=lead)


def _grouping(u: Understanding, kind: str, by: str, depth: int) -> dict[str, Any]:
    """The arguments that say how groups are made, which are left out, and in which order they come."""
    extra: dict[str, Any] = {"depth": depth} if by == "directory" else {}
    if u.minimum:
        extra["min"] = u.minimum
    if by == "person":
        extra["by_role"] = acting_role(u, kind)
    if u.least:
        extra["order"] = "least"
    elif by in ("month", "year") and not u.most:
        extra["order"] = "key"
    return extra


def _limit(u: Understanding) -> int:
    """How many groups are asked for: one for "the most", a few for several, else all."""
    if u.top:
        return u.top
    if u.minimum or not (u.most or u.least):
        return 200
    return 5 if u.says("several_groups") else 1


def group_fact(row: Mapping[str, Any], kind: str, step: int) -> Fact:
    """A group with its number, as a fact."""
    key = str(row["key"])
    named = titled(key, str(row.get("name") or "")) if is_key(key) else key
    return Fact(f"{named}: {count(int(row['n']), kind)}.", (key,) if is_key(key) else (), step=step, aggregate=True)
