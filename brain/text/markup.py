"""Text of others inside text of ours that a program renders: it shows its characters, and is no link, mention, picture or command."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from brain.text.inert import COMMANDS, UNSEEN, inert

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~#&$])")
# What some renderer makes a link or a mention of without any markup stands as code, where none does.
_LIVE = re.compile(r"\S*(?:://|\bwww\.|\w@\w)\S*|(?<!\S)@\w\S*", re.I)
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
# Signs a chat takes for bold, italic, struck out and code, by ones that look alike and mean nothing to it.
_LIKE = str.maketrans({"*": "\u2217", "`": "\u02cb", "~": "\u223c", "@": "\uff20"})
_SLANTED = re.compile(r"(?<!\w)_|_(?!\w)")
_ADDRESS = re.compile(r"(?:\b[a-z][a-z0-9+.-]*://|\bwww\.)\S+", re.I)


def line(text: object) -> str:
    """The text on one line, without characters that command, reorder or hide."""
    return " ".join(inert(text).split())


def short(text: object, limit: int) -> str:
    """The text on one line and at most `limit` characters, with an ellipsis where it was cut."""
    said = line(text)
    return said if len(said) <= limit else said[: limit - 1].rstrip() + "…"


def markdown(text: object) -> str:
    """The text for the middle of a line of Markdown, as it stands for a reader of the rendered page."""
    said, parts, end = line(text), [], 0
    for found in _LIVE.finditer(said):
        parts += [_escaped(said[end : found.start()]), code(found[0])]
        end = found.end()
    return "".join([*parts, _escaped(said[end:])])


def code(text: object) -> str:
    """The text as code in a line of Markdown, also in a cell of a table."""
    return f"`{line(text).replace('`', '').replace('|', '/')}`"


def _escaped(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)


def chat(text: object) -> str:
    """The text for a message in a chat's own markup (mrkdwn): it calls nobody, links nowhere and is neither bold nor code."""
    said = _ADDRESS.sub(lambda m: m[0].replace("://", " ").replace("www.", "www "), line(text)).translate(_LIKE)
    return "".join(_ENTITIES.get(c, c) for c in _SLANTED.sub("-", said))


def chat_link(address: str, label: object) -> str:
    """A link in a chat's markup; the label alone where the address is none to trust."""
    target = web_url(address)
    if not target or "|" in target or ">" in target:
        return chat(label)
    return f"<{target.replace('&', '&amp;')}|{chat(label).replace('|', '/')}>"


def web_url(value: object) -> str:
    """The value when it is an http(s) address that goes where it seems to go, else nothing."""
    text = str(value)
    if not re.fullmatch(r"https?://[^\s\"'<>\\`]{3,2000}", text) or COMMANDS.search(text) or UNSEEN.search(text):
        return ""
    try:
        host = urlsplit(text)
        return text if host.hostname and host.netloc.isascii() and "@" not in host.netloc else ""
    except ValueError:
        return ""
