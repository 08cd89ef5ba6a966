"""Which sentences state something and which do not: by rules alone, whatever a model makes of them."""

import pytest

from brain.extract import moods
from brain.extract.moods import Sentence, around, sentences, stated


def why(line, *names, quote="", **how):
    return stated(around(line, quote or line), names or ("Ada", "the pump"), **how)


@pytest.mark.parametrize(
    "line",
    ["Ada owns the pump.", "Ada owns the pump, not Bo.", "The pump is owned by Ada.", "The pump is now owned by Ada", "Since March Ada owns the pump",
     "No doubt: Ada owns the pump.", "Ada's team runs on coffee, Ada owns the pump."],
)  # fmt: skip
def test_a_plain_sentence_states_something(line):
    assert why(line) == ""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Ada doesn't own the pump.", "denies"), ("Ada does not own the pump.", "denies"), ("Ada never owned the pump.", "denies"),
        ("Nobody but Ada owns the pump, or so they tell", "denies"), ("It is false that Ada owns the pump.", "denies"),
        ("Ada owns the pump, but not any more.", "takes it back"), ("Ada owns the pump. Just kidding: Bo", "takes it back"), ("Ada owns the pump, just kidding", "takes it back"),
        ("Ada owns the pump?", "asks"), ("does Ada own the pump", "asks"), ("Ada owns the pump. Right?", "asks"),
        ("If Ada owns the pump, ask her.", "supposes"), ("Ada should own the pump.", "supposes"), ("Maybe Ada owns the pump", "supposes"),
        ("I think Ada owns the pump", "supposes"), ("Ada may own the pump", "supposes"), ("I'd say Ada owns the pump", "supposes"),
        ("Bo said Ada owns the pump.", "else's words"), ("According to Bo, Ada owns the pump.", "else's words"), ("> Ada owns the pump", "quotation"),
        ("Bo wrote: Ada owns the pump", "else's words"), ('The sign reads "Ada owns the pump"', "quotation"),
        ("Ada owned the pump.", "past"), ("Ada used to own the pump.", "past"), ("The pump was owned by Ada.", "past"), ("Formerly Ada owns the pump", "past"),
        ("Ada will own the pump.", "to come"), ("Ada is going to own the pump", "to come"),
    ],
)  # fmt: skip
def test_a_sentence_that_states_nothing_is_told_from_one_that_does(line, said):
    found = why(line)
    assert said in found and bool(found) == bool(said)


def test_words_cut_out_of_a_denial_are_judged_with_their_whole_sentence():
    line = "Hello. It is not true that Ada owns the pump. Bye."
    assert around(line, "Ada owns the pump").text == "It is not true that Ada owns the pump."
    assert "denies" in why(line, quote="Ada owns the pump")


def test_a_denial_in_another_sentence_denies_nothing_here():
    assert why("Bo never comes. Ada owns the pump.", quote="Ada owns the pump.") == ""


def test_what_the_next_sentence_takes_back_is_not_stated():
    assert "next sentence" in why("Ada owns the pump. Scratch that, Bo does.", quote="Ada owns the pump.")
    assert why("Ada owns the pump. The pump is slow and it is not really loved.", quote="Ada owns the pump.") == ""


def test_what_is_over_or_to_come_stands_with_its_date():
    assert why("Ada owned the pump until 2024-05-01.", dated=(False, True)) == ""
    assert why("Ada will own the pump from 2026-05-01.", dated=(True, False)) == ""
    assert "past" in why("Ada owned the pump", dated=(True, False))


def test_what_happened_is_told_in_the_past_and_stands():
    assert why("The outage was caused by #12.", "The outage", "#12", event=True) == ""
    assert "denies" in why("The outage was not caused by #12.", "The outage", "#12", event=True)


def test_sentences_end_where_they_do_and_not_at_abbreviations_or_versions():
    assert [s.text for s in sentences("Use v1.4.0 of it, e.g. here. Then stop! Fine")] == ["Use v1.4.0 of it, e.g. here.", "Then stop!", "Fine"]
    assert sentences("   ") == [] and around("Ada owns it", "Bo owns it") is None


def test_a_first_person_is_found_as_a_word_and_not_as_a_letter():
    assert why("I own the pump, it is not hard", "I", "the pump") == ""
    assert "denies" in why("I do not own the pump", "I", "the pump")


@pytest.mark.parametrize("line", ["Ada maintains this runbook about the pump.", "Document owner: Ada", "This page is maintained by Ada"])
def test_who_keeps_a_document_is_told_apart(line):
    assert moods.keeps_a_document(Sentence(line, 0, len(line)))


def test_who_maintains_a_service_is_not_taken_for_that():
    assert moods.keeps_a_document(Sentence("Ada maintains the pump.", 0, 23)) == ""
