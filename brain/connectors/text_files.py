"""Text files in whatever encoding they come: UTF-8 with or without a mark, UTF-16, and Windows' for the rest."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import TextIO

from brain.errors import BadInput

_BLOCK = 1 << 20
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def encoding_of(path: Path) -> str:
    """The encoding of a text file: utf-8, utf-8-sig, utf-16, or cp1252 for what is none of these.

    Raises BadInput when the file cannot be read, is empty, or is no text.
    """
    try:
        with path.open("rb") as file:
            head = file.read(4096)
            if not head.strip():
                raise BadInput(f"{path}: is empty")
            for mark, name in _MARKS:
                if head.startswith(mark):
                    return name
            if b"\0" in head:
                raise BadInput(f"{path}: is binary, not text")
            decoder = codecs.getincrementaldecoder("utf-8")()
            block = head
            while block:
                decoder.decode(block)
                block = file.read(_BLOCK)
            decoder.decode(b"", final=True)
            return "utf-8"
    except UnicodeDecodeError:
        return "cp1252"
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from None


def opened(path: Path, encoding: str) -> TextIO:
    """The file for reading, its line ends as they are; what the encoding does not know becomes a replacement sign."""
    return path.open(encoding=encoding, errors="replace", newline="")


def head_of(path: Path, size: int = 65536) -> str:
    """The beginning of a file as text, "" for what is none or cannot be read. For telling what a file is."""
    try:
        with path.open("rb") as file:
            data = file.read(size)
    except OSError:
        return ""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data.decode(name, "ignore")
    return "" if b"\0" in data else data.decode("utf-8", "ignore")
