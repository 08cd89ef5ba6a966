"""The same over HTTP. At the door stands who may come in: each request brings its token, and is answered as the viewer of that token."""

from __future__ import annotations

import ipaddress
import json
import logging
import socket
from collections.abc import Callable, Sequence
from typing import Any

import anyio.to_thread
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brain.brain import Brain
from brain.errors import BadInput, HopcheckError
from brain.mcp_server import connections
from brain.mcp_server.places import Places
from brain.mcp_server.server import build
from brain.mcp_server.tokens import Tokens

PATH = "/mcp"
LARGEST_REQUEST = 1_000_000
_LOG = logging.getLogger("hopcheck.mcp")
_WHO = "hopcheck.viewer"
_LOCAL = ("127.0.0.1", "localhost", "[::1]")


class Door:
    """Lets in who brings a token that counts, and nobody else; without a token, only the one named `unnamed`, where there is one. Whoever
    brings a token that does not count stays outside.
    """

    def __init__(self, app: ASGIApp, tokens: Tokens, now: Callable[[], float], unnamed: str | None) -> None:
        self._app, self._tokens, self._now, self._unnamed = app, tokens, now, unnamed
        self._places = Places()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers, or passes on."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        try:
            who = await self._who([value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"authorization"])
        except HopcheckError as error:
            _LOG.error("%s", error)
            return await _refuse(send, 503, "tokens cannot be checked now; the log of the server says why")
        if who is None:
            why = "bring a token: Authorization: Bearer ...; brain mcp token create makes one"
            return await _refuse(send, 401, why, (b"www-authenticate", b'Bearer error="invalid_token"'))
        if scope["method"] != "POST":
            return await _refuse(send, 405, "send POST: no stream is kept open", (b"allow", b"POST"))
        whole = await _whole(receive)
        if whole is None:
            return  # its client has gone
        async with self._places.of(who) as given:
            if not given:
                return await _refuse(send, 503, "too much is asked at once; try again in a moment", (b"retry-after", b"2"))
            await self._app({**scope, _WHO: who}, whole, send)

    async def _who(self, brought: Sequence[str]) -> str | None:
        if not brought:
            return self._unnamed
        scheme, _, secret = brought[0].partition(" ")
        if len(brought) > 1 or scheme.lower() != "bearer":
            return None
        return await anyio.to_thread.run_sync(self._tokens.viewer_of, secret.strip(), int(self._now()))


async def _whole(receive: Receive) -> Receive | None:
    """The request once all of its body is there, so that nobody has a place who is still sending; None when the client went before."""
    parts, more = [], True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    kept: list[Message] = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

    async def again() -> Message:
        return kept.pop() if kept else await receive()

    return again


async def _refuse(send: Send, status: int, line: str, *headers: tuple[bytes, bytes]) -> None:
    body = json.dumps({"error": line}).encode()
    told = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *headers]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body})


def app(brain: Brain, hosts: Sequence[str], *, unnamed: str | None = None) -> Starlette:
    """The app: `hosts` are the names, with their ports, by which it may be called (`name:*` for any port)."""
    server = build(brain, lambda ctx: str(ctx.request.scope[_WHO]))
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    inner = server.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, max_request_body_size=LARGEST_REQUEST,
        transport_security=TransportSecuritySettings(allowed_hosts=list(hosts), allowed_origins=origins),
    )  # fmt: skip
    inner.add_middleware(Door, tokens=Tokens(brain.files.folder), now=brain.clock, unnamed=unnamed)
    return inner


def place(text: str) -> tuple[str, int]:
    """Host and port of `127.0.0.1:8765`, `[::1]:8765` or `8765`, which is this machine alone."""
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") if colon else "127.0.0.1"
    if not host or not port.isdigit() or int(port) > 65_535:
        raise BadInput(f"--http is {text!r}; give HOST:PORT, such as 127.0.0.1:8765")
    return host, int(port)


def local(host: str) -> bool:
    """Whether nobody but this machine can reach it there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def names(host: str, port: int, others: Sequence[str]) -> list[str]:
    """By which names it may be called there: its own, and those that were given, such as the name that a proxy passes on."""
    if local(host):
        own = [f"{name}:*" for name in _LOCAL]
    else:
        own = [] if ipaddress_any(host) else [f"[{host}]:{port}" if ":" in host else f"{host}:{port}"]
    return [*own, *others, *(f"{name}:*" for name in others if ":" not in name)]


def ipaddress_any(host: str) -> bool:
    """Whether that address means every address of this machine."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; BadInput when it cannot."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise BadInput(f"cannot listen at {host}:{port}: {error.strerror or error}; give another --http HOST:PORT") from None


def serve(brain: Brain, at: socket.socket, hosts: Sequence[str], *, unnamed: str | None = None) -> None:
    """Serves on that socket until it is told to stop."""
    server(brain, at, hosts, unnamed=unnamed).run(sockets=[at])


def server(brain: Brain, at: socket.socket, hosts: Sequence[str], **how: Any) -> uvicorn.Server:
    """What serves the app: it says nothing of itself, keeps no log of requests, and waits long for nobody."""
    config = uvicorn.Config(app(brain, hosts, **how), server_header=False, timeout_graceful_shutdown=5, **connections.settings())
    return uvicorn.Server(config)
