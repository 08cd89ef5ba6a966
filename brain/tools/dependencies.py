"""What needs what: everything reached over dependencies, level by level, and what changed there lately."""

from __future__ import annotations

from typing import Any

from brain import schema
from brain.errors import ToolError
from brain.tools.asking import Asking, tool
from brain.tools.things import thing
from brain.types import Result

MAX_HOPS = 5
DAY = 86_400
_RUNS = ("Service", "Module", "Api", "Resource", "System", "Repo", "Project", "Domain")
_EVENTS = ("Alert", "Incident", "Ticket", "Deploy")
_WAYS = {"dependents": "needed_by", "dependencies": "needs", "both": "needs_both"}


@tool("target: str, direction: dependents|dependencies|both = dependents, max_hops: int = 3, k: int = 100")
def blast_radius(ctx: Asking, target: str, direction: str, max_hops: int, k: int) -> Result:
    """What breaks when something breaks: everything that depends on a service, interface, resource or system, directly or through
    others up to `max_hops` (1 to 5), or what it depends on itself, or both; each once, by the shortest way. Of an alert, incident,
    ticket or deployment the service it is about. Whoever uses an interface depends on the service that provides it. Rows: key, name,
    label, hops, direction, path (keys from the target on), rels, tier, owner, owner_name.
    """
    args = {"starts": _starts(ctx, target), "within": _hops(max_hops), "k": k}
    return ctx.fragments("blast_radius", (_WAYS[direction], "blast_radius_of"), args, _steps(ctx, max_hops))


@tool("target: str, max_hops: int = 3")
def frontier(ctx: Asking, target: str, max_hops: int) -> Result:
    """What a service, or the service an alert fired on, depends on, breadth first: one row for everything at the same distance, the
    nearest first. Rows: hops, keys, names.
    """
    args = {"starts": _starts(ctx, target), "within": _hops(max_hops)}
    return ctx.fragments("frontier", ("needs", "levels"), args, _steps(ctx, max_hops))


@tool("target: str, hops: int = 1, since: int?, until: int?, k: int = 50")
def recent_changes(ctx: Asking, target: str, hops: int, since: int | None, until: int | None, k: int) -> Result:
    """What changed on a service or on what it depends on (up to `hops` away; 0 for the service alone) in [since, until), by default
    the seven days before the instant asked about: deployments, changes of feature flags, pull requests merged into its code, and
    tickets that change it, the newest first. Rows: what (deploy, flag, pr or ticket), key, name, at, on (the service), hops, author,
    status.
    """
    if not 0 <= hops <= MAX_HOPS:
        raise ToolError(f"hops must be 0 to {MAX_HOPS}, not {hops}")
    until = ctx.as_of + 1 if until is None else until
    since = until - 7 * DAY if since is None else since
    args: dict[str, Any] = {"starts": _starts(ctx, target), "since": since, "until": until, "within": hops, "k": k}
    return ctx.fragments("recent_changes", ("needs", "recent_changes_of"), args, _steps(ctx, max(hops, 1)))


def _starts(ctx: Asking, target: str) -> list[str]:
    """The services and the like that a target means, for dependencies to start from."""
    key = thing(ctx, target, (*_RUNS, *_EVENTS))
    if schema.label_of(key) not in (*_RUNS, *_EVENTS):
        raise ToolError(f"{key!r} depends on nothing and nothing on it; give a service, interface, resource, system, alert or incident")
    return [str(r["key"]) for r in ctx.run("starts_of", key=key).rows] or [key]


def _hops(max_hops: int) -> int:
    if not 1 <= max_hops <= MAX_HOPS:
        raise ToolError(f"max_hops must be 1 to {MAX_HOPS}, not {max_hops}")
    return max_hops


def _steps(ctx: Asking, hops: int) -> int:
    """How many relationships to follow for so many hops: one more where an interface may lie on the way."""
    return hops + bool(ctx.run("an_interface").rows)


TOOLS = (blast_radius, frontier, recent_changes)
