"""The values of a JSON or JSON-lines file with the line each begins on, one at a time.

A list gives its items, pages in a list the items of each, an object that wraps a list the items of that list. In a
file of lines a bad one costs only itself; in any other what cannot be read ends the file with BadInput.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from brain.connectors.text_files import encoding_of, head_of, opened
from brain.errors import BadInput

_BLOCK = 1 << 20
_LONGEST = 1 << 28
_DECODER = json.JSONDecoder()
_DEEPEST = 64
_GOES_ON = ("", *"0123456789+-.eE")
_CUT = ("Unterminated string", "Invalid \\", "Invalid control")


@dataclass(frozen=True)
class Value:
    """One value and the line it begins on; `error` says why there is none."""

    line: int
    value: Any = None
    error: str = ""


def first_value(path: Path) -> Any:
    """The first value of a file, or the first items of its list; None when the file is no JSON. Cheap."""
    text = head_of(path).lstrip("\ufeff \t\r\n")
    if text[:1] not in ("[", "{"):
        return None
    while text[:1] == "[":
        text = text[1:].lstrip()
    try:
        return _DECODER.raw_decode(text)[0]
    except (ValueError, RecursionError):
        return _start_of(text)


def _start_of(text: str) -> Any:
    """The fields at the beginning of an object that is longer than what was read of it; lists give their first item."""
    found: dict[str, Any] = {}
    at = 1
    try:
        while text[:1] == "{":
            at = _past(text, at, " \t\r\n,")
            name, at = _DECODER.raw_decode(text, at)
            at = _past(text, at, " \t\r\n:")
            try:
                found[name], at = _DECODER.raw_decode(text, at)
            except ValueError:
                inner = text[_past(text, at, " \t\r\n[") :]
                found[name] = [_DECODER.raw_decode(inner)[0]] if text[at] == "[" else _start_of(inner)
                break
    except (ValueError, IndexError, TypeError, RecursionError):
        pass
    return found or None


def _past(text: str, at: int, what: str) -> int:
    while text[at] in what:
        at += 1
    return at


def values(path: Path, lists: tuple[str, ...] = ()) -> Iterator[Value]:
    """The values of a file in order; `lists` are the names under which an object may wrap a list of them.

    Raises BadInput naming file and line for what is missing, empty, no JSON or cut off.
    """
    encoding = encoding_of(path)
    with opened(path, encoding) as file:
        if _in_lines(path):
            yield from _lines(file, lists)
        else:
            yield from _Scanner(path, file).top(lists)


def _in_lines(path: Path) -> bool:
    lines = [line.strip() for line in head_of(path, _BLOCK).lstrip("\ufeff").splitlines() if line.strip()]
    if not lines or not lines[0].startswith("{"):
        return False
    try:
        return isinstance(json.loads(lines[0]), dict)
    except (ValueError, RecursionError):
        return lines[0].endswith("}") and len(lines) > 1 and lines[1].startswith("{")


def _lines(file: TextIO, lists: tuple[str, ...]) -> Iterator[Value]:
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            yield Value(number, error="is not valid JSON")
            continue
        for one in _unwrapped(value, lists):
            yield Value(number, one)


def _unwrapped(value: Any, lists: tuple[str, ...]) -> list[Any]:
    if isinstance(value, dict):
        named = next((name for name in lists if isinstance(value.get(name), list)), None)
        return value[named] if named else [value]
    return [one for item in value for one in _unwrapped(item, lists)] if isinstance(value, list) else [value]


class _Scanner:
    """Reads a file value by value, never holding more than one of them and a block."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self.path, self.file = path, file
        self.text, self.at, self.line, self.ended = "", 0, 1, False

    def top(self, lists: tuple[str, ...]) -> Iterator[Value]:
        while char := self.peek():
            if char == "[":
                yield from self.items()
            elif char == "{":
                yield from self.object(lists)
            else:
                raise self.bad("a list or an object was expected")

    def items(self, depth: int = 0) -> Iterator[Value]:
        if depth > _DEEPEST:
            raise self.bad("is nested too deep")
        self.take()
        while (char := self.peek()) != "]":
            if char == "[":
                yield from self.items(depth + 1)
            else:
                line = self.line
                yield Value(line, self.value())
            if self.peek() == ",":
                self.take()
            elif self.peek() != "]":
                raise self.bad("a comma or the end of the list was expected")
        self.take()

    def object(self, lists: tuple[str, ...]) -> Iterator[Value]:
        line, found, wrapped = self.line, dict[str, Any](), False
        self.take()
        while self.peek() != "}":
            name = self.value()
            if self.peek() != ":" or not isinstance(name, str):
                raise self.bad("a name and a colon were expected")
            self.take()
            if name in lists and self.peek() == "[":
                wrapped = True
                yield from self.items()
            else:
                found[name] = self.value()
            if self.peek() == ",":
                self.take()
            elif self.peek() != "}":
                raise self.bad("a comma or the end of the object was expected")
        self.take()
        if not wrapped:
            yield Value(line, found)

    def peek(self) -> str:
        """The next character that is no space; "" at the end."""
        while True:
            while self.at < len(self.text):
                char = self.text[self.at]
                if char not in " \t\r\n\ufeff":
                    return char
                self.line += char == "\n"
                self.at += 1
            if not self.more(_BLOCK):
                return ""

    def take(self) -> None:
        self.at += 1

    def more(self, size: int) -> bool:
        part = self.file.read(size)
        self.text, self.at = self.text[self.at :] + part, 0
        self.ended = not part
        return bool(part)

    def value(self) -> Any:
        self.peek()
        size = _BLOCK
        while True:
            try:
                value, end = _DECODER.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                near = len(self.text) - error.pos < 64 or error.msg.startswith(_CUT)
                if near and size < _LONGEST and self.more(size):
                    size *= 2
                    continue
                raise self.bad(error.msg[:1].lower() + error.msg[1:], error.pos) from None
            except RecursionError:
                raise self.bad("is nested too deep") from None
            if not isinstance(value, dict | list | str) and self.text[end : end + 1] in _GOES_ON and self.more(_BLOCK):
                continue  # the rest of a number may still come
            self.line += self.text.count("\n", self.at, end)
            self.at = end
            return value

    def bad(self, why: str, at: int | None = None) -> BadInput:
        line = self.line + self.text.count("\n", self.at, self.at if at is None else at)
        cut = self.ended and (self.at if at is None else at) >= len(self.text.rstrip())
        reason = "the JSON ends too early; the file was cut off" if cut else f"is not valid JSON: {why}"
        return BadInput(f"{self.path}:{line}: {reason}")
