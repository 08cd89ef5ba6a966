"""Fields for the parameters of a query file, and their values in a page's address."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from brain.catalogue import Param, Query
from brain.errors import ToolError
from brain.ui import text

PREFIX = "p."


def from_url(query: Query, params: Mapping[str, str]) -> dict[str, Any]:
    """The query's arguments as the address gives them; what it leaves out comes from the example."""
    values: dict[str, Any] = {p.name: query.example.get(p.name, p.default) for p in query.params}
    for p in query.params:
        raw = params.get(PREFIX + p.name)
        if raw is not None:
            values[p.name] = parse(p, raw)
    return values


def to_url(values: Mapping[str, Any]) -> dict[str, str]:
    """The arguments as parameters of an address; those without a value are left out."""
    return {PREFIX + k: written(v) for k, v in values.items() if v is not None}


def written(value: Any) -> str:
    """A value as a person types it into its field: a list one item a line."""
    if isinstance(value, list | tuple):
        return "\n".join(map(str, value))
    return json.dumps(value) if isinstance(value, bool) else "" if value is None else str(value)


def parse(param: Param, raw: str) -> Any:
    """What a person typed, as the parameter's type; nothing typed is no value. ToolError if it does not fit."""
    raw = raw.strip()
    kind = param.type.rstrip("?")
    if kind.startswith("list["):
        return [_one(param, kind[5:-1], line.strip()) for line in raw.splitlines() if line.strip()]
    return None if raw == "" and kind != "str" else _one(param, kind, raw)


def _one(param: Param, kind: str, raw: str) -> Any:
    try:
        if kind == "int":
            return int(raw)
        if kind == "float":
            return float(raw)
    except ValueError:
        raise ToolError(f"{param.name!r} must be {param.type}, not {raw!r}") from None
    if kind == "bool":
        if raw.lower() not in ("true", "false"):
            raise ToolError(f"{param.name!r} must be true or false, not {raw!r}")
        return raw.lower() == "true"
    return raw


def fields(query: Query, values: Mapping[str, Any], key: str) -> dict[str, str]:
    """A field for each parameter, filled with `values`; what stands in them, as typed."""
    typed: dict[str, str] = {}
    for row in range(0, len(query.params), 2):
        for column, param in zip(st.columns(2), query.params[row : row + 2], strict=False):
            label = f"{text.safe_md(param.name)} ({text.safe_md(param.type)}{'' if param.required else ', optional'})"
            start = written(values.get(param.name))
            name = f"{key}_{query.name}_{param.name}"
            if param.type.startswith("list["):
                typed[param.name] = column.text_area(label, start, key=name, height=80, help="One a line")
            elif param.type.rstrip("?") == "bool":
                options = ["true", "false"] if param.required else ["", "true", "false"]
                index = options.index(start) if start in options else 0
                typed[param.name] = str(column.selectbox(label, options, index=index, key=name))
            else:
                typed[param.name] = column.text_input(label, start, key=name)
    return typed
