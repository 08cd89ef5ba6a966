"""An organisation as its raw files tell it: repositories under today's names, people, joined ids.

A GitHub archive belongs to the git repository that holds its merge or head commits, whatever name the
archive carries; that name stays as an earlier one. Numbers never join where commit ids can.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from eval.gold import git_repos, github_files
from eval.gold.records import Archive, Change, Commit, GitRepo, GoldError, Item, Release

_MERGE = re.compile(r"^Merge pull request #(\d+) from ")
_SQUASH = re.compile(r"\(#(\d+)\)$")


@dataclass(frozen=True)
class Repo:
    """One repository: what GitHub says (`items`), what git says, either may be missing."""

    name: str
    items: dict[int, Item] = field(default_factory=dict)
    as_of: int | None = None
    git: GitRepo | None = None
    earlier: tuple[str, ...] = ()
    releases: tuple[Release, ...] = ()

    @property
    def short(self) -> str:
        """The name without the owner."""
        return self.name.split("/")[1]

    @property
    def complete(self) -> bool:
        """Whether GitHub data covers every pull request head that git knows."""
        return bool(self.items) and (self.git is None or set(self.git.heads) <= set(self.items))

    @property
    def pulls(self) -> list[Item]:
        """Pull requests by number."""
        return [i for _, i in sorted(self.items.items()) if i.kind == "pr"]

    @property
    def issues(self) -> list[Item]:
        """Issues by number."""
        return [i for _, i in sorted(self.items.items()) if i.kind == "issue"]

    @cached_property
    def first_tags(self) -> dict[str, tuple[str, ...]]:
        """For each commit inside a tag: the tags of the earliest instant that contain it."""
        return _first_tags(self.git) if self.git else {}

    @cached_property
    def later_names(self) -> dict[str, str]:
        """Earlier path -> today's path, along renames on the default branch, newest first."""
        return _later_names(self.git) if self.git else {}

    @cached_property
    def git_pulls(self) -> dict[int, str]:
        """Number -> commit that brought it to the default branch, as the one subject naming it says."""
        return _git_pulls(self.git) if self.git else {}

    def path_now(self, path: str) -> str:
        """Today's name of a file that was called `path`."""
        return self.later_names.get(path, path)


@dataclass(frozen=True)
class World:
    """All repositories of an organisation by today's name."""

    org: str
    repos: dict[str, Repo]

    @cached_property
    def names(self) -> dict[str, str]:
        """Lower-cased name, today's or an earlier one -> today's name."""
        return {n.lower(): r.name for r in self.repos.values() for n in (r.name, *r.earlier)}

    @cached_property
    def spelling(self) -> dict[str, str]:
        """Lower-cased login -> the spelling used most."""
        seen: Counter[str] = Counter()
        for repo in self.repos.values():
            for item in repo.items.values():
                seen.update(a for a in [item.author, *(r.author for r in item.remarks), *(r.author for r in item.reviews)] if a)
            seen.update(c.login for c in (repo.git.commits.values() if repo.git else ()) if c.login)
        return {login.lower(): login for login, _ in sorted(seen.items(), key=lambda kv: kv[1])}

    def pulls(self) -> Iterator[Item]:
        """Every pull request that GitHub data describes."""
        for _, repo in sorted(self.repos.items()):
            yield from repo.pulls

    def find(self, repo: str | None, number: int, home: str) -> str | None:
        """The key a number in a text of `home` names, or None when it is not known here."""
        name = self.names.get(repo.lower()) if repo else home
        if name is None:
            return None
        known = self.repos[name]
        if number in known.items:
            return known.items[number].key
        return f"pr:{name}#{number}" if known.git and number in known.git.heads else None


def load(data: Path, org: str | None = None, scratch: Path | None = None) -> World:
    """The world of a folder of archives, REST files, bundles and repositories (not recursive for git)."""
    if not data.is_dir():
        raise GoldError(f"{data}: no such folder; give the one with the organisation's files")
    archives = github_files.read([data])
    org = org or _main_org(archives) or data.resolve().name
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        places = dict(_repositories(data, org, Path(folder)))
        gits = {name: git_repos.read(path, name) for name, path in sorted(places.items())}
        repos = dict(_joined(archives, gits))
        for name, path in places.items():
            repos[name] = _with_changes(repos[name], path)
    if not repos:
        raise GoldError(f"{data}: neither an archive, GitHub JSON nor a repository in it")
    return World(org, repos)


