"""Which accounts and persons are one: links that rules found, the certain ones first. No rule brings two logins
together; a person's decision does. Nothing here depends on the order in which links come.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Link:
    """That account `src` and `target` (a person's key or another account's) are one, by `rule`. `told` and `line`:
    the number of the telling that says so, for the evidence.
    """

    src: str
    target: str
    rule: str
    told: int

    @property
    def ident(self) -> str:
        """What tells the link from all others, whatever the person is called in the end."""
        return f"{self.src}={self.target}"


class Joins:
    """Sets of accounts and persons that are one."""

    def __init__(self, has_login: Callable[[str], bool]) -> None:
        self._has_login = has_login
        self._up: dict[str, str] = {}
        self._logins: dict[str, set[str]] = defaultdict(set)
        self.accepted: set[Link] = set()
        self.conflicts: set[Link] = set()

    def root(self, vertex: str) -> str:
        """What stands for everything that is one with the vertex."""
        if vertex not in self._up:
            self._up[vertex] = vertex
            if vertex.startswith("person:") and self._has_login(vertex):
                self._logins[vertex].add(vertex)
        path = []
        while self._up[vertex] != vertex:
            path.append(vertex)
            vertex = self._up[vertex]
        for step in path:
            self._up[step] = vertex
        return vertex

    def logins(self, vertex: str) -> set[str]:
        """The persons with a login that are one with the vertex."""
        return self._logins[self.root(vertex)]

    def sets(self) -> dict[str, list[str]]:
        """Every set by what stands for it, its members in order."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for vertex in sorted(self._up):
            found[self.root(vertex)].append(vertex)
        return dict(found)

    def decided(self, links: Iterable[Link]) -> None:
        """Joins what a person approved, whatever rules would say."""
        for link in sorted(links):
            self._accept(link)

    def tier(self, links: Iterable[Link]) -> None:
        """Joins what rules of one certainty say. What would make one of two logins joins neither: a conflict."""
        free, bound = list[Link](), list[Link]()
        for link in sorted(links):
            (bound if self.logins(link.src) or self.logins(link.target) else free).append(link)
        for link in free:
            self._accept(link)
        reached: defaultdict[str, set[str]] = defaultdict(set)
        for link in bound:
            one, other = self.root(link.src), self.root(link.target)
            for here, there in ((one, other), (other, one)):
                if self._logins[there]:
                    reached[here].add(there)
        good = [link for link in bound if self._agrees(link, reached)]
        self.conflicts.update(set(bound) - set(good))
        for link in good:
            self._accept(link)

    def _agrees(self, link: Link, reached: dict[str, set[str]]) -> bool:
        one, other = self.root(link.src), self.root(link.target)
        if one == other:
            return True
        if self._logins[one] and self._logins[other]:
            return False
        return len(reached[one if self._logins[other] else other]) == 1

    def _accept(self, link: Link) -> None:
        one, other = sorted((self.root(link.src), self.root(link.target)))
        self._up[other] = one
        if one != other:
            self._logins[one] |= self._logins.pop(other, set())
        self.accepted.add(link)
