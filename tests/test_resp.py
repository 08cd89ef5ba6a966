"""The protocol, against a peer that misbehaves in the ways sockets do."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from brain.resp import Connection, ProtocolError, ReplyError, info


@contextmanager
def peer(path: Path, behave: Callable[[socket.socket], object]) -> Iterator[Connection]:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def serve() -> None:
            with listener.accept()[0] as accepted:
                accepted.recv(1000)
                behave(accepted)

        thread = threading.Thread(target=serve)
        thread.start()
        with Connection(path, timeout=2) as connection:
            yield connection
        thread.join()


def trickle(data: bytes) -> Callable[[socket.socket], None]:
    def behave(accepted: socket.socket) -> None:
        for n in range(len(data)):
            accepted.sendall(data[n : n + 1])

    return behave


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"+PONG\r\n", "PONG"),
        (b":-7\r\n", -7),
        (b"$-1\r\n", None),
        (b"$0\r\n\r\n", ""),
        (b"$6\r\na\r\nb\r\n\r\n", "a\r\nb\r\n"),
        (b"*3\r\n:1\r\n*-1\r\n*1\r\n$2\r\n\xc3\xa9\r\n", [1, None, ["é"]]),
    ],
)
def test_replies_that_arrive_byte_by_byte(tmp_path: Path, data: bytes, value: object) -> None:
    with peer(tmp_path / "s", trickle(data)) as connection:
        assert connection.call("X", 1, b"\x00") == value


def test_an_error_reply_is_raised_with_its_code(tmp_path: Path) -> None:
    with peer(tmp_path / "s", trickle(b"-LOADING data\r\n")) as c, pytest.raises(ReplyError, match=r"^LOADING data$"):
        c.call("PING")


@pytest.mark.parametrize("data", [b"", b"HTTP/1.1 400\r\n", b"$5\r\nab", b"*2\r\n:1\r\n", b"?1\r\n", b"x" * 70_000])
def test_nonsense_or_a_closed_connection_is_a_protocol_error(tmp_path: Path, data: bytes) -> None:
    with peer(tmp_path / "s", lambda s: s.sendall(data)) as connection, pytest.raises(ProtocolError):
        connection.call("PING")


def test_a_peer_that_trickles_forever_runs_into_the_timeout(tmp_path: Path) -> None:
    def forever(accepted: socket.socket) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):
            for _ in range(400):
                accepted.send(b"+")
                time.sleep(0.05)

    started = time.monotonic()
    with peer(tmp_path / "s", forever) as connection:
        with pytest.raises(TimeoutError):
            connection.call("PING")
        assert time.monotonic() - started < 10


def test_nobody_there_leaves_no_socket_open(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Connection(tmp_path / "none")


def test_info_fields() -> None:
    assert info("# Server\r\nredis_version:8\r\npath:/a:b\r\n\r\n") == {"redis_version": "8", "path": "/a:b"}
