"""Several arms at work at once. Threads work; what they did so far is kept for whoever draws, who may come and go."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Generic, TypeVar

from brain.errors import Cancelled, HopcheckError
from brain.types import Step

A = TypeVar("A", bound=str)
T = TypeVar("T")
PAUSE, PATIENCE, KEPT = 0.2, 20.0, 4000
_STOPPED = "nobody is waiting for this answer any more"


@dataclass(frozen=True)
class Hooks:
    """What an arm is given to tell how it goes, and to learn that nobody waits for it any more."""

    on_step: Callable[[Step], None]
    on_text: Callable[[str], None]
    cancelled: Callable[[], bool]


@dataclass
class Side(Generic[T]):
    """How far one arm is: its steps, what a model is writing in the turn it is in (the last 4,000 characters), and in the end the
    answer or one line of failure; neither where it was stopped.
    """

    steps: list[Step] = field(default_factory=list)
    writing: str = ""
    written: int = 0
    answer: T | None = None
    error: str = ""
    over: bool = False


class Exchange(Generic[A, T]):
    """One question at work in several arms, begun at once. It outlives the drawing of a page, and ends by `stop` or when nobody
    has looked for 20 seconds: arms learn it at their next step, and between by `Hooks.cancelled`.
    """

    def __init__(self, ask: Callable[[A, Hooks], T], arms: Sequence[A], patience: float = PATIENCE) -> None:
        self.sides: Mapping[A, Side[T]] = {arm: Side() for arm in arms}
        self.began = self._seen = time.monotonic()
        self._ended = 0.0
        self._patience = patience
        self._news = threading.Condition()
        self._marks = dict.fromkeys(self.sides, 0)
        self._bugs: list[BaseException] = []
        self._stop = threading.Event()
        for arm in self.sides:
            threading.Thread(target=self._work, args=(ask, arm), name=f"arm-{arm}", daemon=True).start()

    def __enter__(self) -> Exchange[A, T]:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def changes(self) -> Iterator[list[A]]:
        """The arms to be drawn anew, all at first: at once when a step is taken or an arm is over, a few times a second while a
        model writes. Nothing five times a second otherwise, so that whoever draws can be interrupted. Ends with the last arm, and
        when stopped. An error that is no HopcheckError raises here, once.
        """
        drawn = {arm: (-1, -1) for arm in self.sides}
        while True:
            with self._news:
                self._seen = time.monotonic()
                self._news.wait_for(partial(self._told, drawn), PAUSE)
                now = {arm: (self._marks[arm], side.written) for arm, side in self.sides.items()}
                changed = [arm for arm in drawn if now[arm] != drawn[arm]]
                drawn, last = now, self.over or self.stopped
            if self._bugs:
                raise self._bugs.pop()
            yield changed
            if last:
                return

    def stop(self) -> None:
        """Ends the work of every arm that is not over."""
        with self._news:
            self._stop.set()
            self._news.notify_all()

    def wait(self, seconds: float) -> None:
        """Waits until every arm is over, at most so long."""
        with self._news:
            self._news.wait_for(lambda: self.over, seconds)

    @property
    def stopped(self) -> bool:
        """Whether somebody ended it while it was at work."""
        return self._stop.is_set()

    @property
    def over(self) -> bool:
        """Whether every arm came to its end."""
        return all(side.over for side in self.sides.values())

    @property
    def seconds(self) -> float:
        """How long it has taken so far, or took."""
        return (self._ended or time.monotonic()) - self.began

    def answers(self) -> list[T]:
        """The answers there are, in the order of the arms."""
        return [side.answer for side in self.sides.values() if side.answer is not None]

    def _told(self, drawn: Mapping[A, tuple[int, int]]) -> bool:
        return self._stop.is_set() or any(self._marks[arm] > mark for arm, (mark, _) in drawn.items())

    def _cancelled(self) -> bool:
        return self._stop.is_set() or time.monotonic() - self._seen > self._patience

    def _work(self, ask: Callable[[A, Hooks], T], arm: A) -> None:
        """One arm to its end. Its outcome, whatever it is, is kept: a bug raises where the page is drawn."""
        side = self.sides[arm]
        try:
            side.answer = ask(arm, Hooks(lambda step: self._step(arm, step), lambda delta: self._text(arm, delta), self._cancelled))
        except Cancelled as error:
            side.error = "" if self._cancelled() else str(error)
        except HopcheckError as error:
            side.error = str(error)
        except BaseException as error:  # handed to whoever draws, as a future does
            side.error = f"unexpected {type(error).__name__}; see the log"
            self._bugs.append(error)
        with self._news:
            side.over = True
            self._ended = time.monotonic()
            self._marks[arm] += 1
            self._news.notify_all()

    def _step(self, arm: A, step: Step) -> None:
        if self._cancelled():
            raise Cancelled(_STOPPED)
        side = self.sides[arm]
        with self._news:
            side.steps.append(step)
            side.writing = ""
            self._marks[arm] += 1
            self._news.notify_all()

    def _text(self, arm: A, delta: str) -> None:
        if self._cancelled():
            raise Cancelled(_STOPPED)
        side = self.sides[arm]
        with self._news:
            side.writing = (side.writing + delta)[-KEPT:]
            side.written += len(delta)
