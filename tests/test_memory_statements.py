"""What counts as a statement about oneself, and what is not one however alike it looks."""

import pytest
import small_company
from small_graph import NOW

from brain import catalogue, permissions
from brain.known import LEXICON
from brain.memory.naming import Named
from brain.memory.statements import rest, statements
from brain.text import lexicon
from brain.tools.asking import Asking

DAY = 86_400


@pytest.fixture(scope="module")
def names(shared_store):
    small_company.build(shared_store, "statements")
    ctx = Asking(shared_store, "statements", permissions.local_admin(), NOW, None, catalogue.shipped())
    known = lexicon.build(*[ctx.run(f"lexicon_{name}").rows for name in LEXICON])
    return Named(known, lambda query, **params: ctx.run(query, **params).rows, NOW)


STATED = {
    "I work on event-bus": ("works_on", "service:event-bus"),
    "I'm working on the map-tiles service at the moment.": ("works_on", "service:map-tiles"),
    "hi, I work on the service rota": ("works_on", "service:rota"),
    "My service is event-bus": ("works_on", "service:event-bus"),
    "I work on `event-bus`": ("works_on", "service:event-bus"),
    "We maintain tide-model": ("owns", "service:tide-model"),
    "I am responsible for site-gateway": ("owns", "service:site-gateway"),
    "I'm the tech lead of map-tiles": ("owns", "service:map-tiles"),
    "I am in the platform team": ("team", "team:platform"),
    "I\u2019m in the Platform team!": ("team", "team:platform"),
    "my team is platform": ("team", "team:platform"),
    "We are the gates team": ("team", "team:gates"),
    "I've joined the console team": ("team", "team:console"),
    "please remember that I work for the duty team": ("team", "team:duty"),
    "I am an engineer in the platform team": ("team", "team:platform"),
    "I'm a backend developer on rota": ("works_on", "service:rota"),
    "I am on call for rota": ("on_call", "service:rota"),
    "my login is leilaf": ("person", "person:leilaf"),
    "I am Leila Farahani": ("person", "person:leilaf"),
}
NOT = (
    "I wonder whether I work on event-bus", "Who works on event-bus?", "Do I work on event-bus?", "I work on event-bus?",
    "Am I in the platform team?", "If I work on event-bus, whom do I page?", "Suppose I am in the platform team. Who leads it?",
    "The guide says I work on event-bus", "According to the runbook, I own event-bus", '"I work on event-bus"',
    'He said: "I work on event-bus"', 'Who wrote "I am in the platform team"?', "> I work on event-bus", "\u201cI work on event-bus\u201d",
    "I might work on event-bus", "I think I work on event-bus", "Maybe I work on event-bus", "I would like to work on event-bus",
    "Leila works on event-bus", "Leila said I work on event-bus", "Leila said: I work on event-bus", "My colleague is in the platform team",
    "call me when event-bus is down", "I run the forecast by hand", "Is my team platform?", "I am not sure who owns event-bus",
    "Let's say I'm in the platform team", "Should I work on event-bus", "I was told I own event-bus", "what if I own event-bus",
    "my service is down", "my team is tired", "I'm in trouble", "I work from home", "I will work on event-bus", "I'm afraid event-bus is down",
    "I need the owner of event-bus", "When I work on event-bus, what breaks?", "I used the event-bus", "I own a cat",
    "I am a user of event-bus", "I am a fan of the platform team",
)  # fmt: skip


@pytest.mark.parametrize("text", STATED)
def test_a_plain_statement_is_read(names, text):
    (found,) = statements(text, names)
    assert (found.kind, found.named[0][0]) == STATED[text] and not found.denied and rest(text, [found]) == ""


@pytest.mark.parametrize("text", NOT)
def test_what_is_no_statement_is_not_read(names, text):
    assert [s for s in statements(text, names) if not s.unknown] == []


@pytest.mark.parametrize(("text", "key"), [("I no longer work on event-bus", "service:event-bus"), ("I don't work on rota any more", "service:rota"),
                                           ("I left the platform team", "team:platform"), ("I am not in the gates team", "team:gates")])  # fmt: skip
def test_what_is_no_longer_so_is_read_as_that(names, text, key):
    (found,) = statements(text, names)
    assert found.denied and found.named[0][0] == key


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I work on event-bus. Who owns it?", "Who owns it?"), ("I work on event-bus, who owns it?", "who owns it?"),
        ("that's wrong, I'm in the platform team", ""), ("That is wrong. I work on rota.", ""),
        ("I work on event-bus and want to know who reviews it", "want to know who reviews it"),
    ],
)  # fmt: skip
def test_what_stands_beside_a_statement_is_left_to_be_asked(names, text, left):
    found = statements(text, names)
    assert len(found) == 1 and rest(text, found) == left


@pytest.mark.parametrize("text", ["no, I work on rota", "That is wrong. I work on rota", "actually I work on rota"])
def test_a_correction_is_told_from_one_thing_more(names, text):
    assert statements(text, names)[0].wrong and statements("I also work on rota", names)[0].more
    assert not statements("I work on rota", names)[0].wrong


def test_several_things_said_at_once_are_read_each(names):
    said = statements("I'm in the platform team and my services are event-bus and rota", names)
    assert [(s.kind, [key for key, _ in s.named]) for s in said] == [("team", ["team:platform"]), ("works_on", ["service:event-bus", "service:rota"])]


@pytest.mark.parametrize(("text", "days"), [("I'm on call today for rota", 1), ("I'm on call this week for rota", 7), ("I am on call for rota until tomorrow", 2)])
def test_a_duty_ends_when_its_words_say(names, text, days):
    (found,) = statements(text, names)
    assert found.named[0][0] == "service:rota" and NOW < found.until <= NOW + days * DAY


def test_a_name_is_taken_only_where_it_is_written_as_one(names):
    assert statements("call me Sam", names)[0].named == (("", "Sam"),)
    assert statements("call me back", names) == statements("call me a taxi", names) == []


def test_a_name_that_nothing_has_is_told_of_only_where_nothing_else_can_be_meant(names):
    assert statements("I work on flibbertigibbet", names)[0].unknown == "flibbertigibbet"
    assert statements("my service is flibbertigibbet", names) == []


@pytest.mark.parametrize("text", ["I work on event-bus and " * 80, "I work on event-bus, rota, " * 70, "I work on event-bus. " * 90, "no, " * 500, "my services are " + "and " * 400])
def test_a_text_of_any_length_is_read_with_few_looks_at_what_is_stored(names, text, monkeypatch):
    looks = []
    link = names.linker.link
    monkeypatch.setattr(names.linker, "link", lambda *args: looks.append(args) or link(*args))
    assert len(statements(text[:2000], names)) <= 30 and len(looks) < 400
