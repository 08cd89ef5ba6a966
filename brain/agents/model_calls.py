"""The calls in what a model wrote: its own tool calls, made safe to answer, or calls that it left in its text as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from brain.llm.talk import Call, Function, Reply

MOST_OBJECTS, LONGEST_TEXT = 12, 200_000
ANSWER = "answer"
_ARGUMENTS = ("arguments", "parameters", "args", "input")
_NAMES = ("name", "tool", "tool_name", "function")


def calls(reply: Reply, names: Sequence[str], turn: int) -> tuple[Call, ...]:
    """The calls of a reply, each with an id of its own: those it made, else those that stand in its text."""
    made = reply.calls or tuple(in_text(reply.text, names))
    seen: set[str] = set()
    out = []
    for n, call in enumerate(made, 1):
        own = call.id if call.id and call.id not in seen else f"call_{turn}_{n}"
        seen.add(own)
        out.append(Call(own, call.name.strip(), call.arguments))
    return tuple(out)


def in_text(text: str, names: Sequence[str]) -> Iterator[Call]:
    """Calls written as JSON in a text: bare, in a code block or between tags; only of tools that are offered."""
    for found in _objects(text[:LONGEST_TEXT]):
        call = _call(found)
        if call and call.name in names:
            yield call


def chosen(text: str) -> Call | None:
    """The choice in a reply that a schema constrains; None when it is none."""
    for found in _objects(text[:LONGEST_TEXT]):
        if call := _call(found):
            return call
    return None


def choice_schema(functions: Sequence[Function]) -> dict[str, Any]:
    """The JSON schema of a choice: one tool with arguments that fit it, or the answer."""
    options = [_option(f.name, f.schema) for f in functions]
    nothing = {"type": "object", "properties": {}, "additionalProperties": False}
    return {
        "type": "object",
        "properties": {"call": {"anyOf": [*options, _option(ANSWER, nothing)]}},
        "required": ["call"],
        "additionalProperties": False,
    }


def _option(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    properties = {"tool": {"type": "string", "enum": [name]}, "arguments": dict(schema)}
    return {"type": "object", "properties": properties, "required": ["tool", "arguments"], "additionalProperties": False}


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects in a text, in order, those in a list of them too."""
    decoder, at, found = json.JSONDecoder(), 0, 0
    while found < MOST_OBJECTS and (begin := re.compile(r"[\[{]").search(text, at)):
        try:
            value, at = decoder.raw_decode(text, begin.start())
        except (ValueError, RecursionError):
            at = begin.start() + 1
            found += text[begin.start()] == "{"
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, Mapping):
                found += 1
                yield each


def _call(found: Mapping[str, Any]) -> Call | None:
    """An object as a call, when it has the shape of one."""
    inner = next((found[k] for k in ("call", "function", "tool_call") if isinstance(found.get(k), Mapping)), found)
    name = next((inner[k] for k in _NAMES if isinstance(inner.get(k), str)), "")
    given = next((inner[k] for k in _ARGUMENTS if k in inner), None)
    if not name or given is None:
        return None
    text = given if isinstance(given, str) else orjson.dumps(given, default=str).decode()
    return Call("", str(name), text)
