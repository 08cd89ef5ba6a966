"""Many clients at once at a real port: those who keep the server waiting are in nobody's way, and none is answered as another."""

from __future__ import annotations

import json
import logging
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from acting_company import ADA, ADMIN, CY
from acting_company import office as acting
from mcp_client import served

from brain.mcp_server import connections, places
from brain.mcp_server.server import THREADS
from brain.mcp_server.tokens import Tokens

W = "mcp-crowd"
SECRET = "ticket:KIL-9"
HALF_A_HEAD = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: "


@pytest.fixture(scope="module")
def office(home, shared_store):
    """A company in which one ticket is the gas team's alone; Cy is in that team, Ada is not."""
    with acting(home, W) as made:
        yield made


@pytest.fixture(scope="module")
def tokens(office):
    return {who: Tokens(office.files.folder).create(who, office.now(), 30)[1] for who in (ADA, CY, ADMIN)}


def request(url, token, tool="details", **args):
    """The bytes of a call; by default of looking up the ticket that not everybody sees."""
    params = {"name": tool, "arguments": args or {"key": SECRET}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    head = f"POST /mcp HTTP/1.1\r\nHost: {url.split('/')[2]}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
    return f"{head}Accept: application/json, text/event-stream\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def connected(stack, url, sent=b""):
    host, port = url.split("/")[2].split(":")
    made = stack.enter_context(socket.create_connection((host, int(port)), timeout=30))
    made.sendall(sent)
    return made


def answer(sock):
    """Status, headers and body of the answer that comes."""
    got = b""
    while not (got.endswith(b"0\r\n\r\n") or (b'{"error"' in got and got.endswith(b"}"))):
        more = sock.recv(65_536)
        if not more:
            break
        got += more
    head, _, body = got.partition(b"\r\n\r\n")
    first, *headers = head.decode().split("\r\n")
    return int(first.split()[1]), dict(h.lower().split(": ", 1) for h in headers), body.decode()


def told(body):
    """What a tool answered."""
    return json.loads(next(line for line in body.splitlines() if line.startswith("data: {"))[6:])["result"]["structuredContent"]


def asked(url, token, **how):
    with ExitStack() as stack:
        return answer(connected(stack, url, request(url, token, **how)))


def is_over(sock):
    """Whether the server ended that connection without a word."""
    try:
        return sock.recv(10) == b""
    except ConnectionResetError:
        return True


def test_connections_without_a_whole_request_shut_nobody_out(office, tokens, caplog):
    with served(office) as url, ExitStack() as stack:
        kept = [connected(stack, url, HALF_A_HEAD) for _ in range(80)]
        status, _, body = asked(url, tokens[CY])
        assert status == 200 and told(body)["rows"]
        for one in kept:
            one.sendall(b"x")  # still open
    assert not caplog.records


def test_a_client_that_does_not_finish_its_request_is_hung_up_on(office, tokens, monkeypatch, caplog):
    monkeypatch.setattr(connections, "REQUEST_S", 0.5)
    with served(office) as url, ExitStack() as stack:
        whole = request(url, tokens[CY])
        again = connected(stack, url, whole)
        assert answer(again)[0] == 200
        again.sendall(HALF_A_HEAD)
        late = [again, *(connected(stack, url, part) for part in (b"", HALF_A_HEAD, whole[:-5], whole.replace(b"Bearer h", b"Bearer x")[:-5]))]
        assert answer(late.pop())[0] == 401
        assert all(is_over(one) for one in late)
    assert not caplog.records


def test_of_too_many_connections_the_one_that_waited_longest_makes_room(office, tokens, monkeypatch):
    monkeypatch.setattr(connections, "MOST", 10)
    monkeypatch.setattr(connections, "REQUEST_S", 600)
    with served(office) as url, ExitStack() as stack:
        first = [connected(stack, url, HALF_A_HEAD) for _ in range(10)]
        later = [connected(stack, url, HALF_A_HEAD) for _ in range(9)]
        assert asked(url, tokens[CY])[0] == 200
        assert all(is_over(one) for one in first)
        for one in later:
            one.settimeout(0.01)
            with pytest.raises(TimeoutError):
                one.recv(1)


def test_a_hundred_requests_at_once_wait_for_their_turn(office, tokens):
    with served(office) as url, ExitStack() as stack:
        ready = [connected(stack, url) for _ in range(100)]
        for one in ready:
            one.sendall(request(url, tokens[CY]))
        answers = [answer(one) for one in ready]
        assert {status for status, _, _ in answers} == {200} and all(told(body)["rows"] for _, _, body in answers)


def test_what_is_too_much_is_asked_to_come_again_and_said_once(office, tokens, monkeypatch, caplog):
    monkeypatch.setattr(places, "AT_ONCE", 1)
    monkeypatch.setattr(places, "WAITING", 3)
    with served(office) as url, ExitStack() as stack:
        call = request(url, tokens[CY], "ask", question="Who owns burner?")
        ready = [connected(stack, url) for _ in range(12)]
        for one in ready:
            one.sendall(call)
        answers = [answer(one) for one in ready]
        away = [(headers, body) for status, headers, body in answers if status == 503]
        assert {status for status, _, _ in answers} == {200, 503}
        for headers, body in away:
            assert headers["content-type"] == "application/json" and int(headers["retry-after"]) > 0
            assert "try again" in json.loads(body)["error"]
        assert asked(url, tokens[CY])[0] == 200
    said = [r for r in caplog.records if r.name == "hopcheck.mcp" or r.name.startswith("uvicorn")]
    assert [r.levelno for r in said] == [logging.WARNING] and "too many requests" in said[0].getMessage()


def test_calls_of_two_tokens_at_once_are_never_mixed(office, tokens):
    with served(office) as url, ThreadPoolExecutor(50) as pool:
        whose = [CY, ADA] * 25
        for who, (status, _, body) in zip(whose, pool.map(lambda who: asked(url, tokens[who]), whose), strict=True):
            found = told(body)
            assert (status, found["viewer"], bool(found["rows"])) == (200, who, who == CY)


def working():
    """How many threads do the work of requests now."""
    return sum(_names(frame) for frame in sys._current_frames().values())


def _names(frame):
    while frame is not None:
        if frame.f_code.co_name == "work" and frame.f_code.co_filename.endswith("mcp_server/server.py"):
            return True
        frame = frame.f_back
    return False


def test_clients_that_hang_up_leave_nothing_to_others_and_no_more_work_than_there_are_threads(office, tokens, caplog):
    most, over = [0], threading.Event()

    def watch():
        while not over.wait(0.002):
            most.append(working())

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        with served(office) as url:
            for _ in range(60):
                with ExitStack() as stack:
                    connected(stack, url, request(url, tokens[CY], "ask", question="Who owns burner?", arm="both"))
            for who in (ADA, CY, ADA):
                found = told(asked(url, tokens[who])[2])
                assert (found["viewer"], bool(found["rows"])) == (who, who == CY)
    finally:
        over.set()
        watching.join()
    assert 0 < max(most) <= THREADS
    assert not [r for r in caplog.records if r.levelno >= logging.ERROR]
