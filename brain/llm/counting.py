"""Tokens by the length of texts, where a server does not count them; only an estimate, and told as one."""

from __future__ import annotations

import json

from brain.llm.talk import Call, Request

CHARS_A_TOKEN = 4


def text_tokens(text: str) -> int:
    """About how many tokens a text is."""
    return -(-len(text) // CHARS_A_TOKEN)


def prompt_tokens(request: Request) -> int:
    """About how many tokens a request is: its messages, and the functions or the schema it offers."""
    said = sum(text_tokens(m.text) + 4 + said_tokens("", m.calls) for m in request.messages)
    offered = sum(text_tokens(f.name + f.description + json.dumps(dict(f.schema))) for f in request.functions)
    return said + offered + (text_tokens(json.dumps(dict(request.schema))) if request.schema is not None else 0)


def said_tokens(text: str, calls: tuple[Call, ...]) -> int:
    """About how many tokens a reply is."""
    return text_tokens(text) + sum(text_tokens(c.name + c.arguments) + 4 for c in calls)
