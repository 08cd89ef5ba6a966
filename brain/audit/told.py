"""What a viewer is told, as plain values that can be compared, and where two such differ."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from typing import Any

from brain.types import Answer, Result, Step

DIGITS, MOST = 6, 300
# Of a run its name and what it took; of a query its text and parameters, which say how many passages there are.
_ITS_OWN = frozenset({"run", "usage", "ms", "server_ms", "params", "query"})


def told(value: Any) -> Any:
    """The value as lists, mappings, text and numbers. Floats keep six digits: further ones depend on the order in which the
    index adds up.
    """
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, Result | Answer | Step):
        return {f.name: told(getattr(value, f.name)) for f in fields(value) if f.name not in _ITS_OWN}
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: told(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(k): told(v) for k, v in value.items()}
    if isinstance(value, Set):
        return sorted(told(v) for v in value)
    return [told(v) for v in value] if isinstance(value, list | tuple) else value


def first_difference(a: Any, b: Any, where: str = "") -> str:
    """The first place at which two such values differ and what stands there in each; empty when they are the same."""
    if isinstance(a, dict) and isinstance(b, dict):
        names = list(dict.fromkeys((*a, *b)))
        return next((d for n in names if (d := first_difference(a.get(n), b.get(n), f"{where}.{n}" if where else n))), "")
    if isinstance(a, list) and isinstance(b, list):
        found = next((d for i, (x, y) in enumerate(zip(a, b, strict=False)) if (d := first_difference(x, y, f"{where}[{i}]"))), "")
        more = f"{where}: {len(a)} with what is hidden, {len(b)} without" if len(a) != len(b) else ""
        return f"{more}; {found}"[:MOST] if more and found else more or found
    if a == b and type(a) is type(b):
        return ""
    return f"{where}: {_short(a)} with what is hidden, {_short(b)} without"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= MOST // 3 else f"{text[: MOST // 3]}…"
