"""Dates as people type them: a day counts to its end, and what is no date is none."""

from datetime import date

import pytest

from brain.errors import BadInput
from brain.instants import date_of, day, instant


def test_a_day_counts_to_its_end_and_a_time_to_the_second():
    assert instant("2024-03-01") == instant("2024-03-01T23:59:59") == instant(" 2024-03-01 ")
    assert instant("2024-03-01T12:00Z") == instant("2024-03-01T13:00+01:00") == instant("2024-03-01T12:00")
    assert day(instant("2024-02-29")) == "2024-02-29"


@pytest.mark.parametrize("text", [None, "", "  "])
def test_nothing_typed_is_no_instant(text):
    assert instant(text) is None


@pytest.mark.parametrize("text", ["yesterday", "2024-13-01", "01/02/2024"])
def test_what_is_no_date_is_refused_with_how_to_write_one(text):
    with pytest.raises(BadInput, match="write 2024-03-01"):
        instant(text)
    assert date_of(text) is None


def test_a_date_outside_the_bounds_is_none():
    assert date_of("2024-03-01T03:00", date(2024, 1, 1), date(2025, 1, 1)) == date(2024, 3, 1)
    assert date_of("1024-03-01", date(2024, 1, 1)) is None and date_of("9024-03-01", last=date(2025, 1, 1)) is None
