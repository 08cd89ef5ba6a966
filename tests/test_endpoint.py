"""Every fault that model servers were seen to have, over real HTTP."""

from __future__ import annotations

import json
import logging
import random
import socket
import threading
import time
import traceback
import zlib
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from model_server import calls, events, fails, model_server, page, raw, text, tool

from brain.errors import Cancelled, HopcheckError, ModelDown, ModelRefused
from brain.llm import incoming, wire
from brain.llm.endpoint import Endpoint
from brain.llm.faults import Place
from brain.llm.gathering import MOST_CHARS
from brain.llm.prices import Price
from brain.llm.talk import Call, Function, Message, Request, Tokens

KEY = "sk-secretsecret1234567890"
ASKED = (Message("system", "You answer."), Message("user", "Who knows the parser?"))
KNOWS = Function("who_knows", "Who knows something.", {"type": "object", "properties": {"target": {"type": "string"}}})
PLAIN = Request(ASKED)
TOOLS = Request(ASKED, functions=(KNOWS,))
SCHEMA = {"type": "object", "properties": {"tool": {"type": "string"}}, "required": ["tool"], "additionalProperties": False}
FORMED = Request(ASKED, schema=SCHEMA)
NETWORK = wire.network()


def endpoint(server, **fields) -> Endpoint:
    url = server if isinstance(server, str) else server.url
    return Endpoint(Place(url, "small", fields.pop("key", KEY)), NETWORK, **{"timeout_s": 10, "retries": 0, **fields})


def chunk(delta=None, finish=None, **more):
    return {"choices": [{"index": 0, "delta": delta or {}, "finish_reason": finish}], **more}


DONE = "data: [DONE]\n\n"


# What is sent


def test_a_question_goes_out_as_a_chat_completion():
    with model_server([text("yes")]) as server:
        endpoint(server).ask(Request(ASKED, functions=(KNOWS,), choice="required", max_tokens=50, seed=3))
    assert server.requests == [
        {
            "model": "small",
            "messages": [{"role": "system", "content": "You answer."}, {"role": "user", "content": "Who knows the parser?"}],
            "tools": [{"type": "function", "function": {"name": "who_knows", "description": "Who knows something.", "parameters": dict(KNOWS.schema)}}],
            "parallel_tool_calls": True, "tool_choice": "required", "max_tokens": 50, "temperature": 0, "seed": 3, "stream": True,
            "stream_options": {"include_usage": True},
        }
    ]  # fmt: skip


def test_nothing_that_tells_of_the_machine_is_sent(monkeypatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-of-somebody")
    with model_server([text("yes"), text("yes")]) as server:
        endpoint(server).ask(PLAIN)
        endpoint(server, key="").ask(PLAIN)
    keyed, keyless = server.headers
    assert set(keyed) == {"host", "authorization", "accept", "content-type", "user-agent", "content-length", "accept-encoding"}
    assert keyed["authorization"] == f"Bearer {KEY}" and keyed["user-agent"] == "hopcheck"
    assert "authorization" not in keyless


def test_a_turn_with_broken_arguments_is_sent_back_so_that_a_server_can_read_it():
    said = Message("assistant", "", calls=(Call("c1", "who_knows", '{"target": '),))
    with model_server([text("yes")]) as server:
        endpoint(server).ask(Request((*ASKED, said, Message("tool", "malformed", answers="c1"))))
    assert server.requests[0]["messages"][2:] == [
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "who_knows", "arguments": "{}"}}]},
        {"role": "tool", "content": "malformed", "tool_call_id": "c1"},
    ]


# What comes back


@pytest.mark.parametrize("whole", [False, True])
def test_a_text_comes_back_with_what_it_cost(whole):
    with model_server([text("Ann knows it.", usage=(900, 30, 600), whole=whole)]) as server:
        heard: list[str] = []
        reply = endpoint(server, price=Price(2, 10, 1)).ask(PLAIN, heard.append)
    assert (reply.text, reply.calls, reply.finish, reply.model) == ("Ann knows it.", (), "stop", "small")
    assert reply.tokens == Tokens(900, 30, 600) and reply.usd == pytest.approx((300 * 2 + 600 + 300) / 1e6) and reply.ms > 0
    assert "".join(heard) == "Ann knows it." and (len(heard) > 1) is not whole


@pytest.mark.parametrize("whole", [False, True])
def test_several_calls_come_back_in_order(whole):
    said = calls(tool("who_knows", target="parser"), tool("who_owns", target="service:x"), content="Let me look.", whole=whole)
    with model_server([said]) as server:
        reply = endpoint(server).ask(TOOLS)
    assert [(c.name, json.loads(c.arguments)) for c in reply.calls] == [("who_knows", {"target": "parser"}), ("who_owns", {"target": "service:x"})]
    assert reply.text == "Let me look." and reply.finish == "tool_calls"


