"""A day, month, quarter, half or year as it is written in a question, with a time of day or without a year, as a stretch of time."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, datetime, timedelta

MONTHS = {name: i for i, names in enumerate(
    ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
     "september sept sep", "october oct", "november nov", "december dec"), 1) for name in names.split()}  # fmt: skip
MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
# What a date in a question may be; anything else that looks like a year is none.
YEARS = range(1970, 2200)
NAMED = "january|february|march|april|june|july|august|september|october|november|december"
CLOCK = r"\d{1,2}:\d{2}(?::\d{2})?(?:\s*(?:UTC|GMT|Z))?(?![\d:])"
_DAYLESS = "january|february|march|april|(?-i:May)|june|july|august|september|october|november|december"
DATE = (
    r"(?:\d{4}-\d{1,2}-\d{1,2}"
    r"|\d{1,2}[./]\d{1,2}[./]\d{4}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{MONTH})\.?,?\s+\d{{4}}"
    rf"|(?:{MONTH})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_DAYLESS})\b(?!,?\s+\d{{4}})"
    rf"|(?:{_DAYLESS})\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?!,?\s+\d{{4}})(?![:\d])"
    rf"|\d{{4}}-\d{{2}}(?![-\d])"
    rf"|(?:early |mid |late )?(?:{MONTH})\.?,?\s+(?:of\s+)?\d{{4}}"
    r"|[Qq][1-4][\s/-]*\d{4}|\d{4}[\s/-]*[Qq][1-4]"
    r"|(?:(?:first|second|1st|2nd) half of|[Hh][12])\s*\d{4}"
    r"|(?:first|second|third|fourth|last|1st|2nd|3rd|4th) quarter (?:of\s+)?\d{4}"
    r"|(?<![\w#./:-])(?:19|20)\d{2}(?![\w/-])"
    r"|today|yesterday|now(?! that\b))"
)
_QUARTERS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 4}
POINT = rf"(?:(?:{CLOCK}\s+(?:on|of)\s+(?:the\s+)?)?{DATE}(?:(?:\s*T|,?\s+(?:at\s+)?){CLOCK})?)"


def midnight_of(year: int, month: int = 1, day: int = 1) -> datetime:
    """Where a day begins; the last of its month where it has no such day."""
    return datetime(year, month, min(day, monthrange(year, month)[1]), tzinfo=UTC)


def months_on(start: datetime, n: int) -> datetime:
    """The same day so many months on."""
    index = max(start.year * 12 + start.month - 1 + n, YEARS.start * 12)
    return midnight_of(index // 12, index % 12 + 1, start.day)


def stretch(text: str, now: datetime) -> tuple[datetime, datetime] | None:
    """The stretch of time a point names: a day, a month, a quarter, a half or a year."""
    s = text.strip().lower().replace(",", " ").rstrip(".")
    day = timedelta(days=1)
    if clock := re.search(rf"(?:\s*t|\s+(?:at\s+)?)?(?<!\d)({CLOCK})(?:\s+(?:on|of)\s+(?:the\s+)?)?", s, re.I):
        return stamped(stretch(s.replace(clock[0], " ", 1), now), clock[1])
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if s in ("today", "now"):
        return midnight, midnight + day
    if s == "yesterday":
        return midnight - day, midnight
    if m := re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})", s):
        return day_of(int(m[1]), int(m[2]), int(m[3]))
    if m := re.fullmatch(r"(\d{1,2})[./](\d{1,2})[./](\d{4})", s):
        return day_of(int(m[3]), int(m[2]), int(m[1]))
    if m := re.fullmatch(rf"(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({MONTH})\.?\s+(\d{{4}})", s):
        return day_of(int(m[3]), MONTHS[m[2]], int(m[1]))
    if m := re.fullmatch(rf"({MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\s+(\d{{4}})", s):
        return day_of(int(m[3]), MONTHS[m[1]], int(m[2]))
    if m := re.fullmatch(rf"(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({NAMED}|may)", s):
        return _yearless(MONTHS[m[2]], int(m[1]), now)
    if m := re.fullmatch(rf"({NAMED}|may)\s+(\d{{1,2}})(?:st|nd|rd|th)?", s):
        return _yearless(MONTHS[m[1]], int(m[2]), now)
    if m := re.fullmatch(r"(\d{4})-(\d{2})", s):
        return month_of(int(m[1]), int(m[2]))
    if m := re.fullmatch(rf"(early |mid |late )?({MONTH})\.?\s+(?:of\s+)?(\d{{4}})", s):
        return month_of(int(m[3]), MONTHS[m[2]])
    if m := re.fullmatch(r"q([1-4])[\s/-]*(\d{4})", s) or re.fullmatch(r"(\d{4})[\s/-]*q([1-4])", s):
        quarter, year = sorted((int(m[1]), int(m[2])))
        return month_of(year, quarter * 3 - 2, 3)
    if m := re.fullmatch(r"(first|second|third|fourth|last|1st|2nd|3rd|4th) quarter (?:of\s+)?(\d{4})", s):
        return month_of(int(m[2]), _QUARTERS[m[1]] * 3 - 2, 3)
    if m := re.fullmatch(r"(first|second|1st|2nd) half of\s*(\d{4})|h([12])\s*(\d{4})", s):
        half = 1 if (m[1] in ("first", "1st") or m[3] == "1") else 2
        return month_of(int(m[2] or m[4]), half * 6 - 5, 6)
    if m := re.fullmatch(r"(\d{4})", s):
        return month_of(int(m[1]), 1, 12)
    return None


def stamped(found: tuple[datetime, datetime] | None, clock: str) -> tuple[datetime, datetime] | None:
    """The minute, or the second, of a day; a clock beside anything longer than a day tells nothing."""
    h, m, sec = (int(x) for x in (*re.findall(r"\d+", clock), 0)[:3])
    if not found or found[1] - found[0] > timedelta(days=1) or h > 23 or m > 59 or sec > 59:
        return found
    start = found[0] + timedelta(hours=h, minutes=m, seconds=sec)
    return start, start + timedelta(seconds=1)


def _yearless(month: int, day: int, now: datetime) -> tuple[datetime, datetime] | None:
    """The latest such day that has begun."""
    found = day_of(now.year, month, day)
    return found if found and found[0] <= now else day_of(now.year - 1, month, day)


def day_of(year: int, month: int, day: int) -> tuple[datetime, datetime] | None:
    """A day from its beginning to its end; None for one that no calendar has."""
    if not (year in YEARS and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]):
        return None
    start = midnight_of(year, month, day)
    return start, start + timedelta(days=1)


def month_of(year: int, month: int, months: int = 1) -> tuple[datetime, datetime] | None:
    """So many months from the beginning of one; None for a month that no calendar has."""
    if not (year in YEARS and 1 <= month <= 12):
        return None
    start = midnight_of(year, month)
    return start, months_on(start, months)


def latest(month: int, now: datetime) -> int:
    """The year of the latest such month that has begun."""
    return now.year if month <= now.month else now.year - 1
