"""The evidence graph of one run: which nodes each hop added, where they stand, and its drawing.

Laid out here and drawn without physics, so the same run always gives the same picture. Colours are
the browser's, read from the theme. What is drawn also stands in `brain.ui.tables`.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import streamlit as st

from brain.schema import LABEL_OF_PREFIX
from brain.types import Claim, Edge, Node, Step
from brain.ui import text

LIMIT = 150
PROOF = "VERIFIED_LINK"
_COLUMN, _ROW, _TALL = 255, 76, 8
_HERE = Path(__file__).parent
_HIDDEN = ("key", "name", "emb", "ft", "text", "body", "access", "aud", "gone", "hash")


@dataclass(frozen=True)
class Hop:
    """What one hop added to the picture, and the sentence that says so."""

    step: int
    tool: str
    keys: tuple[str, ...]
    label: str


@dataclass(frozen=True)
class Picture:
    """The drawn part of a run's evidence; `left_out` nodes did not fit under LIMIT.

    `gold` are the nodes, `pairs` the neighbours on paths that prove a supported claim.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    hops: tuple[Hop, ...]
    gold: frozenset[str] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()
    left_out: int = 0

    def hop_of(self, key: str) -> int:
        """The number of the hop that brought this node, counted from 0."""
        return next((i for i, hop in enumerate(self.hops) if key in hop.keys), len(self.hops))

    def golden(self, edge: Edge) -> bool:
        """Whether the edge lies on a verified path, in either direction."""
        return (edge.src, edge.dst) in self.pairs or (edge.dst, edge.src) in self.pairs


def picture(steps: Sequence[Step], claims: Sequence[Claim] = (), limit: int = LIMIT) -> Picture:
    """What there is to draw of these steps, hop by hop; where it is too much, cited nodes come first."""
    steps = [*steps, *_proof(steps, claims)]
    nodes = {n.key: n for s in steps for n in s.nodes}
    edges = {(e.src, e.rel, e.dst): e for s in steps for e in s.edges if e.src in nodes and e.dst in nodes}
    paths = [c.path for c in claims if c.verdict == "supported" and c.path]
    gold = {key for path in paths for key in path}
    cited = {key for c in claims for key in c.cites}
    hops = _hops(steps, edges.values(), {path[0] for path in paths})
    order = [key for hop in hops for key in hop.keys]
    kept = frozenset(sorted(order, key=lambda k: (k not in gold, k not in cited))[:limit])
    drawn = tuple(Hop(h.step, h.tool, keys, h.label) for h in hops if (keys := tuple(k for k in h.keys if k in kept)))
    return Picture(
        nodes=tuple(nodes[k] for hop in drawn for k in hop.keys),
        edges=tuple(e for e in edges.values() if e.src in kept and e.dst in kept),
        hops=drawn,
        gold=kept & gold,
        pairs=frozenset(pair for path in paths for pair in pairwise(path)),
        left_out=len(order) - len(kept),
    )


def _proof(steps: Sequence[Step], claims: Sequence[Claim]) -> list[Step]:
    """What the verifier walked and no tool had returned: the rest of the verified paths, as one more step."""
    nodes = {n.key for s in steps for n in s.nodes}
    joined = {frozenset((e.src, e.dst)) for s in steps for e in s.edges}
    paths = [c.path for c in claims if c.verdict == "supported"]
    new = [k for k in dict.fromkeys(k for path in paths for k in path) if k not in nodes]
    pairs = dict.fromkeys(pair for path in paths for pair in pairwise(path) if frozenset(pair) not in joined)
    if not new and not pairs:
        return []
    made = tuple(Node(k, LABEL_OF_PREFIX.get(k.partition(":")[0], ""), text.key_label(k)) for k in new)
    return [Step(len(steps) + 1, "verify", "", {}, nodes=made, edges=tuple(Edge(a, PROOF, b) for a, b in pairs))]


def _hops(steps: Sequence[Step], edges: Iterable[Edge], starts: set[str]) -> list[Hop]:
    """Step by step, and within a step outwards from what was already there."""
    near: dict[str, set[str]] = {n.key: set() for s in steps for n in s.nodes}
    for e in edges:
        near[e.src].add(e.dst)
        near[e.dst].add(e.src)
    seen: set[str] = set()
    hops: list[Hop] = []
    for step in steps:
        fresh = [k for k in dict.fromkeys(n.key for n in step.nodes) if k not in seen]
        for layer in _layers(fresh, near, seen, starts):
            hops.append(_hop(len(hops), step, layer))
        seen.update(fresh)
    return hops


def _hop(n: int, step: Step, keys: Sequence[str]) -> Hop:
    name = "Start" if n == 0 else f"Hop {n}"
    found = text.count(len(keys), "node")
    return Hop(step.n, step.tool, tuple(keys), f"{name}: {found} by step {step.n}, {text.words(step.tool).lower()}")


def _layers(fresh: Sequence[str], near: Mapping[str, set[str]], seen: set[str], starts: set[str]) -> list[list[str]]:
    """`fresh` in rings around `seen`; with nothing seen yet, around the starts or the first of them."""
    left = list(fresh)
    layers: list[list[str]] = []
    known = set(seen)
    if left and not known:
        layers.append([k for k in left if k in starts] or left[:1])
        known.update(layers[0])
        left = [k for k in left if k not in known]
    while left:
        ring = [k for k in left if near[k] & known] or left
        layers.append(ring)
        known.update(ring)
        left = [k for k in left if k not in known]
    return layers


