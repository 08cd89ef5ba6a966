"""An agent that obeys everything and tries every key it has ever seen is told over the protocol what it would be told where the hidden
things are not there: tools, addresses, prompts, completions, lists, errors and the log.
"""

from __future__ import annotations

import json
import logging
import re

import pytest
import small_company
from mcp import types
from mcp.shared.exceptions import MCPError
from mcp_client import talk
from small_graph import CANARY, NOW

from brain import catalogue
from brain.brain import Brain
from brain.ingest import Workspace
from brain.store import graph_name

CLEAN, AUD, BLANK = "mcp-hostile", "mcp-hostile-aud", "mcp-hostile-blank"
WHO = ["guest", "leilaf"]
ASKED = ("key", "target", "ticket", "alert", "rule", "topic", "question", "path", "text", "prefix", "a", "aid", "source", "title", "at", "after")
LISTS = ("names", "changes", "persons", "repos", "labels", "about")
IDS = re.compile(r"\b[0-9a-f]{12,40}\b")


def opened(store, home, name, canary):
    small_company.build(store, name, canary)
    brain = Brain(home, name, store, catalogue.load(), Workspace(home.workspaces / name), clock=lambda: NOW)
    brain._embedder.append(None)
    return brain


@pytest.fixture(scope="module")
def companies(shared_store, home):
    """The company without anything hidden, with things for one team alone, and with things that no label opens to anybody."""
    yield {name: opened(shared_store, home, name, canary) for name, canary in ((CLEAN, None), (AUD, "aud"), (BLANK, "unlabelled"))}
    for name in (CLEAN, AUD, BLANK):
        for part in ("", "runs"):
            shared_store.drop(graph_name(name, part))


@pytest.fixture(scope="module")
def hidden(companies):
    """One key of every kind of thing that is only there where things are hidden, as an administrator met them."""
    there, here = (_keys(companies[name]) for name in (AUD, CLEAN))
    kinds = {key.partition(":")[0]: key for key in sorted(there - here)}
    assert {"doc", "rule", "decision", "ticket", "deploy", "alert", "pr", "issue", "commit"} <= kinds.keys()
    return [kinds[kind] for kind in sorted(kinds)]


def _keys(brain):
    return {str(key) for (key,) in brain.store.write(graph_name(brain.workspace), "MATCH (n:Entity) RETURN n.key")}


def words_of(result) -> str:
    """Everything a client is told, without what is different in every run: ids, times that calls took, the workspace's name."""
    told = result.model_dump_json() if hasattr(result, "model_dump_json") else json.dumps(result)
    told = re.sub(r'"(ms|model_ms|server_ms)": ?[\d.]+', "", told.replace('\\"', '"'))
    return IDS.sub("ID", re.sub(rf"{CLEAN}(-aud|-blank)?", "W", told))


def hostile(brain, who, keys):
    """What everything gives that such an agent tries: (what it tried, what it was told)."""

    async def job(client):
        tools = (await client.list_tools()).tools
        told = [("tools", words_of(await client.list_tools()))]

        async def tried(what, doing):
            try:
                told.append((what, words_of(await doing)))
            except MCPError as error:
                told.append((what, f"{error.code} {IDS.sub('ID', error.message)}"))

        for key in keys:
            for tool in tools:
                props = tool.input_schema["properties"]
                rest = {"kind": "prs"} if tool.name in ("measure", "list_items") else {}
                rest |= {n: "x" for n in tool.input_schema["required"] if n not in rest and props[n]["type"] == "string"}
                rest |= {n: ["x"] for n in tool.input_schema["required"] if props[n]["type"] == "array"}
                one = next((n for n in ASKED if n in props and n in tool.input_schema["required"]), next((n for n in ASKED if n in props), ""))
                some = next((n for n in LISTS if n in props), "")
                args = {**rest, **({one: key} if one else {}), **({some: [key]} if some and not one else {})}
                if tool.name not in ("ask", "incident") or key == keys[0]:
                    await tried(f"{tool.name} {args}", client.call_tool(tool.name, args))
            await tried(f"read {key}", client.read_resource(f"hopcheck://entity/{key}"))
            for ref, name in ENTITY, ALERTS, QUESTIONS:
                await tried(f"complete {name} {key}", client.complete(ref, {"name": name, "value": key[:-1]}))
        for ref, name, begun in (*(((ENTITY[0], "key", b)) for b in (CANARY, "doc:docs/", "ticket:OPS-9")), (*ALERTS, "alert:"), (*ALERTS, ""), (*QUESTIONS, "")):
            await tried(f"complete {name} {begun}", client.complete(ref, {"name": name, "value": begun}))
        await tried("workspace", client.read_resource("hopcheck://workspace"))
        await tried("prompts", client.list_prompts())
        await tried("prompt", client.get_prompt("incident_report", {"alert": keys[0]}))
        return told

    return talk(brain, who, job)


ENTITY = types.ResourceTemplateReference(type="ref/resource", uri="hopcheck://entity/{key}"), "key"
ALERTS = types.PromptReference(type="ref/prompt", name="incident_report"), "alert"
QUESTIONS = types.PromptReference(type="ref/prompt", name="ask"), "question"


@pytest.fixture(scope="module")
def told(companies, hidden):
    """What each viewer is told where nothing is hidden."""
    return {who: hostile(companies[CLEAN], who, hidden) for who in WHO}


@pytest.mark.parametrize("name", [AUD, BLANK])
@pytest.mark.parametrize("who", WHO)
def test_whoever_tries_every_key_that_was_ever_seen_is_told_what_is_told_where_nothing_is_hidden(companies, hidden, told, who, name, caplog):
    with caplog.at_level(logging.DEBUG):
        heard = hostile(companies[name], who, hidden)
    assert len(heard) == len(told[who]) > 200
    for (tried, one), (_, other) in zip(told[who], heard, strict=True):
        assert one == other, tried
    logged = " ".join(r.getMessage() for r in caplog.records if r.name.startswith("hopcheck"))
    assert CANARY not in logged


def test_an_administrator_is_told_of_them_so_the_keys_are_right(companies, hidden):
    heard = dict(hostile(companies[AUD], "local", hidden[:2]))
    assert CANARY in heard[f"read {hidden[0]}"] and heard["workspace"] != dict(hostile(companies[CLEAN], "local", hidden[:2]))["workspace"]


def test_a_passage_that_is_more_restricted_than_what_it_stands_in_is_not_read_with_it(companies):
    brain = companies[BLANK]
    graph, key = graph_name(BLANK), "ticket:OPS-190"

    async def read(client):
        return json.loads((await client.read_resource(f"hopcheck://entity/{key}")).contents[0].text)

    before = talk(brain, "guest", read)
    assert before["passages"]
    brain.store.write(graph, f"MATCH (c:Chunk {{src: '{key}'}}) SET c.access = 'restricted', c.aud = ['team:secret']")
    try:
        after = talk(brain, "guest", read)
        assert after == {**before, "passages": []} and talk(brain, "local", read)["passages"] == before["passages"]
    finally:
        brain.store.write(graph, f"MATCH (c:Chunk {{src: '{key}'}}) SET c.access = 'open', c.aud = NULL")
