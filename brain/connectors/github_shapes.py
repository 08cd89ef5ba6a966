"""The dialects of GitHub data (REST, `gh --json`, archive) brought to one record shape.

A thing inside a record that is wrong (one comment of fifty) is left out alone and named in `lost`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from brain.connectors.github_fields import (
    Malformed,
    Raw,
    id_of,
    instant_of,
    list_of,
    login_of,
    map_of,
    name_of,
    number_of,
    one_of,
    repo_of,
    text_of,
    word_of,
)

_STATUS = {"added": "A", "modified": "M", "removed": "D", "deleted": "D", "renamed": "R", "copied": "A", "changed": "T"}


Made = TypeVar("Made")


def each(values: list[Any], make: Callable[[Raw], Made], lost: list[str]) -> list[Made]:
    """What `make` gives for each value; one that is malformed is named in `lost` and left out."""
    made = []
    for value in values:
        try:
            if not isinstance(value, Mapping):
                raise Malformed(f"is {type(value).__name__}, not an object")
            made.append(make(value))
        except Malformed as error:
            lost.append(f"{make.__name__.replace('_', ' ')}: {error}")
    return made


def item(raw: Raw, repo: str, pull: bool, lost: list[str]) -> dict[str, Any]:
    """The `issue` or `pull` record, its comments and reviews inside. Raises Malformed.

    A pull request from a list of issues gives a thin `pull`: what only the pulls tell is None.
    """
    listed = map_of(raw, "pull_request")
    if pull and listed.get("merged_at"):
        raw = {**raw, "merged_at": listed["merged_at"]}
    number = number_of(raw)
    created = instant_of(raw, "created_at", "createdAt")
    if created is None:
        raise Malformed("has no creation time (with gh, list createdAt in --json)")
    address = one_of(raw, "html_url", "url")
    spoken = ("comment_regular_data", "comments") if pull else ("comment_data", "comments")
    record = {
        "kind": "pull" if pull else "issue",
        "repo": repo,
        "number": number,
        "title": text_of(raw, "title"),
        "body": text_of(raw, "body"),
        "state": _state(raw, pull),
        "state_reason": text_of(raw, "state_reason", "stateReason").lower() or None,
        "author": login_of(one_of(raw, "user", "author")),
        "created_at": created,
        "closed_at": instant_of(raw, "closed_at", "closedAt"),
        "updated_at": instant_of(raw, "updated_at", "updatedAt"),
        "labels": [n for n in (name_of(label, "name") for label in list_of(raw, "labels")) if n],
        "assignees": [a for a in (login_of(person) for person in list_of(raw, "assignees")) if a],
        "milestone": name_of(raw.get("milestone"), "title"),
        "url": address if _is_page(address) else f"https://github.com/{repo}/{'pull' if pull else 'issues'}/{number}",
        "comments": each(list_of(raw, *spoken), comment, lost),
    }
    if pull:
        record |= _merging(raw) | _changes(raw, lost)
    elif "closedByPullRequestsReferences" in raw:
        record["closed_by"] = each(list_of(raw, "closedByPullRequestsReferences"), linked_item, lost)
    return record


def _is_page(address: Any) -> bool:
    return isinstance(address, str) and "/repos/" not in address


def _state(raw: Raw, pull: bool) -> str:
    state = text_of(raw, "state").lower()
    if pull and (state == "merged" or one_of(raw, "merged_at", "mergedAt")):
        return "merged"
    if state in ("open", "closed"):
        return state
    if not state and "closed" in raw:
        return "closed" if raw["closed"] else "open"
    raise Malformed(f"state is {state!r}; legal: open, closed, merged")


def _merging(raw: Raw) -> dict[str, Any]:
    merged = _state(raw, True) == "merged"
    commit = raw.get("mergeCommit")
    sha = word_of(commit, "oid") if isinstance(commit, Mapping) else word_of(raw, "merge_commit_sha")
    head, base = map_of(raw, "head"), map_of(raw, "base")
    return {
        "draft": bool(one_of(raw, "draft", "isDraft")),
        "merged_at": instant_of(raw, "merged_at", "mergedAt"),
        "merged_by": login_of(one_of(raw, "merged_by", "mergedBy")),
        # of a pull request that is not merged this is GitHub's test merge, which is not history
        "merge_sha": sha if merged else None,
        "head_sha": word_of(raw, "headRefOid") or word_of(head, "sha"),
        "base": word_of(raw, "baseRefName") or word_of(base, "ref"),
        "base_sha": word_of(raw, "baseRefOid") or word_of(base, "sha"),
        "head_repo": _head_repo(raw, head),
    }


def _changes(raw: Raw, lost: list[str]) -> dict[str, Any]:
    commits = one_of(raw, "commit_data", "commits")
    shas = [one_of(c, "oid", "sha") for c in commits if isinstance(c, Mapping)] if isinstance(commits, list) else None
    record: dict[str, Any] = {
        "reviews": each(list_of(raw, "reviews", "review_data"), review, lost),
        "files": each(list_of(raw, "files"), changed_file, lost) if isinstance(raw.get("files"), list) else None,
        "commits": None if shas is None else [sha for sha in shas if isinstance(sha, str)],
    }
    if "closingIssuesReferences" in raw:
        record["closes"] = each(list_of(raw, "closingIssuesReferences"), linked_item, lost)
    return record | {"inline": each(list_of(raw, "comment_data"), review_comment, lost)}


def _head_repo(raw: Raw, head: Raw) -> str | None:
    named = raw.get("headRepository")
    if isinstance(named, str):
        return named
    if isinstance(named, Mapping):
        owner = login_of(raw.get("headRepositoryOwner")) or ""
        return named.get("nameWithOwner") or (f"{owner}/{named['name']}" if owner and "name" in named else None)
    return repo_of(head["repo"]) if isinstance(head.get("repo"), Mapping) else None


def linked_item(raw: Raw) -> dict[str, Any]:
    """The issue or pull request that GitHub itself has linked; `repo` None is the record's own."""
    return {"repo": repo_of(raw), "number": number_of(raw)}


