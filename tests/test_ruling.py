"""Rules over the company: in force, history, conflicts; what is announced is told only as a history."""

from __future__ import annotations

import pytest
from small_company import ANNOUNCED, caller
from small_graph import at

from brain.errors import ToolError

CLAIM = "ticket claim deadline"


@pytest.fixture(scope="module")
def run(shared_store):
    return caller(shared_store, "ruling")


@pytest.mark.parametrize(("day", "value"), [("2025-01-04", None), ("2025-06-01", "8 hours"), ("2025-09-15", "4 hours"), ("2025-12-14", "4 hours"), ("2025-12-15", "2 hours")])
def test_the_rule_of_the_day(run, day, value):
    rows = run("rule_in_force", as_of=at(day), rule=CLAIM).rows if value else ()
    assert [r["value"] for r in rows] == ([value] if value else [])


@pytest.mark.parametrize("words", ["claim deadline", "claiming tickets", "Ticket Claim Deadline", "ticket-claim-deadline", "rule:docs-policies-ticket-handling/ticket-claim-deadline"])
def test_a_rule_is_found_by_words_of_its_name_and_by_key(run, words):
    assert [r["value"] for r in run("rule_in_force", rule=words).rows] == ["4 hours"]


def test_another_deadline_is_another_rule(run):
    assert [r["value"] for r in run("rule_in_force", rule="how long to diagnose").rows] == ["24 hours"]


def test_it_quotes_where_it_stands(run):
    row = run("rule_in_force", rule=CLAIM).rows[0]
    assert (row["from_key"], row["authority"]) == (ANNOUNCED, "practice") and "4 hours from 2025-09-15" in row["quote"]
    assert row["replaces"] == ["rule:docs-policies-ticket-handling/ticket-claim-deadline"]
    row = run("rule_in_force", rule="retry limit").rows[0]
    assert row["quote"].startswith("| Retry limit | 240 minutes") and row["line"] == 3


def test_the_history_tells_what_was_is_and_was_announced(run):
    rows = run("rule_history", rule=CLAIM).rows
    assert [(r["value"], r["status"], r["valid_to"]) for r in rows] == [
        ("8 hours", "past", at("2025-09-15")), ("4 hours", "in_force", at("2025-12-15")), ("2 hours", "future", None)
    ]  # fmt: skip
    assert [r["superseded_by"] for r in rows] == [rows[1]["key"], rows[2]["key"], None]


def test_before_it_was_announced_nothing_tells_of_the_notice(run):
    rows = run("rule_history", as_of=at("2025-11-01"), rule=CLAIM).rows
    assert [(r["value"], r["valid_to"]) for r in rows] == [("8 hours", at("2025-09-15")), ("4 hours", None)]


def test_what_was_announced_later_than_it_was_known_changes_nothing(run):
    assert [r["value"] for r in run("rule_in_force", known_at=at("2025-09-01"), rule=CLAIM).rows] == ["8 hours"]


def test_a_team_is_told_its_own_rules_and_those_of_everybody(run):
    rows = {r["name"]: r["value"] for r in run("rule_in_force", target="duty").rows}
    assert rows["Response time"] == "1 hour" and rows["Diagnosis deadline"] == "24 hours" and rows["Change freeze window"]
    assert [r["value"] for r in run("rule_in_force", rule="response time", target="team:boards").rows] == ["8 hours"]


def test_replaced_in_part_stays_and_is_marked(run):
    rows = {r["value"]: r for r in run("rule_in_force", rule="key rotation").rows}
    assert set(rows) == {"90 days", "30 days"} and rows["90 days"]["scope"] == "site keys"
    assert rows["90 days"]["partly_replaced_by"] == [rows["30 days"]["key"]] and not rows["90 days"]["conflict"]


def test_an_expired_exception_gives_the_old_rule_back(run):
    assert [r["value"] for r in run("rule_in_force", as_of=at("2025-10-10"), rule="move approval").rows] == ["two persons"]
    assert [r["value"] for r in run("rule_in_force", rule="move approval").rows] == ["one person"]


def test_of_what_no_rule_says_there_is_nothing(run):
    assert not run("rule_in_force", rule="overtime pay").rows and not run("rule_history", rule="overtime pay").rows
    with pytest.raises(ToolError, match="at least one word"):
        run("rule_history", rule="the")


def test_contradictions_name_both_sides_the_higher_authority_first(run):
    rows = run("conflicts").rows
    assert [(r["kind"], r["slot"]) for r in rows] == [("rule", "change-freeze-window"), ("ownership", "owner")]
    rule, owner = rows
    assert (rule["a_authority"], rule["a_value"], rule["b_authority"]) == ("formal_rule", "Friday 15:00 to Monday 08:00", "practice")
    assert (owner["subject"], owner["a"], owner["b"]) == ("service:map-tiles", "team:boards", "team:console")
    assert owner["a_quote"] and owner["b_quote"] == "/tiles/ @merefold/console" and rule["a_line"] and rule["b_quote"]


def test_only_the_contradictions_of_a_target(run):
    assert [r["subject"] for r in run("conflicts", target="map-tiles").rows] == ["service:map-tiles"]
    assert [r["slot"] for r in run("conflicts", target="duty").rows] == ["change-freeze-window"]
    assert not run("conflicts", as_of=at("2025-01-02"), target="duty").rows
