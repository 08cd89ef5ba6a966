"""The declared reading of tables: which kind a table is, by its headings, and what each of its columns says. The lists are in
columns.yaml; a heading that is in none of them is not guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from brain import schema
from brain.connectors.markdown_page import Row, Table
from brain.errors import BadInput

DECLARED = Path(__file__).with_name("columns.yaml")
_FORMS = frozenset({"names", "says", "edge", "labels", "prop", "time", "account", "document", "id", "ignore", "rank"})
_TABLE = frozenset({"label", "labels", "subject", "needs", "heading", "columns"})


@dataclass(frozen=True)
class Column:
    """What a column says; see columns.yaml."""

    name: str
    names: tuple[str, ...]
    says: tuple[str, ...] = ()
    edge: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    prop: str = ""
    time: str = ""
    account: str = ""
    rank: str = ""
    document: bool = False
    id: bool = False
    ignore: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of table."""

    name: str
    label: str
    labels: tuple[str, ...]
    subject: tuple[str, ...]
    needs: tuple[str, ...]
    heading: bool
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Reading:
    """A table and how its columns are read. `subject` is the place of the column it is about, -1 when its heading tells;
    `unknown` are the headings that nothing is declared for.
    """

    kind: Kind
    table: Table
    subject: int
    places: Mapping[str, int]
    unknown: tuple[str, ...] = ()
    said: Mapping[str, str] = field(default_factory=dict)

    def cell(self, row: Row, column: str) -> str:
        """The text of a cell, empty where the table has no such column."""
        at = self.places.get(column, -1)
        return row.cells[at].text.strip() if 0 <= at < len(row.cells) else ""


def plain_heading(text: str) -> str:
    """A heading as it is compared."""
    text = re.sub(r"\([^)]*\)", " ", text.lower())
    words = re.sub(r"[^\w#/-]+", " ", text).replace("_", " ").split()
    words = [w for w in words if w not in ("the", "a", "an", "of", "our", "current")] or words
    return " ".join(w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in words)


class Columns:
    """Every kind of table that is declared."""

    def __init__(self, kinds: Sequence[Kind], anywhere: Sequence[Column]) -> None:
        self.kinds, self.anywhere = tuple(kinds), tuple(anywhere)

    def reading(self, table: Table) -> Reading | None:
        """How a table is read: as the kind that leaves the fewest columns unread; None when it is of no declared kind."""
        heads = [plain_heading(h) for h in table.header]
        found = [r for kind in self.kinds if (r := self._as(kind, table, heads)) is not None]
        return min(found, key=lambda r: (r.subject < 0, len(r.unknown)), default=None)

    def _as(self, kind: Kind, table: Table, heads: list[str]) -> Reading | None:
        first = 1 if len(heads) > 1 and heads[0] in ("#", "no", "nr", "id", "key", "") else 0
        above = plain_heading(table.heading) if heads[first : first + 1] == ["name"] else ""
        subject = next((i for i in {0, first} if i < len(heads) and (heads[i] in kind.subject or above in kind.subject)), -1)
        if subject < 0 and not kind.heading:
            return None
        places, unknown = {}, []
        for i, head in enumerate(heads):
            if i == subject:
                continue
            column = next((c for c in (*kind.columns, *self.anywhere) if head in c.names and c.name not in places), None)
            if column is not None and not column.ignore:
                places[column.name] = i
            elif column is None and head:
                unknown.append(table.header[i])
        if not any(name in places for name in kind.needs) or (subject < 0 and unknown):
            return None
        return Reading(kind, table, subject, places, tuple(unknown), {n: table.header[i] for n, i in places.items()})

    def column(self, reading: Reading, name: str) -> Column | None:
        """The declaration of a column."""
        return next((c for c in (*reading.kind.columns, *self.anywhere) if c.name == name), None)


@lru_cache(maxsize=8)
def declared(more: str = "") -> Columns:
    """The declared columns, with those of the YAML text `more` before them."""
    ours = yaml.safe_load(DECLARED.read_text("utf-8"))
    theirs = yaml.safe_load(more) if more else {}
    anywhere = _columns(ours["anywhere"], (theirs or {}).get("anywhere") or {}, "anywhere")
    tables: dict[str, Any] = dict(ours["tables"])
    extra: dict[str, Any] = (theirs or {}).get("tables") or {}
    kinds = [_kind(name, tables.get(name) or {}, extra.get(name) or {}) for name in [*(n for n in extra if n not in tables), *tables]]
    return Columns(kinds, anywhere)


def _kind(name: str, ours: dict[str, Any], theirs: dict[str, Any]) -> Kind:
    for part in (ours, theirs):
        if not isinstance(part, dict) or set(part) - _TABLE:
            raise BadInput(f"tables: {name}: legal are {', '.join(sorted(_TABLE))}")
    label = theirs.get("label") or ours.get("label")
    if label not in schema.NODES:
        raise BadInput(f"tables: {name}: label is {label!r}; legal: {', '.join(schema.NODES)}")
    columns = _columns(ours.get("columns") or {}, theirs.get("columns") or {}, name)
    subject = [plain_heading(s) for s in (*theirs.get("subject", ()), *ours.get("subject", ()))]
    labels = tuple(theirs.get("labels") or ours.get("labels") or (label,))
    needs = tuple(theirs.get("needs") or ()) + tuple(ours.get("needs") or ())
    return Kind(name, label, labels, tuple(subject), needs, bool(ours.get("heading")), tuple(columns))


def _columns(ours: dict[str, Any], theirs: dict[str, Any], where: str) -> list[Column]:
    made = []
    for name in [*(n for n in theirs if n not in ours), *ours]:
        one = {**(ours.get(name) or {}), **{k: v for k, v in (theirs.get(name) or {}).items() if k != "names"}}
        names = [*((theirs.get(name) or {}).get("names") or ()), *((ours.get(name) or {}).get("names") or ())]
        if set(one) - _FORMS:
            raise BadInput(f"{where}: column {name!r} has {sorted(set(one) - _FORMS)}; legal are {', '.join(sorted(_FORMS))}")
        _check(one, f"{where}: column {name!r}")
        one |= {k: tuple(one.get(k) or ()) for k in ("says", "edge", "labels")}
        made.append(Column(name, **{**one, "names": tuple(plain_heading(str(n)) for n in names)}))
    return made


def _check(one: dict[str, Any], where: str) -> None:
    for form in ("says", "edge"):
        said = one.get(form)
        if said and (len(said) != 3 or said[1] not in schema.RELS or not {said[0], said[2]} <= {"value", "subject", "document"}):
            raise BadInput(f"{where}: {form} is {said!r}; write [value, RELATIONSHIP, subject], of brain/schema.py")
    for label in one.get("labels") or ():
        if label not in schema.NODES:
            raise BadInput(f"{where}: label {label!r}; legal: {', '.join(schema.NODES)}")


def checked(path: Path) -> str:
    """The text of a file of columns; BadInput, naming it, when it cannot be used."""
    try:
        text = path.read_text("utf-8")
        declared(text)
    except (OSError, UnicodeDecodeError) as err:
        raise BadInput(f"{path}: cannot be read: {err}") from None
    except (yaml.YAMLError, BadInput, AttributeError, TypeError) as err:
        raise BadInput(f"{path}: is no list of columns: {str(err).splitlines()[0]}") from None
    return text
