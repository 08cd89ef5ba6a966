"""Times in words that the calendar and the tense of the question decide: tomorrow, next week, on Friday, the end of June.

What needs a tense takes it from the question: what was lies behind, what will be lies ahead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from brain.text.time_points import MONTHS, NAMED, month_of, months_on

Window = tuple[int | None, int | None, int | None]
_Span = tuple[datetime, datetime]
_DAY = timedelta(days=1)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_N = r"\d{1,3}|" + "|".join(_NUMBERS[1:])
_MONTH = rf"(?:{NAMED}|(?-i:May))"
_PART = r"(?:\s+(?:morning|afternoon|evening|night))?"
_FROM, _TO = r"from|since|after|as of|starting(?: in| with)?|beginning(?: in| with)?|effective", r"until|till|by|before|up to|prior to"

_AHEAD = re.compile(r"\b(?:will|won't|shall|going to|about to|upcoming|coming|tomorrow|planned|due)\b|['\u2019]ll\b|\bnext\b", re.I)
_BEHIND = re.compile(r"\b(?:was|were|did|had|used to|yesterday|ago|went|happened|happen(?:ed)?)\b", re.I)
_TURN = re.compile(r"\b(?:on[ -]call|on duty|rota|roster|shift|pager?|paged|stand-?by)\b", re.I)
# What is asked of any Friday rather than of one.
_ANY_DAY = re.compile(r"\b(?:may|can|could|allowed|permitted|must|forbidden|ok(?:ay)? to|rules?|polic(?:y|ies)|freeze)\b", re.I)


def tense(question: str) -> int:
    """1 for a question about what will be, -1 about what was, 0 about what is."""
    return 1 if _AHEAD.search(question) else -1 if _BEHIND.search(question) else 0


def found(question: str, now: datetime) -> Iterator[tuple[tuple[int, int], Window]]:
    """Where such a time stands in the question, and what it means: (since, until, instant)."""
    for pattern, meaning in _RULES:
        for m in pattern.finditer(question):
            window = meaning(m, now, tense(question))
            if window is not None:
                yield m.span(), window


_LEFT = re.compile(
    rf"\b(?:(?:next|coming|upcoming|last|previous|past|following|this)\s+(?:{'|'.join(_WEEKDAYS)}|days?|weeks?|week-?ends?|fortnights?|months?"
    rf"|quarters?|years?|spring|summer|autumn|winter|{NAMED}|sprints?)"
    rf"|on\s+(?:{'|'.join(_WEEKDAYS)})(?!s| of\b)|tomorrow|yesterday|tonight|fortnight"
    rf"|(?:end|beginning|start|middle|early|mid|late)[\s-]+(?:of\s+)?(?:the\s+)?(?:{NAMED}|week|month|quarter|year)"
    r"|christmas|easter|new year(?:['\u2019]s)?(?: eve| day)?|thanksgiving|ramadan|the holidays|bank holiday"
    r"|(?:in|over|during|this|next|last)\s+(?:the\s+)?(?:spring|summer|autumn|winter)"
    rf"|(?:the|this)\s+(?:day|week|month|year)\s+(?:before|after)"
    rf"|(?:from|since|until|by|before|after|in|during)\s+(?:{NAMED}))\b",
    re.I,
)


def unread(question: str, spans: tuple[tuple[int, int], ...]) -> str:
    """The first words that name a time and were not understood; empty when there are none."""
    for m in _LEFT.finditer(question):
        if not any(a < m.end() and m.start() < b for a, b in spans):
            return m[0]
    return ""


def _at(moment: datetime) -> int:
    return int(moment.timestamp())


def _today(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _near(m: re.Match[str], now: datetime, _: int) -> Window | None:
    """Tomorrow, tonight, last night, the day after tomorrow, the day before yesterday."""
    today, words = _today(now), " ".join(m[1].lower().split())
    if words == "last night":
        return _at(today - _DAY / 4), _at(today + _DAY / 4), _at(today) - 1
    if words == "tonight":
        return _at(now), _at(today + 1.25 * _DAY), _at(today + _DAY) - 1
    day = {"tomorrow": 1, "the day after tomorrow": 2, "the day before yesterday": -2}[words]
    return _at(today + day * _DAY), _at(today + (day + 1) * _DAY), _at(today + (day + 1) * _DAY) - 1


def calendar(unit: str, on: int, now: datetime) -> _Span:
    """The week, month, quarter or year that lies so many on from the present one."""
    today = _today(now)
    if unit == "week":
        start = today - today.weekday() * _DAY + 7 * on * _DAY
        return start, start + 7 * _DAY
    size = {"month": 1, "quarter": 3, "year": 12}[unit]
    start = months_on(today.replace(month=(today.month - 1) // size * size + 1, day=1), size * on)
    return start, months_on(start, size)


def _next(m: re.Match[str], now: datetime, _: int) -> Window | None:
    """Next week, the next three days."""
    unit, number = m["unit"].lower(), (m["n"] or "").lower()
    if not number:
        if unit in ("day", "fortnight"):
            return (_at(now), _at(now + 14 * _DAY), None) if unit == "fortnight" else None
        start, end = calendar(unit, 1, now)
        return _at(start), _at(end), None
    return _at(now), _at(_later(now, number, unit)), None


def _later(now: datetime, number: str, unit: str) -> datetime:
    n = int(number) if number.isdigit() else _NUMBERS.index({"a": "one", "an": "one"}.get(number, number))
    if unit in ("month", "quarter", "year"):
        return months_on(_today(now), n * {"month": 1, "quarter": 3, "year": 12}[unit])
    return now + n * {"day": 1, "week": 7, "fortnight": 14}[unit] * _DAY


def _in_time(m: re.Match[str], now: datetime, _: int) -> Window | None:
    """In two weeks' time, three days from now."""
    at = _later(now, m["n"].lower(), m["unit"].lower())
    return _at(_today(at)), _at(_today(at) + _DAY), _at(at)


