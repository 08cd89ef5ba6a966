"""Small Slack exports written by hand in a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

USERS = {"U0000001": ("ada", "Ada Byron"), "U0000002": ("bo", "Bo Diddley"), "U0000003": ("cy", "Cy Twombly")}
T0 = 1_780_000_000


def user(id_: str, handle: str, name: str, **more: Any) -> dict[str, Any]:
    return {"id": id_, "team_id": "T1", "name": handle, "real_name": name, "deleted": False, "is_bot": False,
            "profile": {"real_name": name, "display_name": handle, "email": f"{handle}@example.org", "title": ""}, **more}  # fmt: skip


def channel(id_: str, name: str, members: tuple[str, ...] = ("U0000001", "U0000002"), **more: Any) -> dict[str, Any]:
    return {"id": id_, "name": name, "created": T0, "creator": "U0000001", "is_archived": False, "members": list(members), **more}


def ts(n: int) -> str:
    """The time stamp of the minute n."""
    return f"{T0 + 60 * n}.000100"


def message(who: str, n: int, text: str, thread: int | None = None, **more: Any) -> dict[str, Any]:
    """A message of minute n; `thread` is the minute of the message it answers, or its own where it has answers."""
    start = {} if thread is None else {"thread_ts": ts(thread)}
    return {"type": "message", "user": who, "text": text, "ts": ts(n), **start, **more}


def export(
    folder: Path, channels: dict[str, list[dict[str, Any]]] | None = None, private: tuple[str, ...] = (), users: list[Any] | None = None
) -> Path:
    """An export with the users above and these channels, one file of one day each."""
    said = channels or {}
    given = [user(id_, *names) for id_, names in USERS.items()] if users is None else users
    write(folder / "users.json", given)
    write(folder / "channels.json", [channel(f"C000000{i}", name) for i, name in enumerate(said) if name not in private])
    write(folder / "groups.json", [channel(f"G000000{i}", name) for i, name in enumerate(said) if name in private])
    for name, messages in said.items():
        write(folder / name / "2026-05-28.json", messages)
    return folder


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False), "utf-8")
    return path
