"""What goes wrong with a server, as one kind of error and one line that says what to mend. No key is ever in that line."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal
from urllib.parse import urlsplit

from brain.llm.body import PARTS, sent

Kind = Literal["busy", "silent", "refused", "unusable"]
AGAIN = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
LONGEST_QUOTE = 200
QUOTA = ("insufficient_quota", "billing_hard_limit_reached")
NAMED = {
    "stream_options": r"stream_options|include_usage", "parallel_tool_calls": r"parallel", "max_tokens": r"max_tokens",
    "json_schema": r"json[_ ]schema|schema|guided|grammar", "response_format": r"response[_ ]?format|json[_ ]object|json[_ ]mode",
    "seed": r"\bseed\b", "temperature": r"\btemperature\b", "tool_choice": r"tool[_ ]?choice", "stream": r"\bstream(ing)?\b",
    "tools": r"\btools?\b(?!_)|tool[- ](use|call)|function[- ]call",
}  # fmt: skip
REFUSING = (
    r"support|unknown|unexpected|unrecogni[sz]ed|extra|not (permitted|allowed|available|implemented|enabled)|forbidden|require|invalid|"
    r"cannot|can't|unable|deprecated|must (either )?be"
)
UNREADABLE = r"does not match the expected .{1,40} format|failed to parse input at pos|error parsing tool call|type=json_invalid"
"""How servers say that what a model wrote is no call they can read, vLLM with a 400: at temperature 0 it writes the same again."""
UNKNOWN_MODEL = (
    r"(invalid|unknown|no such) model|\bmodel\b.{0,120}(does not exist|not exist|not found|is not (available|loaded|served))|"
    r"server is pinned to"
)
"""How servers say with a 400 that they have no such model."""
WRONG_KEY = r"api[ _-]?key\b.{0,20}(not valid|invalid|incorrect|expired|not found)|(invalid|incorrect|unknown|expired|no) api[ _-]?key"
KEY_TYPES = ("no_db_connection", "invalid_api_key", "authentication_error", "auth_error", "token_not_found_in_db")
"""What servers call a key that they do not know, whatever the status; the first is LiteLLM's where it has one key and no database."""
TOO_LARGE = r"context[ _](length|size|window)|exceed_context|maximum context|too many tokens|prompt is too long|reduce the length"


@dataclass(eq=False)
class Fault(Exception):
    """An exchange that gave no reply. `again`: the same may work later, after `after` seconds where the server said so. `part`: the
    part of the request that was refused. `failed`: what the model had written when the server gave up on it. `whole_server`: no other
    model there would fare better.
    """

    kind: Kind
    why: str
    again: bool = False
    after: float | None = None
    part: str = ""
    failed: str | None = None
    whole_server: bool = False

    def __str__(self) -> str:
        return self.why


@dataclass(frozen=True)
class Place:
    """Where a model is asked; what a fault's line needs to name it without telling a secret."""

    url: str = field(repr=False)
    model: str
    key: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        """The server, without user, password or query."""
        parts = urlsplit(self.url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.hostname or '?'}{port}"

    def quote(self, said: str) -> str:
        """The server's own words, on one line, short, without anything that looks like a key."""
        line = " ".join("".join(letter if letter.isprintable() else " " for letter in said[:10_000]).split())
        if self.key:
            line = line.replace(self.key, "…")
        line = re.sub(r"\b(sk|gsk|pk|key)[-_][\w*.-]{4,}|(?i:bearer)\s+\S+", "…", line)
        return line if len(line) <= LONGEST_QUOTE else f"{line[:LONGEST_QUOTE]}…"


