"""The commit graph in memory, so that thousands of pull requests and tags need no process each.

Commits are numbered in `--date-order`: a child before its parents, else newest first.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import groupby
from operator import itemgetter

from brain.connectors.git_process import Repository


class Graph:
    """Commits as numbers: `shas`, `times` (committer, epoch seconds) and `parents` by number."""

    def __init__(self) -> None:
        self.shas: list[str] = []
        self.times: list[int] = []
        self.parents: list[tuple[int, ...]] = []
        self.index: dict[str, int] = {}

    @classmethod
    def read(cls, repo: Repository, tips: Iterable[str]) -> Graph:
        """The graph of everything reachable from the tips."""
        graph, named = cls(), list[list[str]]()
        given = "\n".join(dict.fromkeys(tips))
        if not given:
            return graph
        asked = ("rev-list", "--date-order", "--parents", "--timestamp", "--stdin")
        for line in repo.tokens(*asked, stdin=f"{given}\n".encode(), separator=b"\n"):
            time, sha, *parents = line.decode().split()
            graph.index[sha] = len(graph.shas)
            graph.shas.append(sha)
            graph.times.append(int(time))
            named.append(parents)
        graph.parents = [tuple(graph.index[p] for p in parents if p in graph.index) for parents in named]
        return graph

    def ancestors(self, tips: Iterable[str], stop: set[int] | None = None) -> set[int]:
        """The tips and all they contain, without going beyond `stop`."""
        stop = set() if stop is None else stop
        found: set[int] = set()
        todo = [self.index[t] for t in tips if t in self.index and self.index[t] not in stop]
        while todo:
            one = todo.pop()
            if one not in found:
                found.add(one)
                todo.extend(p for p in self.parents[one] if p not in found and p not in stop)
        return found

    def beyond(self, head: int, trunk: set[int]) -> tuple[int | None, list[int]]:
        """Where `head` left the trunk (a set closed under ancestors), and its commits since then."""
        if head in trunk:
            return head, []
        own = self.ancestors([self.shas[head]], trunk)
        left = {p for one in own for p in self.parents[one] if p in trunk}
        return min(left, default=None), sorted(own)

    def between(self, base: int, head: int) -> tuple[int | None, list[int]]:
        """The newest common ancestor of two commits, and what only `head` contains."""
        of_base, of_head = 1, 2
        paint = {base: of_base}
        paint[head] = paint.get(head, 0) | of_head
        queue = sorted({base, head})
        queued, own = set(queue), list[int]()
        common: int | None = None
        unshared = sum(paint[q] != 3 for q in queue)
        while queue and unshared:
            one = heappop(queue)
            colour = paint[one]
            if colour == 3:
                common = one if common is None else common
            else:
                unshared -= 1
                if colour == of_head:
                    own.append(one)
            for parent in self.parents[one]:
                before = paint.get(parent, 0)
                paint[parent] = before | colour
                if parent not in queued:
                    queued.add(parent)
                    heappush(queue, parent)
                    unshared += colour != 3
                elif before != 3 and paint[parent] == 3:
                    unshared -= 1
        if common is None:
            common = next((q for q in sorted(queue) if paint[q] == 3), None)
        return common, own

    def merged_heads(self, trunk: set[int]) -> dict[int, int]:
        """For commits that a merge on the trunk brought in as its other parents: that merge, the earliest."""
        found: dict[int, int] = {}
        for one in sorted(trunk):
            for parent in self.parents[one][1:]:
                found[parent] = one
        return found

    def first_tags(self, tags: list[tuple[int, str, str]]) -> dict[int, tuple[str, ...]]:
        """For each commit the tags that contained it first. `tags` are (instant, name, sha)."""
        found: dict[int, tuple[str, ...]] = {}
        seen: set[int] = set()
        ordered = sorted(t for t in tags if t[2] in self.index)
        for _, together in groupby(ordered, key=itemgetter(0)):
            fresh: set[int] = set()
            for _, name, sha in together:
                reached = self.ancestors([sha], seen)
                for one in reached:
                    found[one] = (*found.get(one, ()), name)
                fresh |= reached
            seen |= fresh
        return found
