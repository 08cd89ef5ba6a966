"""What a model wrote, as proposals; foreign data, so nothing in it is believed. Whatever cannot be read is said, and nothing raises."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from brain.text.inert import inert

MOST = 40
LONGEST, TITLE = 300, 140
REASONS = 8
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


@dataclass(frozen=True)
class Quoted:
    """Words that are said to stand in a line of the slice."""

    line: int
    quote: str


@dataclass(frozen=True)
class Proposal:
    """A claim as a model proposes it; names are as it wrote them, `start` and `until` dates as words."""

    said: Quoted
    subject: str
    predicate: str
    object: str
    start: str = ""
    until: str = ""
    why: str = ""

    @property
    def words(self) -> str:
        """What it says in one line."""
        return f"{self.subject} {self.predicate} {self.object}"


@dataclass(frozen=True)
class Resolved:
    """A decision as a model proposes it: where it is made, by whom, and what justifies it."""

    said: Quoted
    title: str
    by: str = ""
    because: tuple[Quoted, ...] = ()
    about: tuple[str, ...] = ()


@dataclass(frozen=True)
class Read:
    """What was read out of a reply, and why parts of it were not."""

    claims: tuple[Proposal, ...] = ()
    decisions: tuple[Resolved, ...] = ()
    unreadable: tuple[str, ...] = ()


def read(reply: str) -> Read:
    """The proposals of a reply, at most 40 of each sort; a reply in a code block or with words around its JSON is read as well."""
    found = _json(reply)
    if found is None:
        return Read(unreadable=("the model's reply is not the JSON that was asked for",))
    why: list[str] = []
    claims = [p for raw in _some(found, "claims", why) if (p := _claim(raw, why)) is not None]
    decisions = [d for raw in _some(found, "decisions", why) if (d := _decision(raw, why)) is not None]
    return Read(tuple(claims), tuple(decisions), tuple(why))


def _json(reply: str) -> Mapping[str, Any] | None:
    start, end = reply.find("{"), reply.rfind("}")
    for text in (reply, reply[start : end + 1] if 0 <= start < end else ""):
        try:
            found = orjson.loads(text)
        except orjson.JSONDecodeError:
            continue
        return found if isinstance(found, dict) else None
    return None


def _some(found: Mapping[str, Any], name: str, why: list[str]) -> Iterator[Mapping[str, Any]]:
    given = found.get(name) or []
    if not isinstance(given, list):
        why.append(f"{name!r} of the model's reply is no list")
        return
    if len(given) > MOST:
        why.append(f"{len(given) - MOST} more {name} than the {MOST} that one slice may have")
    for raw in given[:MOST]:
        if isinstance(raw, dict):
            yield raw
        else:
            why.append(f"one of the {name} is no object")


def _claim(raw: Mapping[str, Any], why: list[str]) -> Proposal | None:
    said = _quoted(raw)
    subject, predicate, object_ = (_text(raw, name) for name in ("subject", "predicate", "object"))
    if said is None or not (subject and predicate and object_):
        why.append("a claim without a line, a quote, or one of its two names")
        return None
    return Proposal(said, subject, predicate, object_, _text(raw, "from"), _text(raw, "until"), _text(raw, "why"))


def _decision(raw: Mapping[str, Any], why: list[str]) -> Resolved | None:
    said, title = _quoted(raw), _text(raw, "title")
    if said is None or not title:
        why.append("a decision without a title, a line or a quote")
        return None
    reasons = [q for one in _listed(raw, "because") if isinstance(one, dict) and (q := _quoted(one)) is not None]
    things = [_plain(one) for one in _listed(raw, "about") if isinstance(one, str) and one.strip()]
    return Resolved(said, title[:TITLE], _text(raw, "by"), tuple(reasons), tuple(things))


def _listed(raw: Mapping[str, Any], name: str) -> list[Any]:
    value = raw.get(name)
    return value[:REASONS] if isinstance(value, list) else []


def _quoted(raw: Mapping[str, Any]) -> Quoted | None:
    line, quote = raw.get("line"), raw.get("quote")
    if isinstance(line, bool) or not isinstance(line, int) or not isinstance(quote, str) or not quote.strip():
        return None
    return Quoted(line, " ".join(inert(quote).split()))


def _text(raw: Mapping[str, Any], name: str) -> str:
    value = raw.get(name)
    return _plain(value) if isinstance(value, str) else ""


def _plain(value: str) -> str:
    """The text on one line, bounded, without anybody's address."""
    return _ADDRESS.sub("…", " ".join(inert(value[: 4 * LONGEST]).split()))[:LONGEST]
