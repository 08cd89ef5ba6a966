"""The people behind the change that caused an incident which is described rather than named, over the small company."""

from __future__ import annotations

import pytest
import small_company
import small_graph

from brain import permissions

WORKSPACE = "company-trouble"


@pytest.fixture(scope="module")
def answer(shared_store):
    company = small_company.rows()
    told = small_company.Company([], [], [])
    report = told.doc("docs/late.md", "Late", "2025-03-19", "incident")
    told.claim("incident:INC-3", "CAUSED_BY", f"pr:{small_company.TIDEWIRE}#1", report, "cause: the window", "markdown:cause")
    told.finish()
    for part in ("nodes", "edges", "chunks", "evidence"):
        getattr(company, part).extend(getattr(told, part))
    small_graph.build(shared_store, WORKSPACE, None, company)
    return small_company.asker(shared_store, WORKSPACE)


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Who wrote the change that caused INC-3?", {"person:mcoelho"}),
        ("Who is the author of the pull request that led to the incident with the late thresholds?", {"person:mcoelho"}),
        ("Who reviewed the change that caused the outage of 18 March 2025?", {"person:leilaf"}),
        ("Which pull request caused the incident of 18 March 2025?", {f"pr:{small_company.TIDEWIRE}#1"}),
    ],
)
def test_who_stands_behind_a_cause_is_found_over_the_incident_that_is_meant(answer, question, items):
    a = answer(question)
    assert (set(a.items), a.state) == (items, "answered"), a.text
    assert not a.dropped


def test_an_incident_of_another_day_is_not_taken_for_the_one_that_is_known(answer):
    assert answer("Who wrote the change that caused the outage of 3 June 2025?").state == "insufficient"


def test_which_change_means_a_deployment_too_where_nothing_was_merged(demo):
    question = "Which change most likely broke the thresholds on 14 October?"
    told = demo.ask(question, viewer=permissions.local_admin(), save=False)
    assert any("event-bus-20261014-0111" in claim.text for claim in told.claims)
    assert not any("No change of" in claim.text for claim in told.claims)
