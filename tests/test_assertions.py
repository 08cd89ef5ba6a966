"""A claim is only kept when its words stand in the stored line and the ontology lets it be read so."""

import pytest

from brain.assertions import Texts, aid, assertion
from brain.errors import SchemaError
from brain.types import ClaimRow, Origin, TextRow

DOC = TextRow("doc:docs/r.md", "body", "Registry", "# Registry\n\n| Service | Owner |\n|---|---|\n| dosing | team-a |\n", 0)


def claim(**changes):
    given = {
        "src": "team:team-a", "rel": "OWNS", "dst": "service:dosing", "source": "doc:docs/r.md", "line": 5, "quote": "| dosing | team-a |",
        "authority": "formal_rule", "access": "open", "read_by": "markdown:owner", "origin": Origin("docs/r.md", 5),
    }  # fmt: skip
    return ClaimRow(**{**given, **changes})


@pytest.fixture
def texts():
    kept = Texts()
    kept.add(DOC)
    return kept


def test_a_claim_carries_its_evidence(texts):
    edge, proof = assertion(claim(), texts, {})
    assert edge.props["evidence"] == [proof.id] and edge.props["aid"] == edge.id == aid(claim())
    assert (proof.source, proof.line, proof.quote, proof.file) == ("doc:docs/r.md", 5, "| dosing | team-a |", "docs/r.md:5")
    assert edge.props["state"] == "approved" and "valid_to" not in edge.props


@pytest.mark.parametrize("changes", [{"line": 4}, {"quote": "| dosing | team-b |"}, {"line": 0}, {"line": 99}, {"quote": " "}, {"source": "doc:x"}])
def test_words_that_do_not_stand_in_the_stored_line_refuse_the_claim(texts, changes):
    with pytest.raises(SchemaError, match=r"docs/r\.md:5: .*does not say"):
        assertion(claim(**changes), texts, {})


@pytest.mark.parametrize("column", ["maintainer", "Maintained by", "curator", "author", "doc_owner", "role", "Job title", "title"])
@pytest.mark.parametrize(("rel", "src"), [("OWNS", "person:a"), ("TECH_LEAD_OF", "person:a"), ("ON_CALL_FOR", "person:a")])
def test_keeping_a_document_or_holding_a_role_never_makes_responsible(texts, column, rel, src):
    with pytest.raises(SchemaError, match="says nothing of who answers"):
        assertion(claim(rel=rel, src=src, read_by=f"markdown:{column}"), texts, {})


def test_the_owner_of_a_document_may_be_read_from_its_maintainer(texts):
    edge, _ = assertion(claim(rel="OWNS", src="person:a", dst="doc:docs/r.md", read_by="markdown:maintainer"), texts, {})
    assert edge.dst == "doc:docs/r.md"


@pytest.mark.parametrize(("changes", "said"), [
    ({"rel": "LIKES"}, "no assertion"), ({"rel": "AUTHORED", "src": "person:a"}, "no assertion"), ({"src": "service:a"}, "starts at"),
    ({"dst": "person:a"}, "ends at"), ({"authority": "gossip"}, "authority"), ({"state": "maybe"}, "state"), ({"src": "x:1"}, "prefix"),
])  # fmt: skip
def test_unregistered_predicates_and_wrong_ends_are_refused_with_file_and_line(texts, changes, said):
    with pytest.raises(SchemaError, match=rf"docs/r\.md:5.*{said}"):
        assertion(claim(**changes), texts, {})


def test_what_a_person_decided_is_the_state(texts):
    edge, _ = assertion(claim(state="candidate"), texts, {aid(claim()): "approved"})
    assert edge.props["state"] == "approved"


def test_a_claim_ends_when_its_source_goes(texts):
    assert assertion(claim(valid_to=50), texts, {}, gone=40)[0].props["valid_to"] == 40
    assert assertion(claim(valid_to=30), texts, {}, gone=40)[0].props["valid_to"] == 30


def test_the_id_lasts_when_lines_are_put_above_and_changes_with_the_words():
    assert aid(claim()) == aid(claim(line=9)) == aid(claim(quote="|  dosing | team-a |")) != aid(claim(quote="| dosing | team-a | x"))


def test_texts_that_went_by_long_ago_are_forgotten():
    kept = Texts(size=2)
    for i in range(4):
        kept.add(TextRow(f"doc:{i}", "body", "", "words", 0))
    assert not kept.holds("doc:1", 1, "words") and kept.holds("doc:3", 1, "words")


def test_many_claims_on_one_long_text_cut_it_into_lines_once():
    class Body(str):
        cut = 0

        def splitlines(self, keepends=False):
            Body.cut += 1
            return super().splitlines(keepends)

    kept = Texts()
    kept.add(TextRow("doc:long", "body", "", Body("one\ntwo\nthree"), 0))
    assert [kept.holds("doc:long", n, word) for n, word in ((1, "one"), (2, "two"), (3, "three"), (3, "two"))] == [True, True, True, False]
    assert Body.cut == 1
