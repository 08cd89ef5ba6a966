"""How each query and each tool keeps to what its asker may read: told from the macros of the very texts that run, never typed.

A tool of several queries is told by all it could run: its code is read, and whatever names a query there counts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from brain import permissions
from brain.catalogue import Catalogue, Query

_HERE = Path(__file__).parent
_CALLS = {"run": ("query", "internal"), "fragments": ("fragment",)}
_NODES = (("visible", "nodes visible"), ("readable", "histories of what is readable"))
_RELS = (("current", "relations current"), ("stated", "histories of what is stated"), ("claimed", "claims readable, decided or not"))
_AGGREGATE = re.compile(r"\b(?:count|sum|min|max|avg|collect|stDev|percentileCont)\s*\(", re.IGNORECASE)
_HOPS = re.compile(r"\]-|-\[")
OWN_TEXT = "no stored query: a text of the asker's own, taken only from who may read everything"


def of_query(query: Query) -> str:
    """How one query is filtered."""
    return _told([query])


def of_tool(catalogue: Catalogue, name: str) -> str:
    """How a tool is filtered, by all the queries it could run."""
    found = [catalogue[q] for q in queries_of(catalogue, name)]
    return _told(found) if found else OWN_TEXT


def queries_of(catalogue: Catalogue, name: str) -> tuple[str, ...]:
    """The queries and fragments that a tool could run, by name: itself where it is a query file, else those its code names."""
    own = catalogue.queries.get(name)
    if own is not None and own.kind == "query":
        return (name,)
    texts, calls = _code().reached(name)
    run = {kind for call, kinds in _CALLS.items() if call in calls for kind in kinds}
    named = re.compile("|".join(sorted(texts)) or "(?!)")
    return tuple(sorted(q.name for q in catalogue.queries.values() if q.kind in run and named.fullmatch(q.name)))


def _told(queries: Iterable[Query]) -> str:
    """One line for these queries. The lint refuses a query that meets a node or a claim without its macro, so what one of them
    says holds for everything that they meet.
    """
    queries = list(queries)
    used = {macro for q in queries for macro, *_ in permissions.macro_calls(q.text)}
    parts = [words for macro, words in (*_NODES, *_RELS) if macro in used]
    if parts and any(_HOPS.search(q.text) for q in queries):
        parts[0] += " at every hop"
    if "counted" in used:
        parts.append("derived edges of the viewer's basis")
    if any("db.idx." in q.text for q in queries):
        parts.append("searches checked before they count")
    if any(_AGGREGATE.search(q.text) for q in queries):
        parts.append("counts after the filter")
    return "; ".join(parts) or "meets nothing"


@dataclass(frozen=True)
class _Module:
    """The names at the top of a module with what they stand for, and those it has from its neighbours."""

    defined: Mapping[str, ast.AST]
    taken: Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class _Code:
    """The modules of this folder by name, to follow a tool through."""

    modules: Mapping[str, _Module] = field(default_factory=dict)

    def reached(self, tool: str) -> tuple[set[str], set[str]]:
        """Patterns of every text in the code that a tool could come to, and the names of the methods called there."""
        start = next(((m, tool) for m, module in self.modules.items() if tool in module.defined), None)
        texts: set[str] = set()
        calls: set[str] = set()
        seen: set[tuple[str, str]] = set()
        left = [start] if start else []
        while left:
            at = left.pop()
            if at in seen:
                continue
            seen.add(at)
            module = self.modules[at[0]]
            node = module.defined.get(at[1])
            if node is None:  # the whole of a module is meant, or a name that another module gives on
                left += [module.taken[at[1]]] if at[1] in module.taken and module.taken[at[1]][0] in self.modules else []
                continue
            texts |= set(_texts(node))
            calls |= {part.func.attr for part in ast.walk(node) if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)}
            left += self._next(at[0], node)
        return texts, calls

    def _next(self, name: str, node: ast.AST) -> Iterator[tuple[str, str]]:
        """What a definition refers to, in its module and its neighbours."""
        module = self.modules[name]
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in module.defined:
                yield name, part.id
            elif isinstance(part, ast.Name) and part.id in module.taken:
                where = module.taken[part.id]
                if where[0] in self.modules and where[1]:
                    yield where
            elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id in module.taken:
                where = module.taken[part.value.id]
                if where[0] in self.modules and not where[1]:
                    yield where[0], part.attr


def _texts(node: ast.AST) -> Iterator[str]:
    """The texts in a definition as patterns: one put together from parts stands for all it could be."""
    inner = {id(v) for part in ast.walk(node) if isinstance(part, ast.JoinedStr) for v in part.values}
    for part in ast.walk(node):
        if isinstance(part, ast.JoinedStr):
            said = [re.escape(str(v.value)) if isinstance(v, ast.Constant) else r"\w+" for v in part.values]
            if any(isinstance(v, ast.Constant) and re.search(r"[a-z]{3}|[a-z]_|_[a-z]", str(v.value)) for v in part.values):
                yield "".join(said)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and id(part) not in inner:
            yield re.escape(part.value)


@cache
def _code() -> _Code:
    return _Code({path.stem: _module(ast.parse(path.read_text(encoding="utf-8"))) for path in sorted(_HERE.glob("*.py"))})


def _module(tree: ast.Module) -> _Module:
    defined: dict[str, ast.AST] = {}
    taken: dict[str, tuple[str, str]] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined[node.name] = node
        elif isinstance(node, ast.Assign):
            defined |= {t.id: node.value for target in node.targets for t in ast.walk(target) if isinstance(t, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            defined[node.target.id] = node.value
        elif isinstance(node, ast.ImportFrom) and node.module == "brain.tools":
            taken |= {(a.asname or a.name): (a.name, "") for a in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("brain.tools."):
            home = str(node.module).rpartition(".")[2]
            taken |= {(a.asname or a.name): (home, a.name) for a in node.names}
    return _Module(defined, taken)
