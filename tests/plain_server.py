"""A plain redis-server with the module, as somebody else would run it: behind an address, with a password."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from brain import embedded
from brain.errors import HopcheckError
from brain.settings import Settings
from brain.store import Store

PASSWORD = "a-password"


def _free_port() -> int:
    with socket.socket() as peer:
        peer.bind(("127.0.0.1", 0))
        return int(peer.getsockname()[1])


@contextmanager
def plain_server(folder: Path) -> Iterator[Settings]:
    """The settings that reach it; it ends with the block."""
    redis_server, module = embedded.binaries(Settings())
    port = _free_port()
    words = [redis_server, "--port", port, "--bind", "127.0.0.1", "--requirepass", PASSWORD, "--dir", folder, "--save", "", "--loadmodule", module]
    process = subprocess.Popen([*map(str, words)], stdout=subprocess.DEVNULL)
    settings = Settings(home=folder, falkordb_url=f"redis://:{PASSWORD}@127.0.0.1:{port}")
    try:
        until = time.monotonic() + 20
        while True:
            try:
                Store.open(settings).close()
                break
            except HopcheckError:
                assert time.monotonic() < until
                time.sleep(0.05)
        yield settings
    finally:
        process.kill()
        process.wait()
