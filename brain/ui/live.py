"""Several arms at work at once. Threads work and one queue carries what happens to the thread that draws."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, TypeVar

from brain.errors import Cancelled, HopcheckError
from brain.types import Step

A = TypeVar("A", bound=str)
T = TypeVar("T")


@dataclass(frozen=True)
class Event(Generic[A, T]):
    """Something that happened to one arm: a step taken, the answer, or one line of failure."""

    arm: A
    step: Step | None = None
    answer: T | None = None
    error: str = ""


def ask_all(ask: Callable[[A, Callable[[Step], None]], T], arms: Sequence[A]) -> Iterator[Event[A, T]]:
    """What happens while every arm answers, in the order it happens; ends after the last answer.

    An error a person can mend becomes an event; any other raises here, in the drawing thread.
    Leaving the loop early stops the arms at their next step.
    """
    events: queue.SimpleQueue[tuple[A, Step | None]] = queue.SimpleQueue()
    left = threading.Event()

    def run(arm: A) -> T:
        def on_step(step: Step) -> None:
            if left.is_set():
                raise Cancelled("nobody is waiting for this answer any more")
            events.put((arm, step))

        return ask(arm, on_step)

    pool = ThreadPoolExecutor(max_workers=max(1, len(arms)), thread_name_prefix="arm")
    futures: dict[A, Future[T]] = {}
    try:
        for arm in arms:
            futures[arm] = pool.submit(run, arm)
            futures[arm].add_done_callback(lambda _, arm=arm: events.put((arm, None)))  # type: ignore[misc]
        waiting = len(futures)
        while waiting:
            arm, step = events.get()
            if step is None:
                waiting -= 1
            yield Event(arm, step=step) if step is not None else _outcome(arm, futures[arm])
    finally:
        left.set()
        pool.shutdown(wait=False)


def _outcome(arm: A, future: Future[T]) -> Event[A, T]:
    error = future.exception()
    if isinstance(error, HopcheckError):
        return Event(arm, error=str(error))
    return Event(arm, answer=future.result())
