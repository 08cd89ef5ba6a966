"""What a question means though it says it in other words, by meaning and shared words together; vectors are literals."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from brain.agents.company_near import nearest

ABOUT = {"glaze": (1.0, 0.0, 0.0), "drying": (0.0, 1.0, 0.0), "elsewhere": (0.0, 0.0, 1.0)}
TOLD = {"rule:drying": "drying of pots: two days", "rule:glaze": "glaze mixing: by the lead"}


class Vectors:
    """Places a text beside the subject its words belong to."""

    def __init__(self, places):
        self.places = places

    def embed(self, texts):
        return [next((v for words, v in self.places.items() if words in text), ABOUT["elsewhere"]) for text in texts]


def run(**places):
    told = {TOLD["rule:drying"]: ABOUT["drying"], TOLD["rule:glaze"]: ABOUT["glaze"]}
    return SimpleNamespace(ctx=SimpleNamespace(embedder=Vectors({**told, **places})))


@pytest.mark.parametrize(
    ("question", "place", "meant"),
    [
        ("How long until it is hard?", (0.1, 0.6, 0.0), ["rule:drying"]),
        ("When are pots hard?", (0.1, 0.35, 0.0), ["rule:drying"]),
        ("How long until it is hard?", (0.1, 0.35, 0.0), []),
        ("How long until it is hard?", (0.6, 0.6, 0.0), []),
        ("Where is the canteen?", (0.0, 0.0, 1.0), []),
    ],
)
def test_a_rule_is_meant_when_it_is_near_or_shares_a_word_and_no_other_is_as_near(question, place, meant):
    assert nearest(run(**{question: place}), question, TOLD) == meant


def test_nothing_is_meant_where_nothing_compares_meaning():
    assert nearest(SimpleNamespace(ctx=SimpleNamespace(embedder=None)), "How long until it is dry?", TOLD) == []
