"""A request as the body of a chat completion. What a server refused is left out; the rest is the same for every server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from typing import Any

from brain.llm.talk import Function, Message, Request

PARTS = (
    "stream_options", "parallel_tool_calls", "json_schema", "response_format", "max_tokens", "seed", "temperature", "tool_choice", "stream",
    "tools",
)  # fmt: skip
"""What servers refuse, in the order in which a sentence that names several is read: the narrower first."""


def body(model: str, request: Request, without: Set[str] = frozenset()) -> dict[str, Any]:
    """The body. `without` are parts the server refused: `json_schema` becomes JSON of any form, `max_tokens` its newer name."""
    out: dict[str, Any] = {"model": model, "messages": [_message(m) for m in request.messages]}
    if request.functions and request.schema is None:
        out["tools"] = [_offered(f) for f in request.functions]
        out["parallel_tool_calls"] = True
        if request.choice != "auto":
            out["tool_choice"] = request.choice
    if request.schema is not None:
        out["response_format"] = {"type": "json_object"} if "json_schema" in without else _format(request.schema)
    out["max_completion_tokens" if "max_tokens" in without else "max_tokens"] = request.max_tokens
    out |= {"temperature": 0, "seed": request.seed, "stream": True, "stream_options": {"include_usage": True}}
    if "stream" in without:
        del out["stream_options"]
    return {name: value for name, value in out.items() if name not in without or name == "max_completion_tokens"}


def sent(part: str, of: Mapping[str, Any]) -> bool:
    """Does the body hold that part?"""
    if part == "json_schema":
        return of.get("response_format", {}).get("type") == "json_schema"
    return part in of


def _offered(function: Function) -> dict[str, Any]:
    described = {"name": function.name, "description": function.description, "parameters": dict(function.schema)}
    return {"type": "function", "function": described}


def _format(schema: Mapping[str, Any]) -> dict[str, Any]:
    strict = {"strict": True} if _closed(schema) else {}
    return {"type": "json_schema", "json_schema": {"name": "reply", "schema": dict(schema), **strict}}


def _closed(schema: Any) -> bool:
    """Does every object in the schema name all it may hold, and demand all of it? Only then may a server be held to it strictly."""
    if isinstance(schema, (list, tuple)):
        return all(map(_closed, schema))
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object":
        names = set(schema.get("properties", {}))
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != names:
            return False
    return all(map(_closed, schema.values()))


def _message(message: Message) -> dict[str, Any]:
    out: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.calls:
        out["tool_calls"] = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": _whole(c.arguments)}} for c in message.calls
        ]
    if message.role == "tool":
        out["tool_call_id"] = message.answers
    return out


def _whole(arguments: str) -> str:
    """Arguments as they may be sent back: servers that read them again refuse a whole request for one broken brace."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except ValueError:
        return "{}"
