"""A recording in the place of a model's server: the same request hears the same bytes again, without a network, a key or a wait."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import httpx2

from brain.errors import BadInput
from brain.llm import recording
from brain.llm.body import PARTS
from brain.llm.faults import Fault
from brain.llm.recording import CLOSED, Exchange

ASKED = "Question: "
_AT_ONCE = {"retry-after-ms": "1"}  # a recorded "too many requests" makes nobody wait
_SAID = ("model", "messages", "tools")


@dataclass
class Recording:
    """A recording as it is looked up: the replies to each request in their order, of each request what tells it from others, and which
    requests say the same, so that they differ only in how it is to be said.
    """

    path: Path
    settings: Mapping[str, Any]
    replies: dict[str, list[Exchange]] = field(default_factory=dict)
    parts: dict[str, Mapping[str, str]] = field(default_factory=dict)
    manners: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    alike: dict[str, list[str]] = field(default_factory=dict)
    models: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()

    def add(self, exchange: Exchange) -> None:
        """Takes in one more exchange."""
        asked, key = exchange.request, _digest(exchange.request)
        if key not in self.replies:
            self.replies[key], self.parts[key] = [], _parts(asked)
            if isinstance(asked, dict):
                self.manners[key] = _manner(asked)
                self.alike.setdefault(_said(asked), []).append(key)
                self.models = _with(self.models, str(asked.get("model", "")))
                self.questions = _with(self.questions, _question(asked))
        self.replies[key].append(Exchange(None, exchange.status, exchange.body, exchange.fault))

    def find(self, asked: Any) -> str:
        """Where the replies to a request are: those to the very same one, else to one that only leaves out what a server may refuse,
        as it is asked when the server was already known to; empty: nowhere.
        """
        key = _digest(asked)
        if key in self.replies or not isinstance(asked, dict):
            return key if key in self.replies else ""
        return next((k for k in self.alike.get(_said(asked), ()) if _less(_manner(asked), self.manners[k])), "")


def load(path: Path) -> Recording:
    """The recording in a file, read once for each state of it; BadInput where it is none."""
    try:
        stamp = path.stat()
    except OSError as err:
        raise BadInput(f"cannot read the recording {path}: {err.strerror or err}") from err
    return _load(path, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=8)
def _load(path: Path, *_state: int) -> Recording:
    found = Recording(path, recording.made_with(path))
    for exchange in recording.read(path):
        found.add(exchange)
    return found


class Replay(httpx2.BaseTransport):
    """A transport that answers from a recording, for one conversation: a request that is repeated in it hears the recorded replies in
    their order. One that was never recorded is a fault, which says what is different.
    """

    def __init__(self, recorded: Recording) -> None:
        self.recorded = recorded
        self.heard: Counter[str] = Counter()
        self._lock = Lock()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The next of the recorded replies, or the fault that stood in its place."""
        asked = recording.parsed(request.read())
        key = self.recorded.find(asked)
        replies = self.recorded.replies.get(key, [])
        with self._lock:
            n = self.heard[key]
            self.heard[key] += 1
        if n >= len(replies):
            raise Fault("unusable", self._missing(asked, len(replies)))
        reply = replies[n]
        if not reply.status:
            raise _fault(reply.fault, request)
        headers = {"content-type": _type(reply.body), **_AT_ONCE}
        return httpx2.Response(reply.status, headers=headers, stream=_Said(reply, request), request=request)

    def _missing(self, asked: Any, times: int) -> str:
        name = self.recorded.path.name
        if times:
            return f"the recording {name} holds no further reply to this request, which was asked {times} times when it was made"
        if not self.recorded.parts:
            return f"the recording {name} is empty"
        mine = _parts(asked)
        nearest = min((_differing(mine, other) for other in self.recorded.parts.values()), key=len)
        return f"the recording {name} does not hold this request; the nearest one differs in {_listed(nearest)}"


class _Said(httpx2.SyncByteStream):
    def __init__(self, reply: Exchange, request: httpx2.Request) -> None:
        self.reply, self.request = reply, request

    def __iter__(self) -> Iterator[bytes]:
        yield self.reply.body
        if self.reply.fault:
            raise _fault(self.reply.fault, self.request)


def _fault(name: str, request: httpx2.Request) -> httpx2.TransportError:
    """The fault of that name. Where we closed the stream ourselves nobody knows what would have come: it ends as one that stalled."""
    kind = getattr(httpx2, name, None) if name != CLOSED else None
    fault = kind if isinstance(kind, type) and issubclass(kind, httpx2.TransportError) else httpx2.ReadTimeout
    return fault(f"recorded: {name}", request=request)


def _type(body: bytes) -> str:
    if body.lstrip().startswith((b"data:", b"event:", b"id:", b"retry:", b":")):
        return "text/event-stream"
    return "text/html; charset=utf-8" if body.lstrip().startswith(b"<") else "application/json"


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _with(known: tuple[str, ...], one: str) -> tuple[str, ...]:
    return known if not one or one in known else (*known, one)


# -- what a request is made of ---------------------------------------------------------------


def _said(asked: Mapping[str, Any]) -> str:
    return _digest([asked.get(name) for name in _SAID])


def _manner(asked: Mapping[str, Any]) -> dict[str, Any]:
    """How it is to be answered: all but what is said, the two names of one limit made one."""
    found = {k: v for k, v in asked.items() if k not in _SAID}
    if "max_completion_tokens" in found:
        found["max_tokens"] = found.pop("max_completion_tokens")
    return found


def _less(asked: Mapping[str, Any], recorded: Mapping[str, Any]) -> bool:
    """Is the recorded manner the one that is asked for, without some of what a server may refuse?"""
    loose = recorded.get("response_format") == {"type": "json_object"} and "response_format" in asked
    same = all(asked.get(k) == v for k, v in recorded.items() if not (loose and k == "response_format"))
    return same and all(k in PARTS for k in asked if k not in recorded)


def _question(asked: Mapping[str, Any]) -> str:
    """The question that a conversation is about, as the first turn of the user ends with it."""
    turns = asked.get("messages")
    said = [m.get("content") for m in turns if isinstance(m, dict) and m.get("role") == "user"] if isinstance(turns, list) else []
    lines = str(said[0]).splitlines() if said else []
    return next((line.removeprefix(ASKED) for line in lines if line.startswith(ASKED)), "")


def _parts(asked: Any) -> dict[str, str]:
    """What tells a request from others, part by part; of texts only a digest, for they may not be shown to everybody."""
    if not isinstance(asked, dict):
        return {"body": _digest(asked)}
    turns = asked.get("messages") if isinstance(asked.get("messages"), list) else []
    found = {k: str(v) if k == "model" else _digest(v) for k, v in asked.items() if k != "messages"}
    return found | {f"message {n}": _digest(turn) for n, turn in enumerate(turns or [], 1)}


def _differing(mine: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    names = {**mine, **other}
    return [_told(name, mine, other) for name in names if mine.get(name) != other.get(name)]


def _told(name: str, mine: Mapping[str, str], other: Mapping[str, str]) -> str:
    if name == "model":
        return f"model ({mine.get(name)!r}, recorded {other.get(name)!r})"
    return f"{name} (not asked now)" if name not in mine else f"{name} (not there then)" if name not in other else name


def _listed(names: list[str], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
