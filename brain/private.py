"""The folder of all state is its owner's alone: records, vectors and what is being read hold restricted texts as they came."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

ROOMS = ("workspaces", "vectors", "scratch")
_OTHERS = 0o077


def close(home: Path) -> None:
    """Makes the folder where there is none, and closes the rooms in it to everybody else on this machine, those that stood open too. What
    cannot be made or changed is left to whoever needs it to complain of.
    """
    with suppress(OSError):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        for room in (home / name for name in ROOMS):
            room.mkdir(mode=0o700, exist_ok=True)
            if room.stat().st_mode & _OTHERS:
                room.chmod(0o700)
