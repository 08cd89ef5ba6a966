"""Rules that documents state: in tables with the columns Rule and Value, or in front matter. Replacement is only what is stated:
a newer rule of the same name does not silently end an older one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from brain.connectors.identities import slug
from brain.connectors.markdown_columns import Columns, Reading, declared
from brain.connectors.markdown_front import Value
from brain.connectors.markdown_kind import Document, says
from brain.connectors.markdown_page import Line, Row
from brain.connectors.markdown_status import state, status

FORMAL = frozenset({"policy", "sop", "notice", "registry"})
_NONE = frozenset({"adr", "incident", "meeting", "template", "changelog", "readme", "index"})
STARTS = ("effective_from", "effective", "effective_date", "valid_from", "in_force_from", "starts", "from")
ENDS = ("effective_until", "effective_to", "valid_until", "valid_to", "expires", "expiry", "until")
_EVERYBODY = frozenset(
    {
        "all", "everyone", "everybody", "all teams", "all staff", "all services", "company", "the company", "whole company", "company-wide",
        "global", "any", "*", "organisation", "organization", "all employees",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Stated:
    """A rule as a document states it. `applies` are the words for whom it binds, none for everybody; `end` the last second it
    holds; `replaces` what it says it replaces, as one text and its links.
    """

    key: str
    name: str
    slot: str
    value: str
    line: int
    applies: tuple[str, ...] = ()
    conditions: str = ""
    start: int = 0
    end: int | None = None
    replaces: Line | None = None
    applies_line: int = 0


def why_not_in_force(document: Document) -> str:
    """Why the rules of a document bind nobody; empty when they do."""
    written = status(document)
    stood = state(written.text) if written else ""
    return f"a rule of a document that is {stood}" if stood in ("proposed", "rejected", "deprecated") else ""


def stated_rules(document: Document, columns: Columns | None = None) -> Iterator[Stated]:
    """Every rule of a document, each with a key of its own."""
    if document.kind in _NONE or why_not_in_force(document):
        return
    rules = [*_front_rules(document), *_table_rules(document, columns or declared())]
    taken: set[str] = set()
    for rule in rules:
        alike = [r for r in rules if r.slot == rule.slot]
        key = _key(document, rule, alike)
        key = key if key not in taken else f"{key}-{rule.line}"
        taken.add(key)
        yield replace(rule, key=key)


def _key(document: Document, rule: Stated, alike: list[Stated]) -> str:
    """`rule:<document>/<name>`, and for the second of one name what tells it from the first."""
    home = slug(document.path.rpartition(".")[0])
    if len(document.path) > 80:
        home = f"{home[:70]}-{hashlib.sha256(document.path.encode()).hexdigest()[:8]}"
    parts = [(rule.conditions, {r.conditions for r in alike}), (" ".join(rule.applies), {" ".join(r.applies) for r in alike})]
    parts.append((str(rule.start or ""), {str(r.start or "") for r in alike}))
    told = [slug(own) for own, all_ in parts if len(all_) > 1 and slug(own)]
    return "-".join([f"rule:{home}/{rule.slot}", *(told if alike[0] is not rule else ())])


def _period(document: Document) -> tuple[int, int | None]:
    start, end = (next((m for v in document.field(*names) if (m := document.when(v.text))), None) for names in (STARTS, ENDS))
    dated = next((m for v in document.field("date", "published", "created", "approved_on") if (m := document.when(v.text))), None)
    return (start.start if start else dated.start if dated else 0), (end.end if end else None)


def _front_rules(document: Document) -> Iterator[Stated]:
    start, end = _period(document)
    front = document.page.front
    named, value = front.one("rule", "rule_name"), front.one("value", "rule_value")
    if named is not None and value is not None:
        replaces, about = front.one("replaces", "supersedes"), front.all("applies_to", "scope", "team", "service")
        said = front.one("conditions", "condition")
        yield _rule(named, value, [v.text for v in about], said, start, end, replaces, about[0].line if about else 0)
    for item in front.items.get("rules", ()):
        named, value = item.get("rule") or item.get("name") or item.get("title"), item.get("value")
        if named is not None and value is not None:
            since, until = item.get("from") or item.get("effective_from"), item.get("until") or item.get("effective_until")
            first, last = (document.when(v.text) if v else None for v in (since, until))
            begins, ends = first.start if first else start, last.end if last else end
            applies = item.get("applies_to")
            bound = _subjects(applies.text) if applies else []
            yield _rule(named, value, bound, item.get("conditions"), begins, ends, item.get("replaces"), 0)


def _rule(
    named: Value, value: Value, applies: list[str], said: Value | None, start: int, end: int | None, replaces: Value | None, line: int
) -> Stated:  # fmt: skip
    told = Line(replaces.text, replaces.line) if replaces else None
    bound = tuple(a for a in applies if says(a) and a.strip().lower() not in _EVERYBODY)
    return Stated("", named.text, slug(named.text), value.text, named.line, bound, said.text if said else "", start, end, told, line)


def _table_rules(document: Document, columns: Columns) -> Iterator[Stated]:
    start, end = _period(document)
    for table in document.page.tables:
        reading = columns.reading(table)
        if reading is not None and reading.kind.name == "rules":
            for row in table.rows:
                rule = _of_row(document, reading, row, start, end)
                if rule is not None:
                    yield rule


def _of_row(document: Document, reading: Reading, row: Row, start: int, end: int | None) -> Stated | None:
    name = row.cells[reading.subject].text.strip() if reading.subject < len(row.cells) else ""
    value = reading.cell(row, "value")
    if not says(name) or not says(value) or not slug(name):
        return None
    first, last = document.when(reading.cell(row, "from")), document.when(reading.cell(row, "until"))
    at = reading.places.get("replaces", -1)
    replaced = row.cells[at] if 0 <= at < len(row.cells) and says(row.cells[at].text) else None
    conditions = reading.cell(row, "conditions")
    return Stated(
        "", " ".join(name.split()), slug(name), " ".join(value.split()), row.line, tuple(_subjects(reading.cell(row, "applies"))),
        " ".join(conditions.split()) if says(conditions) else "", first.start if first else start, last.end if last else end,
        Line(replaced.text, row.line, replaced.links) if replaced else None, row.line,
    )  # fmt: skip


def _subjects(text: str) -> list[str]:
    if not says(text) or text.strip().lower() in _EVERYBODY:
        return []
    parts = [part.strip() for part in re.split(r"[,;\n]| and (?=[a-z@`-]+(?:$|,))", text)]
    return [part for part in parts if says(part) and part.lower() not in _EVERYBODY]