def test_text_is_told_while_the_rest_is_still_being_written():
    with model_server([text("a" * 80, dribble_s=0.03)]) as server:
        sent_at_first: list[int] = []
        endpoint(server).ask(PLAIN, lambda _: sent_at_first.append(server.sent_bytes))
    assert sent_at_first[0] < server.sent_bytes / 2


def test_tokens_are_estimated_where_a_server_does_not_count():
    with model_server([text("b" * 400, usage=None), text("b" * 400, usage=None, whole=True)]) as server:
        streamed, whole = endpoint(server).ask(PLAIN), endpoint(server).ask(PLAIN)
    assert streamed.tokens == whole.tokens
    assert streamed.tokens.estimated and streamed.tokens.completion == 100 and 5 < streamed.tokens.prompt < 50


@pytest.mark.parametrize("usage", [{"prompt_tokens": "many", "completion_tokens": 3}, {"prompt_tokens": -5, "completion_tokens": 3}, [], "free", {}])
def test_a_count_that_cannot_be_read_is_no_count(usage):
    with model_server([events(chunk({"content": "yes"}, "stop", usage=usage), DONE)]) as server:
        assert endpoint(server).ask(PLAIN).tokens.estimated


def test_text_that_nothing_can_store_or_show_is_made_sound():
    split = events(r'data: {"choices":[{"delta":{"content":"a\ud83d"}}]}' "\n\n", r'data: {"choices":[{"delta":{"content":"\ude00b\u0000c\ud83d"}}]}' "\n\n", DONE)
    with model_server([split, calls(tool("f\0", '{"a": "\ud83d"}', id="\ud83d"))]) as server:
        heard: list[str] = []
        said, asked = endpoint(server).ask(PLAIN, heard.append), endpoint(server).ask(TOOLS)
    assert said.text == "a\U0001f600bc\ufffd" and "".join(heard).encode()
    assert asked.calls == (Call("\ufffd", "f", '{"a": "\ufffd"}'),)


def test_a_line_of_error_cannot_command_a_terminal():
    with model_server([fails(400, "odd \x1b[31mred\x07 \ud83d\nline")]) as server, pytest.raises(ModelDown) as told:
        endpoint(server).ask(PLAIN)
    assert str(told.value).isprintable() and "odd [31mred line" in str(told.value)


# Faults of the reply


