"""Results made small enough to hand on, with a word of what was left out and how to ask for it, and times that people can read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

from brain.errors import ToolError
from brain.permissions import FOREVER
from brain.text.inert import inert
from brain.types import Edge, Node, Result

ROWS, CHARS, CELL, ITEMS, NAME = 200, 20_000, 2_000, 100, 300
EVIDENCE = 100
_LEAST_INSTANT = 100_000_000
_TIMES = ("at", "since", "until", "as_of", "valid_from", "valid_to")


def page(result: Result, skip: int, asked: Mapping[str, Any] | None = None) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The rows after the first `skip` that fit, with their evidence, and those rows once more. `asked` are the arguments: where there
    are as many rows as they allow, there may be more.
    """
    rows: list[dict[str, Any]] = []
    room = CHARS
    for row in result.rows[skip : skip + ROWS]:
        small = {name: value for name, value in timed(fit(row, CHARS)).items() if _told(name, value)}
        room -= len(orjson.dumps(small))
        if rows and room < 0:
            break
        rows.append(small)
    shown = skip + len(rows)
    left = []
    if shown < len(result.rows):
        left.append(f"rows {shown + 1} to {len(result.rows)}: call again with skip={shown}, or narrow the arguments")
    for name in ("k", "limit", "top"):
        if (asked or {}).get(name) == len(result.rows):
            left.append(f"what is beyond {name}={len(result.rows)}, if there is more: call again with a larger {name}")
    for what, found in (("nodes", result.nodes), ("edges", result.edges)):
        if len(found) > EVIDENCE:
            left.append(f"{len(found) - EVIDENCE} {what}: details and expand give those of one thing")
    told = {
        "rows": rows, "total": len(result.rows), "skip": skip, "truncated": bool(left), "left_out": "; ".join(left),
        "nodes": nodes(result.nodes), "edges": edges(result.edges), "query": result.query, "params": fit(result.params, CHARS),
    }  # fmt: skip
    return told, rows


def _told(name: str, value: Any) -> bool:
    """Is the column told? One whose name is a letter and whose value is no number is there for the evidence alone."""
    return len(name) > 1 or isinstance(value, int | float)


def nodes(found: Sequence[Node], most: int = EVIDENCE) -> list[dict[str, str]]:
    """Key, label and name of the first things."""
    return [{"key": inert(n.key), "label": n.label, "name": cut(n.name, NAME)} for n in found[:most]]


def edges(found: Sequence[Edge], most: int = EVIDENCE) -> list[dict[str, str]]:
    """The first relationships."""
    return [{"src": inert(e.src), "rel": e.rel, "dst": inert(e.dst)} for e in found[:most]]


def plain(value: Any) -> Any:
    """The value as JSON has it."""
    return orjson.loads(orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY))


def fit(value: Any, most: int, cell: int = CELL) -> Any:
    """The value as plain JSON of about `most` characters at most: its texts and lists are cut shorter until it fits."""
    whole = plain(value)
    for texts, items in ((cell, ITEMS), (CELL, ITEMS), (400, 40), (120, 15), (40, 5)):
        small = cut(whole, min(texts, cell), items)
        if len(orjson.dumps(small)) <= most:
            break
    return small


def cut(value: Any, cell: int = CELL, items: int = ITEMS) -> Any:
    """The value with nothing unseen in its texts, those and its lists cut where they are long, and how much of them was."""
    if isinstance(value, str):
        text = inert(value)
        return text if len(text) <= cell else f"{text[:cell]} … ({len(text) - cell} more characters)"
    if isinstance(value, Mapping):
        return {name: cut(v, cell, items) for name, v in value.items()}
    if isinstance(value, list):
        rest = [f"… ({len(value) - items} more)"] if len(value) > items else []
        return [cut(v, cell, items) for v in value[:items]] + rest
    return value


def timed(value: Any) -> Any:
    """The value with every instant in it, however deep, also as ISO 8601 under `<name>_utc`."""
    if isinstance(value, list):
        return [timed(v) for v in value]
    if not isinstance(value, Mapping):
        return value
    told: dict[str, Any] = {}
    for name, v in value.items():
        told[name] = timed(v)
        if (name in _TIMES or name.endswith("_at")) and isinstance(v, int) and _LEAST_INSTANT < v < FOREVER:
            told[f"{name}_utc"] = utc(v)
    return told


def utc(epoch: int) -> str:
    """The instant as ISO 8601."""
    return datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def line(text: object) -> str:
    """The text on one line, with nothing unseen in it, cut in the middle where it is long."""
    return str(ToolError(" ".join(inert(text).split())))
