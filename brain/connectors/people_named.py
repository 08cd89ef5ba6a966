"""Everybody whom a raw record of git or GitHub names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from brain.connectors.identities import Ident


def people_in(record: Mapping[str, Any]) -> Iterator[tuple[Ident | str | None, int | None]]:
    """Everybody that a raw record names, and when they acted; None where they did nothing."""
    kind, at = record["kind"], record.get("at")
    if kind == "commit":
        yield record.get("author"), record.get("authored_at", at)
        yield record.get("committer"), None
        for who in (*(record.get("co_authors") or ()), *(record.get("reviewers") or ())):
            yield who, at
    elif kind == "pull_ref":
        yield record.get("author"), None
    elif kind == "person":
        yield record.get("login"), None
    elif kind in ("issue", "pull", "remarks"):
        yield record.get("author"), record.get("created_at")
        yield record.get("merged_by"), record.get("merged_at")
        for part in (*(record.get("comments") or ()), *(record.get("reviews") or ())):
            yield part.get("author"), None if part.get("state") == "PENDING" else part.get("at") or record.get("created_at")
            for inline in part.get("comments") or ():
                yield inline.get("author"), inline.get("at")
        for login in record.get("assignees") or ():
            yield login, None
    elif kind == "release" and not record.get("draft"):
        yield record.get("author"), at
