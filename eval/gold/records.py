"""What the raw files say, one frozen record a thing. Times are epoch seconds UTC, logins as spelled."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

BOT_NAMES = frozenset({
    "dependabot", "renovate", "github-actions", "copilot", "copilot-pull-request-reviewer", "codecov",
    "codecov-io", "coveralls", "greenkeeper", "mergify", "claude", "codex", "web-flow",
})
_BOT_SHAPE = re.compile(r"(\[bot\]|[-_]bot)$", re.IGNORECASE)


class GoldError(Exception):
    """A raw file cannot be read as what it seems to be; the message names the file."""


def epoch(stamp: str | None) -> int | None:
    """Epoch seconds of an ISO 8601 stamp; a stamp without a zone is UTC."""
    if not stamp:
        return None
    moment = datetime.fromisoformat(stamp.replace("Z", "+00:00"))
    return int(moment.timestamp()) if moment.tzinfo else int(datetime.fromisoformat(stamp + "+00:00").timestamp())


def is_bot(login: str | None) -> bool:
    """Whether a login is a program's: `[bot]` or `-bot` at the end, or a known program."""
    return bool(login) and (bool(_BOT_SHAPE.search(login or "")) or (login or "").lower() in BOT_NAMES)


@dataclass(frozen=True)
class Remark:
    """A comment on an issue or a pull request."""

    author: str | None
    at: int
    body: str


@dataclass(frozen=True)
class Review:
    """A submitted review; `remarks` are its inline comments."""

    author: str | None
    at: int
    state: str
    body: str
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Change:
    """One file of a diff: A(dded) M(odified) D(eleted) R(enamed) T(ype)."""

    status: str
    path: str
    old: str | None = None


@dataclass(frozen=True)
class Item:
    """An issue or a pull request (`kind`: issue | pr; `state`: open | closed | merged)."""

    kind: str
    repo: str
    number: int
    title: str
    body: str
    state: str
    author: str | None
    created: int
    closed: int | None = None
    merged: int | None = None
    merged_by: str | None = None
    merge_sha: str | None = None
    head_sha: str | None = None
    base_sha: str | None = None
    labels: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    reviews: tuple[Review, ...] = ()
    changes: tuple[Change, ...] | None = None

    @property
    def key(self) -> str:
        """The citation key, `pr:org/name#12` or `issue:org/name#12`."""
        return f"{self.kind}:{self.repo}#{self.number}"


@dataclass(frozen=True)
class Release:
    """A published release as GitHub knows it."""

    tag: str
    at: int
    notes: str = ""


@dataclass(frozen=True)
class Archive:
    """Issues and pull requests of one repository as one set of files holds them."""

    repo: str
    as_of: int | None
    items: dict[int, Item]
    releases: tuple[Release, ...] = ()


@dataclass(frozen=True)
class Commit:
    """A commit; `login` only where the author's address gives it away."""

    sha: str
    parents: tuple[str, ...]
    at: int
    author: str
    login: str | None
    message: str
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class GitRepo:
    """One repository: commits by sha, tags as (name, sha, instant), pull request heads by number."""

    name: str
    commits: dict[str, Commit]
    tags: tuple[tuple[str, str, int], ...]
    heads: dict[int, str]
    on_default: frozenset[str]
    tree: frozenset[str]
    pull_changes: dict[int, tuple[Change, ...]] = field(default_factory=dict)
