"""One value of a foreign record at a time, made safe: text without addresses, and instants of many spellings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from dateutil import parser

from brain.connectors.references import redact

MAX_TEXT = 262_144
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029]")
_NUMERIC = re.compile(r"^\s*(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?!\d)")
_DATED = re.compile(r"\d{1,4}[-/. ]+(?:\d{1,2}|[^\W\d_]{3,9}\.?)[-/. ,]+\d{1,4}|[^\W\d_]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? +\d{4}")
_YEARS = (datetime(1971, 1, 1, tzinfo=UTC).timestamp(), datetime(2200, 1, 1, tzinfo=UTC).timestamp())


class NoTime(ValueError):
    """Something that was to be a time and is none, or may be one of two."""


def text(value: Any) -> str:
    """A value as text that may be stored: no e-mail address, no control character; "" for nothing."""
    if value is None or isinstance(value, Mapping | list):
        return ""
    plain = str(value).replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace").decode()
    return redact(_CONTROL.sub("", plain)).strip()[:MAX_TEXT]


def line(value: Any) -> str:
    """A value as one line of text."""
    return " ".join(text(value).split())


def name_in(value: Any) -> Any:
    """What an object is called: the first of the usual fields for it; other values as they are."""
    if not isinstance(value, Mapping):
        return value
    for field in ("displayName", "display_name", "name", "summary", "value", "login", "key", "title", "id"):
        if value.get(field) not in (None, ""):
            return value[field]
    return None


def url(value: Any) -> str:
    """A value as an address of the web; "" for anything else, and where there may be a name or password in it."""
    return value if isinstance(value, str) and value.startswith(("https://", "http://")) and "@" not in value else ""


def time_in(raw: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    """The first of these times that a record states; Alertmanager's year 1 means none. Raises ValueError for what is no time."""
    for name in names:
        if raw.get(name) not in (None, ""):
            try:
                return instant(raw[name])
            except NoTime as error:
                raise ValueError(f"{name}: {error}") from None
    return None


def may_be_either(value: Any) -> bool | None:
    """Of a date in numbers: True when day and month cannot be told apart, False when they can, None when it is no such date."""
    found = _NUMERIC.match(value) if isinstance(value, str) else None
    if found is None:
        return None
    return int(found[1]) <= 12 and int(found[2]) <= 12 and found[1] != found[2]


def day_comes_first(value: str) -> bool | None:
    """What a date in numbers proves about the order of day and month; None when it proves nothing."""
    found = _NUMERIC.match(value)
    if found is None or (int(found[1]) <= 12) == (int(found[2]) <= 12):
        return None
    return int(found[1]) > 12


def instant(value: Any, day_first: bool | None = None) -> int | None:
    """A time in epoch seconds, UTC where it names no zone; None for nothing.

    Reads ISO, seconds and milliseconds since 1970, and dates as people and programs write them. `day_first` says how
    03/04/2024 is meant. Raises NoTime for what is no time, or for such a date when nothing says how it is meant.
    """
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise NoTime(f"{value!r:.40} is not a time")
    if isinstance(value, str) and may_be_either(value) and day_first is None:
        raise NoTime(f"{value.strip()!r:.40} may be day or month first")
    return _read(value.strip() if isinstance(value, str) else value, bool(day_first))


@lru_cache(maxsize=20_000)
def _read(value: str | int | float, day_first: bool) -> int | None:
    if isinstance(value, int | float) or re.fullmatch(r"\d{9,13}(\.\d+)?", value):
        seconds = float(value)
        seconds = seconds / 1000 if seconds > 1e11 else seconds
        if not _YEARS[0] <= seconds <= _YEARS[1]:
            raise NoTime(f"{value!r} is not a time")
        return int(seconds)
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        moment = _loosely(value, day_first)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None if moment.year <= 1 else int(moment.timestamp())


def _loosely(value: str, day_first: bool) -> datetime:
    if not _DATED.search(value):
        raise NoTime(f"{value!r:.40} is not a time")
    try:
        return parser.parse(value, dayfirst=day_first, default=datetime(1970, 1, 1), tzinfos={"UTC": 0, "GMT": 0, "Z": 0})
    except (ValueError, OverflowError, TypeError):
        raise NoTime(f"{value!r:.40} is not a time") from None
