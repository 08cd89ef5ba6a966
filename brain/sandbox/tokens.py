"""A query somebody wrote, cut into tokens. What cannot be told apart for certain is refused, never guessed: the server must
read the text exactly as it was read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from brain.errors import ToolError
from brain.values import literal

Kind = Literal["word", "number", "text", "name", "param", "sign"]

_TOKEN = re.compile(
    r"""
      (?P<space>[ \t\r\n]+)
    | (?P<comment>//[^\n]* | /\*.*?\*/)
    | (?P<text>'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*")
    | (?P<name>`[^`\r\n]+`)
    | (?P<param>\$[A-Za-z_][A-Za-z0-9_]*)
    | (?P<number>(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+)(?![A-Za-z0-9_]))
    | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<sign><=|>=|<>|\.\.|[-+*/%^=<>()\[\]{}.,:|;])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "'": "'", '"': '"', "\\": "\\", "/": "/"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_UNCLOSED = {"'": "this text has no end", '"': "this text has no end", "`": "this name has no end", "/": "this comment has no end"}


@dataclass(frozen=True)
class Token:
    """One token as it is sent to the server. `at` is its place in the text that was written, `gap` the space before it."""

    kind: Kind
    text: str
    at: int
    gap: str = " "

    @property
    def word(self) -> str:
        """A word in capitals, since Cypher does not tell them from small letters; empty for any other token."""
        return self.text.upper() if self.kind == "word" else ""


def tokens(text: str) -> list[Token]:
    """The tokens of a query, comments left out; ToolError says which character cannot be read and where it stands."""
    if bad := _CONTROL.search(text):
        raise ToolError(f"{place(text, bad.start())}: there is a control character; remove it")
    found: list[Token] = []
    at, gap = 0, ""
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ToolError(f"{place(text, at)}: {_trouble(text[at])}")
        kind = str(match.lastgroup)
        if kind in ("space", "comment"):
            gap = "\n" if "\n" in gap + match[0] else " "
        else:
            written = _canonical(match[0], text, at) if kind == "text" else match[0]
            found.append(Token(kind, written, at, gap))  # type: ignore[arg-type]
            gap = ""
        at = match.end()
    return found


def _trouble(char: str) -> str:
    if char in _UNCLOSED:
        return _UNCLOSED[char]
    if char == "$":
        return "a parameter is $ and a name of letters, digits and _"
    if char.isdigit():
        return "a number may not run into a word, and is written 12, 1.5 or 1e3"
    if not char.isascii():
        return f"{char!r} may stand in texts alone; write a name with it between backticks"
    return f"{char!r} is not read here"


def _canonical(written: str, text: str, at: int) -> str:
    """The text literal in the one spelling of ours, so that no escape is read in two ways."""

    def unescape(match: re.Match[str]) -> str:
        if match[1] not in _ESCAPES:
            raise ToolError(f"{place(text, at)}: \\{match[1]} is not read in a text; write \\\\ for a backslash, or pass it as a parameter")
        return _ESCAPES[match[1]]

    return literal(_ESCAPE.sub(unescape, written[1:-1]))


def place(text: str, at: int) -> str:
    """Where a character of the text stands, as people count."""
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"


def joined(found: Iterable[Token]) -> str:
    """The tokens as a query again, with the line ends they had."""
    return "".join(token.gap + token.text for token in found).strip()
