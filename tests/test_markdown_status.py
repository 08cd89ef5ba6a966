"""Status and replacement are read in the phrasings that real records use, and nothing is read from a form."""

import pytest

from brain.connectors.markdown_kind import Document
from brain.connectors.markdown_page import parse
from brain.connectors.markdown_status import state, statements, status


def record(status_text="Accepted", body="", front="", title="5. Use queues"):
    head = f"---\n{front}\n---\n" if front else ""
    section = f"## Status\n\n{status_text}\n\n" if status_text is not None else ""
    return Document("docs/adr/0005-use-queues.md", parse(f"{head}# {title}\n\n{section}## Context\n\nIt is slow.\n\n## Decision\n\nWe queue. {body}\n"))


def said(document):
    return [(s.verb, [p.number for p in s.to], s.scope, s.sure) for s in statements(document)]


@pytest.mark.parametrize(("text", "word"), [
    ("Accepted", "accepted"), ("Approved", "accepted"), ("Pending", "proposed"), ("PROPOSED Not Implemented", "proposed"), ("DRAFT", "proposed"), ("Rejected", "rejected"),
    ("Superseded by [ADR 9](0009-x.md)", "superseded"), ("Superceded by 9", "superseded"), ("superseeded by ADR-9", "superseded"), ("Partly superseded", "partly superseded"),
    ("Accepted, amended by [ADR039](x.md)", "accepted"), ("Deprecated", "deprecated"), ("on hold", "proposed"), ("Purple", ""),
])  # fmt: skip
def test_a_status_is_what_is_written(text, word):
    found = status(record(text))
    assert found is not None and state(found.text) == word and found.line == 5


@pytest.mark.parametrize("text", ["", "-", "TBD", "n/a", "{proposed | accepted}", "[draft | proposed | accepted]", "Accepted | Pending | Superseded by [ADR000](000.md)", "<!-- accepted -->"])
def test_an_empty_mark_or_a_form_is_no_status(text):
    assert status(record(text)) is None


@pytest.mark.parametrize("front", ['status: "{proposed | rejected | accepted | superseded by ADR-0123"', "status:", "# status: accepted", "status: {a: b}"])
def test_a_placeholder_in_front_matter_is_no_status_and_replaces_nothing(front):
    assert status(record(None, front=front)) is None and said(record(None, front=front)) == []


def test_a_status_may_stand_in_front_matter_a_list_or_a_table():
    assert status(record(None, front="status: accepted")).text == "accepted"
    for top in ("- Status: accepted\n- Date: 2020-01-02", "* **Status**: accepted", "**Status:** accepted", "| | |\n|---|---|\n| Status | accepted |"):
        assert status(Document("docs/adr/x.md", parse(f"# T\n\n{top}\n\n## Decision\n\nx\n"))).text == "accepted", top


@pytest.mark.parametrize(("text", "expected"), [
    ("Superseded by [ADR023](ADR023-cluster-authentication.md)", [("replaced", [23], "", True)]),
    ("Superseded by [ADR024 - Soft Multitenancy](ADR024-soft.md)", [("replaced", [24], "", True)]),
    ("Superseded by [ADR031](ADR031-a.md) and [ADR034](ADR034-b.md)", [("replaced", [31, 34], "", True)]),
    ("Superceded by [3. Third Record](0003-third-record.md)", [("replaced", [3], "", True)]),
    ("Supercedes [1. First Record](0001-first.md)\n\nSupercedes [2. Second Record](0002-second.md)", [("replaces", [1], "", True), ("replaces", [2], "", True)]),
    ("superseded by ADR-0123", [("replaced", [123], "", True)]),
    ("SUPERSEDED by ADR 12", [("replaced", [12], "", True)]),
    ("This ADR in part supersedes [0003](0003-net.md).", [("replaces", [3], "part", True)]),
    ("In part supersedes [0003](0003-net.md): the ranges of the tests.", [("replaces", [3], "the ranges of the tests", True)]),
    ("Partially superseded by [ADR 7](0007-x.md)", [("replaced", [7], "part", True)]),
    ("Replaced by #33", [("replaced", [33], "", True)]),
    ("Accepted, amended by [ADR039](ADR039-x.md)", [("amended", [39], "", True)]),
    ("Accepted, Supplemented by [ADR034](ADR034-x.md)", [("amended", [34], "", True)]),
    ("Accepted\n\nAmends [5. Help comments](0005-help.md)", [("amends", [5], "", True)]),
    ("Accepted on 2020-01-02 by 3 people", []),
    ("Accepted\n\nSupersedes the refund section of ADR-0002", [("replaces", [2], "the refund section", True)]),
    ("Supersedes parts 2 and 3 of [4. Old](0004-old.md)", [("replaces", [4], "parts 2 and 3", True)]),
    ("Accepted, replaces ADR-2 in all points", [("replaces", [2], "", True)]),
])  # fmt: skip
def test_what_a_status_says_of_other_records(text, expected):
    assert said(record(text)) == expected


