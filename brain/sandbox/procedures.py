"""Which functions and procedures a query that somebody wrote may call, and within what bounds. Everything else is refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from brain.errors import ToolError
from brain.sandbox.tokens import Token

HOPS = 5
WALK = 6
PATHS = 100
SAMPLES = 64
ROUNDS = 20
SPAN = 10_000

AGGREGATES = {"avg", "collect", "count", "max", "min", "percentilecont", "percentiledisc", "stdev", "stdevp", "sum"}
PREDICATES = {"all", "any", "none", "single"}
_PLAIN = """
    abs acos asin atan atan2 ceil coalesce cos cot date degrees distance duration e endnode exists exp floor haslabels haversin
    head id indegree isempty keys labels last left length list.dedup list.remove list.sort localdatetime localtime log log10
    ltrim nodes outdegree pi point pow properties radians rand range relationships replace reverse right round rtrim
    shortestpath allshortestpaths sign sin size split sqrt startnode string.join string.matchregex string.replaceregex substring
    tail tan timestamp toboolean tobooleanlist tobooleanornull tofloat tofloatlist tofloatornull tointeger tointegerlist
    tointegerornull tojson tolower tostring tostringlist tostringornull toupper trim type typeof vec.cosinedistance
    vec.euclideandistance vecf32
"""
FUNCTIONS = {*AGGREGATES, *PREDICATES, *_PLAIN.split()}
INSTEAD = {
    "reduce": "use sum(), count() or collect()",
    "list.insert": "write the list out, or join lists with +",
    "list.insertlistelements": "join lists with +",
    "randomuuid": "ids come from the graph",
}

Arguments = Sequence[Sequence[Token]]
_WHOLE = re.compile(r"\d{1,9}")


def whole(tokens: Sequence[Token]) -> int | None:
    """The whole number these tokens write out, with its sign; None when they are anything else."""
    minus = len(tokens) == 2 and tokens[0].text == "-"
    last = tokens[-1] if len(tokens) == 1 or minus else None
    if last is None or last.kind != "number" or not _WHOLE.fullmatch(last.text):
        return None
    return -int(last.text) if minus else int(last.text)


def function(name: str, args: Arguments) -> int:
    """ToolError when the function may not be called so; for `range` how many numbers it makes, else 1."""
    plain = name.lower()
    if plain not in FUNCTIONS:
        raise ToolError(f"the function {name!r} is not allowed here: {INSTEAD.get(plain, 'use ' + _near(plain))}")
    return _span(args) if plain == "range" else 1


def _near(name: str) -> str:
    alike = [f for f in sorted(FUNCTIONS) if f[0] == name[0]]
    return f"one that is, such as {', '.join(alike[:5])}" if alike else "one that only reads, such as count, size or type"


def _span(args: Arguments) -> int:
    ends = [whole(arg) for arg in args]
    if len(ends) not in (2, 3) or any(end is None for end in ends):
        raise ToolError("range() takes whole numbers written out, as in range(1, 10)")
    first, last, step = [*(end or 0 for end in ends), 1][:3]
    if step == 0 or abs(last - first) // abs(step) + 1 > SPAN:
        raise ToolError(f"range() may make at most {SPAN} numbers here; take a smaller one")
    return abs(last - first) // abs(step) + 1


def procedure(name: str, args: Arguments) -> None:
    """ToolError when the procedure may not be called with these arguments; it says which bounds hold."""
    known = {listed.lower(): (listed, check) for listed, check in PROCEDURES.items()}
    if name.lower() not in known:
        raise ToolError(f"the procedure {name!r} is not allowed here; allowed: {', '.join(sorted(PROCEDURES))}")
    listed, check = known[name.lower()]
    check(listed, args)


def _count(n: int) -> Callable[[str, Arguments], None]:
    def check(name: str, args: Arguments) -> None:
        if len(args) != n:
            raise ToolError(f"{name} takes {n or 'no'} argument{'' if n == 1 else 's'}, not {len(args)}")
        for arg in args:
            if arg[0].text in ("{", "["):
                raise ToolError(f"{name} takes texts, parameters and null, no map and no list")

    return check


def _breadth(name: str, args: Arguments) -> None:
    _count(3)(name, args)
    level = whole(args[1])
    if level is None or not 1 <= level <= HOPS:
        raise ToolError(f"the second argument of {name} is how far it goes: a whole number from 1 to {HOPS}, written out")


def _map(must: Sequence[str], bounds: dict[str, tuple[int, int]], *free: str) -> Callable[[str, Arguments], None]:
    def check(name: str, args: Arguments) -> None:
        given = _entries(name, args)
        lower = {key.lower(): key for key in (*bounds, *free)}
        for key in given:
            if key not in lower.values():
                raise ToolError(f"{name} has no {key!r}; it has {', '.join(sorted(lower.values()))}")
        for key in must:
            if key not in given:
                low, high = bounds[key]
                raise ToolError(f"{name} needs {key}, a whole number from {low} to {high}: {name}({{{key}: {high}, ...}})")
        for key, (low, high) in bounds.items():
            value = whole(given[key]) if key in given else low
            if value is None or not low <= value <= high:
                raise ToolError(f"{key} of {name} is a whole number from {low} to {high}, written out")

    return check


def _entries(name: str, args: Arguments) -> dict[str, Sequence[Token]]:
    """The entries of the one map that is the argument, each key written as a plain word, once."""
    if len(args) != 1 or args[0][0].text != "{" or args[0][-1].text != "}":
        raise ToolError(f"{name} takes one map that is written out: {name}({{...}})")
    entries: dict[str, Sequence[Token]] = {}
    for entry in split(args[0][1:-1]):
        if len(entry) < 3 or entry[0].kind != "word" or entry[1].text != ":" or entry[0].text in entries:
            raise ToolError(f"the map of {name} is name: value, each name once and without quotes")
        entries[entry[0].text] = entry[2:]
    return entries


def split(found: Sequence[Token]) -> list[list[Token]]:
    """The tokens parted at the commas that stand in no bracket."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in found:
        depth += (token.text in ("(", "[", "{") and token.kind == "sign") - (token.text in (")", "]", "}") and token.kind == "sign")
        if token.text == "," and token.kind == "sign" and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


_OVER = ("nodeLabels", "relationshipTypes")
_PATHS = ("relTypes", "relDirection", "weightProp", "costProp", "maxCost")

PROCEDURES: dict[str, Callable[[str, Arguments], None]] = {
    "db.labels": _count(0),
    "db.relationshipTypes": _count(0),
    "db.propertyKeys": _count(0),
    "db.indexes": _count(0),
    "db.meta.stats": _count(0),
    "dbms.procedures": _count(0),
    "dbms.functions": _count(0),
    "db.idx.fulltext.queryNodes": _count(2),
    "algo.pageRank": _count(2),
    "algo.BFS": _breadth,
    "algo.WCC": _map((), {}, *_OVER),
    "algo.labelPropagation": _map((), {"maxIterations": (1, ROUNDS)}, *_OVER),
    "algo.betweenness": _map(("samplingSize",), {"samplingSize": (1, SAMPLES), "samplingSeed": (0, 2**30)}, *_OVER),
    "algo.MSF": _map((), {}, *_OVER, "weightAttribute", "objective"),
    "algo.SPpaths": _map(("maxLen",), {"maxLen": (1, WALK), "pathCount": (1, PATHS)}, "sourceNode", "targetNode", *_PATHS),
    "algo.SSpaths": _map(("maxLen",), {"maxLen": (1, WALK), "pathCount": (1, PATHS)}, "sourceNode", *_PATHS),
}
