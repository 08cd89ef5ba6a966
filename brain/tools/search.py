"""Search by words, as a tool: the words are analysed here, as the stored texts were."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from brain.errors import ToolError
from brain.permissions import FOREVER
from brain.store import Store, graph_name
from brain.text.analysis import query_terms
from brain.tools import naming
from brain.tools.asking import Asking, tool
from brain.types import Result

_COUNTED: WeakKeyDictionary[Store, dict[tuple[Any, ...], dict[int, int]]] = WeakKeyDictionary()
_ENOUGH = 200
_LOCK = Lock()


def passages(ctx: Asking) -> int:
    """How many passages the viewer may read at the instant asked about. Counted once for each state of the graph and each kind
    of viewer: from an instant on at which they are those of all times, the number stays. 0 when the graph tells no state.
    """
    graph = graph_name(ctx.workspace)
    key = (graph, ctx.store.version(graph), ctx.viewer.clearance, ctx.viewer.groups)
    if not key[1]:
        return 0
    with _LOCK:
        counted = dict(_COUNTED.setdefault(ctx.store, {}).get(key, {}))
    steady = counted.pop(FOREVER, FOREVER)
    if ctx.as_of >= steady:
        return counted[steady]
    if ctx.as_of not in counted:
        now, ever = ctx.run("passages_total").rows[0], replace(ctx, as_of=FOREVER - 1).run("passages_total").rows[0]
        found = {ctx.as_of: int(now["n"]), **({FOREVER: ctx.as_of} if now == ever else {})}
        with _LOCK:
            kinds = _COUNTED[ctx.store]
            if len(kinds) > _ENOUGH or len(counted) > _ENOUGH:
                kinds.clear()
            kinds.setdefault(key, {}).update(found)
        return found[ctx.as_of]
    return counted[ctx.as_of]


@tool("text: str, k: int = 10, labels: list[str] = [], repos: list[str] = [], since: int = 0, until: int?")
def search_text(ctx: Asking, text: str, k: int, labels: list[str], repos: list[str], since: int, until: int | None) -> Result:
    """Passages of issues, pull requests, comments, commits and releases whose words match, best first; any of the words is
    enough. Rows: chunk, score, src (the key of what the passage belongs to), src_label, title, text, line, line_end, at, author,
    repo, url, part.
    """
    terms = query_terms(text)
    if not terms:
        raise ToolError("'text' needs at least one word that says what it is about")
    args = {"k": k, "labels": labels, "repos": naming.repositories(ctx, repos), "since": since, "until": until}
    return ctx.run("search_text", terms=terms, passages=passages(ctx), **args)


TOOLS = (search_text,)
