"""Asking a model about slices: a few at a time, each reply kept at once, until all are asked, the budget is spent, no model answers or
somebody stops it. Nothing here judges what was said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from threading import Event

from brain.errors import BudgetSpent, Cancelled, ModelDown
from brain.extract import prompt
from brain.extract.kept import Kept, Reading
from brain.extract.slices import Slice
from brain.llm.talk import Model

STOPPED = "stopped; what was read is kept"
IN_VAIN = 3
"""After so many slices in a row that no model answered, the rest is left for the next time."""
_BROKEN = ("cut", "too_long")
Opened = Callable[[], Model]
Progress = Callable[[str, int, int], None]


def cost(asked: int, unpriced: int, usd: float) -> str:
    """What so many exchanges cost, in words, so many of them at no known price."""
    known = f"{usd:.4f} USD" if asked > unpriced else ""
    without = f"{unpriced:,} at no known price" if unpriced else ""
    return ", ".join(filter(None, (known, without))) or "nothing"


@dataclass
class Spent:
    """What asking came to. `stopped` says why not everything was asked; `failed` why single slices were not."""

    asked: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    unpriced: int = 0
    left: int = 0
    stopped: str = ""
    failed: list[str] = field(default_factory=list)

    @property
    def money(self) -> str:
        """What it cost, in words."""
        return cost(self.asked, self.unpriced, self.usd)

    @property
    def why(self) -> list[str]:
        """Why not everything was read, each reason once."""
        reasons = dict.fromkeys(filter(None, (self.stopped, *self.failed)))
        return [reason for reason in reasons if reason == self.stopped or reason not in self.stopped]


@dataclass
class Reader:
    """Reads slices with a model. `opened` gives the model for one slice, with its budgets; `asked` is what its models are called."""

    kept: Kept
    opened: Opened
    asked: str
    clock: Callable[[], float]
    parallel: int = 4

    def read(self, parts: Sequence[Slice], progress: Progress = lambda *a: None, cancelled: Callable[[], bool] = lambda: False) -> Spent:
        """Asks about each slice; what it cost, and what stopped it. Every reply is kept, also when this is killed. Who interrupts it
        waits for no server: Cancelled says what was read by then.
        """
        spent, running, halt = Spent(), set[Future[Reading]](), Event()
        try:
            with ThreadPoolExecutor(max_workers=max(1, self.parallel)) as pool:
                try:
                    self._read(pool, parts, running, spent, progress, lambda: halt.is_set() or cancelled())
                finally:
                    halt.set()
                    pool.shutdown(wait=False, cancel_futures=True)
        except KeyboardInterrupt:
            read = spent.asked + sum(one.done() and not one.cancelled() and one.exception() is None for one in running)
            raise Cancelled(
                f"stopped; {read:,} of {len(parts):,} slices were read and are kept: the same command goes on from there, and "
                "brain extract judge brings in what they say"
            ) from None
        spent.left = len(parts) - spent.asked
        return spent

    def _read(
        self, pool: ThreadPoolExecutor, parts: Sequence[Slice], running: set[Future[Reading]], spent: Spent, progress: Progress,
        cancelled: Callable[[], bool],
    ) -> None:  # fmt: skip
        waiting, in_vain = iter(parts), 0
        running |= self._start(pool, islice(waiting, self.parallel), cancelled)
        while running:
            tokens = spent.prompt_tokens + spent.completion_tokens
            progress(f"reading texts, {tokens:,} tokens, cost {spent.money}", spent.asked, len(parts))
            done, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
            for one in done:
                running.discard(one)
                in_vain = self._taken(one, spent, in_vain)
            if cancelled():
                spent.stopped = spent.stopped or STOPPED
            if not spent.stopped:
                running |= self._start(pool, islice(waiting, len(done)), cancelled)

    def _start(self, pool: ThreadPoolExecutor, parts: Iterable[Slice], cancelled: Callable[[], bool]) -> set[Future[Reading]]:
        return {pool.submit(self._ask, part, cancelled) for part in parts}

    def _ask(self, part: Slice, cancelled: Callable[[], bool]) -> Reading:
        request = prompt.request(part)
        reply = self.opened().ask(request, None, cancelled)
        if reply.finish in _BROKEN:
            raise ModelDown(f"{reply.model}: the reply did not come whole")
        tokens = reply.tokens
        reading = Reading(
            part.name, prompt.version(), self.asked, reply.model, reply.text, reply.finish, tokens.prompt, tokens.completion, reply.usd,
            int(self.clock()),
        )  # fmt: skip
        self.kept.add(reading)
        return reading

    def _taken(self, one: Future[Reading], spent: Spent, in_vain: int) -> int:
        """Counts what became of a slice; how many were asked in vain since the last that was not."""
        try:
            reading = one.result()
        except Cancelled:
            spent.stopped = spent.stopped or STOPPED
            return in_vain
        except BudgetSpent as why:
            spent.stopped = spent.stopped or str(why)
            return in_vain
        except ModelDown as why:
            spent.failed.append(str(why))
            if in_vain + 1 >= IN_VAIN:
                spent.stopped = spent.stopped or f"no model answers: {why}"
            return in_vain + 1
        spent.asked += 1
        spent.prompt_tokens += reading.prompt_tokens
        spent.completion_tokens += reading.completion_tokens
        spent.usd += reading.usd or 0.0
        spent.unpriced += reading.usd is None
        return 0


def unread(parts: Iterable[Slice], readings: Iterable[Reading], asked: str) -> Iterator[Slice]:
    """The slices that these models have not been asked about in the present wording."""
    known = {r.name for r in readings}
    met: set[str] = set()
    for part in parts:
        if (part.name, prompt.version(), asked) not in known and part.name not in met:
            met.add(part.name)
            yield part


def in_force(readings: Iterable[Reading]) -> dict[str, Reading]:
    """The reply that counts for each slice: the one that came last."""
    return {r.slice: r for r in readings}
