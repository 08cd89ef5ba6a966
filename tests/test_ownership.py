"""Who answers for a thing: what every source says, what is wrong between them, and whom to ask."""

from __future__ import annotations

import pytest
from small_company import MAPDESK, caller
from small_graph import at

from brain import permissions
from brain.errors import ToolError


@pytest.fixture(scope="module")
def run(shared_store):
    return caller(shared_store, "ownership")


def said(result, *columns):
    return [tuple(r[c] for c in columns) for r in result.rows]


def test_all_sources_stand_side_by_side_and_the_one_that_differs_says_so(run):
    rows = said(run("who_owns", target="map-tiles"), "source", "rel", "key", "finding")
    assert rows[:5] == [
        ("catalogue", "OWNS", "team:boards", ""), ("registry", "OWNS", "team:boards", ""), ("codeowners", "OWNS", "team:console", "disagrees"),
        ("registry", "TECH_LEAD_OF", "person:hyejinp", ""), ("roster", "ON_CALL_FOR", "person:hyejinp", ""),
    ]  # fmt: skip
    assert ("changed", "changed", "person:ondrejm", "disagrees") in rows and ("handled", "handled", "person:pnolan", "") in rows


def test_every_claim_quotes_the_line_it_stands_in(run):
    row = next(r for r in run("who_owns", target="service:map-tiles").rows if r["source"] == "codeowners")
    assert (row["from_key"], row["line"], row["quote"]) == ("doc:mapdesk/.github/CODEOWNERS", 2, "/tiles/ @merefold/console")
    assert row["on"] == f"dir:{MAPDESK}/tiles"


def test_an_owner_who_left_is_shown_and_never_asked(run):
    result = run("who_owns", target="asset-register")
    owners = [r for r in result.rows if r["rel"] == "OWNS"]
    assert {(r["key"], r["departed"], r["finding"]) for r in owners} == {("person:leoquist", True, "orphaned")}
    assert {r["departed_at"] for r in owners} == {at("2025-09-14")}
    assert [r["key"] for r in result.rows if r["ask"]] == ["person:pnolan"]


def test_before_he_left_the_owner_was_the_one_to_ask(run):
    result = run("who_owns", as_of=at("2025-09-01"), target="asset-register")
    assert not any(r["departed"] or r["finding"] for r in result.rows if r["rel"] == "OWNS")
    assert [r["key"] for r in result.rows if r["ask"]] == ["person:leoquist"]


def test_work_that_only_one_person_did_is_told(run):
    rows = said(run("who_owns", target="metrics-store"), "key", "rel", "n", "finding")
    assert ("person:jwhitlock", "changed", 2, "bus_factor_one") in rows
    assert not [r for r in run("who_owns", target="event-bus").rows if r["finding"] == "bus_factor_one"]


def test_what_nobody_owns_says_so_in_a_row_of_its_own(run):
    rows = run("who_owns", target="left-alone").rows
    assert said(run("who_owns", target="left-alone"), "key", "rel", "finding", "ask") == [("service:left-alone", "", "orphaned", False)], rows


def test_an_owner_that_nobody_stands_behind_is_unknown(run):
    rows = said(run("who_owns", target="callout-engine"), "key", "finding")
    assert rows.count(("team:ghosts", "unknown_owner")) == 2 and ("service:callout-engine", "orphaned") in rows


def test_keeping_a_document_is_told_apart_from_answering_for_what_it_describes(run):
    rows = said(run("who_owns", target="site-gateway"), "rel", "key", "on")
    assert ("MAINTAINED_BY", "person:rachterberg", "doc:docs/runbooks/site-gateway-restart.md") in rows
    assert not [r for r in rows if r[1] == "person:rachterberg" and r[0] != "MAINTAINED_BY"]


def test_a_claim_that_ended_stands_as_ended_and_a_candidate_not_at_all(run):
    rows = said(run("who_owns", target="event-bus"), "rel", "key", "stands")
    assert ("TECH_LEAD_OF", "person:moyelaran", "ended") in rows and ("TECH_LEAD_OF", "person:leilaf", "current") in rows
    earlier = said(run("who_owns", as_of=at("2025-05-01"), target="event-bus"), "rel", "key", "stands")
    assert ("TECH_LEAD_OF", "person:moyelaran", "current") in earlier


def test_what_was_recorded_later_was_not_known_earlier(run):
    then = said(run("who_owns", known_at=at("2025-02-01"), target="event-bus"), "source", "rel")
    assert ("registry", "OWNS") not in then and ("catalogue", "OWNS") in then


@pytest.mark.parametrize(("target", "owner", "on"), [
    (f"file:{MAPDESK}/assets/list.ts", "person:leoquist", f"dir:{MAPDESK}/assets"), ("tiles/render.ts", "team:console", f"dir:{MAPDESK}/tiles"),
    (f"dir:{MAPDESK}", "team:boards", f"repo:{MAPDESK}"), (f"repo:{MAPDESK}", "team:boards", f"repo:{MAPDESK}"),
])  # fmt: skip
def test_of_a_path_the_nearest_owner_counts(run, target, owner, on):
    assert {(r["key"], r["on"]) for r in run("who_owns", target=target).rows if r["rel"] == "OWNS"} == {(owner, on)}


def test_what_the_code_owners_file_takes_away_from_everybody_has_no_owner(run):
    assert not run("who_owns", target=f"dir:{MAPDESK}/free").rows


def test_programs_are_in_no_row(run):
    assert not [r for r in run("who_owns", target=f"repo:{MAPDESK}").rows if "bot" in r["key"]]


def test_the_one_to_ask_is_never_cut_off(run):
    result = run("who_owns", target="asset-register", k=2)
    assert "person:pnolan" in {r["key"] for r in result.rows if r["ask"]} and len(result.rows) == 3


def test_who_was_granted_nothing_is_told_nothing(run):
    with pytest.raises(ToolError, match="nothing is known"):
        run("who_owns", viewer=permissions.nobody(), target="map-tiles")


def test_an_unknown_name_is_refused(run):
    with pytest.raises(ToolError, match="nothing is known that is called"):
        run("who_owns", target="no such thing")
