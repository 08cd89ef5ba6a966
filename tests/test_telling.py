"""An investigation in sentences: the outcome, whom to page, what helped, and the rule of thumb beside it."""

from dataclasses import replace

import pytest
from incident_made import CAUSE, FIRED, INCOMPLETE, NONE, PASSAGES, QUEUE, RIVALS, SHOP, SIGNAL

from brain.incident import telling
from brain.incident.findings import Checked, Followed, Told


def test_the_headline_names_the_cause_how_sure_and_when():
    said = telling.headline(CAUSE)
    assert said == "Cause, likely (82%): deployment order-queue 1.18 to production, 1 h 30 min before the alert."


def test_rivals_are_told_as_rivals_and_one_alone_as_too_weak():
    assert telling.headline(RIVALS).startswith("2 changes could have caused it and none stands out:")
    one = replace(RIVALS, suspects=RIVALS.suspects[:1])
    assert "too little to name it the cause" in telling.headline(one)


def test_nothing_found_says_what_was_searched_and_nothing_more():
    assert telling.headline(NONE) == "No cause found in what was searched: the 24 h before the alert on 3 things."
    assert telling.headline(replace(NONE, outcome="cause")).startswith("No cause found")


def test_an_alert_that_nothing_loaded_stands_behind_is_not_called_clean():
    assert "nothing could be searched" in telling.headline(replace(NONE, signal=replace(SIGNAL, service="", service_name="")))


def test_an_unfinished_one_never_sounds_finished():
    assert telling.headline(replace(CAUSE, state="incomplete", roles=())).startswith("Not finished: no part of it is done")
    assert "triage and historian" in telling.headline(INCOMPLETE)


def test_the_rule_of_thumb_stands_beside_the_result_with_what_speaks_against_it():
    assert telling.baseline(CAUSE).endswith("names shop 9 to production, which counts for little here: It changes a translation only.")
    assert telling.baseline(replace(CAUSE, baseline=QUEUE.key)).endswith("order-queue 1.18 to production: the same.")
    assert telling.baseline(NONE).endswith("names nothing.")
    assert telling.baseline(replace(NONE, baseline="deploy:unheard")).endswith("names a deployment.")


def test_nothing_is_called_by_its_key():
    assert [telling.called(CAUSE, k) for k in ("pr:a/b#7", "ticket:T-1", "deploy:x-1", "commit:a/b@0af", "concept:q")] == \
        ["b#7", "T-1", "a deployment", "a commit", "a concept"]  # fmt: skip


def test_people_stand_in_order_and_those_passed_over_apart():
    assert [p.name for p in telling.paged(CAUSE)] == ["Mo Adeyemi", "Bo Lind"] and [p.name for p in telling.passed_over(CAUSE)] == ["Ida Bright"]
    assert telling.whom(CAUSE) == "Mo Adeyemi, on call for order-queue, of Queue team, contact: #queue-help"


def test_what_helped_last_time_is_the_first_that_is_written_down():
    silent = replace(CAUSE.past[0], fixes=(), lesson="", name="Silent")
    assert telling.last_time(replace(CAUSE, past=(silent, *CAUSE.past))) == (
        "deployment of order-queue 0.89 to production (Orders stood still, 2031-06-01)"
    )
    words = replace(CAUSE.past[0], fixes=(), remedy="Roll the\nqueue back.")
    assert telling.last_time(replace(CAUSE, past=(words,))).startswith("its report says “Roll the queue back.” (")
    near = replace(CAUSE.past[0], likeness=0.3)
    assert telling.last_time(replace(CAUSE, past=(near,))) == "no earlier incident like this one is known"
    assert "not written down" in telling.last_time(replace(CAUSE, arm="vector", past=(words,)))
    assert "not written down" in telling.last_time(replace(CAUSE, past=(silent,))) and "no earlier incident" in telling.last_time(NONE)


def test_a_playbook_tells_what_it_saved_or_why_it_did_not_hold():
    assert telling.followed(CAUSE) == "By the playbook “CheckoutSlow by order-queue”: 4 steps instead of 11."
    assert "did not hold: it is gone" in telling.followed(replace(CAUSE, followed=Followed("p", "t", False, 4, 11, reason="it is gone")))
    assert telling.followed(replace(CAUSE, followed=Followed("p", "t", True, 4, 0))).endswith("4 steps.") and telling.followed(NONE) == ""


def test_the_rule_of_thumb_needs_the_graph():
    assert telling.baseline(PASSAGES) == ""


def test_what_is_clean_is_told_once_with_all_it_holds_for():
    checked = (Checked("changes", "service:shop", 0, True, "nothing changed"), Checked("changes", "service:cart", 0, True, "nothing changed"),
               Checked("changes", "service:order-queue", 2, True, "2 changes"), Checked("changes", "service:kiosk", 1, False, "1 change"))  # fmt: skip
    assert telling.clean(replace(CAUSE, checked=checked)) == {"nothing changed": ["shop", "cart"], "2 changes, none that fits": ["order-queue"]}


def test_the_runbook_that_names_the_alert_is_the_one_to_open():
    told = (Told("doc:a", "General", "x", 1, False), Told("doc:b", "Slow checkout", "y", 3, False), Told("doc:b", "Slow checkout", "z", 9, True))
    assert [t.key for t in telling.runbooks(replace(CAUSE, told=told))] == ["doc:b"]
    assert [t.key for t in telling.runbooks(replace(CAUSE, told=told[:2]))] == ["doc:a"] and telling.runbooks(CAUSE) == []


@pytest.mark.parametrize(("seconds", "said"), [(0, "less than a minute"), (60, "1 min"), (-5400, "1 h 30 min"), (7200, "2 h"), (90000, "1 d 1 h")])
def test_a_length_of_time_reads_as_people_say_it(seconds, said):
    assert telling.span(seconds) == said


def test_what_came_after_the_alert_is_not_told_as_before_it():
    assert telling.before(CAUSE, FIRED + 600) == "10 min after the alert" and telling.before(CAUSE, SHOP.at) == "8 min before the alert"


@pytest.mark.parametrize(("number", "words"), [
    (0.9, "very likely (90%)"), (0.5, "more likely than not (50%)"), (0.3, "possible (30%)"), (0, "not likely (0%)"), (0.999, "very likely (over 99%)"), (0.004, "not likely (under 1%)"),
])  # fmt: skip
def test_how_sure_it_is_stands_in_words_and_as_a_number(number, words):
    assert telling.sure(number) == words


def test_an_alert_of_an_unknown_service_has_a_name_all_the_same():
    assert telling.alerted(replace(CAUSE, signal=replace(SIGNAL, service="", service_name=""))) == "CheckoutSlow"
