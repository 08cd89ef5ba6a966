"""Time expressions of a question as instants: windows, "as of" dates, and where the words stand.

Windows are half open [since, until), UTC. Everything is relative to the `now` that is passed in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from brain.text import time_ahead
from brain.text.time_points import (
    CLOCK,
    DATE,
    MONTH,
    MONTHS,
    NAMED,
    POINT,
    YEARS,
    day_of,
    latest,
    midnight_of,
    month_of,
    months_on,
    stamped,
    stretch,
)

_SMALL = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
}
DAY = 86_400
MOST_DAYS = 400 * 366
_UNIT_DAYS = {"day": 1, "week": 7, "fortnight": 14}

_DAYS = (
    rf"(?<![-\d./])(\d{{1,2}})(?:st|nd|rd|th)?\s*(?:and|to|until|till|through|-|\u2013)"
    rf"\s*(?:the\s+)?(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({MONTH})\.?,?(?:\s+(\d{{4}}))?\b"
)
_SPAN_WORDS = r"(?:in|during|within|over|for|throughout|of|from)"


@dataclass(frozen=True)
class TimeWords:
    """What a question says of time: a window, an instant it asks about, and the spans of the words."""

    since: int | None = None
    until: int | None = None
    as_of: int | None = None
    spans: tuple[tuple[int, int], ...] = ()
    words: str = ""


def _relative(number: str, unit: str, now: datetime) -> datetime:
    n = _SMALL.get(number) or int(number)
    if unit == "hour":
        return max(now - timedelta(hours=min(n, MOST_DAYS * 24)), midnight_of(YEARS.start))
    if unit in _UNIT_DAYS:
        return max(now - timedelta(days=min(n * _UNIT_DAYS[unit], MOST_DAYS)), midnight_of(YEARS.start))
    months = n * {"month": 1, "quarter": 3, "year": 12}[unit]
    back = months_on(now.replace(hour=0, minute=0, second=0, microsecond=0), -months)
    return back.replace(hour=now.hour, minute=now.minute, second=now.second)


def _calendar(which: str, unit: str, now: datetime) -> tuple[datetime, datetime]:
    """The calendar stretch that last month, this year or the previous quarter is."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    back = 0 if which in ("this", "current") else 1
    if unit == "week":
        start = today - timedelta(days=today.weekday() + 7 * back)
        return start, start + timedelta(days=7)
    size = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = midnight_of(today.year, (today.month - 1) // size * size + 1)
    start = months_on(first, -size * back)
    return start, months_on(start, size)


def _epoch(moment: datetime) -> int:
    return int(moment.timestamp())


_NUM = r"(\d+|" + "|".join(_SMALL) + r")"
_UNIT = r"(hour|day|week|fortnight|month|quarter|year)s?"
_FROM = r"(?:between|from)"
_TO = r"(?:and|to|until|till|through|-|\u2013)"
_AS_OF = (
    r"(?:as of|as at|as it was on|as things stood (?:on|at)|going back to|looking back (?:to|at)"
    r"|(?<!rolled )(?<!roll )(?<!taken )(?<!took )(?<!take )(?<!put )(?<!brought )(?<!came )(?<!come )back (?:on|in|at)|at the time of"
    r"|(?:the )?(?:state|situation|status) (?:of|on|at|as of)|at the end of|by the end of)"
)
_EDGE = r"(?:the (?:start|beginning) of\s+)?"
_ENDS = r"(?:the (?:start|beginning|end) of\s+)?"
_BEFORE = r"(?:before|preceding|prior to|leading up to|ahead of|up to|until)"
_RULES: tuple[tuple[str, str], ...] = (
    ("clocks", rf"\b{_FROM}\s+({CLOCK})\s+{_TO}\s+({CLOCK})\s+(?:on|of)\s+({DATE})"),
    ("beside", rf"\b(?:{_SPAN_WORDS}\s+)?(?:the\s+)?(?:last\s+)?(?:{_NUM}\s+)?(hour|day|week|fortnight|month)s?"
               rf"\s+(?P<way>{_BEFORE}|after|following|since)\s+(?:the\s+)?({POINT})"),
    ("week", rf"\b(?:{_SPAN_WORDS}\s+)?(?:the\s+)?week\s+of\s+(?:the\s+)?({POINT})"),
    ("days", rf"\b{_FROM}?\s*(?:the\s+)?{_DAYS}"),
    (
        "months",
        rf"\b(?:in\s+|during\s+|{_FROM}\s+)?({MONTH})\.?\s*(?:and|or|to|-|\u2013|through)\s*({MONTH})\.?,?\s+(?:of\s+)?(\d{{4}})\b",
    ),
    ("between", rf"\b{_FROM}\s+({POINT})\s+{_TO}\s+({POINT})"),
    ("dash", rf"({POINT})\s*(?:\u2013|\u2014|\.\.+|\bto\b|\bthrough\b)\s*({POINT})"),
    ("as_of", rf"\b{_AS_OF}\s+({POINT})"),
    ("on", rf"\b(?:on|at)\s+({POINT})"),
    ("since", rf"\b(?:since|after|starting (?:in|from)|from)\s+{_EDGE}({POINT})(?:\s+(?:on|onwards?|forward))?"),
    ("until", rf"\b(?:until|till|before|up to|prior to|by)\s+{_ENDS}({POINT})"),
    ("last_n", rf"\b(?:{_SPAN_WORDS}\s+)?(?:the\s+)?(?:last|past|previous|recent)\s+{_NUM}\s+{_UNIT}\b"),
    ("ago", rf"\b(?:since\s+|until\s+|before\s+|as of\s+)?{_NUM}\s+{_UNIT}\s+ago\b"),
    ("calendar", rf"\b(?:{_SPAN_WORDS}\s+)?(?:the\s+)?(last|this|past|previous|current)\s+(week|month|quarter|year)\b"),
    ("month", rf"\b(?:in|during|throughout|since|for)\s+({NAMED}|May)\b(?!\s+\d)"),
    ("in", rf"\b(?:{_SPAN_WORDS}\s+)?(?:the year\s+|calendar year\s+)?({POINT})"),
)
_COMPILED = tuple((name, re.compile(pattern, re.I)) for name, pattern in _RULES)
_Window = tuple[int | None, int | None, int | None]


def _window(rule: str, m: re.Match[str], now: datetime) -> _Window | None:
    """(since, until, as_of) of one matched expression; None when it is no date after all."""
    if rule in ("days", "months", "between", "dash"):
        ends = _from_to(rule, m, now)
        return (_epoch(ends[0]), _epoch(ends[1]), None) if ends and ends[0] < ends[1] else None
    if rule in ("clocks", "beside", "week"):
        return _around(rule, m, now)
    if rule in ("last_n", "ago", "calendar"):
        return _counted_back(rule, m, now)
    if rule == "month":
        month = MONTHS[m[1].lower()]
        start, end = month_of(latest(month, now), month) or (now, now)
        return _epoch(start), None if m[0].lower().startswith("since") else _epoch(end), None
    return _at_point(rule, m, now)


def _around(rule: str, m: re.Match[str], now: datetime) -> _Window | None:
    """Between two times of a day, so many hours or days before or after an instant, or the week of a day."""
    found = stretch(m[m.lastindex or 1], now)
    if not found:
        return None
    if rule == "clocks":
        ends = stamped(found, m[1]), stamped(found, m[2])
        return (_epoch(ends[0][0]), _epoch(ends[1][0]), None) if ends[0] and ends[1] and ends[0][0] < ends[1][0] else None
    if rule == "week":
        start = found[0] - timedelta(days=found[0].weekday())
        return _epoch(start), _epoch(start + timedelta(days=7)), None
    n, unit = _SMALL.get((m[1] or "one").lower()) or int(m[1]), m[2].lower()
    hours = min(n * {"hour": 1, "day": 24, "week": 168, "fortnight": 336, "month": 720}[unit], MOST_DAYS * 24)
    if re.match(r"after|following|since", m["way"], re.I):
        return _epoch(found[1]), _epoch(found[1] + timedelta(hours=hours)), None
    return _epoch(found[0] - timedelta(hours=hours)), _epoch(found[0]), None


def _from_to(rule: str, m: re.Match[str], now: datetime) -> tuple[datetime, datetime] | None:
    """From the beginning of the one to the end of the other."""
    if rule == "days":
        month = MONTHS[m[3].lower()]
        year = int(m[4]) if m[4] else latest(month, now)
        first, last = day_of(year, month, int(m[1])), day_of(year, month, int(m[2]))
    elif rule == "months":
        first, last = (month_of(int(m[3]), MONTHS[name.lower()]) for name in (m[1], m[2]))
    else:
        first, last = stretch(m[1], now), stretch(m[2], now)
    return (first[0], last[1]) if first and last else None


def _counted_back(rule: str, m: re.Match[str], now: datetime) -> _Window:
    """The last three weeks, two months ago, last quarter."""
    if rule == "last_n":
        return _epoch(_relative(m[1].lower(), m[2].lower(), now)), _epoch(now), None
    if rule == "ago":
        at, word = _epoch(_relative(m[1].lower(), m[2].lower(), now)), m[0].lower().split()[0]
        return (at, None, None) if word == "since" else (None, at, None) if word in ("until", "before") else (None, None, at)
    if m[1].lower() == "past":
        return _epoch(_relative("1", m[2].lower(), now)), _epoch(now), None
    start, end = _calendar(m[1].lower(), m[2].lower(), now)
    return _epoch(start), min(_epoch(end), _epoch(now) + 1), None


def _at_point(rule: str, m: re.Match[str], now: datetime) -> _Window | None:
    """On, since, until, in or as of a day, a month, a quarter or a year."""
    found = stretch(m[1], now)
    if not found:
        return None
    start, end = _epoch(found[0]), _epoch(found[1])
    words = m[0].lower()
    if m[1].lower() in ("now", "today") and rule in ("in", "on", "as_of"):
        return None, None, None
    if rule == "as_of":
        return None, None, end - 1
    if rule == "on":
        return start, end, end - 1 if end - start <= DAY else None
    from_its_start = re.search(r"(?:start|beginning) of", words)
    if rule == "since":
        return end if words.startswith("after") and not from_its_start else start, None, None
    if rule == "until":
        return None, end if re.match(r"(?:until|till|by|up to)\b", words) and not from_its_start else start, None
    return start, end, None


def parse(question: str, now: int, taken: tuple[tuple[int, int], ...] = ()) -> TimeWords:
    """The time a question speaks of. `taken` are stretches that name something else (a tag, a path).

    "on <day>" gives both a window of that day and an instant: which is meant depends on the question.
    """
    moment = datetime.fromtimestamp(now, UTC)
    since = until = as_of = None
    spans: list[tuple[int, int]] = []
    words: list[str] = []
    for span, window in time_ahead.found(question, moment):
        if not any(span[0] < b and a < span[1] for a, b in (*taken, *spans)):
            since = window[0] if window[0] is not None else since
            until = window[1] if window[1] is not None else until
            as_of = window[2] if window[2] is not None else as_of
            spans.append(span)
            words.append(question[span[0] : span[1]].strip())
    for rule, pattern in _COMPILED:
        for m in pattern.finditer(question):
            if any(m.start() < b and a < m.end() for a, b in (*taken, *spans)):
                continue
            found = _window(rule, m, moment)
            if found is None:
                continue
            since = found[0] if found[0] is not None else since
            until = found[1] if found[1] is not None else until
            as_of = found[2] if found[2] is not None else as_of
            spans.append(m.span())
            words.append(m[0].strip())
    return TimeWords(since, until, as_of, tuple(sorted(spans)), ", ".join(words))
