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

from brain.errors import BadInput, ModelDown
from brain.llm import recording
from brain.llm.recording import CLOSED, Exchange

_AT_ONCE = {"retry-after-ms": "1"}  # a recorded "too many requests" makes nobody wait


@dataclass(frozen=True)
class Recording:
    """A recording as it is looked up: by request the replies in their order, and of each request what tells it from others."""

    path: Path
    replies: Mapping[str, tuple[Exchange, ...]]
    parts: Mapping[str, Mapping[str, str]]
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def models(self) -> tuple[str, ...]:
        """The models that were asked, in the order in which they first were."""
        return tuple(dict.fromkeys(p["model"] for p in self.parts.values() if p.get("model")))


def load(path: Path) -> Recording:
    """The recording in a file, read once for each state of it."""
    try:
        stamp = path.stat()
    except OSError as err:
        raise BadInput(f"cannot read the recording {path}: {err.strerror or err}") from err
    return _load(path, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=8)
def _load(path: Path, *_state: int) -> Recording:
    replies: dict[str, list[Exchange]] = {}
    parts: dict[str, Mapping[str, str]] = {}
    for exchange in recording.read(path):
        key = _key(exchange.request)
        if key not in parts:
            parts[key] = _parts(exchange.request)
        replies.setdefault(key, []).append(Exchange(None, exchange.status, exchange.body, exchange.fault))
    return Recording(path, {k: tuple(v) for k, v in replies.items()}, parts, recording.made_with(path))


class Replay(httpx2.BaseTransport):
    """A transport that answers from a recording, for one conversation: a request that is repeated in it hears the recorded replies in
    their order. One that was never recorded raises ModelDown, which says what is different.
    """

    def __init__(self, recorded: Recording) -> None:
        self.recorded = recorded
        self.heard: Counter[str] = Counter()
        self._lock = Lock()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The next of the recorded replies, or the fault that stood in its place."""
        asked = recording.parsed(request.read())
        key = _key(asked)
        replies = self.recorded.replies.get(key, ())
        with self._lock:
            n = self.heard[key]
            self.heard[key] += 1
        if n >= len(replies):
            raise ModelDown(self._missing(asked, n))
        reply = replies[n]
        if not reply.status:
            raise _fault(reply.fault, request)
        headers = {"content-type": _type(reply.body), **_AT_ONCE}
        return httpx2.Response(reply.status, headers=headers, stream=_Said(reply, request), request=request)

    def _missing(self, asked: Any, times: int) -> str:
        name = self.recorded.path.name
        if times:
            return f"the recording {name} holds no further reply to this request; it was asked {times} times when it was made"
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


def _key(asked: Any) -> str:
    return _digest(asked)


def _parts(asked: Any) -> dict[str, str]:
    """What tells a request from others, part by part; of texts only a digest, for they may not be shown to everybody."""
    if not isinstance(asked, dict):
        return {"body": _digest(asked)}
    said = asked.get("messages") if isinstance(asked.get("messages"), list) else []
    found = {k: v if k == "model" else _digest(v) for k, v in asked.items() if k != "messages"}
    return {k: str(v) for k, v in found.items()} | {f"message {n}": _digest(message) for n, message in enumerate(said or [], 1)}


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
