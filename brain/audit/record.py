"""The last result of every check of access, kept beside the workspace's records so that the Access page can show it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from brain.errors import BadInput
from brain.ingest import Workspace

CHECKS = ("probe", "differential", "mutation", "pivot", "cost")


@dataclass(frozen=True)
class Kept:
    """A result with the instant it was made at (epoch seconds) and the version of the graph it was made over."""

    made_at: int
    graph: str
    result: dict[str, Any]


def save(files: Workspace, name: str, result: dict[str, Any], *, at: int, graph: str) -> None:
    """Keeps a result in the place of the last one."""
    path = _path(files, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(orjson.dumps({"made_at": at, "graph": graph, "result": result}, option=orjson.OPT_INDENT_2))
    os.replace(fresh, path)


def last(files: Workspace, name: str) -> Kept | None:
    """The last result; None when the check never ran here or its file cannot be read."""
    try:
        kept = orjson.loads(_path(files, name).read_bytes())
        return Kept(int(kept["made_at"]), str(kept["graph"]), dict(kept["result"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _path(files: Workspace, name: str) -> Path:
    if name not in CHECKS:
        raise BadInput(f"there is no check {name!r}; legal: {', '.join(CHECKS)}")
    return files.folder / "access" / f"{name}.json"
