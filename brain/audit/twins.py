"""A graph in which everything has a hidden twin: the place where a weakened rule shows.

Beside each open thing stand twins of it that a guest may not see, joined to all that it is joined to by relationships that they
may see; beside each relationship stand hidden ones, between the same and between other things; and beside each thing that names
another in one of its properties stands an open one that names the hidden twin. Whatever a query meets, it meets hidden as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from brain import catalogue, schema
from brain.audit.copying import EDGES, PAGE, Writer, copy
from brain.bulk import Loader
from brain.derive import derived
from brain.schema import LABEL_OF_PREFIX
from brain.store import WRITE_TIMEOUT_MS, Store

RESTRICTED = "restricted"
# A group in which the guest is though they may not see it, and something that is open to it.
GROUP, OF_GROUP = "team:~theirs", "doc:~theirs"
# How much later than the open thing each hidden twin is: one comes first among the newest, the other among the oldest.
HIDDEN = {RESTRICTED: 1, "internal": -1}
OF_TYPE = 400
_TEXTS = ("text", "ft", "hash", "name", "title", "access", "key", "url", "source")
Row = Mapping[str, Any]


@dataclass
class _Twins:
    """The keys of the twins of each thing: those hidden, and those open that name a hidden one."""

    hidden: dict[str, list[str]] = field(default_factory=dict)
    naming: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def twin(key: str, access: str = RESTRICTED) -> str:
    """The key of a thing's hidden twin."""
    return f"{key}~{access}"


def companion(key: str, name: str) -> str:
    """The key of the open thing beside a thing that names a hidden twin in that property."""
    return f"{key}~{name}"


def naming(props: Mapping[str, Any], known: Container[str]) -> list[str]:
    """The properties in which something names one of the known things."""
    place = _place(props) in known
    return [n for n, v in props.items() if n not in _TEXTS and (_names(v, known) or (n == "path" and place))]


def twinned(store: Store, graph: str, name: str, near: Sequence[str] = ()) -> None:
    """Makes the graph `name` of `graph` and twins of all that is open in it. Of each type of relationship at most some hundred
    are doubled, those of the things `near` first, then those of their neighbours.
    """
    copy(store, graph, store, name, keep=lambda props: True)
    writer = Writer(store, name)
    nodes, edges = list(nodes_of(store, graph)), list(edges_of(store, graph))
    twins, made = _doubled(nodes)
    writer.nodes([*made, *_for_a_group()], True)
    by_label: dict[str, list[str]] = defaultdict(list)
    for row in nodes:
        if "key" in row["props"]:
            by_label[schema.label_of(row["props"]["key"])].append(row["props"]["key"])
    chosen = list(_chosen(edges, set(near)))
    writer.edges([e for row in chosen for e in _beside(row, twins, by_label)])
    _evidence(writer, nodes, chosen)
    loader = Loader(store, name)
    for rel, found in derived(store, name):
        loader.edges(rel, found)
    store.wait_for_indexes(name)


def nodes_of(store: Store, graph: str) -> Iterator[Row]:
    """Every node of a graph: labels and props."""
    size = int(_read(store, graph, "whole_size")[0]["n"])
    for first in range(0, size, PAGE):
        yield from _read(store, graph, "whole_nodes", first=first, end=first + PAGE)


def edges_of(store: Store, graph: str) -> Iterator[Row]:
    """Every relationship of a graph that was not derived: src, rel, dst and props."""
    size = int(_read(store, graph, "whole_size")[0]["n"])
    for first in range(0, size, PAGE):
        after = -1
        while rows := _read(store, graph, "whole_edges", first=first, end=first + PAGE, after=after, k=EDGES):
            after = int(rows[-1]["n"])
            yield from (r for r in rows if "derived_by" not in r["props"])


def _read(store: Store, graph: str, query: str, **args: int) -> Sequence[Row]:
    return store.read(graph, catalogue.shipped()[query].cypher, args, WRITE_TIMEOUT_MS).rows


def _doubled(nodes: Iterable[Row]) -> tuple[_Twins, list[Row]]:
    """Every twin of an open thing."""
    known = {str(r["props"]["key"]): r for r in nodes if r["props"].get("access") == "open" and "key" in r["props"]}
    twins, made = _Twins(), list[Row]()
    passages = [r["props"] for r in known.values() if "Chunk" in r["labels"]]
    for props, other in zip(passages, passages[7:], strict=False):  # a hidden passage of something that does not say so elsewhere
        moved = {"key": f"{props['key']}~moved", "src": other["src"], "src_label": other.get("src_label"), "access": RESTRICTED}
        made.append({"labels": ["Entity", "Chunk"], "props": {**props, **moved}})
    for key, row in known.items():
        for access, later in HIDDEN.items():
            props = {**row["props"], "key": twin(key, access), "access": access, **_at(row["props"], later)}
            if access != RESTRICTED:
                props.pop("emb", None)  # a passage that has no vector yet
            made.append({"labels": row["labels"], "props": props})
            twins.hidden.setdefault(key, []).append(twin(key, access))
        for name in naming(row["props"], known):
            open_ = companion(key, name)
            made.append({"labels": row["labels"], "props": {**row["props"], "key": open_, name: twin(str(row["props"][name]))}})
            twins.naming[key].append(open_)
    return twins, made


