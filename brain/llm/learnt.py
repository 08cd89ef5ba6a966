"""What the models of a server have shown of themselves while this process runs: what they refuse, and that one is to be left alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

REFUSED_S = 600.0
LONGEST_REST_S = 120.0


class Learnt:
    """Of one model. A refusal counts for ten minutes, since a server may be started anew with what it lacked."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, rests: bool = True) -> None:
        self._clock, self._lock, self._rests = clock, threading.Lock(), rests
        self._refused: dict[str, tuple[float, str]] = {}
        self._rest_until, self._rest_why = 0.0, ""

    def refuse(self, part: str, why: str) -> None:
        """The model refuses that part of a request."""
        with self._lock:
            self._refused[part] = (self._clock() + REFUSED_S, why)

    def refused(self) -> Mapping[str, str]:
        """The parts it refuses, each with the line that said so."""
        with self._lock:
            now = self._clock()
            return {part: why for part, (until, why) in self._refused.items() if until > now}

    def rest(self, seconds: float, why: str) -> None:
        """It is not asked again for so long, at most two minutes."""
        with self._lock:
            if self._rests:
                self._rest_until, self._rest_why = self._clock() + min(seconds, LONGEST_REST_S), why

    def resting(self) -> str:
        """Why it is not to be asked now; empty when it may be."""
        with self._lock:
            left = self._rest_until - self._clock()
            return f"{self._rest_why}; it is asked again in {left:.0f} s" if left >= 1 else self._rest_why if left > 0 else ""


class Memory:
    """What was learnt of every model, by server and name. `rests` false: none is left alone, for who would rather wait than go without."""

    def __init__(self, rests: bool = True) -> None:
        self._lock, self._rests = threading.Lock(), rests
        self._by: dict[tuple[str, str], Learnt] = {}

    def of(self, url: str, model: str) -> Learnt:
        """What was learnt of that model."""
        with self._lock:
            return self._by.setdefault((url, model), Learnt(rests=self._rests))


PROCESS = Memory()
"""What everything in this process has learnt of real servers."""
PATIENT = Memory(rests=False)
"""The same for work that nobody waits for, where each question is to be asked of the same models."""
