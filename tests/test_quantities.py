"""Amounts and bounds in prose."""

import pytest

from brain.incident.quantities import amounts, bounds


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Let batches wait up to eight seconds under load", [("time", 8.0)]),
        ("from 90 to 55 percent", [("share", 55.0)]),
        ("a lifetime of twenty-five minutes", [("time", 1500.0)]),
        ("60s, then an hour, then 0.5 h", [("time", 60.0), ("time", 3600.0), ("time", 1800.0)]),
        ("at most 10 retries of 4 MB", [("count", 10.0), ("bytes", 4e6)]),
        ("as there is a test, 8 things and v2.9.0 s", []),
        ("", []),
    ],
)
def test_an_amount_is_a_number_with_a_unit(text, found):
    assert [(a.kind, a.value) for a in amounts(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A batch closes after two seconds at the latest, under any load.", [("most", 2.0)]),
        ("At least twice the longest job, and never under two hours.", [("least", 7200.0)]),
        ("Raised to ten seconds on Monday. Levels were forty seconds old.", []),
        ("Close within 5 minutes; retry no more than 3 times", [("most", 300.0), ("most", 3.0)]),
    ],
)
def test_a_bound_is_an_amount_that_a_sentence_allows_at_most_or_demands_at_least(text, found):
    assert [(b.side, b.value) for b in bounds(text)] == found


def test_a_bound_is_broken_only_by_an_amount_of_its_kind_on_its_wrong_side():
    most, least = next(bounds("within two seconds")), next(bounds("at least one hour"))
    seconds = {n: next(amounts(f"{n} seconds")) for n in (1, 2, 8)}
    assert [most.broken_by(seconds[n]) for n in (1, 2, 8)] == [False, False, True]
    assert least.broken_by(seconds[8])
    assert not most.broken_by(next(amounts("80 percent")))
