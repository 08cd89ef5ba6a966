"""The files that hold a channel's days: their entries with the lines they start on, and what edits and deletions that were
logged as events of their own say about messages of any day.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from brain.connectors.slack_export import Export
from brain.records import Record

_BLOCK = 1 << 20
_EVENTS = (b'"message_changed"', b'"message_deleted"')


def entries(export: Export, name: str) -> Iterator[tuple[Any, int]]:
    """The entries of a file, each with its line, 0 where the layout does not show it."""
    with export.unpacked(name) as path:
        if path is not None:
            lines = _starts(path)
            for value in export.values_in(path, name):
                yield value, next(lines, 0)


def later_words(export: Export, files: Sequence[str]) -> dict[str, Record]:
    """What events say of messages, by the message's time: a new text, or that it was deleted."""
    found: dict[str, Record] = {}
    for name in files:
        noted = len(export.unread)
        with export.unpacked(name) as path:
            if path is not None and _mentions_events(path):
                for raw in export.values_in(path, name):
                    found |= _event(raw)
        del export.unread[noted:]  # they are noted when the messages are read
    return found


def _event(raw: Any) -> dict[str, Record]:
    subtype = raw.get("subtype") if isinstance(raw, dict) else None
    if subtype == "message_deleted":
        before = raw.get("previous_message")
        ts = raw.get("deleted_ts") or (before.get("ts") if isinstance(before, dict) else None)
        return {str(ts): {"deleted": True}} if ts else {}
    if subtype == "message_changed" and isinstance(raw.get("message"), dict):
        now = raw["message"]
        edited = now.get("edited") or {"ts": raw.get("ts")}
        return {str(now["ts"]): {"text": now.get("text"), "edited": edited}} if now.get("ts") else {}
    return {}


def _mentions_events(path: Path) -> bool:
    with path.open("rb") as file:
        before = b""
        while block := file.read(_BLOCK):
            if any(event in before + block for event in _EVENTS):
                return True
            before = block[-20:]
    return False


def _starts(path: Path) -> Iterator[int]:
    """The lines on which the entries of a list start, as far as its layout shows: one entry a line, or all indented alike."""
    indent: bytes | None = None
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            body = line.lstrip(b" \t")
            if indent is None and body.lstrip(b"[ \t,").startswith(b"{"):
                indent = b"?" if body.startswith(b"[") else line[: len(line) - len(body)]
                yield number
            elif indent is not None and indent != b"?" and line.startswith(indent + b"{"):
                yield number
