"""A reply put together from what a server sends, whole or piece by piece. Whatever shape it has, it is read without raising."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from brain.llm.talk import Call, Tokens

MOST_CHARS = 1_000_000
MOST_CALLS = 64
FINISHES = {
    "stop": "stop", "tool_calls": "tool_calls", "function_call": "tool_calls", "length": "length", "max_tokens": "length",
    "content_filter": "content_filter", "error": "cut",
}  # fmt: skip


@dataclass
class _Slot:
    id: str
    name: str
    arguments: str


class Gathered:
    """What came so far: `text`, calls, why it ended, usage. `answered` once there was any choice in it, `full` when it is too long."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._slots: dict[int, _Slot] = {}
        self._size = 0
        self._finish = ""
        self._usage: Any = None
        self.answered = self.full = False

    @property
    def something(self) -> bool:
        """Did any text or call come?"""
        return bool(self._size or self._slots)

    @property
    def over(self) -> bool:
        """Did it say why it ended? Only a count of tokens may follow."""
        return bool(self._finish)

    def add(self, piece: Any) -> str:
        """Takes a chunk of a stream, or a whole completion; gives the text it adds."""
        piece = _dict(piece)
        self._usage = piece.get("usage") or self._usage
        choices = [_dict(c) for c in _list(piece.get("choices"))]
        for choice in (c for c in choices if c.get("index") in (0, None)):
            self.answered = True
            said = _dict(choice.get("delta") or choice.get("message"))
            for delta in _list(said.get("tool_calls")):
                self._call(_dict(delta))
            if isinstance(reason := choice.get("finish_reason"), str) and reason:
                self._finish = FINISHES.get(reason, "stop")
            if refusal := _text(said.get("refusal")):
                self._finish = "content_filter"
            return _sound(self._keep(_text(said.get("content")) + refusal))
        return ""

    def _keep(self, text: str) -> str:
        text = text[: max(MOST_CHARS - self._size, 0) + 1]
        self._size += len(text)
        self.full = self.full or self._size > MOST_CHARS
        self._parts.append(text)
        return text

    def _call(self, delta: dict[str, Any]) -> None:
        function = _dict(delta.get("function"))
        name, id = _text(function.get("name")), _text(delta.get("id"))
        slot = self._slot(delta.get("index"), name, id)
        if slot is None:
            return
        arguments = function.get("arguments")
        added = arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
        self._size += len(added)
        self.full = self.full or self._size > MOST_CHARS
        slot.arguments += added

    def _slot(self, index: Any, name: str, id: str) -> _Slot | None:
        """The call a delta belongs to: by its index; without one, or with another id under the same index, a named one is new."""
        last = max(self._slots, default=-1)
        at = index if isinstance(index, int) else (last + 1 if name else last)
        known = self._slots.get(at)
        if known is not None and name and known.name and id != known.id and id:
            at, known = last + 1, None
        if known is None:
            if len(self._slots) >= MOST_CALLS:
                self.full = True
                return None
            known = self._slots[at] = _Slot(id, name, "")
        known.id, known.name = known.id or id, known.name or name
        return known

    def said(self) -> str:
        """The text so far."""
        return _sound("".join(self._parts)[:MOST_CHARS])

    def calls(self, broken_off: bool) -> tuple[Call, ...]:
        """The calls, each with an id of its own; of a reply that was broken off, without a last one whose arguments are no JSON."""
        slots = [slot for _, slot in sorted(self._slots.items()) if slot.name or slot.arguments]
        if broken_off and slots and not _json(slots[-1].arguments):
            slots = slots[:-1]
        ids = _distinct(slot.id for slot in slots)
        return tuple(Call(_sound(id), _sound(slot.name), _sound(slot.arguments)) for id, slot in zip(ids, slots, strict=True))

    def finish(self, done: bool) -> str:
        """Why it ended; `done` when the server said that it was over."""
        if self.full:
            return "too_long"
        if not self._finish and not done:
            return "cut"
        if self._slots and self._finish in ("", "stop"):
            return "tool_calls"
        return self._finish or "stop"

    def tokens(self) -> Tokens | None:
        """The server's own count; None where it sent none that can be read."""
        usage = _dict(self._usage)
        prompt, completion = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
        if prompt is None or completion is None:
            return None
        return Tokens(prompt, completion, _count(_dict(usage.get("prompt_tokens_details")).get("cached_tokens")) or 0)


def _distinct(ids: Iterator[str]) -> Iterator[str]:
    taken: set[str] = set()
    for n, id in enumerate(ids, 1):
        own = id or f"call_{n}"
        while own in taken:
            own += f"_{n}"
        taken.add(own)
        yield own


def _json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    """Text as it is; of a list of parts, the text in them."""
    if isinstance(value, list):
        value = "".join(part for each in value if isinstance(part := _dict(each).get("text"), str))
    return value if isinstance(value, str) else ""


def _sound(text: str) -> str:
    """The text without what no text can be stored or shown with: NUL, and halves of a character that were never whole."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "")


def _count(value: Any) -> int | None:
    return int(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1e12 else None
