"""How a raw file is put on disk: UTF-8, line feeds, the same bytes everywhere."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def text(path: Path, content: str) -> None:
    """Writes a text; its folder is made when it is not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8", newline="\n")


def as_json(path: Path, value: Any) -> None:
    """Writes a value as JSON that a person can read."""
    text(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def as_lines(path: Path, records: Iterable[Any]) -> None:
    """Writes records as JSON, one a line."""
    text(path, "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records))
