"""The terms of an organisation and where a text names them: whole words, any case, singular or plural."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from brain.text.words import Phrase, phrase, without_addresses, words

SHORT = 2


@dataclass(frozen=True)
class Concept:
    """A term: its slug (`concept:<slug>` is its key), its name as people write it, every way it is
    written, where it came from, and in how many texts it was found.
    """

    slug: str
    name: str
    terms: tuple[str, ...]
    kind: str
    uses: int = 0


class Mention(NamedTuple):
    """A term found in a text: how often (`n`), and on which line first (1-based)."""

    slug: str
    n: int
    line: int


class Vocabulary:
    """Finds the concepts in texts. The longest term wins; terms of at most two letters keep their case."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self.concepts = sorted(concepts, key=lambda c: (-c.uses, c.slug))
        self._by_slug = {c.slug: c for c in self.concepts}
        self._slugs: dict[Phrase, str] = {}
        self._exact: dict[Phrase, set[str]] = {}
        lengths: dict[str, set[int]] = {}
        for concept in self.concepts:
            for term in concept.terms:
                form = phrase(term)
                if not form or form in self._slugs:
                    continue
                self._slugs[form] = concept.slug
                lengths.setdefault(form[0], set()).add(len(form))
        for concept in self.concepts:
            for term in concept.terms:
                if len(term) <= SHORT:
                    self._exact.setdefault(phrase(term), set()).update((term, term + "s"))
        self._lengths = {first: tuple(sorted(sizes, reverse=True)) for first, sizes in lengths.items()}

    def __contains__(self, slug: str) -> bool:
        return slug in self._by_slug

    def __len__(self) -> int:
        return len(self.concepts)

    def concept(self, slug: str) -> Concept:
        """The concept of a slug; KeyError when there is none."""
        return self._by_slug[slug]

    def mentions(self, text: str) -> list[Mention]:
        """The concepts a text names, the most telling first: often here, seldom elsewhere."""
        found: dict[str, list[int]] = {}
        tokens = words(without_addresses(text))
        norms = [w.norm for w in tokens]
        i = 0
        while i < len(norms):
            size = 1
            for n in self._lengths.get(norms[i], ()):
                form = tuple(norms[i : i + n])
                slug = self._slugs.get(form)
                if slug and (form not in self._exact or tokens[i].raw in self._exact[form]):
                    found.setdefault(slug, [0, tokens[i].line])[0] += 1
                    size = n
                    break
            i += size
        mentions = [Mention(slug, n, line) for slug, (n, line) in found.items()]
        return sorted(mentions, key=lambda m: (-m.n / math.log(3 + self._by_slug[m.slug].uses), m.line, m.slug))
