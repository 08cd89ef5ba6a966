"""Models in a row, over real HTTP: who is asked next, what is told of the others, and that nobody waits for somebody else's exchange."""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import replace

import httpx2
import pytest
from model_server import fails, model_server, page, text

from brain.errors import Cancelled, HopcheckError, ModelDown, ModelRefused
from brain.llm.chain import Chain, names, open_chain
from brain.llm.learnt import Learnt, Memory
from brain.llm.talk import Function, Message, Request
from brain.settings import Settings

ASKED = (Message("user", "Who knows the parser?"),)
PLAIN = Request(ASKED)
TOOLS = Request(ASKED, functions=(Function("who_knows", "Who knows something.", {"type": "object", "properties": {}}),))
BUSY = fails(503, "try later", headers={"retry-after": "0"})


@contextmanager
def models(by_name, **settings):
    """A server where each model has replies of its own, and a chain over its models in that order."""
    left = {name: list(said) for name, said in by_name.items()}
    defaults = {"llm_key": "sk-aaaabbbbcccc", "llm_models": ",".join(by_name), "llm_retries": 0, "llm_timeout_s": 10}
    with model_server(lambda body: left[body["model"]].pop(0)) as server:
        yield server, open_chain(Settings(llm_url=server.url, **{**defaults, **settings}), memory=Memory())
    assert not any(left.values()), f"never asked for: {left}"


def asked(server) -> list[str]:
    return [body["model"] for body in server.requests]


@pytest.mark.parametrize("said", [BUSY, fails(404, "no such model"), fails(400, "odd"), page(), fails(429, "quota", code="insufficient_quota"), text("x", cut_after=0)])
def test_the_next_model_answers_where_one_does_not_and_it_is_told(said):
    with models({"large": [said], "small": [text("yes")]}) as (_, chain):
        reply = chain.ask(PLAIN)
    assert (reply.text, reply.model) == ("yes", "small")
    assert [t.model for t in reply.tried] == ["large"] and reply.tried[0].why


def test_the_first_model_that_answers_is_the_only_one_asked():
    with models({"large": [text("yes")], "small": []}) as (server, chain):
        assert chain.ask(PLAIN).tried == ()
    assert asked(server) == ["large"]


def test_a_model_that_refuses_tools_is_passed_over_for_one_that_has_them():
    with models({"old": [fails(400, "old does not support tools")], "new": [text("yes"), text("again")]}) as (server, chain):
        first, second = chain.ask(TOOLS), chain.ask(TOOLS)
    assert first.model == second.model == "new" and "refused tools" in second.tried[0].why
    assert asked(server) == ["old", "new", "new"]


def test_only_where_every_model_refuses_is_it_a_refusal():
    refusal = fails(400, "does not support tools")
    with models({"a": [refusal], "b": [refusal]}) as (_, chain), pytest.raises(ModelRefused, match=r"\(a, b: 127.*refused tools"):
        chain.ask(TOOLS)
    with models({"a": [refusal], "b": [fails(400, "odd")]}) as (_, chain), pytest.raises(ModelDown) as told:
        chain.ask(TOOLS)
    assert not isinstance(told.value, ModelRefused)


def test_where_none_answers_one_line_names_each():
    with models({"a": [BUSY], "b": [fails(404, "no b here")]}) as (_, chain), pytest.raises(ModelDown) as told:
        chain.ask(PLAIN)
    assert "a: 127.0.0.1" in str(told.value) and "b: 127.0.0.1" in str(told.value) and "\n" not in str(told.value)


def test_where_the_server_is_gone_or_refuses_the_key_its_other_models_are_not_asked():
    with models({"a": [fails(401, "no")], "b": [], "c": []}) as (_, chain), pytest.raises(ModelDown, match=r"\(a, b, c: 127.* refused the key"):
        chain.ask(PLAIN)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    chain = open_chain(Settings(llm_url=f"http://127.0.0.1:{port}/v1", llm_models="a,b", llm_retries=0), memory=Memory())
    with pytest.raises(ModelDown, match=r"\(a, b: 127.* cannot be reached"):
        chain.ask(PLAIN)


def test_a_model_that_is_down_is_left_alone_for_a_while():
    with models({"slow": [text("late", delay_s=3)], "small": [text("1"), text("2")]}, llm_timeout_s=1) as (server, chain):
        chain.ask(PLAIN)
        again = chain.ask(PLAIN)
    assert asked(server) == ["slow", "small", "small"]
    assert again.text == "2" and "did not answer within 1 s" in again.tried[0].why


def test_a_model_whose_server_asks_for_a_pause_is_left_alone_so_long():
    with models({"busy": [fails(429, headers={"retry-after": "100"})], "small": [text("1"), text("2")]}) as (server, chain):
        chain.ask(PLAIN)
        again = chain.ask(PLAIN)
    assert asked(server) == ["busy", "small", "small"] and "it is asked again in" in again.tried[0].why


def test_where_all_models_rest_it_is_told_at_once():
    with models({"busy": [fails(429, headers={"retry-after": "100"})]}) as (_, chain):
        for _ in range(2):
            with pytest.raises(ModelDown, match="HTTP 429"):
                chain.ask(PLAIN)


def test_a_model_rests_no_longer_than_two_minutes():
    now = [0.0]
    learnt = Learnt(lambda: now[0])
    learnt.rest(86_400, "busy")
    assert learnt.resting() == "busy; it is asked again in 120 s"
    now[0] = 120.0
    assert learnt.resting() == ""


