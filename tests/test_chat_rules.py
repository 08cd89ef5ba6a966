"""A rule is announced in the declared form and in no other; what only resembles it is said to be unclear."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from brain.connectors.chat_rules import Announcement, Unclear, announced


def at(text):
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


NOW = at("2026-08-31T09:00")


def one(text):
    found = announced(text, NOW)
    assert len(found) == 1 and isinstance(found[0], Announcement), found
    return found[0]


def test_the_whole_form_is_read():
    assert one("RULE CHANGE: Firing window: 22:00 to 06:00 from 2026-09-04, until 2026-12-31, for kiln-control, replaces docs/policies/firing.md") == Announcement(
        1, "Firing window", "22:00 to 06:00", at("2026-09-04"), at("2027-01-01"), "kiln-control", "docs/policies/firing.md"
    )


@pytest.mark.parametrize(
    "text",
    ["Rule change: Firing window: 4 hours from 2026-09-04", ":mega: *RULE CHANGE: Firing window: 4 hours from 2026-09-04*", "*Rule change:* _Firing window_: `4 hours` from 2026-09-04.",
     "📣 RULE CHANGE: Firing window: 4 hours, from 4 September 2026", "Hello\nRULE CHANGE: Firing window: 4 hours from September 4, 2026. Please tell your shifts."],
)  # fmt: skip
def test_case_markup_emoji_and_what_follows_a_full_stop_do_not_matter(text):
    said = one(text)
    assert (said.name, said.value, said.start, said.slot) == ("Firing window", "4 hours", at("2026-09-04"), "firing-window")


def test_without_a_date_it_starts_when_it_was_said_and_a_value_may_hold_the_word():
    assert one("RULE CHANGE: Copies: two copies from the second site").start == 0
    assert one("RULE CHANGE: Copies: two from today").start == NOW
    assert one("RULE CHANGE: Copies: two, for kiln-control, replaces Copies kept") == Announcement(1, "Copies", "two", target="kiln-control", replaces="Copies kept")
    assert one("RULE CHANGE: Weekdays: Monday to Friday from 2026-10-01 (see the policy)").value == "Monday to Friday"


def test_a_time_of_day_and_a_link_are_read():
    said = one("RULE CHANGE: Firing window: 4 hours from 2026-09-04 08:00 UTC, for <https://acme.example/k|kiln-control>")
    assert said.start == at("2026-09-04T08:00") and said.target == "kiln-control"


@pytest.mark.parametrize(
    ("text", "why"),
    [("RULE CHANGE: Firing window: 4 hours from next week", "start"), ("RULE CHANGE: Firing window: 4 hours from 01/02/2026", "start"),
     ("RULE CHANGE: Firing window: 4 hours from 2026-09-04, until soon", "end"), ("RULE CHANGE: Firing window: 4 hours from 2026-09-04, until 2026-09-01", "before it starts"),
     ("RULE CHANGE: Firing window: 4 hours from 2026-09-04 unless it rains", "not in its form"), ("RULE CHANGE: Firing window: 4 hours from 2026-09-04?", "asks"),
     ("we had a RULE CHANGE: Firing window: 4 hours from 2026-09-04", "resembles"), ("RULE CHANGE: Firing window", "resembles"), ("No rule change: all stays", "resembles")],
)  # fmt: skip
def test_what_is_not_in_the_form_announces_nothing_and_says_why(text, why):
    found = announced(text, NOW)
    assert len(found) == 1 and isinstance(found[0], Unclear) and why in found[0].reason


@pytest.mark.parametrize(
    "text",
    ["> RULE CHANGE: Firing window: 4 hours from 2026-09-04", "```\nRULE CHANGE: Firing window: 4 hours from 2026-09-04\n```", "~RULE CHANGE: Firing window: 4 hours from 2026-09-04~",
     "since last week every firing has to be reported within 4 hours, that is the rule now", "Do we need a rule change?"],
)  # fmt: skip
def test_quoted_code_and_confident_talk_announce_nothing(text):
    assert announced(text, NOW) == []


def test_each_line_announces_for_itself():
    text = "RULE CHANGE: A b: 1 from 2026-09-04\nRULE CHANGE: C d: 2 from 2026-09-05"
    assert [(r.line, r.name) for r in announced(text, NOW)] == [(1, "A b"), (2, "C d")]
