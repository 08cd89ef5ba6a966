"""The calls in what a model wrote: its own tool calls, made safe to answer, or calls that it left in its text as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from brain.agents.model_says import STATES
from brain.llm.talk import Call, Function, Reply

MOST_OBJECTS, LONGEST_TEXT = 12, 200_000
LONGEST_BACK, LONGEST_WRITTEN = 20_000, 300
LEAST_CLAIMS, MOST_CLAIMS, TOKENS_A_CLAIM = 2, 12, 80
ANSWER = "answer"
_ARGUMENTS = ("arguments", "parameters", "args", "input")
_NAMES = ("name", "tool", "tool_name", "function")


def calls(reply: Reply, names: Sequence[str], turn: int) -> tuple[Call, ...]:
    """The calls of a reply: those it made, else those that stand in its text. Their ids are ours, for those of servers are missing,
    double, or new each time, and a conversation is to be the same when it is had again.
    """
    made = reply.calls or tuple(in_text(reply.text, names))
    return tuple(Call(f"call_{turn}_{n}", call.name.strip(), call.arguments) for n, call in enumerate(made, 1))


def repeatable(call: Call) -> Call:
    """The call as it can be said back to a server: some end a conversation in which arguments are no JSON object."""
    try:
        sound = isinstance(orjson.loads(call.arguments), dict)
    except orjson.JSONDecodeError:
        sound = False
    return call if sound and len(call.arguments) <= LONGEST_BACK else Call(call.id, call.name[:80] or "unknown", "{}")


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


def choice_schema(functions: Sequence[Function], answer: bool = True) -> dict[str, Any]:
    """The JSON schema of a choice: one tool with arguments that fit it or, where there is something to `answer` from, the answer."""
    options = [_option(f.name, _bounded(f.schema)) for f in functions]
    if answer:
        options.append(_option(ANSWER, {"type": "object", "properties": {}, "additionalProperties": False}))
    return {
        "type": "object",
        "properties": {"call": {"anyOf": options}},
        "required": ["call"],
        "additionalProperties": False,
    }


def answer_schema(keys: Sequence[str], most_claims: int = MOST_CLAIMS) -> dict[str, Any]:
    """The JSON schema of an answer that cites some of these keys. Servers write properties in this order: what was found stands before
    the state, since small models that choose the state first say that nothing was.
    """
    claim = {
        "type": "object",
        "properties": {
            "text": {"type": "string", "maxLength": 400},
            "cites": {"type": "array", "items": {"type": "string", "enum": [*keys]}, "minItems": 1, "maxItems": 8, "uniqueItems": True},
        },
        "required": ["text", "cites"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "claims": {"type": "array", "items": claim, "maxItems": most_claims},
            "items": {"type": "array", "items": {"type": "string", "maxLength": LONGEST_WRITTEN}, "maxItems": 40},
            "state": {"type": "string", "enum": [*STATES]},
        },
        "required": ["claims", "items", "state"],
        "additionalProperties": False,
    }


def claims_within(max_tokens: int) -> int:
    """How many claims an answer may hold, so that its items and its state come before its end: small models repeat one to the last."""
    return max(LEAST_CLAIMS, min(MOST_CLAIMS, max_tokens // TOKENS_A_CLAIM))


def _bounded(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a tool's arguments with an end to what is written: what is constrained has no other."""
    properties = {}
    for name, kind in schema.get("properties", {}).items():
        if kind.get("type") == "string" and "enum" not in kind:
            kind = {**kind, "maxLength": LONGEST_WRITTEN}
        elif kind.get("type") == "array":
            each = kind.get("items", {})
            kind = {**kind, "maxItems": 20, "items": {**each, "maxLength": LONGEST_WRITTEN} if each.get("type") == "string" else each}
        properties[name] = kind
    return {**schema, "properties": properties}


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
