"""Exchanges with a real HTTP server, recorded and heard again: the same bytes, the same faults, no key, no network."""

from __future__ import annotations

import gzip
import json
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

import httpx2
import pytest
from model_server import call, fails, model_server, page, raw, text

from brain.errors import BadInput, HopcheckError
from brain.llm import recording
from brain.llm.faults import Fault
from brain.llm.recording import Recorder
from brain.llm.replaying import Replay, load

KEY = "sk-wholly-secret-0123456789"
MADE = {"llm_seed": 7}


def post(client, body, url="http://nowhere.invalid/v1"):
    """What a client hears: status and bytes, or the name of the fault."""
    heard = b""
    try:
        with client.stream("POST", f"{url}/chat/completions", json=body, headers={"authorization": f"Bearer {KEY}"}) as response:
            for part in response.iter_bytes():
                heard += part
            return response.status_code, heard
    except httpx2.TransportError as err:
        return type(err).__name__, heard


def asked(n, **more):
    return {"model": "m", "stream": True, "messages": [{"role": "user", "content": f"question {n}"}], **more}


def recorder(path, **how):
    return httpx2.Client(transport=Recorder(httpx2.HTTPTransport(), path, MADE, KEY), **how)


def replayer(path):
    return httpx2.Client(transport=Replay(load(path)))


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """A recording of everything that can come back, and what was heard when it was made."""
    path = tmp_path_factory.mktemp("recorded") / "all.jsonl"
    broken = b'data: {"choices":[{"delta":{"content":"\xff\xfe caf\xc3\xa9 \\ud83d"}}]}\n\n'
    script = [
        text("Grüße 🚀 “quoted”"), call("who_knows", target="x"), fails(429, "too fast", headers={"retry-after": "30"}), text("then this"),
        page(), raw(b'{"choices": [{"mess'), raw(broken, "text/event-stream"), fails(401, f"the key {KEY} is not known"),
        text("cut here, long before its end", cut_after=3),
    ]  # fmt: skip
    bodies = [asked(1), asked(2), asked(3), asked(3), asked(4), asked(5), asked(6), asked(7), asked(8)]
    with model_server(script) as server, recorder(path) as client:
        heard = [post(client, body, server.url) for body in bodies]
        gone = server.url
    with recorder(path) as client:
        heard.append(post(client, asked(9), gone))
        bodies.append(asked(9))
    return path, bodies, heard


def test_a_replay_gives_the_same_bytes_and_the_same_faults_without_a_network(session):
    path, bodies, heard = session
    assert heard[-1][0] == "ConnectError" and heard[-2][0] == "RemoteProtocolError" and heard[2][0] == 429
    with replayer(path) as client:
        again = [post(client, body) for body in bodies]
    for before, after in zip(heard, again, strict=True):
        assert after == (before[0], before[1].replace(KEY.encode(), b"[key]")), before


def test_the_key_and_the_headers_are_nowhere_in_the_file(session):
    lines = session[0].read_text().splitlines()
    assert KEY in str(session[2]), "the server said the key back"
    assert not any(KEY in line or KEY[3:] in line for line in lines)
    assert all(set(json.loads(line)) <= {"settings", "request", "status", "body", "fault"} for line in lines)
    assert not any(word in line.lower() for line in lines for word in ("authorization", "127.0.0.1", "retry-after", "user-agent"))


def test_the_file_is_for_its_owner_alone(session):
    assert session[0].stat().st_mode & 0o077 == 0


def test_a_request_that_is_repeated_hears_the_recorded_replies_in_order_and_each_conversation_anew(session):
    for _ in range(2):
        with replayer(session[0]) as client:
            assert post(client, asked(3))[0] == 429
            assert b"then" in post(client, asked(3))[1]
            with pytest.raises(Fault, match="no further reply to this request, which was asked 2 times"):
                post(client, asked(3))


def test_a_recorded_refusal_makes_nobody_wait(session):
    with replayer(session[0]) as client, client.stream("POST", "http://nowhere.invalid/", json=asked(3)) as response:
        assert response.status_code == 429
        assert float(response.headers["retry-after-ms"]) < 10 and "retry-after" not in response.headers


def test_the_order_of_names_in_a_request_does_not_matter(session):
    with replayer(session[0]) as client:
        assert post(client, dict(reversed(asked(1).items()))) == session[2][0]


def test_an_unknown_request_says_what_differs_from_the_nearest_and_nothing_of_its_words(session):
    with replayer(session[0]) as client:
        with pytest.raises(Fault) as told:
            post(client, asked(1, seed=3, model="other"))
        assert str(told.value) == (
            "the recording all.jsonl does not hold this request; the nearest one differs in model ('other', recorded 'm'), seed (not there then)"
        )  # fmt: skip
        with pytest.raises(Fault, match=r"differs in message 1$") as told:
            post(client, asked("never asked"))
        assert "question" not in str(told.value)


