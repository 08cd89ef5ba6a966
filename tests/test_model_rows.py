"""What a model is given of what was found: the same bytes on every machine, nothing that says nothing, and never too much."""

from __future__ import annotations

import json

from brain.agents import model_rows
from brain.text.passages import Passage
from brain.types import Node, Result

AT = 1_790_000_000


def lines(result: Result) -> list[dict]:
    return [json.loads(line) for line in model_rows.pieces("t", result)[0].text.splitlines()]


def test_instants_are_minutes_and_fractions_have_three_digits():
    assert lines(Result(({"key": "pr:o/n#1", "at": AT, "share": 0.123456789, "n": 12, "place": 1},))) == [
        {"key": "pr:o/n#1", "at": "2026-09-21 14:13", "share": 0.123, "n": 12, "place": 1}
    ]


def test_what_says_nothing_is_left_out():
    row = {"key": "team:a", "x": "team:a", "r": "OWNS", "departed": False, "note": None, "tags": [], "score": 0.7, "via": [["OWNS"], []], "rels": ["OWNS", "ABOUT"], "names": ["a"]}
    assert lines(Result((row,))) == [{"key": "team:a", "rels": ["OWNS", "ABOUT"]}]


def test_an_instant_of_nought_is_none():
    assert lines(Result(({"key": "team:a", "valid_from": 0, "recorded_at": 0, "valid_to": AT, "tickets": 0},))) == [
        {"key": "team:a", "valid_to": "2026-09-21 14:13", "tickets": 0}
    ]


def test_a_number_that_is_nothing_still_says_something():
    assert lines(Result(({"kind": "prs", "n": 0},))) == [{"kind": "prs", "n": 0}]


def test_nothing_found_is_said_without_telling_what_is_hidden():
    assert "that whoever asks may see" in model_rows.pieces("t", Result(()))[0].text


def test_many_rows_and_long_values_are_cut_and_said():
    found = model_rows.pieces("t", Result(tuple({"key": f"pr:o/n#{i}", "text": "x" * 5000} for i in range(500))))
    assert "(450 more rows" in found[0].text and len(found[0].text) < 60 * 700


def test_things_that_no_row_tells_of_are_told_once():
    nodes = (Node("team:a", "Team", "Alpha", {"kind": "squad", "avatar": "x"}), Node("person:b", "Person", "Bo", {"login": "b", "title": "Lead"}))
    found = model_rows.pieces("t", Result(({"key": "team:a"},), nodes))
    assert json.loads(found[1].text) == {"key": "person:b", "name": "Bo", "label": "Person", "title": "Lead", "login": "b"}


def test_a_passage_is_told_under_the_key_that_can_be_cited():
    p = Passage("chunk:doc:a.md/0", "doc:a.md", "Doc", "Restarting", "Restarting\nStop it first.", 12, 14, AT, "ann", "", "body", 0.9173, 0.4, {"state": "approved"})
    piece = model_rows.passages([p])[0]
    assert piece.what == "doc:a.md" and piece.text == "Restarting; by ann; 2026-09-21 14:13; approved\nline 12 and after:\nStop it first."
    assert model_rows.passages([])[0].text == "(no passage is loaded)"