def odd(name, said, **expected):
    return pytest.param(said, expected, id=name)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        odd("empty", text(""), text="", calls=(), finish="stop"),
        odd("empty whole", text("", whole=True), text="", calls=(), finish="stop"),
        odd("content null", raw(b'{"choices":[{"message":{"content":null},"finish_reason":"stop"}]}'), text="", finish="stop"),
        odd("no message", raw(b'{"choices":[{"finish_reason":"stop"}]}'), text="", finish="stop"),
        odd("least there is", raw(b'{"choices":[{"message":{"content":"x"}}]}'), text="x", finish="stop"),
        odd("least of a stream", events('data: {"choices":[{"delta":{"content":"z"}}]}\n\n', DONE), text="z", finish="stop"),
        odd("json left in the text", text('{"name": "who_knows", "arguments": {"target": "x"}}'), text='{"name": "who_knows", "arguments": {"target": "x"}}', calls=()),
        odd("content in parts", raw(b'{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"text":"b"},7,{"text":[{}]}]}}]}'), text="ab"),
        odd("arguments as an object", calls(tool("who_knows", {"target": "é"})), calls=(Call("call_1_0", "who_knows", '{"target": "é"}'),)),
        odd("arguments as an object, whole", calls(tool("who_knows", {"target": "é"}), whole=True), calls=(Call("call_1_0", "who_knows", '{"target": "é"}'),)),
        odd("arguments null", raw(b'{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":null}}]}}]}'), calls=(Call("a", "f", ""),), finish="tool_calls"),
        odd("arguments broken", calls(tool("who_knows", '{"target": ')), calls=(Call("call_1_0", "who_knows", '{"target": '),), finish="tool_calls"),
        odd("no id", calls(tool("f", "{}", id=None), tool("g", "{}", id=None)), calls=(Call("call_1", "f", "{}"), Call("call_2", "g", "{}"))),
        odd("the same id twice", calls(tool("f", "{}", id="x"), tool("g", "{}", id="x")), calls=(Call("x", "f", "{}"), Call("x_2", "g", "{}"))),
        odd("the same id twice, whole", calls(tool("f", "{}", id="x"), tool("g", "{}", id="x"), whole=True), calls=(Call("x", "f", "{}"), Call("x_2", "g", "{}"))),
        odd("no index", events(chunk({"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{"}}]}), chunk({"tool_calls": [{"function": {"arguments": "}"}}]}),
            chunk({"tool_calls": [{"id": "b", "function": {"name": "g", "arguments": "{}"}}]}), DONE), calls=(Call("a", "f", "{}"), Call("b", "g", "{}"))),
        odd("one index for two calls", events(chunk({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}]}),
            chunk({"tool_calls": [{"index": 0, "id": "b", "function": {"name": "g", "arguments": "{}"}}]}), DONE), calls=(Call("a", "f", "{}"), Call("b", "g", "{}"))),
        odd("calls interleaved", events(chunk({"tool_calls": [{"index": 1, "id": "b", "function": {"name": "g", "arguments": "{"}}, {"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}}]}),
            chunk({"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}, {"index": 1, "function": {"arguments": "}"}}]}), DONE), calls=(Call("a", "f", "{}"), Call("b", "g", "{}"))),
        odd("calls after text that says stop", calls(tool("f", "{}", id="a"), content="I look.", finish="stop"), text="I look.", calls=(Call("a", "f", "{}"),), finish="tool_calls"),
        odd("unknown reason to end", text("x", finish="because"), text="x", finish="stop"),
        odd("no reason but done", events(chunk({"content": "x"}), DONE), text="x", finish="stop"),
        odd("no reason and not done", events(chunk({"content": "x"})), text="x", finish="cut"),
        odd("out of tokens", text("x", finish="length"), text="x", finish="length"),
        odd("filtered", text("", finish="content_filter"), finish="content_filter"),
        odd("refused in its own field", events(chunk({"refusal": "I will not."}, "stop"), DONE), text="I will not.", finish="content_filter"),
        odd("several choices", raw(b'{"choices":[{"index":1,"message":{"content":"other"}},{"index":0,"message":{"content":"first"}}]}'), text="first"),
        odd("a stream called otherwise", raw(b'data: {"choices":[{"delta":{"content":"z"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n', "text/plain"), text="z"),
        odd("json called otherwise", raw(b'{"choices":[{"message":{"content":"x"}}]}', "text/plain"), text="x"),
        odd("comments in a stream", events(": waiting\n\n", chunk({"content": "x"}, "stop"), DONE), text="x"),
        odd("nonsense among chunks", events(chunk({"content": "x"}), [], 5, {"choices": "no"}, {"choices": [7]}, {"choices": [{"delta": 3}]}, {"choices": [{"delta": {"tool_calls": {"a": 1}}}]},
            {"choices": [{"delta": {"tool_calls": [None, {"function": 3, "index": "a"}]}}]}, chunk({"content": "y"}, "stop"), DONE), text="xy", calls=()),
    ],
)  # fmt: skip
def test_a_reply_is_read_whatever_its_shape(said, expected):
    with model_server([said]) as server:
        reply = endpoint(server).ask(TOOLS)
    assert {name: getattr(reply, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (page(), "OPENAI_BASE_URL, which usually ends in /v1"),
        (raw(b'{"choices": [{"mess'), "no JSON"),
        (raw(b"[" * 5000), "no JSON"),
        (raw(b"null"), "without any choice"),
        (raw(b'["choices"]'), "without any choice"),
        (raw(b'{"id": "x", "usage": {}}'), "without any choice"),
        (raw(b'{"choices": []}'), "without any choice"),
        (raw(b'{"choices": null}'), "without any choice"),
        (events({"usage": {"prompt_tokens": 1}}, DONE), "without any choice"),
        (events(DONE), "without any choice"),
        (events("data: {broken\n\n"), "no JSON"),
        (events(b"data: \xff\xfe{}\n\n"), "no JSON"),
        (raw(b'{"error": {"message": "model is loading", "code": 400}}'), "model is loading"),
        (raw(b'{"error": "out of memory"}'), "out of memory"),
        (events({"error": {"message": "kaputt", "type": "server_error"}}), "kaputt"),
    ],
)
def test_a_reply_that_is_none_is_told_in_one_line(said, line):
    with model_server([said]) as server, pytest.raises(ModelDown) as told:
        endpoint(server).ask(PLAIN)
    assert line in str(told.value) and "\n" not in str(told.value)


def test_whatever_a_server_sends_is_a_reply_or_one_line():
    made = Mangled(random.Random(7))
    with model_server(lambda body: made.reply()) as server:
        for _ in range(250):
            try:
                reply = endpoint(server, waits=False).ask(TOOLS)
                assert "".join([reply.text, *(c.id + c.name + c.arguments for c in reply.calls)]).encode() or not reply.text
                assert all(c.id for c in reply.calls)
            except ModelDown as told:
                assert str(told).isprintable()


class Mangled:
    """Replies as a server sends them, with parts of them replaced, left out or garbled."""

    WORDS = ("", "stop", "x", "{}", "data:", "\0", "\ud83d", None, 0, -1, 1e308, True, 2**70, [], {}, [None], ["x"], {"choices": []}, {"error": "x"}, {"index": "a"})

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def reply(self):
        whole = {"choices": [{"index": 0, "message": {"content": "x", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3}}
        parts = [chunk({"content": "abc"}), chunk({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}]}), chunk({}, "tool_calls", usage={"prompt_tokens": 3, "completion_tokens": 4})]
        match self.rng.randrange(4):
            case 0:
                return raw(json.dumps(self.mangled(whole)).encode())
            case 1:
                return events(*(self.mangled(part) for part in parts), DONE)
            case 2:
                return raw(json.dumps({"error": self.mangled({"message": "x", "code": 3, "param": "tools"})}).encode(), status=self.rng.choice([200, 400, 403, 404, 422, 429, 500]))
            case _:
                sent = bytearray(b"".join(f"data: {json.dumps(part)}\n\n".encode() for part in parts))
                for at in (self.rng.randrange(len(sent)) for _ in range(5)):
                    sent[at : at + self.rng.randrange(3)] = bytes([self.rng.randrange(256)])
                return raw(bytes(sent), "text/event-stream")

    def mangled(self, value):
        if self.rng.random() < 0.1:
            return self.rng.choice(self.WORDS)
        if isinstance(value, dict):
            return {k: self.mangled(v) for k, v in value.items() if self.rng.random() > 0.03}
        return [self.mangled(v) for v in value] if isinstance(value, list) else value


def test_a_stream_that_is_cut_keeps_what_came():
    with model_server([text("abcdefghijklmnop", cut_after=2), calls(tool("f", "{}", id="a"), tool("g", '{"target": "x"}', id="b"), cut_after=5)]) as server:
        said, asked = endpoint(server).ask(PLAIN), endpoint(server).ask(TOOLS)
    assert (said.text, said.finish) == ("abcdefgh", "cut") and said.tokens.estimated
    assert (asked.calls, asked.finish) == ((Call("a", "f", "{}"),), "cut")


def test_an_error_inside_a_stream_keeps_what_came_and_is_not_asked_again():
    with model_server([events(chunk({"content": "half"}), {"error": {"message": "overloaded", "type": "overloaded_error"}})]) as server:
        reply = endpoint(server, retries=2).ask(PLAIN)
    assert (reply.text, reply.finish) == ("half", "cut")


def test_an_error_at_the_start_of_a_stream_that_means_busy_is_asked_again():
    with model_server([events({"error": {"message": "overloaded", "type": "overloaded_error"}}), text("yes")]) as server:
        assert endpoint(server, retries=1).ask(PLAIN).text == "yes"


@pytest.mark.parametrize("whole", [False, True])
def test_ten_megabytes_are_not_read(whole):
    with model_server([text("x" * 10_000_000, whole=whole, piece=100_000)]) as server:
        told: list[str] = []
        reply = endpoint(server).ask(PLAIN, told.append)
    assert reply.finish == "too_long" and len(reply.text) <= MOST_CHARS
    assert sum(map(len, told)) <= MOST_CHARS + 1


@pytest.mark.parametrize("sent", [b"data: " + b"x" * 65536, b"x" * 65536, (b": waiting" + b"." * 1000 + b"\n\n") * 64])
def test_a_reply_without_end_is_hung_up(sent):
    line = events(*[sent] * 400) if not sent.startswith(b"x") else raw(sent * 400)
    with model_server([line]) as server:
        reply = endpoint(server).ask(PLAIN)
        assert reply.finish == "too_long" and reply.text == ""
        assert _soon(lambda: server.hung_up == 1)
    assert server.sent_bytes < len(sent) * 400


def test_arguments_without_end_are_bounded():
    with model_server([calls(tool("f", '{"a": "' + "x" * 3_000_000), piece=200_000)]) as server:
        reply = endpoint(server).ask(TOOLS)
    assert reply.finish == "too_long" and reply.calls == ()


def test_a_thousand_calls_are_bounded():
    with model_server([calls(*[tool("f", "{}") for _ in range(1000)], whole=True)]) as server:
        reply = endpoint(server).ask(TOOLS)
    assert reply.finish == "too_long" and len(reply.calls) <= 64


def packed(content, times=1):
    """The content as gzip, with as many more bytes of nothing as are said, made without holding them."""
    stream = zlib.compressobj(9, wbits=31)
    return stream.compress(content) + b"".join(stream.compress(b"0" * 1_000_000) for _ in range(times - 1)) + stream.flush()


WHOLE = json.dumps({"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]}).encode()
STREAM = f"data: {json.dumps(chunk({'content': 'yes'}))}\n\ndata: {json.dumps(chunk({}, 'stop'))}\n\n{DONE}".encode()


@pytest.mark.parametrize(
    "sent",
    [raw(packed(WHOLE), headers={"content-encoding": "gzip"}), raw(zlib.compress(WHOLE), headers={"content-encoding": "Deflate"}),
     raw(packed(STREAM), "text/event-stream", headers={"content-encoding": "gzip"})],
)  # fmt: skip
def test_a_reply_that_a_proxy_compressed_is_read(sent):
    with model_server([sent]) as server:
        reply = endpoint(server).ask(PLAIN)
    assert (reply.text, reply.finish) == ("yes", "stop")


def test_an_error_that_a_proxy_compressed_is_quoted():
    told = raw(packed(b"no such model"), "text/plain", status=404, headers={"content-encoding": "gzip"})
    with model_server([told]) as server, pytest.raises((ModelDown, ModelRefused), match="no such model"):
        endpoint(server).ask(PLAIN)


def test_a_compressed_reply_is_unpacked_no_further_than_others_are_read():
    bomb = packed(b'{"choices": [{"message": {"content": "', 100)
    with model_server([raw(bomb, headers={"content-encoding": "gzip"})]) as server:
        assert len(bomb) < 200_000 and endpoint(server).ask(PLAIN).finish == "too_long"
    read = []
    for piece in incoming.unpacked([bomb], "gzip"):
        read.append(len(piece))
        if sum(read) > 200_000:
            break
    assert max(read) <= incoming.PIECE


@pytest.mark.parametrize(("body", "encoding"), [(WHOLE, "gzip"), (packed(WHOLE)[:-8] + b"damaged!", "gzip"), (WHOLE, "br"), (WHOLE, "gzip, gzip")])
def test_a_compressed_reply_that_cannot_be_read_is_said(body, encoding):
    with model_server([raw(body, headers={"content-encoding": encoding})]) as server, pytest.raises(ModelDown, match="compressed"):
        endpoint(server).ask(PLAIN)


BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize("piece", [1, 2, 1000])
def test_a_mark_of_byte_order_loses_nothing_of_a_reply(piece):
    sent = BOM + STREAM
    streamed = events(*[sent[i : i + piece] for i in range(0, len(sent), piece)])
    with model_server([streamed, raw(BOM + WHOLE), raw(sent, "text/plain")]) as server:
        assert [endpoint(server).ask(PLAIN).text for _ in range(3)] == ["yes"] * 3


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("piece", [1, 7, 10_000])
def test_events_that_carry_no_data_are_none(end, piece):
    quiet = [": keep-alive\n\n", "event: ping\n\n", "retry: 3000\n\n", "id: 9\n\n", "data:\n\n", "\n\n"]
    said = [f"id: {n}\ndata: {json.dumps(chunk({'content': letter}))}\n\n" for n, letter in enumerate("yes")]
    sent = "".join(quiet + [each + "".join(quiet) for each in said] + [f"data: {json.dumps(chunk({}, 'stop'))}\n\n", *quiet, DONE])
    sent = sent.replace("\n", end)
    with model_server([events(*[sent[i : i + piece] for i in range(0, len(sent), piece)])]) as server:
        reply = endpoint(server).ask(PLAIN)
    assert (reply.text, reply.finish) == ("yes", "stop")


# Time


def test_a_reply_that_drips_ends_with_the_deadline():
    with model_server([text("x" * 800, dribble_s=0.05)]) as server:
        began = time.monotonic()
        reply = endpoint(server, timeout_s=0.6).ask(PLAIN)
        took = time.monotonic() - began
        assert _soon(lambda: server.hung_up == 1)
    assert reply.finish == "cut" and 0 < len(reply.text) < 800
    assert took < 100 * 0.05


def test_a_stream_that_is_over_but_not_closed_is_not_waited_for():
    with model_server([events(chunk({"content": "yes"}, ""), chunk({}, "stop"), *[": waiting\n\n"] * 100, dribble_s=0.1)]) as server:
        began = time.monotonic()
        reply = endpoint(server).ask(PLAIN)
    assert (reply.text, reply.finish) == ("yes", "stop") and time.monotonic() - began < 8


def test_a_reason_that_says_nothing_is_no_end():
    with model_server([events(*[chunk({"content": "x"}, "")] * 3, dribble_s=0.01)]) as server:
        assert endpoint(server).ask(PLAIN).finish == "cut"


def test_a_silent_server_ends_with_the_deadline():
    with model_server([text("late", delay_s=5)]) as server:
        began = time.monotonic()
        with pytest.raises(ModelDown, match=r"did not answer within 0\.4 s \(BRAIN_LLM_TIMEOUT_S\)"):
            endpoint(server, timeout_s=0.4, retries=3).ask(PLAIN)
        assert time.monotonic() - began < 4
        assert _soon(lambda: server.hung_up == 1)


@pytest.mark.parametrize("said", [text("late", delay_s=5), text("x" * 800, dribble_s=0.05), fails(429, headers={"retry-after": "5"})], ids=["silent", "writing", "pausing"])
def test_an_exchange_can_be_stopped_at_any_time(said):
    with model_server([said]) as server:
        stopped = threading.Event()
        threading.Timer(0.3, stopped.set).start()
        began = time.monotonic()
        with pytest.raises(Cancelled):
            endpoint(server, retries=2).ask(PLAIN, cancelled=stopped.is_set)
        assert time.monotonic() - began < 4
        assert said.status != 200 or _soon(lambda: server.hung_up == 1)


def test_an_exchange_that_is_stopped_before_it_began_asks_nobody_for_long():
    with model_server([text("late", delay_s=5)], all_used=False) as server, pytest.raises(Cancelled):
        endpoint(server).ask(PLAIN, cancelled=lambda: True)


def test_what_is_raised_while_text_is_shown_ends_the_exchange():
    def show(_: str) -> None:
        raise KeyboardInterrupt

    with model_server([text("x" * 800, dribble_s=0.05)]) as server:
        with pytest.raises(KeyboardInterrupt):
            endpoint(server).ask(PLAIN, show)
        assert _soon(lambda: server.hung_up == 1)


# Busy servers


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_a_busy_server_is_asked_again(status):
    with model_server([fails(status, "try later", headers={"retry-after": "0"}), text("yes")]) as server:
        assert endpoint(server, retries=1).ask(PLAIN).text == "yes"


def test_a_busy_server_is_asked_only_so_often():
    with model_server([fails(503, "try later")] * 3) as server, pytest.raises(ModelDown, match=r"busy or in trouble \(HTTP 503\): try later"):
        endpoint(server, retries=2).ask(PLAIN)


def test_a_server_that_says_not_to_try_again_is_not():
    with model_server([fails(500, "no", headers={"x-should-retry": "false"})]) as server, pytest.raises(ModelDown):
        endpoint(server, retries=2).ask(PLAIN)


@pytest.mark.parametrize("form", ["seconds", "date", "milliseconds"])
def test_a_pause_that_a_server_asks_for_is_kept(form):
    at = datetime.now(UTC) + timedelta(seconds=2)
    headers = {"seconds": {"retry-after": "1"}, "date": {"retry-after": format_datetime(at, usegmt=True)}, "milliseconds": {"retry-after-ms": "900"}}
    asked: list[float] = []

    def answer(body):
        asked.append(time.monotonic())
        return text("yes") if len(asked) > 1 else fails(429, headers=headers[form])

    with model_server(answer) as server:
        assert endpoint(server, retries=1).ask(PLAIN).text == "yes"
    assert asked[1] - asked[0] > 0.8


def test_a_pause_longer_than_the_deadline_is_not_waited_for():
    with model_server([fails(429, "slow down", headers={"retry-after": "3600"})]) as server, pytest.raises(ModelDown, match="HTTP 429"):
        began = time.monotonic()
        endpoint(server, retries=5).ask(PLAIN)
    assert time.monotonic() - began < 5


def test_a_reply_from_a_recording_is_not_waited_for():
    with model_server([fails(429, headers={"retry-after": "8"}), text("yes")]) as server:
        began = time.monotonic()
        assert endpoint(server, retries=1, waits=False).ask(PLAIN).text == "yes"
    assert time.monotonic() - began < 4


def test_a_connection_that_drops_is_tried_again():
    with model_server([text("x", cut_after=0), text("yes")]) as server:
        assert endpoint(server, retries=1).ask(PLAIN).text == "yes"


@contextmanager
def _peer(said: bytes):
    """A peer that reads a little, says these bytes and hangs up."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                conn, _ = listening.accept()
            except OSError:
                return
            with conn:
                conn.recv(65536)
                conn.sendall(said)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n", b"SSH-2.0-peer\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{"])
def test_a_peer_that_speaks_no_http_is_told_as_unreachable(said):
    with _peer(said) as url, pytest.raises(ModelDown, match="hung up before it had answered"):
        endpoint(url).ask(PLAIN)


def test_a_server_that_is_not_there_is_told_as_unreachable():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(ModelDown, match=rf"127\.0\.0\.1:{port} cannot be reached .*OPENAI_BASE_URL"):
        endpoint(f"http://127.0.0.1:{port}/v1").ask(PLAIN)
    with pytest.raises(ModelDown, match="cannot be reached"):
        endpoint("http://nowhere.invalid/v1").ask(PLAIN)


# Refusals


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (fails(401, "Incorrect API key provided"), "check OPENAI_API_KEY"),
        (fails(403, "forbidden"), "check OPENAI_API_KEY"),
        (fails(403, "this project may not use model small"), "check BRAIN_LLM_MODELS"),
        (fails(404, "The model `small` does not exist"), "check BRAIN_LLM_MODELS"),
        (fails(400, "Invalid model name passed in model=small. Call `/v1/models` to view available models for your key."), "check BRAIN_LLM_MODELS"),
        (raw(b'{"detail": "Server is pinned to \'large\'; requested \'small\'."}', status=400), "check BRAIN_LLM_MODELS"),
        (fails(400, "No connected db.", type="no_db_connection", code="400"), "refused the key (HTTP 400): check OPENAI_API_KEY"),
        (fails(400, "API key not valid. Please pass a valid API key."), "check OPENAI_API_KEY"),
        (page(status=404), "check BRAIN_LLM_MODELS and OPENAI_BASE_URL"),
        (fails(402, "pay"), "no quota left"),
        (fails(429, "You exceeded your quota", code="insufficient_quota"), "no quota left"),
        (fails(400, "This model's maximum context length is 4096 tokens, max_tokens is too large", code="context_length_exceeded"), "lower BRAIN_LLM_PROMPT_TOKENS"),
        (fails(400, "the request exceeds the available context size", type="exceed_context_size_error"), "lower BRAIN_LLM_PROMPT_TOKENS"),
        (fails(413, "too big"), "lower BRAIN_LLM_PROMPT_TOKENS"),
        (fails(400, "your messages are odd"), "refused the request (HTTP 400): your messages are odd"),
        (raw(b"", status=307, headers={"location": "http://127.0.0.1:9/v1"}), "set OPENAI_BASE_URL"),
    ],
)  # fmt: skip
def test_a_refusal_says_what_to_mend_and_is_not_repeated(said, line):
    with model_server([said]) as server, pytest.raises(ModelDown) as told:
        endpoint(server, retries=3).ask(PLAIN)
    assert line in str(told.value) and not isinstance(told.value, ModelRefused)


def test_a_key_that_is_missing_is_told_as_missing():
    with model_server([fails(401, "no")]) as server, pytest.raises(ModelDown, match="wants a key and was sent none"):
        endpoint(server, key="").ask(PLAIN)


@pytest.mark.parametrize(
    ("refusal", "part"),
    [
        (fails(400, "Unsupported value: 'temperature' does not support 0 with this model.", param="temperature", code="unsupported_value"), "temperature"),
        (fails(400, "Unrecognized request argument supplied: seed"), "seed"),
        (fails(422, "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted'}]"), "stream_options"),
        (raw(b'{"detail": [{"type": "extra_forbidden", "loc": ["body", "parallel_tool_calls"], "msg": "Extra inputs are not permitted"}]}', status=422), "parallel_tool_calls"),
        (fails(400, "tool_choice 'required' is not supported"), "tool_choice"),
        (fails(500, "Cannot use tools with stream", type="server_error"), "stream"),
    ],
)  # fmt: skip
def test_a_part_that_is_refused_is_left_out_and_told_and_remembered(refusal, part):
    asked = Request(ASKED, functions=(KNOWS,), choice="required")
    with model_server([refusal, text("yes"), text("again")]) as server:
        model = endpoint(server)
        first, second = model.ask(asked), model.ask(asked)
    assert [part in body for body in server.requests] == [True, False, False]
    assert ("stream_options" in server.requests[1]) is (part not in ("stream", "stream_options"))
    assert [t.model for t in first.tried] == ["small"] and f"refused {part}" in first.tried[0].why
    assert second.tried == ()
    assert all(server.requests[1][kept] == server.requests[0][kept] for kept in ("model", "messages", "tools"))


ECHO = {"messages": [], "stream": True, "stream_options": {}, "parallel_tool_calls": True, "seed": 0, "temperature": 0, "max_tokens": 9}
ECHOED = {"type": "value_error", "loc": ("body",), "msg": "Value error, `tool_choice` must either be a named tool, \"auto\", or \"none\".", "input": ECHO}


@pytest.mark.parametrize(
    "refusal", [fails(400, str([ECHOED]), type="BadRequestError", code=400), raw(json.dumps({"detail": [ECHOED]}).encode(), status=422)]
)  # fmt: skip
def test_a_refusal_that_repeats_the_request_is_read_by_its_own_words(refusal):
    with model_server([refusal, text("yes")]) as server:
        reply = endpoint(server).ask(Request(ASKED, functions=(KNOWS,), choice="required"))
    assert set(server.requests[0]) - set(server.requests[1]) == {"tool_choice"}
    assert "temperature" not in reply.tried[0].why and "must either be a named tool" in reply.tried[0].why


def test_a_refusal_that_cannot_be_taken_apart_is_quoted_as_it_came():
    with model_server([fails(400, "[{'loc': (")]) as server, pytest.raises(ModelDown, match=r"refused the request \(HTTP 400\): \[\{'loc': \("):
        endpoint(server).ask(PLAIN)


def test_the_newer_name_of_the_bound_is_used_where_the_older_is_refused():
    refusal = fails(400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", param="max_tokens")
    with model_server([refusal, text("yes")]) as server:
        endpoint(server).ask(Request(ASKED, max_tokens=77))
    first, second = server.requests
    assert first["max_tokens"] == 77 and second["max_completion_tokens"] == 77 and "max_tokens" not in second


def test_a_server_that_refuses_one_part_after_the_other_is_asked_without_each():
    said = [fails(400, f"unknown field {name}") for name in ("seed", "stream_options", "temperature")]
    with model_server([*said, text("yes")]) as server:
        reply = endpoint(server).ask(PLAIN)
    assert reply.text == "yes" and len(reply.tried) == 3
    assert not {"seed", "stream_options", "temperature"} & set(server.requests[-1])


def test_a_server_that_refuses_the_same_part_again_is_not_asked_for_ever():
    with model_server([fails(400, "unknown field seed")] * 2) as server, pytest.raises(ModelDown):
        endpoint(server).ask(PLAIN)


@pytest.mark.parametrize(
    "refusal",
    [
        fails(400, "registry/library/small does not support tools"),
        fails(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        fails(500, "tools param requires --jinja flag", type="server_error"),
        fails(400, "`tool calling` is not supported with this model"),
        fails(404, "No endpoints found that support tool use"),
        fails(422, "Unsupported", param="tools"),
    ],
)
def test_a_model_that_refuses_tools_says_so_and_is_not_asked_again(refusal):
    with model_server([refusal]) as server:
        model = endpoint(server, retries=2)
        for _ in range(2):
            with pytest.raises(ModelRefused, match="refused tools"):
                model.ask(TOOLS)


def test_a_model_that_refuses_tools_still_answers_without():
    with model_server([fails(400, "small does not support tools"), text("yes")]) as server:
        model = endpoint(server)
        with pytest.raises(ModelRefused):
            model.ask(TOOLS)
        assert model.ask(PLAIN).text == "yes"


def test_a_schema_that_is_refused_becomes_json_of_any_form_and_then_a_refusal():
    said = [fails(400, "This model does not support response format `json_schema`", param="response_format"), text("{}")]
    with model_server([*said, fails(400, "response_format is not supported", param="response_format")]) as server:
        model = endpoint(server)
        assert model.ask(FORMED).text == "{}"
        for _ in range(2):
            with pytest.raises(ModelRefused, match="refused response_format"):
                model.ask(FORMED)
    first, second, third = (body["response_format"] for body in server.requests)
    assert first["json_schema"]["schema"] == SCHEMA and first["json_schema"]["strict"] is True
    assert second == third == {"type": "json_object"}


def test_a_call_that_the_server_could_not_read_comes_back_as_the_text_it_was():
    written = '<function=who_knows>{"target": "x"</function>'
    said = fails(400, "Failed to call a function. Please adjust your prompt.", code="tool_use_failed", failed_generation=written)
    with model_server([said]) as server:
        reply = endpoint(server).ask(TOOLS)
    assert (reply.text, reply.finish, reply.calls) == (written, "stop", ()) and reply.tokens.estimated


@pytest.mark.parametrize(
    "said",
    [
        fails(500, "The model produced output that does not match the expected peg-native format", type="server_error", code=500),
        events(chunk({"role": "assistant", "content": None}), {"error": {"code": 500, "message": "The model produced output that does not match the expected peg-native format"}}),
        fails(500, "error parsing tool call: raw='{\"name\": '", type="api_error"),
        fails(400, "1 validation error for list[function-wrap[__log_extra_fields__()]]\n  Invalid JSON: EOF while parsing an object at line 1508 column 3"
              " [type=json_invalid, input_value='[ {\\n use the tools, and seed', input_type=str]", type="BadRequestError", code=400),
    ],
)  # fmt: skip
def test_what_a_server_cannot_read_of_its_own_model_is_an_empty_reply_and_not_asked_again(said):
    with model_server([said]) as server:
        model = endpoint(server, retries=2)
        reply = model.ask(TOOLS)
    assert (reply.text, reply.calls, reply.finish) == ("", (), "stop")
    assert not model.learnt.refused() and not model.learnt.resting()


# Secrets


@pytest.mark.parametrize(
    "said",
    [fails(status, f"you sent Bearer {KEY} which is wrong, also {KEY[:10]}******") for status in (400, 401, 403, 404, 418, 429, 500)]
    + [raw(f'{{"error": "{KEY}"}}'.encode()), events({"error": {"message": KEY}}), page(KEY), page(KEY, status=500), raw(KEY.encode()), raw(KEY.encode(), status=400)],
)  # fmt: skip
def test_a_key_is_in_no_error_and_in_no_log(said, caplog):
    caplog.set_level(logging.DEBUG)
    with model_server([said]) as server, pytest.raises(HopcheckError) as told:
        endpoint(server).ask(PLAIN)
    everything = "".join(traceback.format_exception(told.value)) + repr(told.value) + repr(endpoint(server)) + caplog.text
    assert KEY not in everything and KEY[:10] not in everything


def test_a_key_of_any_form_is_in_no_error():
    odd = "T0ken.of/some=server+12"
    with model_server([fails(500, f"the token {odd} is worn out")]) as server, pytest.raises(ModelDown) as told:
        endpoint(server, key=odd).ask(PLAIN)
    assert odd not in str(told.value) and "the token … is worn out" in str(told.value)


def test_a_password_in_the_address_is_in_no_error():
    with model_server([fails(500, "no"), fails(404, "no"), page()]) as server:
        model = endpoint(server.url.replace("http://", "http://me:pass-word@"))
        for _ in range(3):
            with pytest.raises(ModelDown) as told:
                model.ask(PLAIN)
            assert "pass-word" not in str(told.value) + repr(model)
    assert server.headers[0]["authorization"].startswith("Basic ")


def _soon(holds) -> bool:
    until = time.monotonic() + 10
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


# The scripted server itself


def test_the_scripted_server_complains_when_it_is_asked_for_more_or_less_than_it_was_given():
    with pytest.raises(AssertionError, match="asked 1 times more than scripted"), model_server([]) as server, pytest.raises(ModelDown):
        endpoint(server).ask(PLAIN)
    with pytest.raises(AssertionError, match="1 scripted replies were never asked for"), model_server([text("x")]):
        pass
    with model_server([text("x")], all_used=False):
        pass
