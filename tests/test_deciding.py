"""What was decided and whether it stands: by number, key and words, at any instant."""

from __future__ import annotations

import pytest
from small_company import caller
from small_graph import at

from brain.errors import ToolError


@pytest.fixture(scope="module")
def run(shared_store):
    return caller(shared_store, "deciding")


def numbers(result):
    return [r["number"] for r in result.rows]


@pytest.mark.parametrize("topic", ["7", "ADR-7", "adr 0007", "ADR-0007", "decision:docs/adr/0007-bus-batches-close-quickly",
                                   "doc:docs/adr/0007-bus-batches-close-quickly.md", "how quickly bus batches close"])  # fmt: skip
def test_a_decision_is_found_by_number_key_document_and_words(run, topic):
    assert numbers(run("decision", topic=topic)) == [7]


def test_it_comes_with_its_reason_its_author_and_a_line(run):
    row = run("decision", topic="7").rows[0]
    assert (row["status"], row["reason"], row["author"], row["author_name"]) == ("in_force", "Thresholds read the bus.", "person:leilaf", "Leila Farahani")
    assert row["deciders"] == ["person:leilaf", "person:mcoelho"] and row["from_key"] == row["doc"] and row["quote"]


@pytest.mark.parametrize(("number", "status", "by"), [
    (2, "superseded", [9]), (4, "partly_superseded", [12]), (7, "in_force", []), (14, "proposed", []), (15, "rejected", []), (9, "in_force", [])
])  # fmt: skip
def test_what_replaced_it_decides_before_what_it_says_of_itself(run, number, status, by):
    row = run("decision", topic=str(number)).rows[0]
    assert row["status"] == status and [int(k.split("/")[-1][:4]) for k in row["superseded_by"]] == by


def test_replaced_in_part_says_which_part(run):
    row = run("decision", topic="4").rows[0]
    assert row["scope"] == "minute readings of tidal gauges" and row["from_key"] == "doc:docs/adr/0012-minute-readings.md"


def test_what_is_only_proposed_replaces_nothing(run):
    assert run("decision", topic="16").rows[0]["supersedes"] == ["decision:docs/adr/0007-bus-batches-close-quickly"]
    assert run("decision", topic="7").rows[0]["superseded_by"] == []


def test_before_the_newer_decision_the_older_stood_though_its_text_says_superseded_today(run):
    row = run("decision", as_of=at("2025-03-01"), topic="2").rows[0]
    assert (row["stated"], row["status"], row["superseded_by"]) == (None, "in_force", [])


def test_a_decision_of_tomorrow_is_not_told_today(run):
    assert not run("decision", as_of=at("2025-03-01"), topic="9").rows


def test_of_what_nobody_decided_there_is_nothing(run):
    assert not run("decision", topic="kubernetes operators").rows and not run("decision", topic="ADR-99").rows
    with pytest.raises(ToolError, match="at least one word"):
        run("decision", topic="of the")


def test_every_quote_stands_in_the_stored_line(run):
    for row in run("decision", topic="readings of gauges").rows:
        assert row["line"] and row["quote"]
