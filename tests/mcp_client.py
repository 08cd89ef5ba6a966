"""The reference client of the protocol, spoken to from ordinary tests: in memory, or over HTTP at a real port."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from brain.brain import Brain
from brain.mcp_server import http
from brain.mcp_server.server import build

Job = Callable[[Client], Awaitable[Any]]


def talk(brain: Brain, who: str, job: Job, mode: str = "auto") -> Any:
    """What the job gives that speaks to a server of that viewer, without a process or port between."""

    async def run() -> Any:
        async with Client(build(brain, lambda ctx: who), mode=mode) as client:
            return await job(client)

    return anyio.run(run)


def call(brain: Brain, who: str, name: str, **args: Any) -> Any:
    """The result of one tool."""
    return talk(brain, who, lambda c: c.call_tool(name, args))


def rows(brain: Brain, who: str, name: str, **args: Any) -> list[dict[str, Any]]:
    """The rows of one tool that must not fail."""
    result = call(brain, who, name, **args)
    assert not result.is_error, said(result)
    return list(result.structured_content["rows"])


def read(brain: Brain, who: str, address: str) -> str:
    """The text at an address; of what is refused, the words."""

    async def job(client: Client) -> str:
        try:
            return str((await client.read_resource(address)).contents[0].text)
        except MCPError as error:
            return f"refused: {error.message}"

    return str(talk(brain, who, job))


def said(result: Any) -> str:
    """All text of a result."""
    return "\n".join(part.text for part in result.content if part.type == "text")


@contextmanager
def served(brain: Brain, **how: Any) -> Iterator[str]:
    """The address of a server at a free port of this machine."""
    at = http.listen("127.0.0.1", 0)
    port = at.getsockname()[1]
    server = http.server(brain, at, http.names("127.0.0.1", port, ()), **how)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [at]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port}{http.PATH}"
    finally:
        server.should_exit = True
        thread.join(10)
        at.close()


def over_http(url: str, token: str | None, job: Job, mode: str = "auto") -> Any:
    """What the job gives that speaks to the server at the address, with a token or without."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}

    async def run() -> Any:
        async with httpx2.AsyncClient(headers=headers, timeout=30) as way, Client(streamable_http_client(url, http_client=way), mode=mode) as c:
            return await job(c)

    return anyio.run(run)
