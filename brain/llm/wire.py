"""The connection under a model's SDK. Nothing goes out but what an exchange needs, no more comes in than fits, and it can be hung up."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from typing import Any

import httpx2

from brain.llm.incoming import PACKED, Compressed, plain, unpacked

MOST_BYTES = 8_000_000
SENT_HEADERS = frozenset(("host", "authorization", "content-type", "content-length", "accept", "user-agent"))
NOT_PASSED_ON = frozenset((b"transfer-encoding", b"content-encoding", b"content-length"))
"""How the body was sent; it is passed on unpacked."""


class TooLong(Exception):
    """A reply is larger than is read."""


class HungUp(Exception):
    """The exchange was ended on this side."""


class Line:
    """One exchange's connection. `hang_up` ends it from any thread, and wakes the one that reads."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.ended = self.whole = False
        self._tail = b""
        self._left = most_bytes
        self._socket: socket.socket | None = None

    @property
    def done(self) -> bool:
        """Did the server say all of it: a `whole` reply, or a stream with its end mark?"""
        return self.whole or b"[DONE]" in self._tail

    def trace(self, event: str, info: dict[str, Any]) -> None:
        """Told of each stage of the connection; keeps the socket."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._socket = info["return_value"].get_extra_info("socket")
            if self.ended:
                self.hang_up()

    def hang_up(self) -> None:
        """Nothing more is read; the server sees the connection close."""
        self.ended = True
        if self._socket is not None:
            with contextlib.suppress(OSError):  # it may be closed already
                self._socket.shutdown(socket.SHUT_RDWR)

    def take(self, part: bytes) -> None:
        """Counts what came; raises TooLong or HungUp where reading must end."""
        if self.ended:
            raise HungUp
        self._left -= len(part)
        self._tail = (self._tail + part)[-64:]
        if self._left < 0:
            raise TooLong


class _Counted(httpx2.SyncByteStream):
    """A reply's body, counted after it was unpacked; `told` when it may be a stream of events, and not the text of an error."""

    def __init__(self, stream: httpx2.SyncByteStream, encoding: str, line: Line, told: bool) -> None:
        self._stream, self._encoding, self._line, self._told = stream, encoding, line, told

    def __iter__(self) -> Iterator[bytes]:
        return plain(self._counted()) if self._told else self._counted()

    def _counted(self) -> Iterator[bytes]:
        for part in unpacked(self._stream, self._encoding):
            self._line.take(part)
            yield part

    def close(self) -> None:
        self._stream.close()


class Wire(httpx2.BaseTransport):
    """What an exchange goes through: `inner` with the line's bounds around it. Of the headers that an SDK adds, those that tell of the
    machine are left out; `key` false leaves out the authorisation too.
    """

    def __init__(self, inner: httpx2.BaseTransport, line: Line, key: bool) -> None:
        self._inner, self._line = inner, line
        self._sent = SENT_HEADERS if key else SENT_HEADERS - {"authorization"}

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The response of `inner`, its body counted as it is read."""
        for name in set(request.headers) - self._sent:
            del request.headers[name]
        request.headers["user-agent"] = "hopcheck"
        request.headers["accept-encoding"] = "identity"
        request.extensions = {**request.extensions, "trace": self._line.trace}
        if self._line.ended:
            raise HungUp
        response = self._inner.handle_request(request)
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in (*PACKED, "identity", ""):
            response.close()
            raise Compressed
        stream = response.stream
        assert isinstance(stream, httpx2.SyncByteStream)
        headers = [(k, v) for k, v in response.headers.raw if k.lower() not in NOT_PASSED_ON]
        body = _Counted(stream, encoding, self._line, response.is_success)
        return httpx2.Response(response.status_code, headers=headers, stream=body, extensions=response.extensions)

    def close(self) -> None:
        """Leaves `inner` open: others speak through it too."""


def network() -> httpx2.BaseTransport:
    """The real network. Each exchange has a connection of its own, so that hanging up ends that one alone. Certificates are checked
    against those of the system, or the file that SSL_CERT_FILE names; no proxy is used.
    """
    return httpx2.HTTPTransport(limits=httpx2.Limits(max_connections=None, max_keepalive_connections=0))
