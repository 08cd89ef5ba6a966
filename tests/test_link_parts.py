"""Services named by one of their words."""

from __future__ import annotations

import pytest

from brain.text.lexicon import Lexicon
from brain.text.link_parts import link_parts
from brain.text.mentions import Links, Mention

COMPANY = Lexicon(company={f"service:{name}": "Service" for name in ("callout-engine", "map-tiles", "tile-store", "gauge-ingest")})


def linked(question, *mentions):
    links = Links(list(mentions))
    link_parts(question, links, COMPANY)
    return [m.keys for m in links.mentions if m.label == "Service"]


@pytest.mark.parametrize("said", ["call-outs", "callout", "Callouts", "call-out"])
def test_a_word_of_one_service_alone_means_it_in_the_singular_and_plural(said):
    assert linked(f"Who usually has to sort out trouble with {said}?") == [("service:callout-engine",)]


def test_a_word_of_two_services_means_neither():
    assert linked("Who owns the tiles?") == []


def test_where_nobody_is_asked_for_no_service_is_meant():
    assert linked("How do I write a good text about call-outs?") == []
    assert linked("Who decided about call-outs?") == []


def test_beside_a_service_that_is_named_a_word_means_nothing_more():
    named = Mention(25, 37, "gauge-ingest", ("service:gauge-ingest",), "Service", "name")
    assert linked("Who handles call-outs of gauge-ingest?", named) == [("service:gauge-ingest",)]
