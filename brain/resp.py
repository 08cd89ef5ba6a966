"""A few commands of the Redis protocol over a unix socket; the supervisor needs no client library."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from types import TracebackType
from typing import Self


class ReplyError(Exception):
    """The server answered with an error; the text starts with its code (`WRONGPASS`, `LOADING`, ...)."""


class ProtocolError(Exception):
    """The peer closed the connection or does not speak the protocol."""


class Connection:
    """One connection; every call ends within `timeout` seconds or raises TimeoutError. A reply longer than `most` bytes, where
    that is given, is a ProtocolError.
    """

    def __init__(self, path: Path, timeout: float = 2.0, most: int = 0) -> None:
        """Connect; raises FileNotFoundError or ConnectionRefusedError when nobody listens there."""
        self._timeout, self._most, self._got = timeout, most, 0
        self._buffer = bytearray()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(timeout)
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the socket; calling it twice is harmless."""
        self._socket.close()

    def call(self, *words: str | bytes | int) -> object:
        """The reply as str, int, None or a list of them; an error reply raises ReplyError."""
        parts = [w if isinstance(w, bytes) else str(w).encode() for w in words]
        self._deadline, self._got = time.monotonic() + self._timeout, 0
        try:
            self._socket.settimeout(self._timeout)
            self._socket.sendall(b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(p), p) for p in parts))
        except (BrokenPipeError, ConnectionResetError) as e:
            raise ProtocolError(f"the connection was closed: {e}") from e
        return self._reply()

    def _more(self) -> None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("no reply in time")
        self._socket.settimeout(left)
        try:
            data = self._socket.recv(65536)
        except ConnectionResetError as e:
            raise ProtocolError(f"the connection was closed: {e}") from e
        if not data:
            raise ProtocolError("the connection was closed")
        self._got += len(data)
        if 0 < self._most < self._got:
            raise ProtocolError(f"the reply is longer than {self._most} bytes")
        self._buffer += data

    def _take(self, size: int) -> bytes:
        while len(self._buffer) < size:
            self._more()
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def _line(self) -> bytes:
        while (end := self._buffer.find(b"\r\n")) < 0:
            if len(self._buffer) > 65536:
                raise ProtocolError("a line without an end")
            self._more()
        return self._take(end + 2)[:-2]

    def _reply(self) -> object:
        line = self._line()
        kind, text = line[:1], line[1:].decode("utf-8", "replace")
        if kind == b"+":
            return text
        if kind == b"-":
            raise ReplyError(text)
        try:
            number = int(text)
        except ValueError:
            raise ProtocolError(f"not a Redis reply: {line[:60]!r}") from None
        if kind == b":":
            return number
        if kind == b"$":
            return None if number < 0 else self._take(number + 2)[:-2].decode("utf-8", "replace")
        if kind == b"*":
            return None if number < 0 else [self._reply() for _ in range(number)]
        raise ProtocolError(f"not a Redis reply: {line[:60]!r}")


def info(reply: object) -> dict[str, str]:
    """The fields of an INFO reply."""
    pairs = (line.partition(":") for line in str(reply).splitlines() if ":" in line and not line.startswith("#"))
    return {key: value for key, _, value in pairs}
