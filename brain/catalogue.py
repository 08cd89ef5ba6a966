"""The catalogue: one `.cypher` file is one parameterised query, one tool and one row of the docs.

A file describes itself in its header; a bad one is refused here, with file, line and the fix.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import yaml

from brain import lint, permissions, values
from brain.errors import DefinitionError, ToolError

FOLDER = Path(__file__).resolve().parent.parent / "queries"
SHOWN = 80
KINDS = ("query", "internal", "derive", "fragment", "audit")
FIELDS = ("params", "example", "returns", "writes", "kind", "takes", "guards")
VIEWER_PARAMS = frozenset({"viewer_access", "viewer_groups", "viewer_basis", "as_of", "known_at"})
DERIVE_PARAMS = frozenset({"labels"})
_TYPES: dict[str, type | tuple[type, ...]] = {
    "str": str,
    "int": int,
    "float": (int, float),
    "bool": bool,
    "list[str]": list,
    "list[int]": list,
    "list[float]": list,
}
_PARAM = re.compile(r"^\s*(\w+)\s*:\s*([\w\[\]|]+\??)\s*(?:=\s*(.+?))?\s*$")
_JSON_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}


@dataclass(frozen=True)
class Param:
    """One typed parameter of a query; required when it has no default and is not optional."""

    name: str
    type: str
    default: Any = None
    required: bool = True
    choices: tuple[str, ...] = ()

    def check(self, value: Any) -> Any:
        """The value, when its type fits; raises ToolError that names what does."""
        if value is None and not self.required:
            return self.default
        legal = _TYPES[self.type.rstrip("?")]
        if isinstance(value, bool) and self.type.rstrip("?") != "bool":
            raise ToolError(f"{self.name!r} must be {self.type}, not {_shown(value)}")
        if isinstance(value, tuple):
            value = list(value)
        if not isinstance(value, legal):
            raise ToolError(f"{self.name!r} must be {self.type}, not {_shown(value)}")
        if isinstance(value, list):
            self._check_items(value)
        value = _clean(value)
        if self.choices and value not in self.choices:
            raise ToolError(f"{self.name!r} must be one of {', '.join(self.choices)}, not {_shown(value)}")
        return value

    @property
    def json_schema(self) -> dict[str, Any]:
        """The type as a JSON schema."""
        base = self.type.rstrip("?")
        if self.choices:
            return {"type": "string", "enum": list(self.choices)}
        inner = re.fullmatch(r"list\[(\w+)\]", base)
        if inner:
            return {"type": "array", "items": {"type": _JSON_TYPES[inner[1]]}}
        return {"type": _JSON_TYPES[base]}

    def _check_items(self, values: list[Any]) -> None:
        inner = self.type.rstrip("?")[5:-1]
        for item in values:
            if not isinstance(item, _TYPES[inner]) or isinstance(item, bool):
                raise ToolError(f"{self.name!r} must be {self.type}; {_shown(item)} is not {inner}")


@dataclass(frozen=True)
class Query:
    """One query file. `text` has the macros as written, `cypher` has them expanded. `takes` are the
    names that a fragment finds already matched and checked by the fragments before it; `guards` are
    relationships matched past the rules, only to know whether there is something the viewer may not see.
    """

    name: str
    topic: str
    kind: str
    text: str
    description: str
    params: tuple[Param, ...] = ()
    example: Mapping[str, Any] = field(default_factory=dict)
    returns: str = ""
    writes: str = ""
    path: Path = Path()
    takes: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()

    @cached_property
    def cypher(self) -> str:
        """The query as it runs, macros expanded."""
        return permissions.expand(self.text)

    def bind(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments checked against the header and completed with defaults; ToolError if unfit."""
        return bind(self.name, self.params, args)

    @property
    def json_schema(self) -> dict[str, Any]:
        """The arguments as a JSON schema object, for a model's tool list."""
        return json_schema(self.params)


def _clean(value: Any) -> Any:
    """The value as the server will see it, so that nothing is one thing to a tool and another to its query."""
    if isinstance(value, str):
        return values.clean_text(str(value))
    if isinstance(value, list) and value and isinstance(value[0], str):
        return [values.clean_text(str(item)) for item in value]
    return value


