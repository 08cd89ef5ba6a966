"""Who does what to whom in a plain sentence: what is proposed the other way round is seen, and nothing is made of what is less plain."""

import pytest

from brain.extract.directions import turned

A, B = "berth-planner", "tide-table"
PLAIN = {
    "DEPENDS_ON": (
        "The berth-planner depends on tide-table.", "the **berth-planner** service depends on the `tide-table` API", "Berth-planner DEPENDS ON Tide-Table",
        "berth-planner and yard-map depend on tide-table", "berth-planner depends on yard-map, ledger and tide-table.",
        "In production berth-planner still depends heavily on our tide-table.", "berth-planner, which runs at night, needs tide-table",
        "Tide-table is needed by berth-planner.", "tide-table is depended on by the berth-planner", "tide-table, required by berth-planner, is old",
        "tide-table is a dependency of berth-planner", "tide-table is berth-planner's dependency", "berth-planner requires tide-table to start",
        "It rained. berth-planner relies on tide-table; yard-map does not.", "berth-planner has a hard dependency on tide-table.",
    ),
    "USES": (
        "berth-planner (Go) relies on tide-table", "tide-table is used by yard-map and berth-planner.", "Berth-planner uses tide-table",
        "We moved yard-map. berth-planner calls tide-table; it is slow.",
    ),
    "SUPERSEDES": ("berth-planner supersedes tide-table", "tide-table was superseded by berth-planner in May", "tide-table (old), replaced by berth-planner"),
    "REPORTS_TO": (
        "berth-planner reports to tide-table", "berth-planner reports directly to tide-table", "berth-planner's manager is tide-table", "tide-table manages berth-planner",
        "tide-table is berth-planner's line manager", "berth-planner is managed by tide-table", "tide-table is the manager of berth-planner",
    ),
    "FIXED_BY": ("tide-table fixes berth-planner", "berth-planner was fixed by tide-table", "berth-planner, closed by tide-table"),
    "ON_CALL_FOR": ("berth-planner is on call for tide-table",),
    "OWNS": ("berth-planner owns tide-table", "tide-table is owned by berth-planner"),
}  # fmt: skip


@pytest.mark.parametrize(("predicate", "text"), [(rel, text) for rel, texts in PLAIN.items() for text in texts])
def test_what_is_said_plainly_is_right_one_way_round_alone(predicate, text):
    assert turned(text, predicate, {A}, {B}) == ""
    assert turned(text, predicate, {B}, {A}) != ""


@pytest.mark.parametrize(
    "text",
    [
        "berth-planner and tide-table depend on each other", "berth-planner depends on tide-table and vice versa.", "berth-planner depends on tide-table and tide-table depends on berth-planner",
        "berth-planner depends on tide-table, and it needs berth-planner", "tide-table, which berth-planner depends on, is slow", "What depends on berth-planner is tide-table",
        "If berth-planner is down, what depends on it is tide-table", "berth-planner is what the whole yard depends on: tide-table too", "berth-planner: depends on the team of tide-table",
        "berth-planner is what yard-map depends on and tide-table waits", "berth-planner depends on tide-table-v2", "docs/berth-planner depends on tide-table",
        "berth-planner has to wait for tide-table", "berth-planner's client depends on tide-table", "berth-planner was replaced with tide-table, which needs it",
        "berth-planner is slow because everything depends on tide-table", "The yard depends on berth-planner. The tide-table does not.", "",
        "the berth-planner calls tide-table makes are slow", "what berth-planner needs tide-table has", "berth-planner is used to build tide-table",
    ],
)  # fmt: skip
def test_what_is_less_plain_is_told_neither_way(text):
    assert turned(text, "DEPENDS_ON", {A}, {B}) == "" == turned(text, "DEPENDS_ON", {B}, {A})


def test_a_verb_of_another_relation_tells_nothing_of_this_one():
    assert turned("berth-planner owns tide-table", "DEPENDS_ON", {B}, {A}) == ""


def test_things_are_known_by_any_of_their_names_and_not_by_one_that_both_have():
    text = "The Berth planner depends on tides."
    assert turned(text, "DEPENDS_ON", {B, "tides"}, {A, "Berth Planner"}) == "depends on"
    assert turned(text, "DEPENDS_ON", {"tides", "berth planner"}, {"berth planner"}) == ""
    assert turned("I report to Bo", "REPORTS_TO", {"Bo"}, {"Ada", "i"}) == "report to" and turned("I report to Bo", "REPORTS_TO", {"i"}, {"Bo"}) == ""
