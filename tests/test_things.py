"""Names as people type them, and which of several is meant by a few words."""

from __future__ import annotations

import pytest
from small_company import MAPDESK, build
from small_graph import asking

from brain.errors import ToolError
from brain.tools.things import thing
from brain.tools.wording import nearest

SLOTS = {"claim": ["Ticket claim deadline"], "diagnosis": ["Diagnosis deadline"], "freeze": ["Change freeze window"]}


@pytest.fixture(scope="module")
def ctx(shared_store):
    build(shared_store, "things")
    return asking(shared_store, "things")


@pytest.mark.parametrize(("name", "key"), [
    ("map-tiles", "service:map-tiles"), ("Map Tiles", "service:map-tiles"), ("service:map-tiles", "service:map-tiles"), ("duty", "team:duty"),
    ("Duty and Field", "team:duty"), ("OPS-187", "ticket:OPS-187"), ("ops-187", "ticket:OPS-187"), ("levels-api", "api:levels-api"), ("mapdesk", f"repo:{MAPDESK}"),
    ("docs/runbooks/late-thresholds.md", "doc:docs/runbooks/late-thresholds.md"), ("tiles/render.ts", f"file:{MAPDESK}/tiles/render.ts"),
])  # fmt: skip
def test_a_thing_is_found_by_what_it_is_called(ctx, name, key):
    assert thing(ctx, name) == key


@pytest.mark.parametrize("name", ["", "no such thing", "service:none", "no/such/path.py"])
def test_what_nothing_is_called_is_refused(ctx, name):
    with pytest.raises(ToolError):
        thing(ctx, name)


def test_two_persons_of_one_name_are_not_guessed_between(ctx):
    with pytest.raises(ToolError, match="may be person:opritchard, person:owenp"):
        thing(ctx, "Owen Pritchard", ("Person",))


@pytest.mark.parametrize(("words", "found"), [
    ("claim deadline", ["claim"]), ("how long to diagnose", ["diagnosis"]), ("the deadline for claiming a ticket", ["claim"]), ("freezing changes", ["freeze"]),
    ("overtime pay", []), ("", []), ("deadline", ["claim", "diagnosis"]), ("diagnossis deadline", ["diagnosis"]),
])  # fmt: skip
def test_the_words_decide_which_is_meant(words, found):
    assert sorted(key for key, _ in nearest(words, SLOTS)) == found


def test_a_word_that_only_other_texts_have_counts_less_against_all():
    alone = nearest("freeze blessing", SLOTS)
    told = nearest("freeze blessing", SLOTS, {"bless": ["doc:other"]})
    assert (told[0][1] > (alone[0][1] if alone else 0)) and told[0][0] == "freeze"
