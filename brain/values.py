"""What may travel to the database: plain values as a Cypher parameter header, and nothing else.

The client turns unknown types into bare text, which would be an injection; so the header is made
here, from text, numbers, true/false and lists of them, and everything else is refused.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from brain.errors import ToolError

_CONTROL = re.compile(r"[\x00-\x07\x0b\x0e-\x1f\x7f]")
_MAX_INT = 2**63 - 1
_VECTOR = 64


def clean_text(text: str) -> str:
    """The text without what the store cannot hold: NUL and other control characters, lone surrogates."""
    text = _CONTROL.sub("", text)
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def plain(value: Any) -> Any:
    """The value as text, whole number, finite number, true/false, None or lists of them; else ToolError."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean_text(str(value))
    if isinstance(value, int):
        if abs(value) > _MAX_INT:
            raise ToolError(f"the number {value} does not fit in 64 bits")
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ToolError(f"{value!r} is not a finite number")
        return float(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(v) for v in (sorted(value) if isinstance(value, (set, frozenset)) else value)]
    raise ToolError(f"a query takes text, numbers and lists, not {type(value).__name__}")


def literal(value: Any) -> str:
    """The value as a Cypher literal; a vector, which is a list of at least 64 floats, with the six digits the store keeps."""
    if isinstance(value, list) and len(value) >= _VECTOR and all(type(v) is float and math.isfinite(v) for v in value):
        return f"[{','.join(map('%.6g'.__mod__, value))}]"
    return json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"))


def header(params: Mapping[str, Any]) -> str:
    """`CYPHER name=value ...` in front of a query text; empty when there are no parameters."""
    parts = [f"{name}={literal(value)}" for name, value in params.items()]
    return f"CYPHER {' '.join(parts)} " if parts else ""


def rows_header(rows: Iterable[Sequence[Any]], vectors: Sequence[str] | None = None) -> str:
    """A header with `rows`, a list of lists; `vectors` are ready-made list literals put last in each row."""
    if vectors is None:
        return f"CYPHER rows={literal(list(rows))} "
    joined = ",".join(f"{literal(list(row))[:-1]},{vector}]" for row, vector in zip(rows, vectors, strict=True))
    return f"CYPHER rows=[{joined}] "