def _in_units(m: re.Match[str], now: datetime, when: int) -> Window | None:
    """In two weeks, of what will be or of whose turn it is; else it is how long something takes."""
    return _in_time(m, now, when) if when > 0 or (when == 0 and _TURN.search(m.string)) else None


def _weekend(m: re.Match[str], now: datetime, when: int) -> Window | None:
    """The last, present or next weekend; none when any weekend is meant, as where it is asked what is allowed."""
    how = (m["how"] or "the").lower()
    if how == "the" and ((when == 0 and not _TURN.search(m.string)) or _ANY_DAY.search(m.string)):
        return None
    saturday = _today(now) + (5 - now.weekday()) * _DAY
    behind = how in ("last", "past", "previous") or (how == "the" and when < 0)
    start = saturday + (-7 if behind else 7 if how == "next" and now.weekday() > 4 else 0) * _DAY
    return _at(start), _at(start + 2 * _DAY), _at(start + _DAY) - 1


def _weekday(m: re.Match[str], now: datetime, when: int) -> Window | None:
    """Last Friday, on Friday, since Friday: the nearest one on the side that the words or the tense tell."""
    how, before = (m["how"] or "").lower(), (m["prep"] or "").lower()
    if not how and (not before or _ANY_DAY.search(m.string)):
        return None
    today = _today(now)
    back = (today.weekday() - _WEEKDAYS.index(m["day"].lower())) % 7
    behind = how in ("last", "past", "previous", "this past") or (not how.startswith(("next", "this coming", "coming", "upcoming")) and (
        before == "since" or when < 0))
    start = today - (back or 7) * _DAY if behind else today + (-back % 7 or (7 if how == "next" else 0)) * _DAY
    return _bounded(before or "on", (start, start + _DAY), start, now)


def _bounded(before: str, span: _Span, moment: datetime, now: datetime, edge: bool = False) -> Window:
    """What a preposition makes of a stretch and the moment in it that is meant; `edge`: it is the beginning itself, not the whole."""
    if re.fullmatch(_FROM, before):
        since = span[1] if before == "after" and not edge and moment == span[0] else moment
        return _at(since), None, _at(since) if since > now else None
    if re.fullmatch(_TO, before):
        return None, _at(span[1] if before in ("until", "till", "by", "up to") and not edge and moment == span[0] else moment), None
    at = min(moment, span[1] - timedelta(seconds=1))
    return _at(span[0]), _at(span[1]), _at(span[1]) - 1 if span[1] - span[0] <= _DAY else _at(at)


