"""The items themselves under a question's filters: which pull requests, issues, reviews, commits, releases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brain.agents import anchored
from brain.agents.counts import SHOWN, group_fact
from brain.agents.filters import anchors, described, filters
from brain.agents.kinds import MEASURED, event_kind, narrowed
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import count, day, plural, short, titled


def listed(u: Understanding, run: Run) -> Draft:
    """The items under the question's filters, newest first unless it asks for another order."""
    kind = u.want if u.want in MEASURED else event_kind(u)
    args = filters(u, kind)
    release = args.pop("in_release", None)
    if release:
        return anchored.answer(u, run, release, None)
    if kind in ("prs", "issues") and "discussed" in u.flags:
        return _most_discussed(u, run, kind, args)
    persons = args.get("persons", [])
    if len(persons) > 1 and (u.says("all_together") or not u.says("either")):
        return _by_all(run, kind, args)
    if kind == "prs" and "without_review" in u.flags:
        return _unreviewed(run, args)
    order = "largest" if "largest" in u.flags and kind == "prs" else "oldest" if "first" in u.flags else "newest"
    got = run.call("list_items", f"the {kind} that fit", **args, limit=_limit(u, order), order=order)
    items = list(dict.fromkeys(str(r["key"]) for r in got.rows))
    total = int(got.rows[0]["total"]) if got.rows and got.rows[0].get("total") is not None else len(items)
    what = described(args)
    facts = [_item_fact(r, run.last) for r in got.rows[:SHOWN]] or [
        Fact(f"No {plural(kind)} that are loaded fit: {what or 'any'}.", tuple(anchors(args)), step=run.last, aggregate=True)
    ]
    return Draft(items, facts, entries=anchors(args), lead=f"{count(total, kind)}{': ' + what if what else ''}.")


def _unreviewed(run: Run, args: dict[str, Any]) -> Draft:
    """The pull requests that fit and that nobody but their author reviewed."""
    place = {k: v for k, v in args.items() if k in ("repos", "not_repos", "path")}
    seen = run.call("list_items", "the reviews there", kind="reviews", exclude_own=True, **place, limit=20_000)
    got = run.call("list_items", "the pull requests that fit", **args, limit=2000)
    reviewed = {str(r["key"]) for r in seen.rows}
    rows = [r for r in got.rows if str(r["key"]) not in reviewed]
    what = described(args)
    facts = [_item_fact(r, run.last) for r in rows[:SHOWN]] or [
        Fact(
            f"Every pull request that is loaded and fits was reviewed: {what or 'all'}.",
            tuple(anchors(args)),
            step=run.last,
            aggregate=True,
        )
    ]
    return Draft([str(r["key"]) for r in rows], facts, entries=anchors(args), lead=f"Without any review{': ' + what if what else ''}.")


def _limit(u: Understanding, order: str) -> int:
    """How many items are asked for: one for "the latest" or "the largest", else as many as there are."""
    one = "recent" in u.flags or "first" in u.flags or order == "largest"
    return u.top or (1 if one and not u.says("several_latest") else 500)


def when(u: Understanding, run: Run) -> Draft:
    """The day of the last change of a path, or of its first, as a pull request or a commit."""
    order = "oldest" if "first" in u.flags else "newest"
    found: list[tuple[int, Mapping[str, Any], int]] = []
    for kind in ("prs", "commits"):
        said = filters(narrowed(u, want=kind, kind=kind), kind)
        args = {k: v for k, v in said.items() if k not in ("in_release", "state", "event")} | ({"state": "merged"} if kind == "prs" else {})
        got = run.call("list_items", f"the {order} of the {kind}", **args, limit=1, order=order)
        found += [(int(r["at"]), r, run.last) for r in got.rows[:1] if r.get("at")]
    if not found:
        return Draft(state="insufficient", facts=[Fact("No change of it that is loaded fits.")])
    at, row, step = (min if order == "oldest" else max)(found, key=lambda f: f[0])
    return Draft([day(at)], [_item_fact(row, step)], entries=anchors(args))


def both(u: Understanding, run: Run) -> Draft:
    """Issues and pull requests alike under the question's filters."""
    parts = [listed(narrowed(u, want=kind, kind=kind), run) for kind in ("issues", "prs")]
    items = [item for draft in parts for item in draft.items]
    facts = [fact for draft in parts if draft.items for fact in draft.facts] or parts[0].facts
    return Draft(items, facts, entries=[key for draft in parts for key in draft.entries])


def _most_discussed(u: Understanding, run: Run, kind: str, args: dict[str, Any]) -> Draft:
    """The pull requests or issues with the most comments."""
    kept = {name: value for name, value in args.items() if name in ("repos", "not_repos", "path", "since", "until")}
    on = "pr" if kind == "prs" else "issue"
    got = run.call("measure", "comments on each", kind="comments", by="item", on=on, **kept, top=max(u.top, 20))
    limit = u.top or 1
    rows = [r for i, r in enumerate(got.rows) if i < limit or (limit == 1 and r["n"] == got.rows[0]["n"])]
    return Draft([str(r["key"]) for r in rows], [group_fact(r, "comments", run.last) for r in rows], entries=anchors(args))


def _by_all(run: Run, kind: str, args: dict[str, Any]) -> Draft:
    """The items in which every one of the named people has the part."""
    found: list[dict[str, Any]] = []
    for person in args["persons"]:
        got = run.call("list_items", f"those of {short(person)}", **{**args, "persons": [person]}, limit=2000)
        found.append({str(r["key"]): r for r in got.rows})
    shared = [key for key in found[0] if all(key in other for other in found[1:])]
    facts = [Fact(f"{titled(key, str(found[0][key].get('name') or ''))}.", (key,), step=run.last, aggregate=True) for key in shared[:SHOWN]]
    if not facts:
        text = f"No {plural(kind)} that are loaded have all of them as {args['role']}."
        facts = [Fact(text, tuple(args["persons"]), step=run.last, aggregate=True)]
    return Draft(shared, facts, entries=list(args["persons"]))


def _item_fact(row: Mapping[str, Any], step: int) -> Fact:
    key = str(row["key"])
    by = f", by {short(str(row['author']))}" if row.get("author") else ""
    state = f", {row['state']}" if row.get("state") else ""
    return Fact(f"{titled(key, str(row.get('name') or ''))}{by}{state}, {day(row.get('at'))}.", (key,), step=step, aggregate=True)
