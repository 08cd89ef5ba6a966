"""A scripted server that speaks the chat completions of OpenAI over real HTTP: a list of replies, each said once, whole or streamed as
the request asks, with every fault that real servers were seen to have.

    with model_server([call("who_knows", target="x"), text("ANSWER: a")]) as server:
        ...                      # server.url, server.requests (the bodies it was sent), server.headers

Instead of a list, a function of the request's body may make the replies: `model_server(lambda body: text("..."))`.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

Tool = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """One reply. `raw` or `events` replace what would be made of the other fields. `usage` is prompt, completion, cached tokens."""

    content: str | None = None
    calls: tuple[Tool, ...] = ()
    finish: str | None = None
    usage: tuple[int, int, int] | None = (100, 10, 0)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    content_type: str = "application/json"
    events: tuple[Any, ...] | None = None
    whole: bool = False
    delay_s: float = 0.0
    dribble_s: float = 0.0
    cut_after: int | None = None
    piece: int = 8

    def but(self, **changes: Any) -> Said:
        """The same reply with other fields: `text("x").but(delay_s=2)`."""
        return replace(self, **changes)


Script = Sequence[Said] | Callable[[dict[str, Any]], Said]


def text(content: str, **fields: Any) -> Said:
    """A reply of text alone."""
    return Said(content=content, **fields)


def tool(name: str, arguments: Any = None, id: str | None = "auto", **args: Any) -> Tool:
    """One call for `calls`; `arguments` goes out as it is (a string of broken JSON, an object), else it is made of the keywords."""
    return {"id": id, "name": name, "arguments": json.dumps(args) if arguments is None else arguments}


def calls(*wanted: Tool, content: str | None = None, **fields: Any) -> Said:
    """A reply that asks for several tools at once."""
    return Said(content=content, calls=wanted, **fields)


def call(name: str, **args: Any) -> Said:
    """A reply that asks for one tool."""
    return calls(tool(name, **args))


def fails(status: int, message: str = "something went wrong", *, param: str | None = None, code: Any = None, type: str = "invalid_request_error",
          headers: dict[str, str] | None = None, **more: Any) -> Said:  # fmt: skip
    """A refusal in the shape of OpenAI's."""
    error = {"message": message, "type": type, "param": param, "code": code, **more}
    return Said(status=status, raw=json.dumps({"error": error}).encode(), headers=headers or {})


def page(html: str = "<html><body>Welcome</body></html>", status: int = 200) -> Said:
    """A page for people, as a wrong address or a proxy serves it."""
    return Said(raw=html.encode(), content_type="text/html", status=status)


def raw(body: bytes, content_type: str = "application/json", **fields: Any) -> Said:
    """Bytes as they are."""
    return Said(raw=body, content_type=content_type, **fields)


def events(*sent: Any, **fields: Any) -> Said:
    """A stream of exactly these: dictionaries become JSON, strings and bytes go out as they are; no [DONE] of its own."""
    return Said(events=sent, **fields)


@dataclass
class ModelServer:
    """A running server: where it is, what it was sent, and how many clients hung up before a reply was over."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    surplus: int = 0
    hung_up: int = 0
    sent_bytes: int = 0
    said: Any = None
    left: list[Said] = field(default_factory=list)
    lock: Any = field(default_factory=threading.Lock)

    def next(self, body: dict[str, Any], headers: dict[str, str]) -> Said:
        """The reply to a request; beyond the script, a fault that fails the test at the end."""
        with self.lock:
            self.requests.append(body)
            self.headers.append(headers)
            if self.said is not None:
                return self.said(body)
            if not self.left:
                self.surplus += 1
                return fails(418, f"the script has no reply for request {len(self.requests)}")
            return self.left.pop(0)


class _Quick(uvicorn.Server):
    """Ends at once, so that hundreds of tests may each have a server of their own."""

    async def main_loop(self) -> None:
        while not self.should_exit:
            await asyncio.sleep(0.005)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        tasks = list(self.server_state.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def model_server(script: Script, all_used: bool = True) -> Iterator[ModelServer]:
    """The server for the block; at its end AssertionError when it was asked for more than was scripted, or (`all_used`) for less."""
    peer = socket.socket()
    peer.bind(("127.0.0.1", 0))
    server = ModelServer(f"http://127.0.0.1:{peer.getsockname()[1]}/v1")
    if callable(script):
        server.said = script
    else:
        server.left = list(script)
    app = Starlette(routes=[Route("/v1/chat/completions", _answering(server), methods=["POST"])])
    running = _Quick(uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=0))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [peer]}, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not running.started:
        assert time.monotonic() < until, "the model server did not start"
        time.sleep(0.005)
    try:
        yield server
    finally:
        running.should_exit = running.force_exit = True
        thread.join(10)
        peer.close()
    assert not server.surplus, f"asked {server.surplus} times more than scripted; the last request was {server.requests[-1]}"
    assert not (all_used and server.left), f"{len(server.left)} scripted replies were never asked for"


def _answering(server: ModelServer) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        body = await request.json()
        said = server.next(body, dict(request.headers))
        if not await _waited(request, said.delay_s):
            server.hung_up += 1
            return Response(status_code=499)
        if said.raw is None and said.status == 200 and (said.events is not None or (body.get("stream") and not said.whole)):
            sent = _sse(said, body, len(server.requests))
            return StreamingResponse(_flowing(server, said, sent), media_type="text/event-stream", headers=said.headers)
        whole = said.raw if said.raw is not None else json.dumps(_completion(said, body, len(server.requests))).encode()
        pieces = [whole[i : i + 65536] for i in range(0, len(whole), 65536)]
        return StreamingResponse(_flowing(server, said, pieces), status_code=said.status, media_type=said.content_type, headers=said.headers)

    return answer


async def _waited(request: Request, seconds: float) -> bool:
    """Waits; False when the client hung up meanwhile."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if await request.is_disconnected():
            return False
        await asyncio.sleep(min(left, 0.02))
    return True


