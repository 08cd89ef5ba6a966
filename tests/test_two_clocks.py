"""What was true, and what was known: a claim written down later is no part of what was known before."""

import json

import pytest
from claims_graph import Company, at
from tiny_org import brain_of
from typer.testing import CliRunner

from brain.cli.app import app

W = "two-clocks"


@pytest.fixture(scope="module")
def brain(home, shared_store):
    made = Company()
    made.node("team:locks")
    made.node("service:pump")
    made.doc("docs/owners.md", "pump | locks")
    made.claim("team:locks", "OWNS", "service:pump", "doc:docs/owners.md", 1, "pump | locks", at=at("2026-03-01"), valid_from=at("2026-01-01"), valid_to=at("2026-06-01"))
    opened = brain_of(home, W)
    made.build(shared_store, W)
    yield opened
    opened.close()


@pytest.mark.parametrize(("day", "known", "there"), [
    ("2026-02-01", None, 1), ("2026-02-01", "2026-02-01", 0), ("2026-02-01", "2026-03-02", 1), ("2026-07-01", None, 0), ("2025-12-01", None, 0),
])  # fmt: skip
def test_a_claim_counts_when_it_held_and_had_been_written_down(home, brain, day, known, there):
    args = ["query", "run", "expand", "key=service:pump", "--at", day, "--json", "-w", W, *(["--known", known] if known else [])]
    done = CliRunner(env={"BRAIN_HOME": str(home.home)}).invoke(app, args)
    assert done.exit_code == 0 and len(json.loads(done.stdout)["rows"]) == there


def test_a_run_remembers_both_clocks(brain):
    given = brain.ask("Who owns pump?", viewer=brain.viewer("local"), as_of=at("2026-02-01"), known_at=at("2026-02-15"))
    kept = brain.run(given.run, brain.viewer("local"))
    assert kept.as_of == at("2026-02-01")
    assert {s.params["known_at"] for s in kept.steps if "known_at" in s.params} == {at("2026-02-15")}
    assert "team:locks" not in kept.items and "locks" not in kept.text
    later = brain.ask("Who owns pump?", viewer=brain.viewer("local"), as_of=at("2026-02-01"), known_at=at("2026-03-15"))
    assert later.state == "answered" and "locks" in later.text
