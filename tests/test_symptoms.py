"""Which thread may be about which ticket: alike by rare words, near in time, whatever the order, in bounded memory."""

from __future__ import annotations

import pytest
from chat_export import T0, message, ts
from hypothesis import given, settings
from hypothesis import strategies as st

from brain.connectors import symptoms
from brain.connectors.chat_grammar import grammar
from brain.connectors.chat_rules import announced
from brain.connectors.chat_threads import Threads
from brain.connectors.company import Company
from brain.connectors.identities import Identities
from brain.connectors.slack_text import readable, stored
from brain.connectors.symptoms import Symptoms

DAY = 86_400
CRACK = "Spiral crack under the celadon glaze after the second cooling"
STORY = "The celadon bowls show a spiral crack under their glaze, from foot to rim, after the second cooling."
OTHERS = ["Door of the left kiln sticks", "Fuse of the ramp controller blows", "Shelf order came twice", "Clay is too wet on Mondays"]


def record(n, text, thread=None, user="U0000001"):
    raw = message(user, n, text)
    start = {} if thread is None else {"thread": ts(thread)}
    return {"channel": "kilns", "id": f"kilns/{raw['ts']}", "ts": raw["ts"], "at": T0 + 60 * n, "user": user, "text": text, **start}


def told(records, tickets, at=T0):
    """A company that knows these messages and tickets, the tickets by id with their titles."""
    company = Company(Identities())
    for one in records:
        Threads.of(company).note(one)
        Symptoms.of(company).said(one)
    for id_, title in tickets.items():
        company.thing(f"ticket:{id_}", id_)
        company.facts[f"ticket:{id_}"] |= {"title": title, "text": "", "at": at}
    return company


def pairs(company, records):
    found = [a for r in records for a in Symptoms.of(company).shown_by(r["id"], company)]
    return {(a.thread, a.ticket, a.ts) for a in found}


TICKETS = {"KIL-20": CRACK, **{f"KIL-{n}": title for n, title in enumerate(OTHERS)}}


def test_the_message_that_shows_it_best_is_the_evidence():
    said = [record(1, "Odd bowls today.", 1), record(2, STORY, 1), record(3, "Tea is ready", 3)]
    assert pairs(told(said, TICKETS), said) == {(f"kilns/{ts(1)}", "ticket:KIL-20", ts(2))}


def test_small_talk_about_the_same_places_is_alike_to_nothing():
    said = [record(n, text, n) for n, text in enumerate(("The left kiln door is painted", "Clay day on Monday?", "Who ordered the shelf?", "cooling tower"))]
    assert pairs(told(said, TICKETS), said) == set()


def test_a_thread_that_names_a_known_ticket_is_left_alone():
    said = [record(1, f"{STORY} KIL-20?", 1)]
    assert pairs(told(said, TICKETS), said) == set()
    assert pairs(told(said, {"KIL-21": CRACK}), said) == {(f"kilns/{ts(1)}", "ticket:KIL-21", ts(1))}, "an id that is nobody's names nothing"


def test_what_lies_years_apart_must_be_more_alike():
    said = [record(1, STORY, 1)]
    assert pairs(told(said, TICKETS, at=T0 - 20 * DAY), said) and not pairs(told(said, TICKETS, at=T0 - 900 * DAY), said)
    assert pairs(told(said, TICKETS, at=0), said), "nobody knows when"


def test_at_most_two_tickets_and_equal_ones_by_key():
    said = [record(1, STORY, 1)]
    same = {f"KIL-{n}": CRACK for n in (25, 22, 23)}
    assert {t for _, t, _ in pairs(told(said, same), said)} == {"ticket:KIL-22", "ticket:KIL-23"}


def test_the_order_of_telling_changes_nothing():
    said = [record(1, "Odd bowls today.", 1), record(2, STORY, 1), record(3, "The ramp controller blows its fuse again, the ramp is cold", 3)]
    backwards = dict(reversed(TICKETS.items()))
    assert pairs(told(said, TICKETS), said) == pairs(told(said[::-1], backwards), said) != set()


def test_only_the_newest_threads_are_kept(monkeypatch):
    monkeypatch.setattr(symptoms, "MAX_THREADS", 3)
    said = [record(n, STORY, n) for n in range(1, 12)]
    for order in (said, said[::-1]):
        assert {t for t, _, _ in pairs(told(order, TICKETS), said)} == {f"kilns/{ts(n)}" for n in (9, 10, 11)}


def test_of_a_long_thread_the_first_messages_are_compared(monkeypatch):
    monkeypatch.setattr(symptoms, "MAX_MESSAGES", 2)
    said = [record(n, "Tea?", 1) for n in range(1, 9)] + [record(9, STORY, 1)]
    assert pairs(told(said, TICKETS), said) == pairs(told(said[::-1], TICKETS), said) == set()


# -- nothing that people can write stops a load ------------------------------------------------

PIECES = st.sampled_from(
    ["KIL-7", "#12", "<@U0000001>", "<https://a.example/browse/KIL-7|KIL-7>", "I'll take", "on it", "can you take", "verified", "fixed", "RULE CHANGE:", ":", "from", "2026-09-15",
     ", until", "replaces", "?", "\n", "> ", "```", "`", "~", "*", '"', "“", "&gt;", "<", ">", "|", ":+1:", "\u2028", "\x00", "é", "🜂", "if", "not"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES | st.text(max_size=4), max_size=25).map(" ".join))
def test_any_text_is_read_and_its_lines_stay_lines(text):
    kept = stored(text)
    shown = readable(kept, lambda id_: "Ada Byron", lambda id_: "")
    assert len(shown.split("\n")) == len(kept.split("\n")) and "\x00" not in shown
    lines = shown.splitlines()
    for act in grammar().acts(kept):
        assert 0 < act.line <= len(lines) and lines[act.line - 1].strip()
    for rule in announced(kept, T0):
        assert 0 < rule.line <= len(lines)
    grammar().accepts(kept)


@pytest.mark.parametrize("text", ["a\x0bb", "a\x1cb", "a\x85b", "a\u2029b", "a\r\nb", "a\rb", "\ud800a"])
def test_stored_text_has_one_kind_of_line_break(text):
    assert stored(text).splitlines() == stored(text).split("\n")
