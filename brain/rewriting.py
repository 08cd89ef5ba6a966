"""The files of the database written anew, so that what was deleted is in none of them, until when the log of changes still holds it; and
what else makes that needed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

LONGEST_S = 120
_NAMES = tuple(f"CALL db.{kind}() YIELD {one} RETURN count({one})" for kind, one in (
    ("propertyKeys", "propertyKey"), ("labels", "label"), ("relationshipTypes", "relationshipType"),
))  # fmt: skip


def anew(connection: Any, graphs: Sequence[str] = ()) -> bool:
    """Writes the log of changes anew and waits for it, and drops what the server noted of queries on these graphs, and of slow
    commands. False when the server keeps no such log, or did not finish.
    """
    try:
        if not connection.info("persistence").get("aof_enabled"):
            return False
        _settled(connection)
        connection.bgrewriteaof()
        return _settled(connection)
    finally:
        for graph in graphs:
            connection.delete(f"telemetry{{{graph}}}")
            if connection.exists(graph):
                connection.execute_command("GRAPH.SLOWLOG", graph, "RESET")
        connection.slowlog_reset()


def _settled(connection: Any) -> bool:
    """Returns when no rewriting is under way; whether the last one went well."""
    deadline = time.monotonic() + LONGEST_S
    while time.monotonic() < deadline:
        state = connection.info("persistence")
        if not state["aof_rewrite_in_progress"] and not state["aof_rewrite_scheduled"]:
            return bool(state["aof_last_bgrewrite_status"] == "ok")
        time.sleep(0.02)
    return False


def counting(graph: str) -> list[tuple[str, ...]]:
    """The commands that count what a graph knows by name; see `named`."""
    return [("GRAPH.RO_QUERY", graph, query) for query in _NAMES]


def named(counts: Sequence[Any]) -> int:
    """How many properties, labels and relationships a graph knows by name; none where there is no graph.

    A write that names a new one and changes nothing, such as a CREATE of no rows or one that fails, makes the name known and leaves
    it out of the log of changes, where names are numbers: after a restart each name that came later would stand for another's values,
    or the server would not start. So the log is written anew after it, with the names as they are.
    """
    return sum(int(reply[1][0][0]) for reply in counts if not isinstance(reply, Exception))
