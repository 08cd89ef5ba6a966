"""Which repository a name means: a repository of git, or GitHub data under the same name, an earlier one, or with its commits."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import NamedTuple

from brain.connectors.history import Archive, History


class GitIssue(NamedTuple):
    """An issue known from commit messages: when one first named it, whether one on the default branch closes it."""

    at: int
    closed: bool


class Repositories:
    """The repositories of all sources by lower-cased name: what git has of them, what GitHub has. `given` maps earlier names
    to present ones.
    """

    def __init__(self) -> None:
        self.git: dict[str, History] = {}
        self.github: dict[str, Archive] = {}
        self.given: dict[str, str] = {}
        self._alias: dict[str, str] = {}
        self._earlier: dict[str, str] = {}

    def settle(self) -> None:
        """Decides what each name means. Call once, after every source was read."""
        self._alias = {name: history.repo for name, history in self.git.items()}
        self._alias |= {old: self._alias.get(new.lower(), new) for old, new in self.given.items()}
        for name, archive in sorted(self.github.items()):
            if name not in self._alias:
                self._alias[name] = self._same_repo(archive) or archive.name
        self._alias_earlier_names()

    def _alias_earlier_names(self) -> None:
        claims: defaultdict[str, set[str]] = defaultdict(set)
        for name, archive in self.github.items():
            for earlier in archive.earlier_names() - self._alias.keys():
                claims[earlier].add(self._alias[name])
        self._earlier = {earlier: min(repos) for earlier, repos in claims.items() if len(repos) == 1}
        self._alias |= self._earlier

    def _same_repo(self, archive: Archive) -> str | None:
        oids = archive.oids()
        hits = Counter({h.repo: sum(oid in h.commits for oid in oids) for h in self.git.values()})
        taken = {self._alias[name] for name in self.github if name in self._alias}
        best = min(hits, key=lambda repo: (-hits[repo], repo), default=None)
        return best if best is not None and hits[best] and best not in taken else None

    def same(self, name: str, here: str) -> bool:
        """Whether a name, with its owner or without, said in repository `here` means that repository."""
        return self.name(name if "/" in name else f"{name}/{here.partition('/')[2]}") == here

    def archive(self, repo: str) -> Archive | None:
        """GitHub's data of the repository of that name."""
        found = self.github.get(repo.lower())
        if found is not None:
            return found
        return next((a for n, a in sorted(self.github.items()) if self._alias.get(n) == repo), None)

    def name(self, name: str) -> str:
        """The present name of a repository, whatever its spelling; an unknown one comes back as it is."""
        return self._alias.get(name.lower(), name)

    def aliases(self, repo: str) -> list[str]:
        """Earlier names of the repository."""
        named = {a.name for a in self.github.values()} | set(self.given) | set(self._earlier)
        return sorted(n for n in named if n.lower() != repo.lower() and self.name(n) == repo)

    def named_issues(self) -> dict[str, dict[int, GitIssue]]:
        """Issues that only commit messages tell of, by repository and number."""
        found: dict[str, dict[int, GitIssue]] = {}
        for history in self.git.values():
            for name, number, at, closed in history.named:
                repo = history.repo if name is None else self.name(name if "/" in name else f"{name}/{history.repo.partition('/')[2]}")
                target = self.git.get(repo.lower())
                if target is not None and not target.is_pull(number, None):
                    known = found.setdefault(repo, {})
                    old = known.get(number, GitIssue(at, False))
                    known[number] = GitIssue(min(old.at, at), old.closed or closed)
        return found
