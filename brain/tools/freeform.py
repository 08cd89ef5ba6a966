"""Cypher that somebody writes, as a tool: for administrators, guarded, and run on a copy where it can harm nobody."""

from __future__ import annotations

from threading import Lock
from weakref import WeakKeyDictionary

import orjson

from brain.errors import ToolError
from brain.sandbox.guard import check
from brain.sandbox.process import Sandbox
from brain.store import Store
from brain.tools.asking import Asking, tool
from brain.types import Result, Viewer

EVERYTHING = frozenset({"open", "internal", "restricted"})
REFUSED = (
    "free-form Cypher is for administrators who may see the whole graph; the other tools answer within what you may see, "
    "such as find_entities, expand, list_items and measure"
)
_MOST = 3
_RUNNING: WeakKeyDictionary[Store, dict[str, Sandbox]] = WeakKeyDictionary()
_LOCK = Lock()


def allowed(viewer: Viewer) -> bool:
    """May this viewer write queries? The rule of access is in the queries of the catalogue, and none is in theirs."""
    return viewer.admin and viewer.clearance >= EVERYTHING


def sandbox(store: Store, workspace: str) -> Sandbox:
    """The sandbox of a workspace in this process; of more than three workspaces, the one longest unused is closed."""
    with _LOCK:
        mine = _RUNNING.setdefault(store, {})
        found = mine.pop(workspace) if workspace in mine else Sandbox(workspace)
        mine[workspace] = found
        closing = [mine.pop(name) for name in list(mine)[:-_MOST]]
    for old in closing:
        old.close()
    return found


def _values(params: str) -> dict[str, object]:
    try:
        found = orjson.loads(params)
    except orjson.JSONDecodeError as error:
        raise ToolError(f"'params' is no JSON object such as {{\"key\": \"team:x\"}}: {error}") from None
    if not isinstance(found, dict):
        raise ToolError("'params' must be a JSON object such as {\"key\": \"team:x\"}")
    return found


@tool('query: str, params: str = "{}"')
def cypher_readonly(ctx: Asking, query: str, params: str) -> Result:
    """Rows of a Cypher query of your own, for administrators alone and as a last resort: it reads, within 5 seconds and 200 rows, a copy of
    the graph as it is now, without its vectors, past the rule of access and of time. params is a JSON object of the query's parameters.
    A query that could write, load files or run away is refused with what to write instead.
    """
    if not allowed(ctx.viewer):
        raise ToolError(REFUSED)
    given = _values(params)
    text = check(query, given)
    used = {name: value for name, value in given.items() if f"${name}" in text}
    return sandbox(ctx.store, ctx.workspace).run(ctx.store, text, used)


TOOLS = (cypher_readonly,)
