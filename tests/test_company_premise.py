"""What a question takes for granted, and what it asks instead, by its grammar alone; names are literals."""

from __future__ import annotations

import pytest

from brain.agents.company_premise import premises, remainder
from brain.agents.understand import understand
from brain.text.lexicon import Lexicon
from brain.text.mentions import Links, Mention
from brain.text.timewords import TimeWords

NAMES = {"Ann's": ("person:ann", "Person"), "Ann": ("person:ann", "Person"), "kiln": ("service:kiln", "Service"), "wheel": ("service:wheel", "Service"), "Glaze": ("team:glaze", "Team"),
         "ADR-3": ("decision:3", "Decision"), "drying time": ("rule:drying", "Rule"), "the manual": ("doc:manual.md", "Doc")}  # fmt: skip
COMPANY = Lexicon(company={key: label for key, label in NAMES.values()})


def understood(question):
    mentions = []
    for text, (key, label) in NAMES.items():
        at = question.find(text)
        while at >= 0 and all(m.end <= at or at + len(text) <= m.start for m in mentions):
            mentions.append(Mention(at, at + len(text), text, (key,), label, "name"))
            at = question.find(text, at + 1)
    return understand(question, Links(sorted(mentions, key=lambda m: m.start)), TimeWords(), COMPANY)


def found(question):
    return [(p.kind, *p.subject, *p.object, *([p.value.replace("\0", " = ")] if p.value else [])) for p in premises(understood(question))]


@pytest.mark.parametrize(
    ("question", "premise"),
    [
        ("Should Ann, who owns kiln, restart it?", ("own", "person:ann", "service:kiln")),
        ("Can Ann, the owner of kiln, say no?", ("own", "person:ann", "service:kiln")),
        ("As the owner of kiln, may Ann decide?", ("own", "person:ann", "service:kiln")),
        ("kiln belongs to Ann, so shall I wait for her?", ("own", "person:ann", "service:kiln")),
        ("Given that kiln is run by Glaze, do we ask them?", ("own", "team:glaze", "service:kiln")),
        ("Ann is responsible for kiln; shall I wake her?", ("own", "person:ann", "service:kiln")),
        ("I heard that kiln is Ann's; whom do I wake?", ("own", "person:ann", "service:kiln")),
        ("Could Ann, being responsible for kiln, open it?", ("own", "person:ann", "service:kiln")),
        ("Should the Glaze team, which owns kiln, roll back?", ("own", "team:glaze", "service:kiln")),
        ("Why does Ann own kiln?", ("own", "person:ann", "service:kiln")),
        ("As tech lead of kiln, should Ann look?", ("lead", "person:ann", "service:kiln")),
        ("Since Ann leads kiln technically, shall we wait?", ("lead", "person:ann", "service:kiln")),
        ("Would kiln's technical lead Ann agree to this?", ("lead", "person:ann", "service:kiln")),
        ("Now that Ann is on call for Glaze, should I ring?", ("oncall", "person:ann", "team:glaze")),
        ("As a member of Glaze, can Ann take the shift?", ("member", "person:ann", "team:glaze")),
        ("Ann works in Glaze, so is she the one?", ("member", "person:ann", "team:glaze")),
        ("Since ADR-3 still holds, what follows?", ("stands", "decision:3", "holds")),
        ("ADR-3 is the accepted decision, must we obey?", ("stands", "decision:3", "accepted")),
        ("Given that the drying time is 8 hours, are we late?", ("value", "rule:drying", "8 hours")),
        ("With the firing deadline at two days, what happens on Monday?", ("value", "firing deadline = two days")),
        ("Under the eight-hour firing deadline, what happens on Monday?", ("value", "firing deadline = eight-hour")),
        ("Should I tell Ann (tech lead, kiln) that it smokes?", ("lead", "person:ann", "service:kiln")),
        ("With a firing deadline of two days, what happens on Monday?", ("value", "firing deadline = two days")),
        ("Because kiln relies on wheel, must it stop?", ("needs", "service:kiln", "service:wheel")),
        ("Since wheel is needed by kiln, should we wait?", ("needs", "service:kiln", "service:wheel")),
    ],
)  # fmt: skip
def test_a_premise_is_read_in_any_grammar(question, premise):
    assert found(question) == [premise]


@pytest.mark.parametrize(
    "question",
    [
        "Who owns kiln?",
        "Does Ann own kiln?",
        "Is it Ann who owns kiln?",
        "Is Ann the technical lead of kiln?",
        "Ann owns kiln, right?",
        "Is it true that Ann owns kiln, or is it Glaze?",
        "If Ann leads kiln, who leads wheel?",
        "Who confirmed that kiln depends on wheel?",
        "Does kiln depend on wheel?",
        "Is ADR-3 still in force?",
        "What is the drying time?",
        "Which services does Ann own?",
    ],
)
def test_what_is_asked_is_not_taken_for_granted(question):
    assert found(question) == []


def test_the_question_goes_on_without_its_premise_where_it_asks_about_something_named():
    u = understood("Since kiln needs wheel, who owns wheel?")
    assert remainder(u, premises(u)) == "who owns wheel?"
    u = understood("Since Ann owns kiln, shall we wait?")
    assert remainder(u, premises(u)) == ""
