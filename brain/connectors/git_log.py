"""Commits and their changed files, streamed out of one `git log`; where blobs are absent, only what
needs no blob is read for the commits concerned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from brain.connectors.git_message import clean
from brain.connectors.git_process import Repository

Change = list[Any]  # [status, path, old path or None, added or None, deleted or None]
RawCommit = dict[str, Any]

_WHO = {who: (who, f"{who}_mail", f"{who}_mail_raw") for who in ("author", "committer")}
_FIELDS = ("sha", "parents", "at", "authored_at", *_WHO["author"], *_WHO["committer"], "message")
_FORMAT = "--format=C%H%x00%P%x00%ct%x00%at%x00%aN%x00%aE%x00%ae%x00%cN%x00%cE%x00%ce%x00%B"
_SAFE = ("-z", "--raw", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--no-color", "-O/dev/null")
_LOG = ("log", "--stdin", "--date-order", "--diff-merges=first-parent", "--encoding=UTF-8", *_SAFE, _FORMAT)
_TREE = ("diff-tree", "--stdin", "-r", "--always", "--root", *_SAFE)
_WITH_BLOBS = ("--numstat", "-M", "-l1000")
_NUMSTAT = re.compile(rb"(\d+|-)\t(\d+|-)\t", re.DOTALL)
_SUBMODULE = b"160000"
_BATCH = 400


def storable(path: bytes) -> str:
    """A path as text: bytes that are not UTF-8, control characters and a space at its end become
    visible escapes, so that it can be a key and stays different from every other path.
    """
    text = path.decode("utf-8", "surrogateescape")
    if not text.isprintable():
        text = "".join(_visible(c) for c in text)
    end = text.rstrip()
    return text if end == text else end + "".join(f"\\x{ord(c):02x}" for c in text[len(end) :])


def _visible(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if char in "\n\t" or not clean(char) else char


class Blobs:
    """Which objects the repository lacks (a partial clone, or large files left out)."""

    def __init__(self, repo: Repository, tips: Iterable[str]) -> None:
        self.no_mailmap = False
        given = "\n".join(dict.fromkeys(tips))
        asked = ("rev-list", "--objects", "--missing=print", "--stdin")
        listed = repo.tokens(*asked, stdin=f"{given}\n".encode(), separator=b"\n") if given else iter(())
        self.missing = {line[1:41] for line in listed if line.startswith(b"?")}
        if self.missing:
            names = repo.run("rev-parse", "--verify", "--quiet", repo.mailmap, tolerate=True).strip()
            self.no_mailmap = names in self.missing


class _Reader:
    """Reads the token stream of `-z --raw [--numstat]` output."""

    def __init__(self, tokens: Iterator[bytes]) -> None:
        self._tokens = tokens
        self.token: bytes | None = None
        self.advance()

    def advance(self) -> bytes:
        taken, self.token = self.token, next(self._tokens, None)
        return taken or b""

    def changes(self) -> tuple[list[Change], set[bytes]]:
        """The changed files that stand next, and the blobs they need."""
        found: dict[bytes, Change] = {}
        blobs: set[bytes] = set()
        while self.token is not None:
            here = self.token.lstrip(b"\n")
            if here.startswith(b":"):
                self._raw(here, found, blobs)
            elif (stat := _NUMSTAT.match(here)) is not None:
                self._numstat(here, stat, found)
            elif here:
                break
            else:
                self.advance()
        return list(found.values()), blobs

    def _raw(self, head: bytes, found: dict[bytes, Change], blobs: set[bytes]) -> None:
        self.advance()
        mode_before, mode_after, before, after, status = head[1:].split(b" ")
        letter = status[:1].decode()
        old = self.advance() if letter in "RC" else None
        path = self.advance()
        for mode, blob in ((mode_before, before), (mode_after, after)):
            if mode != _SUBMODULE and blob.strip(b"0"):
                blobs.add(blob)
        letter = "A" if letter == "C" else letter
        found[path] = [letter, storable(path), storable(old) if old is not None and letter == "R" else None, None, None]

    def _numstat(self, here: bytes, stat: re.Match[bytes], found: dict[bytes, Change]) -> None:
        self.advance()
        path = here[stat.end() :]
        if not path:
            self.advance()
            path = self.advance()
        if path in found and stat[1] != b"-":
            found[path][3:] = [int(stat[1]), int(stat[2])]


def commits(repo: Repository, tips: Iterable[str], blobs: Blobs) -> Iterator[RawCommit]:
    """Every commit reachable from the tips, a child before its parents, with its `files` (of a merge:
    against the first parent). Texts are decoded, e-mail addresses still in them.
    """
    given = ("\n".join(dict.fromkeys(tips)) + "\n").encode()
    if blobs.no_mailmap:
        repo = replace(repo, mailmap="HEAD:.no-such-file")
    if not blobs.missing:
        yield from (commit for commit, _ in _log(repo, given, _WITH_BLOBS))
        return
    stream = _log(repo, given, ("--no-renames",))
    while batch := list(islice(stream, _BATCH)):
        complete = [c for c, used in batch if not used & blobs.missing]
        pairs = [(c["sha"], c["parents"][0] if c["parents"] else None) for c in complete]
        for commit, files in zip(complete, diffs(repo, pairs), strict=True):
            commit["files"] = files
        yield from (commit for commit, _ in batch)


def _log(repo: Repository, given: bytes, options: tuple[str, ...]) -> Iterator[tuple[RawCommit, set[bytes]]]:
    reader = _Reader(repo.tokens(*_LOG, *options, stdin=given))
    while reader.token is not None:
        fields = [reader.advance() for _ in _FIELDS]
        commit: RawCommit = dict(zip(_FIELDS, (f.decode("utf-8", "replace") for f in fields), strict=True))
        commit["sha"] = commit["sha"].lstrip("\n")[1:]
        commit["parents"] = commit["parents"].split()
        commit["at"], commit["authored_at"] = int(commit["at"] or 0), int(commit["authored_at"] or 0)
        commit["files"], used = reader.changes()
        yield commit, used


def diffs(repo: Repository, pairs: Iterable[tuple[str, str | None]], blobs: Blobs | None = None) -> Iterator[list[Change]]:
    """The changed files from each second commit to its first, in order; None is the empty tree.
    Where `blobs` says that one is absent, without renames and line counts.
    """
    wanted = list(pairs)
    degraded: set[int] = set()
    if blobs is not None and blobs.missing:
        plain = list(_diff_tree(repo, wanted, ("--no-renames",)))
        degraded = {i for i, (_, used) in enumerate(plain) if used & blobs.missing}
    full = _diff_tree(repo, [p for i, p in enumerate(wanted) if i not in degraded], _WITH_BLOBS)
    for i in range(len(wanted)):
        yield plain[i][0] if i in degraded else next(full)[0]


def _diff_tree(
    repo: Repository, pairs: list[tuple[str, str | None]], options: tuple[str, ...]
) -> Iterator[tuple[list[Change], set[bytes]]]:
    asked = [(new, old) for new, old in pairs if new != old]
    given = "".join(f"{new} {old}\n" if old else f"{new}\n" for new, old in asked).encode()
    reader = _Reader(repo.tokens(*_TREE, *options, stdin=given)) if asked else None
    for new, old in pairs:
        if reader is None or new == old:
            yield [], set()
            continue
        reader.advance()
        yield reader.changes()
