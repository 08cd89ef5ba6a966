"""What was read, kept and left out of one source, so that the totals of its report add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

Record = dict[str, Any]


class Tally:
    """Counts as a source is read. Of what was left out for one reason in one file the first line is kept."""

    def __init__(self) -> None:
        self.kept: Counter[str] = Counter()
        self.notes: Counter[str] = Counter()
        self._left: dict[tuple[str, str], list[int]] = {}

    def keep(self, kind: str, count: int = 1) -> None:
        """Counts something kept."""
        self.kept[kind] += count

    def skip(self, reason: str, file: str, line: int = 0, count: int = 1) -> None:
        """Counts something left out."""
        first = self._left.setdefault((reason, file), [line, 0])
        first[1] += count

    def note(self, name: str, count: int = 1) -> None:
        """Counts something worth knowing that is not left out."""
        self.notes[name] += count

    @property
    def places(self) -> int:
        """How many reasons in how many places there are so far."""
        return len(self._left)

    @property
    def reason(self) -> str:
        """Why the first thing was left out, with its place; "" when nothing was."""
        for (reason, file), (line, _) in self._left.items():
            return f"{file}:{line}: {reason}" if line else f"{file}: {reason}"
        return ""

    def records(self) -> Iterator[Record]:
        """The skip records and the totals, in which read is kept and skipped together."""
        for (reason, file), (line, count) in self._left.items():
            yield {"kind": "skip", "reason": reason, "file": file, "line": line, "count": count}
        kept, skipped = sum(self.kept.values()), sum(count for _, count in self._left.values())
        yield {"kind": "totals", "read": kept + skipped, "kept": kept, "skipped": skipped, **self.kept, **self.notes}
