"""Finding passages: nearest vectors, matching words, or both fused; the same for every arm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Passage:
    """A stored passage with what is known of its document, and its score in the ranking it came by."""

    chunk: str
    src: str
    label: str
    title: str
    text: str
    line: int
    line_end: int
    at: int
    author: str
    repo: str
    part: str
    score: float

    @property
    def body(self) -> str:
        """The passage without the title that stands in front of it."""
        rest = self.text.removeprefix(self.title)
        return rest.lstrip("\n ") if self.title and rest != self.text else self.text


def passage(row: Mapping[str, Any], score: float | None = None) -> Passage:
    """A row of the search queries as a passage."""
    return Passage(
        str(row["chunk"]), str(row["src"]), str(row["src_label"]), str(row["title"] or ""), str(row["text"]), int(row["line"] or 0),
        int(row["line_end"] or 0), int(row["at"] or 0), str(row["author"] or ""), str(row["repo"] or ""), str(row["part"] or ""),
        float(row.get("score") or 0.0) if score is None else score,
    )  # fmt: skip
