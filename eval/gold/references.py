"""Numbers in texts: `#12`, `org/name#12`, `GH-12`, addresses of issues and pull requests; not inside code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|``.+?``|`[^`\n]*`", re.DOTALL)
_QUOTE = re.compile(r"^\s*>.*$", re.MULTILINE)
_REF = re.compile(
    r"https?://github\.com/(?P<url_repo>[\w.-]+/[\w.-]+)/(?P<kind>issues|pull)/(?P<url_no>\d+)\b"
    r"|(?<![\w/.-])(?P<repo>[\w.-]+/[\w.-]+)#(?P<repo_no>\d+)\b"
    r"|(?<![\w/&#?=.-])(?:#|GH-)(?P<no>\d+)\b",
    re.IGNORECASE,
)
_KEYWORD = re.compile(r"\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?\s+\[?$", re.IGNORECASE)
_LIST = re.compile(r"\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?(?:[\s,&]|\band\b|#\d+|issues?\b)*$", re.IGNORECASE)


@dataclass(frozen=True)
class Mention:
    """A number named in a text; `repo` is None for the text's own repository."""

    repo: str | None
    number: int
    closing: bool
    maybe_closing: bool


def mentions(text: str, quotes: bool = True) -> Iterator[Mention]:
    """Every number named outside code, in order; without quoted lines when `quotes` is false.

    `closing` is a keyword directly before; `maybe_closing` also one earlier in a list ("fixes #1, #2").
    """
    plain = _CODE.sub(" ", text or "")
    if not quotes:
        plain = _QUOTE.sub(" ", plain)
    for found in _REF.finditer(plain):
        before = plain[max(0, found.start() - 80):found.start()]
        number = int(found["url_no"] or found["repo_no"] or found["no"])
        closing = bool(_KEYWORD.search(before))
        yield Mention(found["url_repo"] or found["repo"], number, closing, closing or bool(_LIST.search(before)))