@pytest.mark.parametrize(("row", "expected"), [
    ("| Status | Accepted, partially superseded by [ADR-4](0004-x.md) regarding refunds |", [("replaced", [4], "refunds", True)]),
    ("| Status | Accepted (2025-02-03), partially superseded by ADR-4 regarding refunds |", [("replaced", [4], "refunds", True)]),
    ("| Superseded by | ADR-9 |", [("replaced", [9], "", True)]), ("| Supersedes | - |", []), ("| Owner | 12 people |", []),
])  # fmt: skip
def test_a_table_of_fields_at_the_top_says_it_too(row, expected):
    text = f"# T\n\n| Field | Value |\n|---|---|\n{row}\n| Date | 2020-01-01 |\n\n## Decision\n\nWe queue.\n"
    assert said(Document("docs/adr/0005-x.md", parse(text))) == expected


def test_a_dated_slug_is_a_target_without_a_number():
    found = next(statements(record("superseded by [20201016-use-slugs](20201016-use-slugs.md)")))
    assert found.to[0].href == "20201016-use-slugs.md" and found.verb == "replaced"


def test_front_matter_names_what_it_replaces():
    assert said(record("Accepted", front="supersedes: [ADR-3, ADR-4]")) == [("replaces", [3], "", True), ("replaces", [4], "", True)]
    assert said(record("Accepted", front="partially_supersedes: 0003-net.md")) == [("replaces", [None], "part", True)]


def test_the_body_tells_the_target_of_a_partly_superseded_record():
    found = record("Partly superseded", "\n\n**These ranges have been superseded by [ADR #0033](0033-ip.md).**")
    assert said(found) == [("replaced", [33], "These ranges", True)]


def test_a_record_may_say_it_at_its_end_under_links():
    assert said(record("Accepted", "\n\n## Links\n\n- Supersedes [0002-old](0002-old.md)")) == [("replaces", [2], "", True)]


def test_replacement_told_in_passing_waits_for_a_person():
    found = said(record("Accepted", "\n\nUntil now we have been recommending threads through ADR013 and 5 others."))
    assert [(verb, sure) for verb, _, _, sure in found] == [("replaces", False)] and found[0][1][0] == 13


@pytest.mark.parametrize("body", ["The old pump was superseded by a new one.", "It replaces 3 machines.", "This costs 12 hours.", "See [ADR 3](0003-x.md) for more."])
def test_ordinary_prose_replaces_nothing(body):
    assert said(record("Accepted", body)) == []


def test_a_sign_before_a_status_is_no_part_of_it_and_some_aspects_are_a_part():
    assert said(record("⌛️ Superseded by [036. Multi](036-multi.md)")) == [("replaced", [36], "", True)]
    assert said(record("Accepted", "\n\nNote: this ADR supersedes some aspects of [ADR-15](adr-015-x.md).")) == [("replaces", [15], "part", True)]
