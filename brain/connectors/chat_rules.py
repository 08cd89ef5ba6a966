"""Rules announced in chat, in the form that chat.yaml declares: `RULE CHANGE: <rule>: <value> from <date>[, until <date>]
[, for <team or service>][, replaces <document or rule>]`. A line that only resembles it announces nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from brain.connectors.chat_grammar import FILE, phrases_file
from brain.connectors.chat_words import EMOJI, LINK, said_lines
from brain.connectors.dates import moment, moments
from brain.connectors.identities import slug

_MARKS = re.compile(r"(?<!\w)[*_`]+|[*_`]+(?!\w)")
_TIMELY = re.compile(
    r"\d|\b(?:next|this|coming|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?\b|\b(?:tomorrow|soon|week|month|year|quarter|later)\b",
    re.IGNORECASE,
)
_NOW = re.compile(r"(?:now(?: on)?|today|immediately|right away)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Announcement:
    """A rule as it was announced; `start` and `until` in epoch seconds, `start` 0 when the message gives none."""

    line: int
    name: str
    value: str
    start: int = 0
    until: int | None = None
    target: str = ""
    replaces: str = ""

    @property
    def slot(self) -> str:
        """What rules about the same thing have in common."""
        return slug(self.name)


@dataclass(frozen=True)
class Unclear:
    """A line that looks like an announcement and cannot be read as one, and why."""

    line: int
    reason: str


class Form:
    """The declared form of an announcement."""

    def __init__(self, said: Mapping[str, Any]) -> None:
        marker = _words(said["says"])
        self._marker = re.compile(rf"\W*(?:{marker})\s*:\s*(?P<name>[^:?]{{2,80}}?)\s*:\s*(?P<rest>\S.*)", re.IGNORECASE)
        self.resembles = re.compile(rf"\b(?:{marker})\b", re.IGNORECASE)
        self._start = re.compile(rf"(?:^|[\s,]+)(?:{_words(said['from'])})\s+", re.IGNORECASE)
        parts = "|".join(f"(?P<{part}>{_words(said[part])})" for part in ("until", "for", "replaces"))
        self._part = re.compile(rf"\s*(?:,|;|^|(?<=\s))\s*(?:and\s+)?(?:{parts})\s+", re.IGNORECASE)

    def read(self, text: str, at: int) -> list[Announcement | Unclear]:
        """What a raw message announces, line by line. `at` is when it was written."""
        found: list[Announcement | Unclear] = []
        for number, line in said_lines(text):
            plain = " ".join(_MARKS.sub("", EMOJI.sub(" ", LINK.sub(_shown, line))).split())
            match = self._marker.fullmatch(plain)
            if match is not None:
                found.append(self._announcement(number, match["name"], match["rest"], at))
            elif self.resembles.search(plain) and ":" in plain:
                found.append(Unclear(number, "resembles an announced rule change and is not in its form"))
        return found

    def _announcement(self, line: int, name: str, rest: str, at: int) -> Announcement | Unclear:
        if rest.rstrip(" .!)").endswith("?"):
            return Unclear(line, "asks about a rule change and announces none")
        value, start, tail = self._value(rest, at)
        if start is None:
            return Unclear(line, f"the start of a rule change cannot be read as a date: {tail[:60]!r}")
        if not value:
            return Unclear(line, "a rule change without a value")
        said, left = self._parts(tail)
        if left:
            return Unclear(line, f"a rule change ends in what is not in its form: {left[:60]!r}")
        until = moment(said["until"]) if said.get("until") else None
        if said.get("until") and until is None:
            return Unclear(line, f"the end of a rule change cannot be read as a date: {said['until'][:60]!r}")
        end = (until.start if until.timed else until.end + 1) if until else None
        if end is not None and end <= (start or at):
            return Unclear(line, "a rule change that ends before it starts")
        return Announcement(line, name.strip(), value, start, end, said.get("for", ""), said.get("replaces", ""))

    def _value(self, rest: str, at: int) -> tuple[str, int | None, str]:
        """The value, when it starts (0: not said; None: said and not readable), and what follows."""
        for match in reversed(list(self._start.finditer(rest))):
            after = rest[match.end() :]
            when = next((m for m in moments(after) if m.at[0] == 0), None)
            if when is not None:
                return rest[: match.start()].strip(" ,"), when.start, after[when.at[1] :]
            now = _NOW.match(after)
            if now:
                return rest[: match.start()].strip(" ,"), at, after[now.end() :]
        parts = self._part.search(rest)
        value, tail = (rest[: parts.start()], rest[parts.start() :]) if parts and "," in parts.group() else (rest, "")
        starts = list(self._start.finditer(value))
        if starts and _TIMELY.search(value[starts[-1].end() :]):
            return value, None, value[starts[-1].end() :]
        return value.strip(" ,.!"), 0, tail

    def _parts(self, tail: str) -> tuple[dict[str, str], str]:
        """The parts that follow the start, by name, and what is left that is none."""
        matches = list(self._part.finditer(tail))
        said: dict[str, str] = {}
        for i, match in enumerate(matches):
            end = matches[i + 1].start() if i + 1 < len(matches) else len(tail)
            name = next(part for part, text in match.groupdict().items() if text)
            said.setdefault(name, _first_sentence(tail[match.end() : end]))
        head = tail[: matches[0].start()] if matches else tail
        return said, "" if not head.strip(" ,.!;)") or re.match(r"\s*[.!;(\u2013\u2014-]", head) else head.strip(" ,")


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=\w)[.!;](?=\s|$)|\s[(\u2013\u2014-]", text.strip(), maxsplit=1)[0].strip(" ,.!")


def _words(said: list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(said, key=len, reverse=True))


def _shown(match: re.Match[str]) -> str:
    label = match[2] or ""
    return label if label and not label.startswith("http") else match[1]


@cache
def form() -> Form:
    """The form that comes with the product."""
    return Form(phrases_file(FILE)["rule_change"])


def announced(text: str, at: int) -> list[Announcement | Unclear]:
    """What a raw message announces, line by line."""
    return form().read(text, at) if form().resembles.search(text) else []
