"""Whom structure is open to: it carries the widest label of the sources that state it, and the properties that those state.

A team that only a restricted document names is as restricted as the document; one that an open source names too is open, and
says nothing that only the restricted one says of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from brain import schema
from brain.spool import Spool
from brain.types import EdgeRow, NodeRow, Origin

LABELS = schema.ACCESS_LABELS
_BETWEEN = ("PART_OF", "PROVIDES")
_NODES, _EDGES = "narrow nodes", "narrow edges"


def label_of(props: Any, section: str) -> str:
    """The label of a row: its own, else that of the section it stands in; what is no label counts as restricted."""
    label = props.get("access") or section
    return label if label in LABELS else "restricted"


def is_structure(key: str) -> bool:
    """Does the key name something that holds no text of its own?"""
    return schema.NODES[schema.label_of(key)].kind == "structure"


class Sources:
    """The labels of the sources that are not open, so that nothing that belongs to one is more open than it."""

    def __init__(self) -> None:
        self._narrow: dict[str, tuple[str, tuple[str, ...]]] = {}

    def note(self, row: NodeRow) -> None:
        """Takes the label of a source."""
        label = str(row.props.get("access") or "restricted")
        if label != "open":
            self._narrow[row.key] = label, tuple(row.props.get("aud") or ())

    def narrower(self, key: str, access: str) -> bool:
        """Is a text of the source less open than it?"""
        return access != self._narrow.get(key, ("open", ()))[0]

    def covered(self, key: str, access: str, aud: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """The label of a text or claim of a source: its own, unless the source's is narrower. None stays none."""
        label, whom = self._narrow.get(key, ("open", ()))
        if not access or label == "open" or LABELS.index(label_of({"access": access}, "")) > LABELS.index(label):
            return access, aud
        return (label, whom) if access != label else (label, aud or whom)


class Structure:
    """Takes the rows of structure as they come: open ones pass, the others wait until all is read."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._open: set[int] = set()

    def node(self, row: NodeRow, section: str) -> NodeRow | None:
        """The row with its label; None when it has to wait."""
        label = label_of(row.props, section)
        if label == "open":
            self._open.add(hash(row.key))
            return replace(row, props={**row.props, "access": label, "aud": None})
        aud = sorted(row.props.get("aud") or ()) if label == "restricted" else []
        self._spool.put(_NODES, [row.key, row.name, row.source, dict(row.props), [row.origin.file, row.origin.line], label, aud])
        return None

    def edge(self, row: EdgeRow, section: str) -> EdgeRow | None:
        """A relationship between structure, with its label where that is not open; None when it has to wait."""
        if row.rel not in _BETWEEN or not (is_structure(row.src) and is_structure(row.dst)):
            return row
        label = label_of(row.props, section)
        if label == "open":
            self._open.add(hash((row.src, row.rel, row.dst)))
            return replace(row, props={k: v for k, v in row.props.items() if k not in ("access", "aud")})
        aud = sorted(row.props.get("aud") or ()) if label == "restricted" else []
        self._spool.put(_EDGES, [row.src, row.rel, row.dst, dict(row.props), row.id, label, aud])
        return None

    def nodes(self) -> Iterator[NodeRow]:
        """The rows that waited and whose label nothing widens, those of one label after those of a wider one."""
        met = set(self._open)
        for label in LABELS[1:]:
            whom: dict[str, set[str]] = {}
            for key, *_, said, aud in self._spool.take(_NODES):
                if said == label and hash(key) not in met:
                    whom.setdefault(key, set()).update(aud)
            for key, name, source, props, origin, said, _ in self._spool.take(_NODES):
                if said == label and key in whom:
                    yield NodeRow(key, name, source, {**props, "access": label, "aud": sorted(whom[key]) or None}, Origin(*origin))
            met |= {hash(key) for key in whom}

    def edges(self) -> Iterator[EdgeRow]:
        """The relationships that waited, as the nodes did."""
        met = set(self._open)
        for label in LABELS[1:]:
            found: dict[tuple[str, str, str], tuple[dict[str, Any], str, set[str]]] = {}
            for src, rel, dst, props, id_, said, aud in self._spool.take(_EDGES):
                if said == label and hash((src, rel, dst)) not in met:
                    found.setdefault((src, rel, dst), (props, id_, set()))[2].update(aud)
            for (src, rel, dst), (props, id_, whom) in found.items():
                yield EdgeRow(src, rel, dst, {**props, "access": label, "aud": sorted(whom) or None}, id=id_)
            met |= {hash(pair) for pair in found}
