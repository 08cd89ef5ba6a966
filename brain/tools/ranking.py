"""Who and what stands out in the whole organisation, by measures over graphs of who reviews whom, contributes where, what changes
with what and what needs what.

Each is computed over the relationships that count for the viewer and nothing else. The server's own PageRank, which runs over
all that is loaded, is for those who may read every label; that follows from the clearance alone, never from what is hidden. Its
betweenness only samples, and its label propagation takes the time of all nodes for the few that have links, so these are
worked out here for everybody.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from brain.errors import ToolError
from brain.permissions import FOREVER
from brain.tools.asking import Asking, tool
from brain.types import Result, Viewer

SAMPLES, SEED, PER = 256, 7, 12
_DAMPING, _ROUNDS = 0.85, 100
Link = tuple[str, str]


@tool("by: reviewers|bridges|clusters|dependencies = reviewers, k: int = 10")
def rank(ctx: Asking, by: str, k: int) -> Result:
    """Who stands out in the whole organisation: `reviewers` whose reviews are asked for by those whose reviews are asked for
    (PageRank over who reviews whom), `bridges` between people and repositories (betweenness), `clusters` of files that
    change together (label propagation), or services that most `dependencies` lead to (PageRank over what depends on what). Rows:
    place, key, name, score, and n, what the score rests on; for clusters place, size and keys. Computed from what the viewer may
    read and nothing else; all but dependencies as of now, not for an earlier instant.
    """
    if by == "dependencies":
        return _dependencies(ctx, k)
    if replace(ctx, as_of=FOREVER - 1).run("rank_later", by=by, since=ctx.as_of).rows[0]["n"]:
        raise ToolError("this ranking is known as of now alone; ask without an earlier date, or use measure")
    return _COMPUTED[by](ctx, k)


def everything(viewer: Viewer) -> bool:
    """May the viewer read everything that has a label?"""
    return {"open", "internal", "restricted"} <= viewer.clearance


def pagerank(nodes: Iterable[str], links: Sequence[Link]) -> dict[str, float]:
    """The PageRank of every node over directed links; what a node without links would pass on goes to all."""
    order = {key: i for i, key in enumerate(sorted({*nodes, *(end for link in links for end in link)}))}
    n = len(order)
    if not n:
        return {}
    src, dst = (np.array([order[link[side]] for link in links], dtype=int) for side in (0, 1))
    out = np.bincount(src, minlength=n)
    rank = np.full(n, 1 / n)
    for _ in range(_ROUNDS):
        given = np.bincount(dst, weights=rank[src] / out[src], minlength=n) + rank[out == 0].sum() / n
        fresh = (1 - _DAMPING) / n + _DAMPING * given
        done = np.abs(fresh - rank).sum() < 1e-9
        rank = fresh
        if done:
            break
    return {key: float(rank[i]) for key, i in order.items()}


def betweenness(links: Iterable[Link]) -> dict[str, float]:
    """The share of shortest ways, in either direction of the links, that run through each node: exact up to 256 nodes, of larger
    graphs over as many starts, always the same ones.
    """
    import networkx as nx

    graph = _graph(links)
    return dict(nx.betweenness_centrality(graph, k=min(SAMPLES, len(graph)) or None, seed=SEED))


def communities(links: Iterable[Link]) -> list[set[str]]:
    """The nodes that belong together, by label propagation over the links in either direction; the same at every call."""
    import networkx as nx

    return [set(group) for group in nx.community.label_propagation_communities(_graph(links))]


def _graph(links: Iterable[Link]):  # type: ignore[no-untyped-def]
    import networkx as nx

    pairs = sorted(set(links))
    graph = nx.Graph()
    graph.add_nodes_from(sorted({end for pair in pairs for end in pair}))
    graph.add_edges_from(pairs)
    return graph


def _dependencies(ctx: Asking, k: int) -> Result:
    """Services by PageRank over DEPENDS_ON: the server's own where every stored dependency counts for one who may read all of
    them, else the same sum over those that do.
    """
    native = ctx.run("rank_dependencies", k=k) if everything(ctx.viewer) else None
    if native is not None and native.rows:
        return native
    pairs = ctx.run("dependency_pairs").rows
    links = [(str(r["src"]), str(r["dst"])) for r in pairs if r["dst"] is not None]
    scores = pagerank({str(r["src"]) for r in pairs}, links)
    needed = {dst for _, dst in links}
    keys, shares = _best({key: scores[key] for key in needed}, k, sum)
    return ctx.run("dependencies_as_computed", keys=keys, scores=shares)


def _reviewers(ctx: Asking, k: int) -> Result:
    """Every author's PageRank, shared among the author's reviewers by the number of their reviews."""
    if everything(ctx.viewer):
        return ctx.run("rank_reviewers", k=k)
    rows = ctx.run("review_links").rows
    given = {(str(r["src"]), str(r["dst"])): int(r["n"]) for r in rows if r["dst"] is not None}
    ranks = pagerank({str(r["src"]) for r in rows}, list(given))
    taken, gave, people = Counter[str](), Counter[str](), Counter[str]()
    for (who, whose), n in given.items():
        taken[whose] += n
        gave[who] += n
        people[who] += 1
    scores: dict[str, float] = defaultdict(float)
    for (who, whose), n in given.items():
        scores[who] += ranks[whose] * n / taken[whose]
    keys, shares = _best(_without_bots(scores, rows), k, sum)
    counts = {"counts": [gave[key] for key in keys], "people": [people[key] for key in keys]}
    return ctx.run("reviewers_as_computed", keys=keys, scores=shares, **counts)


def _bridges(ctx: Asking, k: int) -> Result:
    rows = ctx.run("contributor_links").rows
    links = [(str(r["src"]), str(r["dst"])) for r in rows]
    near = Counter(end for link in set(links) for end in link)
    scores = {key: score for key, score in betweenness(links).items() if score > 0}
    keys, shares = _best(_without_bots(scores, rows), k, max)
    return ctx.run("bridges_as_computed", keys=keys, scores=shares, counts=[near[key] for key in keys])


def _clusters(ctx: Asking, k: int) -> Result:
    rows = ctx.run("co_change_links").rows
    together = Counter[str]()
    for r in rows:
        for end in ("src", "dst"):
            together[str(r[end])] += int(r["n"])
    groups = [sorted(g, key=lambda key: (-together[key], key)) for g in communities((str(r["src"]), str(r["dst"])) for r in rows)]
    groups = sorted((g for g in groups if len(g) > 1), key=lambda g: (-len(g), g[0]))[:k]
    shown = [(i, key) for i, g in enumerate(groups) for key in g[:PER]]
    return ctx.run("clusters_as_computed", keys=[key for _, key in shown], groups=[i for i, _ in shown], sizes=[len(g) for g in groups])


def _without_bots(scores: Mapping[str, float], rows: Iterable[Mapping[str, object]]) -> dict[str, float]:
    bots = {str(r["src"]) for r in rows if r["bot"]}
    return {key: score for key, score in scores.items() if key not in bots}


def _best(scores: Mapping[str, float], k: int, whole: Callable[[Iterable[float]], float]) -> tuple[list[str], list[float]]:
    """The k first, and their scores as shares of what `whole` makes of all."""
    unit = (whole(scores.values()) if scores else 0.0) or 1.0
    keys = sorted(scores, key=lambda key: (-scores[key], key))[:k]
    return keys, [float(scores[key] / unit) for key in keys]


_COMPUTED: Mapping[str, Callable[[Asking, int], Result]] = {"reviewers": _reviewers, "bridges": _bridges, "clusters": _clusters}
TOOLS = (rank,)
