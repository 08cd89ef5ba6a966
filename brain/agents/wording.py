"""How facts are put into words: short sentences, keys as people write them, dates as dates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from brain.schema import LABEL_OF_PREFIX
from brain.types import Node

NOUN = {
    "prs": ("pull request", "pull requests"),
    "issues": ("issue", "issues"),
    "reviews": ("review", "reviews"),
    "approvals": ("approval", "approvals"),
    "change_requests": ("change request", "change requests"),
    "comments": ("comment", "comments"),
    "commits": ("commit", "commits"),
    "releases": ("release", "releases"),
    "files": ("file", "files"),
}

VERB = {
    "AUTHORED": "wrote",
    "OPENED": "opened",
    "REVIEWED": "reviewed",
    "MERGED": "merged",
    "COMMENTED_ON": "commented on",
    "ASSIGNED_TO": "is assigned to",
    "TOUCHED": "changes",
    "CLOSES": "closes",
    "REFERENCES": "refers to",
    "SHIPPED_IN": "first shipped in",
    "INCLUDES": "consists of",
    "MENTIONS": "names",
}


def day(at: int | None) -> str:
    """An instant as its UTC date; a dash when there is none."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d") if at else "-"


def minute(at: int | None) -> str:
    """An instant as its UTC date and minute; a dash when there is none."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M") if at else "-"


def is_key(text: str) -> bool:
    """Is it the key of something stored, rather than a label or a path that only has a colon in it?"""
    prefix, _, rest = text.partition(":")
    return bool(rest) and not rest[0].isspace() and prefix in LABEL_OF_PREFIX


def plural(kind: str) -> str:
    """A kind of thing as people call many of them."""
    return NOUN.get(kind, ("", kind.replace("_", " ")))[1]


def short(key: str) -> str:
    """A key as people write it: `org/name#12`, `v1.2 of org/name`, a path, a login."""
    prefix, _, rest = key.partition(":")
    if not is_key(key):
        return key
    if prefix == "release":
        repo, _, tag = rest.partition("@")
        return f"{tag} of {repo}"
    if prefix == "commit":
        repo, _, sha = rest.partition("@")
        return f"{repo}@{sha[:8]}"
    if prefix in ("file", "dir"):
        parts = rest.split("/", 2)
        return parts[2] if len(parts) > 2 else rest
    return rest


def titled(key: str, name: str) -> str:
    """A key with its title where it has one of its own."""
    if key.startswith(("pr:", "issue:")) and name:
        return f"{short(key)} “{name}”"
    if key.startswith("commit:") and name:
        return f"{short(key)} “{name}”"
    if key.startswith(("person:", "concept:")) and name:
        login = key.partition(":")[2]
        return name if name.lower() == login else f"{name} ({login})" if key.startswith("person:") else name
    return short(key)


def count(n: int, kind: str) -> str:
    """A number with its noun."""
    one, many = NOUN.get(kind, (kind.rstrip("s"), kind))
    return f"{n} {one if n == 1 else many}"


def listing(parts: Iterable[str], limit: int = 12) -> str:
    """Things joined by commas and `and`; what is too much is counted."""
    parts = list(parts)
    if len(parts) > limit:
        return f"{', '.join(parts[:limit])} and more"
    return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1] if parts else "none"


def as_at(node: Node, at: int) -> Node:
    """A pull request or issue as it stood at an instant: what was merged or closed later was open."""
    later = {name for name in ("merged_at", "closed_at") if (node.props.get(name) or 0) > at}
    if not later:
        return node
    later |= {"merged_by", "merge_sha", "state_reason"}
    return replace(node, props={**{name: value for name, value in node.props.items() if name not in later}, "state": "open"})


def state_of(node: Node) -> str:
    """How a pull request or issue stands, with the date it came to that."""
    p: Mapping[str, Any] = node.props
    state = str(p.get("state") or "unknown")
    at = {"merged": p.get("merged_at"), "closed": p.get("closed_at")}.get(state) or p.get("created_at")
    verb = {"merged": "merged", "closed": "closed", "open": "open since"}.get(state, state)
    return f"{verb} {day(at)}" if at else verb
