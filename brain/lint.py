"""What a query file must not do: return or count something it has not checked, cross an assertion
without the validity rule, or answer in an order that nobody stated. Stricter than needed on purpose:
every named node must be checked, whether or not it is returned.
"""

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
_NEGATED = re.compile(r"\bNOT\s+\(\w+\)\s*<?$")
_WRITE = re.compile(r"(?<![.$])\b(CREATE|MERGE|SET|DELETE|REMOVE|DETACH|DROP|LOAD\s+CSV|FOREACH)\b", re.I)
_CALLED = re.compile(r"\bCALL\s+([A-Za-z][\w.]*)", re.I)
_CLAUSE = re.compile(r"\b(?:WITH|RETURN|MATCH|UNWIND|CALL|YIELD|UNION|ORDER\s+BY|LIMIT|SKIP)\b")
DECIDING = "candidates"
AUDIT = "audit"
HISTORIES = ("own", "rules", "decide", "notices", "composed")
_BESIDE = ("Entity", "Evidence")
_TIMELESS = frozenset({"TOUCHED", "IN_DIR", "IN_REPO", "INCLUDES"})
PROCEDURES = frozenset(
    {
        "db.idx.fulltext.queryNodes",
        "db.idx.vector.queryNodes",
        "algo.pageRank",
        "algo.betweenness",
        "algo.labelPropagation",
    }
)


def _sources(labels: list[str]) -> bool:
    """Could a node with these labels be a source?"""
    typed = [name for name in labels if name in schema.NODES]
    return any(schema.NODES[name].kind == "source" for name in typed) if typed else True


def check(query: Query, where: str) -> None:
    """Raises DefinitionError, naming file and fix, when the query breaks a rule of the room."""
    text = _STRING.sub("''", query.text)
    if found := _WRITE.search(text):
        raise DefinitionError(f"{where}: a query only reads; take out {found[0]!r}")
    _check_labels(text, where)
    if _BARE_REL.search(text):
        raise DefinitionError(f"{where}: give every relationship a name and a type: -[r:TYPE]->")
    if query.kind == "derive":
        _check_derive(query, text, where)
        return
    if query.kind == "audit":
        if query.topic != AUDIT:
            raise DefinitionError(f"{where}: a query of kind audit looks past the access rule; it belongs into {AUDIT}/")
        _check_procedures(text, where)
        _check_order(text, where)
        return
    for macro, arg, start, _ in permissions.macro_calls(text):
        _check_conjunct(text, arg, start, where)
        if macro in ("claimed", "decidable") and (query.topic != DECIDING or query.kind != "internal"):
            raise DefinitionError(f"{where}: {macro}({arg}) lets candidates through; only internal queries of {DECIDING}/ may use it")
        if macro in ("readable", "stated") and query.topic not in HISTORIES:
            raise DefinitionError(f"{where}: {macro}({arg}) knows no instant; only histories ({', '.join(HISTORIES[:-1])}) may use it")
    _check_guards(query, text, where)
    for arm in _arms(text):
        _check_scope(arm, set(query.takes) | set(query.guards), set(query.guards), where)
    _check_procedures(text, where)
    if query.kind != "fragment":
        _check_order(text, where)


def _check_scope(text: str, given: set[str], guards: set[str], where: str) -> None:
    """One arm: what it matches must be checked in it. A `CALL {}` is a scope of its own that knows only what it
    takes in by WITH; what it returns has been checked there.
    """
    outer, blocks = _blocks(text)
    calls = permissions.macro_calls(outer)
    handed = {name for block in blocks for arm in _arms(block) for name in _returns(arm)}
    seen = given | handed | {arg for macro, arg, _, _ in calls if macro in ("visible", "readable", "decidable")}
    alive = given | handed | {arg for macro, arg, _, _ in calls if macro in ("current", "claimed", "stated")}
    _check_nodes(outer, seen, given, where)
    _check_rels(outer, seen, alive, guards, where)
    _check_yields(outer, seen, where)
    for block in blocks:
        for arm in _arms(block):
            taken = re.match(r"\s*WITH\s+([\w\s,]+?)\s*(?=\b(?:MATCH|OPTIONAL|UNWIND|RETURN|WITH|CALL)\b)", arm)
            names = set(re.findall(r"\w+", taken[1])) if taken else set()
            _check_scope(arm, (names & (seen | alive)) | guards, guards, where)


def _blocks(text: str) -> tuple[str, list[str]]:
    """The text with its `CALL { ... }` blanked out, and what stood in them."""
    outer, blocks, end = "", [], 0
    for match in re.finditer(r"\bCALL\s*\{", text):
        if match.start() < end:
            continue
        depth, i = 1, match.end()
        while i < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[i], 0)
            i += 1
        outer += text[end : match.start()] + " "
        blocks.append(text[match.end() : i - 1])
        end = i
    return outer + text[end:], blocks


def _returns(arm: str) -> set[str]:
    """The names an arm hands out."""
    last = arm[arm.rfind("RETURN") :].removeprefix("RETURN").split("ORDER BY")[0]
    return set(re.findall(r"\bAS\s+(\w+)", last)) | set(re.findall(r"(?:^|,)\s*(?:DISTINCT\s+)?(\w+)\s*(?=,|$)", last.strip()))


