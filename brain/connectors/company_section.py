"""What every source of plain files is made of: its head, the records file by file, what was left out, the totals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from brain.connectors.folders import files_under, place
from brain.connectors.tally import Tally
from brain.errors import BadInput

Record = dict[str, Any]
Read = Callable[[Path, str, Tally], Iterator[Record]]


def section(
    format: str,
    paths: Sequence[Path],
    *,
    base: Path,
    name: str,
    access: str,
    read: Read,
    wanted: Callable[[Path], bool] | None = None,
) -> Iterator[Record]:
    """The records of one source. `read` gives those of a file and tells the tally what it keeps and leaves out; under a
    folder only files that are `wanted` are read.

    A file that cannot be read among others is one skip; the only one, or none that holds anything, raises BadInput.
    """
    yield {
        "kind": "source", "format": format, "source": f"{format}:{name}", "root": str(base), "complete": False, "as_of": 0,
        "access": access, "path": ", ".join(str(p) for p in paths[:3]) + (", ..." if len(paths) > 3 else ""),
    }  # fmt: skip
    tally = Tally()
    single = len(paths) == 1 and paths[0].is_file()
    for path in files_under(paths):
        file = place(path, base)
        if wanted is not None and path not in paths and not wanted(path):
            tally.skip(f"holds no {format}", file)
            continue
        try:
            for record in read(path, file, tally):
                yield {"access": access, **record, "file": file}
        except BadInput as error:
            if single:
                raise
            line, reason = _placed(str(error), path)
            tally.skip(reason, file, line)
    if not tally.kept:
        raise BadInput(f"{paths[0]}: holds no {format} that can be loaded" + (f" ({tally.reason})" if tally.reason else ""))
    yield from tally.records()


def _placed(message: str, path: Path) -> tuple[int, str]:
    """The line and the reason of a message that begins with the file, and may name the line."""
    found = re.match(rf"{re.escape(str(path))}(?::(\d+))?: ", message)
    return (int(found[1] or 0), message[found.end() :]) if found else (0, message)
