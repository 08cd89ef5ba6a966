"""The refs of a repository, sorted into what they are: branches, tags, pull heads, test merges."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from brain.connectors.git_process import Repository, lines
from brain.errors import BadInput

Raw = dict[str, Any]

_PULL = re.compile(r"refs/(?:remotes/[^/]+/)?(?:pull|pr)/(\d{1,8})(?:/(head|merge))?")
_NOT_HISTORY = ("refs/stash", "refs/notes/", "refs/replace/", "refs/original/", "refs/bisect/", "refs/rewritten/")
_FORMAT = "--format=%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00%(creatordate:unix)"
_REMOTE = re.compile(r"(?:[\w+.-]+://(?:[^/@]*@)?|[^/@:]+@)[^/:]+(?::\d+)?[/:](?P<owner>[\w.-]+)/(?P<name>[\w.-]+?)(?:\.git)?/?")


@dataclass
class Refs:
    """Tips by kind. `tips` are all that is history, `everything` also holds test merges."""

    default_branch: str | None = None
    default_tip: str | None = None
    tips: list[str] = field(default_factory=list)
    everything: list[str] = field(default_factory=list)
    tags: list[Raw] = field(default_factory=list)
    not_commits: list[tuple[str, str]] = field(default_factory=list)
    pulls: dict[int, str] = field(default_factory=dict)
    test_merges: set[int] = field(default_factory=set)

    @classmethod
    def read(cls, repo: Repository) -> Refs:
        """All refs of the repository."""
        refs, branches = cls(), dict[str, str]()
        for line in lines(repo.run("for-each-ref", _FORMAT)):
            name, kind, sha, peeled_kind, peeled, at = line.split("\0")
            if name.startswith(_NOT_HISTORY):
                continue
            if name.startswith("refs/tags/"):
                kind, sha, annotated = refs._peel(repo, name, kind, sha, peeled_kind, peeled)
                if kind == "commit":
                    refs.tags.append({"tag": name[10:], "sha": sha, "at": int(at or 0), "annotated": annotated})
                else:
                    refs.not_commits.append((name[10:], kind))
                    continue
            elif kind != "commit":
                continue
            refs.everything.append(sha)
            pull = _PULL.fullmatch(name)
            if pull and pull[2] == "merge":
                refs.test_merges.add(int(pull[1]))
                continue
            refs.tips.append(sha)
            if pull:
                refs.pulls[int(pull[1])] = sha
            elif name.startswith(("refs/heads/", "refs/remotes/")):
                branches[name] = sha
        refs._default(repo, branches)
        refs.tags.sort(key=lambda tag: (tag["at"], tag["tag"]))
        return refs

    @staticmethod
    def _peel(repo: Repository, name: str, kind: str, sha: str, peeled_kind: str, peeled: str) -> tuple[str, str, bool]:
        if kind != "tag":
            return kind, sha, False
        if peeled_kind == "tag":  # a tag of a tag
            peeled = repo.run("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", tolerate=True).decode().strip()
            peeled_kind = "commit" if peeled else "tag"
        return peeled_kind, peeled, True

    def _default(self, repo: Repository, branches: dict[str, str]) -> None:
        for head in ("refs/remotes/origin/HEAD", "HEAD"):
            target = repo.run("symbolic-ref", "--quiet", head, tolerate=True).decode("utf-8", "replace").strip()
            if target in branches:
                return self._take(target, branches[target])
        for name in ("main", "master", "trunk", "develop"):
            for prefix in ("refs/heads/", "refs/remotes/origin/"):
                if prefix + name in branches:
                    return self._take(prefix + name, branches[prefix + name])
        detached = repo.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}", tolerate=True).decode().strip()
        if detached:
            self.default_branch, self.default_tip = None, detached
            self.tips.append(detached)
            self.everything.append(detached)
        elif branches:
            self._take(*min(branches.items()))
        return None

    def _take(self, name: str, sha: str) -> None:
        self.default_branch = re.sub(r"^refs/(?:heads|remotes/[^/]+)/", "", name)
        self.default_tip = sha


def remote_owner(repo: Repository) -> str | None:
    """The organisation that the origin of a repository names; None when it has no origin on a host."""
    url = repo.run("config", "--get", "remote.origin.url", tolerate=True).decode("utf-8", "replace").strip()
    remote = _REMOTE.fullmatch(url)
    return remote["owner"] if remote else None


def repository_name(repo: Repository, org: str | None, name: str | None) -> str:
    """`org/name` of a repository: as told, else from its origin, else from its path.

    A remote is believed when it names the same organisation or when none was given.
    """
    if name and "/" in name:
        return name
    if name is None:
        url = repo.run("config", "--get", "remote.origin.url", tolerate=True).decode("utf-8", "replace").strip()
        remote = _REMOTE.fullmatch(url)
        if remote and (org is None or remote["owner"].lower() == org.lower()):
            return f"{org or remote['owner']}/{remote['name']}"
    path = repo.path.resolve()
    stem = name or (path.parent.name if path.name == ".git" else re.sub(r"\.(?:git|bundle)$", "", path.name))
    if not stem:
        raise BadInput(f"{repo.path}: no repository name in this path; give one as org/name")
    short = re.sub(r"[^\w.-]+", "-", stem)
    return f"{org or 'local'}/{short}"
