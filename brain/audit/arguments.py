"""What to ask of a graph so that it can be compared with another: every query and every tool, with arguments taken from what the
viewer sees and from what is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brain import bench
from brain.catalogue import Catalogue, Param, Query
from brain.schema import label_of
from brain.tools import Tool
from brain.tools.asking import Asking

OWN_GRAPHS = ("runs", "memory")
OF_EACH = 1
BASES = 3
_KEYS = ("key", "target", "a", "b", "topic", "rule", "person", "path", "source", "end")
_NAMES = ("names", "keys", "repos", "terms", "begins", "starts")
_NEUTRAL: Mapping[str, Any] = {"str": "x", "int": 3, "float": 1.0, "bool": False, "list[str]": ["x"], "list[int]": [1]}
Args = dict[str, Any]
Props = Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """A query file or a tool by name, with arguments."""

    kind: str
    name: str
    args: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{k}={str(v)[:80]}' for k, v in self.args.items())})"


def everything(ctx: Asking, tools: Mapping[str, Tool], hidden: Sequence[Props], vector: list[float] | None = None) -> list[Asked]:
    """Every query of the catalogue that answers somebody, and every tool, each call once; `hidden` has the properties of things
    that the viewer of `ctx` may not see, and `vector` is one of the embedder's.
    """
    known, secret = bench.pool(ctx), list(_each(hidden))
    made = [Asked("query", q.name, args) for q in answering(ctx.catalogue) for args in of_query(q, known, secret, vector)]
    made += [Asked("tool", t.name, args) for t in tools.values() for args in of_tool(ctx.catalogue, t, known, secret)]
    return list({f"{a.kind} {a.name} {sorted(a.args.items(), key=str)}": a for a in made}.values())


def answering(catalogue: Catalogue) -> list[Query]:
    """The queries that answer whoever asks, and not only the administrator."""
    return [q for kind in ("query", "internal") for q in catalogue.of_kind(kind) if q.topic not in OWN_GRAPHS]


def _each(hidden: Sequence[Props]) -> Iterator[Props]:
    """Up to so many things of each label."""
    met: dict[str, int] = {}
    for props in hidden:
        label = label_of(str(props["key"])) if "key" in props else "Evidence"
        met[label] = met.get(label, 0) + 1
        if label not in ("Chunk", "Evidence") and met[label] <= OF_EACH:
            yield props


def of_query(query: Query, known: Mapping[str, list[Any]], secret: Sequence[Props], vector: list[float] | None = None) -> Iterator[Args]:
    """Its example, or values that fit; the same with what the viewer knows, and with what is hidden from them. Nothing when it
    needs a vector and there is none.
    """
    base = dict(query.example) or {p.name: _value(p, known, vector) for p in query.params if p.required}
    if any(v is None for v in base.values()):
        return
    yield base
    for param in query.params:
        if param.name == "key":
            yield from ({**base, param.name: value} for value in (*known["key"], *known["target"]))
        yield from ({**base, param.name: value} for value in _hidden(param, secret))


def _value(param: Param, known: Mapping[str, list[Any]], vector: list[float] | None) -> Any:
    if param.type == "list[float]":
        return vector if param.name == "vector" else [1.0]
    if param.name in ("keys", "names", "begins"):
        return list(known["key"]) or ["x"]
    found = known.get(param.name)
    return found[0] if found and param.type == "str" else _NEUTRAL[param.type.rstrip("?")]


def _hidden(param: Param, secret: Sequence[Props]) -> Iterator[Any]:
    """Values that name something hidden, where a parameter takes names, or use its words, where it takes words."""
    kind = param.type.rstrip("?")
    for props in secret:
        key, name = str(props["key"]), str(props.get("title") or props.get("name") or props["key"])
        if param.name in _KEYS and kind == "str":
            yield from (key, name)
        elif param.name in _NAMES and kind == "list[str]":
            yield [name.lower() if param.name in ("names", "terms") else key]
        elif param.name in ("text", "prefix", "words"):
            yield name


def of_tool(catalogue: Catalogue, tool: Tool, known: Mapping[str, list[Any]], secret: Sequence[Props]) -> Iterator[Args]:
    """What it needs, taken from what the viewer knows; each choice of each further parameter with some
    of that; and names of what is hidden.
    """
    query = catalogue.queries.get(tool.name)
    bases = bench.arguments(tool, dict(known)) or ([dict(query.example)] if query and query.kind == "query" else [])
    yield from bases
    choices = [(p.name, choice) for p in tool.params if not p.required for choice in p.choices]
    for i, (name, choice) in enumerate(choices if bases else ()):
        for j in range(BASES):
            yield {**bases[(i + j * max(1, len(bases) // BASES)) % len(bases)], name: choice}
    for base in bases[:1]:
        yield from ({**base, p.name: value} for p in tool.params for value in _hidden(p, secret))
