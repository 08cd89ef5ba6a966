"""Budgets in a real ledger: shared by threads and processes, never overdrawn, and kept where something crashed."""

from __future__ import annotations

import subprocess
import sys
import threading
from datetime import UTC, datetime

import pytest

from brain.errors import BudgetSpent, Cancelled, HopcheckError, ModelDown
from brain.graphs import LEDGER
from brain.llm.budget import Guess, Metered, Purse
from brain.llm.ledger import Ledger
from brain.llm.limits import QUESTION, Cost, parse
from brain.llm.talk import Message, Reply, Request, Tokens

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()
DAY = 86_400
REQUEST = Request((Message("user", "a secret question"),))


class Answering:
    """A model that says what it is given to say, and counts how often it was asked."""

    def __init__(self, *replies, tokens=60, usd=0.02, meanwhile=lambda: None):
        self.replies, self.tokens, self.usd, self.meanwhile = list(replies), tokens, usd, meanwhile
        self.asked, self.lock = 0, threading.Lock()

    def ask(self, request, on_text=None, cancelled=lambda: False):
        with self.lock:
            self.asked += 1
            reply = self.replies.pop(0) if self.replies else None
        self.meanwhile()
        if isinstance(reply, Exception):
            if on_text:
                on_text("x" * 30)
            raise reply
        return reply or Reply("yes", model="m", tokens=Tokens(self.tokens - 10, 10, 5), usd=self.usd)


@pytest.fixture
def ledger(shared_store):
    """A ledger for the owner and limits given; nothing is in it yet."""
    shared_store.drop(LEDGER)
    return lambda owner="ann", limits="none": Ledger(shared_store, owner, parse(limits))


def metered(model, book, limits="none", at=NOON, most=100, shared=()):
    question = Purse([limit for limit in parse(limits) if limit.scope == QUESTION])
    return Metered(model, book, question, lambda r: Guess("m", Tokens(most - 20, 20), most / 1000), lambda: at, shared)


def test_what_an_exchange_cost_takes_the_place_of_its_estimate(ledger):
    book = ledger(limits="day.tokens=1000, day.usd=1, month.runs=5, viewer.tokens=500")
    seen = []
    model = Answering(meanwhile=lambda: seen.append({(x.scope, x.what): x.spent for x in book.left(NOON)}))
    asked = metered(model, book)
    asked.ask(REQUEST)
    assert seen[0] == {("day", "tokens"): 100, ("day", "usd"): 0.1, ("month", "runs"): 1, ("viewer", "tokens"): 100}
    asked.ask(REQUEST)
    left = {(x.scope, x.what): x.left for x in book.left(NOON)}
    assert left == {("day", "tokens"): 880, ("day", "usd"): pytest.approx(0.96), ("month", "runs"): 4, ("viewer", "tokens"): 380}
    assert asked.spent == Cost(120, pytest.approx(0.04), 1)


def test_at_the_cap_nobody_is_asked_and_the_sentence_says_which_how_much_and_until_when(ledger):
    model, book = Answering(), ledger(limits="day.tokens=150, month.tokens=100000")
    metered(model, book).ask(REQUEST)
    with pytest.raises(BudgetSpent) as told:
        metered(model, book).ask(REQUEST)
    assert str(told.value) == (
        "today's budget for models (day.tokens=150) does not allow another exchange: 60 tokens spent, and this one may take 100 tokens; "
        "it begins anew on 2026-12-01 00:00 UTC"
    )
    assert model.asked == 1 and told.value.scope == "day" and book.unsettled() == (0, 0)
    assert [x.spent for x in book.left(NOON)] == [60, 60], "a refused exchange costs nothing"
    metered(model, book, at=NOON + DAY).ask(REQUEST)


