"""Answers read out of passages. The passages are small literals; the questions are understood as everywhere."""

from __future__ import annotations

import pytest

from brain.agents import reader
from brain.agents.understand import understand
from brain.text import lexicon
from brain.text.mentions import Links, Mention
from brain.text.passages import Passage
from brain.text.timewords import parse

NOW = 1_792_195_200
LEXICON = lexicon.build([], [], [], [], [], [])


def passage(src, text, part="body", author="ann", score=1.0, title="", at=1_735_776_000, **about):
    label = {"pr": "PullRequest", "issue": "Issue", "release": "Release", "commit": "Commit"}[src.partition(":")[0]]
    repo = src.partition(":")[2].split("#")[0].split("@")[0]
    return Passage(
        f"{src}/{part}",
        src,
        label,
        title,
        f"{title}\n{text}" if title else text,
        1,
        1 + text.count("\n") + bool(title),
        at,
        author,
        repo,
        part,
        score,
        1.0,
        about,
    )


PASSAGES = [
    passage("pr:a/kiln#4", "Fire slower above 900 degrees.\nFixes #3.", title="Slow the ramp", score=0.9, author="ben",
            state="merged", merged_by="cy", created_at=1_735_776_000, merged_at=1_738_368_000),
    passage("pr:a/kiln#4", "LGTM, and the glaze holds.", part="review/9", author="dee", score=0.8),
    passage("pr:a/kiln#4", "I would wait for winter.", part="comment/2", author="eli", score=0.7),
    passage("issue:a/kiln#3", "Cups crack when the kiln heats too fast.\nIt takes 45 minutes to reach 900 degrees.", title="Cracked cups", score=0.6,
            state="closed", labels=["crack"]),
    passage("issue:a/wheel#8", "The wheel wobbles, see src/axle.py.", title="Wobble", score=0.5, author="fay", state="open"),
]  # fmt: skip
NAMES = {"kiln#4": ("pr:a/kiln#4", "PullRequest"), "kiln#3": ("issue:a/kiln#3", "Issue"), "wheel": ("repo:a/wheel", "Repo")}


def asked(question):
    mentions = [
        Mention(question.index(n), question.index(n) + len(n), n, (NAMES[n][0],), NAMES[n][1], "number") for n in NAMES if n in question
    ]
    taken = tuple((m.start, m.end) for m in mentions)
    return understand(question, Links(mentions), parse(question, NOW, taken), LEXICON)


def read(question, passages=PASSAGES):
    return reader.read(asked(question), passages, 2, [])


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Who wrote kiln#4?", ["person:ben"]),
        ("Who merged kiln#4?", ["person:cy"]),
        ("Who reviewed kiln#4?", ["person:dee"]),
        ("Who approved kiln#4?", ["person:dee"]),
        ("Who commented on kiln#4?", ["person:eli"]),
        ("When was kiln#4 merged?", ["2025-02-01"]),
        ("When was kiln#4 opened?", ["2025-01-02"]),
        ("Is kiln#4 merged?", ["yes"]),
        ("Is kiln#3 open?", ["no"]),
        ("Which labels has kiln#3?", ["crack"]),
        ("Which pull request fixed kiln#3?", ["pr:a/kiln#4"]),
        ("Which issue is about cups that crack?", ["issue:a/kiln#3"]),
        ("Which file makes the wheel wobble?", ["file:a/wheel/src/axle.py"]),
    ],
)
def test_the_answer_has_the_type_that_is_asked_for(question, items):
    draft = read(question)
    assert draft.state == "answered" and draft.items == items


def test_a_sentence_is_quoted_with_its_line():
    draft = read("Why do cups crack when it heats fast?")
    quote = draft.facts[0].quotes[0]
    assert (
        quote.source == "issue:a/kiln#3"
        and quote.text == "Cups crack when the kiln heats too fast."
        and "“Cups crack" in draft.facts[0].text
    )


def test_every_fact_cites_a_document_it_was_given():
    given = {p.src for p in PASSAGES}
    for question in ("Who wrote kiln#4?", "Why do cups crack?", "How many issues about cracks?", "Which pull requests slow the ramp?"):
        draft = read(question)
        assert draft.facts and all(set(f.cites) <= given and f.cites and f.step == 2 for f in draft.facts)
        assert all(any(q.source == p.src and q.text in p.text for p in PASSAGES) for f in draft.facts for q in f.quotes)


def test_a_count_counts_fitting_documents_and_not_passages():
    assert read("How many pull requests are about firing?").items == ["1"]
    assert read("How many open issues are there?").items == ["1"]


@pytest.mark.parametrize(
    ("question", "n"), [("How many minutes does it take to reach 900 degrees?", "45"), ("How many customers take cups?", None)]
)
def test_a_number_is_read_from_a_sentence_about_it(question, n):
    draft = reader.measured(asked(question), PASSAGES, question.split()[2], 2)
    assert (draft.items == [n]) if n else (draft.state == "insufficient" and not draft.items)


def test_what_the_question_fixes_leaves_other_documents_out():
    assert read("Which issues of 2024 are about cracks?").state == "insufficient"
    assert read("Which issues of 2025 are about cracks?").items


@pytest.mark.parametrize("passages", [[], [passage("issue:a/kiln#3", "Nothing near.")]])
def test_nothing_near_is_no_answer(passages):
    far = [Passage(**{**p.__dict__, "near": 0.05}) for p in passages]
    draft = read("Why is the moon full?", far)
    assert draft.state == "insufficient" and not draft.items


def test_ties_are_broken_the_same_way_whatever_the_order():
    two = [passage("issue:a/kiln#1", "The same words."), passage("issue:a/kiln#2", "The same words.")]
    assert read("Which issue has the same words?", two).items == read("Which issue has the same words?", two[::-1]).items
