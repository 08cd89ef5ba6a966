"""What was said between us and a model's server, kept in a file: one line of JSON an exchange, with the request's body and what came
back to it, and neither addresses, headers nor keys. Nothing that came is changed, so that a replay hears the very same bytes.
"""

from __future__ import annotations

import gzip
import json
import logging
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from filelock import FileLock

from brain.errors import BadInput, HopcheckError

SECRET = 8
HIDDEN = "[key]"
CLOSED = "Closed"
_DONE = b"data: [DONE]"
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Exchange:
    """A request's body, and what came: the status (0: no answer at all), the bytes, and the name of the fault that ended them."""

    request: Any
    status: int
    body: bytes
    fault: str = ""


class Recorder(httpx2.BaseTransport):
    """A transport that passes everything on to another one, and adds each exchange to a file when it has ended. `made_with` are the
    settings that shape a request; a file that was made with others is refused. The key stands nowhere in it. Where the file can no
    longer be written to, the exchanges go on, and a line of the log says that they are not recorded.
    """

    def __init__(self, inner: httpx2.BaseTransport, path: Path, made_with: Mapping[str, Any], key: str = "") -> None:
        self.inner, self.path, self.key = inner, path, key
        self._said = False
        _begin(path, made_with)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """What the other transport answers; it is asked for plain bytes, so that what is kept can be read."""
        asked = request.read()
        request.headers["accept-encoding"] = "identity"
        try:
            response = self.inner.handle_request(request)
        except httpx2.TransportError as err:
            self._add(asked, 0, b"", type(err).__name__)
            raise
        heard = _Heard(response, lambda body, fault: self._add(asked, response.status_code, body, fault))
        kept = {k: v for k, v in response.headers.items() if k.lower() not in ("content-encoding", "content-length", "transfer-encoding")}
        return httpx2.Response(response.status_code, headers=kept, stream=heard, extensions=response.extensions)

    def close(self) -> None:
        """Closes the other transport."""
        self.inner.close()

    def _add(self, asked: bytes, status: int, body: bytes, fault: str) -> None:
        text = body.decode("utf-8", "surrogateescape")
        line = {"request": parsed(asked), "status": status, "body": text} | ({"fault": fault} if fault else {})
        try:
            _append(self.path, _without(self.key, json.dumps(line)))
            self._said = False
        except OSError as err:
            if not self._said:
                self._said = True
                why = err.strerror or err
                _LOG.warning("cannot record to %s (BRAIN_LLM_RECORD): %s; models are asked without it", self.path, why)


class _Heard(httpx2.SyncByteStream):
    """The bytes of an answer as they pass; `end` is told once what they were, and how they ended."""

    def __init__(self, response: httpx2.Response, end: Any) -> None:
        self.response, self.end = response, end
        self.body, self.told = bytearray(), False

    def __iter__(self) -> Iterator[bytes]:
        try:
            for part in self.response.iter_bytes():
                self.body += part
                yield part
        except httpx2.TransportError as err:
            self._tell(type(err).__name__)
            raise
        self._tell("")

    def close(self) -> None:
        self.response.close()
        self._tell("" if _DONE in self.body else CLOSED)

    def _tell(self, fault: str) -> None:
        if not self.told:
            self.told = True
            self.end(bytes(self.body), fault)


def read(path: Path) -> Iterator[Exchange]:
    """The exchanges of a recording, packed (.gz) or not, in the order in which they ended; a last line that was cut short is left out.

    Raises BadInput, with file and line, where it is no recording.
    """
    for line in _lines(path):
        if "request" in line:
            body = str(line["body"]).encode("utf-8", "surrogateescape")
            yield Exchange(line["request"], int(line["status"]), body, str(line.get("fault", "")))


def made_with(path: Path) -> dict[str, Any]:
    """The settings that a recording was made with; empty when it does not say."""
    first = next(_lines(path), {})
    return dict(first.get("settings", {}))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
            for n, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    return
                found = parsed(line)
                if not isinstance(found, dict) or not (found.keys() >= {"request", "status", "body"} or "settings" in found):
                    raise BadInput(f"{path}:{n}: this is no line of a recording; name a file that BRAIN_LLM_RECORD made")
                yield found
    except (OSError, EOFError) as err:
        raise BadInput(f"cannot read the recording {path}: {getattr(err, 'strerror', None) or err}") from err


def parsed(body: bytes) -> Any:
    """A request's body as it is kept: what its JSON says, or its text where it is none."""
    try:
        return json.loads(body)
    except ValueError:
        return body.decode("utf-8", "surrogateescape")


def _without(key: str, line: str) -> str:
    """The line without the key, should a server have said it back. What is too short to be a secret stays."""
    return line.replace(json.dumps(key)[1:-1], HIDDEN) if len(key) >= SECRET else line


def _begin(path: Path, settings: Mapping[str, Any]) -> None:
    """Puts the settings at the head of a new file; HopcheckError where one is there that was made with others."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path):
            if not path.exists() or not path.stat().st_size:
                _write(path, json.dumps({"settings": dict(settings)}))
                return
    except OSError as err:
        raise HopcheckError(f"cannot record to {path} (BRAIN_LLM_RECORD): {err.strerror or err}") from err
    before = made_with(path)
    if changed := sorted(name for name in {*before, *settings} if before.get(name) != settings.get(name)):
        names = ", ".join(changed)
        raise HopcheckError(f"{path} was recorded with other settings ({names}); name another file in BRAIN_LLM_RECORD")


def _append(path: Path, line: str) -> None:
    """Adds a line whole, whoever else adds one; what a crash left of a line is taken away first."""
    with _locked(path):
        _write(path, line)


def _locked(path: Path) -> FileLock:
    return FileLock(f"{path}.lock")


def _write(path: Path, line: str) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+b") as out:
        out.seek(_whole(out))
        out.truncate()
        out.write(line.encode() + b"\n")


def _whole(file: Any) -> int:
    """How far the file holds whole lines."""
    end = int(file.seek(0, os.SEEK_END))
    while end:
        begin = max(0, end - 65_536)
        file.seek(begin)
        at = file.read(end - begin).rfind(b"\n")
        if at >= 0:
            return begin + int(at) + 1
        end = begin
    return 0
