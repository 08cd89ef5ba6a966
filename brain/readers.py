"""The user of the database who may do nothing but read one graph: its name, its password, and what a server is told of it."""

from __future__ import annotations

import hashlib
import hmac


def name(graph: str) -> str:
    """The user that reads that graph."""
    return f"reader:{graph}"


def password(graph: str, secret: str) -> str:
    """Its password, the same for everybody who knows the administrator's `secret`, and telling nothing of it."""
    return hmac.new(f"reader {secret}".encode(), graph.encode(), hashlib.sha256).hexdigest()


def rules(graph: str, password: str) -> tuple[str, ...]:
    """What the user may: GRAPH.RO_QUERY on exactly this key, and INFO, which clients ask for when they connect. Nothing that
    an earlier user of that name could stays.
    """
    return ("reset", "on", f">{password}", "resetkeys", f"~{_exactly(graph)}", "resetchannels", "-@all", "+graph.ro_query", "+info")


def _exactly(graph: str) -> str:
    """The key as a pattern that fits no other key."""
    return "".join(f"\\{char}" if char in "*?[]\\" else char for char in graph)
