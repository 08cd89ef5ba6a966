"""The protocol over real ports and pipes: who may come in, as whom they are answered, and what the door keeps out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import anyio
import httpx2
import pytest
from acting_company import ADA, ADMIN, CY
from acting_company import office as acting
from mcp import Client, StdioServerParameters
from mcp_client import over_http, said, served

from brain.mcp_server import http
from brain.mcp_server.tokens import DAY, Tokens
from brain.store import graph_name

W = "mcp-http"
SECRET = "ticket:KIL-9"
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def office(home, shared_store):
    """A company in which one ticket is the gas team's alone; Cy is in that team."""
    with acting(home, W) as made:
        yield made


@pytest.fixture(scope="module")
def tokens(office):
    return {who: Tokens(office.files.folder).create(who, office.now(), 30)[1] for who in (ADA, CY, ADMIN, "guest", "nobody", "stranger")}


@pytest.fixture(scope="module")
def url(office):
    with served(office) as address:
        yield address


def post(url, token=None, body=LIST, **headers):
    auth = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx2.post(url, json=body, headers={**HEADERS, **auth, **headers}, timeout=10)


def details(url, token, key=SECRET, mode="auto"):
    return over_http(url, token, lambda c: c.call_tool("details", {"key": key}), mode).structured_content


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_request_is_answered_as_the_viewer_of_its_token(url, tokens, mode):
    for who, sees in ((CY, True), (ADMIN, True), (ADA, False), ("guest", False), ("nobody", False), ("stranger", False)):
        told = details(url, tokens[who], mode=mode)
        assert (told["viewer"], bool(told["rows"])) == (who, sees)


def test_nobody_comes_in_without_a_token_that_counts(url, office, tokens):
    tokens_ = Tokens(office.files.folder)
    over, gone = tokens_.create(ADMIN, office.now() - 2 * DAY, 1)[1], tokens_.create(ADMIN, office.now(), 9)
    tokens_.revoke(gone[0].id)
    bad = [None, "", "x", over, gone[1], tokens[CY] + "x", tokens[CY][:-1], f"{tokens[CY]} {tokens[ADA]}"]
    refused = [post(url, token) for token in bad]
    refused += [post(url, Authorization=value) for value in ("Basic bG9jYWw6", "Bearer", tokens[CY], "Bearer local", "bearer admin")]
    refused += [httpx2.get(url), httpx2.delete(url), httpx2.post(url.replace("/mcp", "/other"), json=LIST)]
    two = [("Authorization", f"Bearer {tokens[CY]}"), ("Authorization", f"Bearer {tokens[ADMIN]}")]
    refused.append(httpx2.post(url, json=LIST, headers=[*HEADERS.items(), *two]))
    for answer in refused:
        assert answer.status_code == 401 and answer.headers["www-authenticate"].startswith("Bearer"), answer.text
        assert "tools" not in answer.text
    assert post(url, tokens[CY]).status_code == 200


def test_tokens_that_cannot_be_read_let_nobody_in(url, office, tokens, caplog):
    path = office.files.folder / "mcp_tokens.json"
    whole = path.read_bytes()
    path.write_bytes(b"[")
    try:
        answer = post(url, tokens[ADMIN])
    finally:
        path.write_bytes(whole)
    assert answer.status_code == 503 and "tools" not in answer.text and "give out new tokens" in caplog.text


def test_a_server_for_guests_lets_them_in_without_a_token_and_nobody_with_a_wrong_one(office, tokens):
    with served(office, unnamed="guest") as url:
        told = details(url, None)
        assert (told["viewer"], told["rows"]) == ("guest", [])
        assert details(url, tokens[CY])["rows"]
        assert post(url, "wrong").status_code == 401


def test_two_clients_at_the_same_time_are_answered_each_as_itself(url, tokens):
    seen: dict[str, list] = {who: [] for who in (CY, ADA, "guest", ADMIN)}

    def ask(who):
        async def job(client):
            for _ in range(6):
                seen[who].append((await client.call_tool("details", {"key": SECRET})).structured_content)
                seen[who].append((await client.call_tool("ask", {"question": "Who owns burner?"})).structured_content)

        over_http(url, tokens[who], job)

    threads = [threading.Thread(target=ask, args=(who,)) for who in seen]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
    for who, told in seen.items():
        looked = [t for t in told if "rows" in t]
        assert len(told) == 12 and {t["viewer"] for t in looked} == {who}
        assert {bool(t["rows"]) for t in looked} == {who in (CY, ADMIN)}


def test_rights_are_those_of_the_moment_and_not_of_the_token(office, home, tokens, url):
    graph = graph_name(W)
    assert details(url, tokens[CY])["rows"]
    left = "MATCH (:Entity {key: 'person:cy'})-[r:MEMBER_OF]->(:Entity {key: 'team:gas'}) SET r.valid_to = %s"
    office.store.write(graph, left % (office.now() - 1))
    office.store.changed(graph)
    try:
        assert details(url, tokens[CY])["rows"] == []
    finally:
        office.store.write(graph, left % "NULL")
        office.store.changed(graph)
    assert details(url, tokens[CY])["rows"]


