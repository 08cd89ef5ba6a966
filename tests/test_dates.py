"""Dates are read in the forms people write them, and a date that may be one of two is none."""

from datetime import UTC, datetime

import pytest

from brain.connectors.dates import ambiguous, moment, moments, proves_day_first, stamp, zone_of


def shown(text, zone=0):
    return [(datetime.fromtimestamp(m.start, UTC).strftime("%Y-%m-%d %H:%M"), m.timed) for m in moments(text, zone)]


@pytest.mark.parametrize(("text", "said"), [
    ("Date: 2016-02-12", "2016-02-12 00:00"), ("2020/9/5", "2020-09-05 00:00"), ("12 February 2016", "2016-02-12 00:00"), ("12th of Feb 2016", "2016-02-12 00:00"),
    ("February 12, 2016", "2016-02-12 00:00"), ("13/02/2016", "2016-02-13 00:00"), ("02/13/2016", "2016-02-13 00:00"), ("02.03.2020", "2020-03-02 00:00"),
    ("2026-W42", "2026-10-12 00:00"), ("Q3 2026", "2026-07-01 00:00"), ("2026-10", "2026-10-01 00:00"), ("October 2026", "2026-10-01 00:00"),
    ("Sep 27 2017 13:06", "2017-09-27 13:06"), ("2018-01-18 4:19", "2018-01-18 04:19"), ("2017-11-30 4:23PM PST", "2017-12-01 00:23"),
    ("2016-08-18T19:00:00.474+02:00", "2016-08-18 17:00"), ("ca. 2018-07-08 18:30 CEST", "2018-07-08 16:30"), ("2018-01-17 17:14pm", "2018-01-17 17:14"),
])  # fmt: skip
def test_dates_are_read_as_people_write_them(text, said):
    assert [day for day, _ in shown(text)] == [said]


@pytest.mark.parametrize("text", ["", "version 1.12.3", "10.12.6.136", "2016-18-18", "31 February 2020", "ADR-2016", "v2020-01-01x", "12:30"])
def test_what_is_no_date_is_none(text):
    assert shown(text) == []


def test_a_date_that_may_be_day_or_month_first_is_none_and_is_told():
    assert moment("12/02/2016") is None and ambiguous("12/02/2016") and not ambiguous("13/02/2016") and not ambiguous("2016-02-12")
    assert moment("05/05/2016") is not None


def test_a_day_a_month_and_a_week_end_with_their_last_second():
    assert moment("2026-05-31").end - moment("2026-05-31").start == 86_399
    assert moment("2026-02").end == moment("2026-02-28").end and moment("2026-W42").end == moment("2026-10-18").end


def test_a_time_without_zone_is_of_the_zone_that_the_text_names():
    assert shown("2018-04-18 12:35", zone_of("All times in CEST (UTC+2)")) == [("2018-04-18 10:35", True)]
    assert (zone_of("All times in PST"), zone_of("UTC/GMT-5"), zone_of("All times local")) == (-480, -300, None)


def test_several_dates_come_in_order():
    assert [d for d, _ in shown("from 2026-09-21 to 27 September 2026")] == ["2026-09-21 00:00", "2026-09-27 00:00"]


@pytest.mark.parametrize(("name", "said"), [("20200926-use-numbers", "2020-09-26"), ("2018-01-18-reddit-hug", "2018-01-18"), ("0012-x", None), ("2018-13-01", None)])
def test_a_file_name_may_carry_a_date(name, said):
    found = stamp(name)
    assert (datetime.fromtimestamp(found.start, UTC).strftime("%Y-%m-%d") if found else None) == said


def test_other_dates_may_prove_which_comes_first():
    assert proves_day_first("23/04/2024 and 01/02/2024") is True and proves_day_first("04/23/2024") is False
    assert proves_day_first("01/02/2024") is None and proves_day_first("23/04/2024 04/23/2024") is None
    assert moment("03/04/2024", day_first=True).start == moment("2024-04-03").start and moment("03/04/2024", day_first=False).start == moment("2024-03-04").start
    assert moment("23/04/2024", day_first=False).start == moment("2024-04-23").start
