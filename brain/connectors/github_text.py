"""What people wrote on GitHub: texts to be cut into chunks, and the links that stand in them.

A closing keyword closes only from a title, body or commit message; in a comment the same words only refer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from brain.connectors.context import Context
from brain.connectors.github_fields import Raw
from brain.connectors.references import Reference, references, ticket_references, without_code
from brain.types import EdgeRow, Origin, Row, Skip, TextRow

_MENTION = re.compile(r"(?<![\w.@/+-])@([A-Za-z0-9](?:-?[A-Za-z0-9]){0,38})(?![\w/@-])")


@dataclass(frozen=True)
class Source:
    """A section's source: its id, canonical repository, access label, and the file it was read from."""

    id: str
    repo: str
    access: str
    file: str


@dataclass(frozen=True)
class Spoken:
    """One text of an issue, pull request, release or commit; `own` where closing keywords count."""

    part: str
    title: str
    body: str
    at: int
    author: str
    url: str
    own: bool = False

    @classmethod
    def of(cls, part: str, title: str, remark: Raw, at: int) -> Spoken:
        """The text of a comment or review."""
        return cls(part, title, remark["body"], at, remark["author"] or "", remark.get("url") or "")


def texts(key: str, source: Source, spoken: Iterable[Spoken]) -> Iterator[TextRow]:
    """A TextRow for every text that says something; a body is kept for its title alone."""
    for one in spoken:
        if one.body.strip() or (one.part == "body" and one.title.strip()):
            yield TextRow(
                key=key,
                part=one.part,
                title=one.title,
                body=one.body,
                at=one.at,
                author=one.author,
                repo=source.repo,
                access=source.access,
                url=one.url,
                origin=Origin(source.file),
            )


def links(key: str, source: Source, spoken: Iterable[Spoken], context: Context) -> Iterator[Row]:
    """CLOSES and REFERENCES, of tickets too, and MENTIONS of people, one of each a pair with the instant of the first;
    a Skip counts what is referred to and not loaded.
    """
    closes: dict[str, dict[str, Any]] = {}
    refers: dict[str, dict[str, Any]] = {}
    mentions: dict[str, dict[str, Any]] = {}
    unknown = 0
    for one in spoken:
        text = f"{one.title}\n\n{one.body}" if one.part == "body" else one.body
        for ref in references(text):
            target, cross = _target(ref, source.repo, context)
            if target is None:
                unknown += 1
            elif target != key:
                _keep(key, target, ref, one, cross, closes, refers)
        for target, keyword in _tickets(text, context):
            closing = keyword and one.own and key.startswith(("pr:", "commit:"))
            props = {"at": one.at, **({"keyword": keyword} if closing else {})}
            (closes if closing else refers).setdefault(target, props)
        for person in _people(text, context):
            entry = mentions.setdefault(person, {"n": 0, "at": one.at})
            entry["n"] += 1
    origin = Origin(source.file)
    for target, props in closes.items():
        yield EdgeRow(key, "CLOSES", target, props, origin)
    for target, props in refers.items():
        if target not in closes:
            yield EdgeRow(key, "REFERENCES", target, props, origin)
    for person, props in mentions.items():
        yield EdgeRow(key, "MENTIONS", person, props, origin)
    if unknown:
        yield Skip("reference to something not loaded", origin, unknown)


def _target(ref: Reference, here: str, context: Context) -> tuple[str | None, bool]:
    repo = context.repo(ref.repo_from(here))
    return context.item(repo, ref.number), repo != here


def _keep(key: str, target: str, ref: Reference, one: Spoken, cross: bool, closes: dict[str, Any], refers: dict[str, Any]) -> None:
    closing = one.own and ref.closes and key.startswith(("pr:", "commit:")) and target.startswith("issue:")
    if closing:
        closes.setdefault(target, {"keyword": ref.keyword, "crossRepo": cross, "at": one.at})
    else:
        refers.setdefault(target, {"crossRepo": cross, "at": one.at})


def _tickets(text: str, context: Context) -> Iterator[tuple[str, str | None]]:
    """The tickets of other systems that a text names, each with the closing keyword before it."""
    for id_, keyword in ticket_references(text).items():
        target = context.company.find(id_, "Ticket")
        if target is not None and context.company.declared(target):
            yield target, keyword


def _people(text: str, context: Context) -> Iterator[str]:
    if "@" not in text:
        return
    for match in _MENTION.finditer(without_code(text)):
        key = context.known_person(match[1])
        if key is not None:
            yield key
