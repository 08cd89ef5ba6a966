"""Dates as people write them are found as rows hold them, and nothing else is taken for a date."""

from __future__ import annotations

import pytest

from brain.agents.model_dates import plain


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("on 29 November 2025.", "on 2025-11-29."), ("November 29, 2025", "2025-11-29"), ("Nov 3rd, 2025", "2025-11-03"), ("the 1st of Sept. 2025", "the 2025-09-01"),
        ("in May 2025", "in 2025-05"), ("2025-11-29 at 01:11", "2025-11-29 01:11"), ("2025-11-29T01:11:00Z", "2025-11-29 01:11"), ("29 November 2025 at 01:11 UTC", "2025-11-29 01:11"),
        ("2025-11-29T01:11:00.123+00:00", "2025-11-29 01:11"), ("on 7 May and on June 3rd", "on --05-07 and on --06-03"), ("on 6 and 12 October", "on --10-06 and --10-12"),
        ("from June to August 2026", "from 2026-06 to 2026-08"),
    ],
)  # fmt: skip
def test_every_way_of_writing_becomes_the_one_of_the_rows(written, read):
    assert plain(written) == read


@pytest.mark.parametrize("text", ["march 12 people", "May the 4 of us", "version 2025.11", "12 marches", "nothing at 12:30", "#2025-11", "2025-11-29", "decision 0007"])
def test_what_is_no_date_stays(text):
    assert plain(text) == text
