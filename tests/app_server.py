"""The app as its own process, a browser for it, and a websocket that speaks to it without one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

ROOT = Path(__file__).parent.parent
CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@contextmanager
def serving(home: Path, port: int, options: Sequence[str] = (), **env: str) -> Iterator[str]:
    """A fresh server of the app; the store is that of `home`."""
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", "--server.port", str(port), *options]
    around = {**os.environ, "BRAIN_HOME": str(home), "NO_PROXY": "localhost,127.0.0.1", **env}
    with (home / f"app-{port}.log").open("w") as log:
        server = subprocess.Popen(command, cwd=ROOT, env=around, stdout=log, stderr=log)
        try:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1) as reply:
                        if reply.read() == b"ok":
                            break
                except OSError:
                    time.sleep(0.1)
            yield f"http://localhost:{port}/"
        finally:
            server.terminate()
            server.wait(20)


def drawn(port: int, page: str, query: str, headers: Sequence[tuple[str, str]] = (), host: str = "") -> str:
    """Everything a page sends to a client that calls with these headers, and calls the server `host`, in one text."""
    name = host or f"localhost:{port}"
    told = []
    with (
        socket.create_connection(("127.0.0.1", port)) as sock,
        connect(f"ws://{name}/_stcore/stream", sock=sock, additional_headers=list(headers), subprotocols=["streamlit"], max_size=None) as client,  # type: ignore[list-item]
    ):
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = page
        client.send(message.SerializeToString())
        while True:
            got = ForwardMsg.FromString(client.recv(timeout=60))
            told.append(str(got))
            if got.WhichOneof("type") == "script_finished" and got.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return "\n".join(told)
