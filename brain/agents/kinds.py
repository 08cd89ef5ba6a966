"""What a question about many things counts or lists, per what, and whose part in it is meant."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from brain.agents.understand import Understanding

MEASURED = ("prs", "issues", "reviews", "approvals", "change_requests", "comments", "commits", "releases", "files")
GROUPS = {
    "people": "person",
    "repositories": "repository",
    "directories": "directory",
    "labels": "label",
    "months": "month",
    "years": "year",
    "files": "file",
}
_LEVELS = {"top": 1, "first": 1, "second": 2, "two": 2, "third": 3, "three": 3}
_KIND_OF_VERB = {"approve": "approvals", "changes_requested": "change_requests", "review": "reviews", "comment": "comments"}
_DOER = {"reviews": "reviewer", "approvals": "reviewer", "change_requests": "reviewer", "comments": "commenter"}


def event_kind(u: Understanding) -> str:
    """What is counted, from the noun asked for or, where that names a group, from the verbs."""
    nouns = [kind for kind in u.nouns if kind in MEASURED]
    if u.kind in MEASURED and u.kind not in GROUPS:
        return _by_verb(u, u.kind)
    by_noun = next((kind for kind in nouns if kind not in GROUPS), "")
    if by_noun:
        return _by_verb(u, by_noun)
    if u.kind == "files" and u.want == "count" and not nouns[1:] and not u.most:
        return "files"
    by_verb = next((kind for aspect, kind in _KIND_OF_VERB.items() if u.has(aspect)), "")
    return by_verb or ("commits" if u.says("commits_meant") else "prs")


def _by_verb(u: Understanding, kind: str) -> str:
    """Reviews that are approvals or change requests are counted as such."""
    if kind == "reviews" and u.has("approve") and "without_approval" not in u.flags:
        return "approvals"
    asked_of_people = kind == "prs" and u.want == "people" and not u.state
    return "change_requests" if (kind == "reviews" or asked_of_people) and u.has("changes_requested") else kind


def group_of(u: Understanding) -> tuple[str, int]:
    """The grouping asked for, and the depth of directories."""
    if u.group:
        return u.group, 1
    counted = u.kind if u.want == "count" and u.kind != "files" else ""
    by = GROUPS.get(u.want) or GROUPS.get(counted, "")
    depth = re.search(r"(\w+)[- ]level", u.masked, re.I)
    return by, _LEVELS.get(depth[1].lower(), 1) if depth else 1


def acting_role(u: Understanding, kind: str) -> str:
    """Whose part in a pull request or issue the groups are, when people are asked for."""
    if kind == "issues":
        return "closer" if u.has("close") and not u.has("author") else "opener"
    if kind != "prs":
        return _DOER.get(kind, "author")
    if u.has("approve") and "without_approval" not in u.flags:
        return "approver"
    if u.has("review"):
        return "reviewer"
    if u.has("merge") and u.says("the_mergers"):
        return "merger"
    return "commenter" if u.has("comment") else "author"


def of_others(u: Understanding, args: dict[str, Any]) -> dict[str, Any]:
    """When people are asked for, a named person is the other side: whose work, not whose doing."""
    if not args.get("persons") or args.get("role") != "author" or u.want != "people":
        return args
    rest = {name: value for name, value in args.items() if name not in ("persons", "role")}
    return {**rest, "authors": [*args.get("authors", []), *args["persons"]]}


def narrowed(u: Understanding, **changes: Any) -> Understanding:
    """The same question with some roles read differently."""
    return replace(u, **changes)
