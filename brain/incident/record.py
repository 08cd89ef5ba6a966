"""An investigation as JSON, and back: what is kept, printed and compared."""

from __future__ import annotations

from dataclasses import asdict, fields, is_dataclass
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

import orjson

from brain.incident.findings import Investigation

MAX_ROWS = 200


def as_json(inv: Investigation) -> dict[str, Any]:
    """What the command line's `--json` gives: the fields of `Investigation`; of a step's evidence the keys, of its rows 200."""
    data = asdict(inv)
    for step in data["steps"]:
        step["rows"] = step["rows"][:MAX_ROWS]
        step["nodes"] = [n["key"] for n in step["nodes"]]
        step["edges"] = [[e["src"], e["rel"], e["dst"]] for e in step["edges"]]
    return cast("dict[str, Any]", orjson.loads(orjson.dumps(data, default=str, option=orjson.OPT_NON_STR_KEYS)))


def dumps(inv: Investigation) -> str:
    """The whole investigation as text; rows of a step beyond 200 are left out of the record."""
    data = asdict(inv)
    for step in data["steps"]:
        step["rows"] = step["rows"][:MAX_ROWS]
    return orjson.dumps(data, default=str, option=orjson.OPT_NON_STR_KEYS).decode()


def loads(text: str) -> Investigation:
    """The investigation that `dumps` wrote."""
    return cast(Investigation, _made(Investigation, orjson.loads(text)))


def _made(wanted: Any, value: Any) -> Any:
    """The value as the type asks for it."""
    if value is None or wanted is Any:
        return value
    if is_dataclass(wanted) and isinstance(wanted, type):
        hints = get_type_hints(wanted)
        return wanted(**{f.name: _made(hints[f.name], value[f.name]) for f in fields(wanted) if f.name in value})
    origin, args = get_origin(wanted), get_args(wanted)
    if origin is tuple:
        inner = args[0] if args else Any
        return tuple(_made(inner, v) for v in value)
    if origin in (Union, UnionType):
        return _made(next(a for a in args if a is not type(None)), value)
    return value
