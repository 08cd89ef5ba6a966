"""What must be known of all sources before any record becomes a row: which repository, which person,
issue or pull request, which commit a pull request became, and in which release it shipped.

Built in one pass over the records; nothing in it depends on the order of the sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from brain.connectors.company import Company
from brain.connectors.history import Archive, CommitFact, History, PullHead
from brain.connectors.identities import Ident, Identities
from brain.connectors.people_named import people_in
from brain.connectors.repositories import GitIssue, Repositories
from brain.types import NodeRow, Origin

Raw = dict[str, Any]
_TOLD = ("login", "names", "bot", "first_at", "last_at", "title", "contact", "departed_at")
Know = Callable[[Raw, Company], None]


class Context:
    """Lookups that span sources. Make one with `Context.build`."""

    def __init__(self, decided: Mapping[str, str] | None = None) -> None:
        self._repos = Repositories()
        self._git, self._github = self._repos.git, self._repos.github
        self._identities = Identities()
        self.company = Company(self._identities, decided)
        self._issues: dict[str, dict[int, GitIssue]] = {}
        self._knowing: Mapping[str, Know] = {}

    @classmethod
    def build(
        cls,
        sources: Iterable[Iterable[Raw]],
        aliases: Mapping[str, str] | None = None,
        knowing: Mapping[str, Know] | None = None,
        decided: Mapping[str, str] | None = None,
    ) -> Context:
        """The context of all sources, each read once. `aliases` maps earlier names of repositories
        to present ones, `knowing` a format to what tells the company of one of its records, `decided` the ids of
        claims to what people decided about them.
        """
        context = cls(decided)
        context._knowing = knowing or {}
        context._repos.given = {old.lower(): new for old, new in (aliases or {}).items()}
        for records in sources:
            context._read(iter(records))
        context._settle()
        return context

    def _read(self, records: Iterator[Raw]) -> None:
        head = next(records, None)
        if head is None:
            return
        if head["format"] not in ("git", "github"):
            know = self._knowing[head["format"]]
            know(head, self.company)
            for record in records:
                know(record, self.company)
            return
        git = head["format"] == "git"
        history = self._git.setdefault(head["repo"].lower(), History(head["repo"])) if git else None
        archive = None if git else self._github.setdefault(head["repo"].lower(), Archive(head["repo"]))
        if archive is not None:
            archive.as_of = max(archive.as_of, head.get("as_of") or 0)
        org, label = head["repo"].partition("/")[0].lower(), head.get("access") or "open"
        for record in records:
            for ident, at in people_in(record):
                self._identities.add(ident, at, org, label)
            if history is not None:
                history.add(record)
            elif archive is not None:
                archive.add(record)

    def _settle(self) -> None:
        self._identities.settle(self.company.accounts.apart)
        for archive in self._github.values():
            archive.names.settle()
        self._repos.settle()
        for history in self._git.values():
            history.join(self._archive(history.repo), lambda name, here=history.repo: self._repos.same(name, here))  # type: ignore[misc]

        if not self._github:
            self._issues = self._repos.named_issues()
        for repo in {self.repo(a.name) for a in self._github.values()} | {h.repo for h in self._git.values()}:
            self.company.thing(f"repo:{repo}", repo)
            self.company.alias(f"repo:{repo}", repo.rpartition("/")[2], *self.aliases(repo))
        self.company.settle()

    def _archive(self, repo: str) -> Archive | None:
        return self._repos.archive(repo)

    def _history(self, repo: str) -> History | None:
        return self._git.get(self.repo(repo).lower())

    # repositories

    def repo(self, name: str) -> str:
        """The present name of a repository, whatever its spelling; an unknown one comes back as it is."""
        return self._repos.name(name)

    def aliases(self, repo: str) -> list[str]:
        """Earlier names of the repository."""
        return self._repos.aliases(repo)

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

    def acted(self, login: str) -> bool:
        """Whether anything loaded is by the person with this login."""
        key = self.known_person(login)
        return key is not None and "first_at" in self.person_props(key)

    def person_name(self, key: str) -> str:
        """The login as its owner spells it, else the name."""
        return self.company.accounts.name(key)

    def person_props(self, key: str) -> dict[str, Any]:
        """login, names, bot, first_at and last_at, title, contact and departed_at, as far as known."""
        return self.company.accounts.props(key)

    def person_row(self, key: str, source: str, origin: Origin = Origin("?")) -> NodeRow:
        """The person's node, the same whichever source asks; `unknown` where nothing but mentions tells of them."""
        unknown = {} if self.company.accounts.known(key) else {"unknown": True}
        return NodeRow(key, self.person_name(key), source, {**self.person_props(key), **unknown}, origin)

    def as_told(self, row: NodeRow, label: str) -> NodeRow:
        """A person's node with just what those sources say of them that are read with this label."""
        accounts = self.company.accounts
        if not accounts.known(row.key):
            return row
        kept = {name: value for name, value in row.props.items() if name not in _TOLD}
        return NodeRow(row.key, accounts.name(row.key, label), row.source, {**kept, **accounts.props(row.key, label)}, row.origin)

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

    def commit_like(self, sha: str, repo: str = "") -> tuple[str, str] | None:
        """Repository and full id of the one commit with this id or beginning of one, in that repository or in any; None
        for none or several.
        """
        histories = [h for h in self._git.values() if not repo or h.repo == self.repo(repo)]
        found = [(h.repo, full) for h in histories for full in [sha if sha in h.commits else h.full_sha(sha)] if full]
        return found[0] if len(found) == 1 else None

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

    def shipped(self, repo: str, number: int) -> tuple[str, ...]:
        """The tags of the first release that contains the pull request."""
        history = self._history(repo)
        return history.shipped(number, self._archive(history.repo)) if history else ()

    def ships_with_its_pull(self, repo: str, sha: str) -> bool:
        """Whether a pull request that includes the commit tells the same first release."""
        tags = set(self.first_releases(repo, sha))
        pulls = (n for n in (*self.pulls_of(repo, sha), *self.parts_of(repo, sha)) if tags <= set(self.shipped(repo, n)))
        return any((self.item(repo, n) or "").startswith("pr:") for n in pulls)

    # files

    def n_files(self, repo: str, number: int) -> int | None:
        """How many files the pull request changes, as git tells."""
        head, became = self.pull_head(repo, number), self.merge_commit(repo, number)
        if head is not None and self.branch_is_whole(repo, number):
            return head.n_files
        fact = self.commit(repo, became) if became else None
        return fact.n_files if fact else None

    def branch_is_whole(self, repo: str, number: int) -> bool:
        """Whether what its branch changed since it left the default branch is what it changes."""
        history = self._history(repo)
        return history is not None and history.branch_is_whole(number, self._archive(history.repo))

    def latest_path(self, repo: str, path: str, sha: str) -> str:
        """What the file at `path` in commit `sha` is called now."""
        history = self._history(repo)
        if history is None:
            return path
        fact = history.commits.get(sha)
        return history.names.latest(path, fact.position if fact else 0)

    def path_since(self, repo: str, path: str, at: int | None) -> str:
        """What the file that GitHub's data names at that instant is called now."""
        history, archive = self._history(repo), self._archive(self.repo(repo))
        if history is not None:
            return path if history.names.exists(path) else history.names.latest(path, len(history.commits))
        return archive.names.latest(path, at) if archive else path

    def earlier_paths(self, repo: str) -> dict[str, list[str]]:
        """Present path to earlier ones, for every renamed file."""
        history, archive = self._history(repo), self._archive(self.repo(repo))
        if history is not None:
            return history.names.earlier()
        return archive.names.names.earlier() if archive else {}

    def paths(self, repo: str) -> frozenset[str] | None:
        """Every file at the tip of the default branch, or as far as GitHub's data tells; None where neither is loaded."""
        history, archive = self._history(repo), self._archive(self.repo(repo))
        if history is not None:
            return history.names.paths()
        return archive.names.names.paths() if archive else None

    def path_exists(self, repo: str, path: str) -> bool:
        """Whether the path exists at the tip of the default branch."""
        history = self._history(repo)
        return history is not None and history.names.exists(path)
