"""How much models may be asked, and how it is said: a budget is a scope, what is counted, and a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from brain.errors import BudgetSpent, HopcheckError

QUESTION, VIEWER, DAY, MONTH, RUN, EXTRACTION = "question", "viewer", "day", "month", "run", "extraction"
SCOPES = (QUESTION, VIEWER, DAY, MONTH)
WHAT = ("tokens", "usd", "runs")
LEAST_USD = 1e-9
"""A smaller difference between two sums of money is none."""
_WHOSE = {QUESTION: "this question's", VIEWER: "your", DAY: "today's", MONTH: "this month's", RUN: "this evaluation's"}
_WHOSE |= {EXTRACTION: "this extraction's"}
SAID = {QUESTION: "one question", VIEWER: "yours, today", DAY: "everybody's, today", MONTH: "everybody's, this month"}
"""What each scope is called where budgets are listed."""
_FORM = "write scope.what=number with commas between, such as day.tokens=500000, or none"


@dataclass(frozen=True)
class Cost:
    """What an exchange may cost, or did."""

    tokens: int = 0
    usd: float = 0.0
    runs: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.tokens + other.tokens, self.usd + other.usd, self.runs + other.runs)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.tokens - other.tokens, self.usd - other.usd, self.runs - other.runs)

    def of(self, what: str) -> float:
        """How much of what a budget counts."""
        return float({"tokens": self.tokens, "usd": self.usd, "runs": self.runs}[what])


@dataclass(frozen=True)
class Limit:
    """One budget: at most `amount` of `what` (tokens, usd or runs) in a `scope`."""

    scope: str
    what: str
    amount: float

    def __str__(self) -> str:
        return f"{self.scope}.{self.what}={self.amount:g}" if self.what == "usd" else f"{self.scope}.{self.what}={int(self.amount)}"

    def refuses(self, spent: Cost, more: Cost) -> bool:
        """Would it be more than the budget allows, with what is asked for now? What asks for nothing of it is not refused."""
        return more.of(self.what) > 0 and spent.of(self.what) + more.of(self.what) > self.amount + LEAST_USD

    def refusal(self, spent: Cost, more: Cost, now: float) -> BudgetSpent:
        """The error that says so."""
        anew = begins(self.scope, now)
        when = f"; it begins anew on {datetime.fromtimestamp(anew, UTC):%Y-%m-%d %H:%M} UTC" if anew else ""
        used, asked = amount(self.what, spent.of(self.what)), amount(self.what, more.of(self.what))
        budget = f"{_WHOSE[self.scope]} budget for models ({self})"
        return BudgetSpent(f"{budget} does not allow another exchange: {used} spent, and this one may take {asked}{when}", self.scope)


@dataclass(frozen=True)
class Left:
    """What is left of one budget for somebody, and when it begins anew (epoch seconds; None: with each question)."""

    scope: str
    what: str
    limit: float
    spent: float
    left: float
    anew: int | None


def parse(text: str, scopes: Sequence[str] = SCOPES, name: str = "BRAIN_LLM_LIMITS") -> tuple[Limit, ...]:
    """The budgets in a text such as `question.tokens=120000, day.usd=2.50`; HopcheckError, in one line, for a bad entry."""
    found: dict[tuple[str, str], Limit] = {}
    for entry in text.split(",") if text.strip().lower() != "none" else ():
        if entry.strip():
            limit = _one(entry.strip(), scopes, name)
            if (limit.scope, limit.what) in found:
                raise HopcheckError(f"{name}: {limit.scope}.{limit.what} is there twice; leave one")
            found[limit.scope, limit.what] = limit
    return tuple(found.values())


def _one(entry: str, scopes: Sequence[str], name: str) -> Limit:
    key, equals, number = (part.strip() for part in entry.partition("="))
    scope, _, what = key.partition(".")
    if not equals or scope not in scopes or what not in WHAT:
        raise HopcheckError(f"{name}: {entry!r} is no budget; {_FORM}; scopes: {', '.join(scopes)}; what: {', '.join(WHAT)}")
    if scope == QUESTION and what == "runs":
        raise HopcheckError(f"{name}: {entry!r} limits nothing, for a question is one run; use viewer.runs, day.runs or month.runs")
    try:
        value = float(number) if what == "usd" else float(int(number))
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e15:
        kind = "amount of dollars" if what == "usd" else "whole number"
        raise HopcheckError(f"{name}: {number!r} in {entry!r} is no {kind} of 0 or more")
    return Limit(scope, what, value)


def day(now: float) -> str:
    """The day it is, UTC."""
    return f"{datetime.fromtimestamp(now, UTC):%Y-%m-%d}"


def begins(scope: str, now: float) -> int | None:
    """When a budget of this scope begins anew after now."""
    today = datetime.fromtimestamp(now, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if scope in (VIEWER, DAY):
        return int((today + timedelta(days=1)).timestamp())
    return int((today.replace(day=1) + timedelta(days=32)).replace(day=1).timestamp()) if scope == MONTH else None


def amount(what: str, value: float) -> str:
    """An amount as a person reads it: 12,300 tokens, $0.42, 3 runs."""
    if what == "usd":
        return f"${value:,.2f}" if value >= 1 or not value else f"${value:.4f}"
    return f"{value:,.0f} {what if value != 1 else what[:-1]}"
