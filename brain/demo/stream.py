"""A history as `git fast-export` writes it, so that any git can make the repository from it."""

from __future__ import annotations

from collections.abc import Iterator

from brain.demo.contents import Lines, Tree, data
from brain.demo.history import Commit, History
from brain.demo.voice import Signature


def stream(history: History) -> bytes:
    """The whole stream: contents, commits with their parents, then branches, tags and pull request heads."""
    return b"".join(_Writer(history).parts())


class _Writer:
    def __init__(self, history: History) -> None:
        self.history = history
        self.marks: dict[str | bytes, int] = {}

    def parts(self) -> Iterator[bytes]:
        for commit in self.history.commits.values():
            yield from self._commit(commit)
        for ref, oid in sorted(self.history.refs.items()):
            yield f"reset {ref}\nfrom :{self.marks[oid]}\n\n".encode()

    def _commit(self, commit: Commit) -> Iterator[bytes]:
        before: Tree = self.history.commits[commit.parents[0]].tree if commit.parents else {}
        changed = sorted(path for path, lines in commit.tree.items() if before.get(path) != lines)
        for path in changed:
            yield from self._blob(commit.tree[path])
        mark = self.marks[commit.sha] = len(self.marks) + 1
        yield f"commit {commit.ref}\nmark :{mark}\n".encode()
        yield _signed("author", commit.author, commit) + _signed("committer", commit.committer, commit)
        yield _data(f"{commit.message}\n".encode())
        for word, parent in zip(("from", "merge"), commit.parents, strict=False):
            yield f"{word} :{self.marks[parent]}\n".encode()
        yield "".join(f"D {path}\n" for path in sorted(before.keys() - commit.tree.keys())).encode()
        yield "".join(f"M 100644 :{self.marks[data(commit.tree[path])]} {path}\n" for path in changed).encode() + b"\n"

    def _blob(self, lines: Lines) -> Iterator[bytes]:
        content = data(lines)
        if content not in self.marks:
            self.marks[content] = len(self.marks) + 1
            yield f"blob\nmark :{self.marks[content]}\n".encode() + _data(content)


def _data(content: bytes) -> bytes:
    return f"data {len(content)}\n".encode() + content + b"\n"


def _signed(word: str, who: Signature, commit: Commit) -> bytes:
    return f"{word} {who.name} <{who.mail}> {int(commit.at.timestamp())} +0000\n".encode()
