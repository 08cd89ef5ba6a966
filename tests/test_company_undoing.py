"""What undid what, and who reports to whom, over the small company."""

from __future__ import annotations

import pytest
import small_company
import small_graph
from small_graph import at

WORKSPACE = "company-undoing"
CLAIM = {"authority": "practice", "state": "approved", "recorded_at": 0, "access": "open", "access_key": small_company.ROSTER}


@pytest.fixture(scope="module")
def answer(shared_store):
    company = small_company.rows(None)
    words = {"OPS-901": "The harbour asked us to be gentler.", "OPS-902": "Readings came late. Undo OPS-901.", "OPS-903": "Came up beside OPS-901."}
    for key, text in words.items():
        company.node(f"ticket:{key}", f"Change {key}", access="open", at=at("2025-10-01"), title=f"Change {key}")
        company.chunk(f"ticket:{key}", f"Change {key}", text, at("2025-10-01"))
        if key != "OPS-901":
            company.edge(f"ticket:{key}", "REFERENCES", "ticket:OPS-901")
    for who, since in (("mcoelho", "2024-01-01"), ("ayobrandt", "2025-11-01")):
        company.edge(f"person:{who}", "REPORTS_TO", "person:leilaf", id=who, **CLAIM, aid=who, valid_from=at(since))
    small_graph.build(shared_store, WORKSPACE, None, company)
    return small_company.asker(shared_store, WORKSPACE)


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("What undid OPS-901?", {"ticket:OPS-902"}),
        ("Which ticket took OPS-901 back?", {"ticket:OPS-902"}),
        ("Was OPS-901 ever reverted?", {"yes"}),
        ("What did OPS-902 undo?", {"ticket:OPS-901"}),
        ("Was OPS-902 rolled back?", {"no"}),
        ("Who reports to Leila Farahani?", {"person:mcoelho", "person:ayobrandt"}),
        ("How many direct reports does Leila Farahani have?", {"2"}),
        ("Who is Mateus Coelho's boss?", {"person:leilaf"}),
        ("Does Mateus Coelho report to Leila Farahani?", {"yes"}),
        ("Who reported to Leila Farahani on 2025-06-01?", {"person:mcoelho"}),
    ],
)
def test_what_was_taken_back_and_who_reports_to_whom_is_told(answer, question, items):
    a = answer(question)
    assert set(a.items) == items, a.text
    assert a.claims and not a.dropped, [(c.text, c.reason) for c in a.dropped]
