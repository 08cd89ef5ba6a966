"""Whether, and how, two things hang together over the work: found from both ends, in bounded time. What
nearly everything hangs on proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from brain import schema
from brain.tools.asking import Asking

_SKIP = sorted(r.name for r in schema.RELS.values() if r.hub or r.cls == "access")
_MOST = 10


def between(ctx: Asking, starts: Iterable[str], end: str) -> tuple[str, ...]:
    """The keys of a way of at most four steps from one of the starts to the end, both included; every step is
    a relationship the viewer may see, none is a hub. Empty when there is none, or none that is found without
    walking through what hundreds of others hang on.
    """
    first = list(dict.fromkeys(starts))[:_MOST]
    if not first or end in first:
        return (end,) if end in first else ()
    return _short(ctx, first, end) or _long(ctx, first, end)


def _short(ctx: Asking, starts: list[str], end: str) -> tuple[str, ...]:
    """A way of one or two steps."""
    for query in ("path_direct", "path_over_one"):
        rows = ctx.run(query, starts=starts, end=end, skip=_SKIP).rows
        if rows:
            return tuple(rows[0]["path"])
    return ()


def _long(ctx: Asking, starts: list[str], end: str) -> tuple[str, ...]:
    """A way of three or four steps, put together at its middle."""
    for row in ctx.run("path_middle", starts=starts, end=end, skip=_SKIP).rows:
        head, tail = _short(ctx, starts, row["key"]), _short(ctx, [row["key"]], end)
        if head and tail and len({*head, *tail}) == len(head) + len(tail) - 1:
            return head + tail[1:]
    return ()
