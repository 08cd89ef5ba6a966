"""How what is claimed in a company is put into words: who says it, with what authority, since and until when, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, short
from brain.text.time_ahead import tense
from brain.text.time_points import MONTH
from brain.text.timewords import DAY
from brain.types import Quote

Row = Mapping[str, Any]
YEAR = 31_556_952
SOURCES = {
    "catalogue": "the catalogue",
    "codeowners": "CODEOWNERS",
    "registry": "the registry",
    "roster": "the roster",
    "chat": "chat",
    "document": "the document itself",
    "ticket": "a ticket",
}
AUTHORITY = {
    "record": "a system of record",
    "formal_rule": "a formal rule",
    "practice": "practice",
    "observation": "an observation",
}


def quotes(row: Row) -> tuple[Quote, ...]:
    """The words a claim rests on, where the row tells them."""
    if not (row.get("from_key") and row.get("quote")):
        return ()
    return (Quote(str(row["from_key"]), int(row.get("line") or 0), str(row["quote"])),)


def cites(row: Row, *keys: str) -> tuple[str, ...]:
    """What a claim is about and the source it stands in, each once."""
    named = [str(row["key"])] if row.get("key") else []
    said = [str(row["from_key"])] if row.get("from_key") else []
    return tuple(dict.fromkeys([*named, *keys, *said]))


def called(key: str, name: object = "") -> str:
    """A person, team or thing as people call it, with its id where the name does not show it."""
    text, tail = str(name or ""), short(key)
    if not text or text == tail:
        return tail
    if key.startswith(("doc:", "ticket:", "decision:", "alert:", "incident:", "deploy:")):
        return f"{tail} “{text}”" if tail.lower() not in text.lower() else f"“{text}”"
    if key.startswith("rule:"):
        return f"“{text}”"
    return f"{text} ({tail})" if key.startswith(("person:", "team:")) else text


def spell(row: Row) -> str:
    """Since when and until when a claim holds, as far as it says so."""
    start, end = int(row.get("valid_from") or 0), row.get("valid_to")
    since = f" since {day(start)}" if start else ""
    return f"{since} until {day(int(end))}" if end and int(end) < 9_000_000_000 else since


def where(row: Row) -> str:
    """Where a claim stands: the document or message and its line."""
    key, line = str(row.get("from_key") or ""), int(row.get("line") or 0)
    return f" ({short(key)}{f', line {line}' if line else ''})" if key else ""


def nothing(text: str, *keys: str) -> Draft:
    """The draft that says what is not known, and so does not answer."""
    return Draft(state="insufficient", facts=[Fact(text, keys)], entries=list(keys))


def unique(keys: Iterable[object]) -> list[str]:
    """Keys in order, each once, empty ones left out."""
    return [str(k) for k in dict.fromkeys(keys) if k]


def instant(u: Understanding, run: Run, ahead: bool = False, midway: bool = False) -> None:
    """Moves the run to the instant at which the question asks how things stood: a date, or the end of a stretch of time
    that has passed, or its middle. `ahead`: a later date as well, as far as it is known now.
    """
    time, now = u.time, run.ctx.as_of
    at = time.as_of if time.as_of is not None else (time.until - 1 if time.until is not None else None)
    if at is None or (time.since is not None and time.since <= now < (time.until or 0)):
        return
    if midway and time.since is not None and time.until is not None and time.as_of in (None, time.until - 1):
        half = (time.until - time.since) // 2
        at = time.until - (half if time.as_of is None else min(half, DAY // 2))
    if ahead and at <= now and not re.search(r"\d{4}", time.words) and re.search(rf"\b(?:{MONTH})", time.words, re.I):
        nearer = midway and not tense(u.question) and (now - at) > YEAR // 2
        at += (1 + (now - at) // YEAR) * YEAR if u.says("will_change") or nearer else 0
    if at <= now:
        run.ctx = run.ctx.at(at)
    elif ahead:
        run.ctx = replace(run.ctx, as_of=at)


def answered(items: Sequence[str], facts: Sequence[Fact], entries: Sequence[str], lead: str = "") -> Draft:
    """A draft with what was found, each sentence once."""
    return Draft(list(dict.fromkeys(items)), [*{f.text: f for f in reversed(facts)}.values()][::-1], entries=list(entries), lead=lead)


def person_of(run: Run, key: str) -> str:
    """A person, team or thing by the name the run has met, with its id."""
    return called(key, run.names().get(key, ""))


def by_path(run: Run, text: str, *cites: str) -> Fact:
    """A sentence about the step made last, proved by a path to each thing it cites."""
    return Fact(text, tuple(dict.fromkeys(cites)), step=run.last)


def by_query(run: Run, text: str, *cites: str) -> Fact:
    """A sentence about the step made last, proved by asking the same once more."""
    return Fact(text, tuple(dict.fromkeys(cites)), step=run.last, aggregate=True)
