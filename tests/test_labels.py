"""Which label structure gets, and that nothing that belongs to a source is more open than it."""

from __future__ import annotations

import pytest

from brain.labels import Sources, Structure
from brain.spool import Spool
from brain.streams import more_than
from brain.text.terms import Terms
from brain.types import EdgeRow, NodeRow, Origin


@pytest.fixture
def structure(tmp_path):
    return Structure(Spool(tmp_path))


def team(**props):
    return NodeRow("team:ops", "Ops", "s", props, Origin("f", 1))


def stored(structure, *rows):
    """Every row that comes out, now or in the end, as {key: props of the last}."""
    now = [taken for row, section in rows if (taken := structure.node(row, section)) is not None]
    found = {}
    for row in (*now, *structure.nodes()):
        found.setdefault(row.key, {}).update({k: v for k, v in row.props.items() if v is not None})
    return found


@pytest.mark.parametrize("order", [1, -1])
def test_the_widest_label_counts_and_only_what_it_says(structure, order):
    rows = [(team(contact="#ops"), "open"), (team(access="restricted", aud=["team:x"], description="secret"), "open"), (team(title="inside"), "internal")]
    assert stored(structure, *rows[::order]) == {"team:ops": {"access": "open", "contact": "#ops"}}


def test_what_only_restricted_sources_name_is_for_all_whom_one_of_them_is_for(structure):
    rows = [(team(access="restricted", aud=["team:x"]), "open"), (team(access="restricted", aud=["team:y"], description="d"), "internal")]
    assert stored(structure, *rows) == {"team:ops": {"access": "restricted", "aud": ["team:x", "team:y"], "description": "d"}}


def test_internal_is_wider_than_restricted_and_forgets_its_audience(structure):
    assert stored(structure, (team(access="restricted", aud=["team:x"]), "open"), (team(), "internal")) == {"team:ops": {"access": "internal"}}


def test_what_is_no_label_counts_as_restricted(structure):
    assert stored(structure, (team(access="public?"), "open")) == {"team:ops": {"access": "restricted"}}


@pytest.mark.parametrize("order", [1, -1])
def test_a_part_is_as_open_as_the_widest_that_states_it(structure, order):
    rows = [(EdgeRow("service:a", "PART_OF", "system:b"), "internal"), (EdgeRow("service:a", "PART_OF", "system:b"), "open")]
    now = [e for row, section in rows[::order] if (e := structure.edge(row, section)) is not None]
    assert [e.props for e in (*now, *structure.edges())] == [{}]


def test_a_part_that_only_an_internal_source_states_is_internal(structure):
    assert structure.edge(EdgeRow("service:a", "PART_OF", "system:b"), "internal") is None
    assert [e.props["access"] for e in structure.edges()] == ["internal"]


def test_a_relationship_with_a_source_at_an_end_is_as_open_as_that(structure):
    edge = EdgeRow("doc:a", "ABOUT", "team:ops")
    assert structure.edge(edge, "internal") is edge


@pytest.mark.parametrize(
    ("source", "own", "gives"),
    [
        ((None, ()), ("open", ()), ("restricted", ())),
        (("open", ()), ("open", ()), ("open", ())),
        (("open", ()), ("internal", ()), ("internal", ())),
        (("internal", ()), ("open", ()), ("internal", ())),
        (("restricted", ("team:x",)), ("internal", ()), ("restricted", ("team:x",))),
        (("restricted", ("team:x",)), ("restricted", ()), ("restricted", ("team:x",))),
        (("restricted", ("team:x",)), ("restricted", ("team:y",)), ("restricted", ("team:y",))),
        (("internal", ()), ("", ()), ("", ())),
    ],
)
def test_nothing_of_a_source_is_more_open_than_it(source, own, gives):
    sources = Sources()
    sources.note(NodeRow("doc:a", "A", "s", {"access": source[0], "aud": list(source[1])}))
    assert sources.covered("doc:a", *own) == gives
    assert sources.covered("doc:other", *own) == own


def taught(texts):
    terms = Terms()
    for text in texts:
        terms.add_text(*text)
    terms.finish(None, texts)
    return {c.name: (label, c.uses) for c, label in terms.concepts()}


def test_terms_are_as_open_as_the_texts_that_teach_them():
    opened = [("", "The SLUICEWATCH agent restarts. Read the SLUICEWATCH log.", "open")] * 3
    inside = [("", "PAYBANDS differ; SLUICEWATCH staff know the PAYBANDS.", "internal")] * 3
    secret = [("", "Project NIGHTJAR is sold; NIGHTJAR and SLUICEWATCH part.", "restricted")] * 5
    alone = taught(opened)
    assert alone["SLUICEWATCH"] == ("open", 3)
    assert taught([*opened, *secret]) == alone
    both = taught([*opened, *inside, *secret])
    assert both["SLUICEWATCH"] == ("open", 3) and both["PAYBANDS"][0] == "internal" and "NIGHTJAR" not in both


def test_an_internal_term_takes_no_open_ones_place_in_a_text():
    terms = Terms()
    texts = [("", "the GATEWATCH unit", "open")] * 3 + [("", "the GATEWATCH PAYBANDS and PAYBANDS", "internal")] * 3
    for text in texts:
        terms.add_text(*text)
    terms.finish(None, texts)
    found = [m.slug for m in terms.mentions("GATEWATCH and PAYBANDS", 1)]
    assert found[0] == "gatewatch" and "paybands" in found


def test_what_only_a_narrower_text_of_a_source_mentions_is_as_narrow(tmp_path):
    spool = Spool(tmp_path)
    for pair in (("ticket:1", "concept:a"), ("ticket:2", "concept:b")):
        spool.put("wide", [*pair, "", {"n": 1}])
    rows = [("ticket:1", "concept:a", "internal"), ("ticket:1", "concept:b", "restricted"), ("ticket:1", "concept:b", "internal"), ("ticket:3", "concept:a", "")]
    for src, dst, label in rows:
        spool.put("narrow", [src, dst, "", {"access": label}])
    assert [(r[0], r[1], r[3]["access"]) for r in more_than(spool, "narrow", "wide")] == [("ticket:1", "concept:b", "internal"), ("ticket:3", "concept:a", "")]
