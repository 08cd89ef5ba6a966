"""What must be known of all sources before any record becomes a row: which repository, which person,
issue or pull request, which commit a pull request became, and in which release it shipped.

Built in one pass over the records; nothing in it depends on the order of the sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from brain.connectors.history import Archive, CommitFact, History, PullHead
from brain.connectors.identities import Ident, Identities

Raw = dict[str, Any]


class GitIssue(NamedTuple):
    """An issue known from commit messages: when one first named it, whether one on the default branch closes it."""

    at: int
    closed: bool


class Context:
    """Lookups that span sources. Make one with `Context.build`."""

    def __init__(self) -> None:
        self._git: dict[str, History] = {}
        self._github: dict[str, Archive] = {}
        self._alias: dict[str, str] = {}
        self._given: dict[str, str] = {}
        self._identities = Identities()
        self._issues: dict[str, dict[int, GitIssue]] = {}

    @classmethod
    def build(cls, sources: Iterable[Iterable[Raw]], aliases: Mapping[str, str] | None = None) -> Context:
        """The context of all sources, each read once. `aliases` maps earlier names of repositories
        to present ones.
        """
        context = cls()
        context._given = {old.lower(): new for old, new in (aliases or {}).items()}
        for records in sources:
            context._read(iter(records))
        context._settle()
        return context

    def _read(self, records: Iterator[Raw]) -> None:
        head = next(records, None)
        if head is None:
            return
        git = head["format"] == "git"
        history = self._git.setdefault(head["repo"].lower(), History(head["repo"])) if git else None
        archive = None if git else self._github.setdefault(head["repo"].lower(), Archive(head["repo"]))
        for record in records:
            for ident, at in _people(record):
                self._identities.add(ident, at)
            if history is not None:
                history.add(record)
            elif archive is not None:
                archive.add(record)

    def _settle(self) -> None:
        self._identities.settle()
        self._alias = {name: history.repo for name, history in self._git.items()}
        self._alias |= {old: self._alias.get(new.lower(), new) for old, new in self._given.items()}
        for name, archive in sorted(self._github.items()):
            if name not in self._alias:
                self._alias[name] = self._same_repo(archive) or archive.name
        for history in self._git.values():
            history.join(self._archive(history.repo), lambda name, here=history.repo: self._is(name, here))  # type: ignore[misc]

        if not self._github:
            self._name_issues()

    def _name_issues(self) -> None:
        for history in self._git.values():
            for name, number, at, closed in history.named:
                repo = history.repo if name is None else self.repo(name if "/" in name else f"{name}/{history.repo.partition('/')[2]}")
                target = self._git.get(repo.lower())
                if target is not None and not target.is_pull(number, None):
                    known = self._issues.setdefault(repo, {})
                    old = known.get(number, GitIssue(at, False))
                    known[number] = GitIssue(min(old.at, at), old.closed or closed)

    def _same_repo(self, archive: Archive) -> str | None:
        oids = archive.oids()
        hits = Counter({h.repo: sum(oid in h.commits for oid in oids) for h in self._git.values()})
        taken = {self._alias[name] for name in self._github if name in self._alias}
        best = min(hits, key=lambda repo: (-hits[repo], repo), default=None)
        return best if best is not None and hits[best] and best not in taken else None

    def _is(self, name: str, here: str) -> bool:
        return self.repo(name if "/" in name else f"{name}/{here.partition('/')[2]}") == here

    def _archive(self, repo: str) -> Archive | None:
        found = self._github.get(repo.lower())
        if found is not None:
            return found
        return next((a for n, a in sorted(self._github.items()) if self._alias.get(n) == repo), None)

    def _history(self, repo: str) -> History | None:
        return self._git.get(self.repo(repo).lower())

    # repositories

    def repo(self, name: str) -> str:
        """The present name of a repository, whatever its spelling; an unknown one comes back as it is."""
        return self._alias.get(name.lower(), name)

    def aliases(self, repo: str) -> list[str]:
        """Earlier names of the repository."""
        named = {a.name for a in self._github.values()} | set(self._given)
        return sorted(n for n in named if n.lower() != repo.lower() and self.repo(n) == repo)

    def has_git(self, repo: str) -> bool:
        """Whether the repository's git history is loaded."""
        return self.repo(repo).lower() in self._git

    def has_github(self, repo: str) -> bool:
        """Whether GitHub data of the repository is loaded."""
        return self._archive(self.repo(repo)) is not None

    # people

    def person(self, ident: Ident | str | None) -> str | None:
        """The key of the person behind an identity or a login; None for a deleted user."""
        return self._identities.key(ident)

    def known_person(self, login: str) -> str | None:
        """The key of the person with this login, None when no record has it."""
        return self._identities.known(login)

    def person_name(self, key: str) -> str:
        """The login as its owner spells it, else the name."""
        return self._identities.name(key)

    def person_props(self, key: str) -> dict[str, Any]:
        """login, names, bot, first_at and last_at, as far as known."""
        return self._identities.props(key)

    def is_bot(self, key: str) -> bool:
        """Whether the person is a machine."""
        return self._identities.is_bot(key)

    # issues, pull requests, commits

    def item(self, repo: str, number: int) -> str | None:
        """The key of the pull request or issue with this number; None when neither is known."""
        repo = self.repo(repo)
        history, archive = self._history(repo), self._archive(repo)
        if archive is not None and number in archive.pulls:
            return f"pr:{repo}#{number}"
        if archive is not None and number in archive.issues:
            return f"issue:{repo}#{number}"
        if history is not None and history.is_pull(number, archive):
            return f"pr:{repo}#{number}"
        return f"issue:{repo}#{number}" if number in self.git_issues(repo) else None

    def git_issues(self, repo: str) -> Mapping[int, GitIssue]:
        """Issues of the repository known only from commit messages that close or address them.

        Empty as soon as any GitHub data is loaded: then an unknown number is nothing.
        """
        return self._issues.get(self.repo(repo), {})

    def parts_of(self, repo: str, sha: str) -> list[int]:
        """The pull requests whose branch brings the commit."""
        history = self._history(repo)
        return history.part_of.get(sha, []) if history else []

    def github_pull(self, repo: str, number: int) -> bool:
        """Whether GitHub data holds this pull request."""
        archive = self._archive(self.repo(repo))
        return archive is not None and number in archive.pulls

    def pull_head(self, repo: str, number: int) -> PullHead | None:
        """The pull request's head in git."""
        history = self._history(repo)
        return history.heads.get(number) if history else None

    def commit(self, repo: str, sha: str) -> CommitFact | None:
        """What is known of a commit."""
        history = self._history(repo)
        return history.commits.get(sha) if history else None

    def commit_repo(self, sha: str) -> str | None:
        """A repository that holds the commit."""
        return next((h.repo for h in self._git.values() if sha in h.commits), None)

    def full_sha(self, repo: str, abbreviated: str) -> str | None:
        """The full id of a commit of the repository; None when unknown or ambiguous."""
        history = self._history(repo)
        return history.full_sha(abbreviated) if history else None

    def merge_commit(self, repo: str, number: int) -> str | None:
        """The commit the pull request became, None when it did not land or nothing proves it."""
        joined = self.join_of(repo, number)
        return joined[0] if joined else None

    def join_of(self, repo: str, number: int) -> tuple[str, str] | None:
        """That commit and how it was found: mergeCommit.oid, merge subject, pr-url or number."""
        history = self._history(repo)
        return history.joined.get(number) if history else None

    def pulls_of(self, repo: str, sha: str) -> list[int]:
        """The pull requests that became this commit."""
        history = self._history(repo)
        return history.became.get(sha, []) if history else []

    def first_release(self, repo: str, sha: str) -> str | None:
        """The tag that first contained the commit, by instant."""
        return next(iter(self.first_releases(repo, sha)), None)

    def first_releases(self, repo: str, sha: str) -> tuple[str, ...]:
        """All tags of that instant that contain it: one release can be several tags."""
        fact = self.commit(repo, sha)
        return fact.tags if fact else ()

    # files

    def latest_path(self, repo: str, path: str, sha: str) -> str:
        """What the file at `path` in commit `sha` is called now."""
        history = self._history(repo)
        if history is None:
            return path
        fact = history.commits.get(sha)
        return history.names.latest(path, fact.position if fact else 0)

    def earlier_paths(self, repo: str) -> dict[str, list[str]]:
        """Present path to earlier ones, for every renamed file."""
        history = self._history(repo)
        return history.names.earlier() if history else {}

    def path_exists(self, repo: str, path: str) -> bool:
        """Whether the path exists at the tip of the default branch."""
        history = self._history(repo)
        return history is not None and history.names.exists(path)


def _people(record: Raw) -> Iterator[tuple[Ident | str | None, int | None]]:
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
    elif kind in ("issue", "pull"):
        yield record.get("author"), record.get("created_at")
        yield record.get("merged_by"), record.get("merged_at")
        for part in (*(record.get("comments") or ()), *(record.get("reviews") or ())):
            yield part.get("author"), part.get("at")
            for inline in part.get("comments") or ():
                yield inline.get("author"), inline.get("at")
        for login in record.get("assignees") or ():
            yield login, None
    elif kind == "release":
        yield record.get("author"), at