@pytest.mark.parametrize(
    ("limits", "scope", "anew"),
    [("viewer.runs=1", "viewer", "2026-12-01"), ("month.usd=0.11", "month", "2026-12-01"), ("day.usd=0.11", "day", "2026-12-01")],
)
def test_each_scope_and_each_thing_counted_can_refuse(ledger, limits, scope, anew):
    book = ledger(limits=limits)
    metered(Answering(), book).ask(REQUEST)
    with pytest.raises(BudgetSpent, match=f"{limits.replace('.', '[.]')}.*{anew}") as told:
        metered(Answering(), book).ask(REQUEST)
    assert told.value.scope == scope


def test_a_viewers_budget_is_their_own_and_those_of_the_day_and_month_are_everybodys(ledger):
    limits = "viewer.tokens=150, day.tokens=210"
    for who in ("ann", "bo"):
        metered(Answering(), ledger(who, limits)).ask(REQUEST)
    with pytest.raises(BudgetSpent, match=r"^your budget for models \(viewer\.tokens=150\)"):
        metered(Answering(), ledger("ann", limits)).ask(REQUEST)
    with pytest.raises(BudgetSpent, match=r"^today's budget .*day\.tokens=210.*120 tokens spent"):
        metered(Answering(), ledger("cy", limits)).ask(REQUEST)


def test_a_question_is_stopped_by_its_own_budget_and_the_next_one_begins_anew(ledger):
    model, book = Answering(), ledger()
    one = metered(model, book, "question.tokens=150")
    one.ask(REQUEST)
    with pytest.raises(BudgetSpent, match=r"this question's budget for models \(question\.tokens=150\).*60 tokens spent") as told:
        one.ask(REQUEST)
    assert told.value.scope == "question" and "anew" not in str(told.value)
    metered(model, book, "question.tokens=150").ask(REQUEST)
    assert model.asked == 2 and [(s.exchanges, s.runs) for s in book.spent()] == [(2, 2)]


def test_a_budget_of_money_refuses_at_the_last_digit_of_a_sum_too(ledger):
    book = ledger(limits="day.usd=0.3")
    for _ in range(3):
        book.claim(Cost(10, 0.1), NOON)
    with pytest.raises(BudgetSpent, match=r"day\.usd=0\.3"):
        book.claim(Cost(10, 1e-8), NOON)


def test_a_budget_of_nothing_refuses_a_model_without_a_price(ledger):
    book, model = ledger(limits="day.usd=0"), Answering(usd=None)
    unpriced = Metered(model, book, Purse(), lambda r: Guess("m", Tokens(80, 20)), lambda: NOON)
    with pytest.raises(BudgetSpent, match=r"day\.usd=0"):
        unpriced.ask(REQUEST)
    assert not model.asked


def test_a_purse_that_questions_share_is_given_back_what_the_ledger_refuses(ledger):
    purse = Purse(parse("run.tokens=1000", ("run",)))
    book = ledger(limits="day.tokens=150")
    metered(Answering(), book, shared=[purse]).ask(REQUEST)
    with pytest.raises(BudgetSpent):
        metered(Answering(), book, shared=[purse]).ask(REQUEST)
    assert purse.spent == Cost(60, pytest.approx(0.02), 1)


def test_what_was_spent_is_told_by_day_and_model_and_holds_no_question(ledger, shared_store):
    book = ledger()
    metered(Answering(Reply("", model="a", tokens=Tokens(5, 2), usd=None)), book).ask(REQUEST)
    metered(Answering(), book, at=NOON + DAY).ask(REQUEST)
    metered(Answering(), ledger("bo"), at=NOON + DAY).ask(REQUEST)
    assert [(s.day, s.model, s.prompt, s.completion, s.cached, s.usd, s.unpriced) for s in book.spent()] == [
        ("2026-12-01", "m", 50, 10, 5, 0.02, 0), ("2026-11-30", "a", 5, 2, 0, 0.0, 7),
    ]  # fmt: skip
    assert [(s.day, s.exchanges) for s in book.spent(since="2026-12-01", everybody=True)] == [("2026-12-01", 2)]
    kept = shared_store.read(LEDGER, "MATCH (n) UNWIND keys(n) AS k RETURN n[k] AS value ORDER BY value").rows
    assert kept and not any("secret" in str(row["value"]) for row in kept)


