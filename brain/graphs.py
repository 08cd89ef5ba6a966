"""What the graphs of a workspace are called in the database."""

from __future__ import annotations

LEDGER = "brain::budget"  # of all workspaces together; none is called so, for none has an empty name


def graph_name(workspace: str, part: str = "") -> str:
    """The key of a workspace's graph, or of a graph beside it ("runs", "next", "mem:<viewer>")."""
    return f"brain:{workspace}:{part}" if part else f"brain:{workspace}"


def version_key(graph: str) -> str:
    """The key under which the version of a graph is kept."""
    return f"{graph}:version"
