"""What comes over the wire, made plain before an SDK reads it: unpacked piece by piece, and of a stream only the events that say
something.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator

PIECE = 65_536
PACKED = frozenset(("gzip", "x-gzip", "deflate"))
BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\r|\n")
_NO_STREAM = (b"{", b"[", b"<")
_AUTOMATIC = zlib.MAX_WBITS | 32


class Compressed(Exception):
    """A reply came compressed although none was asked for, in a way that is not read, or damaged."""


def unpacked(parts: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """The bytes without their compression, never more than a piece at a time, so that whoever counts them can stop in time."""
    if encoding in ("", "identity"):
        yield from parts
        return
    if encoding not in PACKED:
        raise Compressed
    stream = zlib.decompressobj(_AUTOMATIC)
    try:
        for part in parts:
            while part and not stream.eof:
                yield stream.decompress(part, PIECE)
                part = stream.unconsumed_tail
            while not stream.eof and (more := stream.decompress(b"", PIECE)):
                yield more
    except zlib.error:
        raise Compressed from None


def plain(parts: Iterable[bytes]) -> Iterator[bytes]:
    """A body as it should have been sent: one that is a stream of events without a mark of byte order, and without events that carry no
    data (comments, numbers alone), which are none. Everything else as it is.
    """
    held, pieces = b"", iter(parts)
    events: _Events | None = None
    for part in pieces:
        held = (held + part).lstrip()
        start = held.removeprefix(BOM).lstrip()
        if start and not BOM.startswith(start):
            events = None if start.startswith(_NO_STREAM) else _Events()
            break
    if events is None:
        yield held
        yield from pieces
        return
    yield events.take(held)
    for part in pieces:
        yield events.take(part)
    yield events.rest()


class _Events:
    """Passes events on as they are whole."""

    def __init__(self) -> None:
        self._line, self._event = bytearray(), list[bytes]()
        self._first, self._returned = True, False

    def take(self, part: bytes) -> bytes:
        """What is whole with this part."""
        if self._returned and part:
            part, self._returned = part.removeprefix(b"\n"), False  # the other half of a line's end
        first, *more = _LINE_END.split(part)
        self._line += first
        told = []
        for line in more:
            told.append(self._ended())
            self._line += line
        self._returned = part.endswith(b"\r")
        return b"".join(told)

    def rest(self) -> bytes:
        """What came after the last whole event."""
        self._ended()
        return b"\n".join(self._event)

    def _ended(self) -> bytes:
        """Takes the line; the event when it is the one that ends it, and carries data."""
        line = bytes(self._line)
        self._line.clear()
        if self._first:
            line, self._first = line.removeprefix(BOM), False
        if line:
            self._event.append(line)
            return b""
        event, self._event = self._event, []
        said = any(name == b"data" and value.strip() for name, _, value in (line.partition(b":") for line in event))
        return b"\n".join([*event, b"", b""]) if said else b""
