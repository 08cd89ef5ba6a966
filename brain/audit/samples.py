"""Values to call queries and tools with, taken from a graph: of each kind of thing those that most hangs on, what their properties
hold, and pairs of things that lie one to four steps apart.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from brain import schema
from brain.audit.arguments import Asked, answering
from brain.audit.twins import companion, naming
from brain.catalogue import Catalogue, Param
from brain.text.analysis import query_terms
from brain.tools import Tool

OF_LABEL, PAIRS, STEPS, MANY, AT_ONCE = 8, 120, 4, 500, 60
_KEY = frozenset({"key", "target", "person", "topic", "rule", "source"})
_ENDS = (("a", "b"), ("starts", "end"))
_ROLES = ("role", "by_role")
_PROPS = {"authors": "login", "persons": "login", "tags": "tag", "bases": "base"}
Row = Mapping[str, Any]


@dataclass
class Samples:
    """The things that most hangs on by label, the commonest values by property, pairs of ends, and the companions of the things in
    the twinned graph; of all labels a number of keys beside, for what takes many at once.
    """

    things: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    values: dict[str, list[Any]] = field(default_factory=dict)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    vector: list[float] = field(default_factory=list)
    proofs: list[str] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)
    companions: list[str] = field(default_factory=list)
    many: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)

    @property
    def keys(self) -> list[str]:
        """The keys of the things."""
        return [str(p["key"]) for some in self.things.values() for p in some]

    def of(self, label: str) -> list[str]:
        """The keys of those with that label."""
        return [str(p["key"]) for p in self.things.get(label, ())]

    def many_of(self, label: str) -> list[str]:
        """The same of more of them."""
        return [str(p["key"]) for p in self.many.get(label, ())]


def sampled(nodes: Sequence[Row], edges: Sequence[Row]) -> Samples:
    """The values of what is open in a graph."""
    degree = Counter(end for e in edges for end in (e["src"], e["dst"]))
    open_ = [r["props"] for r in nodes if r["props"].get("access") == "open" and "key" in r["props"]]
    by_label, values = defaultdict(list), defaultdict[str, Counter[Any]](Counter)
    for props in sorted(open_, key=lambda p: (-degree[p["key"]], p["key"])):
        by_label[schema.label_of(str(props["key"]))].append(props)
        for name, value in props.items():
            for v in value if isinstance(value, list) and name != "emb" else [value] if isinstance(value, str | int) else []:
                values[name][v] += 1
    found = Samples({k: _covering(v, edges) for k, v in by_label.items()}, {n: [v for v, _ in c.most_common(3)] for n, c in values.items()})
    seen = {str(p["key"]) for p in open_}
    found.many = {label: some[:AT_ONCE] for label, some in by_label.items()}
    found.companions = [companion(str(p["key"]), n) for some in found.things.values() for p in some for n in naming(p, seen)]
    found.pairs = list(_pairs([e for e in edges if e["src"] in seen and e["dst"] in seen]))
    found.vector = next((list(p["emb"]) for p in open_ if p.get("emb")), [])
    found.proofs = [str(r["props"]["id"]) for r in nodes if "Evidence" in r["labels"]]
    found.claims = [str(e["props"]["aid"]) for e in edges if e["props"].get("access") == "open" and "aid" in e["props"]]
    return found


def _covering(things: Sequence[Row], edges: Sequence[Row]) -> list[Row]:
    """Some of these things, so many that each way in which one of them is joined to anything stands at one of those chosen."""
    ways = defaultdict[str, set[str]](set)
    for e in edges:
        ways[e["src"]].add(f"{e['rel']}>{schema.label_of(e['dst'])}")
        ways[e["dst"]].add(f"{e['rel']}<{schema.label_of(e['src'])}")
    chosen, met = list(things[:1]), set(ways[things[0]["key"]]) if things else set()
    while len(chosen) < OF_LABEL and (most := max(things, key=lambda p: len(ways[p["key"]] - met))) and ways[most["key"]] - met:
        met |= ways[most["key"]]
        chosen.append(most)
    return chosen


def _pairs(edges: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Ends of ways of one to four steps, one for each sequence of relationship types that is met first."""
    near: dict[str, dict[str, str]] = defaultdict(dict)
    for e in edges:
        near[e["src"]].setdefault(f">{e['rel']}", e["dst"])
        near[e["dst"]].setdefault(f"<{e['rel']}", e["src"])
    ways, met = [(start, start, "") for start in near], set[str]()
    for _ in range(STEPS):
        longer = []
        for start, end, way in ways:
            for step, other in near[end].items():
                if other != start and f"{way}{step}" not in met and len(met) < PAIRS * STEPS:
                    met.add(f"{way}{step}")
                    longer.append((start, other, f"{way}{step}"))
        yield from ((a, b) for a, b, _ in longer[: PAIRS // STEPS])
        ways = longer


def calls(catalogue: Catalogue, tools: Mapping[str, Tool], found: Samples) -> list[Asked]:
    """Every query and every tool with its example and with such values, one parameter after the other, and pairs where it takes
    two ends.
    """
    asked: list[Asked] = []
    for kind, some in (("query", answering(catalogue)), ("tool", tools.values())):
        for one in some:
            query = catalogue.queries.get(one.name)
            examples = [dict(query.example)] if query and query.example else []
            asked += [Asked(kind, one.name, args) for args in (*examples, *_arguments(one.params, found))]
    return list({f"{a.kind} {a.name} {sorted(a.args.items(), key=str)}": a for a in asked}.values())


def _arguments(params: Sequence[Param], found: Samples) -> Iterator[dict[str, Any]]:
    names = {p.name for p in params}
    needed = {p.name: list(_values(p, found)) for p in params if p.required}
    if {"source", "target"} <= needed.keys():
        pairs = list(product(_repositories(found), repeat=2))
        needed["source"], needed["target"] = [one for one, _ in pairs], [other for _, other in pairs]
    needed |= _side_by_side(found) if {"deploys", "before", "repos"} <= names else {}
    if any(not values for values in needed.values()):
        return
    widest = max(map(len, needed.values()), default=1)
    bases = [{name: values[i % len(values)] for name, values in needed.items()} for i in range(widest)]
    yield from bases
    for a, b in _ENDS:
        if {a, b} <= names:
            for src, dst in found.pairs:
                for one, other in ((src, dst), (dst, src)):
                    yield {**bases[0], a: [one] if a == "starts" else one, b: other}
    people = [str(p["login"]) for p in found.things.get("Person", ()) if p.get("login")]
    for role in (p for p in params if p.name in _ROLES and "persons" in names):
        more = {"by": "person"} if role.name == "by_role" else {"persons": people}
        yield from ({**base, **more, role.name: choice} for base in bases for choice in role.choices)
    for p in (p for p in params if not p.required):
        for value in _values(p, found):
            if isinstance(value, list) and "k" in names:
                yield {**bases[0], p.name: value, "k": MANY}
            yield from ({**base, p.name: value} for base in (bases if p.name == "since" or p.choices else _few(bases)))


def _side_by_side(found: Samples) -> dict[str, list[Any]]:
    """Deployments with the one before each and the repository of each, in lists side by side."""
    some = sorted(found.many.get("Deploy", ()), key=lambda p: int(p.get("at") or 0))
    keys, repos, n = [str(p["key"]) for p in some], [str(p.get("repo") or "") for p in some], len(some)
    ever, never = ([1] * n, [4_000_000_000] * n), ([1] * n, [1] * n)
    since, until = ([one[i] for one in (ever, never)] for i in (0, 1))
    return {"deploys": [keys], "before": [["", *keys[:-1]][:n]], "repos": [repos], "since": since, "until": until}


def _few(bases: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of many, those about the first thing of each kind."""
    if len(bases) < 20:
        return list(bases)
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for base in bases:
        found.setdefault(tuple(str(v).partition(":")[0] for v in base.values()), base)
    return list(found.values())


def _values(p: Param, found: Samples) -> Iterator[Any]:
    """Values that fit a parameter by its name and type."""
    kind, many = p.type.rstrip("?"), p.type.startswith("list")
    if p.choices:
        yield from p.choices
    elif kind == "bool":
        yield from (True, False)
    elif p.name == "vector":
        yield from ([found.vector] if found.vector else [])
    elif p.name in _SPECIAL:
        yield from _SPECIAL[p.name](found) if p.required or p.name != "changes" else [found.of("PullRequest") + found.of("Commit")]
    elif p.name == "path":
        yield from (*found.of("Service"), *found.of("Directory"), *found.values.get("path", ()), *found.values.get("base", ()))
    elif p.name in _KEY or p.name in ("a", "b", "end"):
        yield from found.keys
    elif p.name in ("from_release", "to_release", "in_release"):
        yield from found.of("Release")
    elif many and p.name in ("keys", "starts", "files", "chain"):
        yield from (some for some in (found.keys, found.companions) if some)
    elif p.name in ("repos", "not_repos"):
        yield _repositories(found)
    elif (name := _PROPS.get(p.name, p.name)) in found.values and name not in ("key", "n"):
        yield from ([v] if many else v for v in found.values[name] if isinstance(v, str) == (kind in ("str", "list[str]")))
    elif p.required:
        yield {"str": "a", "int": 1, "float": 1.0}.get(kind, ["a"])


def _repositories(found: Samples) -> list[str]:
    return [key.partition(":")[2] for key in found.of("Repo")]


def _titles(found: Samples) -> list[str]:
    return [str(p.get("title") or p["name"]) for some in found.things.values() for p in some]


def _called(found: Samples) -> list[Any]:
    """What things are called, all at once."""
    said, things = ("name", "key", "short", "login"), [p for some in found.things.values() for p in some]
    names = {str(p["key"]).partition(":")[2].lower() for p in things} | {str(p[n]).lower() for p in things for n in said if p.get(n)}
    return [sorted(names | {re.sub("[-_]", " ", name) for name in names})]


def _changes(found: Samples) -> Iterator[list[str]]:
    """Deployments and what they hold, or what is changed without one: each alone, which is quick, and some at once."""
    labels = ("Deploy", "PullRequest", "Commit", "Ticket")
    yield from ([key] for label in labels for key in found.many_of(label))
    yield [key for label in labels for key in found.of(label)[:2]]


def _alert_titles(found: Samples) -> list[str]:
    return list(dict.fromkeys(str(p.get("title") or p["name"]) for p in found.many.get("Alert", ())))


def _tails(found: Samples) -> Iterator[Any]:
    yield sorted({str(p["path"]) for label in ("File", "Directory") for p in found.things.get(label, ()) if p.get("path")})
    yield [str(name).lower() for name in found.values.get("earlier_names", ())]


_SPECIAL: Mapping[str, Any] = {
    "terms": lambda s: [query_terms(" ".join(_titles(s)))[:40]],
    "text": lambda s: [str(p.get("title") or p["name"]) for some in s.things.values() for p in some[:1]],
    "words": lambda s: [t.lower() for t in _titles(s)[:6]],
    "contains": lambda s: [[t.split()[0]] for t in _titles(s)[:6]],
    "names": _called,
    "begins": lambda s: [sorted({k.partition(":")[2][:6] for k in s.keys}), sorted({k[: k.index(":") + 5] for k in s.keys})],
    "prefix": lambda s: sorted({str(p["name"])[:4].lower() for some in s.things.values() for p in some}),
    "tails": _tails,
    "ids": lambda s: [s.proofs[:500] + [f"{i}~restricted" for i in s.proofs[:500]]],
    "aids": lambda s: [s.claims[:200]],
    "scores": lambda s: [[0.5] * 2 * len(s.keys)],
    "low": lambda s: [""],
    "high": lambda s: ["~"],
    "rels": lambda s: [list(schema.RELS)],
    "pairs": lambda s: [[f"{a}\n{b}" for a, b in s.pairs], [f"{a}~restricted\n{b}" for a, b in s.pairs]],
    "under": lambda s: [places := [f"file:{key.partition(':')[2]}/" for key in s.of("Directory")], *([p] for p in places)],
    "labels": lambda s: [list(schema.NODES), *([v] for v in s.values.get("labels", ()))],
    "alert": lambda s: s.many_of("Alert"),
    "incident": lambda s: s.many_of("Incident"),
    "title": _alert_titles,
    "deploys": lambda s: [[key] for key in s.many_of("Deploy")],
    "changes": _changes,
    "things": lambda s: [things := [*s.many_of("Service"), *s.many_of("Resource")], *([t] for t in things)],
    "fingerprints": lambda s: [[*map(str, s.values.get("fingerprint", ())), *(key.partition(":")[2] for key in s.many_of("Alert"))]],
    "per": lambda s: [MANY],
    "since": lambda s: [1],
    "until": lambda s: [4_000_000_000],
    "k": lambda s: [MANY],
}
