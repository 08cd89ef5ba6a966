"""Several arms asked at once. Threads ask and one queue carries what happens to the thread that draws."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from brain.errors import Cancelled, HopcheckError
from brain.types import Answer, Arm, Step

Ask = Callable[[Arm, Callable[[Step], None]], Answer]


@dataclass(frozen=True)
class Event:
    """Something that happened to one arm: a step taken, the answer, or one line of failure."""

    arm: Arm
    step: Step | None = None
    answer: Answer | None = None
    error: str = ""


def ask_all(ask: Ask, arms: Sequence[Arm]) -> Iterator[Event]:
    """What happens while every arm answers, in the order it happens; ends after the last answer.

    An error a person can mend becomes an event; any other raises here, in the drawing thread.
    Leaving the loop early stops the arms at their next step.
    """
    events: queue.SimpleQueue[tuple[Arm, Step | None]] = queue.SimpleQueue()
    left = threading.Event()

    def run(arm: Arm) -> Answer:
        def on_step(step: Step) -> None:
            if left.is_set():
                raise Cancelled("nobody is waiting for this answer any more")
            events.put((arm, step))

        return ask(arm, on_step)

    pool = ThreadPoolExecutor(max_workers=max(1, len(arms)), thread_name_prefix="arm")
    futures: dict[Arm, Future[Answer]] = {}
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


def _outcome(arm: Arm, future: Future[Answer]) -> Event:
    error = future.exception()
    if isinstance(error, HopcheckError):
        return Event(arm, error=str(error))
    return Event(arm, answer=future.result())
