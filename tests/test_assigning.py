"""Who should take a ticket: who is near it and has handled the like, not who is busy, has left, is a bot or a made-up name."""

from __future__ import annotations

import pytest
from acting_company import CY, NOW, brain
from claims_graph import at

from brain import permissions
from brain.errors import ToolError
from brain.store import graph_name

GUEST = permissions.guest()


@pytest.fixture
def b(home, shared_store):
    opened = brain(home, "assigning")
    yield opened
    opened.close()


def write(b, text):
    b.store.write(graph_name(b.workspace), text)


def claim(b, src, rel, dst, id_, **more):
    props = {"id": id_, "aid": id_, "state": "approved", "authority": "practice", "valid_from": 0, "recorded_at": 0, "access_key": "doc:roster.md", "access": "open", **more}
    told = ", ".join(f"{k}: {v!r}" for k, v in props.items())
    write(b, f"MATCH (a:Entity {{key: '{src}'}}), (c:Entity {{key: '{dst}'}}) CREATE (a)-[:{rel} {{{told}}}]->(c)")


def handled(b, ticket, who, day):
    claim(b, ticket, "HANDLED_BY", who, f"h-{ticket}-{who}", what="fixed", recorded_at=at(day))


def ranked(b, ticket="ticket:KIL-1", who=GUEST, **more):
    return b.tools["assign_ticket"].run(b.looking(who), ticket=ticket, **more).rows


def test_the_owning_team_comes_first_and_its_parts_are_shown(b):
    rows = ranked(b)
    assert [r["key"] for r in rows] == ["person:ada", "person:dee"] and [r["place"] for r in rows] == [1, 2]
    assert rows[0]["proximity"] == 0.6 and rows[0]["handling"] == 0 and rows[0]["free"] == 1
    assert rows[0]["why"] == "in the team that owns kiln-control; no open tickets assigned" and rows[0]["because"] == ["service:kiln-control"]


def test_who_handled_the_like_comes_before_who_is_only_in_the_team(b):
    handled(b, "ticket:KIL-4", "person:dee", "2025-10-05")
    rows = ranked(b)
    assert rows[0]["key"] == "person:dee" and "handled 1 ticket about it, the last on 2025-10-05" in rows[0]["why"]
    assert "ticket:KIL-4" in rows[0]["because"]


def test_what_was_handled_lately_counts_for_more(b):
    for n, (who, day) in enumerate((("person:ada", "2023-01-05"), ("person:dee", "2025-11-05"))):
        write(b, f"CREATE (:Entity:Ticket {{key: 'ticket:OLD-{n}', name: 'Old {n}', access: 'open', at: 1, closed_at: 2}})")
        write(b, f"MATCH (t:Entity {{key: 'ticket:OLD-{n}'}}), (s:Entity {{key: 'service:kiln-control'}}) CREATE (t)-[:ABOUT]->(s)")
        handled(b, f"ticket:OLD-{n}", who, day)
    rows = {r["key"]: r for r in ranked(b)}
    assert rows["person:dee"]["handling"] > rows["person:ada"]["handling"] and rows["person:ada"]["tickets"] == 1


def test_of_two_alike_the_one_with_less_to_do(b):
    claim(b, "ticket:KIL-3", "ASSIGNED_TO", "person:ada", "a3")
    rows = ranked(b)
    assert [(r["key"], r["open"]) for r in rows] == [("person:dee", 0), ("person:ada", 1)] and "1 open ticket assigned" in rows[1]["why"]


def test_a_closed_ticket_is_no_load_nor_is_the_one_that_is_asked_about(b):
    for ticket in ("ticket:KIL-4", "ticket:KIL-1"):
        claim(b, ticket, "ASSIGNED_TO", "person:ada", f"a-{ticket}")
    assert {r["key"]: r["open"] for r in ranked(b)} == {"person:ada": 0, "person:dee": 0}
    assert {r["key"]: r["assigned"] for r in ranked(b)} == {"person:ada": True, "person:dee": False}


def test_who_left_or_is_a_bot_is_not_among_them_whatever_they_handled(b):
    for who in ("person:bo", "person:robot"):
        handled(b, "ticket:KIL-4", who, "2025-05-05")
        claim(b, who, "TECH_LEAD_OF", "service:kiln-control", f"l-{who}")
    assert {r["key"] for r in ranked(b, k=50)} == {"person:ada", "person:dee"}
    for who in ("bo", "robot"):
        with pytest.raises(ToolError, match=r"left on 2025-06-01|it is a bot"):
            ranked(b, assignee=who)


def test_a_made_up_name_never_comes_before_somebody_real(b):
    for ticket in ("ticket:KIL-4", "ticket:KIL-2"):
        handled(b, ticket, "person:made-up", "2025-11-20")
    claim(b, "person:made-up", "TECH_LEAD_OF", "service:kiln-control", "l")
    claim(b, "person:made-up", "OWNS", "service:kiln-control", "o")
    rows = ranked(b)
    assert [r["key"] for r in rows] == ["person:ada", "person:dee", "person:made-up"]
    assert rows[2]["score"] > rows[0]["score"] and [r["real"] for r in rows] == [True, True, False]


def test_the_one_named_is_told_with_what_speaks_for_them(b):
    (row,) = ranked(b, assignee="Cy")
    assert row["key"] == "person:cy" and row["why"] == "nothing is known that joins them to it; 1 open ticket assigned"


def test_tickets_that_nobody_may_read_move_nothing(b):
    before = ranked(b, "ticket:KIL-3", k=50)
    claim(b, "ticket:KIL-9", "HANDLED_BY", "person:cy", "h9", recorded_at=NOW - 1, access="restricted", aud=["team:gas"])
    claim(b, "ticket:KIL-9", "ASSIGNED_TO", "person:cy", "a9", access="restricted", aud=["team:gas"])
    assert ranked(b, "ticket:KIL-3", k=50) == before
    assert ranked(b, "ticket:KIL-3", b.viewer(CY), k=50)[0]["tickets"] == 1


@pytest.mark.parametrize("args", [{"ticket": "person:ada"}, {"ticket": "ticket:KIL-77"}, {"ticket": "KIL-1", "assignee": "zoe"}, {"ticket": "ticket:KIL-9"}])
def test_what_is_no_ticket_or_person_is_refused(b, args):
    with pytest.raises(ToolError):
        b.tools["assign_ticket"].run(b.looking(GUEST), **args)
