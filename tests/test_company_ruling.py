"""Questions about what a rule says, since when, and what one may do, over the small company."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Is the ticket claim deadline four hours?", {"yes"}),
        ("Is the ticket claim deadline 8 hours?", {"no"}),
        ("Since when is the ticket claim deadline four hours?", {"2025-09-15"}),
        ("When did the ticket claim deadline become eight hours?", {"2025-01-05"}),
        ("From when will the ticket claim deadline be two hours?", {"2025-12-15"}),
        ("By when must a ticket meet its claim deadline?", {"4 hours"}),
        ("Must I keep the ticket claim deadline?", {"4 hours"}),
        ("What is announced about the ticket claim deadline?", {"2 hours"}),
    ],
)
def test_a_rule_is_told_by_its_value_or_by_the_day_it_has_it_from(answer, question, items):
    a = answer(question)
    assert (set(a.items), a.state) == (items, "answered"), a.text
    assert not a.dropped
