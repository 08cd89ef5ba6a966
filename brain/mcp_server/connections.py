"""Connections to the HTTP server: one that keeps us waiting is ended, and of too many the one that has waited longest makes room."""

from __future__ import annotations

import asyncio
import resource
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_S = 10.0
TAKE_S = 30.0
MOST = 1000
_CLIENT_SPEAKS = (h11.IDLE, h11.SEND_BODY)


def most() -> int:
    """How many connections are kept at a time: half of the files that this process may open, at most MOST."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return min(MOST, files // 2) if files > 0 else MOST


class Connection(H11Protocol):
    """A connection that must bring a whole request, head and body, within REQUEST_S of its first byte (or of being made), and take its
    answer without standing still for TAKE_S. One that waits for its client is never in the way of another.
    """

    _deadline: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts to wait for its first request, in place of the one that has waited longest where there are too many."""
        super().connection_made(transport)
        self._wait(REQUEST_S)
        if len(self.connections) > most():
            waiting = [c for c in self.connections if isinstance(c, Connection) and c is not self and c.waits()]
            if waiting:
                min(waiting, key=lambda c: c._since).end()

    def data_received(self, data: bytes) -> None:
        """Reads on; a request that is begun has until the deadline to be whole."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Goes on to the next request, of which the head may have come already."""
        self._since = self.loop.time()
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:
            self._watch()

    def pause_writing(self) -> None:
        """Waits for the client to take what was written."""
        super().pause_writing()
        self._wait(TAKE_S)

    def resume_writing(self) -> None:
        """Goes on writing."""
        super().resume_writing()
        self._stop_waiting()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Waits no more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def waits(self) -> bool:
        """Whether nothing is being done for it: it has brought no whole request."""
        return self.conn.their_state in _CLIENT_SPEAKS

    def end(self) -> None:
        """Ends it, whatever it was in the middle of; from here on it does not count."""
        self.connections.discard(self)
        if not self.transport.is_closing():
            self.transport.abort()

    def _watch(self) -> None:
        if not self.waits():
            self._stop_waiting()
        elif self._deadline is None:
            self._wait(REQUEST_S)

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._since = self.loop.time()
        self._deadline = self.loop.call_later(seconds, self.end)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def settings() -> dict[str, Any]:
    """How uvicorn is to keep connections. What clients get wrong is not logged, so that nobody without a token can fill the log."""
    return {"http": Connection, "ws": "none", "timeout_keep_alive": 30, "log_level": "error", "access_log": False, "log_config": None}
