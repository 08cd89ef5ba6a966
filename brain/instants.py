"""Dates that people type, as instants. A day stands for its end, so that what happened on it counts."""

from __future__ import annotations

from datetime import UTC, date, datetime

from brain.errors import BadInput

DAY = 86_400


def instant(text: str | None) -> int | None:
    """The epoch seconds (UTC) of a date typed by a person, the end of the day when no time is given; None for nothing typed."""
    if text is None or not text.strip():
        return None
    text = text.strip()
    try:
        when = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise BadInput(f"{text!r} is not a date; write 2024-03-01 or 2024-03-01T12:00") from None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return int(when.timestamp()) + (DAY - 1 if len(text) == 10 else 0)


def day(epoch: int) -> str:
    """The day (UTC) of an instant, as `2024-03-01`."""
    return datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%d")


def date_of(text: str, first: date = date.min, last: date = date.max) -> date | None:
    """The date in a text such as `2024-03-01`, also with a time; None for what is none, or lies outside."""
    try:
        found = date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None
    return found if first <= found <= last else None