def _for_a_group() -> list[Row]:
    team = {"key": GROUP, "name": "Theirs", "source": "twins", "access": RESTRICTED}
    doc = {**team, "key": OF_GROUP, "aud": [GROUP]}
    return [{"labels": ["Entity", "Team"], "props": team}, {"labels": ["Entity", "Doc"], "props": doc}]


def _at(props: Mapping[str, Any], later: int) -> dict[str, int]:
    """Its instants moved a little."""
    return {n: props[n] + later for n in ("at", "created_at", "merged_at", "closed_at") if isinstance(props.get(n), int)}


def _place(props: Mapping[str, Any]) -> str:
    """The key of the directory in which something says that it lies."""
    return f"dir:{props.get('repo')}/{props.get('path')}"


def _names(value: Any, known: Container[str]) -> bool:
    """Is it the key of something, or what stands behind the prefix of one?"""
    return isinstance(value, str) and (value in known or any(f"{p}:{value}" in known for p in LABEL_OF_PREFIX))


def _chosen(edges: Sequence[Row], near: set[str]) -> Iterator[Row]:
    """The relationships to double, of each type those nearest to the things first."""
    next_ = near | {end for e in edges if {e["src"], e["dst"]} & near for end in (e["src"], e["dst"])}
    taken: dict[str, int] = defaultdict(int)
    for ring in (near, next_, None):
        for i, edge in enumerate(edges):
            ends = {edge["src"], edge["dst"]}
            inside = ring is None or bool(ends & ring)
            before = bool(ends & near) if ring is next_ else bool(ends & next_) if ring is None else False
            if inside and not before and taken[edge["rel"]] < OF_TYPE:
                taken[edge["rel"]] += 1
                yield {**edge, "i": i}


def _beside(row: Row, twins: _Twins, by_label: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    """The relationship from and to the twins of its ends, which so join what nothing open joins, and hidden ones between the same
    and between other things.
    """
    src, dst, props = str(row["src"]), str(row["dst"]), dict(row["props"])
    yield from ({**row, "src": a, "dst": b} for a in (src, *twins.naming[src]) for b in twins.hidden.get(dst, ()))
    yield from ({**row, "src": a, "dst": b} for a in twins.hidden.get(src, ()) for b in (dst, *twins.naming[dst]))
    yield from ({**row, "src": a} for a in twins.naming[src])
    yield from ({**row, "dst": b} for b in twins.naming[dst])
    other, another = _next(src, by_label, row["i"]), _next(dst, by_label, row["i"])
    if src in twins.hidden and dst in twins.hidden:
        yield from ({**row, "src": a, "dst": b} for a, b in ((other, twin(dst)), (twin(src), another)) if _fits(row["rel"], a, b))
    others = [(other, dst), (src, another), (src, dst)]
    for n, (a, b) in ((n, ends) for n, ends in enumerate(others) if _fits(row["rel"], *ends)):
        own = {**_at(props, 1), "access": RESTRICTED, "id": f"{props.get('id') or ''}~{n}"}
        if "aid" in props:
            own["aid"] = f"{props['aid']}~{n}"
        yield {**row, "src": a, "dst": b, "props": {**{k: v for k, v in props.items() if k != "aud"}, **own}}


def _fits(rel: str, a: str, b: str) -> bool:
    """Directories lie in each other one way only: of ways round in a circle there would be too many to follow."""
    return rel != "IN_DIR" or a > b


def _next(key: str, by_label: Mapping[str, Sequence[str]], i: int) -> str:
    """Another thing of the same label."""
    some = by_label[schema.label_of(key)]
    return some[(some.index(key) + 1 + i % 7) % len(some)] if len(some) < 2000 else some[i % len(some)]


def _evidence(writer: Writer, nodes: Iterable[Row], edges: Iterable[Row]) -> None:
    """Open claims whose evidence and source are hidden; their ids come first, so that such a one speaks for several."""
    proofs = {str(r["props"]["id"]): r for r in nodes if "Evidence" in r["labels"]}
    claims = [e for e in edges if e["props"].get("access") == "open" and set(e["props"].get("evidence") or ()) & set(proofs)]
    ids = sorted({str(i) for e in claims for i in e["props"]["evidence"] if i in proofs})
    writer.nodes([{"labels": ["Evidence"], "props": {**proofs[i]["props"], "id": twin(i), "access": RESTRICTED}} for i in ids], False)
    writer.edges([{**e, "props": {**e["props"], **_hidden_proof(e["props"])}} for e in claims])


def _hidden_proof(props: Mapping[str, Any]) -> dict[str, Any]:
    named = {"access_key": twin(str(props["access_key"]))} if props.get("access_key") else {}
    return {**named, "id": f"!{props.get('id') or ''}~e", "aid": f"{props['aid']}~e", "evidence": [twin(str(i)) for i in props["evidence"]]}
