"""What a row must be to come into the graph: its key, its properties and its ends, held against `brain.schema`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from brain.errors import SchemaError
from brain.schema import (
    ACCESS_LABELS,
    ASSERTION_PROPS,
    AUTHORITIES,
    COMMON_PROPS,
    LABEL_OF_PREFIX,
    MAX_KEY_BYTES,
    NODES,
    RELS,
    STATES,
    label_of,
)
from brain.types import EdgeRow, NodeRow, Origin

REL_PROPS = {
    r.name: {*COMMON_PROPS, "id", "how", *r.props, *(ASSERTION_PROPS if r.cls == "assertion" else ())}
    for r in RELS.values()
}
NODE_PROPS = {n.label: {*COMMON_PROPS, *n.props} for n in NODES.values()}


def clean_key(key: str, origin: Origin = Origin("?")) -> str:
    """The key, trimmed. Raises SchemaError when it is empty, holds control characters, is longer
    than 4,096 bytes in UTF-8, or has an unknown prefix: the store's index cannot hold such a key.
    """
    text = key.strip()
    prefix, _, rest = text.partition(":")
    if prefix not in LABEL_OF_PREFIX:
        raise SchemaError(f"{origin}: key {key!r} has an unknown prefix; legal: {', '.join(sorted(LABEL_OF_PREFIX))}")
    if not rest:
        raise SchemaError(f"{origin}: key {key!r} is empty after its prefix")
    if any(ord(c) < 32 or ord(c) == 127 for c in text):
        raise SchemaError(f"{origin}: key {key!r} holds a control character")
    if len(text.encode("utf-8", "surrogatepass")) > MAX_KEY_BYTES:
        raise SchemaError(f"{origin}: key {key[:60]!r}... is longer than {MAX_KEY_BYTES} bytes")
    return text


def _check_value(name: str, value: Any, where: str) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise SchemaError(f"{where}: property {name!r} is {value!r}; numbers must be finite")
    if isinstance(value, (list, tuple)):
        for item in value:
            if item is None or not isinstance(item, (str, int, float, bool)):
                raise SchemaError(f"{where}: property {name!r} holds {type(item).__name__} in its list; only text and numbers")
    elif value is not None and not isinstance(value, (str, int, float, bool)):
        raise SchemaError(f"{where}: property {name!r} is {type(value).__name__}; only text, numbers, true/false and lists of them")


def _check_props(props: Mapping[str, Any], allowed: set[str], where: str) -> None:
    for name, value in props.items():
        if name not in allowed:
            raise SchemaError(f"{where}: unknown property {name!r}; legal: {', '.join(sorted(allowed))}")
        _check_value(name, value, where)


def check_node(row: NodeRow) -> NodeRow:
    """The row with a cleaned key. Raises SchemaError (file and line) when it breaks the schema.

    A source without an access label passes: nobody will see it, which is what no label means.
    """
    key = clean_key(row.key, row.origin)
    label = label_of(key)
    where = f"{row.origin}: {label} {key!r}"
    if label == "Chunk":
        raise SchemaError(f"{where}: chunks are cut from texts, never loaded as nodes")
    if not row.name.strip():
        raise SchemaError(f"{where} has no name")
    if not row.source:
        raise SchemaError(f"{where} does not say which source it came from")
    access = row.props.get("access")
    if access is not None and access not in ACCESS_LABELS:
        raise SchemaError(f"{where}: access is {access!r}; legal: {', '.join(ACCESS_LABELS)}")
    _check_props(row.props, NODE_PROPS[label], where)
    return row if key == row.key else NodeRow(key, row.name, row.source, row.props, row.origin)


def check_edge(row: EdgeRow) -> EdgeRow:
    """The row, with keys cleaned. Raises SchemaError (file and line) for an unregistered
    relationship, a wrong domain or range, an unknown property, or an incomplete assertion.
    """
    rel = RELS.get(row.rel)
    if rel is None:
        raise SchemaError(f"{row.origin}: relationship {row.rel!r} is not registered in brain/schema.py")
    src, dst = clean_key(row.src, row.origin), clean_key(row.dst, row.origin)
    where = f"{row.origin}: {src} {row.rel} {dst}"
    if label_of(src) not in rel.domain:
        raise SchemaError(f"{where}: {row.rel} starts at {', '.join(rel.domain)}, not at {label_of(src)}")
    if label_of(dst) not in rel.range:
        raise SchemaError(f"{where}: {row.rel} ends at {', '.join(rel.range)}, not at {label_of(dst)}")
    _check_props(row.props, REL_PROPS[row.rel], where)
    if rel.cls == "assertion":
        _check_assertion(row, where)
    return row if (src, dst) == (row.src, row.dst) else EdgeRow(src, row.rel, dst, row.props, row.origin, row.id)


def _check_assertion(row: EdgeRow, where: str) -> None:
    props = row.props
    for name in ("aid", "authority", "state", "valid_from", "recorded_at", "access_key"):
        if props.get(name) is None:
            raise SchemaError(f"{where}: an assertion needs {name!r}")
    if props["authority"] not in AUTHORITIES:
        raise SchemaError(f"{where}: authority is {props['authority']!r}; legal: {', '.join(AUTHORITIES)}")
    if props["state"] not in STATES:
        raise SchemaError(f"{where}: state is {props['state']!r}; legal: {', '.join(STATES)}")
