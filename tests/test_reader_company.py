"""What is read out of documents, tickets and chat: by the form the question asks for, not from headings."""

from __future__ import annotations

import pytest

from brain.agents import reader
from brain.agents.company_telling import bears
from brain.agents.understand import understand
from brain.text import lexicon
from brain.text.linking import Linker
from brain.text.passages import Passage
from brain.text.timewords import TimeWords

THINGS = [
    {"key": "team:glaze", "label": "Team", "names": ["Glaze Team"], "number": None},
    {"key": "service:pot-kiln", "label": "Service", "names": ["pot-kiln"], "number": None},
    {"key": "service:pot-wheel", "label": "Service", "names": ["pot-wheel"], "number": None},
]
PEOPLE = [{"key": "person:ann", "login": "ann", "name": "Ann Potter", "names": [], "bot": False}]
LEXICON = lexicon.build([], PEOPLE, [], [], [], [], THINGS, [])


def passage(text, src="doc:docs/kiln.md", title="The kiln is cold", label="Doc"):
    return Passage(f"chunk:{src}/0", src, label, title, f"{title}\n{text}", 1, 9, 1_700_000_000, "", "", "body", 1.0, 1.0)


def said(question, *passages):
    links = Linker(LEXICON, lambda query, **params: []).link(question)
    return reader.read(understand(question, links, TimeWords(), LEXICON), passages, 2, [])


RUNBOOK = """# The kiln is cold
title: The kiln is cold
Ask the glaze room before you light it.
Wait twenty minutes between two attempts.
Call Ann Potter when the chimney smokes.
The door opens at 8:30 in winter.
Run `kiln light --slow` in the cellar."""


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How long must I wait between two attempts when the kiln is cold?", "twenty minutes"),
        ("Whom does the runbook say to call when the chimney of the kiln smokes?", "Ann Potter"),
        ("At what time does the door of the kiln open in winter?", "8:30"),
        ("Which command lights the kiln in the cellar?", "kiln light --slow"),
    ],
)
def test_the_first_sentence_has_the_form_that_is_asked_for(question, words):
    draft = said(question, passage(RUNBOOK))
    assert words in draft.facts[0].text and draft.facts[0].quotes[0].source == "doc:docs/kiln.md"


def test_a_heading_that_repeats_the_title_is_no_answer():
    draft = said("What does the document on the cold kiln say about the chimney?", passage(RUNBOOK))
    assert "chimney" in draft.facts[0].text and not draft.facts[0].quotes[0].text.startswith(("#", "title:"))


def test_who_is_read_as_the_person_named_in_the_sentence():
    assert said("Who is called when the chimney smokes?", passage(RUNBOOK)).items == ["person:ann"]


def test_a_team_is_read_where_a_team_is_asked_for():
    row = passage("| pot-kiln | Glaze Team | Ann Potter |", title="Services")
    assert said("Which team owns pot-kiln?", row).items == ["team:glaze"]


def test_services_are_read_where_dependencies_are_asked_for():
    row = passage("pot-kiln dependsOn: pot-wheel", title="Catalogue")
    assert said("Which services does pot-kiln need?", row).items == ["service:pot-wheel"]


def test_a_number_is_read_with_its_unit():
    assert "twenty minutes" in said("How many minutes are there between two attempts?", passage(RUNBOOK)).items[0]


def test_nothing_is_read_from_nothing():
    assert said("How long do I wait?").state == "insufficient"


STEPS = """# The wheel is stuck

The wheel is stuck after rain, mostly.

1. Is the pin in? A missing pin stops it.
2. Turn the lever to SOFT. The lamp is green. If it is not, leave the room.

Sixty-one people of four rooms had to go home."""


def quoted(draft):
    return " ".join(q.text for f in draft.facts for q in f.quotes)


def test_what_follows_the_words_of_the_question_is_quoted_with_them():
    assert "leave the room" in quoted(said("What if the lamp is not green after the lever is turned to soft?", passage(STEPS, title="The wheel is stuck")))


def test_what_to_do_first_is_the_first_step():
    draft = said("What is the first thing to look at when the wheel is stuck?", passage(STEPS, title="The wheel is stuck"))
    assert "Is the pin in?" in draft.facts[0].text


def test_a_number_of_people_is_found_by_whatever_they_are_called():
    assert said("How many users of the wheel had to go home?", passage(STEPS, title="The wheel is stuck")).items == ["Sixty-one people"]


def test_a_long_document_bears_on_what_stands_at_its_end():
    filler = " ".join(f"nothing{n}" for n in range(60))
    question = "How is the pedal of the loom greased in spring?"
    u = understand(question, Linker(LEXICON, lambda query, **params: []).link(question), TimeWords(), LEXICON)
    far = Passage("chunk:a/0", "doc:a.md", "Doc", "Loom", f"Loom\n{filler}\nThe pedal is greased in spring.", 1, 9, 0, "", "", "body", 1.0, 0.3)
    other = Passage("chunk:b/0", "doc:b.md", "Doc", "Looms", f"Looms\n{filler}", 1, 9, 0, "", "", "body", 1.0, 0.3)
    assert bears(u, [far]) and not bears(u, [other])


def test_a_line_that_defines_a_word_comes_before_those_that_only_use_it():
    used = passage("The slip is late again, who has the slip?", "message:kiln/1.0", "#kiln", "Message")
    glossary = passage("- slip: clay thinned with water\n- grog: clay fired and ground", "doc:docs/glossary.md", "Glossary")
    for question in ("What is slip?", "what does slip mean", "What is a slip?"):
        told = said(question, used, glossary)
        assert told.items == ["doc:docs/glossary.md"] and [q.text for f in told.facts for q in f.quotes] == ["- slip: clay thinned with water"]
    assert said("Who has the slip?", used, glossary).facts[0].cites != ("doc:docs/glossary.md",)


def test_the_day_of_a_document_is_not_since_when_something_holds():
    held = passage("The kiln is lit with two persons.\nNobody lights it alone.")
    assert said("Since when is the kiln lit with two persons?", held).state == "insufficient"
    assert said("When was it said that the kiln is lit with two persons?", held).items
