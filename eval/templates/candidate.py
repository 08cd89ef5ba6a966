"""A question before it is worded: what it is about, and its gold answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from eval.gold.company import Company
from eval.gold.world import World
from eval.questions import Match
from eval.templates.slots import Slot

LARGEST = 12


@dataclass(frozen=True)
class Candidate:
    """`about` is what the pick spreads over (a repository), `slots` fill the wording."""

    about: str
    slots: Mapping[str, Slot]
    gold: tuple[str | int | tuple[str, ...], ...]
    match: Match = "set"
    sources: tuple[str, ...] = ()
    as_of: int | None = None


Template = Callable[[World, Random], Iterator[Candidate]]
CompanyTemplate = Callable[[Company, Random], Iterator[Candidate]]


def found(about: str, slots: Mapping[str, Slot], gold: frozenset[str] | None, sources: tuple[str, ...] = ()) -> Iterator[Candidate]:
    """A set question when there is a right answer of a size that one can check by eye."""
    if gold and len(gold) <= LARGEST:
        yield Candidate(about, slots, tuple(sorted(gold)), sources=sources)


def nothing(about: str, slots: Mapping[str, Slot], gold: frozenset[str] | None, sources: tuple[str, ...] = ()) -> Iterator[Candidate]:
    """A set question whose right answer is that there is none."""
    if gold is not None and not gold:
        yield Candidate(about, slots, (), sources=sources)


def number(about: str, slots: Mapping[str, Slot], value: int, least: int = 2) -> Iterator[Candidate]:
    """A number question when the number is not too small to be guessed."""
    if value >= least:
        yield Candidate(about, slots, (value,), "number")
