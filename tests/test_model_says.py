"""A model's answer is read however it is decorated, and never believed: what is no statement makes none."""

from __future__ import annotations

import pytest

from brain.agents.model_says import MOST_CITES, MOST_CLAIMS, MOST_ITEMS, Said, Sentence, read, split

PLAIN = Said("answered", (Sentence("Ann owns app.", ("person:ann", "repo:o/app")),), ("person:ann",))


@pytest.mark.parametrize(
    "text",
    [
        "STATE: answered\n- Ann owns app. [person:ann] [repo:o/app]\nANSWER: person:ann",
        "**STATE:** Answered\n\n* Ann owns app [person:ann][repo:o/app].\n\n**ANSWER:** `person:ann`",
        "State: answered.\n1. Ann owns app. [person:ann, repo:o/app]\nFinal answer: person:ann.",
        "STATE：answered\n• Ann owns app. 【person:ann】［repo:o/app］\nANSWER：person:ann",
        "<think>maybe [person:bo]?</think>\nSTATE: answered\n- Ann owns app. [person:ann; repo:o/app]\nANSWER: [person:ann]",
        "```\nSTATE: answered\n- Ann owns app. [person:ann repo:o/app]\nANSWER: person:ann\n```",
        "## Findings\nSTATE = answered\n(1) Ann owns app. [person:ann] [repo:o/app]\nanswer: person:ann",
        '{"state": "answered", "claims": [{"text": "Ann owns app.", "cites": ["person:ann", "repo:o/app"]}], "items": ["person:ann"]}',
        '```json\n{"state": "answered", "statements": ["Ann owns app. [person:ann] [repo:o/app]"], "answer": "person:ann"}\n```',
    ],
)  # fmt: skip
def test_one_answer_is_read_in_every_dress(text):
    assert read(text) == PLAIN


@pytest.mark.parametrize("text", ["", "   ", "<think>never ends [pr:o/n#1]", "```\n```", "---", "{}", "[]", "* * *"])
def test_nothing_says_nothing(text):
    assert not read(text)


@pytest.mark.parametrize(("text", "state"), [("STATE: insufficient", "insufficient"), ("state: premise corrected", "premise_corrected"), ("STATE: premise-corrected", "premise_corrected"), ("STATE: great", None)])
def test_the_state_is_one_of_ours_or_none(text, state):
    assert read(text).state == state


@pytest.mark.parametrize(
    ("line", "items"),
    [("person:ann; person:bo", ["person:ann", "person:bo"]), ("person:ann, person:bo", ["person:ann", "person:bo"]), ("person:ann,person:bo", ["person:ann", "person:bo"]),
     ("12", ["12"]), ("2026-03-01.", ["2026-03-01"]), ("none", []), ("N/A", []), ("", []), ("[pr:o/n#1]; [pr:o/n#2]", ["pr:o/n#1", "pr:o/n#2"]), ("1,200", ["1,200"]),
     ("eight seconds, at the latest", ["eight seconds", "at the latest"]), ("eight seconds, at the latest;", ["eight seconds, at the latest"])],
)  # fmt: skip
def test_items_are_told_apart(line, items):
    assert split(line) == items


def test_of_an_object_that_was_cut_off_what_is_whole_counts():
    text = '{"state": "answered", "claims": [{"text": "Ann owns app.", "cites": ["person:ann"]}, {"text": "Bo owns lib.", "cites": ["person:b'
    assert read(text) == Said("answered", (Sentence("Ann owns app.", ("person:ann",)),), ())
    assert not read('{"state": "answered", "claims": [{"text": "Ann')


def test_sentences_of_one_line_keep_their_own_citations():
    said = read("Ann owns app. [person:ann] Bo reviewed it. [person:bo]")
    assert said.sentences == (Sentence("Ann owns app.", ("person:ann",)), Sentence("Bo reviewed it.", ("person:bo",)))


def test_straight_quotation_marks_are_quotations_too():
    assert read('It says "eight seconds at the latest". [doc:a.md]').sentences[0].text == "It says “eight seconds at the latest”."


def test_an_address_is_no_citation():
    assert read("See [the page](https://example.org/x). [doc:a.md]").sentences[0].cites == ("the page", "doc:a.md")


def test_the_name_of_a_program_is_no_citation():
    assert read("It was built by acme-ci[bot]. [deploy:d-1]").sentences[0] == Sentence("It was built by acme-ci[bot].", ("deploy:d-1",))


def test_length_is_bounded():
    said = read("\n".join(f"- Fact {n}. " + " ".join(f"[pr:o/n#{i}]" for i in range(500)) for n in range(500)) + "\nANSWER: " + "; ".join(map(str, range(5000))))
    assert len(said.sentences) == MOST_CLAIMS and all(len(s.cites) == MOST_CITES for s in said.sentences) and len(said.items) == MOST_ITEMS
    assert len(read("word " * 1_000_000).sentences[0].text) <= 1200


@pytest.mark.parametrize("text", ["[" * 100_000, "]" * 100_000, "[a" * 50_000, '"' * 100_000, "{" * 100_000, "- " * 100_000, "[x](" * 30_000, "ANSWER:" * 30_000, "*" * 100_000 + "STATE"])
def test_no_text_takes_long_to_read(text):
    import time

    began = time.process_time()
    read(text)
    slow = time.process_time() - began
    began = time.process_time()
    read(text[: len(text) // 4])
    assert slow < 40 * max(time.process_time() - began, 0.005), "the time grows with the square of the length"
