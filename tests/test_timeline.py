"""The time axis: everything once, in order, the alert always on it."""

from dataclasses import replace

from incident_made import CAUSE, NONE, SIGNAL, at

from brain.incident.findings import Event
from brain.incident.timeline import marked, said, timeline


def test_each_thing_stands_once_oldest_first_with_suspects_marked():
    events = timeline(CAUSE)
    assert [e.key for e in events] == ["ticket:OPS-3", "deploy:q-118", "deploy:s-9", "alert:f00d", "message:ops/1"]
    assert [standing for _, standing in marked(CAUSE, events)] == ["rival", "cause", "discounted", "", ""]


def test_the_alert_its_end_and_the_suspects_are_on_it_even_when_no_event_says_so():
    bare = replace(CAUSE, events=(), signal=replace(SIGNAL, ended_at=at("05T03:40")))
    assert [e.kind for e in timeline(bare)] == ["ticket", "deploy", "deploy", "alert", "ended"]


def test_what_came_long_after_it_was_over_is_not_on_it():
    late = Event(SIGNAL.at + 86_400, "deploy", "deploy:later", "later")
    assert late not in timeline(replace(CAUSE, events=(late,)))
    assert late in timeline(replace(CAUSE, events=(late,), signal=replace(SIGNAL, ended_at=SIGNAL.at + 80_000)))


def test_what_has_no_time_is_left_out_of_it():
    assert all(e.at > 0 for e in timeline(replace(NONE, events=(Event(0, "message", "message:x", "when?"),))))


def test_an_event_says_on_what_unless_its_words_do():
    assert said(CAUSE, Event(1, "alert", "alert:f00d", "It fired", "service:shop")) == "It fired (on shop)"
    assert said(CAUSE, Event(1, "deploy", "deploy:s-9", "shop 9", "service:shop")) == "shop 9"