def comment(raw: Raw) -> dict[str, Any]:
    """A comment of a conversation; `id` is "" where the source has none."""
    return {
        "id": id_of(raw),
        "author": login_of(one_of(raw, "user", "author")),
        "at": instant_of(raw, "created_at", "createdAt"),
        "body": text_of(raw, "body"),
        "url": word_of(raw, "html_url", "url") or "",
    }


def review_comment(raw: Raw) -> dict[str, Any]:
    """A comment on a line of a change, with the id of its review where known."""
    line = one_of(raw, "line", "original_line", "position", "originalPosition")
    where = {
        "path": word_of(raw, "path"),
        "line": line if isinstance(line, int) else None,
        "review": str(raw.get("pull_request_review_id") or ""),
    }
    return comment(raw) | where


def review(raw: Raw) -> dict[str, Any]:
    """A review; its line comments, where they are inside, are by the reviewer."""
    commit = raw.get("commit")
    sha = one_of(commit, "oid", "abbreviatedOid") if isinstance(commit, Mapping) else raw.get("commit_id")
    author = login_of(one_of(raw, "user", "author"))
    lines = [review_comment(c) for c in list_of(raw, "comments")]
    return {
        "id": id_of(raw),
        "author": author,
        "state": text_of(raw, "state").upper() or "COMMENTED",
        "at": instant_of(raw, "submitted_at", "submittedAt", "createdAt"),
        "body": text_of(raw, "body"),
        "sha": sha if isinstance(sha, str) else None,
        "comments": [c | {"author": c["author"] or author} for c in lines],
    }


def changed_file(raw: Raw) -> list[Any]:
    """`[status, path, old path, added, deleted]`."""
    path = one_of(raw, "filename", "path")
    if not isinstance(path, str) or not path:
        raise Malformed("has no path")
    status = _STATUS.get(str(one_of(raw, "status", "changeType") or "modified").lower(), "M")
    counts = [n if isinstance(n, int) else None for n in (raw.get("additions"), raw.get("deletions"))]
    return [status, path, word_of(raw, "previous_filename"), *counts]
