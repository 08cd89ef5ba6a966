"""Dates and times as people write them, in the one form that rows hold them in, so that they can be found there."""

from __future__ import annotations

import re

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
_NUMBER = {name[:3]: f"{n:02}" for n, name in enumerate(_MONTHS, 1)}
_MONTH = "|".join((*_MONTHS, "sept", *_NUMBER))
_DAY_FIRST = re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m>{_MONTH})\.?,? (?P<y>\d{{4}})\b", re.I)
_MONTH_FIRST = re.compile(rf"\b(?P<m>{_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})\b", re.I)
_MONTH_ALONE = re.compile(rf"\b(?P<m>{_MONTH})\.?,? (?:of )?(?P<y>\d{{4}})\b", re.I)
_CLOCK = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:T|,? (?:at |around |about )?)(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z|UTC|GMT)\b|\+00:?00)?"
)


def plain(text: str) -> str:
    """The text with its dates as `2025-11-29`, months of a year as `2025-11`, and times behind a date as `2025-11-29 01:11`."""
    for pattern in (_DAY_FIRST, _MONTH_FIRST):
        text = pattern.sub(lambda m: f"{m['y']}-{_month(m['m'])}-{int(m['d']):02}", text)
    text = _MONTH_ALONE.sub(lambda m: f"{m['y']}-{_month(m['m'])}", text)
    return _CLOCK.sub(r"\1 \2", text)


def _month(name: str) -> str:
    return _NUMBER[name.casefold()[:3]]
