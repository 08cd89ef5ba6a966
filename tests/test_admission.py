"""What the schema refuses, with the file and the line."""

from __future__ import annotations

import dataclasses

import pytest

from brain import schema
from brain.admission import check_edge, check_node, clean_key
from brain.errors import SchemaError
from brain.types import EdgeRow, NodeRow, Origin

AT = Origin("data/items.json", 41)
CLAIM = {"aid": "a1", "authority": "observation", "state": "candidate", "valid_from": 1, "recorded_at": 2, "access_key": "doc:x"}


def node(key="repo:o/n", name="n", source="git:o/n", **props):
    return NodeRow(key, name, source, props, AT)


def edge(src="person:ada", rel="AUTHORED", dst="pr:o/n#1", **props):
    return EdgeRow(src, rel, dst, props, AT)


def refusal(check, row) -> str:
    with pytest.raises(SchemaError) as err:
        check(row)
    text = str(err.value)
    assert text.startswith("data/items.json:41: ") and "\n" not in text
    return text.removeprefix("data/items.json:41: ")


def test_an_assertion_may_carry_all_that_the_design_asks_of_it():
    whole = {**CLAIM, "valid_to": 9, "evidence": ["e1"], "access": "internal", "aud": ["team:x"], "scope": "eu"}
    assert check_edge(edge("team:x", "OWNS", "service:y", **whole)).props == whole


# -- keys -------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["", " ", "\t", "repo:", "repo: ", "repo:\n", ":x", "x", "bogus:x", "Repo:x", "repo :x"])
def test_an_empty_blank_or_strange_key_is_refused(key):
    with pytest.raises(SchemaError):
        clean_key(key, AT)
    refusal(check_node, node(key))


@pytest.mark.parametrize("char", ["\0", "\x01", "\t", "\n", "\x1f", "\x7f"])
def test_a_control_character_in_a_key_is_refused(char):
    assert "control character" in refusal(check_node, node(f"file:o/n/a{char}b"))
    assert "control character" in refusal(check_edge, edge(dst=f"pr:o/n#1{char}2"))


def test_a_key_is_trimmed_on_nodes_and_on_both_ends_of_an_edge():
    assert check_node(node("  repo:o/n\n")).key == "repo:o/n"
    row = check_edge(edge(" person:ada", "AUTHORED", "pr:o/n#1 "))
    assert (row.src, row.dst) == ("person:ada", "pr:o/n#1")


@pytest.mark.parametrize("char", ["a", "é", "漢", "🜂"])
def test_a_key_may_have_4096_bytes_and_not_one_more(char):
    head = "file:o/n/"
    room = schema.MAX_KEY_BYTES - len(head)
    fits = head + char * (room // len(char.encode()))
    assert clean_key(fits, AT) == fits
    assert "longer than 4096 bytes" in refusal(check_node, node(fits + char * 2))


# -- nodes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (node(name=" "), "Repo 'repo:o/n' has no name"),
        (node(source=""), "does not say which source it came from"),
        (node("pr:o/n#1", access="secret"), "access is 'secret'; legal: open, internal, restricted"),
        (node("pr:o/n#1", access=""), "access is ''"),
        (node(colour="red"), "unknown property 'colour'; legal: access, "),
        (node(topics=[1, None]), "'topics' holds NoneType in its list"),
        (node(topics=[["a"]]), "'topics' holds list in its list"),
        (node(topics={"a": 1}), "'topics' is dict"),
        (node(description=float("nan")), "'description' is nan; numbers must be finite"),
        (node(description=float("inf")), "must be finite"),
        (node(description=b"x"), "'description' is bytes"),
    ],
)
def test_a_node_that_breaks_the_schema_is_refused_with_file_and_line(row, words):
    assert words in refusal(check_node, row)


def test_a_source_without_access_label_passes_since_nobody_will_see_it():
    assert check_node(node("pr:o/n#1", number=1)).props == {"number": 1}


def test_a_good_node_is_given_back_as_it_is():
    row = node(topics=["a", "b"], archived=False, description=None)
    assert check_node(row) is row


# -- edges ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (edge(rel="LIKES"), "relationship 'LIKES' is not registered in brain/schema.py"),
        (edge(rel="authored"), "not registered"),
        (edge("repo:o/n"), "AUTHORED starts at Person, not at Repo"),
        (edge(dst="repo:o/n"), "AUTHORED ends at PullRequest, Commit, Issue"),
        (edge("pr:o/n#1", "AUTHORED", "person:ada"), "starts at Person, not at PullRequest"),
        (edge(n=3), "unknown property 'n'"),
        (edge(at=float("nan")), "must be finite"),
        (edge(dst="pr:"), "empty after its prefix"),
        *[
            (edge("team:x", "OWNS", "service:y", **{k: v for k, v in CLAIM.items() if k != gap}), f"an assertion needs {gap!r}")
            for gap in CLAIM
        ],
        (edge("team:x", "OWNS", "service:y", **{**CLAIM, "authority": "gossip"}), "authority is 'gossip'; legal: formal_rule, practice"),
        (edge("team:x", "OWNS", "service:y", **{**CLAIM, "state": "maybe"}), "state is 'maybe'; legal: candidate, approved, rejected"),
    ],
)
def test_an_edge_that_breaks_the_schema_is_refused_with_file_and_line(row, words):
    assert words in refusal(check_edge, row)


def test_a_good_edge_is_given_back_as_it_is():
    row = edge(at=5, co=True)
    assert check_edge(row) is row


def test_every_row_type_is_frozen():
    for row in (node(), edge()):
        with pytest.raises(dataclasses.FrozenInstanceError):
            row.origin = Origin("x")
