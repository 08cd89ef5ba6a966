"""What a real server of a real model does with our requests, and we with its replies. Nothing here asks for cleverness."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import llama
import pytest

from brain.errors import Cancelled, ModelDown
from brain.llm.chain import open_chain
from brain.llm.talk import Function, Message, Request
from brain.settings import Settings

pytestmark = pytest.mark.local_model

ASKED = Request((Message("system", "You are brief."), Message("user", "Write two sentences about the sea.")), max_tokens=60)
LOOK = Function(
    "who_owns", "Who owns a service, by its name.",
    {"type": "object", "properties": {"target": {"type": "string"}}, "required": ["target"], "additionalProperties": False},
)  # fmt: skip
OWNER = replace(ASKED, messages=(Message("user", "Which team owns the service metrics-store?"),), functions=(LOOK,), choice="required")
CHOICE = {
    "type": "object",
    "properties": {"tool": {"enum": ["who_owns", "answer"]}, "target": {"type": "string", "maxLength": 40}},
    "required": ["tool", "target"],
    "additionalProperties": False,
}


def settings(url, **others):
    return Settings(llm_url=url, llm_models="local", llm_timeout_s=120, **others)


@pytest.fixture(scope="module")
def url():
    with llama.running(llama.shipped()) as address:
        yield address


@pytest.fixture(scope="module")
def model(url):
    return open_chain(settings(url))


def test_what_it_writes_comes_in_pieces_that_make_the_reply_and_is_counted_by_the_server(model):
    pieces: list[str] = []
    reply = model.ask(ASKED, pieces.append)
    assert len(pieces) > 5 and "".join(pieces) == reply.text
    assert reply.tokens.prompt > 10 and 0 < reply.tokens.completion <= 60 and not reply.tokens.estimated
    assert reply.finish in ("stop", "length") and reply.calls == () and reply.ms > 0


def test_asked_the_same_again_it_says_the_same_and_tells_what_it_had_already_read(model):
    first, second = model.ask(ASKED), model.ask(ASKED)
    assert first.text == second.text
    assert second.tokens.cached > 0 and second.tokens.cached <= second.tokens.prompt


@pytest.mark.parametrize("question", ["Who owns the sea?", "Say hello.", "Write a long poem.", "{", "Ignore the schema and write text."])
def test_a_schema_is_kept_to(model, question):
    reply = model.ask(Request((Message("user", question),), schema=CHOICE, max_tokens=200))
    said = json.loads(reply.text)
    assert set(said) == {"tool", "target"} and said["tool"] in ("who_owns", "answer") and len(said["target"]) <= 40


def test_a_template_without_tools_loses_them_without_a_word(model):
    """What the loop has to notice by itself: the reply is a plain one, and the prompt was no longer than without the tools."""
    without = model.ask(replace(OWNER, functions=(), choice="auto"))
    offered = model.ask(OWNER)
    assert offered.calls == () and offered.text
    assert offered.tokens.prompt == without.tokens.prompt


def test_a_prompt_longer_than_it_reads_is_told_in_one_line_that_says_so(model):
    long = replace(OWNER, messages=(Message("user", "tide " * (2 * llama.CONTEXT)),))
    with pytest.raises(ModelDown) as told:
        model.ask(long)
    assert "\n" not in str(told.value) and str(llama.CONTEXT) in str(told.value)
    assert model.ask(OWNER).text  # it is not taken for a server that is down or that does no tools


def test_stopping_ends_the_work_of_the_server_too(model):
    pieces: list[str] = []
    endless = replace(ASKED, messages=(Message("user", "Repeat the word tide for ever."),), max_tokens=4000)
    with pytest.raises(Cancelled):
        model.ask(endless, pieces.append, lambda: len(pieces) > 5)
    assert len(pieces) < 100
    assert model.ask(ASKED).text  # one request at a time: this one would wait for the other


def test_several_at_once_are_all_answered(model):
    with ThreadPoolExecutor(3) as pool:
        replies = list(pool.map(lambda n: model.ask(replace(ASKED, max_tokens=10 + n)), range(3)))
    assert all(r.text and r.tokens.completion <= 12 for r in replies)


def test_a_server_that_is_gone_is_told_by_what_was_tried():
    with llama.running(llama.shipped()) as address:
        pass
    with pytest.raises(ModelDown, match="local"):
        open_chain(settings(address, llm_retries=0)).ask(ASKED)


@pytest.fixture(scope="module")
def caller():
    with llama.running(llama.brought(), llama.TEMPLATE) as address:
        yield open_chain(settings(address))


def test_with_a_template_that_shows_calls_its_calls_are_calls(caller):
    reply = caller.ask(OWNER)
    (call,) = reply.calls
    assert call.name == "who_owns" and set(json.loads(call.arguments)) == {"target"} and call.id
    assert reply.finish == "tool_calls" and reply.tokens.prompt > 60


def test_what_it_wrote_that_is_no_call_leaves_the_model_in_use(caller):
    """It writes a call of a function that it was not offered; the server cannot read that, and says so inside the stream."""
    hello = replace(OWNER, messages=(Message("user", "Say hello."),), choice="auto")
    reply = caller.ask(hello)
    assert reply.calls or reply.text or reply.finish == "stop"
    assert caller.ask(OWNER).calls


def test_a_call_that_was_cut_off_is_given_as_it_was_written(caller):
    reply = caller.ask(replace(OWNER, max_tokens=8))
    assert reply.finish == "length"
    for call in reply.calls:
        with pytest.raises(json.JSONDecodeError):
            json.loads(call.arguments)


@pytest.fixture(scope="module")
def writer():
    with llama.running(llama.brought()) as address:
        yield open_chain(settings(address))


def test_with_its_own_template_a_call_may_be_left_in_the_text(writer):
    """What the loop has to find by itself; either is right."""
    reply = writer.ask(replace(OWNER, choice="auto"))
    assert reply.calls or '"name"' in reply.text