def _main_org(archives: Iterable[Archive]) -> str | None:
    owners = Counter(a.repo.split("/")[0] for a in archives)
    return owners.most_common(1)[0][0] if owners else None


def _repositories(data: Path, org: str, scratch: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(data.iterdir()):
        if path.suffix == ".bundle":
            yield f"{org}/{path.stem}", git_repos.open_bundle(path, scratch)
        elif path.is_dir() and git_repos.is_repository(path):
            yield f"{org}/{path.name.removesuffix('.git')}", path


def _joined(archives: Iterable[Archive], gits: dict[str, GitRepo]) -> Iterator[tuple[str, Repo]]:
    left = dict(gits)
    for archive in archives:
        name = _home(archive, gits)
        git = left.pop(name, None)
        items = {n: replace(i, repo=name) for n, i in archive.items.items()}
        earlier = (archive.repo,) if archive.repo.lower() != name.lower() else ()
        yield name, Repo(name, items, archive.as_of, git, earlier, archive.releases)
    for name, git in left.items():
        yield name, Repo(name, git=git)


def _home(archive: Archive, gits: dict[str, GitRepo]) -> str:
    shas = {s for i in archive.items.values() for s in (i.merge_sha, i.head_sha) if s}
    shared = {name: sum(s in git.commits for s in shas) for name, git in gits.items()}
    best = max(shared, key=lambda n: (shared[n], n.lower() == archive.repo.lower()), default=None)
    if best and shared[best]:
        return best
    return next((n for n in gits if n.lower() == archive.repo.lower()), archive.repo)


def _with_changes(repo: Repo, path: Path) -> Repo:
    git = repo.git
    if git is None:
        return repo
    wanted = {p.number: (p.base_sha, p.head_sha) for p in repo.pulls
              if p.base_sha in git.commits and p.head_sha in git.commits and p.base_sha and p.head_sha}
    changes = git_repos.pull_changes(path, {n: (b or "", h or "") for n, (b, h) in wanted.items()})
    items = {n: replace(i, changes=changes[n]) if n in changes else i for n, i in repo.items.items()}
    return replace(repo, items=items)


def _first_tags(git: GitRepo) -> dict[str, tuple[str, ...]]:
    first: dict[str, set[str]] = {}
    moments = sorted({at for _, _, at in git.tags})
    for moment in moments:
        fresh: dict[str, set[str]] = {}
        for tag, sha, at in git.tags:
            if at == moment:
                for commit in reach(git, sha, first):
                    fresh.setdefault(commit, set()).add(tag)
        first |= fresh
    return {sha: tuple(sorted(tags)) for sha, tags in first.items()}


def reach(git: GitRepo, start: str, stop: Container[str] = ()) -> set[str]:
    """The commit and its ancestors, not going into or beyond those in `stop`."""
    seen: set[str] = set()
    stack = [start]
    while stack:
        sha = stack.pop()
        if sha not in seen and sha not in stop and sha in git.commits:
            seen.add(sha)
            stack.extend(git.commits[sha].parents)
    return seen


def _later_names(git: GitRepo) -> dict[str, str]:
    later: dict[str, str] = {}
    for commit in git.commits.values():  # `git log` order: newest first
        if commit.sha in git.on_default:
            for change in commit.changes:
                if change.status == "R" and change.old and change.old not in git.tree:
                    later.setdefault(change.old, later.get(change.path, change.path))
    return later


def _git_pulls(git: GitRepo) -> dict[int, str]:
    named: dict[int, list[Commit]] = {}
    for commit in git.commits.values():
        subject = commit.message.split("\n", 1)[0].strip()
        found = _MERGE.match(subject) or _SQUASH.search(subject)
        if found and commit.sha in git.on_default and int(found[1]) in git.heads:
            named.setdefault(int(found[1]), []).append(commit)
    return {n: commits[0].sha for n, commits in named.items() if len(commits) == 1}


def paths(changes: Iterable[Change]) -> frozenset[str]:
    """The paths a diff leaves its files at (for a deleted file, where it was)."""
    return frozenset(c.path for c in changes)
