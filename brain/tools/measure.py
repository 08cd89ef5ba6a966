"""Counting and listing, exact and general: `measure` counts what `list_items` lists under the same filters."""

from __future__ import annotations

from typing import Any

from brain.errors import ToolError
from brain.tools import operations
from brain.tools.asking import Asking, tool
from brain.tools.chosen import Selection
from brain.tools.selection import EVENTS, FILTERS, release_piece, select
from brain.types import Result

_GROUPS = "person|repository|directory|file|label|release|month|year|state|item|service|team|priority|type|environment|system"
_REVIEWED = ("prs", "reviews", "approvals", "change_requests")
_LEGAL = {
    "label": (*_REVIEWED, "issues", "comments"),
    "state": (*_REVIEWED, "issues", "comments"),
    "release": (*_REVIEWED, "commits"),
    "file": (*_REVIEWED, "commits"),
    "directory": (*_REVIEWED, "commits", "files"),
    "person": (*_REVIEWED, "issues", "comments", "commits", "files"),
    "item": ("reviews", "approvals", "change_requests", "comments", "commits"),
    **{by: tuple(operations.LABELS) for by in ("service", "team", "priority", "type", "environment", "system")},
}
_ENTITIES = ("person", "repository", "file", "release", "item")


@tool(
    f"{FILTERS}, by: {_GROUPS}?, by_role: author|opener|reviewer|approver|merger|commenter|assignee|closer|handler?,"
    " depth: int = 1, top: int = 10, order: most|least|key = most, min: int?"
)
def measure(ctx: Asking, **a: Any) -> Result:
    """How many, how many per group, and the top groups: pull requests, issues, reviews, approvals, change requests, comments, commits,
    releases or files, by person, repository, directory at a depth, file, label, release, month, year or state, or by item (which pull
    request or issue has the most reviews or comments, which pull request the most commits); tickets, deploys, alerts, incidents, docs,
    decisions or rules, by person, label, month, year, state, service, team, priority, type, environment or system; under filters. Of the
    latter `path` names the service, team or system they are about. `authors` wrote the pull request
    or issue, `persons` are those in `role`. Windows go from `since` up to `until`. `once` counts each pull request or issue once
    instead of each review or comment; `closed` pull requests were closed without being merged, `ended` ones were merged or closed.
    `in_release` keeps what first shipped in exactly that release, a commit with the pull request it belongs to. Rankings of people leave
    programs out unless `bots` is true. `min` keeps the groups of at least so many. Rows: key, name, n, total (the sum over all these
    groups, also those not shown) and groups (how many there are); without `by` one row with n.
    """
    ctx = ctx.at(a["as_of"])
    if a["kind"] in operations.LABELS:
        return _measured_records(ctx, a)
    if a["by"] == "person" and a["bots"] is None and EVENTS.get(a["kind"]) and not a["only_bots"]:
        a["bots"] = False
    if a["min"] is not None and a["by"] is None:
        raise ToolError("'min' is about groups; say by what with 'by'")
    grouped = a["by"] == "person" and a["only_bots"] and a["bots"] is not False and not EVENTS.get(a["kind"])
    chosen = select(ctx, {**a, "only_bots": False} if grouped else a)
    unit = "items" if chosen.single else "events"
    if a["by"] is None:
        chosen.then(f"count_{unit}")
    else:
        _group(chosen, a, unit)
        chosen.then(f"rank_{a['order']}", top=a["top"], **({} if a["min"] is None else {"min": a["min"]}))
    return ctx.fragments("measure", chosen.parts, chosen.args)


def _measured_records(ctx: Asking, a: dict[str, Any]) -> Result:
    chosen = operations.select(ctx, a)
    if a["by"] is None:
        chosen.then("count_items")
    else:
        operations.group(chosen, a)
        chosen.then(f"rank_{a['order']}", top=a["top"], **({} if a["min"] is None else {"min": a["min"]}))
    return ctx.fragments("measure", chosen.parts, chosen.args)


def _group(chosen: Selection, a: dict[str, Any], unit: str) -> None:
    by = a["by"]
    if by in _LEGAL and chosen.kind not in _LEGAL[by]:
        raise ToolError(f"{chosen.kind} have no {by} to count by; legal for {by}: {', '.join(_LEGAL[by])}")
    if by == "person":
        _group_people(chosen, a)
    elif by == "directory" and chosen.kind == "files":
        chosen.then("group_own_directory", depth=max(a["depth"], 0))
    elif by == "directory":
        chosen.then(f"group_directory_{unit[:-1]}", depth=max(a["depth"], 0))
    elif by == "item":
        if chosen.event and chosen.single:
            raise ToolError("by item counts the reviews or comments of each; leave 'once' out")
        chosen.then("group_item" if chosen.event else "group_change")
    elif by == "release":
        chosen.then(release_piece(chosen.items))
    elif by in _ENTITIES:
        chosen.then(f"group_{by}")
    elif by == "state" and chosen.event == "reviews" and not chosen.single:
        chosen.then("group_review_state")
    else:
        chosen.then(f"group_{by}_{unit[:-1]}")
    count = "nodes" if by in _ENTITIES else "directories" if by == "directory" else "values"
    chosen.then(f"count_{count}_{unit}")


def _group_people(chosen: Selection, a: dict[str, Any]) -> None:
    """By the person in a role: of an event who did it, unless another role of the item is asked for."""
    actor = {"reviews": "reviewer", "comments": "commenter"}.get(chosen.event)
    role = a["by_role"] or actor or ("toucher" if chosen.kind == "files" else "author")
    if role == actor:
        chosen.then("group_actor")
    elif role in ("author", "opener"):
        chosen.then({"issues": "group_opener", "discussed": "group_starter", "files": "group_toucher"}.get(chosen.items, "group_author"))
    else:
        chosen.then(f"group_{role}")
    if a["only_bots"] and (role == actor or not chosen.event):
        chosen.then("group_bots_only")
    elif a["bots"] is not True:
        chosen.then("group_bots_out")
    if a["exclude_own"] and role in ("commenter", "approver") and role != actor:
        chosen.then("group_not_own")


@tool(f"{FILTERS}, limit: int = 50, order: newest|oldest|key|largest|discussed = newest")
def list_items(ctx: Asking, **a: Any) -> Result:
    """The pull requests, issues, reviews, comments, commits, releases, files, tickets, deploys, alerts, incidents, docs, decisions or
    rules themselves, under the same filters as `measure`.
    Rows: key, name, label, repo, state as it was then, author, at (the time asked about) and total (how many there are in all,
    also those not shown); for reviews and comments person and what the review said instead of author, unless `once`. Ordered by
    time, by key, or the `largest` (by files changed: prs, commits) or most `discussed` (by comments: prs, issues) first, with n.
    For tickets and the like also assignee, about (the service), priority and type.
    """
    ctx = ctx.at(a["as_of"])
    if a["kind"] in operations.LABELS:
        kept = operations.select(ctx, a)
        operations.listed(kept, a)
        return ctx.fragments("list_items", kept.parts, kept.args)
    chosen = select(ctx, a)
    fits = {"largest": ("prs", "commits"), "discussed": ("prs", "issues", "discussed")}.get(a["order"])
    if fits and not (chosen.single and chosen.items in fits):
        raise ToolError(f"order={a['order']} does not fit {a['kind']}; it fits {' and '.join(fits[:2])}")
    chosen.then(f"list_{a['order']}" if chosen.single else f"list_events_{a['order']}", limit=a["limit"])
    return ctx.fragments("list_items", chosen.parts, chosen.args)


TOOLS = (measure, list_items)
