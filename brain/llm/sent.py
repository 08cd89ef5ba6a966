"""How many prompts reached a server: one that it read may be charged, also when no reply to it came back."""

from __future__ import annotations

from threading import Lock

import httpx2

GAVE_UP = (408, 504)
"""What a server says that had waited for its model in vain."""


class Sent(httpx2.BaseTransport):
    """A transport that passes everything on to another one and counts what was sent and neither failed to connect nor was refused."""

    def __init__(self, inner: httpx2.BaseTransport) -> None:
        self.inner, self.count = inner, 0
        self._lock = Lock()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """What the other transport answers. A request counts from the moment at which it goes out."""
        self._add(1)
        try:
            response = self.inner.handle_request(request)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
            self._add(-1)
            raise
        if response.status_code >= 400 and response.status_code not in GAVE_UP:
            self._add(-1)
        return response

    def close(self) -> None:
        """Closes the other transport."""
        self.inner.close()

    def _add(self, n: int) -> None:
        with self._lock:
            self.count += n
