"""A model with a budget in front of it: nothing is asked that the budgets do not allow, and what was asked is written down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock

from brain.errors import Cancelled, HopcheckError, ModelDown, StoreDown
from brain.llm import talk
from brain.llm.ledger import Ledger
from brain.llm.limits import Cost, Limit
from brain.llm.talk import Model, OnText, Reply, Request, Tokens

CHARS_A_TOKEN = 3
UNPRICED_USD = 1e-6


@dataclass(frozen=True)
class Guess:
    """What an exchange may come to at most, with the model that is asked first. `usd` is None where no price is known, `prompt_usd` is
    what of it the prompt alone costs.
    """

    model: str
    tokens: Tokens
    usd: float | None = None
    prompt_usd: float = 0.0

    @property
    def cost(self) -> Cost:
        """As budgets count it. What has no known price counts next to nothing, but more than a budget of nothing allows."""
        return Cost(self.tokens.prompt + self.tokens.completion, UNPRICED_USD if self.usd is None else self.usd)

    def prompts(self, n: int) -> tuple[Tokens, float | None]:
        """What so many prompts cost that were sent, and to which no reply came."""
        return Tokens(n * self.tokens.prompt, estimated=n > 0), None if self.usd is None else n * self.prompt_usd


class Purse:
    """A budget that one question, or one run of an evaluation, has for itself, kept in this process and shared by its threads."""

    def __init__(self, limits: Sequence[Limit] = ()) -> None:
        self.limits = tuple(limits)
        self._spent = Cost()
        self._lock = Lock()

    @property
    def spent(self) -> Cost:
        """What was taken from it so far; an exchange that runs counts as its estimate."""
        with self._lock:
            return self._spent

    def claim(self, cost: Cost, now: float) -> None:
        """Takes an estimate from it; BudgetSpent, and nothing taken, where it does not allow that."""
        with self._lock:
            for limit in self.limits:
                if limit.refuses(self._spent, cost):
                    raise limit.refusal(self._spent, cost, now)
            self._spent += cost

    def settle(self, claimed: Cost, real: Cost) -> None:
        """Puts what it really cost in the estimate's place."""
        with self._lock:
            self._spent += real - claimed


class Metered:
    """A model that is asked as far as the budgets allow, for one question, whose exchanges follow each other. What an exchange may cost
    at most is claimed before it, from the question's own purse, from those it shares, and from the ledger; afterwards what it did cost
    stands there instead. The estimate of one that never ends, because the process does, stays counted. `sent` tells how many prompts
    reached a server so far: those that no reply came to may be charged all the same, and are counted.
    """

    def __init__(
        self, model: Model, ledger: Ledger, question: Purse, guess: Callable[[Request], Guess], clock: Callable[[], float],
        shared: Sequence[Purse] = (), sent: Callable[[], int] = lambda: 0,
    ) -> None:  # fmt: skip
        self.model, self.ledger, self.guess, self.clock, self.sent = model, ledger, guess, clock, sent
        self._question, self._purses = question, (question, *shared)
        self._begun = False
        self._lock = Lock()

    @property
    def spent(self) -> Cost:
        """What this question has cost so far."""
        return self._question.spent

    def ask(self, request: Request, on_text: OnText | None = None, cancelled: talk.Cancelled = lambda: False) -> Reply:
        """The reply, once the budgets allow it; BudgetSpent, and nobody asked, where they do not."""
        guess = self.guess(request)
        claim, claimed = self._claim(guess.cost)
        said: list[str] = []
        before = self.sent()

        def hear(text: str) -> None:
            said.append(text)
            if on_text:
                on_text(text)

        try:
            reply = self.model.ask(request, hear, cancelled)
        except Cancelled:
            self._settle(claim, claimed, guess.model, *_until_stopped(guess, "".join(said)))
            raise
        except ModelDown:
            self._settle(claim, claimed, guess.model, *guess.prompts(self.sent() - before))
            raise
        lost, usd = guess.prompts(max(0, self.sent() - before - 1))
        paid = None if reply.usd is None else reply.usd + (usd or 0.0)
        self._settle(claim, claimed, reply.model or guess.model, reply.tokens + lost, paid)
        return reply

    def _claim(self, cost: Cost) -> tuple[str, Cost]:
        """The claim of this exchange, and what was claimed; the first of a question counts as a run."""
        now = self.clock()
        with self._lock:
            whole = cost + Cost(runs=0 if self._begun else 1)
            taken: list[Purse] = []
            try:
                for purse in self._purses:
                    purse.claim(whole, now)
                    taken.append(purse)
                claim = self.ledger.claim(whole, now)
            except HopcheckError:
                for purse in taken:
                    purse.settle(whole, Cost())
                raise
            self._begun = True
            return claim, whole

    def _settle(self, claim: str, claimed: Cost, model: str, tokens: Tokens, usd: float | None) -> None:
        real = Cost(tokens.prompt + tokens.completion, usd or 0.0, claimed.runs)
        for purse in self._purses:
            purse.settle(claimed, real)
        with suppress(StoreDown):  # the reply is there; its estimate stays counted
            self.ledger.settle(claim, model, tokens, usd)


def _until_stopped(guess: Guess, said: str) -> tuple[Tokens, float | None]:
    """What an exchange cost that a person stopped: the prompt, and as much of the reply as had come."""
    tokens = Tokens(guess.tokens.prompt, min(guess.tokens.completion, len(said) // CHARS_A_TOKEN), estimated=True)
    if guess.usd is None:
        return tokens, None
    return tokens, guess.prompt_usd + (guess.usd - guess.prompt_usd) * tokens.completion / max(1, guess.tokens.completion)
