"""The one place that imports the SDK, and only when a model is asked: it takes more than half a second. Here it tries
nothing again and sends no more than an exchange needs; organisation, project and headers that it would read from the environment are
not sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import openai

from brain.llm.faults import Fault, Place, in_stream, of_status
from brain.llm.incoming import Compressed
from brain.llm.wire import HungUp, Line, Wire

CONNECT_S = 5.0


class InReply(Exception):
    """A reply of 200 that is an error nonetheless."""

    def __init__(self, error: Any) -> None:
        super().__init__("the reply is an error")
        self.error = error


class NotJson(Exception):
    """A reply that is no JSON, such as a page for people; `page` when it looks like one."""

    def __init__(self, page: bool) -> None:
        super().__init__("the reply is no JSON")
        self.page = page


def pieces(place: Place, body: dict[str, Any], transport: httpx2.BaseTransport, line: Line, timeout_s: float) -> Iterator[Any]:
    """What the server sends for the body: chunks of a stream, or one whole completion. Raises what `fault` understands."""
    wait = httpx2.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s))
    http = httpx2.Client(transport=Wire(transport, line, bool(place.key)), timeout=wait)
    client = openai.OpenAI(base_url=place.url, api_key=place.key or "none", http_client=http, max_retries=0, timeout=wait)
    stream = client.post("/chat/completions", cast_to=object, body=body, stream=True, stream_cls=openai.Stream[object])
    with stream:
        if "event-stream" not in stream.response.headers.get("content-type", "") and not _streamed(stream.response.read()):
            line.whole = True
            yield _whole(stream.response.content)
            return
        yield from stream


def _streamed(content: bytes) -> bool:
    return content.lstrip().startswith((b"data:", b":", b"event:"))


def _whole(content: bytes) -> Any:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        raise NotJson(content.lstrip()[:1] == b"<") from None
    if isinstance(found, dict) and found.get("error"):
        raise InReply(found["error"])
    return found


def fault(err: BaseException, place: Place, body: dict[str, Any]) -> Fault | None:
    """What an exception of `pieces` means; None for one that is a mistake of ours."""
    match err:
        case openai.APIStatusError():
            return of_status(place, err.status_code, err.response.headers, err.body, body)
        case openai.APITimeoutError() | httpx2.TimeoutException():
            return Fault("silent", f"{place.host} did not answer in time: is it running, and is OPENAI_BASE_URL its address?", again=True)
        case openai.APIConnectionError() | httpx2.RequestError():
            cause = err.__cause__ if isinstance(err.__cause__, httpx2.RequestError) else err
            return Fault("silent", _unreached(place, cause), again=True, whole_server=isinstance(cause, httpx2.ConnectError))
        case InReply():
            return in_stream(place, err.error, body)
        case openai.APIError():
            return in_stream(place, err.body, body)
        case NotJson(page=True):
            return Fault("unusable", f"{place.host} answered with a page for people: check OPENAI_BASE_URL, which usually ends in /v1")
        case NotJson() | ValueError() | RecursionError():
            return Fault("unusable", f"{place.host} answered something that is no JSON")
        case Compressed():
            return Fault("unusable", f"{place.host} sends compressed replies that cannot be read, though none were asked for")
        case HungUp():
            return Fault("silent", f"the exchange with {place.host} was ended")
    return None


def _unreached(place: Place, cause: BaseException) -> str:
    if isinstance(cause, httpx2.ConnectError):
        return f"{place.host} cannot be reached ({place.quote(str(cause))}): is it running, and is OPENAI_BASE_URL its address?"
    return f"{place.host} hung up before it had answered ({place.quote(str(cause)) or type(cause).__name__})"
