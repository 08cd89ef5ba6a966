"""Values of rules in digits and in words."""

from __future__ import annotations

import pytest

from brain.agents.company_values import measures, same_value


@pytest.mark.parametrize(
    ("stated", "held", "same"),
    [
        ("two hours", "2 hours", True),
        ("still 2 hours", "2 working hours", True),
        ("forty-five minutes", "45 minutes", True),
        ("two hours", "4 hours", False),
        ("two days", "2 hours", False),
        ("not required", "required", True),
        ("", "2 hours", False),
    ],
)
def test_a_value_is_the_same_in_digits_and_in_words(stated, held, same):
    assert same_value(stated, held) == same


def test_a_number_with_its_unit_is_found_in_a_question():
    assert measures("Is it eight hours, or 2 working days, on tier 1?") == ["eight hours", "2 working days"]
