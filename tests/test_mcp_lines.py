"""Standard input as lines: real pipes and files, whatever comes in them, and an end to waiting at any time."""

from __future__ import annotations

import os
import threading
import time

import anyio
import pytest

from brain.mcp_server.lines import Lines

MESSAGE = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'


def came(*parts):
    """The lines that come out where these parts are written to a pipe, one after the other."""
    read, write = os.pipe()

    def send():
        for part in parts:
            os.write(write, part)
            time.sleep(0.005)
        os.close(write)

    async def run():
        return [line async for line in Lines(read)]

    sending = threading.Thread(target=send)
    sending.start()
    try:
        return anyio.run(run)
    finally:
        sending.join()
        os.close(read)


def test_a_mark_of_byte_order_in_front_of_the_first_line_is_no_part_of_it(caplog):
    line = MESSAGE.encode() + b"\n"
    for parts in ([b"\xef\xbb\xbf" + line], [b"\xef", b"\xbb\xbf", line], [b"\xef\xbb\xbf" + line, line]):
        assert set(came(*parts)) == {MESSAGE + "\n"}
    assert not caplog.records


def test_lines_are_whole_however_they_come():
    text = f"{MESSAGE}\n\n" + '{"x": "' + "é" * 100_000 + '"}\n' + MESSAGE
    whole = text.encode()
    assert came(whole[:7], whole[7:300], whole[300:100_001], whole[100_001:]) == text.splitlines(keepends=True)
    assert came() == [] and came(b"\n") == ["\n"]


@pytest.mark.parametrize("line", [b"help", b"{", b"[]", b"null", b"[" * 9000, b"\xff\xfe{\x00}\x00", b"Content-Length: 3"])
def test_a_line_that_holds_no_message_is_told_to_the_log(line, caplog):
    assert len(came(line + b"\n")) == 1
    assert [r.getMessage().split(";")[0] for r in caplog.records] == ["a line that holds no message was left out"]


def test_a_file_is_read_to_its_end(tmp_path):
    path = tmp_path / "messages"
    path.write_text(f"{MESSAGE}\n{MESSAGE}\n")

    async def run():
        with path.open("rb") as file:
            return [line async for line in Lines(file.fileno())]

    assert anyio.run(run) == [f"{MESSAGE}\n"] * 2


def test_waiting_for_a_line_can_be_ended():
    read, write = os.pipe()

    async def run():
        with anyio.move_on_after(0.05) as over:
            await anext(Lines(read))
        return over.cancelled_caught

    try:
        assert anyio.run(run)
    finally:
        os.close(read)
        os.close(write)
