"""Questions about decisions: many of them, somebody's own, described ones, and what was never so."""

from __future__ import annotations

import pytest

RECORDS = {
    2: "0002-poll-every-second", 4: "0004-readings-two-years", 7: "0007-bus-batches-close-quickly", 9: "0009-poll-by-group",
    12: "0012-minute-readings", 14: "0014-sign-commands", 15: "0015-cbor", 16: "0016-slower-batches",
}  # fmt: skip


def records(*numbers):
    return {f"decision:docs/adr/{RECORDS[n]}" for n in numbers}


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Which decisions did Leila Farahani take part in?", records(7)),
        ("Name the ADRs that Leila Farahani had a hand in.", records(7)),
        ("How many decisions has Leila Farahani been part of?", {"1"}),
        ("Was Leila Farahani party to ADR-7?", {"yes"}),
        ("Did Leila Farahani decide ADR-9?", {"no"}),
        ("Which decisions were taken in May 2025?", records(9)),
        ("How many decisions were made in August 2025?", {"2"}),
        ("Which decision took the place of polling the controllers every second?", records(9)),
        ("Did ADR-9 replace anything?", records(2)),
        ("Did ADR-9 replace ADR-2?", {"yes"}),
        ("Did ADR-9 replace ADR-4?", {"no"}),
        ("When did ADR-9 replace ADR-2?", {"2025-05-10"}),
        ("When was ADR-2 superseded?", {"2025-05-10"}),
        ("Has ADR-9 been replaced by anything?", {"no"}),
        ("Was CBOR between sites and bus ever approved?", {"no"}),
        ("Which decisions have been overturned?", records(2, 4)),
        ("Which ADRs were written in May 2025?", records(9)),
        ("How many decisions are in force?", {"4"}),
        ("Which decision says how long readings are kept?", records(4)),
    ],
)  # fmt: skip
def test_decisions_are_found_by_who_made_them_when_and_by_what_they_are_about(answer, question, items):
    found = answer(question)
    assert (found.state, set(found.items)) == ("answered", items), found.text


@pytest.mark.parametrize(
    "question",
    ["Why did we adopt CBOR between sites and bus?", "When did ADR-9 replace ADR-4?", "Why did we reject ADR-7?", "Why did ADR-14 supersede ADR-7?"],
)
def test_what_was_never_decided_so_is_corrected(answer, question):
    assert answer(question).state == "premise_corrected"


def test_a_status_told_of_a_rejected_record_names_it(answer):
    assert "rejected" in answer("Was CBOR between sites and bus ever approved?").text


def test_decisions_of_somebody_who_made_none_are_not_those_of_others(answer):
    found = answer("Which decisions did Patrick Nolan take part in?")
    assert found.state == "insufficient" and not found.items
