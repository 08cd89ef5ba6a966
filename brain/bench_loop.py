"""What the tool loop of a model costs beside the model and the database. A server of this process speaks the chat completions of OpenAI
over real HTTP from a script: it asks for tools twice and then answers with what they gave. Time that is spent waiting for it, as the
client's transport sees it, and for the database, as its client does, is taken off the whole; the rest is the loop's own, the vectors of
what is searched for included. No budget is charged for it.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import numpy as np

from brain.brain import Brain
from brain.store import Store
from brain.types import Answer, Arm, Viewer

if TYPE_CHECKING:
    import httpx2

STEP_MS = 15.0
LOOP_ARMS: tuple[Arm, ...] = ("graph", "vector")
MODEL = "scripted"
LOOKING = (("find_entities", "search_passages"), ("details", "search_passages"))
_KEY = re.compile(r'"(?:key|src)": "([a-z]+:[^"\s]{1,200})"')
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Took:
    """One question through the loop, milliseconds: the whole, waiting for the model, the database; and how many turns the model took.
    `plain` is the whole without the database of the same question through the built-in engine; `cpu` what this process spent on the
    processor for it, which other work on the machine lengthens less than the whole.
    """

    arm: str
    question: str
    whole: float
    model: float
    database: float
    turns: int
    plain: float
    cpu: float = 0.0

    @property
    def own(self) -> float:
        """What is neither the model's nor the database's."""
        return self.whole - self.model - self.database

    @property
    def step(self) -> float:
        """The same for each turn of the model, with the tools it asked for."""
        return self.own / max(1, self.turns)


@dataclass(frozen=True)
class LoopTime:
    """All questions in both arms."""

    took: tuple[Took, ...]

    @property
    def step_p50(self) -> float:
        """The median of a step, which is what is promised."""
        return float(np.percentile([t.step for t in self.took], 50)) if self.took else 0.0

    @property
    def step_p95(self) -> float:
        """95 of 100 steps took no longer."""
        return float(np.percentile([t.step for t in self.took], 95)) if self.took else 0.0

    @property
    def cpu_p50(self) -> float:
        """The median of a step on the processor."""
        return float(np.percentile([t.cpu / max(1, t.turns) for t in self.took], 50)) if self.took else 0.0

    @property
    def ratio(self) -> float:
        """How many times as long as the built-in engine a question takes, model and database left out on both sides; the median."""
        return float(np.median([t.own / t.plain for t in self.took if t.plain > 0])) if self.took else 0.0

    @property
    def holds(self) -> bool:
        """Whether the median step is within the bound."""
        return bool(self.took) and self.step_p50 < STEP_MS


class Timed(Store):
    """A connection that adds up how long it waited for what was read through it: from the query sent to the reply there, as bytes."""

    waited_ms = 0.0

    def _between_versions(self, graph: str, reads: Sequence[tuple[Any, ...]]) -> tuple[Any, list[Any], Any]:
        began = time.perf_counter()
        try:
            return super()._between_versions(graph, reads)
        finally:
            self.waited_ms += (time.perf_counter() - began) * 1000


def measure(brain: Brain, questions: Sequence[str], viewer: Viewer, progress: Progress = lambda *a: None) -> LoopTime:
    """Asks each question in both arms, with the scripted model and with the built-in engine, after one question that warms up."""
    from brain.llm import chain, wire

    watched = _watched(wire.network())
    store = Timed.open(brain.settings)
    assert isinstance(store, Timed)
    took = []
    try:
        with scripted() as url:
            settings = replace(brain.settings, llm_url=url, llm_models=MODEL, llm_key="", llm_replay="", llm_record="", llm_mode="tools")
            timed = replace(brain, store=store, settings=settings)
            how = {"engine": "openai", "model": chain.open_chain(settings, watched), "on_text": _nowhere, "fall_back": False}
            for arm in LOOP_ARMS:
                for n, question in enumerate([*questions[:1], *questions]):
                    progress(f"the tool loop, {arm}", n, len(questions))
                    one = _one(timed, store, watched, question, viewer, arm, how)
                    took += [one] if n else []
    finally:
        store.close()
    return LoopTime(tuple(took))


def _nowhere(text: str) -> None:
    """Where the words of the model go; they come as a stream, as they do on a page."""


def _one(brain: Brain, store: Timed, watched: Any, question: str, viewer: Viewer, arm: Arm, how: Mapping[str, Any]) -> Took:
    plain, _, waited, _ = _timed(brain, store, watched, question, viewer, arm, {})
    server, began = _Scripted.cpu_s, time.process_time()
    whole, model, database, answer = _timed(brain, store, watched, question, viewer, arm, how)
    cpu = (time.process_time() - began - (_Scripted.cpu_s - server)) * 1000
    return Took(arm, question, whole, model, database, answer.usage.turns, plain - waited, cpu)


def _timed(
    brain: Brain, store: Timed, watched: Any, question: str, viewer: Viewer, arm: Arm, how: Mapping[str, Any]
) -> tuple[float, float, float, Answer]:
    """Milliseconds of the whole, of waiting for the model, and of the database; and the answer."""
    store.waited_ms = watched.waited_ms = 0.0
    began = time.perf_counter()
    answer = brain.ask(question, viewer=viewer, arm=arm, save=False, **how)
    whole = (time.perf_counter() - began) * 1000
    return whole, watched.waited_ms, store.waited_ms, answer


# What is behind this takes long to import.
def _watched(inner: httpx2.BaseTransport) -> Any:
    """The transport with the time that is spent in it and in the stream of its responses, in `waited_ms`."""
    import httpx2

    class Stream(httpx2.SyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        def __iter__(self) -> Iterator[bytes]:
            parts = iter(self._stream)
            while True:
                began = time.perf_counter()
                try:
                    part = next(parts)
                except StopIteration:
                    return
                finally:
                    watched.waited_ms += (time.perf_counter() - began) * 1000
                yield part

        def close(self) -> None:
            self._stream.close()

    class Watched(httpx2.BaseTransport):
        waited_ms = 0.0

        def handle_request(self, request: httpx2.Request) -> httpx2.Response:
            began = time.perf_counter()
            try:
                reply = inner.handle_request(request)
            finally:
                self.waited_ms += (time.perf_counter() - began) * 1000
            reply.stream = Stream(reply.stream)
            return reply

        def close(self) -> None:
            inner.close()

    watched = Watched()
    return watched


# -- the scripted model -------------------------------------------------------------------------


@contextmanager
def scripted() -> Iterator[str]:
    """A server on this machine that a scripted model answers at; its base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Scripted)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


