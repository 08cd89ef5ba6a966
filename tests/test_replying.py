"""A draft of a reply says what tickets alike ended with and what documents tell, each sentence in words that stand in its source."""

from __future__ import annotations

import pytest
from claims_graph import Company, at, lines
from tiny_org import brain_of

from brain import permissions
from brain.errors import BadInput, ToolError
from brain.store import graph_name
from brain.text.analysis import analyse
from brain.tools.wording import standing

W = "replying"
GUEST = permissions.guest()


def ticket(c, key, title, *comments, closed="2025-11-02", access="open", about="service:pump", **more):
    c.node(key, title, access=access, at=at("2025-11-01"), closed_at=at(closed) if closed else None, **more)
    c.edge(key, "ABOUT", about)
    for n, (part, text) in enumerate([("body", f"Ticket: {key}\nReporter: Ada\n\nIt began on Sunday."), *((f"comment/{i}", t) for i, t in enumerate(comments, 1))]):
        words = f"{title}\n{text}"
        c.chunks.append({"key": f"chunk:{key}/{n}", "name": title, "source": "test", "text": words, "ft": analyse(words), "src": key, "src_label": "Ticket", "title": title,
                         "line": 1, "line_end": text.count("\n") + 1, "n": n, "hash": f"{key}{n}", "at": at("2025-11-01"), "part": part, "access": access})  # fmt: skip
        c.edges.append(c.edges[-1].__class__(f"chunk:{key}/{n}", "PART_OF", key))


@pytest.fixture(scope="module")
def b(home, shared_store):
    c = Company()
    for key in ("person:ada", "service:pump", "service:tiles"):
        c.node(key)
    c.doc("talk.md", "Ada fixed P-2")
    ticket(c, "ticket:P-1", "Pump at Boston loses pressure", closed=None)
    ticket(c, "ticket:P-2", "Pump at Cowbit loses pressure", "Is it the seal?", "The seal was worn. A new one is in. Same elsewhere?")
    ticket(c, "ticket:P-3", "Pump at Denver loses pressure", "Only asking?")
    ticket(c, "ticket:P-4", "Pump at Thornwick loses pressure", "Still open here.", closed=None)
    ticket(c, "ticket:P-5", "Labels overlap at Boston", "Moved the smaller one.", about="service:tiles")
    ticket(c, "ticket:P-6", "Pump at Holme loses pressure", "The secret seal was stolen.", access="restricted")
    c.claim("ticket:P-2", "HANDLED_BY", "person:ada", "doc:talk.md", 1, "Ada fixed P-2")
    body = lines("# Pumps", "", "| pump | pressure |", "- Where a pump loses pressure, look at the seal first.", "Does the pump lose pressure?", "Paint is green.")
    c.doc("pumps.md", body, name="Pumps", at=at("2025-01-01"))
    c.chunks[-1] |= {"text": f"Pumps\n{body}", "title": "Pumps", "ft": analyse(f"Pumps\n{body}"), "line_end": 6}
    made = brain_of(home, W)
    c.build(made.store, W)
    made.store.write(graph_name(W), "CREATE FULLTEXT INDEX FOR (c:Chunk) ON (c.ft) OPTIONS {nostem:true}")
    made.store.wait_for_indexes(graph_name(W))
    made.clock = lambda: at("2025-12-01")
    yield made
    made.close()


def draft(b, key="ticket:P-1", who=GUEST):
    return b.tools["draft_reply"].run(b.looking(who), key=key).rows


def test_it_says_what_one_alike_ended_with_and_what_a_document_tells(b):
    alike, told = draft(b)
    assert alike["sentence"] == "It looks like “Pump at Cowbit loses pressure”, which ada handled. It ended with: “The seal was worn. A new one is in.”"
    assert told["sentence"] == "“Pumps” says: “Where a pump loses pressure, look at the seal first.”"
    assert [(r["n"], r["section"], r["key"]) for r in (alike, told)] == [(1, "alike", "ticket:P-2"), (2, "document", "doc:pumps.md")]


def test_every_sentence_quotes_words_that_stand_on_that_line_of_its_source(b):
    rows = draft(b)
    found = standing(b.looking(GUEST), {r["key"]: (r["key"], [r["quote"]]) for r in rows})
    for row in rows:
        assert row["quote"] in row["sentence"] and row["quote"] in found[row["key"]][1]
        assert row["line"] == found[row["key"]][0], row


def test_what_is_not_readable_says_nothing(b):
    assert "stolen" not in str(draft(b)) and "stolen" in str(draft(b, who=permissions.local_admin()))


def test_nothing_alike_is_no_reply(b):
    assert [r["section"] for r in draft(b, "ticket:P-5")] == []
    with pytest.raises(BadInput, match="nothing was found that answers"):
        b.approvals(b.viewer("local")).propose("draft_reply", {"key": "ticket:P-5"})


def test_a_draft_is_read_stood_behind_and_sent_nowhere(b):
    held = b.approvals(b.viewer("local"))
    a = held.propose("draft_reply", {"key": "ticket:P-1"})
    assert a.proposal.does.endswith("Pump at Boston loses pressure; nothing is sent") and a.proposal.before == a.proposal.after == ()
    assert a.proposal.draft.splitlines()[0].endswith("A new one is in.” [ticket:P-2, line 1]")
    assert held.approve(a.id).state == "approved" and held.undo(a.id).state == "undone"


@pytest.mark.parametrize("key", ["person:ada", "ticket:P-77"])
def test_what_is_no_ticket_is_refused(b, key):
    with pytest.raises(ToolError):
        draft(b, key)