def _edge(m: re.Match[str], now: datetime, when: int) -> Window | None:
    """The beginning, middle or end of a month, or of this, the last or the next week, month, quarter or year."""
    if m["unit"]:
        on = {"next": 1, "last": -1, "previous": -1, "coming": 1}.get((m["which"] or "").lower(), 0)
        span = calendar(m["unit"].lower(), on, now)
    else:
        span = _month(MONTHS[m["month"].lower()], m["year"], now, when)
    third = (span[1] - span[0]) / 3
    edge = m["edge"].lower()
    if edge in ("end", "close", "late"):
        return _bounded((m["prep"] or "at").lower(), (span[1] - third, span[1]), span[1], now)
    if edge in ("middle", "mid"):
        return _bounded((m["prep"] or "at").lower(), (span[0] + third, span[1] - third), span[0] + (span[1] - span[0]) / 2, now)
    return _bounded((m["prep"] or "at").lower(), (span[0], span[0] + third), span[0], now, edge=True)


def _month(month: int, year: str | None, now: datetime, when: int) -> _Span:
    """A month of the year given, else the latest that has begun, the next that has not ended, or the nearer of the two."""
    if year:
        return month_of(int(year), month) or calendar("month", 0, now)
    years = [month_of(now.year + n, month) for n in (-1, 0, 1)]
    spans = [s for s in years if s]
    behind, ahead = [s for s in spans if s[0] <= now][-1], next(s for s in spans if s[1] > now)
    if when:
        return ahead if when > 0 else behind
    return ahead if ahead[0] - now <= now - behind[1] else behind


def _in_month(m: re.Match[str], now: datetime, when: int) -> Window | None:
    """In November, of what will be; what was or is lies in the latest such month."""
    if when <= 0:
        return None
    start, end = _month(MONTHS[m["month"].lower()], None, now, when)
    return _at(start), _at(end), None


def _by_month(m: re.Match[str], now: datetime, when: int) -> Window | None:
    """From July, by August, before June: a month without its year."""
    span = _month(MONTHS[m["month"].lower()], None, now, -1 if m["prep"].lower() == "since" else when)
    return _bounded(m["prep"].lower(), span, span[0], now)


_UNIT = r"(?P<unit>day|week|fortnight|month|quarter|year)"
_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], datetime, int], Window | None]], ...] = tuple(
    (re.compile(pattern, re.I), meaning)
    for pattern, meaning in (
        (r"\b(?:on\s+)?(the day after tomorrow|the day before yesterday|tomorrow|tonight|last night)\b", _near),
        (rf"\bin\s+(?P<n>{_N})\s+{_UNIT}s?['\u2019]?s?\s+time\b", _in_time),
        (rf"\bin\s+(?P<n>{_N}|an?)\s+{_UNIT}s?\b(?!['\u2019])", _in_units),
        (r"\b(?:(?:at|on|over|during|for)\s+)?(?P<how>the|this|next|coming|upcoming|last|past|previous)\s+week-?end\b", _weekend),
        (rf"\b(?:in\s+)?(?P<n>{_N})\s+{_UNIT}s?\s+(?:from (?:now|today)|hence)\b", _in_time),
        (
            rf"\b(?:(?P<prep>on|{_FROM}|{_TO})\s+)?(?:(?P<how>this coming|this past|this|next|coming|upcoming|last|past|previous)\s+)?"
            rf"(?P<day>{'|'.join(_WEEKDAYS)})\b(?! of\b){_PART}",
            _weekday,
        ),
        (
            rf"\b(?:(?P<prep>at|in|on|{_FROM}|{_TO})\s+)?(?:the\s+)?(?P<edge>end|close|late|beginning|start|early|middle|mid)[\s-]+(?:of\s+)?"
            rf"(?:(?P<month>{_MONTH})\.?,?(?:\s+(?P<year>\d{{4}}))?(?!\s+\d)|(?:the\s+|(?P<which>this|next|last|previous|coming)\s+)"
            r"(?P<unit>week|month|quarter|year))\b",
            _edge,
        ),
        (rf"\b(?:(?:in|during|for|over|throughout|within)\s+)?(?:the\s+)?(?:next|coming|upcoming)\s+(?:(?P<n>{_N})\s+)?{_UNIT}s?\b", _next),
        (
            rf"\b(?P<prep>{_FROM}|{_TO})\s+(?P<month>{_MONTH})\b(?:\s+on(?:wards?)?)?(?!\.?,?\s*\d)"
            r"(?!\s*(?:and|to|or|-|\u2013)\s)",
            _by_month,
        ),
        (rf"\b(?:in|during|throughout|for)\s+(?P<month>{_MONTH})\b(?!\.?,?\s*\d)(?!\s*(?:and|to|or|-|\u2013)\s)", _in_month),
    )
)
