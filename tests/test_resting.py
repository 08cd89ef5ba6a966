"""Claims that a model read, when the graph is made anew: they move with their words, are as narrow as their text, and go with it."""

import pytest

from brain.assertions import Texts, aid
from brain.resting import MOVED, settled
from brain.spool import Spool, pack
from brain.types import ClaimRow, EdgeRow, NodeRow, Skip, TextRow

KEY = "decision:extracted/abc"


def claim(src="person:ada", rel="OWNS", dst="service:kiln", source="message:a/1", line=1, quote="Ada owns kiln"):
    return ClaimRow(src, rel, dst, source, line, quote, "observation", state="candidate", read_by="model tiny")


def text(key="message:a/1", body="Ada owns kiln", access="open", aud=(), part="body"):
    return TextRow(key, part, key, body, 5, access=access, aud=aud)


@pytest.fixture
def settle(tmp_path):
    def run(rows, texts, decided=None, gone=0):
        spool = Spool(tmp_path)
        for row in texts:
            spool.put("text", pack(row, gone, "test"))
        try:
            return list(settled(rows, spool, decided or {}, Texts(100)))
        finally:
            spool.close()

    return run


def test_a_claim_takes_line_label_and_end_from_the_text_that_says_it(settle):
    ((row, gone),) = settle([claim()], [text(body="hello\n\nAda  owns kiln, mostly", access="restricted", aud=("team:x",))], gone=77)
    assert (row.line, row.access, row.aud, gone) == (3, "restricted", ("team:x",), 77)
    assert aid(row) == aid(claim())


def test_of_several_lines_the_nearest_is_taken(settle):
    body = "\n".join(["Ada owns kiln", *["x"] * 8, "Ada owns kiln"])
    assert settle([claim(line=8)], [text(body=body)])[0][0].line == 10


def test_a_comment_that_is_narrower_than_its_request_narrows_the_claim(settle):
    rows = [claim(source="pr:a/b#1")]
    ((row, _),) = settle(rows, [text("pr:a/b#1", "something"), text("pr:a/b#1", access="internal", part="comment/1")])
    assert row.access == "internal"


def test_what_the_text_does_not_say_any_more_is_left_out_and_said(settle):
    for texts in ([text(body="Bo owns kiln")], []):
        ((row, _),) = settle([claim()], texts)
        assert isinstance(row, Skip) and row.reason == MOVED


def test_a_decision_has_no_label_until_one_of_its_claims_is_approved(settle):
    because = claim(KEY, "JUSTIFIED_BY", "message:a/1")
    rows = [NodeRow(KEY, "Fire at night", "x", {"title": "Fire at night"}), EdgeRow(KEY, "DISCUSSED_IN", "thread:a/1"), because]
    (node, _), (_, _), (edge, _) = settle(rows, [text(access="internal")])
    assert "access" not in node.props and node.props["waits"] == "internal" and isinstance(edge, EdgeRow)
    for state, label in (("approved", "internal"), ("rejected", None), ("candidate", None)):
        assert settle(rows, [text(access="internal")], {aid(because): state})[0][0].props.get("access") == label


def test_a_decision_is_as_narrow_as_the_narrowest_of_its_texts_and_open_to_those_who_may_read_them_all(settle):
    made = [claim(KEY, "JUSTIFIED_BY", f"message:a/{n}", source=f"message:a/{n}") for n in (1, 2, 3)]
    texts = [text("message:a/1"), text("message:a/2", access="restricted", aud=("team:x", "team:y")), text("message:a/3", access="restricted", aud=("team:y",))]
    node = settle([NodeRow(KEY, "T", "x", {}), *made], texts)[0][0]
    assert (node.props["waits"], node.props["waits_for"]) == ("restricted", ["team:y"])


def test_a_decision_of_which_nothing_is_left_is_left_out_with_all_that_hangs_on_it(settle):
    rows = [NodeRow(KEY, "T", "x", {}), EdgeRow(KEY, "DISCUSSED_IN", "thread:a/1"), claim(KEY, "JUSTIFIED_BY", "message:a/1")]
    assert [type(r) for r, _ in settle(rows, [])] == [Skip]
