"""Which rules hold when, and which contradict each other: plain rules, no database."""

from __future__ import annotations

import pytest

from brain.tools.standing import Replacement, Rule, Rules, same_value


def rule(key, value="1 hour", slot="deadline", start=10, end=None, applies=(), conditions="", authority="formal_rule", replaced=(), subject=""):
    return Rule(key, key, slot, value, conditions, subject, frozenset(applies), start, end, authority, "", tuple(replaced))


def by(key, start, end=None, scope=""):
    return Replacement(key, scope, start, end)


def status(as_of, *rules):
    judged = Rules(rules, as_of)
    return [judged.status(r) for r in rules]


CHAIN = (rule("rule:a", replaced=[by("rule:b", 20)]), rule("rule:b", start=20, replaced=[by("rule:c", 30)]), rule("rule:c", start=30))


@pytest.mark.parametrize(("as_of", "expected"), [
    (5, ["future", "future", "future"]), (10, ["in_force", "future", "future"]), (20, ["past", "in_force", "future"]),
    (29, ["past", "in_force", "future"]), (30, ["past", "past", "in_force"]),
])  # fmt: skip
def test_a_chain_hands_on_from_one_to_the_next(as_of, expected):
    assert status(as_of, *CHAIN) == expected


def test_a_rule_ends_when_it_says_so():
    assert status(50, rule("rule:a", end=50)) == ["past"] and status(49, rule("rule:a", end=50)) == ["in_force"]


def test_what_was_replaced_for_a_time_comes_back():
    old, new = rule("rule:a", replaced=[by("rule:b", 20, 40)]), rule("rule:b", start=20, end=40)
    assert [status(t, old, new)[0] for t in (15, 25, 45)] == ["in_force", "past", "in_force"]
    assert status(45, rule("rule:a", replaced=[by("rule:b", 20)]), new)[0] == "in_force"


def test_it_does_not_come_back_where_something_else_took_the_place():
    old = rule("rule:a", replaced=[by("rule:b", 20)])
    middle = rule("rule:b", start=20, end=40, replaced=[by("rule:c", 40)])
    assert status(45, old, middle, rule("rule:c", start=40)) == ["past", "past", "in_force"]


def test_replaced_in_part_stands_for_the_rest():
    old = rule("rule:a", replaced=[by("rule:b", 20, scope="nights")])
    judged = Rules([old, rule("rule:b", start=20)], 25)
    assert judged.status(old) == "in_force" and [r.scope for r in judged.replacing(old, whole=False)] == ["nights"]


def test_two_that_replace_each_other_do_not_hang():
    assert status(30, rule("rule:a", replaced=[by("rule:b", 20)]), rule("rule:b", start=20, replaced=[by("rule:a", 25)]))


def test_a_document_can_replace_a_rule():
    assert status(30, rule("rule:a", replaced=[by("doc:new.md", 20)])) == ["past"] and status(15, rule("rule:a", replaced=[by("doc:new.md", 20)])) == ["in_force"]


@pytest.mark.parametrize(("a", "b", "clash"), [
    ({}, {"value": "2 hours"}, True), ({}, {"value": "60 minutes"}, False), ({}, {"value": "2 hours", "slot": "other"}, False),
    ({"conditions": "day"}, {"value": "2 hours", "conditions": "night"}, False), ({"conditions": "day"}, {"value": "2 hours"}, True),
    ({"conditions": "Day"}, {"value": "2 hours", "conditions": "day."}, True), ({"applies": ["team:x"]}, {"value": "2 hours", "applies": ["team:y"]}, False),
    ({"applies": ["team:x"]}, {"value": "2 hours", "applies": ["team:x", "team:y"]}, True), ({"applies": ["team:x"]}, {"value": "2 hours"}, False),
    ({"replaced": [by("rule:b", 10, scope="part")]}, {"value": "2 hours"}, False), ({"subject": "Night shift"}, {"value": "2 hours", "subject": "night shift"}, True),
])  # fmt: skip
def test_only_what_can_be_meant_at_once_contradicts(a, b, clash):
    one, other = rule("rule:a", **a), rule("rule:b", **b)
    judged = Rules([one, other], 20)
    assert judged.conflict(one, other) == judged.conflict(other, one) == clash


@pytest.mark.parametrize(("a", "b", "same"), [
    ("4 hours", "4h", True), ("4 hours", "240 minutes", True), ("four hours", "4 hours", True), ("2 days", "48 hours", True), ("1 week", "7 days", True),
    ("4 hours", "4 days", False), ("30 days", "30 weeks", False), ("Friday 12:00", "friday 12:00.", True), ("two persons", "one person", False),
    ("within 4 hours", "within 240 min", True), ("5 s", "5 seconds", True), ("5 m", "5 minutes", False),
])  # fmt: skip
def test_a_value_is_the_same_in_another_unit(a, b, same):
    assert same_value(a, b) == same


def test_the_higher_authority_comes_first_then_the_newer():
    rules = [rule("rule:a", authority="observation"), rule("rule:b", authority="practice", start=15), rule("rule:c", start=11), rule("rule:d", start=12)]
    assert [r.key for r in Rules(rules, 20).in_force()] == ["rule:d", "rule:c", "rule:b", "rule:a"]


def test_when_a_rule_ends_is_known_once_its_successor_is_announced():
    assert [Rules(CHAIN, t).ends(CHAIN[1]) for t in (20, 30)] == [30, 30]
    assert Rules(CHAIN[:2], 20).ends(CHAIN[1]) is None
