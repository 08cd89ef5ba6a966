"""Reads files of a company's formats in a test: the records of a source, and the rows of several together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from brain.admission import check_edge, check_node
from brain.assertions import Texts, assertion
from brain.connectors import FORMATS
from brain.connectors.context import Context
from brain.errors import SchemaError
from brain.types import ClaimRow, EdgeRow, NodeRow, Row, Skip, TextRow

KEY = b"k" * 32


def written(path: Path, text: str | bytes) -> Path:
    """The file, with the text in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def fetched(format: str, *paths: Path, base: Path | None = None, access: str = "open", **options: str) -> list[dict[str, Any]]:
    """The records of a source, its head first and its totals last; they must add up."""
    base = base or paths[0].parent
    name = paths[0].name if paths[0].is_dir() else base.name
    found = list(FORMATS[format].fetch(list(paths), base=base, name=name, access=access, identity_key=KEY, options=options))
    totals = found[-1]
    assert found[0]["kind"] == "source" and totals["kind"] == "totals"
    assert totals["read"] == totals["kept"] + totals["skipped"]
    assert totals["skipped"] == sum(r["count"] for r in found if r["kind"] == "skip")
    assert all(r["reason"] and r["file"] for r in found if r["kind"] == "skip")
    return found


def skips(records: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
    """What was left out: why, in which file, on which line."""
    return [(r["reason"], r["file"], r["line"]) for r in records if r["kind"] == "skip"]


class Rows:
    """The rows that sources give together, checked as a load checks them."""

    def __init__(self, *sources: list[dict[str, Any]], strict: bool = True) -> None:
        know = {name: module.known for name, module in FORMATS.items() if hasattr(module, "known")}
        context = Context.build((iter(s) for s in sources), knowing=know)
        self.nodes: dict[str, dict[str, Any]] = {}
        self.edges: set[tuple[str, str, str]] = set()
        self.props: dict[tuple[str, str, str], Mapping[str, Any]] = {}
        self.texts: dict[tuple[str, str], TextRow] = {}
        self.skips: list[Skip] = []
        self.edge_rows: list[EdgeRow] = []
        self.refused: list[str] = []
        texts = Texts()
        for source in sources:
            for row in FORMATS[source[0]["format"]].rows(iter(source), context):
                try:
                    self._take(row, texts)
                except SchemaError as err:
                    if strict:
                        raise
                    self.refused.append(str(err))

    def _take(self, row: Row, texts: Texts) -> None:
        if isinstance(row, NodeRow):
            check_node(row)
            self.nodes.setdefault(row.key, {"name": row.name}).update(row.props)
        elif isinstance(row, TextRow):
            texts.add(row)
            self.texts[row.key, row.part] = row
        elif isinstance(row, Skip):
            self.skips.append(row)
        else:
            edge = assertion(row, texts, {})[0] if isinstance(row, ClaimRow) else check_edge(row)
            assert isinstance(edge, EdgeRow)
            self.edge_rows.append(edge)
            self.edges.add((edge.src, edge.rel, edge.dst))
            self.props[edge.src, edge.rel, edge.dst] = edge.props

    def of(self, rel: str) -> set[tuple[str, str]]:
        """The pairs that a relationship joins."""
        return {(src, dst) for src, name, dst in self.edges if name == rel}
