"""What all rows of one repository share: its source, access label, origin, and the people in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from brain.connectors.context import Context
from brain.connectors.identities import Ident
from brain.types import EdgeRow, NodeRow, Origin, TextRow

Raw = dict[str, Any]


class Section:
    """Makes rows of one repository."""

    def __init__(self, source: str, repo: str, access: str, context: Context, file: str) -> None:
        self.source, self.repo, self.access, self.context, self.file = source, repo, access, context, file
        self._people: dict[str, None] = {}

    def origin(self, record: Raw | None = None) -> Origin:
        """Where the record was read: the repository, and the commit or ref in it."""
        if record is None:
            return Origin(self.file)
        which = record.get("sha") or record.get("head") or ""
        return Origin(f"{self.file}@{which[:10]}" if which else self.file, record.get("line") or 0)

    def commit(self, sha: str) -> str:
        """The key of a commit."""
        return f"commit:{self.repo}@{sha}"

    def person(self, ident: Ident | None) -> str | None:
        """The key of a person; the node follows with `people`."""
        key = self.context.person(ident)
        if key is not None:
            self._people[key] = None
        return key

    def people(self) -> Iterator[NodeRow]:
        """The nodes of everybody named so far."""
        for key in self._people:
            yield self.node(key, self.context.person_name(key), None, **self.context.person_props(key))

    def node(self, key: str, name: str, record: Raw | None, **props: Any) -> NodeRow:
        """A node; properties that are None are left out."""
        return NodeRow(key, name, self.source, {k: v for k, v in props.items() if v is not None}, self.origin(record))

    def edge(self, src: str, rel: str, dst: str, record: Raw | None, id_: str = "", **props: Any) -> EdgeRow:
        """An edge; properties that are None are left out."""
        return EdgeRow(src, rel, dst, {k: v for k, v in props.items() if v is not None}, self.origin(record), id_)

    def shipped(self, key: str, tag: str, record: Raw) -> EdgeRow:
        """SHIPPED_IN the tag that contained the change first."""
        source = "first tag that contains the commit"
        return self.edge(key, "SHIPPED_IN", f"release:{self.repo}@{tag}", record, how="tag", source=source)

    def text(self, key: str, title: str, body: str, at: int, author: str | None, record: Raw) -> TextRow:
        """The text of a commit or pull request."""
        return TextRow(key, "body", title, body, at, author or "", self.repo, self.access, origin=self.origin(record))