def of_status(place: Place, status: int, headers: Mapping[str, str], error: Any, body: Mapping[str, Any]) -> Fault:
    """The fault of a reply that says what is wrong: by its status and the error in it, and what had been sent."""
    said = _said(error)
    quoted = f": {quote}" if (quote := place.quote(said)) else ""
    told = error if isinstance(error, dict) else {}
    if told.get("code") == "tool_use_failed" and isinstance(failed := told.get("failed_generation"), str):
        return Fault("unusable", f"{place.host} could not read the call that was written", failed=failed)
    if status >= 400 and re.search(UNREADABLE, said, re.I):
        return Fault("unusable", f"{place.model} wrote what {place.host} cannot read{quoted}", failed="")
    if status == 401 or (status == 403 and not _names_model(said)) or (status == 400 and _of_the_key(told, said)):
        has = "refused the key" if place.key else "wants a key and was sent none"
        why = f"{place.host} {has} (HTTP {status}): check OPENAI_API_KEY and OPENAI_BASE_URL"
        return Fault("unusable", why, whole_server=status != 403)
    if re.search(TOO_LARGE, said, re.I) or status == 413:
        return Fault("unusable", f"the question is too large for this model{quoted}; lower BRAIN_LLM_PROMPT_TOKENS")
    if status == 400 and re.search(UNKNOWN_MODEL, said, re.I):
        return _no_model(place, status, quoted)
    if status >= 400 and status not in (429, 503) and (part := refused(said, told.get("param"), body)):
        return Fault("refused", f"{place.host} refused {part} (HTTP {status}){quoted}", part=part)
    if status in (403, 404):
        return _no_model(place, status, quoted)
    if 300 <= status < 400:
        return Fault("unusable", f"{place.host} sends elsewhere (HTTP {status}): set OPENAI_BASE_URL to where the server is now")
    if told.get("code") in QUOTA or told.get("type") in QUOTA or status == 402:
        return Fault("unusable", f"the account at {place.host} has no quota left (HTTP {status})", after=retry_after(headers))
    if status in AGAIN or status >= 500:
        again = headers.get("x-should-retry") != "false"
        return Fault("busy", f"{place.host} is busy or in trouble (HTTP {status}){quoted}", again, retry_after(headers))
    return Fault("unusable", f"{place.host} refused the request (HTTP {status}){quoted}")


def in_stream(place: Place, error: Any, body: Mapping[str, Any]) -> Fault:
    """The fault of an error that came inside a reply that began well."""
    told = error if isinstance(error, dict) else {}
    for name in ("code", "status", "status_code"):
        if isinstance(code := told.get(name), int) and 400 <= code < 600:
            return of_status(place, code, {}, error, body)
    words = f"{told.get('type')} {told.get('code')} {_said(error)}".lower()
    busy = re.search(r"rate.?limit|overload|capacity|unavailable|server_error|internal|timeout|timed out|busy", words)
    return of_status(place, 429 if busy else 400, {}, error, body)


def refused(said: str, param: Any, body: Mapping[str, Any]) -> str:
    """The part of the request that a refusal means, or nothing: the parameter it names, else a part its sentence names."""
    if isinstance(param, str) and param:
        root = re.split(r"[.\[]", param)[0]
        if root == "response_format" and sent("json_schema", body):
            return "json_schema"
        return root if root in PARTS and sent(root, body) else ""
    said = said[:10_000]
    if not re.search(REFUSING, said, re.I):
        return ""
    return next((part for part in PARTS if sent(part, body) and re.search(NAMED[part], said, re.I)), "")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds a server asks to be left alone: given as milliseconds, seconds or a date; None where it says nothing of use."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name)
        if not value:
            continue
        try:
            seconds = float(value) / scale
        except ValueError:
            seconds = _until(value)
        if 0 <= seconds < float("inf"):
            return seconds
    return None


def _until(date: str) -> float:
    try:
        at = parsedate_to_datetime(date)
    except ValueError:
        return -1.0
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max((at - datetime.now(UTC)).total_seconds(), 0.0)


def _said(error: Any) -> str:
    if isinstance(error, dict):
        for name in ("message", "detail", "error", "msg"):
            if isinstance(error.get(name), str):
                return _own_words(str(error[name]))
            if isinstance(error.get(name), (list, dict)):
                return _of_fields(error[name]) or str(error[name])
    return _own_words(error) if isinstance(error, str) else "" if error is None else str(error)


def _own_words(said: str) -> str:
    """What a server says without what it repeats of a request or a reply, in which anything may stand."""
    if said.startswith("[{"):
        try:
            said = _of_fields(ast.literal_eval(said)) or said
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return said
    return re.sub(r"input_value=.{0,100000}?, (?=input_type=)", "", said, flags=re.S)


def _of_fields(found: Any) -> str:
    """What was wrong with which part of a request, where a server lists that; nothing for anything else."""
    each = [f for f in found if isinstance(f, dict) and isinstance(f.get("msg"), str)] if isinstance(found, list) else []
    return "; ".join(f"{'.'.join(map(str, f.get('loc') or ()))}: {f['msg']}" for f in each)


def _no_model(place: Place, status: int, quoted: str) -> Fault:
    return Fault("unusable", f"{place.host} has no {place.model} (HTTP {status}){quoted}: check BRAIN_LLM_MODELS and OPENAI_BASE_URL")


def _of_the_key(told: Mapping[str, Any], said: str) -> bool:
    return told.get("type") in KEY_TYPES or told.get("code") in KEY_TYPES or bool(re.search(WRONG_KEY, said, re.I))


def _names_model(said: str) -> bool:
    return bool(re.search(r"\bmodel\b", said, re.I))
