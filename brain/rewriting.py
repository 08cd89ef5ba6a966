"""The files of the database written anew, so that what was deleted is in none of them: until then the log of changes still holds it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

LONGEST_S = 120


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
