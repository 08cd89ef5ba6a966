"""Time expressions as instants. Now is 17 October 2026, a Saturday."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.text.timewords import parse

NOW = int(datetime(2026, 10, 17, 12, 30, tzinfo=UTC).timestamp())


def told(text, taken=()):
    t = parse(text, NOW, taken)
    return tuple(
        x and datetime.fromtimestamp(x, UTC).strftime("%Y-%m-%d %H:%M").removesuffix(" 00:00") for x in (t.since, t.until, t.as_of)
    )


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("in 2025", "2025-01-01", "2026-01-01"),
        ("during March 2026", "2026-03-01", "2026-04-01"),
        ("in Mar. 2026", "2026-03-01", "2026-04-01"),
        ("2026-03", "2026-03-01", "2026-04-01"),
        ("in Q2 2026", "2026-04-01", "2026-07-01"),
        ("2026-Q2", "2026-04-01", "2026-07-01"),
        ("in the first half of 2025", "2025-01-01", "2025-07-01"),
        ("H2 2025", "2025-07-01", "2026-01-01"),
        ("in March", "2026-03-01", "2026-04-01"),
        ("during November", "2025-11-01", "2025-12-01"),
        ("since May", "2026-05-01", None),
        ("since 2026-02-03", "2026-02-03", None),
        ("after 3 February 2026", "2026-02-04", None),
        ("after February 2026", "2026-03-01", None),
        ("after the start of 2026", "2026-01-01", None),
        ("from 2026-02-03 onwards", "2026-02-03", None),
        ("before 2026", None, "2026-01-01"),
        ("before 3rd of February 2026", None, "2026-02-03"),
        ("until 2025", None, "2026-01-01"),
        ("until the beginning of 2025", None, "2025-01-01"),
        ("by February 3, 2026", None, "2026-02-04"),
        ("between 2026-01-05 and 2026-01-09", "2026-01-05", "2026-01-10"),
        ("from January 2026 to March 2026", "2026-01-01", "2026-04-01"),
        ("between January and March 2026", "2026-01-01", "2026-04-01"),
        ("March\u2013April 2026", "2026-03-01", "2026-05-01"),
        ("2024 to 2025", "2024-01-01", "2026-01-01"),
        ("2026-01-05..2026-01-09", "2026-01-05", "2026-01-10"),
        ("between 3 and 9 May 2026", "2026-05-03", "2026-05-10"),
        ("the 3rd to the 9th of May", "2026-05-03", "2026-05-10"),
        ("in the last 24 hours", "2026-10-16 12:30", "2026-10-17 12:30"),
        ("in the last 10 days", "2026-10-07 12:30", "2026-10-17 12:30"),
        ("over the past two weeks", "2026-10-03 12:30", "2026-10-17 12:30"),
        ("the previous three months", "2026-07-17 12:30", "2026-10-17 12:30"),
        ("in the last two quarters", "2026-04-17 12:30", "2026-10-17 12:30"),
        ("last month", "2026-09-01", "2026-10-01"),
        ("last quarter", "2026-07-01", "2026-10-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("last week", "2026-10-05", "2026-10-12"),
        ("this year", "2026-01-01", "2026-10-17 12:30"),
        ("the past month", "2026-09-17 12:30", "2026-10-17 12:30"),
        ("since two years ago", "2024-10-17 12:30", None),
        ("yesterday", "2026-10-16", "2026-10-17"),
        ("29 February 2024", "2024-02-29", "2024-03-01"),
        ("at 2026-03-04T10:20Z", "2026-03-04 10:20", "2026-03-04 10:20"),
        ("in the 24 hours before 2026-09-22 06:00", "2026-09-21 06:00", "2026-09-22 06:00"),
        ("in the two days before 22 September 2026", "2026-09-20", "2026-09-22"),
        ("during the hour after 14:30 on 22 September 2026", "2026-09-22 14:30", "2026-09-22 15:30"),
        ("the day before 1 September", "2026-08-31", "2026-09-01"),
        ("between 06:00 and 09:30 on 22 September 2026", "2026-09-22 06:00", "2026-09-22 09:30"),
        ("in the week of 23 September 2026", "2026-09-21", "2026-09-28"),
        ("on 7 May", "2026-05-07", "2026-05-08"),
        ("on November 3rd", "2025-11-03", "2025-11-04"),
        ("on 22 September 2026 at 06:00", "2026-09-22 06:00", "2026-09-22 06:00"),
    ],
)
def test_a_window_is_half_open_and_utc(text, since, until):
    assert told(f"PRs {text}?")[:2] == (since, until)


@pytest.mark.parametrize(
    ("text", "as_of"),
    [
        ("as of 2026-05-01", "2026-05-01 23:59"),
        ("as of 1 May 2026", "2026-05-01 23:59"),
        ("at the end of 2025", "2025-12-31 23:59"),
        ("by the end of Q1 2026", "2026-03-31 23:59"),
        ("the state on 2026-05-01", "2026-05-01 23:59"),
        ("three weeks ago", "2026-09-26 12:30"),
        ("a year ago", "2025-10-17 12:30"),
        ("on 2026-05-01", "2026-05-01 23:59"),
    ],
)
def test_an_instant_is_the_end_of_what_is_named(text, as_of):
    assert told(f"open PRs {text}")[2] == as_of


@pytest.mark.parametrize(
    "text",
    [
        "",
        "who knows it",
        "12",
        "v2026.1",
        "#2026",
        "issue 2026-x",
        "31 February 2026",
        "2026-13-01",
        "May I ask",
        "1.2.3",
        "from here to there",
        "the march of time",
    ],
)
def test_what_is_no_date_is_none(text):
    assert told(text) == (None, None, None)


def test_what_names_something_else_is_left_alone():
    assert told("draft 2026 text", ((6, 10),)) == (None, None, None)


def test_today_and_now_limit_nothing():
    assert told("which PRs are open today?") == (None, None, None) == told("who knows it now?")


def test_the_words_and_where_they_stand_are_told():
    t = parse("PRs in May 2026 and since 2025?", NOW)
    assert [("PRs in May 2026 and since 2025?"[a:b]).strip() for a, b in t.spans] == [
        "in May 2026",
        "since 2025",
    ] and "since 2025" in t.words


@given(
    st.text(max_size=60), st.sampled_from(["in ", "since ", "between ", "on ", "last ", "as of ", "99 May ", "0000-", "9999-12-31 ", ""])
)
def test_no_text_is_too_odd(text, before):
    t = parse(before + text, NOW)
    assert all(0 <= a < b <= len(before + text) for a, b in t.spans)
