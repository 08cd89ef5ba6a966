"""What a model writes is foreign: whatever it is, it is read as far as it can be, bounded, and never raises."""

import json

import pytest

from brain.extract.proposals import LONGEST, MOST, Quoted, read

CLAIM = {"line": 2, "quote": "Ada owns it", "subject": "Ada", "predicate": "OWNS", "object": "it", "from": "", "until": "", "why": "says so"}


def said(*claims, decisions=()):
    return json.dumps({"claims": list(claims), "decisions": list(decisions)})


def test_a_reply_is_read():
    (claim,) = read(said(CLAIM)).claims
    assert (claim.said, claim.words, claim.why) == (Quoted(2, "Ada owns it"), "Ada OWNS it", "says so")


@pytest.mark.parametrize("around", ["```json\n{}\n```", "Here you are:\n{}\nAnything else?", "  {}  "])
def test_a_reply_in_a_code_block_or_with_words_around_it_is_read_too(around):
    assert len(read(around.replace("{}", said(CLAIM))).claims) == 1


@pytest.mark.parametrize(
    "reply", ["", "I am sorry", "[1, 2]", "{", "null", "{'claims': []}", said(CLAIM)[:-9], "\ud800", "{" * 5000, "[" * 100_000, '"{}"', "\x00"]
)
def test_a_reply_that_is_none_is_said_to_be_none(reply):
    found = read(reply)
    assert found.claims == () and found.decisions == () and len(found.unreadable) <= 1


def test_ten_thousand_proposals_are_cut_off_and_the_rest_is_counted():
    found = read(said(*[CLAIM] * 10_000))
    assert len(found.claims) == MOST and found.unreadable == (f"{10_000 - MOST} more claims than the {MOST} that one slice may have",)


@pytest.mark.parametrize(
    "wrong",
    [{"line": "2"}, {"line": True}, {"line": None}, {"line": 2.0}, {"quote": ""}, {"quote": 7}, {"subject": None}, {"object": ["it"]}, {"predicate": "  "}],
)
def test_a_claim_that_lacks_something_is_left_out_and_the_others_are_read(wrong):
    found = read(said({**CLAIM, **wrong}, CLAIM, "what", 7))
    assert len(found.claims) == 1 and len(found.unreadable) == 3


def test_lists_that_are_none_and_keys_nobody_asked_for_are_passed_over():
    assert read(json.dumps({"claims": {"a": 1}, "decisions": "x"})).unreadable == (
        "'claims' of the model's reply is no list", "'decisions' of the model's reply is no list",
    )  # fmt: skip
    assert len(read(json.dumps({"claims": [{**CLAIM, "viewer": "local", "state": "approved"}], "more": 1})).claims) == 1


def test_texts_are_bounded_on_one_line_without_what_hides_and_without_addresses():
    (claim,) = read(said({**CLAIM, "subject": "A" * 9_000, "object": "ada.b@example.org\n\u202eevil", "why": "x\x1b[31m"})).claims
    assert len(claim.subject) <= LONGEST and claim.object == "… evil" and "\x1b" not in claim.why


def test_a_decision_is_read_with_its_reasons():
    one = {"line": 1, "quote": "agreed", "title": "T" * 500, "by": "", "because": [{"line": 2, "quote": "as it is"}, {"line": "x"}, 7], "about": ["it", 3, ""]}
    (d,) = read(said(decisions=(one,))).decisions
    assert d.because == (Quoted(2, "as it is"),) and d.about == ("it",) and len(d.title) == 140
    assert read(said(decisions=({**one, "title": ""},))).unreadable == ("a decision without a title, a line or a quote",)
