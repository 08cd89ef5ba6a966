"""What is stated from a passage stands where the statement of it that is about the same holds it, and not where another one does."""

from __future__ import annotations

import pytest

from brain.agents.model_passages import Passages, statements

POLICY = """Baking
---
title: Baking
owner: oven
---

# Baking

| Bread | Time | Who |
| --- | --- | --- |
| Rye loaf | 50 minutes | Ada Holm |
| White loaf | 30 minutes | Ben Iver |

- Knead for ten minutes. Let it rest for two hours.
- The oven is emptied by Cleo
  Marsh at 17:00, not on a Sunday.

## Root cause

o/bake#1 burned the crust.

## Resolution

o/bake#2 turned the heat down.
"""
CARD = """Catalogue of cart
kind: Component
  name: cart
  owner: shop
  dependsOn:
  - component:till
"""


@pytest.fixture(scope="module")
def passages() -> Passages:
    return Passages([POLICY])


def test_a_cell_is_told_with_its_row_and_under_its_head():
    cell = next(s for s in statements(POLICY) if s.text == "50 minutes")
    assert {"rye", "loaf", "time"} <= cell.about
    assert "white" not in cell.about


def test_a_table_that_goes_on_in_another_passage_keeps_its_heads():
    more = Passages([POLICY, "Baking\n| Bun | 12 minutes | Dee Poe |"])
    assert any(s.text == "Dee Poe" and "who" not in s.about and "bun" in s.about for s in more.statements)
    assert next(s for s in more.statements if s.text == "12 minutes").about >= {"time", "bun"}


@pytest.mark.parametrize(
    ("number", "sentence"),
    [("50", "A rye loaf takes 50 minutes."), ("30", "The white loaf bakes for 30 minutes, says the policy."), ("ten", "Knead it for ten minutes."), ("two", "It rests for two hours."),
     ("17:00", "Cleo Marsh empties the oven at 17:00.")],
)  # fmt: skip
def test_a_number_stands_beside_the_words_it_is_of(passages, number, sentence):
    assert passages.holds(number, sentence)


@pytest.mark.parametrize(
    ("number", "sentence"),
    [("30", "A rye loaf takes 30 minutes."), ("ten", "The dough rests for ten hours."), ("two", "Knead for two minutes."), ("40", "A rye loaf takes 40 minutes."), ("50", "Nobody knows the 50.")],
)  # fmt: skip
def test_a_number_of_something_else_does_not(passages, number, sentence):
    assert not passages.holds(number, sentence)


def test_the_ends_of_a_time_are_told_apart():
    told = Passages(["A day\nstart: 2026-01-05T08:20:00Z\nend: 2026-01-05T09:40:00Z\n"])
    assert told.holds("08:20", "It lasted from 08:20 to 09:40.")
    assert told.holds("09:40", "It ended at 09:40.")
    assert not told.holds("09:40", "It began at 09:40.")
    assert not told.holds("09:40", "It began at 09:40 and ended at 08:20.")


def test_whom_it_is_said_of_is_told():
    told = Passages([POLICY])
    assert told.of_another("Ben Iver", "Ben Iver bakes the rye loaf.") == "Ada Holm"
    assert told.of_another("Ada Holm", "Ada Holm bakes the rye loaf.") == ""
    assert told.of_another("Ada Holm", "Ada Holm bakes the rye loaf and Ben Iver the white loaf.") == ""
    assert told.of_another("o/bake#2", "The root cause was o/bake#2.") == "o/bake#1"
    assert told.of_another("o/bake#1", "The root cause was o/bake#1.") == ""


def test_what_a_file_is_about_is_what_its_lines_are_about():
    card = Passages([CARD])
    assert not card.speaks_against("cart", "till", "depends on")
    assert card.speaks_against("till", "cart", "depends on")
    assert card.speaks_against("cart", "shop", "depends on")
    assert not card.speaks_against("cart", "shop", "is owned by")
    assert not card.speaks_against("cart", "mail", "depends on"), "of what they do not name passages say nothing"


def test_two_of_a_table_are_not_joined_where_no_row_holds_both(passages):
    assert passages.speaks_against("Ada Holm", "White loaf", "leads")
    assert not passages.speaks_against("Ada Holm", "Rye loaf", "leads")


def test_a_no_is_not_left_out(passages):
    assert passages.denies("The oven is emptied by Cleo Marsh on a Sunday.")
    assert not passages.denies("The oven is not emptied by Cleo Marsh on a Sunday.")
    assert not passages.denies("Nothing happens on a Sunday.")


def test_the_words_behind_a_name_are_those_of_that_name():
    told = Passages(["Log\nsign-in told rota, rota emptied itself, and ring-up had nobody to call. Ada Holm put the lists back by hand."])
    assert told.done_by("ring-up told rota about it.", ["ring-up", "rota"]) == "sign-in"
    assert told.done_by("sign-in told rota about it.", ["sign-in", "rota"]) == ""
    assert told.done_by("Ben Iver put the lists back.", ["Ben Iver"]) == "Holm"


def test_what_is_said_of_something_else_is_told():
    told = Passages(["Notes\ncart keeps the old list. Somebody tried a learned list for a month.\n\n- An empty list is an alarm. Done."])
    assert told.elsewhere("cart", "cart tried the learned list.")
    assert not told.elsewhere("cart", "cart keeps the old list.")
    assert told.denies("The alarm of an empty list is still open.")
    assert not told.denies("The learned list is still open.")


def test_only_the_headings_over_it_are_not_enough_for_a_number():
    told = Passages(["Visits\n# Visitors at the sites\n\n| Rule | Value |\n|---|---|\n| Visitor access | ends at 18:00 |\n\nWhoever stays longer asks Ada Holm before 17:00."])
    assert told.holds("18:00", "Visitors must leave by 18:00.")
    assert not told.holds("17:00", "Visitors must leave by 17:00.")
    assert told.holds("17:00", "To stay longer, ask before 17:00.")


def test_a_row_that_begins_with_what_the_sentence_names_is_the_one_it_is_about():
    told = Passages(["Tiers\n| Service | Tier | Needs |\n|---|---|---|\n| cart | 2 | till |\n| till | 1 | - |"])
    assert told.holds("1", "till is of tier 1.")
    assert not told.holds("2", "till is of tier 2.")


def test_somebody_whom_the_passage_does_not_name_is_not_who_it_says_it_of():
    told = Passages(["Lists\nDeciders: Ada Holm, Ben Iver\n"])
    assert told.of_another("Cy Dow", "Cy Dow decided the lists.", absent=True)
    assert not told.of_another("Cy Dow", "Cy Dow decided the lists.")
