"""Git repositories: clones, bare ones, mirrors and bundles, read with the `git` command alone.

`fetch` reads a repository into raw records, newest commits first; `rows` (in git_rows) turns records
into rows. No e-mail address leaves `fetch`, and test merges (`refs/pull/N/merge`) are not history.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from brain.connectors import git_log
from brain.connectors.git_graph import Graph
from brain.connectors.git_message import Message, People, read
from brain.connectors.git_process import Repository, installed, opened
from brain.connectors.git_pulls import MOST_COMMITS, Pull, pulls
from brain.connectors.git_refs import Refs, repository_name
from brain.connectors.git_rows import rows

__all__ = ["fetch", "installed", "rows"]

Raw = dict[str, Any]
_PATHS_A_RECORD = 5000
_FILES_A_COMMIT = 20_000


def fetch(
    path: Path,
    *,
    identity_key: bytes,
    org: str | None = None,
    name: str | None = None,
    scratch: Path | None = None,
    access: str = "open",
) -> Iterator[Raw]:
    """The raw records of one repository, a `source` record first and a `totals` record last.

    `identity_key` hashes e-mail addresses, `name` ("org/name" or "name") overrides what remote and
    path say, bundles are unpacked under `scratch`. Raises BadInput for what is no repository.
    """
    with opened(path, scratch) as repo:
        yield from _Reading(repo, repository_name(repo, org, name), access, People(identity_key)).records()


class _Reading:
    """One repository on its way to records."""

    def __init__(self, repo: Repository, name: str, access: str, people: People) -> None:
        self.repo, self.name, self.access, self.people = repo, name, access, people
        self.refs = Refs.read(repo)
        self.graph = Graph.read(repo, self.refs.tips)
        self.trunk = self.graph.ancestors([self.refs.default_tip] if self.refs.default_tip else [])
        self.heads = set(self.refs.pulls.values())
        self.first_tags = self.graph.first_tags([(t["at"], t["tag"], t["sha"]) for t in self.refs.tags])
        self.grafted = self._shallow()
        self.authors: set[str] = set()
        self.seen: dict[str, tuple[str, Raw]] = {}
        self.written = [0] * len(self.graph.shas)

    def records(self) -> Iterator[Raw]:
        yield self._source()
        yield {
            "kind": "repo",
            "repo": self.name,
            "default_branch": self.refs.default_branch,
            "head": self.refs.default_tip,
            "has_pull_refs": bool(self.refs.pulls),
        }
        for order, tag in enumerate(self.refs.tags):
            yield {"kind": "tag", "repo": self.name, "order": order, **tag}
        for tag_name, kind in self.refs.not_commits:
            yield self._skip(f"tag {tag_name!r} names a {kind}, not a commit")
        blobs = git_log.Blobs(self.repo, self.refs.tips)
        if blobs.missing:
            yield self._skip("contents absent; renames and line counts unknown where they are needed", len(blobs.missing))
        if not self.graph.shas:
            yield self._skip("no commit yet: an empty repository")
        if self.grafted:
            yield self._skip("shallow clone: history and files before these commits are absent", len(self.grafted))
        ranges = pulls(self.graph, self.refs, self.trunk)
        wanted = {p.opening for p in ranges}
        yield from self._commits(blobs, wanted)
        yield from self._pulls(ranges, blobs)
        yield from self._tree()

    def _source(self) -> Raw:
        return {
            "kind": "source",
            "format": "git",
            "source": f"git:{self.name}",
            "repo": self.name,
            "complete": not self.grafted,
            "as_of": max(self.graph.times, default=0),
            "access": self.access,
            "path": str(self.repo.path),
            "totals": {},
        }

    def _shallow(self) -> set[str]:
        listed = self.repo.run("rev-parse", "--git-path", "shallow", tolerate=True).decode().strip()
        file = Path(listed) if Path(listed).is_absolute() else self.repo.git_dir / "shallow"
        return set(file.read_text().split()) if listed and file.is_file() else set()

    def _skip(self, reason: str, count: int = 1) -> Raw:
        return {"kind": "skip", "reason": reason, "file": str(self.repo.path), "line": 0, "count": count}

    def _commits(self, blobs: git_log.Blobs, wanted: set[str]) -> Iterator[Raw]:
        for raw in git_log.commits(self.repo, self.refs.tips, blobs) if self.graph.shas else ():
            message = read(raw["message"], self.people)
            record = self._commit(raw, message)
            self.written[self.graph.index[raw["sha"]]] = raw["authored_at"]
            if raw["sha"] in wanted:
                self.seen[raw["sha"]] = (message.subject, record["author"])
            left = len(record["files"]) - _FILES_A_COMMIT
            if left > 0:
                del record["files"][_FILES_A_COMMIT:]
                yield self._skip(f"commit {raw['sha'][:10]} changes more than {_FILES_A_COMMIT} files", left)
            yield record

    def _commit(self, raw: Raw, message: Message) -> Raw:
        number = self.graph.index[raw["sha"]]
        tags = self.first_tags.get(number, ())
        author = self.people.ident(raw["author"], raw["author_mail"], raw["author_mail_raw"])
        committer = self.people.ident(raw["committer"], raw["committer_mail"], raw["committer_mail_raw"])
        self.authors.add(author["login"] or author["email"] or author["name"])
        brings = self._brings(number, raw["parents"]) if message.pr_refs else []
        return {
            "kind": "commit",
            "repo": self.name,
            "sha": raw["sha"],
            "parents": raw["parents"],
            "at": raw["at"],
            "authored_at": raw["authored_at"],
            "author": author,
            "committer": committer,
            "subject": message.subject,
            "body": message.body,
            "co_authors": [c for c in message.co_authors if c != author],
            "reviewers": message.reviewers,
            "files": [] if raw["sha"] in self.grafted else raw["files"],
            "on_default": number in self.trunk,
            "first_tag": tags[0] if tags else None,
            "first_tags": list(tags),
            "pr_refs": message.pr_refs,
            "refs": message.refs,
            "reverts": message.reverts,
            **({"brings": brings} if brings else {}),
        }

    def _brings(self, number: int, parents: list[str]) -> list[str]:
        """What a merge on the default branch brings, where no pull head tells it: newest first."""
        if len(parents) < 2 or number not in self.trunk or parents[1] in self.heads:
            return []
        known = [self.graph.index[p] for p in parents[:2] if p in self.graph.index]
        own = self.graph.between(*known)[1] if len(known) == 2 else []
        brought = [self.graph.shas[one] for one in own[:MOST_COMMITS]]
        return [] if self.grafted.intersection(brought) else brought  # where the branch began is absent

    def _pulls(self, ranges: list[Pull], blobs: git_log.Blobs) -> Iterator[Raw]:
        changed = git_log.diffs(self.repo, [(p.head, p.base) for p in ranges if p.base], blobs)
        for pull in ranges:
            subject, author = self.seen.get(pull.opening, ("", None))
            yield {
                "kind": "pull_ref",
                "repo": self.name,
                "number": pull.number,
                "head": pull.head,
                "base": pull.base,
                "commits": pull.commits,
                "files": next(changed) if pull.base else [],
                "at": pull.at,
                "first_at": self._first_at(pull),
                "author": author,
                "title": subject,
                "landed": pull.landed,
                "landed_by": pull.landed_by,
                "merge_ref": pull.number in self.refs.test_merges,
            }

    def _first_at(self, pull: Pull) -> int:
        """When its first commit was written: on archived pull requests within seconds of the opening."""
        own = [self.graph.index[sha] for sha in pull.commits]
        return min((self.written[one] for one in own if len(self.graph.parents[one]) < 2), default=pull.at)

    def _tree(self) -> Iterator[Raw]:
        count = 0
        if self.refs.default_tip:
            paths = (git_log.storable(p) for p in self.repo.tokens("ls-tree", "-r", "-z", "--name-only", self.refs.default_tip) if p)
            while chunk := list(islice(paths, _PATHS_A_RECORD)):
                count += len(chunk)
                yield {"kind": "tree", "repo": self.name, "paths": chunk}
        yield self._totals(count)

    def _totals(self, files: int) -> Raw:
        given = "".join(f"{sha}\n" for sha in dict.fromkeys(self.refs.everything)).encode()
        everything = int(self.repo.run("rev-list", "--count", "--stdin", stdin=given)) if given else 0
        return {
            "kind": "totals",
            "commits": everything,
            "commits_default": len(self.trunk),
            "commits_test_merges": everything - len(self.graph.shas),
            "tags": len(self.refs.tags) + len(self.refs.not_commits),
            "pull_heads": len(self.refs.pulls),
            "authors": len(self.authors),
            "files": files,
        }
