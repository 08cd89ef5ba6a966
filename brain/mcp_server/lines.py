"""Standard input as lines of text. Nothing is read before it is there, so that waiting for it can be ended at any time."""

from __future__ import annotations

import codecs
import fcntl
import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

import anyio

_LOG = logging.getLogger("hopcheck.mcp")
_MOST = 65_536


@contextmanager
def standard_input() -> Iterator[Lines]:
    """The lines of standard input, which is empty to everybody else meanwhile."""
    ours = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        yield Lines(ours)
    finally:
        os.dup2(ours, 0)
        os.close(ours)


class Lines:
    """The lines that come in at a file descriptor, as UTF-8, without the mark of byte order that some put in front of the first."""

    def __init__(self, fd: int) -> None:
        self._fd, self._rest, self._looked, self._first, self._over = fd, bytearray(), 0, True, False

    def __aiter__(self) -> Lines:
        return self

    async def __anext__(self) -> str:
        """The next line; one that holds no message is told to the log, for whoever tries it by hand."""
        while (end := self._rest.find(b"\n", self._looked)) < 0 and not self._over:
            self._looked = len(self._rest)
            got = await self._read()
            self._rest += got
            self._over = not got
        end = end if end >= 0 else len(self._rest) - 1
        line = bytes(self._rest[: end + 1])
        del self._rest[: end + 1]
        self._looked = 0
        if not line:
            raise StopAsyncIteration
        if self._first:
            self._first, line = False, line.removeprefix(codecs.BOM_UTF8)
        text = line.decode("utf-8", "replace")
        _tell(text)
        return text

    async def _read(self) -> bytes:
        try:
            await anyio.wait_readable(self._fd)
        except PermissionError:  # a file, which is never waited for
            await anyio.lowlevel.checkpoint()
        return os.read(self._fd, _MOST)


def _tell(text: str) -> None:
    if not text.strip():
        return
    try:
        if isinstance(json.loads(text), dict):
            return
    except (ValueError, RecursionError):
        pass
    _LOG.warning("a line that holds no message was left out; each line is one JSON-RPC message, such as a client of MCP sends")
