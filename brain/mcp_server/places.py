"""How many requests are answered at once: some more wait for their turn, and the rest is asked to come again."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

AT_ONCE = 64
WAITING = 448
WAIT_S = 10.0
QUIET_S = 60.0
_LOG = logging.getLogger("hopcheck.mcp")


class Places:
    """AT_ONCE requests have a place, WAITING more wait for one for WAIT_S at most. Half of both is the most that one viewer has."""

    def __init__(self) -> None:
        self._free = anyio.Semaphore(AT_ONCE)
        self._here: Counter[str] = Counter()
        self._told_at = -QUIET_S
        self._away = 0

    @asynccontextmanager
    async def of(self, who: str) -> AsyncIterator[bool]:
        """A place for a request of that viewer, as long as it lasts; False where there is none."""
        if self._here.total() >= AT_ONCE + WAITING or self._here[who] >= (AT_ONCE + WAITING) // 2:
            self._tell()
            yield False
            return
        self._here[who] += 1
        got = False
        try:
            with anyio.move_on_after(WAIT_S):
                await self._free.acquire()
                got = True
            if not got:
                self._tell()
            yield got
        finally:
            if got:
                self._free.release()
            self._here[who] -= 1
            if not self._here[who]:
                del self._here[who]

    def _tell(self) -> None:
        """Logs that requests were turned away: one line in QUIET_S, however many they are."""
        self._away += 1
        now = time.monotonic()
        if now - self._told_at >= QUIET_S:
            _LOG.warning("too many requests at once: %d turned away since this was last said", self._away)
            self._told_at, self._away = now, 0
