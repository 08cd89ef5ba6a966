"""Every check of access runs by its name over a small company, keeps its result, and finds what the page shows in it."""

from __future__ import annotations

import pytest
from grants_graph import NOW, company

from brain.audit import checks, record
from brain.brain import Brain
from brain.errors import BadInput, Cancelled
from brain.store import graph_name
from brain.ui.access_checks import CHECKS

W = "checks"


@pytest.fixture(scope="module")
def brain(home):
    opened = Brain.open(home, W)
    opened._embedder.append(None)
    company().build(opened.store, W)
    opened.clock = lambda: NOW
    yield opened
    opened.store.drop(graph_name(W))
    opened.close()


@pytest.mark.parametrize("check", CHECKS, ids=[c.name for c in CHECKS])
def test_a_check_runs_by_its_name_and_keeps_a_result_that_the_page_can_show(brain, check, monkeypatch):
    monkeypatch.setattr(checks, "SAMPLE", 2)
    monkeypatch.setattr(checks, "EVERY", 400)
    said = []
    found = checks.run(brain, check.name, checks.Ask(everything=False), progress=lambda *a: said.append(a))
    kept = record.last(brain.files, check.name)
    assert kept is not None and kept.result == found and kept.graph == brain.store.version(graph_name(W)) and kept.made_at == NOW
    assert check.says(found) and isinstance(check.good(found), bool) and said
    assert len(check.findings(found)[1]) <= 200
    assert [g for g in brain.store.graphs(graph_name(W)) if g != graph_name(W) and ":runs" not in g] == [], "a copy was left behind"


def test_a_run_that_is_stopped_keeps_what_was_found_before(brain):
    record.save(brain.files, "differential", {"n_differences": 7}, at=1, graph="old")

    def stop(*report):
        raise Cancelled("stopped by a person")

    with pytest.raises(Cancelled):
        checks.run(brain, "differential", checks.Ask(everything=False), progress=stop)
    kept = record.last(brain.files, "differential")
    assert kept is not None and kept.result["n_differences"] == 7


def test_what_no_check_is_called_is_refused(brain, home):
    with pytest.raises(BadInput, match="legal: probe"):
        checks.run(brain, "everything")
    empty = Brain.open(home, "checks-empty")
    with pytest.raises(BadInput, match="nothing is loaded"):
        checks.run(empty, "cost")
    empty.close()