def _shown(value: Any) -> str:
    """A value as an error names it: on one line, cut where it is long, and by its type where its text would say nothing."""
    if not isinstance(value, str | int | float | list | None):
        return type(value).__name__
    text = repr(value[:SHOWN] if isinstance(value, str | list) else value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def bind(name: str, params: Sequence[Param], args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the tool or query `name`, checked and completed with defaults; ToolError if unfit."""
    known = {p.name: p for p in params}
    for arg in args:
        if arg not in known:
            raise ToolError(f"{name} has no parameter {_shown(arg)}; it has {', '.join(known) or 'none'}")
    missing = [p.name for p in params if p.required and args.get(p.name) is None]
    if missing:
        raise ToolError(f"{name} needs {', '.join(missing)}")
    return {p.name: p.check(args[p.name]) if p.name in args else p.default for p in params}


def json_schema(params: Sequence[Param]) -> dict[str, Any]:
    """Parameters as a JSON schema object."""
    return {
        "type": "object",
        "properties": {p.name: p.json_schema for p in params},
        "required": [p.name for p in params if p.required],
        "additionalProperties": False,
    }


def parse_params(raw: str, where: str) -> list[Param]:
    """The parameters in a text such as `key: str, k: int = 10, order: most|least = most, until: int?`."""
    found = []
    for piece in re.split(r",(?![^\[]*\])", raw):
        if not piece.strip():
            continue
        match = _PARAM.match(piece)
        kind = match[2].rstrip("?") if match else ""
        choices = tuple(kind.split("|")) if "|" in kind else ()
        if not match or not (choices or kind in _TYPES):
            raise DefinitionError(
                f"{where}: parameter {piece.strip()!r} is not `name: type [= default]`; types: {', '.join(_TYPES)}, or choices a|b|c"
            )
        default = yaml.safe_load(match[3]) if match[3] is not None else None
        optional = match[3] is not None or match[2].endswith("?")
        found.append(Param(match[1], "str" + "?" * match[2].endswith("?") if choices else match[2], default, not optional, choices))
    return found


def _header(path: Path) -> tuple[dict[str, list[str]], str, str]:
    """Fields, description and body of a query file."""
    fields: dict[str, list[str]] = {}
    prose, lines = [], path.read_text("utf-8").splitlines()
    end = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    for line in lines[:end]:
        content = line[2:].strip()
        name, colon, value = content.partition(":")
        if colon and name in FIELDS:
            fields.setdefault(name, []).append(value.strip())
        elif content:
            prose.append(content)
    return fields, " ".join(prose), "\n".join(lines[end:]).strip()


def parse(path: Path, topic: str) -> Query:
    """The query in a file. Raises DefinitionError with file and fix when the file is not one."""
    where = f"{path.parent.name}/{path.name}"
    fields, description, body = _header(path)
    kind = (fields.get("kind") or ["derive" if topic == "derive" else "query"])[0]
    if kind not in KINDS:
        raise DefinitionError(f"{where}: kind is {kind!r}; legal: {', '.join(KINDS)}")
    if not description:
        raise DefinitionError(f"{where}: write one sentence after the header fields that says what the query gives")
    if not body:
        raise DefinitionError(f"{where}: there is no query below the header")
    example = yaml.safe_load((fields.get("example") or ["{}"])[0]) or {}
    if not isinstance(example, dict):
        raise DefinitionError(f"{where}: `example:` must be a YAML mapping such as {{key: 'repo:o/n'}}")
    params = tuple(p for raw in fields.get("params", []) for p in parse_params(raw, where))
    writes = (fields.get("writes") or [""])[0]
    takes, guards = (tuple(re.findall(r"\w+", " ".join(fields.get(f, [])))) for f in ("takes", "guards"))
    query = Query(
        path.stem, topic, kind, body, description, params, example, " ".join(fields.get("returns", [])), writes, path, takes, guards
    )
    lint.check(query, where)
    _check_header(query, fields, where)
    return query


def _check_header(query: Query, fields: Mapping[str, Any], where: str) -> None:
    """The header and the text must tell of the same parameters, and the example must fit them."""
    used = set(re.findall(r"\$(\w+)", query.cypher)) - VIEWER_PARAMS - (DERIVE_PARAMS if query.kind == "derive" else frozenset())
    stated = {p.name for p in query.params}
    if taken := stated & VIEWER_PARAMS:
        raise DefinitionError(f"{where}: {', '.join(sorted(taken))} comes from the login and the question, never from a caller")
    if unstated := used - stated:
        raise DefinitionError(f"{where}: state {', '.join(sorted(unstated))} in `// params:`")
    if idle := stated - used:
        raise DefinitionError(f"{where}: the query never reads {', '.join(sorted(idle))}; take it out of `// params:`")
    if query.takes and query.kind != "fragment":
        raise DefinitionError(f"{where}: only a fragment has `// takes:`")
    if query.kind == "query" and "example" not in fields:
        raise DefinitionError(f"{where}: add `// example: {{...}}` with arguments that find something in the demo")
    if query.kind in ("query", "internal") and "example" in fields:
        try:
            query.bind(query.example)
        except ToolError as err:
            raise DefinitionError(f"{where}: the example does not fit: {err}") from None


@dataclass(frozen=True)
class Catalogue:
    """Every query by name. The folder is the list."""

    queries: Mapping[str, Query]

    def __getitem__(self, name: str) -> Query:
        if name not in self.queries:
            raise ToolError(f"there is no query {name!r}; `brain query list` shows them all")
        return self.queries[name]

    def of_kind(self, kind: str) -> list[Query]:
        """The queries of one kind, in the order of their files."""
        return sorted((q for q in self.queries.values() if q.kind == kind), key=lambda q: (q.topic, q.path.name))


@cache
def shipped() -> Catalogue:
    """The catalogue that comes with the program, read once."""
    return load()


def load(folder: Path = FOLDER) -> Catalogue:
    """The catalogue of a folder `<topic>/*.cypher`; refuses two files of one name."""
    found: dict[str, Query] = {}
    for path in sorted(folder.glob("*/*.cypher")):
        query = parse(path, path.parent.name)
        if query.name in found:
            raise DefinitionError(f"{path.parent.name}/{path.name}: {found[query.name].topic}/ has a query of that name")
        found[query.name] = query
    if not found:
        raise DefinitionError(f"no queries in {folder}; the installation is incomplete")
    return Catalogue(found)
