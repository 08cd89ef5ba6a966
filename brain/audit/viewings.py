"""Who looked at a workspace as whom: a line for each time an administrator began to view as somebody, beside the records."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import orjson

from brain.ingest import Workspace


@dataclass(frozen=True)
class Viewing:
    """That the administrator `who` began at an instant (epoch seconds) to look at the workspace as `seen_as`."""

    at: int
    who: str
    seen_as: str
    workspace: str


def note(files: Workspace, viewing: Viewing) -> None:
    """Adds a line; nothing is shown before it is written."""
    path = files.folder / "access" / "viewings.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as log:
        log.write(orjson.dumps(asdict(viewing)) + b"\n")


def latest(files: Workspace, k: int = 50) -> list[Viewing]:
    """The latest lines, newest first; one that cannot be read is left out."""
    try:
        lines = (files.folder / "access" / "viewings.jsonl").read_bytes().splitlines()
    except OSError:
        return []
    found = []
    for line in reversed(lines):
        try:
            found.append(Viewing(**orjson.loads(line)))
        except (ValueError, TypeError):
            continue
        if len(found) == k:
            break
    return found
