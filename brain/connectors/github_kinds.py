"""What a GitHub record is, told by its fields and never by the name of its file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from brain.connectors.github_fields import Raw

_PULL_KEYS = frozenset(
    (
        *("head", "base", "merged_at", "merge_commit_sha", "review_data", "comment_regular_data", "commit_data"),
        *("mergedAt", "mergedBy", "mergeCommit", "headRefName", "headRefOid", "baseRefName", "baseRefOid"),
        *("headRepository", "isDraft", "isCrossRepository", "reviews", "latestReviews", "reviewDecision"),
        *("closingIssuesReferences", "additions", "deletions", "changedFiles", "files", "mergeable"),
        *("mergeStateStatus", "potentialMergeCommit", "statusCheckRollup", "maintainerCanModify", "reviewRequests"),
        "autoMergeRequest",
    )
)
_ISSUE_KEYS = frozenset(("repository_url", "state_reason", "stateReason", "closedByPullRequestsReferences", "isPinned", "event_data"))


def kind_of(raw: Any) -> str | None:
    """What a record is, by its fields: issue, pull, comment, review, review_comment, release, commit,
    repo, label, person, "other:..." for things GitHub has and we do not store, None for not GitHub's.
    """
    if not isinstance(raw, Mapping):
        return None
    return next((kind for kind, test in _TESTS if test(raw)), None)


def _has(*names: str) -> Callable[[Raw], bool]:
    return lambda raw: all(name in raw for name in names)


def _is_pull(raw: Raw) -> bool:
    if "pull_request" in raw or not _is_item(raw):
        return False
    return bool(_PULL_KEYS & raw.keys()) or raw.get("state") == "MERGED" or "/pull/" in str(raw.get("url"))


def _is_issue(raw: Raw) -> bool:
    if not _is_item(raw):
        return False
    address = f"{raw.get('url')} {raw.get('html_url')}"
    return "pull_request" in raw or bool(_ISSUE_KEYS & raw.keys()) or "/issues/" in address


def _is_item(raw: Raw) -> bool:
    return "title" in raw and ("number" in raw or "state" in raw)


_TESTS: tuple[tuple[str, Callable[[Raw], bool]], ...] = (
    ("repo", lambda r: "nameWithOwner" in r or ("full_name" in r and "owner" in r)),
    ("release", lambda r: "tag_name" in r or "tagName" in r),
    ("commit", lambda r: "sha" in r and isinstance(r.get("commit"), Mapping)),
    ("commit", _has("oid", "messageHeadline")),
    ("review_comment", lambda r: "diff_hunk" in r or "pull_request_review_id" in r),
    ("review", lambda r: "pull_request_url" in r and "state" in r),
    ("other:event", lambda r: "event" in r and "title" not in r),
    ("comment", lambda r: "issue_url" in r and "body" in r and "title" not in r),
    ("other:milestone", _has("open_issues", "closed_issues", "title")),
    ("other:discussion", _has("title", "category", "number")),
    ("pull", _is_pull),
    ("issue", _is_issue),
    ("other:issue or pull request (add url to --json to tell which)", _is_item),
    ("label", _has("name", "color")),
    ("other:hook", _has("events", "config")),
    ("other:changed file", _has("filename", "status")),
    ("person", lambda r: "login" in r and bool(r.keys() & {"type", "avatar_url", "name"})),
)
