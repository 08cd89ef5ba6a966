"""Texts cut into slices that a model reads one at a time. A slice is of one document, talk or request and of one access label;
its lines are numbered, and each knows where it is stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from brain.agents.untrusted import Piece, wrap

ROOM = 3000
FEWEST = 12


@dataclass(frozen=True)
class Line:
    """One stored line: of which source and which part of it, where there, by whom (a name or login) and when."""

    source: str
    part: str
    line: int
    text: str
    author: str = ""
    at: int = 0


@dataclass(frozen=True)
class Passage:
    """Lines that were stored together, and whom they are open to."""

    lines: tuple[Line, ...]
    access: str
    aud: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many characters it has."""
        return sum(len(ln.text) for ln in self.lines)


@dataclass(frozen=True)
class Slice:
    """What is read in one go: a part of the thing with the key `about`. Line 1 is the first of `lines`."""

    about: str
    title: str
    lines: tuple[Line, ...]
    access: str = "open"
    aud: tuple[str, ...] = ()
    repo: str = ""

    def line(self, number: int) -> Line | None:
        """The line of that number; None when there is none."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else None

    def told(self) -> str:
        """The slice as a model is given it: its lines by number, with who wrote them when, between marks."""
        pieces, number = [Piece(f"{self.about}: {self.title}", "(title)")], 0
        for (source, part, author, at), some in groupby(self.lines, key=lambda ln: (ln.source, ln.part, ln.author, ln.at)):
            numbered = []
            for ln in some:
                number += 1
                numbered.append(f"{number}: {ln.text}")
            where = source if part in ("", "body") else f"{source} {part}"
            when = f" on {datetime.fromtimestamp(at, UTC):%Y-%m-%d}" if at else ""
            pieces.append(Piece(f"{where}{f' by {author}' if author else ''}{when}", "\n".join(numbered)))
        return wrap(pieces)

    @property
    def name(self) -> str:
        """What tells the slice from every other: its content, its sources and authors with it."""
        return hashlib.sha256(self.told().encode("utf-8", "surrogatepass")).hexdigest()[:32]

    @property
    def words(self) -> str:
        """Everything in it, for looking whether something is named at all."""
        authors = " ".join(dict.fromkeys(ln.author for ln in self.lines))
        return "\n".join([self.about, self.title, authors, *(ln.text for ln in self.lines)])


def cut(about: str, title: str, passages: Iterable[Passage], repo: str = "", room: int = ROOM) -> Iterator[Slice]:
    """The slices of one thing, its passages in order: each of as many passages of one label as there is room for. One that says
    next to nothing is left out.
    """
    for (access, aud), some in groupby(passages, key=lambda p: (p.access, p.aud)):
        for packed in _packed(list(some), room):
            lines = tuple(ln for passage in packed for ln in passage.lines)
            if sum(c.isalpha() for ln in lines for c in ln.text) >= FEWEST:
                yield Slice(about, title, lines, access, aud, repo)


def _packed(passages: Sequence[Passage], room: int) -> Iterator[list[Passage]]:
    batch: list[Passage] = []
    for passage in passages:
        if batch and sum(p.size for p in batch) + passage.size > room:
            yield batch
            batch = []
        batch.append(passage)
    if batch:
        yield batch
