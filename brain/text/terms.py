"""The concepts that open texts teach, and those that only the internal ones beside them do. Restricted texts teach none: a term
would tell what stands in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from brain.text.concepts import ConceptBuilder, NameKind
from brain.text.vocabulary import Concept, Mention, Vocabulary

TAUGHT_BY = ("open", "internal")


class Terms:
    """Takes names and texts with their labels and then says which terms there are, and who may know of each."""

    def __init__(self) -> None:
        self._builder = ConceptBuilder()
        self._names: set[tuple[NameKind, str]] = set()
        self._inside: set[tuple[NameKind, str]] = set()
        self._inner = False
        self._open, self._all = Vocabulary(()), Vocabulary(())

    def add_name(self, kind: NameKind, name: str, label: str) -> None:
        """A name from the organisation's structure, as open as what bears it."""
        if label == "open":
            if (kind, name) not in self._names:
                self._names.add((kind, name))
                self._builder.add_name(kind, name)
        elif label in TAUGHT_BY:
            self._inside.add((kind, name))

    def add_text(self, title: str, body: str, label: str) -> None:
        """A text, as open as its source."""
        if label == "open":
            self._builder.add_text(title, body)
        self._inner |= label == "internal"

    def finish(self, file: Path | None, texts: Iterable[tuple[str, str, str]]) -> None:
        """Settles the terms. `file` holds what a person adds and bans; `texts` gives (title, body, label) of all that was added
        once more, read only where something is internal.
        """
        self._open = self._all = self._builder.finish(file)
        if self._inner:
            builder = ConceptBuilder()
            for kind, name in sorted(self._names | self._inside):
                builder.add_name(kind, name)
            for title, body, label in texts:
                if label in TAUGHT_BY:
                    builder.add_text(title, body)
            self._all = builder.finish(file)

    def concepts(self) -> Iterator[tuple[Concept, str]]:
        """Every concept with its label; how often one is used is counted in the texts of that label and wider ones."""
        yield from ((concept, "open") for concept in self._open.concepts)
        yield from ((concept, "internal") for concept in self._all.concepts if concept.slug not in self._open)

    def mentions(self, text: str, most: int) -> list[Mention]:
        """The concepts a text names, at most so many of either label: internal ones take no open one's place."""
        found = self._open.mentions(text)[:most]
        if self._all is self._open:
            return found
        return found + [m for m in self._all.mentions(text) if m.slug not in self._open][:most]
