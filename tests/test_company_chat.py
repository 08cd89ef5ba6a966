"""What somebody said in the chat, over the small company with a few messages of its people laid beside."""

from __future__ import annotations

import pytest
import small_company
import small_graph

WORKSPACE = "company-chat"
SAID = {
    "message:platform/1763000000.000100": ("leilaf", "The kettle of the third floor leaks again."),
    "message:platform/1763000100.000100": ("mcoelho", "Has anybody seen the ladder?"),
    "message:incidents/1763000200.000100": ("leilaf", "The ladder is behind the boiler."),
}


@pytest.fixture(scope="module")
def answer(shared_store):
    company = small_company.rows()
    for n, (key, (login, text)) in enumerate(SAID.items()):
        channel = key.partition(":")[2].partition("/")[0]
        when = small_graph.at(f"2025-11-{12 + n}")
        company.node(key, text[:40], access="open", at=when, channel=channel, author=login)
        company.titles[key] = (f"#{channel}", when, "open", ())
        company.lines[key] = [text]
        company.edge(f"person:{login}", "POSTED", key, at=when)
    company.titles = {k: v for k, v in company.titles.items() if k in SAID}
    company.claims = []
    small_graph.build(shared_store, WORKSPACE, None, company.finish())
    return small_company.asker(shared_store, WORKSPACE)


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Has Leila Farahani said anything about the kettle in the chat?", {"yes"}),
        ("Has Mateus Coelho said anything about the kettle in the chat?", {"no"}),
        ("Which messages of Leila Farahani mention the ladder?", {"message:incidents/1763000200.000100"}),
        ("Where did somebody say that the kettle leaks?", {"message:platform/1763000000.000100"}),
        ("Who wrote in the chat that the kettle leaks?", {"person:leilaf"}),
        ("When did Leila Farahani post about the ladder?", {"2025-11-14"}),
        ("In which channel did someone mention the boiler?", {"channel:incidents"}),
    ],
)
def test_what_was_said_in_the_chat_is_found_by_who_said_it_and_by_its_words(answer, question, items):
    a = answer(question)
    assert (set(a.items), a.state) == (items, "answered"), a.text
    assert not a.dropped


def test_what_nobody_said_is_not_answered_with_something_else(answer):
    assert answer("Where did somebody say that the moon is full?").state == "insufficient"
