"""Times in words that the calendar and the tense decide."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from brain.text import time_ahead
from brain.text.timewords import parse

NOW = int(datetime(2026, 6, 17, 12, tzinfo=UTC).timestamp())  # a Wednesday


def day(at: int | None) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d") if at is not None else ""


@pytest.mark.parametrize(
    ("question", "since", "until", "as_of"),
    [
        ("Who will be on duty next week?", "2026-06-22", "2026-06-29", ""),
        ("Who is on call tomorrow?", "2026-06-18", "2026-06-19", "2026-06-18"),
        ("Who was on call last night?", "2026-06-16", "2026-06-17", "2026-06-16"),
        ("Which limit applies from the end of June?", "2026-07-01", "", "2026-07-01"),
        ("Which limit held until the beginning of March?", "", "2026-03-01", ""),
        ("Who owned it at the end of May?", "2026-05-21", "2026-06-01", "2026-05-31"),
        ("Who is on call at the end of next month?", "2026-07-21", "2026-08-01", "2026-07-31"),
        ("What was deployed on Friday?", "2026-06-12", "2026-06-13", "2026-06-12"),
        ("Who is on call on Friday?", "2026-06-19", "2026-06-20", "2026-06-19"),
        ("Who is on call next Wednesday?", "2026-06-24", "2026-06-25", "2026-06-24"),
        ("What changed since Monday?", "2026-06-15", "", ""),
        ("Which limit applies from July?", "2026-07-01", "", "2026-07-01"),
        ("Which limit applied from March?", "2026-03-01", "", ""),
        ("Who is on duty in two weeks' time?", "2026-07-01", "2026-07-02", "2026-07-01"),
        ("How many were merged from March to May 2026?", "2026-03-01", "2026-06-01", ""),
    ],
)
def test_a_time_in_words_is_the_stretch_and_the_instant_it_means(question: str, since: str, until: str, as_of: str) -> None:
    time = parse(question, NOW)
    assert (day(time.since), day(time.until), day(time.as_of)) == (since, until, as_of)


@pytest.mark.parametrize("question", ["What is the free Sunday incident?", "May I deploy on a Friday afternoon?", "What may happen on Fridays?"])
def test_a_weekday_that_means_no_one_day_is_no_time(question: str) -> None:
    assert parse(question, NOW).spans == ()


def test_time_words_that_were_not_understood_are_told() -> None:
    question = "Who is on call in the coming sprint for the night team?"
    assert time_ahead.unread(question, parse(question, NOW).spans) == "coming sprint"
    understood = "Who is on call next week?"
    assert time_ahead.unread(understood, parse(understood, NOW).spans) == ""