def _check_guards(query: Query, text: str, where: str) -> None:
    """A guard is matched without the rules, only to count what the viewer may not see; it never comes out."""
    for name in query.guards:
        if not re.search(rf"NOT\s+{name}\.(?:access\s+IN\s+\$viewer_access|basis\s+IN\s+\$viewer_basis)\b", text) or _returned(text, name):
            raise DefinitionError(
                f"{where}: guard {name!r} may only be counted where NOT {name}.access IN $viewer_access, or the same of its basis"
            )


def _check_derive(query: Query, text: str, where: str) -> None:
    rel = schema.RELS.get(query.writes)
    if rel is None or rel.cls != "derived":
        raise DefinitionError(f"{where}: `// writes:` must name a derived relationship, not {query.writes!r}")
    for column in ("src", "dst", "at"):
        if not re.search(rf"\bAS\s+{column}\b", text):
            raise DefinitionError(f"{where}: a derived edge needs columns src, dst (keys) and at (its newest fact); {column!r} is missing")
    named = {m[1]: re.findall(r"\w+", m[2]) for m in _NODE.finditer(text) if m[1] and m[2]}
    for name, labels in named.items():
        if _sources(labels) and not re.search(rf"\b{name}\.gone\s+IS\s+NULL\b", text):
            raise DefinitionError(f"{where}: what is gone counts nowhere; add {name}.gone IS NULL")
        if _sources(labels) and not re.search(rf"\b{name}\.access\s+IN\s+\$labels\b", text):
            raise DefinitionError(f"{where}: a restricted {name!r} must not count; add {name}.access IN $labels")
    for match in _REL.finditer(text):
        types = re.findall(r"\w+", match[2])
        if any(t in schema.RELS and schema.RELS[t].cls == "derived" for t in types) and f"counted({match[1]})" not in text:
            raise DefinitionError(f"{where}: {match[0]} is derived itself, of one basis or another; name it r and add counted(r)")


def _check_labels(text: str, where: str) -> None:
    for _, labels, _ in _NODE.findall(text):
        for label in re.findall(r"\w+", labels):
            if label not in _BESIDE and label not in schema.NODES:
                raise DefinitionError(f"{where}: label {label!r} is not in brain/schema.py")


def _check_conjunct(text: str, arg: str, start: int, where: str) -> None:
    """A rule must bind: a term of a WHERE that is joined by AND alone, not negated, in no inner bracket."""
    depth, i, end = 0, start, len(text)
    while i > 0 and depth >= 0 and not (depth == 0 and re.match(r"WHERE\b", text[i:]) and not text[i - 1].isalnum()):
        i -= 1
        depth += {")": 1, "]": 1, "}": 1, "(": -1, "[": -1, "{": -1}.get(text[i], 0)
    if depth < 0 or not re.match(r"WHERE\b", text[i:]):
        raise DefinitionError(f"{where}: the rule for {arg!r} must stand as a term of its own in a WHERE, in no bracket")
    depth, flat = 0, []
    for j in range(i, end):
        if depth == 0 and j > i and not text[j - 1].isalnum() and _CLAUSE.match(text, j):
            break
        depth -= text[j] in ")]}"
        if depth < 0:
            break
        flat.append(text[j] if depth == 0 else " ")
        depth += text[j] in "([{"
    if re.search(r"\b(?:OR|XOR)\b", "".join(flat)):
        raise DefinitionError(f"{where}: OR beside the rule for {arg!r} lets things past it; put the OR in brackets")
    if re.search(r"\bNOT\s*$", text[:start]):
        raise DefinitionError(f"{where}: the rule for {arg!r} is negated")


def _check_nodes(text: str, seen: set[str], given: set[str], where: str) -> None:
    named: dict[str, list[str]] = {}
    for match in _NODE.finditer(text):
        name, labels = match[1], re.findall(r"\w+", match[2])
        if name is None:
            before = text[: match.start()].rstrip()
            if _in_pattern(text, match) or before.endswith(","):
                raise DefinitionError(f"{where}: name the node {match[0]!r} and check it with visible()")
            continue
        named.setdefault(name, []).extend(labels)
    patterns = {m[1] for m in _NODE.finditer(text) if m[1] and _in_pattern(text, m)}
    for name in patterns:
        if name not in seen:
            raise DefinitionError(f"{where}: node {name!r} may be hidden from the viewer; add visible({name})")
        if _returned(text, name) and name not in given:
            _check_chunk(text, name, named.get(name, []), where)


def _check_chunk(text: str, name: str, labels: list[str], where: str) -> None:
    """A returned node is never a chunk: a chunk carries its vector."""
    if "Chunk" in labels:
        raise DefinitionError(f"{where}: return properties of chunk {name!r}, not the node: it carries its vector")
    typed = any(label in schema.NODES for label in labels)
    ruled_out = re.search(rf"NOT\s+{name}:Chunk\b|\b{name}:(?!Entity\b|Chunk\b)\w+", text) or _never_chunk(text, name)
    if not typed and not ruled_out:
        raise DefinitionError(f"{where}: {name!r} could be a chunk, which carries its vector; give it a label or add NOT {name}:Chunk")


