"""All rows of one document, in the order that evidence needs: the text before what rests on it."""

from __future__ import annotations

from collections.abc import Iterator

from brain.connectors import (
    markdown_decision,
    markdown_doc,
    markdown_incident,
    markdown_rule_rows,
    markdown_tables,
)
from brain.connectors.markdown_rules import stated_rules
from brain.connectors.markdown_writer import Writer
from brain.types import Row


def document_rows(w: Writer) -> Iterator[Row]:
    """The rows of a document."""
    document = w.document
    yield from markdown_doc.rows(w)
    repo = w.context.repo(str(w.record.get("repo") or ""))
    if repo and (w.context.has_git(repo) or w.context.has_github(repo)):
        yield w.edge(w.key, "IN_REPO", f"repo:{repo}")
    if document.is_template:
        return
    if document.is_decision:
        yield from markdown_decision.rows(w)
    if document.kind == "incident":
        yield from markdown_incident.rows(w)
    yield from markdown_tables.rows(w)
    yield from markdown_rule_rows.rows(w, tuple(stated_rules(document, w.columns)))
    yield from markdown_decision.superseding(w)
