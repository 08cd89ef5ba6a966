"""Times as people and programs write them, and text that may be stored."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from brain.connectors.record_fields import NoTime, day_comes_first, instant, line, may_be_either, name_in, text

WHEN = int(datetime(2025, 4, 3, 9, 5, tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    "value",
    ["2025-04-03T09:05:00Z", "2025-04-03 09:05", "2025-04-03T11:05:00.000+0200", "03/Apr/25 9:05 AM", "3. April 2025 09:05", "Thu, 03 Apr 2025 09:05:00 GMT", WHEN, WHEN * 1000, float(WHEN), str(WHEN)],
)  # fmt: skip
def test_a_time_in_any_form_is_one_instant(value):
    assert instant(value) == WHEN


@pytest.mark.parametrize("value", ["soon", "10", "2025", True, [1], "2025-13-45", -5, "9:05", "KIL-7", "v1.2.3"])
def test_what_is_no_time_is_refused(value):
    with pytest.raises(NoTime):
        instant(value)


def test_nothing_and_the_year_one_are_no_time():
    assert instant(None) is None and instant("") is None and instant("0001-01-01T00:00:00Z") is None


def test_a_date_in_numbers_is_read_only_when_day_and_month_can_be_told():
    assert instant("03/04/2025 09:05", day_first=True) == WHEN and instant("04/03/2025 09:05", day_first=False) == WHEN
    with pytest.raises(NoTime, match="day or month first"):
        instant("03/04/2025 09:05")
    assert (may_be_either("03/04/2025"), may_be_either("03/03/2025"), may_be_either("25/04/2025"), may_be_either("2025-04-03")) == (True, False, False, None)
    assert (day_comes_first("25/04/2025"), day_comes_first("04/25/2025"), day_comes_first("03/04/2025")) == (True, False, None)


def test_text_leaves_without_addresses_and_control_characters():
    assert text("a\r\nb\0 ada@example.org\ud800") == "a\nb [e-mail]?" and line(" a \n b ") == "a b" and text(None) == text({}) == ""
    assert name_in({"displayName": "Ada", "id": 1}) == "Ada" and name_in({}) is None and name_in("x") == "x"
