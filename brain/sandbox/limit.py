"""The rows that come out of a query: never more than 200 from each part of a UNION, whatever it asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from brain.errors import ToolError
from brain.sandbox import procedures
from brain.sandbox.tokens import Token, place

ROWS = 200


def limited(text: str, found: list[Token], params: Mapping[str, Any]) -> list[Token]:
    """The tokens with a LIMIT of at most 200 on each part of a UNION."""
    out: list[Token] = []
    part: list[Token] = []
    for token in found:
        part.append(token)
        if token.word == "UNION" and _level(part) == 0 and not _is_name(part):
            out += [*_limit(text, part[:-1], params), replace(token, gap=token.gap or " ")]
            part = []
    return [*out, *_limit(text, part, params)]


def _level(part: list[Token]) -> int:
    signs = [t.text for t in part if t.kind == "sign"]
    return sum(signs.count(s) for s in "([{") - sum(signs.count(s) for s in ")]}")


def _is_name(part: list[Token]) -> bool:
    return len(part) > 1 and part[-2].kind == "sign" and part[-2].text in (".", ":")


def _top(part: list[Token], word: str) -> list[int]:
    """Where the word stands in this part, outside of brackets and not as a name."""
    return [i for i, t in enumerate(part) if t.word == word and _level(part[:i]) == 0 and not _is_name(part[: i + 1])]


def _limit(text: str, part: list[Token], params: Mapping[str, Any]) -> list[Token]:
    returns = _top(part, "RETURN")
    if not returns or returns[-1] == len(part) - 1:
        raise ToolError("each part of a query ends with RETURN and what it gives, such as RETURN n.key, n.name")
    if part[-1].kind == "sign" and part[-1].text not in (")", "]", "}", "*"):
        raise ToolError(f"{place(text, part[-1].at)}: after this {part[-1].text} something is missing")
    limits = [i for i in _top(part, "LIMIT") if i > returns[-1] + 1 and part[i - 1].word != "AS"]
    if not limits:
        return [*part, Token("word", "LIMIT", len(text), "\n"), Token("number", str(ROWS), len(text), " ")]
    if len(limits) > 1 or limits[0] != len(part) - 2:
        raise ToolError(f"{place(text, part[limits[0]].at)}: LIMIT is the last word of a part, with one whole number or parameter after it")
    last = part[-1]
    wanted: Any = params.get(last.text[1:]) if last.kind == "param" else procedures.whole([last])
    if not isinstance(wanted, int) or isinstance(wanted, bool) or wanted < 0:
        raise ToolError(f"{place(text, last.at)}: LIMIT takes a whole number, at most {ROWS}")
    return [*part[:-1], Token("number", str(min(wanted, ROWS)), last.at, last.gap)]