async def _flowing(server: ModelServer, said: Said, pieces: Sequence[bytes]) -> AsyncIterator[bytes]:
    done = False
    try:
        for i, piece in enumerate(pieces):
            if said.cut_after is not None and i >= said.cut_after:
                done = True
                raise ConnectionAbortedError("cut, as scripted")
            server.sent_bytes += len(piece)
            yield piece
            await asyncio.sleep(said.dribble_s)
        done = True
    finally:
        if not done:
            server.hung_up += 1


def _sse(said: Said, body: dict[str, Any], n: int) -> list[bytes]:
    if said.events is not None:
        return [e if isinstance(e, bytes) else e.encode() if isinstance(e, str) else _event(e) for e in said.events]
    base = {"id": f"chatcmpl-{n}", "object": "chat.completion.chunk", "created": 0, "model": body.get("model", "")}
    out = [_event({**base, "choices": [{"index": 0, "delta": {"role": "assistant"}, "finish_reason": None}]})]
    for delta in itertools.chain(_content(said), _calling(said, n)):
        out.append(_event({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}))
    out.append(_event({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": _finish(said)}]}))
    if said.usage and (body.get("stream_options") or {}).get("include_usage"):
        out.append(_event({**base, "choices": [], "usage": _usage(said)}))
    return [*out, b"data: [DONE]\n\n"]


def _event(data: Any) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


def _content(said: Said) -> Iterator[dict[str, Any]]:
    whole = said.content or ""
    for i in range(0, len(whole), said.piece):
        yield {"content": whole[i : i + said.piece]}


def _id(call: Tool, n: int, i: int) -> str | None:
    return f"call_{n}_{i}" if call["id"] == "auto" else call["id"]


def _calling(said: Said, n: int) -> Iterator[dict[str, Any]]:
    for i, call in enumerate(said.calls):
        first: dict[str, Any] = {"index": i, "type": "function", "function": {"name": call["name"], "arguments": ""}}
        if (id := _id(call, n, i)) is not None:
            first["id"] = id
        if not isinstance(call["arguments"], str):
            first["function"]["arguments"] = call["arguments"]
            yield {"tool_calls": [first]}
            continue
        yield {"tool_calls": [first]}
        for at in range(0, len(call["arguments"]), said.piece):
            yield {"tool_calls": [{"index": i, "function": {"arguments": call["arguments"][at : at + said.piece]}}]}


def _finish(said: Said) -> str:
    return said.finish or ("tool_calls" if said.calls else "stop")


def _usage(said: Said) -> dict[str, Any]:
    prompt, completion, cached = said.usage or (0, 0, 0)
    details = {"prompt_tokens_details": {"cached_tokens": cached}} if cached else {}
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion, **details}


def _completion(said: Said, body: dict[str, Any], n: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.content}
    if said.calls:
        message["tool_calls"] = [
            {"type": "function", "function": {"name": c["name"], "arguments": c["arguments"]}} | ({"id": id} if (id := _id(c, n, i)) is not None else {})
            for i, c in enumerate(said.calls)
        ]
    out = {"id": f"chatcmpl-{n}", "object": "chat.completion", "created": 0, "model": body.get("model", ""),
           "choices": [{"index": 0, "message": message, "finish_reason": _finish(said)}]}  # fmt: skip
    return {**out, "usage": _usage(said)} if said.usage else out