class _Scripted(BaseHTTPRequestHandler):
    cpu_s = 0.0

    def do_POST(self) -> None:
        began = time.thread_time()
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        delta = reply(body)
        sent = _stream(delta) if body.get("stream") else json.dumps(_whole(delta)).encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if body.get("stream") else "application/json")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)
        _Scripted.cpu_s += time.thread_time() - began

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


def reply(body: Mapping[str, Any]) -> dict[str, Any]:
    """What the scripted model says to a conversation: tools, tools again about what the first gave, then what it found."""
    messages = body["messages"]
    turn = sum(m["role"] == "assistant" for m in messages)
    offered = [t["function"]["name"] for t in body.get("tools") or ()]
    asked = next(str(m["content"]) for m in messages if m["role"] == "user").rpartition("Question: ")[2]
    found = [key for m in messages if m["role"] == "tool" for key in _KEY.findall(str(m["content"]))]
    key = found[0] if found else ""
    if turn < 2 and offered:
        wanted = [name for name in LOOKING[turn] if name in offered]
        calls = [_call(name, turn, asked, key) for name in (wanted if turn == 0 else wanted[:1])]
        return {"tool_calls": [{"index": i, "id": f"c{turn}_{i}", "type": "function", "function": c} for i, c in enumerate(calls)]}
    said = f"STATE: answered\n- It is {key.partition(':')[2]}. [{key}]\nANSWER: {key}" if key else "STATE: insufficient\nANSWER:"
    return {"content": said}


def _call(name: str, turn: int, asked: str, key: str) -> dict[str, str]:
    names = re.findall(r"[\w./-]{4,}", key.partition(":")[2] if turn and key else asked)
    given = {
        "find_entities": {"names": [n.lower() for n in names[:4]]},
        "search_passages": {"text": f"{asked} {' '.join(names[:3])}" if turn else asked},
        "details": {"key": key or "repo:none"},
    }
    return {"name": name, "arguments": json.dumps(given[name])}


def _chunk(delta: Mapping[str, Any], finish: str | None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    told = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": MODEL, "choices": [choice]}
    return f"data: {json.dumps(told)}\n\n".encode()


def _stream(delta: Mapping[str, Any]) -> bytes:
    """The reply as a server streams it: its words a few letters at a time."""
    words = str(delta.get("content") or "")
    pieces: list[Mapping[str, Any]] = [{"content": words[i : i + 4]} for i in range(0, len(words), 4)] or [delta]
    finish = "tool_calls" if "tool_calls" in delta else "stop"
    return b"".join([_chunk({"role": "assistant"}, None), *(_chunk(p, None) for p in pieces), _chunk({}, finish), b"data: [DONE]\n\n"])


def _whole(delta: Mapping[str, Any]) -> dict[str, Any]:
    finish = "tool_calls" if "tool_calls" in delta else "stop"
    choice = {"index": 0, "message": {"role": "assistant", **delta}, "finish_reason": finish}
    return {"id": "x", "object": "chat.completion", "created": 0, "model": MODEL, "choices": [choice]}