def test_an_exchange_that_never_ends_stays_counted(ledger):
    book = ledger(limits="day.tokens=150")
    with pytest.raises(KeyboardInterrupt):
        metered(Answering(meanwhile=crash), book).ask(REQUEST)
    assert book.unsettled() == (1, 100) and book.left(NOON)[0].left == 50
    with pytest.raises(BudgetSpent):
        metered(Answering(), book).ask(REQUEST)


def crash():
    raise KeyboardInterrupt


def test_a_stopped_exchange_counts_what_had_come_and_one_that_nobody_answered_counts_nothing(ledger):
    book = ledger(limits="day.tokens=1000")
    for problem, spent in ((Cancelled("stopped"), 90), (ModelDown("nobody answers"), 90)):
        with pytest.raises(type(problem)):
            metered(Answering(problem), book).ask(REQUEST)
        assert book.left(NOON)[0].spent == spent
    assert book.unsettled() == (0, 0)


def test_threads_never_spend_more_than_the_cap_together(ledger):
    """Each estimate is no smaller than what the exchange costs, so the cap holds to the token."""
    book = ledger(limits="day.tokens=1000, day.runs=500")
    model = Answering(tokens=100)
    refused = []

    def many():
        for _ in range(8):
            try:
                metered(model, book).ask(REQUEST)
            except BudgetSpent as err:
                refused.append(err)

    threads = [threading.Thread(target=many) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert book.left(NOON)[0].spent == 1000 and model.asked == 10 and len(refused) == 38


OTHER = """
import sys
from brain.errors import BudgetSpent
from brain.llm.ledger import Ledger
from brain.llm.limits import Cost, parse
from brain.llm.talk import Tokens
from brain.settings import Settings
from brain.store import Store
from pathlib import Path
book = Ledger(Store.open(Settings(home=Path(sys.argv[1]))), sys.argv[2], parse("month.tokens=2000"))
done = 0
for _ in range(100):
    try:
        claim = book.claim(Cost(50, 0.0, 0), float(sys.argv[3]))
    except BudgetSpent:
        continue
    book.settle(claim, "m", Tokens(30, 10), None)
    done += 1
print(done)
"""


def test_processes_never_spend_more_than_the_cap_together(ledger, home):
    book = ledger(limits="month.tokens=2000")
    others = [
        subprocess.Popen([sys.executable, "-c", OTHER, str(home.home), who, str(NOON)], stdout=subprocess.PIPE, text=True) for who in ("ann", "bo")
    ]
    done = [int(p.communicate(timeout=120)[0]) for p in others]
    spent = book.left(NOON)[0].spent
    assert spent == 40 * sum(done) <= 2000 and sum(done) == 49, "an estimate of 50 no longer fits above 1,950"
    assert sum(s.exchanges for s in book.spent(everybody=True)) == 49


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("day.tokens", "'day.tokens' is no budget"),
        ("week.tokens=3", "'week.tokens=3' is no budget"),
        ("day.euros=3", "what: tokens, usd, runs"),
        ("day.tokens=many", "'many' in 'day.tokens=many' is no whole number of 0 or more"),
        ("day.tokens=1.5", "no whole number of 0 or more"),
        ("day.runs=-5", "'-5' in 'day.runs=-5' is no whole number"),
        ("day.usd=-1", "no amount of dollars of 0 or more"),
        ("day.usd=nan", "no amount of dollars of 0 or more"),
        ("question.runs=3", "limits nothing, for a question is one run"),
        ("day.usd=1,day.usd=2", "day.usd is there twice"),
    ],
)
def test_a_bad_budget_is_refused_in_one_line_with_the_fix(text, said):
    with pytest.raises(HopcheckError) as told:
        parse(text)
    assert said in str(told.value) and "\n" not in str(told.value) and str(told.value).startswith("BRAIN_LLM_LIMITS")


def test_budgets_are_read_as_they_are_written():
    assert [str(x) for x in parse(" question.tokens=120000 , day.usd=2.50,")] == ["question.tokens=120000", "day.usd=2.5"]
    assert parse("none") == () == parse("")
