"""What a query file must not do: return or count a source it has not checked, or cross an assertion
without the validity rule. Stricter than needed on purpose: every named node that could be a source
must be checked, whether or not it is returned."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from brain import permissions, schema
from brain.errors import DefinitionError

if TYPE_CHECKING:
    from brain.catalogue import Query

_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|//[^\n]*|/\*.*?\*/", re.S)
_NODE = re.compile(r"(?<![\w.])\(\s*([A-Za-z_]\w*)?\s*((?::\s*\w+\s*)*)(\{[^}]*\})?\s*\)")
_REL = re.compile(r"-\[\s*([A-Za-z_]\w*)?\s*((?::\s*\w+\s*(?:\|\s*:?\s*\w+\s*)*)?)\s*(\*[\d.]*)?\s*(\{[^}]*\})?\s*\]-")
_BARE_REL = re.compile(r"--(?:>|\()|<--|\)-->|\)--\(")
_WRITE = re.compile(r"\b(CREATE|MERGE|SET|DELETE|REMOVE|DETACH|DROP|LOAD\s+CSV|FOREACH)\b", re.I)
_TIMED = {"REVIEWED", "COMMENTED_ON", "MERGED", "SHIPPED_IN", "CLOSES", "AUTHORED", "OPENED", "REFERENCES"}


def _sources(labels: list[str]) -> bool:
    """Could a node with these labels be a source?"""
    typed = [name for name in labels if name in schema.NODES]
    return any(schema.NODES[name].kind == "source" for name in typed) if typed else True


def check(query: Query, where: str) -> None:
    """Raises DefinitionError, naming file and fix, when the query breaks a rule of the room."""
    text = _STRING.sub("''", query.text)
    if _WRITE.search(text):
        raise DefinitionError(f"{where}: a query only reads; take out {_WRITE.search(text)[0]!r}")  # type: ignore[index]
    if query.kind == "derive":
        _check_derive(query, where)
        return
    calls = permissions.macro_calls(text)
    seen = {arg for macro, arg, _, _ in calls if macro == "visible"}
    alive = {arg for macro, arg, _, _ in calls if macro == "current"}
    _check_labels(text, where)
    if _BARE_REL.search(text):
        raise DefinitionError(f"{where}: give every relationship a name and a type: -[r:TYPE]->")
    _check_nodes(text, seen, where)
    _check_rels(text, seen, alive, where)
    if re.search(r"\bYIELD\s+node\b(?!\s+AS)", text) and "node" not in seen and not re.search(r"\bnode\s+AS\s+(\w+)", text):
        raise DefinitionError(f"{where}: check what the procedure yields: WITH node WHERE visible(node)")
    for alias in re.findall(r"\bnode\s+AS\s+(\w+)", text):
        if alias not in seen:
            raise DefinitionError(f"{where}: check what the procedure yields: WHERE visible({alias})")


def _check_derive(query: Query, where: str) -> None:
    rel = schema.RELS.get(query.writes)
    if rel is None or rel.cls != "derived":
        raise DefinitionError(f"{where}: `// writes:` must name a derived relationship, not {query.writes!r}")
    if not re.search(r"\bAS\s+src\b", query.text) or not re.search(r"\bAS\s+dst\b", query.text):
        raise DefinitionError(f"{where}: a derived edge needs columns `src` and `dst` (keys)")


def _check_labels(text: str, where: str) -> None:
    for _, labels, _ in _NODE.findall(text):
        for label in re.findall(r"\w+", labels):
            if label != "Entity" and label not in schema.NODES:
                raise DefinitionError(f"{where}: label {label!r} is not in brain/schema.py")


def _check_nodes(text: str, seen: set[str], where: str) -> None:
    named: dict[str, list[str]] = {}
    for match in _NODE.finditer(text):
        name, labels = match[1], re.findall(r"\w+", match[2])
        if name is None:
            if _sources(labels):
                raise DefinitionError(f"{where}: name the node {match[0]!r} and check it with visible()")
            continue
        if match[2] or match[3] or name not in named:
            named.setdefault(name, []).extend(labels)
    patterns = {m[1] for m in _NODE.finditer(text) if m[1] and _in_pattern(text, m)}
    for name in patterns:
        if _sources(named.get(name, [])) and name not in seen:
            raise DefinitionError(f"{where}: node {name!r} may be a source; add visible({name})")
        if "Chunk" in named.get(name, []) and re.search(rf"\bRETURN\b[^;]*(?<![\w.]){name}(?![\w.(])", text):
            raise DefinitionError(f"{where}: return properties of chunk {name!r}, not the node: it carries its vector")


def _in_pattern(text: str, match: re.Match[str]) -> bool:
    """A bracketed name that stands in a graph pattern, not a function's argument list."""
    before, after = text[: match.start()].rstrip(), text[match.end() :].lstrip()
    return bool(match[2]) or before.endswith(("-", ">", "MATCH")) or after.startswith(("-", "<-"))


def _check_rels(text: str, seen: set[str], alive: set[str], where: str) -> None:
    for match in _REL.finditer(text):
        name, types, star = match[1], re.findall(r"\w+", match[2]), match[3]
        for kind in types:
            if kind not in schema.RELS:
                raise DefinitionError(f"{where}: relationship {kind!r} is not in brain/schema.py")
        timed = not types or any(t in _TIMED or schema.RELS[t].cls == "assertion" for t in types)
        if timed and (name is None or name not in alive):
            raise DefinitionError(f"{where}: {match[0]} happened at a time or is a claim; name it r and add current(r)")
        if star:
            if ".." not in star and not star[1:].isdigit():
                raise DefinitionError(f"{where}: bound the path {match[0]}, such as *1..3")
            ends = {f"endNode({name})", f"startNode({name})"}
            if not ends <= seen:
                raise DefinitionError(f"{where}: check every hop of {match[0]}: add visible(startNode({name})) AND visible(endNode({name}))")
