"""Who handled the tickets, in both systems, with recency; and the records themselves counted and listed."""

from __future__ import annotations

import pytest
from small_company import caller
from small_graph import at

from brain.errors import ToolError


@pytest.fixture(scope="module")
def run(shared_store):
    return caller(shared_store, "handling")


def test_people_come_by_how_many_tickets_newer_ones_counting_more(run):
    rows = run("handled_by", target="map-tiles").rows
    assert [(r["key"], r["tickets"], r["fixed"], r["verified"], r["departed"]) for r in rows] == [
        ("person:pnolan", 3, 3, 0, False), ("person:hyejinp", 2, 1, 1, False), ("person:leoquist", 1, 1, 0, True)
    ]  # fmt: skip
    assert rows[0]["examples"] == ["ticket:FLD-3", "ticket:FLD-2", "ticket:FLD-1"] and rows[0]["last_at"] == at("2025-10-01")
    assert {s for r in rows for s in r["systems"]} == {"FLD", "OPS"}


def test_of_a_team_the_tickets_of_what_it_owns_of_a_ticket_its_own(run):
    assert {r["key"] for r in run("handled_by", target="team:boards").rows} == {"person:pnolan", "person:hyejinp", "person:leoquist"}
    assert [(r["key"], r["tickets"]) for r in run("handled_by", target="ticket:FLD-1").rows] == [("person:pnolan", 1)]
    assert not run("handled_by", target="event-bus").rows


def test_a_window_and_an_instant_leave_out_the_others(run):
    assert [r["key"] for r in run("handled_by", target="map-tiles", since=at("2025-10-02")).rows] == ["person:hyejinp"]
    assert [r["key"] for r in run("handled_by", as_of=at("2025-04-01"), target="map-tiles").rows] == ["person:leoquist"]
    with pytest.raises(ToolError, match="half_life_days"):
        run("handled_by", target="map-tiles", half_life_days=0)


@pytest.mark.parametrize(("args", "n"), [
    ({"kind": "tickets"}, 8), ({"kind": "tickets", "state": "open"}, 1), ({"kind": "tickets", "state": "closed", "since": at("2025-11-01")}, 2),
    ({"kind": "tickets", "path": "map tiles"}, 6), ({"kind": "tickets", "path": "team:gates"}, 1), ({"kind": "tickets", "priority": ["HIGH"]}, 4),
    ({"kind": "tickets", "persons": ["kofid"]}, 1), ({"kind": "tickets", "persons": ["pnolan"], "role": "handler"}, 3), ({"kind": "tickets", "type": ["change"]}, 1),
    ({"kind": "tickets", "text": "tile cache full"}, 3), ({"kind": "deploys", "path": "event-bus"}, 2), ({"kind": "deploys", "status": ["failure"]}, 1),
    ({"kind": "alerts", "path": "threshold-watch"}, 1), ({"kind": "incidents"}, 1), ({"kind": "docs", "type": ["runbook"]}, 2), ({"kind": "decisions", "status": ["proposed"]}, 2),
    ({"kind": "rules", "path": "team:boards"}, 1), ({"kind": "deploys", "persons": ["mcoelho"]}, 3),
])  # fmt: skip
def test_measure_counts_what_list_items_lists(run, args, n):
    assert run("measure", **args).rows[0]["n"] == n == len(run("list_items", **args).rows)


def test_records_are_counted_by_what_they_are_about(run):
    assert [(r["key"], r["n"]) for r in run("measure", kind="tickets", by="service").rows] == [
        ("service:map-tiles", 6), ("service:event-bus", 1), ("service:tide-model", 1)
    ]  # fmt: skip
    assert run("measure", kind="tickets", by="team").rows[0]["key"] == "team:boards"
    first = run("measure", kind="tickets", by="person", by_role="handler").rows[0]
    assert (first["key"], first["n"]) == ("person:pnolan", 3)


def test_a_ticket_closed_later_was_open_then(run):
    rows = run("list_items", as_of=at("2025-11-27"), kind="tickets", state="open").rows
    assert [(r["key"], r["state"]) for r in rows] == [("ticket:OPS-187", "open")]


@pytest.mark.parametrize(("args", "says"), [
    ({"kind": "docs", "state": "open"}, "use 'status'"), ({"kind": "tickets", "draft": True}, "does not apply"), ({"kind": "tickets", "repos": ["mapdesk"]}, "with 'path'"),
    ({"kind": "prs", "priority": ["high"]}, "does not apply"), ({"kind": "docs", "event": "closed"}, "must be one of"), ({"kind": "rules", "text": "freeze"}, "contains"),
    ({"kind": "alerts", "persons": ["pnolan"], "role": "author"}, "role of alerts"),
])  # fmt: skip
def test_filters_that_do_not_fit_are_refused_with_what_does(run, args, says):
    with pytest.raises(ToolError, match=says):
        run("measure", **args)
