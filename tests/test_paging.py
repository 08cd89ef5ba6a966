"""Whom to page: in the right order, never who left, and saying who was passed over and why."""

from __future__ import annotations

import pytest
from small_company import caller
from small_graph import at


@pytest.fixture(scope="module")
def run(shared_store):
    return caller(shared_store, "paging")


def placed(result):
    return [(r["key"], r["why"]) for r in result.rows if r["place"]]


def test_on_call_comes_before_the_technical_lead_and_the_team(run):
    assert placed(run("whom_to_page", target="event-bus")) == [
        ("person:ayobrandt", "on_call"), ("person:mcoelho", "on_call"), ("person:leilaf", "technical_lead"), ("team:platform", "owner")
    ]  # fmt: skip


def test_the_way_to_the_person_stands_beside_them(run):
    first = run("whom_to_page", target="event-bus").rows[0]
    assert (first["contact"], first["via"], first["from_key"], first["valid_to"]) == (
        "@ayobrandt", "team:platform", "doc:docs/registry/oncall.md", at("2025-12-08")
    )  # fmt: skip


@pytest.mark.parametrize(("day", "who"), [("2025-11-15", "person:jwhitlock"), ("2025-11-30", "person:ayobrandt"), ("2025-12-10", "person:mcoelho")])
def test_duty_changes_with_the_week(run, day, who):
    assert placed(run("whom_to_page", as_of=at(day), target="event-bus"))[0] == (who, "on_call")


def test_who_is_named_but_gone_is_passed_over_with_the_reason(run):
    passed = {r["key"]: r["skipped"] for r in run("whom_to_page", target="asset-register").rows if r["place"] == 0}
    assert passed == {"person:leoquist": "left on 2025-09-14"}
    passed = {r["key"]: r["skipped"] for r in run("whom_to_page", target="event-bus").rows if r["place"] == 0}
    assert passed == {"person:moyelaran": "until 2025-06-01 only"}


def test_whom_a_stale_runbook_names_is_passed_over_too(run):
    row = next(r for r in run("whom_to_page", as_of=at("2025-07-01"), target="service:event-bus").rows if r["key"] == "person:moyelaran")
    assert row["place"] == 0
    assert "person:moyelaran" not in {key for key, _ in placed(run("whom_to_page", target="event-bus"))}


def test_where_nobody_is_on_call_whoever_had_it_in_hand_is_paged(run):
    assert placed(run("whom_to_page", target="asset-register")) == [("person:pnolan", "changed")]
    assert placed(run("whom_to_page", target="left-alone")) == []


def test_where_the_owner_of_a_folder_has_left_whoever_answers_for_what_it_lies_in_is_paged(run):
    later = at("2028-01-01")  # nobody has touched it for a year
    rows = run("whom_to_page", as_of=later, target="dir:merefold/mapdesk/assets").rows
    assert [(r["key"], r["skipped"]) for r in rows if not r["place"]] == [("person:leoquist", "left on 2025-09-14")]
    assert next((r["key"], r["why"]) for r in rows if r["place"]) == ("team:boards", "owner")
    assert placed(run("whom_to_page", as_of=later, target="dir:merefold/mapdesk/free")) == []
