"""The post-mortem draft: every section there, every statement with its source, nothing invented, nothing live."""

import re
from dataclasses import replace

import pytest
from incident_made import CAUSE, INCOMPLETE, NONE, PASSAGES, RIVALS, SIGNAL, at, hostile
from test_markup import tokens

from brain.incident.findings import Reason, Recorded
from brain.incident.postmortem import post_mortem

SECTIONS = ["Summary", "Impact", "Causes", "Trigger", "Detection", "Resolution", "Action items", "Lessons", "Timeline", "What was looked at"]


def sections(inv):
    parts = re.split(r"^## (.+)\n", post_mortem(inv), flags=re.M)
    return parts[0], dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("inv", [CAUSE, RIVALS, NONE, PASSAGES, INCOMPLETE, hostile()], ids=lambda i: f"{i.id}-{i.outcome}")
def test_every_section_is_there_in_order_and_holds_something(inv):
    head, parts = sections(inv)
    assert list(parts) == SECTIONS and all(body.strip() for body in parts.values())
    assert "Status: draft" in head and head.startswith("# ")


def test_a_cause_is_told_with_its_reasons_its_way_and_a_link_to_its_source():
    head, parts = sections(CAUSE)
    assert "SEV2" in head and "not over when this was written" in head
    assert "likely (82%)" in parts["Causes"] and "[order-queue 1.18 to production](<https://deploys.bakery.example/q-118>)" in parts["Causes"]
    assert "let a batch wait up to 5 s" in parts["Causes"] and "line 3" in parts["Causes"] and "shop → cart → order-queue" in parts["Causes"]
    assert "2031-06-05 01:10 UTC by Mo Adeyemi" in parts["Trigger"]
    assert "1 h 30 min after the change" in parts["Detection"]
    assert "Not known." in parts["Resolution"] and "0.89" in parts["Resolution"] and "`incident:I-2`" in parts["Resolution"]
    assert parts["Action items"].count("Owner: Mo Adeyemi") == 3
    assert "Translation" not in parts["Causes"] and "changes a translation only" in parts["What was looked at"]
    assert "It was all Mo's doing" in parts["What was looked at"] and "all Mo" not in parts["Causes"]


def test_rivals_are_no_established_cause():
    _, parts = sections(RIVALS)
    assert parts["Causes"].strip().startswith("Not established. These could have caused it:")
    assert "Longer timeouts" in parts["Causes"] and parts["Trigger"].strip() == "Not established."
    assert "which it was" in parts["Action items"]


def test_what_is_not_known_is_said_and_not_invented():
    _, parts = sections(NONE)
    assert parts["Causes"].strip().startswith("Not established. No cause found in what was searched")
    assert parts["Resolution"].strip() == "Not known." and "Owner: not known" in parts["Action items"]
    assert "Nothing that is loaded is known to need it" in parts["Impact"] and "None yet" in parts["Lessons"]


def test_what_ended_it_is_only_told_where_somebody_wrote_it_down():
    over = replace(CAUSE, signal=replace(SIGNAL, ended_at=at("05T03:40")), past=())
    assert "what ended it is not known" in sections(over)[1]["Resolution"] and "stood for 1 h." in sections(over)[1]["Impact"]
    back = Reason("ended_with", 3.0, "the alert ended 9 minutes after it was taken back", ("deploy:q-118", "deploy:q-89"))
    cause = replace(CAUSE.suspects[0], reasons=(*CAUSE.suspects[0].reasons, back))
    fits = sections(replace(over, suspects=(cause,)))[1]["Resolution"]
    assert "for a person to confirm: the alert ended 9 minutes after it was taken back. Source:" in fits and "0.89" in fits
    wrote = replace(over, recorded=(Recorded("incident:I-2", "Orders stood still", (), ("deploy:q-89",)),))
    assert "Written down in Orders stood still" in sections(wrote)[1]["Resolution"]


def test_an_unfinished_investigation_says_so_at_the_top():
    head, _ = sections(INCOMPLETE)
    assert "Not finished: it came as far as triage and historian" in head


def test_the_timeline_is_in_utc_oldest_first_and_each_thing_once():
    rows = re.findall(r"^\| (2031\S+ \S+) \| ([^|]+) \|", sections(CAUSE)[1]["Timeline"], re.M)
    assert [when for when, _ in rows] == sorted(when for when, _ in rows) and len(rows) == len(set(rows)) == 5
    assert rows[-1][1].startswith("Ida: the shop is crawling")


def test_nothing_of_what_others_wrote_is_live():
    made = tokens(post_mortem(hostile()))
    assert not [t for t in made if t.type in ("image", "html_inline", "html_block", "em_open", "strong_open", "blockquote_open")]
    assert not [t for t in made if t.type == "link_open"]
    assert [t.tag for t in made if t.type == "heading_open"] == ["h1"] + ["h2"] * len(SECTIONS)
    text = " ".join(t.content for t in made if t.type == "text")
    assert "://" not in text and "@here" not in text
