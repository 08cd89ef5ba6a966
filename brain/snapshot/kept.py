"""The graphs beside the company's, row by row: read out of one, and written into a fresh one. A row is a node
(`n`, `label`, `props`) or a relationship between two such (`from`, `rel`, `to`, `props`); nodes come first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from brain.errors import BadInput
from brain.playbooks.kept import Kept
from brain.store import WRITE_TIMEOUT_MS, Store
from brain.values import literal, plain

PAGE, LINKS, TEXT = 100, 5000, 2_000_000
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,99}")
_NODES = (
    "MATCH (n) WHERE id(n) >= $first AND id(n) < $end RETURN id(n) AS n, labels(n) AS labels, properties(n) AS props ORDER BY n LIMIT 10000"
)
_LINKS = (
    "MATCH (a)-[r]->(b) WHERE id(a) >= $first AND id(a) < $end AND id(r) > $after RETURN id(r) AS r, id(a) AS a, type(r) AS rel,"
    " id(b) AS b, properties(r) AS props ORDER BY r LIMIT $k"
)
_MOST = "MATCH (n) RETURN coalesce(max(id(n)), -1) + 1 AS n"

Row = Mapping[str, Any]


def rows(store: Store, graph: str, wanted: Callable[[str], bool]) -> Iterator[Row]:
    """The nodes of the wanted labels and the relationships between them; nothing when there is no such graph."""
    if not store.exists(graph):
        return
    size, kept = int(_read(store, graph, _MOST)[0]["n"]), set[int]()
    for first in range(0, size, PAGE):
        for row in _read(store, graph, _NODES, first=first, end=first + PAGE):
            label = str((row["labels"] or [""])[0])
            if wanted(label):
                kept.add(int(row["n"]))
                yield {"n": row["n"], "label": label, "props": row["props"]}
    for first in range(0, size, PAGE):
        after = -1
        while found := _read(store, graph, _LINKS, first=first, end=first + PAGE, after=after, k=LINKS):
            after = int(found[-1]["r"])
            yield from ({"from": r["a"], "rel": r["rel"], "to": r["b"], "props": r["props"]} for r in found if {r["a"], r["b"]} <= kept)


def _read(store: Store, graph: str, query: str, **params: int) -> Any:
    return store.read(graph, query, params, WRITE_TIMEOUT_MS).rows


def checked(found: Iterable[Row], labels: frozenset[str], rels: frozenset[str], where: str) -> Iterator[Row]:
    """The rows of a file; BadInput for one that the graph it goes into does not hold, or with a name that is none."""
    known: set[int] = set()
    for n, row in enumerate(found, 1):
        props = row.get("props")
        if not isinstance(props, dict) or not all(_WORD.fullmatch(name) for name in props):
            raise BadInput(f"{where}, line {n}: properties have other names")
        if row.get("label") in labels and type(row.get("n")) is int and row["n"] not in known:
            known.add(row["n"])
        elif not (row.get("rel") in rels and row.get("from") in known and row.get("to") in known):
            raise BadInput(f"{where}, line {n}: what it tells of is not kept there")
        yield row


class Writing:
    """Writes rows into one graph that nobody reads yet. Rows added together number their nodes among themselves."""

    def __init__(self, store: Store, graph: str) -> None:
        self._store, self._graph = store, graph
        self._labels: set[str] = set()
        self._next, self.dim = 0, 0

    def add(self, found: Iterable[Row]) -> int:
        """Writes nodes and the relationships between them; how many nodes there were."""
        numbers: dict[int, int] = {}
        label_of: dict[int, str] = {}
        nodes: dict[str, list[Row]] = defaultdict(list)
        links: dict[tuple[str, str, str], list[list[Any]]] = defaultdict(list)
        waiting = 0
        for row in found:
            if "label" in row:
                label = label_of[row["n"]] = _word(str(row["label"]))
                numbers[row["n"]], self._next = self._next, self._next + 1
                nodes[label].append({**row["props"], "carried": numbers[row["n"]]})
                waiting += len(str(row["props"]))
                if waiting > TEXT:
                    self._flush(nodes)
                    waiting = 0
            else:
                ends = (label_of[row["from"]], _word(str(row["rel"])), label_of[row["to"]])
                links[ends].append([numbers[row["from"]], numbers[row["to"]], row["props"]])
        self._flush(nodes)
        for ends, some in links.items():
            self._link(ends, some)
        return len(numbers)

    def _flush(self, nodes: dict[str, list[Row]]) -> None:
        for label, some in nodes.items():
            if label not in self._labels:
                self._labels.add(label)
                self._store.write(self._graph, f"CREATE INDEX FOR (n:{label}) ON (n.carried)")
            self._create(label, some)
        nodes.clear()

    def _create(self, label: str, some: list[Row]) -> None:
        for have in (False, True):
            part = [row for row in some if bool(row.get("emb")) == have]
            columns = sorted({_word(name) for row in part for name in row} - {"emb"})
            vector = [f"n.emb = vecf32(r[{len(columns)}])"] if have else []
            sets = ", ".join([*(f"n.{name} = r[{i}]" for i, name in enumerate(columns)), *vector])
            told = [[*(row.get(name) for name in columns), *([row["emb"]] if have else [])] for row in part]
            self.dim = len(part[0]["emb"]) if have and part else self.dim
            for batch in _batches(told):
                self._store.write(self._graph, f"CYPHER rows={batch} UNWIND $rows AS r CREATE (n:{label}) SET {sets}")

    def _link(self, ends: tuple[str, str, str], some: list[list[Any]]) -> None:
        src, rel, dst = ends
        columns = sorted({_word(name) for _, _, props in some for name in props})
        sets = ", ".join(f"e.{name} = r[{i}]" for i, name in enumerate(columns, 2))
        self._store.wait_for_indexes(self._graph)
        text = f"UNWIND $rows AS r MATCH (a:{src} {{carried: r[0]}}) MATCH (b:{dst} {{carried: r[1]}}) CREATE (a)-[e:{rel}]->(b)"
        for batch in _batches([[a, b, *(props.get(name) for name in columns)] for a, b, props in some]):
            self._store.write(self._graph, f"CYPHER rows={batch} {text}{' SET ' * bool(sets)}{sets}")

    def finish(self, workspace: str) -> None:
        """Takes out what only the writing needed, and makes the indexes of what is kept there under that name of a workspace."""
        for label in sorted(self._labels):
            self._store.write(self._graph, f"DROP INDEX FOR (n:{label}) ON (n.carried)")
            self._store.write(self._graph, f"MATCH (n:{label}) SET n.carried = null")
        if "Playbook" in self._labels:
            Kept(self._store, workspace, None).prepare(self.dim)
        if self._labels:
            self._store.wait_for_indexes(self._graph)


def _batches(told: list[list[Any]]) -> Iterator[str]:
    """Lists of rows as literals, none of them very long."""
    batch: list[str] = []
    size = 0
    for row in told:
        text = "[" + ",".join(literal(plain(value)) for value in row) + "]"
        if batch and (size + len(text) > TEXT or len(batch) >= 1000):
            yield f"[{','.join(batch)}]"
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield f"[{','.join(batch)}]"


def _word(name: str) -> str:
    if not _WORD.fullmatch(name):
        raise BadInput(f"{name[:100]!r} is no name of a label, relationship or property")
    return name