def _never_chunk(text: str, name: str) -> bool:
    """Is the node only ever met at the end of typed relationships that no chunk has?"""
    chunky = {"PART_OF", "VISIBLE_TO"}
    found = False
    for match in _REL.finditer(text):
        ends = _ends(text, match)
        if name in ends:
            types = set(re.findall(r"\w+", match[2]))
            if not types or types & chunky:
                return False
            found = True
    return found


def _ends(text: str, match: re.Match[str]) -> set[str]:
    before = re.search(r"\(\s*([A-Za-z_]\w*)?[^()]*\)\s*<?$", text[: match.start()])
    after = re.match(r">?\s*\(\s*([A-Za-z_]\w*)?", text[match.end() :])
    return {m[1] for m in (before, after) if m and m[1]}


def _returned(text: str, name: str) -> bool:
    if re.search(rf"\bcount\([^)]*\)\s+AS\s+{name}\b", text):
        return False
    last = re.sub(r"\bcount\([^)]*\)", "", text[max(text.rfind("RETURN"), 0) :].split("ORDER BY")[0])
    return bool(re.search(rf"(?<![\w.$]){name}(?![\w.(:])", last))


def _in_pattern(text: str, match: re.Match[str]) -> bool:
    """A bracketed name that stands in a graph pattern, not a function's argument list."""
    before, after = text[: match.start()].rstrip(), text[match.end() :].lstrip()
    return bool(match[2]) or before.endswith(("]-", "]->", "MATCH")) or after.startswith(("-[", "<-["))


def _check_rels(text: str, seen: set[str], alive: set[str], guards: set[str], where: str) -> None:
    for match in _REL.finditer(text):
        name, types, star = match[1], re.findall(r"\w+", match[2]), match[3]
        for kind in types:
            if kind not in schema.RELS:
                raise DefinitionError(f"{where}: relationship {kind!r} is not in brain/schema.py")
        if _NEGATED.search(text[: match.start()]) and name is None and types:
            continue
        timed = not types or any(t not in _TIMELESS for t in types)
        if timed and (name is None or name not in alive):
            raise DefinitionError(f"{where}: {match[0]} happened at a time or is a claim; name it r and add current(r)")
        derived = not types or any(schema.RELS[t].cls == "derived" for t in types)
        if derived and name not in guards and f"counted({name})" not in text:
            raise DefinitionError(f"{where}: {match[0]} may be derived from what not everybody may read; name it r and add counted(r)")
        if star:
            if not re.fullmatch(r"\*\d+(?:\.\.\d+)?|\*\.\.\d+", star):
                raise DefinitionError(f"{where}: bound the path {match[0]}, such as *1..3")
            if not {f"endNode({name})", f"startNode({name})"} <= seen:
                raise DefinitionError(
                    f"{where}: check every hop of {match[0]}: add visible(startNode({name})) AND visible(endNode({name}))"
                )


def _check_procedures(text: str, where: str) -> None:
    for name in _CALLED.findall(text):
        if name not in PROCEDURES:
            raise DefinitionError(f"{where}: procedure {name} is not among {', '.join(sorted(PROCEDURES))}")


def _check_yields(text: str, seen: set[str], where: str) -> None:
    for alias in re.findall(r"\bYIELD\s+node\b(?:\s+AS\s+(\w+))?", text):
        if (alias or "node") not in seen:
            raise DefinitionError(f"{where}: check what the procedure yields: WHERE visible({alias or 'node'})")


def _arms(text: str) -> list[str]:
    """The text cut at every UNION that stands outside brackets."""
    arms, depth, start = [], 0, 0
    for match in re.finditer(r"[({\[]|[)}\]]|\bUNION\b(?:\s+ALL\b)?", text):
        if match[0][0] == "U":
            if depth == 0:
                arms.append(text[start : match.start()])
                start = match.end()
        else:
            depth += 1 if match[0] in "({[" else -1
    return [*arms, text[start:]]


def _check_order(text: str, where: str) -> None:
    """The answer has a stated order and an end, and no filter can slip past a LIMIT."""
    for arm in _arms(text):
        limits = list(re.finditer(r"\bLIMIT\s+(?:\$\w+|\d+)", arm))
        if not limits or arm[limits[-1].end() :].strip(" \n;") != "":
            raise DefinitionError(f"{where}: end the query (each arm of a UNION) with ORDER BY ... LIMIT ...")
        last = arm[arm.rfind("RETURN") :]
        if "ORDER BY" not in last and not re.match(r"RETURN\s+(?:count|sum|min|max)\([^)]*\)\s+AS\s+\w+\s+LIMIT\s+1\b", last):
            raise DefinitionError(f"{where}: the last RETURN needs ORDER BY, with a key as the tie-break")
        for match in limits[:-1]:
            if not arm[match.end() :].lstrip().startswith("}"):
                raise DefinitionError(
                    f"{where}: a filter after {match[0]!r} would run before it; use collect(...)[..$k] and UNWIND, or CALL {{ ... }}"
                )
