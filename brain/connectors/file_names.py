"""A file is one node under its latest name; what it was called before are earlier names.

Renames count when the default branch has them. A path that was renamed away and is used again is
another file from then on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence


class FileNames:
    """The renames of one repository. Positions are those of commits, 0 the newest."""

    def __init__(self) -> None:
        self._renames: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        self._present: set[str] = set()

    def add(self, position: int, files: Iterable[Sequence[object]]) -> None:
        """Notes the renames among the changed files of a commit on the default branch."""
        for status, path, old, *_ in files:
            if status == "R" and isinstance(path, str) and isinstance(old, str):
                self._renames[old].append((position, path))

    def present(self, paths: Iterable[str]) -> None:
        """Notes paths that exist at the tip of the default branch."""
        self._present.update(paths)

    def exists(self, path: str) -> bool:
        """Whether the path exists at the tip of the default branch."""
        return path in self._present

    def paths(self) -> frozenset[str]:
        """All paths that exist there."""
        return frozenset(self._present)

    def latest(self, path: str, position: int) -> str:
        """The latest name of the file that was at `path` in the commit at `position`."""
        stale = False
        for _ in range(len(self._renames) + 2):
            steps = self._renames.get(path)
            if not steps:
                return path
            later = [step for step in steps if step[0] < position]
            if not later and (stale or path in self._present):
                return path
            if not later:
                stale = True  # a branch that never saw the rename
            position, path = max(later or steps)
        return path

    def earlier(self) -> dict[str, list[str]]:
        """Latest name to earlier names, for every file that was renamed."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for old, steps in self._renames.items():
            for position, _ in steps:
                now = self.latest(old, position + 1)
                if now != old:
                    found[now].add(old)
        return {now: sorted(olds) for now, olds in found.items()}
