"""A number that a model worked out stands where the arithmetic comes out, and nowhere else."""

from __future__ import annotations

import pytest

from brain.agents.model_reckoned import Reckoner

AT = 1_780_000_000
MADE = Reckoner({"pr:o/a#1": [AT, AT + 4 * 86_400 + 7000], "deploy:d": [AT + 8160]})
CALLED = Reckoner(called={"alert:1": ["Silent", "cart"], "alert:2": ["Silent", "cart"], "alert:3": ["Loud", "cart"], "alert:4": ["Silent", "cart"], "service:cart": ["cart"]})  # fmt: skip
MONTHS = Reckoner(months={"2026-03": 1, "2026-04": 2, "2026-05": 4})


@pytest.mark.parametrize(
    ("number", "sentence"),
    [("four", "It was closed four days later."), ("4", "It took 4 days."), ("2", "It lasted 2 hours and 16 minutes."), ("16", "It lasted 2 hours and 16 minutes."), ("136", "It took 136 minutes."), ("two", "About two hours.")],
)  # fmt: skip
def test_a_time_between_two_instants_of_what_is_cited_comes_out(number, sentence):
    assert MADE.holds(number, sentence)


@pytest.mark.parametrize(("number", "sentence"), [("nine", "It was closed nine days later."), ("5", "It lasted 5 hours."), ("2", "It lasted 2 hours and 46 minutes."), ("4", "It has 4 parts.")])
def test_another_time_does_not(number, sentence):
    assert not MADE.holds(number, sentence)


def test_many_instants_prove_no_time():
    many = Reckoner({f"deploy:{n}": [AT + n * n * 3600] for n in range(20)})
    assert not many.holds("3", "It took 3 hours.")


def test_a_share_is_that_of_two_numbers_of_the_sentence():
    assert MADE.holds("71", "10 of 14 (about 71 %) failed.")
    assert not MADE.holds("81", "10 of 14 (about 81 %) failed.")
    assert not MADE.holds("71", "About 71 % failed.")


def test_things_of_one_name_are_counted():
    assert CALLED.counted("three", "Silent fired three times.") is True
    assert CALLED.counted("four", "Silent fired four times.") is False
    assert CALLED.counted("four", "Four fired on cart.") is None


def test_what_is_listed_is_counted():
    assert MADE.holds("three", "It has three: a, b and c.")
    assert not MADE.holds("four", "It has four: a, b and c.")


def test_months_are_summed_and_not_swapped():
    assert MONTHS.holds("7", "There were 7 from 2026-03 to 2026-05.")
    assert not MONTHS.holds("6", "There were 6 from 2026-03 to 2026-05.")
    assert MONTHS.counted("4", "In 2026-04 there were 4.") is False
    assert MONTHS.counted("2", "In 2026-04 there were 2.") is None


def test_the_whole_is_what_a_part_is_of():
    whole = Reckoner(wholes=[8])
    assert whole.holds("8", "3 of 8 were his.")
    assert not whole.holds("8", "8 were his.")
