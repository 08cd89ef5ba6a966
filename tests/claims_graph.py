"""A company of a handful of things for tests of claims: everything goes through the checks and the loader of real loads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np

from brain import admission, schema
from brain.assertions import Texts, aid, assertion
from brain.bulk import Loader
from brain.store import Store, graph_name
from brain.types import ClaimRow, EdgeRow, NodeRow, Origin, TextRow


def at(day: str) -> int:
    """Midnight UTC of a day."""
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp())


@dataclass
class Company:
    """Rows by the calls that make them. A text is given before the claims that quote it."""

    nodes: list[NodeRow] = field(default_factory=list)
    edges: list[EdgeRow] = field(default_factory=list)
    proofs: list[dict[str, Any]] = field(default_factory=list)
    chunks: list[dict[str, Any]] = field(default_factory=list)
    texts: Texts = field(default_factory=Texts)
    aids: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def node(self, key: str, name: str = "", **props: Any) -> str:
        self.nodes.append(admission.check_node(NodeRow(key, name or key.partition(":")[2], "test", props, Origin("claims_graph"))))
        return key

    def doc(self, path: str, body: str = "", access: str = "open", **props: Any) -> str:
        key = self.node(f"doc:{path}", props.pop("name", path), path=path, access=access, **props)
        self.text(key, body, access)
        return key

    def text(self, key: str, body: str, access: str = "open") -> None:
        self.texts.add(TextRow(key, "body", key, body, 0))
        self.chunks.append(
            {"key": f"chunk:{key}/0", "name": key, "source": "test", "text": f"{key}\n{body}", "ft": body.lower(), "src": key, "title": key,
             "src_label": schema.label_of(key), "line": 1, "line_end": body.count("\n") + 1, "n": 0, "hash": key, "at": 0, "part": "body", "access": access}
        )  # fmt: skip
        self.edges.append(EdgeRow(f"chunk:{key}/0", "PART_OF", key))

    def edge(self, src: str, rel: str, dst: str, **props: Any) -> None:
        self.edges.append(admission.check_edge(EdgeRow(src, rel, dst, props, Origin("claims_graph"))))

    def claim(self, src: str, rel: str, dst: str, source: str, line: int, quote: str, **more: Any) -> str:
        """The id of the claim."""
        more = {"authority": "practice", "access": "open", "read_by": "test:rule", **more}
        row = ClaimRow(src, rel, dst, source, line, quote, origin=Origin("claims_graph"), **more)
        edge, proof = assertion(row, self.texts, {})
        self.edges.append(edge)
        self.proofs.append(asdict(proof))
        self.aids[src, rel, dst] = aid(row)
        return aid(row)

    def build(self, store: Store, workspace: str, vectors: Sequence[np.ndarray | None] | None = None) -> None:
        """Loads everything into a workspace, passages with these vectors."""
        graph = graph_name(workspace)
        store.drop(graph)
        loader = Loader(store, graph)
        loader.prepare()
        for node in self.nodes:
            loader.node(node)
        loader.flush()
        loader.chunks(self.chunks, vectors or [None] * len(self.chunks))
        for rel in sorted({e.rel for e in self.edges}):
            loader.edges(rel, [e for e in self.edges if e.rel == rel])
        loader.evidence(self.proofs)
        assert not loader.missing, loader.missing


def lines(*text: str) -> str:
    return "\n".join(text)
