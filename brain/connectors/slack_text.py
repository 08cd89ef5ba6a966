"""Slack's markup as readable text. Lines stay lines, so that a line of the raw message is the same line of the stored
one; addresses and tokens of files leave here.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

from brain.connectors.references import redact

NAME_LIMIT = 80

_ENTITY = re.compile(r"<([@#!][^<>\s][^<>\n]*|[a-z][a-z0-9+.-]*:[^<>\s][^<>\n]*)>", re.IGNORECASE)
_BREAKS = re.compile(r"[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_HIDDEN = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f]|[\ud800-\udfff]")
_FILES = re.compile(r"^https?://(?:[\w-]+\.)?slack(?:-files)?\.com/|[?&]t=xox", re.IGNORECASE)
_EMOJI = re.compile(r":[a-z0-9_+'-]+(?:::[a-z0-9_-]+)?:", re.IGNORECASE)


def stored(text: str) -> str:
    """A message's text as its record keeps it: one kind of line break, no addresses, nothing unprintable."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return redact(_HIDDEN.sub("", _BREAKS.sub(" ", plain))).strip("\n")


def readable(text: str, person: Callable[[str], str], channel: Callable[[str], str]) -> str:
    """The text as people read it. `person` gives the name behind an id or "", `channel` the name of a channel or ""."""

    def shown(match: re.Match[str]) -> str:
        target, _, label = match.group(1).partition("|")
        if target[0] == "@":
            return "@" + (person(target[1:]) or label.lstrip("@") or target[1:])
        if target[0] == "#":
            return "#" + (channel(target[1:]) or label.lstrip("#") or target[1:])
        if target[0] == "!":
            return _special(target[1:], label)
        return _link(target, label)

    return html.unescape(_ENTITY.sub(shown, text))


def _special(target: str, label: str) -> str:
    kind = target.partition("^")[0]
    if kind in ("date", "subteam"):
        return label or "@group"
    return label or f"@{kind}"


def _link(target: str, label: str) -> str:
    address = target.removeprefix("mailto:").removeprefix("tel:")
    if _FILES.search(target):
        return label or "(a file)"
    plain = re.sub(r"^(?:https?://)?(?:www\.)?", "", address).rstrip("/")
    bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", label).rstrip("/")
    return address if not label or bare == plain else f"{label} ({address})"


def first_words(text: str, limit: int = NAME_LIMIT) -> str:
    """The beginning of the first line that says something, markup left out; for names and titles."""
    for line in text.splitlines():
        plain = " ".join(_EMOJI.sub(" ", line.replace("```", " ")).split()).strip("*_~`> ")
        if plain:
            return plain if len(plain) <= limit else plain[: limit - 1].rsplit(" ", 1)[0] + "…"
    return " ".join(text.split())[:limit]


def blocks_text(blocks: Any) -> str:
    """The words in a message's blocks, for messages whose text is empty."""
    lines: list[str] = []
    for block in blocks if isinstance(blocks, list) else []:
        if isinstance(block, dict):
            _block(block, lines)
    return "\n".join(line for line in lines if line.strip())


def _block(block: dict[str, Any], lines: list[str]) -> None:
    if block.get("type") in ("rich_text", "rich_text_list"):
        for element in _elements(block):
            _block(element, lines)
    elif str(block.get("type", "")).startswith("rich_text_"):
        quoted = "> " if block["type"] in ("rich_text_quote", "rich_text_preformatted") else ""
        text = "".join(_element(e) for e in _elements(block))
        lines.extend(quoted + line for line in text.split("\n"))
    elif isinstance(block.get("text"), dict):
        lines.extend(str(block["text"].get("text") or "").split("\n"))


def _elements(block: dict[str, Any]) -> list[dict[str, Any]]:
    inside = block.get("elements")
    return [e for e in inside if isinstance(e, dict)] if isinstance(inside, list) else []


def _element(element: dict[str, Any]) -> str:
    kind = element.get("type")
    if kind == "user":
        return f"<@{element.get('user_id')}>"
    if kind == "channel":
        return f"<#{element.get('channel_id')}>"
    if kind == "link":
        return f"<{element.get('url')}|{element['text']}>" if element.get("text") else f"<{element.get('url')}>"
    if kind == "emoji":
        return f":{element.get('name')}:"
    return str(element.get("text") or "")
