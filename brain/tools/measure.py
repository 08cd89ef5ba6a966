"""Counting and listing, exact and general: `measure` counts what `list_items` lists under the same filters."""

from __future__ import annotations

from typing import Any

from brain.errors import ToolError
from brain.tools.asking import Asking, tool
from brain.tools.selection import FILTERS, Selection, select
from brain.types import Result

_GROUPS = "person|repository|directory|file|label|release|month|year|state"
_DEFAULT_ROLE = {"prs": "author", "issues": "opener", "commits": "author", "files": "toucher"}


@tool(
    f"{FILTERS}, by: {_GROUPS}?, by_role: author|opener|reviewer|approver|merger|commenter|assignee|closer?,"
    " depth: int = 1, top: int = 10, order: most|least|key = most"
)
def measure(ctx: Asking, **a: Any) -> Result:
    """How many, how many per group, and the top groups: pull requests, issues, reviews, approvals, change requests,
    comments, commits, releases or files, by person, repository, directory at a depth, file, label, release, month, year or
    state, under filters. Windows are [since, until) in epoch seconds. `once` counts each pull request or issue once instead of
    each review or comment; `closed` pull requests were closed without being merged, `ended` ones were merged or closed. Rankings
    of people leave programs out unless `bots` is true. Rows: key, name, n, total (the sum over all groups, also those not
    shown) and groups (how many there are); without `by` one row with n.
    """
    a = _people_defaults(a)
    ctx = ctx.at(a["as_of"])
    chosen = select(ctx, a)
    chosen.add("unit_item" if chosen.single else "unit_event")
    if a["by"] is None:
        chosen.add("count_all")
    else:
        _group(chosen, a)
    return ctx.fragments("measure", tuple(chosen.parts), chosen.args)


def _people_defaults(a: dict[str, Any]) -> dict[str, Any]:
    return {**a, "bots": False} if a["by"] == "person" and a["bots"] is None else a


def _group(chosen: Selection, a: dict[str, Any]) -> None:
    by, event = a["by"], chosen.event
    count = "count_values"
    if by == "person":
        _group_people(chosen, a)
        count = "count_nodes"
    elif by in ("repository", "file", "release"):
        if chosen.kind == "files" and by == "file":
            raise ToolError("files by file is one each; list_items lists them")
        chosen.add(f"group_{by}")
        count = "count_nodes"
    elif by == "directory":
        chosen.add("group_own_directory" if chosen.kind == "files" else "group_directory", depth=max(a["depth"], 0))
        count = "count_directories"
    elif by == "state":
        chosen.add("group_review_state" if event == "reviews" else "group_state")
    else:
        chosen.add(f"group_{by}")
    _refuse(chosen.kind, by)
    chosen.add(count, f"rank_{a['order']}", top=a["top"])


def _refuse(kind: str, by: str) -> None:
    legal = {
        "label": ("prs", "issues", "reviews", "approvals", "change_requests", "comments"),
        "state": ("prs", "issues", "reviews", "approvals", "change_requests", "comments"),
        "release": ("prs", "commits", "reviews", "approvals", "change_requests"),
        "file": ("prs", "commits", "reviews", "approvals", "change_requests"),
        "directory": ("prs", "commits", "reviews", "approvals", "change_requests", "files"),
        "person": ("prs", "issues", "reviews", "approvals", "change_requests", "comments", "commits", "files"),
    }
    if by in legal and kind not in legal[by]:
        raise ToolError(f"{kind} have no {by} to count by; legal for {by}: {', '.join(legal[by])}")


def _group_people(chosen: Selection, a: dict[str, Any]) -> None:
    """By the person in a role: of an event who did it, unless another role of the item is asked for."""
    role = a["by_role"] or ("actor" if chosen.event else _DEFAULT_ROLE.get(chosen.kind, "author"))
    actor = {"reviews": ("actor", "reviewer"), "comments": ("actor", "commenter")}.get(chosen.event, ())
    if role in actor:
        chosen.add("group_actor")
    else:
        chosen.add("group_author" if role == "opener" else "group_toucher" if chosen.kind == "files" else f"group_{role}")
        if a["bots"] is False:
            chosen.add("group_bots_out")
        if role in ("reviewer", "commenter", "approver") and (a["exclude_own"] or role == "reviewer"):
            chosen.add("group_not_own")


@tool(f"{FILTERS}, limit: int = 50, order: newest|oldest|key = newest")
def list_items(ctx: Asking, **a: Any) -> Result:
    """The pull requests, issues, reviews, comments, commits, releases or files themselves, under the same filters as `measure`.
    Rows: key, name, label, repo, state as it was then, author, at (the time asked about) and total (how many there are in all,
    also those not shown); for reviews and comments person and what the review said instead of author, unless `once`.
    """
    ctx = ctx.at(a["as_of"])
    chosen = select(ctx, a)
    chosen.add(f"list_{a['order']}" if chosen.single else f"list_events_{a['order']}", limit=a["limit"])
    return ctx.fragments("list_items", tuple(chosen.parts), chosen.args)


TOOLS = (measure, list_items)
