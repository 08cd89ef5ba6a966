"""What files were called, as far as GitHub's changed files tell: renames by instant instead of by commit.

Only what landed counts: merged pull requests, and commits that are not of one that did not land.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from brain.connectors.file_names import FileNames

Raw = dict[str, Any]
_GONE, _THERE = 0, 1


class GithubNames:
    """Collects the renames of one repository's records; `settle` before asking."""

    def __init__(self) -> None:
        self.names = FileNames()
        self._changes: list[tuple[int, Sequence[Sequence[Any]], str]] = []
        self._not_landed: set[str] = set()
        self._landed: set[str] = set()

    def pull(self, record: Raw) -> None:
        """Notes a pull request."""
        merged = record.get("state") == "merged"
        known = self._landed if merged else self._not_landed
        known.update(sha for sha in (*(record.get("commits") or ()), record.get("merge_sha")) if sha)
        if merged:
            self._note(record.get("merged_at") or record.get("created_at"), record.get("files"), "")

    def commit(self, record: Raw) -> None:
        """Notes a commit."""
        self._note(record.get("at"), record.get("files"), record["sha"])

    def _note(self, at: int | None, files: Iterable[Sequence[Any]] | None, sha: str) -> None:
        kept = [f[:3] for f in files or () if f[0] in "ADR"]
        if kept and at is not None:
            self._changes.append((at, kept, sha))

    def settle(self) -> None:
        """Works out the names, once everything was noted."""
        state: dict[str, tuple[int, int]] = {}
        for at, files, sha in self._changes:
            if sha in self._not_landed and sha not in self._landed:
                continue
            self.names.add(-at, files)
            for status, path, old in files:
                there = _GONE if status == "D" else _THERE
                state[path] = max(state.get(path, (at, there)), (at, there))
                if status == "R" and old:
                    state[old] = max(state.get(old, (at, _GONE)), (at, _GONE))
        self.names.present(path for path, (_, there) in state.items() if there)
        self._changes.clear()

    def latest(self, path: str, at: int | None) -> str:
        """What the file that was at `path` at that instant is called now."""
        return self.names.latest(path, -(at or 0))
