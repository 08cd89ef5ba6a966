"""Reads repositories (bundles, mirrors, bare, work trees) through the `git` command, NUL-separated."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from eval.gold.records import Change, Commit, GitRepo, GoldError

_LOGIN = re.compile(r"^(?:\d+\+)?([\w.-]+(?:\[bot\])?)@users\.noreply\.github\.com$", re.IGNORECASE)
_NOT_MERGES = "--exclude=refs/pull/*/merge"


def _git(repo: Path, *args: str) -> str:
    done = subprocess.run(["git", "-C", str(repo), *args], capture_output=True, check=False)
    if done.returncode:
        raise GoldError(f"{repo}: git {args[0]} failed: {done.stderr.decode(errors='replace').strip()[:300]}")
    return done.stdout.decode("utf-8", errors="replace")


def open_bundle(bundle: Path, scratch: Path) -> Path:
    """A mirror clone of the bundle in `scratch`."""
    target = scratch / (bundle.stem + ".git")
    if not target.exists():
        _git(scratch, "clone", "--quiet", "--mirror", str(bundle.resolve()), str(target))
    return target


def is_repository(path: Path) -> bool:
    """Whether a folder is a repository: bare, mirror or with a work tree."""
    return (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir())


def read(path: Path, name: str) -> GitRepo:
    """Everything of one repository but the pull request diffs."""
    commits = _commits(path)
    default = frozenset(_git(path, "rev-list", "HEAD").split()) if commits else frozenset()
    tree = _git(path, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0") if commits else []
    heads = {}
    for line in _git(path, "for-each-ref", "--format=%(refname) %(objectname)", "refs/pull").splitlines():
        ref, sha = line.split(" ")
        if found := re.fullmatch(r"refs/pull/(\d+)/head", ref):
            heads[int(found[1])] = sha
    return GitRepo(name, commits, _tags(path), heads, default, frozenset(tree) - {""})


def _tags(path: Path) -> tuple[tuple[str, str, int], ...]:
    form = "--format=%(refname:strip=2)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00%(creatordate:unix)"
    tags = []
    for line in _git(path, "for-each-ref", form, "refs/tags").splitlines():
        name, kind, sha, inner_kind, inner, at = line.split("\0")
        if "commit" in (kind, inner_kind):
            tags.append((name, sha if kind == "commit" else inner, int(at or 0)))
    return tuple(sorted(tags, key=lambda t: (t[2], t[0])))


def _commits(path: Path) -> dict[str, Commit]:
    changes = _changes_of_all(path)
    out = {}
    text = _git(path, "log", _NOT_MERGES, "--all", "--format=%x1e%H%x1f%P%x1f%ct%x1f%an%x1f%ae%x1f%B")
    for block in text.split("\x1e")[1:]:
        sha, parents, at, author, mail, message = block.split("\x1f", 5)
        login = _LOGIN.match(mail)
        out[sha] = Commit(sha, tuple(parents.split()), int(at), author, login[1] if login else None,
                          message.strip(), changes.get(sha, ()))
    return out


def _changes_of_all(path: Path) -> dict[str, tuple[Change, ...]]:
    base = ["log", _NOT_MERGES, "--all", "--diff-merges=first-parent", "--raw", "-z", "--format=%x1e%H"]
    try:
        text = _git(path, *base, "-M", "-l0")
    except GoldError:  # blobs are absent: renames cannot be told from contents
        text = _git(path, *base, "--no-renames")
    out = {}
    for block in text.split("\x1e")[1:]:
        sha, _, rest = block.partition("\0")
        out[sha.strip()] = parse_raw(rest)
    return out


def parse_raw(text: str) -> tuple[Change, ...]:
    """The changes in NUL-separated `--raw` output."""
    tokens = [t for t in (t.lstrip("\n") for t in text.split("\0")) if t]
    out, i = [], 0
    while i < len(tokens):
        status = tokens[i].rsplit(" ", 1)[-1][:1]
        if status in "RC":
            out.append(Change("R" if status == "R" else "A", tokens[i + 2], tokens[i + 1]))
            i += 3
        else:
            out.append(Change(status, tokens[i + 1]))
            i += 2
    return tuple(out)


def pull_changes(path: Path, pulls: Mapping[int, tuple[str, str]]) -> dict[int, tuple[Change, ...]]:
    """Changes of each pull request, given (base, head): from their merge base to the head."""
    out = {}
    for number, (base, head) in sorted(pulls.items()):
        try:
            out[number] = parse_raw(_git(path, "diff", "--raw", "-z", "-M", "-l0", f"{base}...{head}"))
        except GoldError:
            continue
    return out