def test_it_is_read_packed_and_the_models_in_it_are_known(session, tmp_path):
    packed = tmp_path / "all.jsonl.gz"
    packed.write_bytes(gzip.compress(session[0].read_bytes()))
    with replayer(packed) as client:
        assert post(client, session[1][0]) == session[2][0]
    assert load(packed).models == ("m",) and load(packed).settings == MADE


def test_what_a_crash_left_of_a_line_is_left_out_and_written_over(session, tmp_path):
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(session[0].read_bytes() + b'{"request": {"model": "m"}, "sta')
    before = list(recording.read(session[0]))
    assert list(recording.read(torn)) == before
    with model_server([text("after")]) as server, recorder(torn) as client:
        post(client, asked(10), server.url)
    after = list(recording.read(torn))
    assert after[:-1] == before and after[-1].request == asked(10)


@pytest.mark.parametrize("content", [b"hello\n", b'{"a": 1}\n', b"[]\n"])
def test_a_file_that_is_no_recording_is_refused_with_its_line(tmp_path, content):
    (tmp_path / "x.jsonl").write_bytes(content)
    with pytest.raises(BadInput, match=r"x\.jsonl:1"):
        load(tmp_path / "x.jsonl")
    with pytest.raises(BadInput, match="cannot read the recording"):
        load(tmp_path / "absent.jsonl")


def test_a_file_that_was_made_with_other_settings_is_not_added_to(session, tmp_path):
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(session[0].read_bytes())
    with pytest.raises(HopcheckError, match=r"other settings \(llm_seed\); name another file"):
        Recorder(httpx2.HTTPTransport(), copy, {"llm_seed": 8})
    with pytest.raises(HopcheckError, match="BRAIN_LLM_RECORD"):
        Recorder(httpx2.HTTPTransport(), Path("/proc/nowhere/x.jsonl"), MADE)


def test_where_the_disk_is_full_the_answer_still_comes_and_one_line_says_that_it_is_not_recorded(tmp_path, caplog):
    path = tmp_path / "full.jsonl"
    with model_server([text("one"), text("two"), text("three"), text("four")]) as server, recorder(path) as client:
        post(client, asked(1), server.url)
        before, room = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
        ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 50, room[1]))
            heard = [post(client, asked(n), server.url) for n in (2, 3)]
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, room)
            signal.signal(signal.SIGXFSZ, ignored)
        post(client, asked(4), server.url)
    assert [status for status, _ in heard] == [200, 200] and b"two" in heard[0][1] and b"[DONE]" in heard[1][1]
    (line,) = caplog.messages
    assert f"cannot record to {path} (BRAIN_LLM_RECORD)" in line and "\n" not in line
    assert [e.request for e in recording.read(path)] == [asked(1), asked(4)], "what was written in part is not there"


def test_a_stream_that_we_ended_ourselves_ends_as_one_that_stalled(tmp_path):
    path = tmp_path / "closed.jsonl"
    long = text("a long reply that nobody reads to its end", dribble_s=0.05)
    with (
        model_server([long]) as server,
        recorder(path) as client,
        client.stream("POST", f"{server.url}/chat/completions", json=asked(1)) as response,
    ):
        first = next(response.iter_bytes())
    with replayer(path) as client:
        fault, heard = post(client, asked(1))
    assert fault == "ReadTimeout" and heard.startswith(first)


def test_many_threads_and_processes_add_whole_lines_to_one_file(tmp_path):
    path = tmp_path / "shared.jsonl"
    script = (
        "import sys, httpx2\nfrom pathlib import Path\nfrom brain.llm.recording import Recorder\n"
        "inner = httpx2.MockTransport(lambda r: httpx2.Response(200, json={'said': 'x' * 70000}))\n"
        "client = httpx2.Client(transport=Recorder(inner, Path(sys.argv[1]), {'llm_seed': 7}))\n"
        "for n in range(10):\n    client.post('http://a.invalid', json={'who': sys.argv[2], 'n': n})\n"
    )
    others = [subprocess.Popen([sys.executable, "-c", script, str(path), name]) for name in ("one", "two")]
    transport = Recorder(httpx2.MockTransport(lambda r: httpx2.Response(200, json={"said": "y" * 70000})), path, MADE)
    client = httpx2.Client(transport=transport)
    threads = [threading.Thread(target=lambda i=i: [client.post("http://a.invalid", json={"who": i, "n": n}) for n in range(5)]) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [p.wait(60) for p in others] == [0, 0]
    found = list(recording.read(path))
    assert len(found) == 40 and len({json.dumps(e.request) for e in found}) == 40
    assert all(len(e.body) > 70000 for e in found)
