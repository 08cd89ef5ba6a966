"""What one repository's records say, kept small: commits, pull heads, and which commit a pull request became.

GitHub's merge commit id is trusted first. A number in a message is only believed for a pull request
that exists, and only when the commit is not older than it: transfers restart numbering and forks
carry their parent's numbers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from brain.connectors.earlier_names import OldAddresses
from brain.connectors.file_names import FileNames
from brain.connectors.github_names import GithubNames
from brain.connectors.references import CLOSING

Raw = dict[str, Any]
CLOCK_SLACK_S = 86_400
_CREATES = ("subject", "merge", "pr-url")


class CommitFact(NamedTuple):
    """A commit as the joins need it."""

    at: int
    on_default: bool
    tags: tuple[str, ...]
    position: int
    n_files: int


class Candidate(NamedTuple):
    """A commit whose message names a pull request."""

    sha: str
    at: int
    how: str
    repo: str | None
    on_default: bool
    second_parents: tuple[str, ...]


class PullHead(NamedTuple):
    """A `refs/pull/N/head`."""

    head: str
    first_at: int
    commits: tuple[str, ...]
    landed: bool
    landed_by: str | None
    title: str
    author: Raw | None
    n_files: int


@dataclass
class Archive:
    """What GitHub data says of one repository until `as_of`: its pull requests and issues by number."""

    name: str
    as_of: int = 0
    pulls: dict[int, Raw] = field(default_factory=dict)
    issues: dict[int, int | None] = field(default_factory=dict)
    names: GithubNames = field(default_factory=GithubNames)
    addresses: OldAddresses = field(init=False)

    def __post_init__(self) -> None:
        self.addresses = OldAddresses(self.name)

    def add(self, record: Raw) -> None:
        """Notes an issue, a pull request, or a commit."""
        if record["kind"] in ("issue", "pull"):
            self.addresses.add(record)
        if record["kind"] == "issue":
            self.issues[record["number"]] = record.get("created_at")
        elif record["kind"] == "pull":
            kept = ("created_at", "state", "merge_sha", "head_sha", "base")
            self.pulls[record["number"]] = {name: record.get(name) for name in kept}
            self.names.pull(record)
        elif record["kind"] == "commit":
            self.names.commit(record)

    def earlier_names(self) -> set[str]:
        """Names, in lower case, that the repository had when some of its texts were written."""
        began = {number: pull["created_at"] for number, pull in self.pulls.items()} | self.issues
        return self.addresses.names({number: at for number, at in began.items() if at is not None})

    def oids(self) -> set[str]:
        """Commit ids that its pull requests name."""
        return {p[n] for p in self.pulls.values() for n in ("merge_sha", "head_sha") if p[n]}


class History:
    """The git side of one repository."""

    def __init__(self, repo: str) -> None:
        self.repo = repo
        self.commits: dict[str, CommitFact] = {}
        self.candidates: defaultdict[int, list[Candidate]] = defaultdict(list)
        self.heads: dict[int, PullHead] = {}
        self.named: list[tuple[str | None, int, int, bool]] = []
        self.names = FileNames()
        self.has_pull_refs = False
        self.default_branch: str | None = None
        self.brings: dict[str, tuple[str, ...]] = {}
        self.joined: dict[int, tuple[str, str]] = {}
        self.became: defaultdict[str, list[int]] = defaultdict(list)
        self.part_of: defaultdict[str, list[int]] = defaultdict(list)
        self._sorted: list[str] = []

    def add(self, record: Raw) -> None:
        """Notes a record of the repository."""
        kind = record["kind"]
        if kind == "repo":
            self.has_pull_refs = bool(record.get("has_pull_refs"))
            self.default_branch = record.get("default_branch")
        elif kind == "commit":
            self._commit(record)
        elif kind == "pull_ref":
            self._pull_ref(record)
        elif kind == "tree":
            self.names.present(record["paths"])

    def _pull_ref(self, record: Raw) -> None:
        number, commits = record["number"], tuple(record["commits"])
        at = record.get("first_at") or record["at"]
        self.heads[number] = PullHead(
            record["head"],
            at,
            commits,
            bool(record.get("landed")),
            record.get("landed_by"),
            record.get("title") or "",
            record.get("author"),
            len(record.get("files") or ()),
        )
        for sha in commits:
            self.part_of[sha].append(number)

    def _commit(self, record: Raw) -> None:
        position, tags = len(self.commits), record.get("first_tags") or ()
        if not tags and record.get("first_tag"):
            tags = (record["first_tag"],)
        n_files = len(record.get("files") or ())
        self.commits[record["sha"]] = CommitFact(record["at"], record["on_default"], tuple(tags), position, n_files)
        if record.get("brings"):
            self.brings[record["sha"]] = tuple(record["brings"])
        if record["on_default"] and record.get("files"):
            self.names.add(position, record["files"])
        for ref in record.get("refs") or ():
            closes = ref["keyword"] in CLOSING
            if closes or ref["kind"] == "issue":
                self.named.append((ref["repo"], ref["number"], record["at"], closes and record["on_default"]))
        for ref in record.get("pr_refs") or ():
            found = Candidate(
                record["sha"], record["at"], ref["how"], ref["repo"], record["on_default"], tuple(record["parents"][1:])
            )
            self.candidates[ref["number"]].append(found)

    def full_sha(self, abbreviated: str) -> str | None:
        """The one commit whose id starts so; None when there is none or more than one."""
        if len(abbreviated) >= 40:
            return abbreviated if abbreviated in self.commits else None
        if len(abbreviated) < 4:
            return None
        if len(self._sorted) != len(self.commits):
            self._sorted = sorted(self.commits)
        at = bisect_left(self._sorted, abbreviated.lower())
        hits = [s for s in self._sorted[at : at + 2] if s.startswith(abbreviated.lower())]
        return hits[0] if len(hits) == 1 else None

    def is_pull(self, number: int, archive: Archive | None) -> bool:
        """Whether the number is a pull request of this repository."""
        if archive is not None and (number in archive.pulls or number in archive.issues):
            return number in archive.pulls
        if self.has_pull_refs:
            return number in self.heads
        return any(c.how in _CREATES for c in self.candidates.get(number, ()))

    def join(self, archive: Archive | None, is_here: Callable[[str], bool]) -> None:
        """Finds for each pull request the commit it became. `is_here` tells whether a repository
        named in a message is this one.
        """
        for number, candidates in self.candidates.items():
            self.candidates[number] = [c for c in candidates if c.repo is None or is_here(c.repo)]
        numbers = set(self.heads) | set(archive.pulls if archive else ()) | set(self.candidates)
        for number in sorted(numbers):
            found = self._join(number, archive) if self.is_pull(number, archive) else None
            if found is not None:
                self.joined[number] = found
                self.became[found[0]].append(number)
                for sha in () if number in self.heads else self.brings.get(found[0], ()):
                    self.part_of[sha].append(number)

    def _join(self, number: int, archive: Archive | None) -> tuple[str, str] | None:
        pull = archive.pulls.get(number) if archive else None
        if pull and pull["state"] == "merged" and pull["merge_sha"] in self.commits:
            return pull["merge_sha"], "mergeCommit.oid"
        head = self.heads.get(number)
        tips = {t for t in (head and head.head, pull and pull["head_sha"]) if t}
        candidates = self.candidates.get(number, [])
        certain = [c for c in candidates if tips.intersection(c.second_parents)]
        own = set(head.commits) if head else set()
        created = pull["created_at"] if pull else head.first_at if head else None
        possible = [
            c
            for c in candidates
            if (created is None or c.at >= created - CLOCK_SLACK_S) and (c.on_default or c.sha not in own)
        ]
        chosen = min(certain or possible, key=lambda c: (c.how == "mid-subject", not c.on_default, c.at, c.sha), default=None)
        if chosen is None:
            given_up = pull is not None and pull["state"] == "closed"
            by = head.landed_by if head and not given_up else None
            return (by, "head") if by else None
        return chosen.sha, {"merge": "merge subject", "pr-url": "pr-url"}.get(chosen.how, "number")

    def shipped(self, number: int, archive: Archive | None) -> tuple[str, ...]:
        """The tags of the first release that contains the pull request; none when GitHub says that it
        did not land, unless a commit names it as what it lands or came after GitHub was asked.
        """
        head, joined = self.heads.get(number), self.joined.get(number)
        landed = joined[0] if joined else head.head if head and head.landed else None
        fact = self.commits.get(landed or "")
        pull = archive.pulls.get(number) if archive else None
        if fact is None:
            return ()
        if pull is None or pull["state"] == "merged" or (joined and joined[1] == "pr-url"):
            return fact.tags
        return fact.tags if archive and pull["state"] == "open" and fact.at > archive.as_of else ()

    def branch_is_whole(self, number: int, archive: Archive | None) -> bool:
        """Whether what the branch changed since it left the default branch is what the pull request
        changes: so when GitHub says that it goes there (or where that was before it was renamed), or
        when a merge brought the branch's tip. Against another branch it would be far too much.
        """
        head, joined = self.heads.get(number), self.joined.get(number)
        if head is not None and joined is not None and head.landed_by == joined[0]:
            return True
        base = archive.pulls.get(number, {}).get("base") if archive else None
        return base is not None and (base == self.default_branch or {base, self.default_branch} == {"main", "master"})
