"""Text of others, before it is shown: what commands a terminal, reorders a line or hides in it is taken out or written out.

What is stored stays as it was written; this is for where it is shown, printed or handed on.
"""

from __future__ import annotations

import re

# Tabs and line breaks are left to whoever shows the text. 0x9b and the like are commands to some terminals; U+2028 ends a line.
COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# Joiners, marks of direction, selectors, fillers and tags: they change what is seen, or hide words in what is not.
UNSEEN = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    r"\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_MARK = r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_STACKED = re.compile(f"({_MARK}{{3}}){_MARK}+")


def inert(text: object) -> str:
    """The text with every command to a screen as a space, nothing unseen in it, and at most three marks on one letter; tabs and
    line breaks stay.
    """
    text = str(text)
    if text.isascii() and text.isprintable():  # most keys and names, which are many
        return text
    return _STACKED.sub(r"\1", UNSEEN.sub("", COMMANDS.sub(" ", text.replace("\r\n", "\n"))))


def written_out(text: str) -> str:
    r"""JSON text with the same characters as `\u202e`, so that it says what it held and is still the same JSON."""
    return UNSEEN.sub(_escape, COMMANDS.sub(_escape, text))


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