def layout(pic: Picture) -> dict[str, tuple[float, float]]:
    """Where each node stands: hops from left to right, tall hops folded into several columns."""
    places: dict[str, tuple[float, float]] = {}
    column = 0
    near: dict[str, set[str]] = {}
    for e in pic.edges:
        near.setdefault(e.src, set()).add(e.dst)
        near.setdefault(e.dst, set()).add(e.src)
    for hop in pic.hops:
        keys = sorted(hop.keys, key=lambda k: _pull(k, near, places))
        columns = -(-len(keys) // _TALL)
        per = -(-len(keys) // columns)
        for i in range(columns):
            part = keys[i * per : (i + 1) * per]
            for j, key in enumerate(part):
                places[key] = (column * _COLUMN, (j - (len(part) - 1) / 2) * _ROW)
            column += 1
    return places


def _pull(key: str, near: Mapping[str, set[str]], places: Mapping[str, tuple[float, float]]) -> tuple[float, str]:
    ys = [places[k][1] for k in near.get(key, ()) if k in places]
    return (sum(ys) / len(ys) if ys else 0.0, key)


def _height(pic: Picture) -> int:
    tallest = max((min(len(hop.keys), _TALL) for hop in pic.hops), default=1)
    return max(240, min(560, 90 + tallest * 64))


def network_data(pic: Picture, link: Callable[[str], str]) -> dict[str, Any]:
    """The picture as pyvis describes it: nodes, edges and options, plain JSON, positions given."""
    from pyvis.network import Network

    net = Network(directed=True)
    places = layout(pic)
    labels = sorted({n.label for n in pic.nodes})
    for node in pic.nodes:
        x, y = places[node.key]
        net.add_node(
            node.key,
            label=_label(node, node.key in pic.gold),
            title=_title(node),
            shape="box",
            x=x,
            y=y,
            group=labels.index(node.label),
            hop=pic.hop_of(node.key),
            gold=node.key in pic.gold,
            facts=facts(node),
            kind=text.words(node.label),
            href=link(node.key),
            physics=False,
        )
    for edge in pic.edges:
        golden = pic.golden(edge)
        rel = text.words(edge.rel)
        net.add_edge(edge.src, edge.dst, label=rel, title=rel, gold=golden, dashes=edge.rel == PROOF, facts=_facts(edge.props))
    nodes, edges, *_ = net.get_network_data()
    return {
        "nodes": nodes,
        "edges": edges,
        "kinds": [text.words(name) for name in labels],
        "hops": [hop.label for hop in pic.hops],
    }


def facts(node: Node) -> list[list[str]]:
    """A node's properties for reading: key first, dates as dates, nothing internal."""
    return [["key", text.plain(node.key)], *_facts(node.props)]


def _facts(props: Mapping[str, Any]) -> list[list[str]]:
    shown = ((k, v) for k, v in sorted(props.items()) if k not in _HIDDEN and v not in (None, "", [], (), False))
    return [[text.words(k).lower(), text.short(_value(k, v), 300)] for k, v in shown]


def _value(name: str, value: Any) -> str:
    if name == "at" or name.endswith(("_at", "_from", "_to")):
        return text.when(value) or str(value)
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _label(node: Node, gold: bool) -> str:
    head = text.short(text.key_label(node.key), 28)
    name = text.short(node.name, 30)
    body = f"{head}\n{name}" if name and name.lower() not in head.lower() else head
    return f"✓ {body}" if gold else body


def _title(node: Node) -> str:
    return f"{text.words(node.label)}: {text.short(node.name, 160)}"


@cache
def _component() -> Callable[..., Any]:
    """The drawing component; the vis-network library comes out of the installed pyvis package."""
    return st.components.v2.component(
        "hopcheck_graph",
        html=(_HERE / "graph.html").read_text(encoding="utf-8"),
        css=(_HERE / "graph.css").read_text(encoding="utf-8"),
        js=(_HERE / "graph.js").read_text(encoding="utf-8"),
    )


@cache
def _library() -> Callable[..., Any]:
    """A component that draws nothing and defines `vis`; its message never changes, so it is sent once."""
    spec = importlib.util.find_spec("pyvis")
    root = Path(str(spec.origin)).parent if spec else _HERE
    code = (root / "templates" / "lib" / "vis-9.1.2" / "vis-network.min.js").read_text(encoding="utf-8")
    return st.components.v2.component("hopcheck_vis", js=code + "\nexport default function () {}\n")


def draw(pic: Picture, link: Callable[[str], str], key: str, hop: int | None = None) -> None:
    """Draw the picture with its replay control.

    `link` gives the address of a node's page, `hop` the hop to stand at (default: the last).
    """
    last = len(pic.hops) - 1
    at = last if hop is None else max(0, min(hop, last))
    with st.container(gap=None):
        _component()(key=key, data={**network_data(pic, link), "hop": at, "height": _height(pic)})
        _library()(key=f"{key}_vis", height=1)
    if pic.left_out:
        st.caption(f"{text.count(pic.left_out, 'more node')} left out of the drawing, not of the answer.")
