"""Dates as people write them. A date that could be read in two ways is no date; the caller reports it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone

_NAMES = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
MONTHS = {name: n for n, name in enumerate(_NAMES, 1)}
MONTHS |= {name[:3]: n for name, n in MONTHS.items()} | {"sept": 9}
ZONES = {
    "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "BST": 60, "WEST": 60, "CET": 60, "CEST": 120, "EET": 120, "EEST": 180, "MSK": 180, "IST": 330,
    "SGT": 480, "JST": 540, "KST": 540, "AEST": 600, "AEDT": 660, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300, "MST": -420,
    "MDT": -360, "PST": -480, "PDT": -420,
}  # fmt: skip
_TIME = (
    r"(?:(?:[T ]|,? +(?:at +)?)(?P<h>\d{1,2}):(?P<mi>\d\d)(?::(?P<s>\d\d)(?:[.,]\d+)?)?(?: ?(?P<half>[ap]m)\b)?)?"
    r"(?: ?(?P<zone>Z\b|[+-]\d\d:?\d\d\b|[A-Z]{2,4}\b))?"
)
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_FORMS = tuple(
    re.compile(rf"(?<![\w/.-]){form}(?![\w/]|-\d|\.\d)", re.IGNORECASE)
    for form in (
        rf"(?P<y>(?:19|20)\d\d)(?P<sep>[-/.])(?P<m>\d{{1,2}})(?P=sep)(?P<d>\d{{1,2}}){_TIME}",
        rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.?(?: of)?[ -]{_MONTH}[ ,-]+(?P<y>(?:19|20)\d\d){_TIME}",
        rf"{_MONTH} (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? +(?P<y>(?:19|20)\d\d){_TIME}",
        rf"(?P<a>\d{{1,2}})(?P<sep>[/.-])(?P<b>\d{{1,2}})(?P=sep)(?P<y>(?:19|20)\d\d){_TIME}",
        r"(?P<y>(?:19|20)\d\d)-?W(?P<w>\d\d)",
        r"(?P<y>(?:19|20)\d\d)-(?P<m>0[1-9]|1[0-2])",
        rf"{_MONTH} (?P<y>(?:19|20)\d\d)",
        r"(?P<y>(?:19|20)\d\d)[- ]?Q(?P<q>[1-4])",
        r"Q(?P<q>[1-4])[ /-](?P<y>(?:19|20)\d\d)",
    )
)
_STAMP = re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])(?!\d)")


@dataclass(frozen=True)
class Moment:
    """A date, with or without the time of day: its first and last second in epoch seconds, and where it stands in the text."""

    start: int
    end: int
    timed: bool
    at: tuple[int, int] = (0, 0)


def moments(text: str, zone: int = 0, day_first: bool | None = None) -> Iterator[Moment]:
    """Every date in a text, in order. `zone`: minutes east of UTC, for times that do not name one; `day_first`: how 03/04/2024
    is meant, where that is known.
    """
    found: list[Moment] = []
    taken = bytearray(len(text))
    for form in _FORMS:
        for match in form.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            taken[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
            moment = _moment(match, zone, day_first)
            if moment is not None:
                found.append(moment)
    yield from sorted(found, key=lambda m: m.at)


def moment(text: str, zone: int = 0, day_first: bool | None = None) -> Moment | None:
    """The first date in a text; None when there is none."""
    return next(moments(text, zone, day_first), None)


def proves_day_first(text: str) -> bool | None:
    """What dates such as 23/04/2024 in a text prove about the order of day and month; None for nothing, or both."""
    pairs = [(int(m["a"]), int(m["b"])) for m in _FORMS[3].finditer(text)]
    day, month = any(a > 12 >= b for a, b in pairs), any(b > 12 >= a for a, b in pairs)
    return day if day != month else None


def stamp(name: str) -> Moment | None:
    """The date in a file name, `20200926-...` or `2020-09-26-...`."""
    match = _STAMP.search(name)
    if match:
        return _day(int(match["y"]), int(match["m"]), int(match["d"]), match.span())
    return moment(re.sub(r"(\d{4}-\d\d-\d\d)[-_].*", r"\1", name))


def ambiguous(text: str) -> bool:
    """Is the only date in the text one that may be day first or month first?"""
    return moment(text) is None and any(m["a"] and int(m["b"]) <= 12 for m in _FORMS[3].finditer(text))


def zone_of(text: str) -> int | None:
    """The offset of a time zone named in a text, in minutes: `CEST`, `UTC+2`, `GMT-5`; None when none is named."""
    given = re.search(r"\b(?:UTC|GMT) ?(?P<sign>[+-]) ?(?P<h>\d{1,2})(?::?(?P<m>\d\d))?", text)
    if given:
        return (1 if given["sign"] == "+" else -1) * (int(given["h"]) * 60 + int(given["m"] or 0))
    return next((ZONES[w] for w in re.findall(r"\b[A-Z]{3,4}\b", text) if w in ZONES), None)


def _moment(match: re.Match[str], zone: int, day_first: bool | None) -> Moment | None:
    got = match.groupdict()
    year = int(got["y"])
    if got.get("w"):
        try:
            monday = date.fromisocalendar(year, int(got["w"]), 1)
        except ValueError:
            return None
        return _span(monday, monday + timedelta(days=7), match.span())
    if got.get("q"):
        month = int(got["q"]) * 3 - 2
        return _span(date(year, month, 1), _next_month(year, month + 2), match.span())
    if got.get("a"):
        a, b = int(got["a"]), int(got["b"])
        if a <= 12 and b <= 12 and a != b and got["sep"] != "." and day_first is None:
            return None
        day, month = (b, a) if b > 12 or (day_first is False and a <= 12) else (a, b)
    else:
        month = MONTHS[got["month"].lower().rstrip(".")] if got.get("month") else int(got["m"])
        if not got.get("d"):
            return _span(date(year, month, 1), _next_month(year, month), match.span())
        day = int(got["d"])
    if got.get("h"):
        return _timed(year, month, day, got, zone, match.span())
    return _day(year, month, day, match.span())


def _timed(year: int, month: int, day: int, got: dict[str, str], zone: int, at: tuple[int, int]) -> Moment | None:
    hour = int(got["h"])
    if got.get("half"):
        hour = hour % 12 + (12 if got["half"].lower() == "pm" else 0) if hour <= 12 else hour
    try:
        offset = timezone(timedelta(minutes=_offset(got.get("zone"), zone)))
        when = int(datetime(year, month, day, hour, int(got["mi"]), int(got.get("s") or 0), tzinfo=offset).timestamp())
    except ValueError:
        return None
    return Moment(when, when, True, at)


def _offset(name: str | None, zone: int) -> int:
    if not name:
        return zone
    if name[0] in "+-":
        digits = name[1:].replace(":", "")
        return (1 if name[0] == "+" else -1) * (int(digits[:2]) * 60 + int(digits[2:]))
    return ZONES.get(name.upper(), zone)


def _day(year: int, month: int, day: int, at: tuple[int, int]) -> Moment | None:
    try:
        first = date(year, month, day)
    except ValueError:
        return None
    return _span(first, first + timedelta(days=1), at)


def _span(first: date, after: date, at: tuple[int, int]) -> Moment:
    return Moment(_midnight(first), _midnight(after) - 1, False, at)


def _next_month(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1)


def _midnight(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
