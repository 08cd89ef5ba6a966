"""`brain budget` in this process, over a real ledger: one's own for most, everybody's for an administrator."""

from __future__ import annotations

import json
import re
import time

import pytest
import small_company
from typer.testing import CliRunner

from brain.cli.app import app
from brain.errors import HopcheckError
from brain.graphs import LEDGER
from brain.llm.ledger import Ledger
from brain.llm.limits import Cost
from brain.llm.talk import Tokens


@pytest.fixture(scope="module")
def spent(home, shared_store):
    """Two people asked models today; one exchange never ended."""
    small_company.build(shared_store, "budgeted")
    shared_store.drop(LEDGER)
    now = time.time()
    for who, model, usd in (("leilaf", "small", 0.25), ("mcoelho", "large", None)):
        book = Ledger(shared_store, who)
        book.settle(book.claim(Cost(500, 0.0, 1), now), model, Tokens(1200, 30, 200), usd)
    Ledger(shared_store, "mcoelho").claim(Cost(900), now)
    return home


@pytest.fixture
def budget(spent, monkeypatch):
    def call(*args, **env):
        for name, value in {"BRAIN_HOME": str(spent.home), "COLUMNS": "200", **env}.items():
            monkeypatch.setenv(name, value)
        return CliRunner().invoke(app, ["budget", "-w", "budgeted", *args])

    return call


LIMITS = "question.tokens=5000, viewer.tokens=2000, day.usd=1, month.runs=10"


def test_what_is_left_and_spent_is_told_to_each_for_themselves(budget):
    found = json.loads(budget("--as", "leilaf", "--json", BRAIN_LLM_LIMITS=LIMITS, BRAIN_LLM_MODELS="small").stdout)
    left = {(x["scope"], x["what"]): (x["limit"], x["spent"], x["left"]) for x in found["left"]}
    assert left == {
        ("question", "tokens"): (5000, 0, 5000), ("viewer", "tokens"): (2000, 1230, 770), ("day", "usd"): (1, 0.25, 0.75), ("month", "runs"): (10, 2, 8),
    }  # fmt: skip
    assert [(s["model"], s["prompt"], s["cached"], s["usd"]) for s in found["spent"]] == [("small", 1200, 200, 0.25)]
    assert found["unended"] == {"exchanges": 0, "tokens": 0} and "no price is known for small" in found["notes"][0]


def test_an_administrator_sees_what_everybody_spent_and_what_never_ended(budget):
    shown = budget(BRAIN_LLM_LIMITS=LIMITS).stdout
    assert re.search(r"large +│ 1 .*price not known for 1,230 tokens", shown) and re.search(r"small +│ 1 .*\$0\.2500", shown)
    assert "exchanges that run or never ended: 1; 900 tokens are counted for them" in shown
    assert "yours, today" in shown and "with each question" in shown and "00:00 UTC" in shown and "BRAIN_LLM_MODELS" in shown


def test_nobody_else_learns_who_spent_what(budget):
    shown = budget("--as", "guest", BRAIN_LLM_LIMITS="viewer.tokens=2000").stdout
    assert "small" not in shown and "large" not in shown and "nothing was spent in the last 7 days" in shown and "2,000 tokens" in shown


def test_a_bad_budget_is_one_line(budget):
    done = budget(BRAIN_LLM_LIMITS="day.tokens=lots")
    assert isinstance(done.exception, HopcheckError) and "'lots' in 'day.tokens=lots' is no whole number" in str(done.exception)
    assert "no budget is set" in budget(BRAIN_LLM_LIMITS="none").stdout


@pytest.mark.parametrize("days", ["0", "99999999", "soon"])
def test_days_that_no_calendar_has_are_refused_in_words(budget, days):
    done = budget("--days", days)
    assert done.exit_code == 2 and isinstance(done.exception, SystemExit) and "--days" in done.stderr
    assert budget("--days", "3660").exit_code == 0
