"""What an action writes into the company's graph: in one query that may run again and again and writes once, as everything in it
is found by its id; and the query that takes exactly that back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brain import admission, schema
from brain.approvals.approval import Change
from brain.store import Store
from brain.text.vectors import VectorCache
from brain.types import EdgeRow, NodeRow
from brain.values import header, literal


class _Text:
    """A query put together from fixed pieces; everything that is not of the schema travels as a parameter."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.params: dict[str, Any] = {}
        self.alias: dict[str, str] = {}

    def given(self, value: Any) -> str:
        """The parameter that holds the value."""
        name = f"p{len(self.params)}"
        self.params[name] = value
        return f"${name}"

    def sets(self, alias: str, props: Mapping[str, Any]) -> str:
        """What sets these properties when the thing is made."""
        told = [f"{alias}.{name} = {self.given(value)}" for name, value in props.items() if value is not None]
        return f" ON CREATE SET {', '.join(told)}" if told else ""

    def whole(self, head: str = "") -> str:
        """The query as it is sent."""
        return header(self.params) + head + "\n".join(self.lines)


def apply(store: Store, graph: str, change: Change, decided: Mapping[str, str] | None = None, vectors: VectorCache | None = None) -> bool:
    """Writes the change, unless it is there already; False, and nothing written, when something it needs is not in the graph.
    `decided` maps ids of claims to what people decided about them since.
    """
    if not (change.needs or change.nodes):
        return True
    text = _Text()
    for key in change.needs:
        text.alias[key] = f"m{len(text.alias)}"
        text.lines.append(f"MATCH ({text.alias[key]}:Entity {{key: {text.given(key)}}})")
    _end(text, change)
    for key, props in change.nodes:
        _node(text, key, props, vectors)
    for n, proof in enumerate(change.proofs):
        own = {k: v for k, v in proof.items() if k != "id"}
        text.lines.append(f"MERGE (e{n}:Evidence {{id: {text.given(proof['id'])}}}){text.sets(f'e{n}', own)}")
    for n, (src, rel, dst, id_, props) in enumerate(change.edges):
        row = admission.check_edge(EdgeRow(src, rel, dst, {**props, **({"state": decided[id_]} if decided and id_ in decided else {})}))
        named = f" {{id: {text.given(id_)}}}" if id_ else ""
        text.lines.append(f"MERGE ({text.alias[src]})-[r{n}:{row.rel}{named}]->({text.alias[dst]}){text.sets(f'r{n}', row.props)}")
    text.lines.append("RETURN count(*)")
    found = store.write(graph, text.whole())
    return bool(found and found[0][0])


def _end(text: _Text, change: Change) -> None:
    """Ends claims, those that are there."""
    for n, (src, rel, _, id_, _, to) in enumerate(change.ends):
        kept = ", ".join(text.alias.values())
        match = f"OPTIONAL MATCH ({text.alias[src]})-[o:{schema.RELS[rel].name} {{id: {text.given(id_)}}}]->()"
        text.lines.append(f"{match} WITH {kept}, collect(o) AS old{n} FOREACH (o IN old{n} | SET o.valid_to = {text.given(to)})")
        text.lines.append(f"WITH {kept}")


def _node(text: _Text, key: str, props: Mapping[str, Any], vectors: VectorCache | None) -> None:
    """Makes a node; a passage gets its vector where that is known, and is never touched again."""
    alias = text.alias[key] = f"n{len(text.alias)}"
    own = {k: v for k, v in props.items() if k != "key"}
    if not key.startswith("chunk:"):
        row = admission.check_node(NodeRow(key, str(own.pop("name")), str(own.pop("source")), own))
        own = {"name": row.name, "source": row.source, **row.props}
    made = f"MERGE ({alias}:Entity:{schema.label_of(key)} {{key: {text.given(key)}}}){text.sets(alias, own)}"
    vector = vectors.get_many([str(own["hash"])]).get(str(own["hash"])) if vectors is not None and own.get("hash") else None
    text.lines.append(made if vector is None else f"{made}, {alias}.emb = vecf32({literal([float(x) for x in vector])})")


def take_back(store: Store, graph: str, change: Change) -> None:
    """Takes the change out, and lets what it ended end when it would have. What is not there (any more) stays as it is."""
    if not (change.needs or change.nodes):
        return
    text, kept = _Text(), ["ns", "es"]
    made = text.given([key for key, _ in change.nodes])
    text.lines.append(f"OPTIONAL MATCH (n:Entity) WHERE n.key IN {made} WITH collect(n) AS ns")
    proofs = text.given([str(proof["id"]) for proof in change.proofs])
    text.lines.append(f"OPTIONAL MATCH (e:Evidence) WHERE e.id IN {proofs} WITH ns, collect(e) AS es")
    for n, (src, rel, _, id_, _) in enumerate(e for e in change.edges if e[3]):
        match = f"OPTIONAL MATCH (:Entity {{key: {text.given(src)}}})-[r:{schema.RELS[rel].name} {{id: {text.given(id_)}}}]->()"
        text.lines.append(f"{match} WITH {', '.join(kept)}, collect(r) AS r{n}")
        kept.append(f"r{n}")
    again = []
    for n, (src, rel, _, id_, before, to) in enumerate(change.ends):
        match = f"OPTIONAL MATCH (:Entity {{key: {text.given(src)}}})-[o:{schema.RELS[rel].name} {{id: {text.given(id_)}}}]->()"
        text.lines.append(f"{match} WHERE o.valid_to = {text.given(to)} WITH {', '.join(kept)}, collect(o) AS o{n}")
        kept.append(f"o{n}")
        again.append(f"FOREACH (o IN o{n} | SET o.valid_to = {text.given(before)})")
    text.lines += again
    text.lines += [f"FOREACH (x IN {name} | DELETE x)" for name in (*[k for k in kept if k[0] == "r"], "es", "ns")]
    store.write(graph, text.whole())


def hanging(store: Store, graph: str, key: str) -> int | None:
    """How many relationships a thing has, readable or not; None when it is not there."""
    text = "MATCH (n:Entity {key: $key}) OPTIONAL MATCH (n)-[r]-() RETURN count(r) AS n, count(n) AS there"
    rows = store.read(graph, text, {"key": key}).rows
    return int(rows[0]["n"]) if rows and rows[0]["there"] else None
