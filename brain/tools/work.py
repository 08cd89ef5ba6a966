"""Tools over the history of the work: who knows a place, how things came about, what a change meets."""

from __future__ import annotations

from typing import Any

from brain import schema
from brain.errors import ToolError
from brain.tools import naming
from brain.tools.asking import Asking, tool
from brain.types import Result

DAY = 86_400


@tool("target: str, half_life_days: float = 365, since: int?, until: int?, k: int = 10, bots: bool = false, repos: list[str] = []")
def who_knows(ctx: Asking, target: str, repos: list[str], since: int | None, until: int | None, **rest: Any) -> Result:
    """Who knows a repository, directory, file or concept: people by the changes they wrote and reviewed there, fading with
    time (each change counts half after every half-life before the instant asked about; a review counts half a change). Give a
    key, or a path as typed. Programs are left out unless `bots`; `inactive` people did nothing anywhere for a year. Rows: key,
    name, score, authored and reviewed (pull requests), commits, last_at, bot, inactive, people (how many in all); with each
    person's newest changes.
    """
    if rest["half_life_days"] <= 0:
        raise ToolError("half_life_days must be more than 0")
    window = {k: v for k, v in (("since", since), ("until", until)) if v is not None}
    if target.startswith("concept:"):
        return ctx.fragments("who_knows", ("changes_about", "who_changed"), {"concept": naming.entity(ctx, target), **window, **rest})
    where = naming.places(ctx, target, naming.repositories(ctx, repos))
    args = {"files": list(where.files), "under": list(where.under), "repos": list(where.repos), **window, **rest}
    base = "changes_in_repos" if where.repos else "changes_under" if where.under else "changes_of_files"
    return ctx.fragments("who_knows", (base, "who_changed"), args)


@tool("a: str, b: str, max_hops: int = 4, k: int = 3")
def connect(ctx: Asking, a: str, b: str, max_hops: int, k: int) -> Result:
    """How two entities hang together: the shortest ways between them over the work (who wrote, reviewed, merged, closed, shipped,
    changed what), at most four hops, never through a repository or another hub; what only the same words connect comes last. The
    newest ways first. Rows: path (keys from one end to the other), hops, rels.
    """
    if not 1 <= max_hops <= 4:
        raise ToolError(f"max_hops must be 1 to 4, not {max_hops}")
    a, b = naming.entity(ctx, a), naming.entity(ctx, b)
    work = [r.name for r in schema.RELS.values() if r.cls == "record" and not r.hub and r.name not in ("IN_DIR", "MENTIONS")]
    for rels in (work, [*work, "MENTIONS"]):
        for hops in range(1, max_hops + 1):
            result = ctx.run(f"connect_{hops}", a=a, b=b, rels=rels, k=k)
            if result.rows:
                return result
    return result


@tool("key: str")
def trace(ctx: Asking, key: str) -> Result:
    """How an issue, pull request, commit or release hangs together with the others: issue to the changes that close it to
    the release they first shipped in, and back. Rows, one a link: hop, src, rel, dst, how (where the link is known from), at,
    src_name, dst_name, src_state, dst_state.
    """
    key = naming.entity(ctx, key)
    name = {"Issue": "trace_issue", "PullRequest": "trace_pr", "Commit": "trace_commit", "Release": "trace_release"}.get(
        schema.label_of(key)
    )
    if name is None:
        raise ToolError(f"trace follows issues, pull requests, commits and releases, not {key!r}")
    return ctx.run(name, key=key)


@tool("path: str, repos: list[str] = [], days: int = 90, k: int = 50")
def impact(ctx: Asking, path: str, repos: list[str], days: int, k: int) -> Result:
    """What a change to a file or directory meets: the pull requests open on it at the instant asked about, those merged in the
    days before, and the files that usually change with it. Give a key or a path as typed; slashes at the end, case and earlier
    names do not matter. Rows: section (open, merged, co_changes), key, name, author, at, n (times changed together), files
    (which of them it touches), total (how many in that section).
    """
    where = naming.places(ctx, path, naming.repositories(ctx, repos))
    opening = "impact_opening_under" if where.under else "impact_opening_files"
    args = {"files": list(where.files), "under": list(where.under), "days": days, "k": k}
    return ctx.fragments("impact", (opening, "impact_of"), args)


@tool("target: str, since: int?, until: int?, k: int = 5")
def activity(ctx: Asking, target: str, since: int | None, until: int | None, k: int) -> Result:
    """What happened in a repository, directory or file, or what a person did, in a window (by default the 30 days before the
    instant asked about). Rows: what (prs_opened, prs_merged, prs_closed, issues_opened, issues_closed, reviews, comments,
    commits, releases, people), n, keys and names (the newest, or the most active people).
    """
    until = min(until if until is not None else ctx.as_of, ctx.as_of)
    since = until - 30 * DAY if since is None else since
    args: dict[str, Any] = {"since": since, "until": until, "k": k}
    if target.startswith(("person:", "@")):
        return ctx.run("activity_of_person", key=naming.persons(ctx, [target])[0], **args)
    where = naming.places(ctx, target, [])
    if where.repos:
        return ctx.run("activity_in_repos", repos=list(where.repos), **args)
    return ctx.run("activity_under", files=list(where.files), under=list(where.under), **args)


TOOLS = (who_knows, connect, trace, impact, activity)
