"""JSON files of any size, read value by value; what cannot be read is one line with file and line.

A top-level list gives its items; pages that were joined (a list of lists, or lists after one another)
give the items of each. An object gives itself or, when it carries a marker key, its big lists item by item.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import ijson

from brain.errors import BadInput

MAX_DEPTH = 64
_BLOCK = 1 << 16
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Element:
    """One value of a file: `part` names the list of a marked object it stood in ("" elsewhere, and
    "head" for the rest of that object), `where` its place in the file for a message.
    """

    part: str
    where: str
    value: Any


class _Counted:
    """The file, counting what was handed out; after `fine_from` it hands out single bytes."""

    def __init__(self, file: BinaryIO, fine_from: int | None = None) -> None:
        self.file, self.at, self.last, self.fine_from = file, file.tell(), file.tell(), fine_from

    def read(self, size: int = -1) -> bytes:
        if size == 0:
            return b""
        fine = self.fine_from is not None and self.at >= self.fine_from
        data = self.file.read(1 if fine else _BLOCK)
        self.last = self.at
        self.at += len(data)
        return data


def elements(path: Path, marker: str = "", streamed: tuple[str, ...] = ()) -> Iterator[Element]:
    """The values of a JSON file in order, in bounded memory.

    Raises BadInput naming the file (and the line) when it is missing, empty, not UTF-8 or not JSON.
    """
    try:
        with path.open("rb") as file:
            start = _start(path, file)
            source = _Counted(file)
            events = ijson.basic_parse(source, multiple_values=True, use_float=True, buf_size=_BLOCK)
            try:
                yield from _top(path, events, marker, streamed)
            except (ijson.JSONError, ValueError, OverflowError) as error:
                raise BadInput(_explain(path, start, source.last, error)) from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None


def _start(path: Path, file: BinaryIO) -> int:
    head = file.read(4096)
    if head[:2] in _UTF16 or b"\0" in head:
        raise BadInput(f"{path}: is UTF-16 or binary, not UTF-8; save it as UTF-8")
    start = len(_BOM) if head.startswith(_BOM) else 0
    body = head[start:].lstrip(b" \t\r\n")
    if not body and len(head) < 4096:
        raise BadInput(f"{path}: is empty")
    if body and body[:1] not in b"[{":
        raise BadInput(f"{path}:1: is not JSON: a list or an object was expected, not {body[:20]!r}")
    file.seek(start)
    return start


def _top(path: Path, events: Iterator[tuple[str, Any]], marker: str, streamed: tuple[str, ...]) -> Iterator[Element]:
    count = 0
    for event, value in events:
        if event == "start_array":
            for item in _items(path, events):
                for one in item if isinstance(item, list) else [item]:
                    yield Element("", f"[{count}]", one)
                    count += 1
        elif event == "start_map":
            yield from _object(path, events, marker, streamed, f"[{count}]" if count else "")
            count += 1
        else:
            raise BadInput(f"{path}: holds a bare {value!r}, not a list or an object")


def _object(
    path: Path, events: Iterator[tuple[str, Any]], marker: str, streamed: tuple[str, ...], where: str
) -> Iterator[Element]:
    head: dict[str, Any] = {}
    streaming = False
    for event, key in events:
        if event == "end_map":
            break
        event, value = next(events)
        if key in streamed and event == "start_array" and marker in head and "repo" in head:
            if not streaming:
                yield Element("head", where, head)
                streaming = True
            for index, item in enumerate(_items(path, events)):
                yield Element(key, f"{key}[{index}]", item)
        else:
            head[key] = _build(path, event, value, events)
    if streaming:
        return
    if marker and marker in head:
        yield Element("head", where, {k: v for k, v in head.items() if k not in streamed})
        for key in streamed:
            for index, item in enumerate(head.get(key) or []):
                yield Element(key, f"{key}[{index}]", item)
    else:
        yield Element("", where, head)


def _items(path: Path, events: Iterator[tuple[str, Any]]) -> Iterator[Any]:
    for event, value in events:
        if event == "end_array":
            return
        yield _build(path, event, value, events)


def _build(path: Path, event: str, value: Any, events: Iterator[tuple[str, Any]]) -> Any:
    if event == "start_array":
        root: Any = []
    elif event == "start_map":
        root = {}
    else:
        return value
    stack, key = [(root, "")], ""
    for event, value in events:
        if event == "map_key":
            key = value
            continue
        if event in ("end_map", "end_array"):
            _, key = stack.pop()
            if not stack:
                return root
            continue
        inner = {"start_map": dict, "start_array": list}.get(event, lambda v=value: v)()
        top = stack[-1][0]
        if isinstance(top, list):
            top.append(inner)
        else:
            top[key] = inner
        if event in ("start_map", "start_array"):
            stack.append((inner, key))
            if len(stack) > MAX_DEPTH:
                raise BadInput(f"{path}: is nested deeper than {MAX_DEPTH} levels")
    return root


def _explain(path: Path, start: int, block: int, error: Exception) -> str:
    offset, line = _locate(path, start, block)
    text = str(error)
    if "invalid bytes in UTF8" in text:
        return f"{path}:{line}: is not UTF-8 (byte {offset}); save it as UTF-8"
    if "premature EOF" in text or "incomplete" in text.lower():
        return f"{path}:{line}: the JSON ends too early, after {offset} bytes; the file was cut off"
    return f"{path}:{line}: is not valid JSON (byte {offset})"


def _locate(path: Path, start: int, block: int) -> tuple[int, int]:
    """Byte offset and line of the error, found by reading the failing block once more byte by byte."""
    with path.open("rb") as file:
        file.seek(start)
        source = _Counted(file, fine_from=block)
        try:
            for _ in ijson.basic_parse(source, multiple_values=True, use_float=True, buf_size=_BLOCK):
                pass
        except (ijson.JSONError, ValueError, OverflowError):
            pass
        file.seek(0)
        line, left = 1, source.at
        while left > 0 and (data := file.read(min(left, _BLOCK))):
            line, left = line + data.count(b"\n"), left - len(data)
    return source.at, line
