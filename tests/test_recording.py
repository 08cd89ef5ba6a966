"""A decision that is recorded is a decision like any other: found, justified, decided by whoever approved it, and no wider than its sources."""

from __future__ import annotations

import re

import pytest
from acting_company import ADA, ADMIN, CY, NOW, office
from tiny_org import dump

from brain.errors import BadInput, ToolError
from brain.store import graph_name

COOL = {"title": "Cool slowly", "text": "The kiln cools by ten degrees an hour.\nFaster cracks the glaze.", "about": ["kiln-control"], "because": ["ticket:KIL-2"]}
HIDDEN = {**COOL, "title": "Mind the kiln", "because": ["ticket:KIL-2", "ticket:KIL-9"], "about": ["service:burner"]}


@pytest.fixture
def b(home, shared_store, request):
    with office(home, "rec-" + re.sub(r"\W", "", request.node.name)[:44]) as opened:
        opened.store.write(graph_name(opened.workspace), "CREATE FULLTEXT INDEX FOR (c:Chunk) ON (c.ft) OPTIONS {nostem:true}")
        opened.store.wait_for_indexes(graph_name(opened.workspace))
        yield opened


def desk(b, who=ADMIN):
    return b.approvals(b.viewer(who))


def recorded(b, args=COOL, who=ADMIN, reason="as agreed"):
    id_ = desk(b, ADA if args is COOL else CY).propose("record_decision", args).id
    desk(b, who).approve(id_, reason)
    return id_, b.store.read(graph_name(b.workspace), "MATCH (d:Decision) RETURN d.key AS key, d.access AS access, d.aud AS aud").rows[0]


def test_it_is_found_by_its_words_with_its_reason_and_what_it_rests_on(b):
    _, made = recorded(b)
    ctx = b.looking(b.viewer("guest"))
    row = b.tools["decision"].run(ctx, topic="cool slowly").rows[0]
    assert (row["key"], row["name"], row["status"], row["at"]) == (made["key"], "Cool slowly", "in_force", NOW)
    assert row["reason"] == COOL["text"] and made["key"].startswith("decision:recorded/cool-slowly-")
    rests = b.tools["expand"].run(ctx, key=made["key"], rels=["JUSTIFIED_BY", "ABOUT"]).rows
    assert {(r["rel"], r["key"]) for r in rests} == {("JUSTIFIED_BY", "ticket:KIL-2"), ("ABOUT", "service:kiln-control")}
    hit = b.tools["search_text"].run(ctx, text="cracks the glaze").rows[0]
    assert hit["src"] == made["key"] and "Faster cracks the glaze." in hit["text"]


def test_whoever_approves_it_decided_it_and_the_words_of_that_stand_in_its_text(b):
    id_, made = recorded(b)
    rows = b.store.read(graph_name(b.workspace), "MATCH (d:Decision)-[r]-(p) WHERE type(r) IN ['DECIDED', 'JUSTIFIED_BY'] MATCH (e:Evidence {id: r.evidence[0]}) RETURN type(r) AS rel, p.key AS key, e.quote AS quote, e.line AS line, e.source AS source, r.state AS state, r.authority AS authority ORDER BY rel").rows
    text = b.store.read(graph_name(b.workspace), "MATCH (c:Chunk {src: $key}) RETURN c.text AS text", {"key": made["key"]}).rows[0]["text"]
    for row in rows:
        assert (row["quote"], row["source"], row["state"], row["authority"]) == ("Approved by local on 2025-12-01: as agreed", made["key"], "approved", "practice")
        assert text.splitlines()[row["line"]] == row["quote"], "the title is the first line of the passage"
    assert [r["rel"] for r in rows] == ["JUSTIFIED_BY"], f"{id_}: an administrator who is nobody of the company decided nothing there"


def test_a_person_of_the_company_is_who_decided_it(b):
    from dataclasses import replace

    id_ = desk(b, ADA).propose("record_decision", COOL).id
    b.approvals(replace(b.viewer(ADMIN), id="dee", groups=frozenset({"person:dee"}))).approve(id_)
    key = b.store.read(graph_name(b.workspace), "MATCH (d:Decision) RETURN d.key AS key").rows[0]["key"]
    rows = b.tools["decision"].run(b.looking(b.viewer("guest")), topic=key).rows
    assert rows[0]["deciders"] == ["person:dee"]


def test_undoing_takes_it_out_to_the_byte(b):
    before = dump(b.store, b.workspace)
    id_, _ = recorded(b)
    desk(b).undo(id_)
    assert dump(b.store, b.workspace) == before


def test_what_something_else_rests_on_is_not_taken_out(b):
    id_, made = recorded(b)
    b.store.write(graph_name(b.workspace), f"MATCH (t:Entity {{key: 'ticket:KIL-3'}}), (d:Entity {{key: '{made['key']}'}}) CREATE (t)-[:REFERENCES]->(d)")
    before = dump(b.store, b.workspace)
    with pytest.raises(BadInput, match="something else has been joined"):
        desk(b).undo(id_)
    assert dump(b.store, b.workspace) == before


def test_it_is_no_wider_than_what_it_cites(b):
    _, made = recorded(b, HIDDEN)
    assert (made["access"], made["aud"]) == ("restricted", ["team:gas"])
    seen = {who: bool(b.tools["decision"].run(b.looking(b.viewer(who)), topic="mind the kiln").rows) for who in (ADMIN, CY, ADA, "guest", "nobody")}
    assert seen == {ADMIN: True, CY: True, ADA: False, "guest": False, "nobody": False}
    hidden = b.tools["search_text"].run(b.looking(b.viewer(ADA)), text="cracks the glaze").rows
    assert made["key"] not in {r["src"] for r in hidden}


def test_only_an_administrator_records(b):
    id_ = desk(b, ADA).propose("record_decision", COOL).id
    with pytest.raises(BadInput, match="an administrator may"):
        desk(b, ADA).approve(id_)


@pytest.mark.parametrize("args", [{**COOL, "title": " "}, {**COOL, "text": ""}, {**COOL, "about": ["ticket:KIL-2"]}, {**COOL, "because": ["person:ada"]}, {**COOL, "because": ["ticket:KIL-77"]}])
def test_what_is_no_decision_is_refused_in_one_line(b, args):
    with pytest.raises(ToolError):
        desk(b, ADA).propose("record_decision", args)
    assert desk(b).list() == []


def test_nobody_cites_what_they_may_not_read(b):
    with pytest.raises(ToolError) as told:
        desk(b, ADA).propose("record_decision", {**COOL, "because": ["ticket:KIL-9"]})
    with pytest.raises(ToolError) as other:
        desk(b, ADA).propose("record_decision", {**COOL, "because": ["ticket:KIL-8"]})
    assert str(told.value).replace("KIL-9", "KIL-8") == str(other.value)