def test_a_refusal_is_tried_again_after_ten_minutes():
    now = [0.0]
    learnt = Learnt(lambda: now[0])
    learnt.refuse("tools", "refused tools")
    assert dict(learnt.refused()) == {"tools": "refused tools"}
    now[0] = 601.0
    assert dict(learnt.refused()) == {}


def test_a_model_that_is_back_is_asked_again():
    with models({"large": [BUSY, text("back")], "small": [text("1")]}) as (_, chain):
        assert chain.ask(PLAIN).model == "small"
        chain = Chain([replace(model, learnt=Learnt()) for model in chain.models])
        assert chain.ask(PLAIN).model == "large"


def test_what_one_question_learnt_the_next_one_knows():
    with models({"old": [fails(400, "unknown field seed"), text("1"), text("2")]}) as (server, _):
        settings, memory = Settings(llm_url=server.url, llm_models="old"), Memory()
        for _ in range(2):
            open_chain(settings, memory=memory).ask(PLAIN)
    assert ["seed" in body for body in server.requests] == [True, False, False]


def test_a_stop_is_not_a_reason_to_ask_the_next_model():
    with models({"slow": [text("late", delay_s=3)], "small": []}) as (_, chain):
        stopped = threading.Event()
        threading.Timer(0.2, stopped.set).start()
        with pytest.raises(Cancelled):
            chain.ask(PLAIN, cancelled=stopped.is_set)


def test_eight_who_ask_at_once_do_not_wait_for_one_another():
    with model_server(lambda body: text("x" * 40, delay_s=0.3, dribble_s=0.05)) as server:
        chain = open_chain(Settings(llm_url=server.url, llm_models="m"), memory=Memory())
        chain.ask(PLAIN)

        def waited(askers: int) -> float:
            threads = [threading.Thread(target=chain.ask, args=(PLAIN,)) for _ in range(askers)]
            began = time.monotonic()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return time.monotonic() - began

        alone = waited(1)
        assert waited(8) < 4 * alone


def test_those_who_ask_at_once_hear_their_own_reply_alone():
    with model_server(lambda body: text(body["messages"][0]["content"] * 20, dribble_s=0.01)) as server:
        chain = open_chain(Settings(llm_url=server.url, llm_models="m"), memory=Memory())
        heard: dict[str, list[str]] = {letter: [] for letter in "abcdefgh"}

        def ask(letter: str) -> None:
            reply = chain.ask(Request((Message("user", letter),)), heard[letter].append)
            heard[letter].append(reply.text)

        threads = [threading.Thread(target=ask, args=(letter,)) for letter in heard]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert all("".join(told) == letter * 40 for letter, told in heard.items())


# Settings


def test_models_are_named_once_and_in_order():
    assert names(Settings(llm_models=" b, a ,,b")) == ("b", "a")
    assert names(Settings()) == ()


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"llm_models": " , "}, "BRAIN_LLM_MODELS"),
        ({"llm_models": "m", "llm_url": "localhost:11434"}, "OPENAI_BASE_URL must be an address"),
        ({"llm_models": "m", "llm_url": "http://"}, "OPENAI_BASE_URL must be an address"),
        ({"llm_models": "m", "llm_url": "http://h:99999/v1"}, "OPENAI_BASE_URL must be an address"),
        ({"llm_models": "m", "llm_url": "http://h/v1?key=se-cret"}, "without \\? and what follows"),
        ({"llm_models": "m", "llm_key": "sk-one\nsk-two"}, "OPENAI_API_KEY holds a blank"),
        ({"llm_models": "m", "llm_key": "sk-“quoted”"}, "OPENAI_API_KEY holds a blank"),
        ({"llm_models": "m", "llm_prices": "m=dear"}, "BRAIN_LLM_PRICES"),
    ],
)
def test_a_setting_that_cannot_be_used_is_told_before_anything_is_sent(settings, line):
    with pytest.raises(HopcheckError, match=line) as told:
        open_chain(Settings(**settings))
    assert "se-cret" not in str(told.value) and "sk-" not in str(told.value)


def test_a_price_is_that_of_the_model_that_answered():
    with models({"large": [BUSY], "small": [text("yes", usage=(1_000_000, 0, 0))]}, llm_prices="large=9/9, small=2/3") as (_, chain):
        assert chain.ask(PLAIN).usd == 2.0


def test_no_key_is_in_what_is_told_of_a_chain():
    with models({"a": [fails(401, "wrong key sk-aaaabbbbcccc")]}) as (_, chain), pytest.raises(ModelDown) as told:
        chain.ask(PLAIN)
    assert "sk-aaaa" not in f"{told.value!s} {told.value!r} {chain!r}"


class _Kept(httpx2.BaseTransport):
    """A recording that holds the exchange with one model alone."""

    def handle_request(self, request):
        if json.loads(request.read())["model"] != "small":
            raise ModelDown("this exchange is not in the recording")
        return httpx2.Response(200, json={"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]})


def test_what_a_recording_lacks_of_one_model_it_may_have_of_the_next():
    reply = open_chain(Settings(llm_models="large,small"), _Kept()).ask(PLAIN)
    assert reply.model == "small" and "not in the recording" in reply.tried[0].why
    with pytest.raises(ModelDown, match=r"^this exchange is not in the recording$"):
        open_chain(Settings(llm_models="large"), _Kept()).ask(PLAIN)
