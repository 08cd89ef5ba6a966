"""Calls are found wherever a model leaves them, and each can be answered by an id of its own."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator, ValidationError

from brain.agents.model_calls import answer_schema, calls, choice_schema, chosen, claims_within, in_text, repeatable
from brain.llm.talk import Call, Function, Reply

NAMES = ("who_owns", "trace")
WHO = Function("who_owns", "Owners.", {"type": "object", "properties": {"target": {"type": "string"}}, "required": ["target"], "additionalProperties": False})


def test_every_call_has_an_id_of_its_own():
    made = calls(Reply("", (Call("", "trace", "{}"), Call("a", "trace", "{}"), Call("a", " who_owns ", "{}"))), NAMES, 3)
    assert [c.id for c in made] == ["call_3_1", "call_3_2", "call_3_3"] and made[2].name == "who_owns"


def test_calls_that_were_made_come_before_those_in_the_text():
    made = calls(Reply('{"name": "trace", "arguments": {}}', (Call("a", "who_owns", "{}"),)), NAMES, 1)
    assert [c.name for c in made] == ["who_owns"]


@pytest.mark.parametrize("text", ['{"name": "drop_tables", "arguments": {}}', '{"name": "trace"}', '{"arguments": {}}', "{", "[]", "trace(key=1)", '{"name": 5, "arguments": {}}', "{" * 5000, "[" * 5000])
def test_other_json_is_no_call(text):
    assert list(in_text(text, NAMES)) == []


def test_several_calls_in_one_text_are_several():
    text = 'First {"name": "trace", "arguments": {"key": "a"}} then ```{"tool": "who_owns", "args": {"target": "b"}}```'
    assert [(c.name, json.loads(c.arguments)) for c in in_text(text, NAMES)] == [("trace", {"key": "a"}), ("who_owns", {"target": "b"})]


def test_a_choice_fits_one_tool_or_the_answer_and_nothing_else():
    check = Draft202012Validator(choice_schema([WHO]))
    check.validate({"call": {"tool": "who_owns", "arguments": {"target": "x"}}})
    check.validate({"call": {"tool": "answer", "arguments": {}}})
    for wrong in ({"call": {"tool": "who_owns", "arguments": {}}}, {"call": {"tool": "other", "arguments": {}}}, {"call": {"tool": "answer", "arguments": {"x": 1}}}, {}):
        with pytest.raises(ValidationError):
            check.validate(wrong)


@pytest.mark.parametrize("text", ['{"call": {"tool": "answer", "arguments": {}}}', '```json\n{"tool": "answer", "arguments": {}}\n```', 'I choose {"name": "answer", "arguments": "{}"}'])
def test_a_choice_is_read_in_the_forms_models_give_it(text):
    assert chosen(text) == Call("", "answer", "{}")


def test_before_anything_was_looked_up_there_is_no_answer_to_choose():
    with pytest.raises(ValidationError):
        Draft202012Validator(choice_schema([WHO], answer=False)).validate({"call": {"tool": "answer", "arguments": {}}})


def test_an_answer_cites_what_was_returned_and_nothing_else():
    check = Draft202012Validator(answer_schema(["team:a", "pr:o/n#1"]))
    check.validate({"state": "answered", "claims": [{"text": "A.", "cites": ["team:a"]}], "items": ["12"]})
    for cites in ([], ["team:b"]):
        with pytest.raises(ValidationError):
            check.validate({"state": "answered", "claims": [{"text": "A.", "cites": cites}], "items": []})


def test_the_state_is_written_after_what_was_found():
    schema = answer_schema(["team:a"], claims_within(240))
    assert [*schema["properties"]] == schema["required"] == ["claims", "items", "state"]


def test_an_answer_holds_as_many_claims_as_a_reply_has_room_for():
    assert [claims_within(n) for n in (64, 240, 480, 1024, 8000)] == [2, 3, 6, 12, 12]
    assert answer_schema(["team:a"], 4)["properties"]["claims"]["maxItems"] == 4


@pytest.mark.parametrize("arguments", ["", "{", "[1]", "nonsense", '"text"', "{" + " " * 30_000 + "}"])
def test_what_is_said_back_to_a_server_is_always_sound(arguments):
    assert repeatable(Call("a", "trace", arguments)) == Call("a", "trace", "{}")


def test_no_choice_is_none():
    assert chosen("I would rather not.") is None and chosen("") is None