def test_the_door_keeps_out_what_is_foreign_too_large_or_no_request(url, tokens):
    token = tokens[ADMIN]
    assert post(url, token, Host="evil.example").status_code == 421
    assert post(url, token, Origin="http://evil.example").status_code == 403
    large = {**LIST, "params": {"x": "y" * http.LARGEST_REQUEST}}
    assert post(url, token, large).status_code == 413
    auth = {"Authorization": f"Bearer {token}"}
    assert httpx2.get(url, headers=auth).status_code == 405 and httpx2.delete(url, headers=auth).status_code == 405
    for body in (b"", b"{", b"[]", b"null", b'{"jsonrpc": "2.0", "id": 1}', b"\xff\xfe", b"[" * 5000):
        answer = httpx2.post(url, content=body, headers={**HEADERS, **auth})
        assert 400 <= answer.status_code < 500 and "Traceback" not in answer.text
    assert post(url, token).status_code == 200


def test_runs_of_one_token_are_nothing_to_another(url, tokens):
    run = over_http(url, tokens[CY], lambda c: c.call_tool("ask", {"question": "Who owns burner?"})).structured_content["answers"][0]

    async def job(client):
        listed = [r.uri for r in (await client.list_resources()).resources]
        try:
            return listed, (await client.read_resource(run["resource"])).contents[0].text
        except Exception as error:
            return listed, str(error)

    listed, text = over_http(url, tokens[CY], job)
    assert run["resource"] in listed and json.loads(text)["run"] == run["run"]
    for who in (ADA, "guest", "stranger"):
        listed, text = over_http(url, tokens[who], job)
        assert run["resource"] not in listed and text == f"there is nothing at {run['resource']!r} that you may read"


@pytest.mark.parametrize(
    ("host", "others", "inside", "outside"),
    [
        ("127.0.0.1", [], "localhost:*", "0.0.0.0:*"), ("::1", [], "[::1]:*", "evil:*"), ("0.0.0.0", ["brain.example"], "brain.example", "0.0.0.0:8765"),
        ("192.0.2.7", [], "192.0.2.7:8765", "localhost:*"), ("192.0.2.7", ["proxy:443"], "proxy:443", "proxy:443:*"),
    ],
)  # fmt: skip
def test_a_server_goes_by_the_names_it_was_given(host, others, inside, outside):
    names = http.names(host, 8765, others)
    assert inside in names and outside not in names


@pytest.mark.parametrize(("text", "at"), [("8765", ("127.0.0.1", 8765)), ("127.0.0.1:0", ("127.0.0.1", 0)), ("[::1]:8765", ("::1", 8765)), ("box:80", ("box", 80))])
def test_a_place_is_read_and_alone_means_this_machine(text, at):
    assert http.place(text) == at


# -- standard input and output --------------------------------------------------------------


def started(home, *args, **env):
    plain = {**os.environ, "BRAIN_HOME": str(home.home), **env}
    return {"command": sys.executable, "args": ["-m", "brain.cli", "mcp", "-w", W, *args], "env": plain}


def test_a_process_serves_the_viewer_it_was_started_for(office, home):
    async def run():
        async with Client(StdioServerParameters(**started(home, BRAIN_VIEWER="ada"))) as client:
            tools = {t.name for t in (await client.list_tools()).tools}
            found = await client.call_tool("details", {"key": SECRET})
            asked = await client.call_tool("ask", {"question": "Who owns kiln-control?", "viewer": "local"})
            return tools, found.structured_content, asked

    tools, found, asked = anyio.run(run)
    assert tools == {*office.tools, "ask", "incident"} - {"cypher_readonly"}
    assert (found["viewer"], found["rows"]) == ("ada", []) and asked.is_error and "no parameter 'viewer'" in said(asked)


def test_nothing_but_the_protocol_is_printed(office, home):
    how = started(home, "--as", "who-is-this")
    sent = [
        HELLO, READY,
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "ask", "arguments": {"question": "Who owns burner?", "arm": "both"}}},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "details", "arguments": {"key": SECRET}}},
    ]  # fmt: skip
    process = subprocess.Popen([how["command"], *how["args"]], env=how["env"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        process.stdin.write("\ufeff" + "".join(f"{json.dumps(m)}\n" for m in sent) + "no json\n")
        process.stdin.flush()
        got = {}
        while {1, 2, 3} - got.keys():
            message = json.loads(process.stdout.readline())
            got[message.get("id")] = message
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert got[1]["result"]["protocolVersion"] == "2025-06-18" and got[2]["result"]["structuredContent"]["answers"]
    assert got[3]["result"]["structuredContent"]["rows"] == []
    assert "nobody in 'mcp-http' has the login 'who-is-this'" in errors and "Traceback" not in errors
    assert "a line that holds no message was left out" in errors
    assert process.returncode == 0


def test_ctrl_c_ends_a_process_while_its_input_stays_open_and_something_is_looked_up(office, home):
    how = started(home)
    ask = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "ask", "arguments": {"question": "Who owns burner?", "arm": "both"}}}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    heard = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}  # what runs in the background inherits that it is ignored
    process = subprocess.Popen([how["command"], *how["args"]], env=how["env"], text=True, **pipes, **heard)
    try:
        process.stdin.write(json.dumps(HELLO) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.stdin.write(f"{json.dumps(READY)}\n{json.dumps(ask)}\n")
        process.stdin.flush()
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert all(json.loads(line)["id"] == 2 for line in process.stdout) and not process.stderr.read()
    finally:
        process.kill()
        process.wait()
