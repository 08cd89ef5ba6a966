"""Dates and times as people write them, in the one form that rows hold them in, so that they can be found there."""

from __future__ import annotations

import re

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
_NUMBER = {name[:3]: f"{n:02}" for n, name in enumerate(_MONTHS, 1)}
_MONTH = "|".join((*_MONTHS, "sept", *_NUMBER))
_DAY_FIRST = re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m>{_MONTH})\.?,? (?P<y>\d{{4}})\b", re.I)
_MONTH_FIRST = re.compile(rf"\b(?P<m>{_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})\b", re.I)
_MONTH_ALONE = re.compile(rf"\b(?P<m>{_MONTH})\.?,? (?:of )?(?P<y>\d{{4}})\b", re.I)
_FROM_MONTH = re.compile(
    rf"\b(?P<w>from |between )(?P<a>{_MONTH})(?P<t> to | until | and | through )(?P<b>{_MONTH})\.?,? (?P<y>\d{{4}})\b", re.I
)
_NAMES = "|".join(name.capitalize() for name in (*_MONTHS, "sept", *_NUMBER))
_TWO_DAYS = re.compile(rf"\b(?P<d>\d{{1,2}}) and (?P<e>\d{{1,2}}) (?P<m>{_NAMES})(?P<y> \d{{4}})?\b")
_NO_YEAR = re.compile(
    rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m>{_NAMES})\b"
    rf"|\b(?P<n>{_NAMES})\.? (?P<e>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d)"
)
_CLOCK = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:T|,? (?:at |around |about )?)(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z|UTC|GMT)\b|\+00:?00)?"
)


def plain(text: str) -> str:
    """The text with its dates as `2025-11-29`, days of a year that is not named as `--11-29`, months of a year as `2025-11`, and times
    behind a date as `2025-11-29 01:11`.
    """
    text = _TWO_DAYS.sub(lambda m: f"{m['d']} {m['m']}{m['y'] or ''} and {m['e']} {m['m']}{m['y'] or ''}", text)
    for pattern in (_DAY_FIRST, _MONTH_FIRST):
        text = pattern.sub(lambda m: f"{m['y']}-{_month(m['m'])}-{int(m['d']):02}", text)
    text = _FROM_MONTH.sub(lambda m: f"{m['w']}{m['y']}-{_month(m['a'])}{m['t']}{m['y']}-{_month(m['b'])}", text)
    text = _MONTH_ALONE.sub(lambda m: f"{m['y']}-{_month(m['m'])}", text)
    text = _NO_YEAR.sub(lambda m: f"--{_month(m['m'] or m['n'])}-{int(m['d'] or m['e']):02}", text)
    return _CLOCK.sub(r"\1 \2", text)


def _month(name: str) -> str:
    return _NUMBER[name.casefold()[:3]]
