"""What a tool found, as a model is given it: its rows without what says nothing, instants as dates, then what the keys in them are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from brain.agents.untrusted import Piece
from brain.agents.wording import minute, short
from brain.schema import RELS
from brain.text.passages import Passage
from brain.types import Node, Result

ROWS, NODES, LONGEST_VALUE = 50, 30, 600
_LEAST_INSTANT = 100_000_000
_LEFT_OUT = frozenset({"score", "chunk", "url", "src_label", "part", "avatar", "names", "head_sha", "merge_sha", "turn"})
_INSTANTS = frozenset({"at", "since", "until", "valid_from", "valid_to", "recorded_at", "last_at"})
_TOLD = ("title", "state", "author", "status", "created_at", "merged_at", "closed_at", "at", "kind", "login", "valid_from", "valid_to")


def pieces(tool: str, result: Result) -> list[Piece]:
    """The rows of a tool, a line of JSON each, and the things in them that no row tells of."""
    lines = [_line(row) for row in result.rows[:ROWS]]
    if len(result.rows) > ROWS:
        lines.append(f"({len(result.rows) - ROWS} more rows; narrow the call to see them)")
    found = [Piece(tool, "\n".join(lines) or "(no rows: nothing that is loaded, and that whoever asks may see, fits these arguments)")]
    told = {str(row.get("key")) for row in result.rows}
    things = [node for node in result.nodes if node.key not in told][:NODES]
    if things:
        found.append(Piece("keys", "\n".join(_line(_about(node)) for node in things)))
    return found


def passages(found: Sequence[Passage]) -> list[Piece]:
    """Passages as pieces, each under the key of what it stands in."""
    return [Piece(p.src, "\n".join(_passage(p))) for p in found] or [Piece("search_passages", "(no passage is loaded)")]


def _passage(p: Passage) -> Iterable[str]:
    about = [p.title, f"by {p.author}" if p.author else "", minute(p.at) if p.at else "", str(p.about.get("state") or "")]
    yield "; ".join(filter(None, about))
    yield f"line {p.line} and after:" if p.line else "it says:"
    yield p.body


def _line(row: Mapping[str, Any]) -> str:
    kept = {name: plain for name, value in row.items() if _says(name, value) and not _empty(plain := _plain(value))}
    return orjson.dumps(kept, default=str).decode()


def _says(name: str, value: Any) -> bool:
    """Is the column for readers? One whose name is a letter and whose value is no number is there for the evidence alone, and so are
    lists of nothing but relationships, beside a way of which they are the steps. An instant of nought is none.
    """
    evidence = isinstance(value, list | tuple) and name != "rels" and all(word in RELS for word in _words(value))
    if value == 0 and name in _INSTANTS:
        return False
    return name not in _LEFT_OUT and not evidence and (len(name) > 1 or isinstance(value, int | float))


def _empty(value: Any) -> bool:
    """Nothing, or no: what is not so is the rule, and says little. A count of nothing is a finding."""
    return value is None or value is False or value in ("", [], {})


def _words(value: Any) -> Iterator[Any]:
    for each in value:
        if isinstance(each, list | tuple):
            yield from _words(each)
        else:
            yield each


def _about(node: Node) -> dict[str, Any]:
    own = {name: node.props[name] for name in _TOLD if node.props.get(name) and node.props[name] != node.name}
    return {"key": node.key, "name": node.name if node.name != short(node.key) else "", "label": node.label, **own}


def _plain(value: Any) -> Any:
    """A value as a model reads it, and the same on every machine: an instant as its minute, a fraction with three digits."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return minute(value) if value > _LEAST_INSTANT else value
    if isinstance(value, float):
        return float(f"{value:.3g}")
    if isinstance(value, str):
        return value if len(value) <= LONGEST_VALUE else f"{value[:LONGEST_VALUE]}…"
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value[:ROWS]]
    return value
