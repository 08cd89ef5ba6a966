"""What linking works with: mentions, what a question links to so far, and what is stored.

A stretch of text belongs to one mention; whoever comes first keeps it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from brain.text.lexicon import Lexicon

Ask = Callable[..., Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Mention:
    """A stretch of the question and the entities it may name.

    `sure` is false for weak readings (given names, everyday words), `how` tells by which rule it was found.
    """

    start: int
    end: int
    text: str
    keys: tuple[str, ...]
    label: str
    how: str
    sure: bool = True


@dataclass
class Links:
    """The mentions of a question in order, and what looked like a name but links to nothing."""

    mentions: list[Mention] = field(default_factory=list)
    unknown: list[tuple[str, str]] = field(default_factory=list)
    ambiguous: list[Mention] = field(default_factory=list)

    def of(self, *labels: str) -> list[Mention]:
        """The mentions with one of these labels."""
        return [m for m in self.mentions if m.label in labels]

    def free(self, start: int, end: int) -> bool:
        """Does no mention take any of this stretch?"""
        return all(end <= m.start or m.end <= start for m in self.mentions)

    def add(self, mention: Mention) -> None:
        """Takes a mention that has a reading, where its stretch is free."""
        if mention.keys and self.free(mention.start, mention.end):
            self.mentions.append(mention)

    def missing(self, text: str, why: str, start: int, end: int) -> None:
        """Notes what names nothing that is stored, and keeps its stretch from other readings."""
        self.unknown.append((text, why))
        self.mentions.append(Mention(start, end, text, (), "", "nothing"))


@dataclass(frozen=True)
class Stock:
    """What is stored: the lexicon's names and, by `ask(query name, **params)`, what is not in it."""

    lexicon: Lexicon
    ask: Ask

    def existing(self, keys: Sequence[str]) -> dict[str, str]:
        """Key in lower case -> stored key, of those that exist for the viewer."""
        rows = self.ask("by_keys", keys=list(dict.fromkeys(keys))) if keys else []
        return {str(r["key"]).lower(): str(r["key"]) for r in rows}

    def repo_key(self, name: str) -> str | None:
        """The repository of that full or short name; None when there is none, or more than one."""
        low = name.lower()
        if low in self.lexicon.repos:
            return self.lexicon.repos[low]
        found = {n.key for n in self.lexicon.get(low) if n.label == "Repo"}
        return found.pop() if len(found) == 1 else None


def repo_of(key: str) -> str:
    """The repository key that an item, path or release key belongs to."""
    rest = key.partition(":")[2]
    return "repo:" + re.split(r"[#@]", "/".join(rest.split("/")[:2]))[0]
