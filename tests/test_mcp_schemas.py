"""What other agents' programs are shown of the tools: in words that the servers of every maker take, and results that each client reads."""

from __future__ import annotations

import json
import re

import pytest
import small_company
from mcp_client import call, rows, said, talk
from small_graph import NOW, F

from brain import catalogue
from brain.brain import Brain
from brain.ingest import Workspace
from brain.mcp_server.schemas import DATA
from brain.store import graph_name

W, ALERT = "mcp-schemas", "alert:0e06d5f413d88dc9"
# What the documentation of each says of a function's parameters: OpenAI (function calling), Anthropic (tool use), Google (Schema of the
# Gemini API and of Vertex, where alternatives may have nothing beside them and a type is one word), llama.cpp (a long text is a grammar
# that it refuses itself). Where they differ, the narrowest.
NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")
PREFIX = "mcp__hopcheck__"
LONGEST = {"description": 2048, "instructions": 2048}
KEYWORDS = {
    "string": {"type", "description", "enum", "default"}, "boolean": {"type", "description", "default"},
    "integer": {"type", "description", "default", "minimum", "maximum"}, "number": {"type", "description", "default", "minimum", "maximum"},
    "array": {"type", "description", "default", "items"},
}  # fmt: skip


@pytest.fixture(scope="module")
def brain(shared_store, home):
    small_company.build(shared_store, W)
    made = Brain(home, W, shared_store, catalogue.load(), Workspace(home.workspaces / W), clock=lambda: NOW)
    made._embedder.append(None)
    yield made
    for part in ("", "runs"):
        shared_store.drop(graph_name(W, part))


def faults(name: str, schema: dict) -> list[str]:
    """What a maker's server would refuse in the schema of one argument."""
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in KEYWORDS:
        return [f"{name}: type {kind!r}"]
    found = [f"{name}: {word}" for word in schema.keys() - KEYWORDS[kind]]
    found += [f"{name}: {value!r} in enum" for value in schema.get("enum", ()) if not isinstance(value, str) or not value]
    return found + (faults(f"{name}[]", schema["items"]) if kind == "array" else [])


@pytest.mark.parametrize("who", ["guest", "local"])
def test_the_arguments_of_every_tool_are_told_in_words_that_every_model_s_server_takes(brain, who):
    tools = talk(brain, who, lambda c: c.list_tools()).tools
    assert len(tools) < 64, "OpenAI takes 128 at most, and a client has others"
    for tool in tools:
        schema = tool.input_schema
        assert NAME.fullmatch(tool.name) and len(PREFIX + tool.name) <= 64 and 0 < len(tool.description) <= LONGEST["description"]
        assert schema.keys() == {"type", "properties", "required", "additionalProperties"} and schema["type"] == "object"
        assert set(schema["required"]) <= schema["properties"].keys()
        assert [n for n in schema["properties"] if not NAME.fullmatch(n)] == []
        assert [f for n, told in schema["properties"].items() for f in faults(n, told)] == [], tool.name


def test_a_schema_that_a_server_refuses_is_noticed():
    for bad in (
        {"anyOf": [{"type": "integer"}, {"type": "string"}], "description": "x"}, {"type": ["string", "null"]}, {"type": "string", "maxLength": 9},
        {"type": "integer", "enum": [1]}, {"type": "array", "items": {"$ref": "#/x"}}, {"type": "string", "enum": [""]}, {"type": "object"},
    ):  # fmt: skip
        assert faults("x", bad), bad


def test_bounds_and_defaults_stand_in_the_words_too_since_some_clients_pass_on_nothing_else(brain):
    props = {t.name: t.input_schema["properties"] for t in talk(brain, "guest", lambda c: c.list_tools()).tools}
    assert props["measure"]["top"]["description"].endswith("From 1 to 1000. 10 when not given.")
    assert props["ask"]["arm"]["description"].endswith("graph when not given.")


def test_what_is_null_is_what_was_not_given(brain):
    """Clients that turn a schema into a strict one make every argument required, and null where a model leaves it out."""
    tools = {t.name: t.input_schema for t in talk(brain, "guest", lambda c: c.list_tools()).tools}
    for name, given in (("measure", {"kind": "prs"}), ("details", {"key": f"repo:{F}"}), ("who_owns", {"target": "gauge-store"}), ("rule_in_force", {})):
        nulls = {n: None for n in tools[name]["properties"] if n not in given}
        assert rows(brain, "guest", name, **given, **nulls) == rows(brain, "guest", name, **given)
    assert "needs key" in said(call(brain, "guest", "details", key=None))
    assert "has no parameter 'colour'" in said(call(brain, "guest", "details", key="x", colour=None))


def test_an_instant_may_be_a_date_a_number_or_a_number_as_a_text(brain):
    found = [rows(brain, "guest", "measure", kind="prs", repos=[F], since=s) for s in ("2025-04-24", 1745452800, "1745452800", 1745452800.0)]
    assert found[0] and all(f == found[0] for f in found)
    assert "is not a date" in said(call(brain, "guest", "measure", kind="prs", since="2025"))


def test_a_client_that_shows_its_model_the_object_alone_shows_that_it_is_data_and_where_the_whole_is(brain):
    made = [("who_owns", {"target": "gauge-store"}), ("ask", {"question": "Who owns gauge-store?"}), ("incident", {"alert": ALERT})]
    for name, args in made:
        result = call(brain, "local", name, **args)
        assert next(iter(result.structured_content.items())) == ("note", DATA), name
        assert [part.type for part in result.content] == ["text"], "clients of before 2025-06-18 refuse a result with a link in it"
    run, = call(brain, "local", "ask", question="Who owns gauge-store?").structured_content["answers"]
    asked = call(brain, "local", "ask", question="Who owns gauge-store?")
    assert run["resource"].startswith("hopcheck://run/") and asked.structured_content["answers"][0]["resource"] in said(asked)
    assert json.dumps(asked.structured_content).index("note") < 5
