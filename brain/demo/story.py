"""Reads the scripts of the demo organisation: what people wrote, by hand, with a date and no time.

The notation is in README.md beside this file; a line that does not fit is refused with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal

Kind = Literal["pr", "issue", "release", "push", "tree"]
Verb = Literal["comment", "APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "inline"]

_META = re.compile(r"(labels|milestone|files|commits|co|assign|base|from|branch|reverts|fork|prerelease): (.+)")
_SAID = re.compile(r"(?:\[(\d{4}-\d\d-\d\d)\] )?([a-z]+)(?:: (.*)| ([+!~-])(?: (.*))?| @ (\S+): (.*))")
_VERBS: dict[str, Verb] = {"+": "APPROVED", "!": "CHANGES_REQUESTED", "~": "COMMENTED", "-": "DISMISSED"}
_NUMBERED = re.compile(r"@@ (\d+) (pr|issue) ([a-z]+) (\S+) (.+)")
_PLAIN = re.compile(r"@@ (?:(release) (\S+)|(push|tree)) (?:([a-z]+) )?(\d{4}-\d\d-\d\d)(?: ([a-z]+))?")
_STATES = ("merged", "closed", "open", "draft", "fixed", "reopened", "duplicate", "not_planned")


class StoryError(Exception):
    """A script breaks its own notation; the message names file and line."""


@dataclass(frozen=True)
class Said:
    """One line of a conversation: who, what kind, the words, and where in the change."""

    who: str
    verb: Verb
    text: str
    path: str = ""
    on: date | None = None


@dataclass(frozen=True)
class Item:
    """A pull request, an issue, a release or a push, as written. `state` is one of `_STATES`,
    `end` the day it was merged or closed and `closer` who did it; both are absent where unknown.
    """

    repo: str
    kind: Kind
    who: str
    on: date
    title: str
    number: int = 0
    tag: str = ""
    state: str = ""
    end: date | None = None
    closer: str = ""
    body: str = ""
    meta: dict[str, str] = field(default_factory=dict)
    talk: tuple[Said, ...] = ()
    where: str = ""

    @property
    def key(self) -> str:
        """`repo#12` for what has a number, `repo@tag` for a release."""
        return f"{self.repo}#{self.number}" if self.number else f"{self.repo}@{self.tag or self.title}"

    def names(self, meta: str, between: str = ", ") -> list[str]:
        """A meta line as a list."""
        return [part.strip() for part in self.meta.get(meta, "").split(between) if part.strip()]


def read(path: Path) -> list[Item]:
    """The items of one script in the order of the file. Raises StoryError."""
    lines = path.read_text(encoding="utf-8").splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith("@@ ")]
    if not starts or any(line.strip() for line in lines[: starts[0]]):
        raise StoryError(f"{path.name}:1: a script starts with a line '@@ tree ...'")
    ends = [*starts[1:], len(lines)]
    return [_item(path.stem, f"{path.name}:{a + 1}", lines[a:b]) for a, b in zip(starts, ends, strict=True)]


def _item(repo: str, where: str, lines: list[str]) -> Item:
    head = _head(where, lines[0])
    title, meta, rest = "", {}, lines[1:]
    while rest and (not title or _META.fullmatch(rest[0])):
        line = rest.pop(0)
        found = _META.fullmatch(line)
        if found:
            meta[found[1]] = found[2]
        else:
            title = line
    cut = rest.index("--") if "--" in rest else len(rest)
    body = "\n".join(rest[:cut]).strip()
    talk = tuple(_talk(where, rest[cut + 1 :]))
    return Item(repo=repo, title=title, meta=meta, body=body, talk=talk, where=where, **head)


def _head(where: str, line: str) -> dict[str, Any]:
    numbered = _NUMBERED.fullmatch(line)
    if numbered:
        state, _, rest = numbered[5].partition(" ")
        day, _, closer = rest.partition(" ")
        if state not in _STATES:
            raise StoryError(f"{where}: state is {state!r}; legal: {', '.join(_STATES)}")
        return {
            "kind": numbered[2],
            "number": int(numbered[1]),
            "who": numbered[3],
            "on": date.fromisoformat(numbered[4]),
            "state": state,
            "end": date.fromisoformat(day) if day else None,
            "closer": closer,
        }
    plain = _PLAIN.fullmatch(line)
    if not plain or not (plain[4] or plain[6]):
        raise StoryError(f"{where}: cannot read {line!r}; see the notation in brain/demo/README.md")
    return {"kind": plain[1] or plain[3], "tag": plain[2] or "", "who": plain[4] or plain[6], "on": date.fromisoformat(plain[5])}


def _talk(where: str, lines: list[str]) -> Iterator[Said]:
    for line in lines:
        if not line.strip():
            continue
        found = _SAID.fullmatch(line.rstrip())
        if not found:
            raise StoryError(f"{where}: cannot read the line {line!r}; expected 'who: ...', 'who + ...' or 'who @ path: ...'")
        day, who, comment, mark, words, path, inline = found.groups()
        on = date.fromisoformat(day) if day else None
        if path:
            yield Said(who, "inline", inline, path, on)
        elif mark:
            yield Said(who, _VERBS[mark], words or "", on=on)
        else:
            yield Said(who, "comment", comment or "", on=on)


def paths(spec: str) -> Iterator[tuple[str, str, str]]:
    """The files of a `files:` line as (mark, path, earlier path); the mark is "" where none is given."""
    for word in spec.split():
        mark, sep, rest = word.partition(":")
        if not sep:
            mark, rest = "", word
        old, arrow, new = rest.partition(">")
        for path in _braces(new if arrow else rest):
            yield mark, path, old if arrow else ""


def _braces(word: str) -> Iterator[str]:
    found = re.search(r"\{([^{}]*)\}", word)
    if not found:
        yield word
        return
    for choice in found[1].split(","):
        yield from _braces(word[: found.start()] + choice + word[found.end() :])
