"""A stored passage as every arm and page sees it: its words, where they stand, what is known of its document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Passage:
    """A stored passage and its score in the ranking it came by. `near` is its cosine to the question (0 when
    not compared), `about` the record of its document: state, author, dates, labels.
    """

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
    near: float = 0.0
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def body(self) -> str:
        """The passage without the title that stands in front of it."""
        rest = self.text.removeprefix(self.title)
        return rest.lstrip("\n ") if self.title and rest != self.text else self.text


def passage(row: Mapping[str, Any], score: float | None = None, near: float = 0.0, about: Mapping[str, Any] | None = None) -> Passage:
    """A row of the search queries as a passage; with the row's own score when no other is given."""
    return Passage(
        chunk=str(row["chunk"]),
        src=str(row["src"]),
        label=str(row["src_label"]),
        title=str(row["title"] or ""),
        text=str(row["text"]),
        line=int(row["line"] or 0),
        line_end=int(row["line_end"] or 0),
        at=int(row["at"] or 0),
        author=str(row["author"] or "").removeprefix("person:"),
        repo=str(row["repo"] or ""),
        part=str(row["part"] or ""),
        score=float(row.get("score") or 0.0) if score is None else score,
        near=near,
        about=about or {},
    )
