"""The database's compact replies as rows of plain values, with the nodes and edges that stood in them.

Each object is read once, however often it stands in the rows, and what nobody is shown is not read at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from brain.types import Edge, Node

HIDDEN_PROPS = frozenset({"emb", "ft", "access", "aud", "basis"})
NULL, STRING, INTEGER, BOOLEAN, DOUBLE, ARRAY, EDGE, NODE, PATH, MAP = range(1, 11)
VECTOR = 12
_SPENT = re.compile(r"internal execution time: ([\d.]+)")
_NO_CHANGE = ("Cached execution", "Query internal execution time")


Learned = tuple[Sequence[str], Sequence[str], Sequence[str]]


class Names:
    """What the numbers in a graph's replies stand for: labels, relationship types, properties.

    They are learned when a number is met that is not known yet; `learn` raises when they are no longer to be had.
    """

    def __init__(self, learn: Callable[[], Learned]) -> None:
        self._learn = learn
        self._known: Learned = ((), (), ())

    def label(self, idx: int) -> str:
        """The label of that number."""
        return self._name(0, idx)

    def relation(self, idx: int) -> str:
        """The relationship type of that number."""
        return self._name(1, idx)

    def property(self, idx: int) -> str:
        """The property of that number."""
        return self._name(2, idx)

    def _name(self, which: int, idx: int) -> str:
        if idx >= len(self._known[which]):
            self._known = self._learn()
        return self._known[which][idx]


@dataclass(frozen=True)
class Reply:
    """A reply read: in `rows` a node stands as its key, an edge as its type, a path as the list of its keys."""

    rows: tuple[dict[str, Any], ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    server_ms: float


def read(reply: Sequence[Any], names: Names) -> Reply:
    """The reply of a query that was sent with `--compact`; an error in it is raised."""
    for part in (reply[0], reply[-1]):
        if isinstance(part, Exception):
            raise part
    spent = next((float(m[1]) for line in reply[-1] if (m := _SPENT.search(line))), 0.0)
    if len(reply) < 3:
        return Reply((), (), (), spent)
    reader = _Reader(names)
    columns = [name for _, name in reply[0]]
    value = reader.value
    rows = tuple({name: value(kind, raw) for name, (kind, raw) in zip(columns, row, strict=True)} for row in reply[1])
    return Reply(rows, tuple(reader.nodes.values()), reader.found_edges(), spent)


def changed(reply: Any) -> bool:
    """Did the query change anything in the graph, by what the server counted? One that failed did not."""
    counted = () if isinstance(reply, Exception) or isinstance(reply[-1], Exception) else reply[-1]
    return any(not str(line).startswith(_NO_CHANGE) for line in counted)


class _Reader:
    """Reads the values of one reply and keeps the objects it met."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self.nodes: dict[int, Node] = {}
        self._edges: dict[int, tuple[str, int, int, dict[str, Any]]] = {}
        self._of_kind: dict[int, Callable[[Any], Any]] = {
            BOOLEAN: lambda raw: raw == "true",
            DOUBLE: float,
            ARRAY: lambda raw: [self.value(kind, inner) for kind, inner in raw],
            EDGE: self._edge,
            NODE: self._node,
            PATH: self._path,
            MAP: lambda raw: {raw[i]: self.value(*raw[i + 1]) for i in range(0, len(raw), 2)},
            VECTOR: lambda raw: [float(x) for x in raw],
        }

    def value(self, kind: int, raw: Any) -> Any:
        """One value; text, whole numbers and null come as they are."""
        read_ = self._of_kind.get(kind)
        return raw if read_ is None else read_(raw)

    def _props(self, raw: Sequence[Any]) -> dict[str, Any]:
        name_of, out = self._names.property, {}
        for idx, kind, inner in raw:
            name = name_of(idx)
            if name not in HIDDEN_PROPS:
                out[name] = inner if kind <= INTEGER else self.value(kind, inner)
        return out

    def _node(self, raw: Any) -> str:
        found = self.nodes.get(raw[0])
        if found is None:
            props = self._props(raw[2])
            labels = [self._names.label(idx) for idx in raw[1]]
            label = next((name for name in labels if name != "Entity"), "")
            found = self.nodes[raw[0]] = Node(str(props.get("key", raw[0])), label, str(props.get("name", "")), props)
        return found.key

    def _edge(self, raw: Any) -> str:
        found = self._edges.get(raw[0])
        if found is None:
            props = self._props(raw[4])
            if "derived_by" in props:  # its id tells only of which sources it was derived
                props.pop("id", None)
            found = self._edges[raw[0]] = (self._names.relation(raw[1]), raw[2], raw[3], props)
        return found[0]

    def _path(self, raw: Any) -> list[str]:
        (_, nodes), (_, edges) = raw
        for kind, edge in edges:
            self.value(kind, edge)
        return [self.value(kind, node) for kind, node in nodes]

    def found_edges(self) -> tuple[Edge, ...]:
        """The edges whose two ends stood in the rows as well."""
        ends = {idx: node.key for idx, node in self.nodes.items()}
        met = self._edges.values()
        return tuple(Edge(ends[src], rel, ends[dst], props) for rel, src, dst, props in met if src in ends and dst in ends)
