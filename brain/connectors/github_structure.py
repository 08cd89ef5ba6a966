"""Repositories, labels, releases, people and commits of GitHub's dialects, brought to one record shape."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from brain.connectors.github_fields import (
    Malformed,
    Raw,
    instant_of,
    list_of,
    login_of,
    map_of,
    name_of,
    one_of,
    text_of,
    word_of,
)
from brain.connectors.github_shapes import changed_file, each

_NOREPLY = re.compile(r"(?:\d+\+)?([^@+]+)@users\.noreply\.github\.com$", re.IGNORECASE)


def release(raw: Raw, repo: str) -> dict[str, Any]:
    """The `release` record; its instant is the publication, or the creation of a draft."""
    tag = text_of(raw, "tag_name", "tagName")
    if not tag:
        raise Malformed("has no tag name")
    return {
        "kind": "release",
        "repo": repo,
        "tag": tag,
        "name": text_of(raw, "name"),
        "at": instant_of(raw, "published_at", "publishedAt") or instant_of(raw, "created_at", "createdAt"),
        "body": text_of(raw, "body"),
        "prerelease": bool(one_of(raw, "prerelease", "isPrerelease") or False),
        "draft": bool(one_of(raw, "draft", "isDraft") or False),
        "author": login_of(raw.get("author")),
        "url": word_of(raw, "html_url", "url") or f"https://github.com/{repo}/releases/tag/{tag}",
    }


def repository(raw: Raw, repo: str) -> dict[str, Any]:
    """The `repo` record."""
    branch = one_of(raw, "default_branch", "defaultBranchRef")
    topics = list_of(raw, "topics", "repositoryTopics")
    visibility = str(raw.get("visibility") or "").lower()
    return {
        "kind": "repo",
        "repo": repo,
        "description": text_of(raw, "description"),
        "topics": [t for t in (name_of(topic, "name") for topic in topics) if t],
        "default_branch": name_of(branch, "name"),
        "archived": bool(one_of(raw, "archived", "isArchived") or False),
        "private": bool(one_of(raw, "private", "isPrivate") or visibility in ("private", "internal")),
        "fork": bool(one_of(raw, "fork", "isFork") or False),
    }


def label(raw: Raw, repo: str) -> dict[str, Any]:
    """The `label` record."""
    if not text_of(raw, "name"):
        raise Malformed("has no name")
    return {"kind": "label", "repo": repo, "name": text_of(raw, "name"), "description": text_of(raw, "description")}


def person(raw: Raw) -> dict[str, Any] | None:
    """The `person` record; None for a deleted user."""
    login = login_of(raw)
    if login is None:
        return None
    return {
        "kind": "person",
        "login": login,
        "name": text_of(raw, "name"),
        "bot": raw.get("type") == "Bot" or bool(raw.get("is_bot")),
        "avatar": avatar(login),
        "company": text_of(raw, "company"),
    }


def avatar(login: str) -> str:
    """The address of a login's picture."""
    return f"https://github.com/{login.removesuffix('[bot]')}.png"


def commit(raw: Raw, repo: str) -> dict[str, Any]:
    """The `commit` record, from REST or from the commits of `gh pr view`."""
    sha = one_of(raw, "sha", "oid")
    if not isinstance(sha, str) or not sha:
        raise Malformed("has no sha")
    inner = map_of(raw, "commit")
    committer = map_of(inner, "committer")
    message = text_of(inner, "message") or "\n\n".join(t for t in (text_of(raw, "messageHeadline"), text_of(raw, "messageBody")) if t)
    at = instant_of(committer, "date") or instant_of(raw, "committedDate")
    if at is None:
        raise Malformed("has no time")
    return {
        "kind": "commit",
        "repo": repo,
        "sha": sha,
        "parents": [p["sha"] for p in list_of(raw, "parents") if isinstance(p, Mapping) and isinstance(p.get("sha"), str)],
        "at": at,
        "authored_at": instant_of(map_of(inner, "author"), "date") or instant_of(raw, "authoredDate") or at,
        "author": _commit_author(raw, inner),
        "message": message,
        "files": each(list_of(raw, "files"), changed_file, []) if isinstance(raw.get("files"), list) else None,
    }


def _commit_author(raw: Raw, inner: Raw) -> dict[str, Any]:
    authors = list_of(raw, "authors")
    named: Raw = authors[0] if authors and isinstance(authors[0], Mapping) else map_of(inner, "author")
    login = login_of(raw.get("author")) or login_of(named)
    noreply = _NOREPLY.match(str(named.get("email") or ""))
    return {"name": text_of(named, "name"), "email": None, "login": login or (noreply[1] if noreply else None)}


def people(raw: Raw) -> Iterator[dict[str, Any]]:
    """The users inside a record that say more than a login: bots, and names that `gh` gives."""
    for field in ("user", "author", "merged_by", "mergedBy"):
        user = raw.get(field)
        if isinstance(user, Mapping) and (user.get("type") == "Bot" or user.get("is_bot") or user.get("name")):
            found = person(user)
            if found is not None:
                yield found


def commits_of(raw: Raw) -> list[Raw]:
    """The commits that stand in full inside a pull request."""
    commits = one_of(raw, "commit_data", "commits")
    return [c for c in commits if isinstance(c, Mapping)] if isinstance(commits, list) else []
