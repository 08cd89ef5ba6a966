"""An extraction as it is asked for, on the command line and on the page: what is to be read, where it stops, what it may come to at most,
and how far the reading of a workspace is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from brain.errors import BadInput
from brain.extract import prompt
from brain.extract.extraction import Extraction, Plan, Settled
from brain.extract.kept import Reading
from brain.extract.reading import Progress, Spent, cost, in_force
from brain.extract.slices import Slice
from brain.extract.texts import KINDS, kind_of
from brain.llm import opening
from brain.llm.budget import Purse
from brain.llm.limits import EXTRACTION, Limit
from brain.llm.talk import Model
from brain.settings import Settings

RESTRICTED = "restricted"


@dataclass(frozen=True)
class Wanted:
    """What somebody wants read: these kinds, things and labels alone (none: all), at most `limit` slices nobody has read (0: all), so
    many at once, and no more than so many tokens and US dollars (0: no limit of its own).
    """

    kinds: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    access: tuple[str, ...] = ()
    limit: int = 0
    parallel: int = 4
    max_tokens: int = 0
    max_usd: float = 0.0

    @property
    def limits(self) -> list[Limit]:
        """The budgets of its own."""
        return [Limit(EXTRACTION, what, n) for what, n in (("tokens", float(self.max_tokens)), ("usd", self.max_usd)) if n]

    def plan(self, extraction: Extraction) -> Plan:
        """What there is of it, and what of that is unread. BadInput where no model is set up."""
        return extraction.plan(models(extraction.brain.settings), self.kinds, self.only, self.limit, self.access)


@dataclass(frozen=True)
class Estimate:
    """What reading the unread slices may come to at most; `restricted` of them are of restricted sources. `usd` is None where no price
    is known.
    """

    slices: int
    unread: int
    restricted: int
    prompt_tokens: int
    completion_tokens: int
    usd: float | None

    @property
    def said(self) -> str:
        """The estimate in a line."""
        if not self.unread:
            return f"all {self.slices:,} slices are read; nothing would be asked"
        money = f", at most {self.usd:.4f} USD" if self.usd is not None else ", at no known price"
        hidden = f"; {self.restricted:,} of them of restricted sources" if self.restricted else ""
        tokens = self.prompt_tokens + self.completion_tokens
        return f"{self.unread:,} of {self.slices:,} slices to read{hidden}: at most {tokens:,} tokens{money}"


@dataclass(frozen=True)
class Part:
    """A slice without its words: what tells it from others, the kind of text, and its label."""

    name: str
    kind: str
    access: str


@dataclass(frozen=True)
class Standing:
    """How far one kind of text is read: its slices, those that some model read, those of restricted sources, and those that the models
    of the settings have not been asked about.
    """

    kind: str
    slices: int
    read: int
    restricted: int
    unread: int


@dataclass(frozen=True)
class Work:
    """What one model has said that is kept: of how many slices, and what that took. `usd` is of the priced ones alone."""

    model: str
    slices: int
    replies: int
    prompt_tokens: int
    completion_tokens: int
    usd: float
    unpriced: int
    at: int

    @property
    def money(self) -> str:
        """What it cost, in words."""
        return cost(self.replies, self.unpriced, self.usd)


def models(settings: Settings) -> str:
    """What the models that would be asked are called. BadInput where none is set up."""
    if not opening.available(settings):
        raise BadInput(opening.HOW)
    return opening.as_recorded(settings).llm_models


def estimate(settings: Settings, plan: Plan) -> Estimate:
    """What reading what is unread may come to at most."""
    shaped = opening.as_recorded(settings)
    guesses = [opening.guess(shaped, prompt.request(part)) for part in plan.unread]
    priced = bool(guesses) and all(g.usd is not None for g in guesses)
    return Estimate(
        len(plan.chosen), len(plan.unread), sum(part.access == RESTRICTED for part in plan.unread), sum(g.tokens.prompt for g in guesses),
        sum(g.tokens.completion for g in guesses), round(sum(g.usd or 0.0 for g in guesses), 4) if priced else None,
    )  # fmt: skip


def run(
    extraction: Extraction, wanted: Wanted, plan: Plan, progress: Progress = lambda *a: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> tuple[Spent, Settled]:  # fmt: skip
    """Reads what is unread within its budgets, then judges everything and brings in what stands; also when it was stopped."""
    brain, purse = extraction.brain, Purse(wanted.limits)
    asked = models(brain.settings)

    def model() -> Model:
        return opening.open_model(brain.settings, brain.store, extraction.viewer.owner, brain.clock, [purse])

    spent = extraction.read(plan, model, asked, wanted.parallel, progress, cancelled)
    return spent, extraction.settle(plan.every, progress)


def parts(slices: Iterable[Slice]) -> tuple[Part, ...]:
    """The slices without their words, each once."""
    every = {s.name: s for s in slices}
    return tuple(Part(name, kind_of(s.about), s.access) for name, s in every.items())


def standing(every: Iterable[Part], readings: Sequence[Reading], asked: str) -> list[Standing]:
    """How far each kind of text is read, those kinds alone of which there is one; `asked` as `models` gives it."""
    read, wording = in_force(readings), prompt.version()
    known = {r.slice for r in readings if (r.wording, r.asked) == (wording, asked)}
    counts: dict[str, Counter[str]] = {}
    for part in every:
        facts = {"slices": True, "read": part.name in read, "restricted": part.access == RESTRICTED, "unread": part.name not in known}
        counts.setdefault(part.kind, Counter()).update(fact for fact, holds in facts.items() if holds)
    return [Standing(kind, c["slices"], c["read"], c["restricted"], c["unread"]) for kind in KINDS if (c := counts.get(kind))]


def work(readings: Sequence[Reading]) -> list[Work]:
    """What each model read, the one that read last first."""
    by_model: dict[str, list[Reading]] = {}
    for reading in readings:
        by_model.setdefault(reading.model, []).append(reading)
    found = [
        Work(
            model, len({r.slice for r in some}), len(some), sum(r.prompt_tokens for r in some), sum(r.completion_tokens for r in some),
            sum(r.usd or 0.0 for r in some), sum(r.usd is None for r in some), max(r.at for r in some),
        )
        for model, some in by_model.items()
    ]  # fmt: skip
    return sorted(found, key=lambda w: (-w.at, w.model))
