"""What each `refs/pull/N/head` brings: its commits since it left the branch it was meant for."""

from __future__ import annotations

from dataclasses import dataclass

from brain.connectors.git_graph import Graph
from brain.connectors.git_refs import Refs

MOST_COMMITS = 500


@dataclass(frozen=True)
class Pull:
    """A pull head. `base` is the merge base (None when there is none), `commits` base..head newest
    first, `opening` the oldest of them that is no merge (else the head), `at` the head's committer time,
    `landed` whether the default branch contains the head, `landed_by` the merge that did it.
    """

    number: int
    head: str
    base: str | None
    commits: list[str]
    opening: str
    at: int
    landed: bool
    landed_by: str | None


def pulls(graph: Graph, refs: Refs, trunk: set[int]) -> list[Pull]:
    """The pull heads in order of their numbers."""
    merged = graph.merged_heads(trunk)
    return [_pull(graph, number, sha, trunk, merged) for number, sha in sorted(refs.pulls.items())]


def _pull(graph: Graph, number: int, sha: str, trunk: set[int], merged: dict[int, int]) -> Pull:
    head = graph.index[sha]
    merge = merged.get(head)
    if merge is not None:
        base, own = graph.between(graph.parents[merge][0], head)
    else:
        base, own = graph.beyond(head, trunk)
    if base == head and graph.parents[head]:  # came to the trunk without a merge of its own
        base, own = graph.parents[head][0], [head]
    opening = next((one for one in reversed(own) if len(graph.parents[one]) < 2), head)
    return Pull(
        number=number,
        head=sha,
        base=graph.shas[base] if base is not None else None,
        commits=[graph.shas[one] for one in own[:MOST_COMMITS]],
        opening=graph.shas[opening],
        at=graph.times[head],
        landed=head in trunk,
        landed_by=graph.shas[merge] if merge is not None else None,
    )
