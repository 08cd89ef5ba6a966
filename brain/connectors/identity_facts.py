"""What the sources of each label tell of an identity, so that a person is described to nobody with what only narrower ones say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from brain.schema import ACCESS_LABELS


def within(said: str, label: str) -> bool:
    """Is something that is said under one label known wherever the other is read? What is no label is read nowhere else."""
    return said == label or (said in ACCESS_LABELS and label in ACCESS_LABELS and ACCESS_LABELS.index(said) <= ACCESS_LABELS.index(label))


class Facts:
    """Names, spellings of logins and times of acting, by identity and label."""

    def __init__(self) -> None:
        self._names: dict[str, defaultdict[str, Counter[str]]] = {}
        self._logins: dict[str, defaultdict[str, Counter[str]]] = {}
        self._active: dict[str, dict[str, tuple[int, int]]] = {}

    def add(self, node: str, label: str, name: str | None, login: str | None, at: int | None) -> None:
        """Notes what one record of that label says."""
        for kept, word in ((self._names, name), (self._logins, login)):
            if word:
                kept.setdefault(label, defaultdict(Counter))[node][word] += 1
        if at is not None:
            active = self._active.setdefault(label, {})
            first, last = active.get(node, (at, at))
            active[node] = min(first, at), max(last, at)

    def all_open(self) -> bool:
        """Does everything come from open sources?"""
        return not {*self._names, *self._logins, *self._active} - {"open"}

    def widest(self, nodes: Iterable[str]) -> int:
        """How open the widest source is that tells of one of these, 0 being open."""
        nodes = list(nodes)
        said = {label for kept in (self._names, self._logins, self._active) for label, by in kept.items() if any(n in by for n in nodes)}
        return min((ACCESS_LABELS.index(label) for label in said if label in ACCESS_LABELS), default=len(ACCESS_LABELS))

    def of(self, nodes: Iterable[str], label: str) -> Mapping[str, Any]:
        """login, names (the commonest first), first_at and last_at, as far as sources that are read with this label tell."""
        nodes = list(nodes)
        login, names = (_counted(kept, nodes, label) for kept in (self._logins, self._names))
        spans = [span for said, active in self._active.items() if within(said, label) for n in nodes if (span := active.get(n))]
        found: dict[str, Any] = {"login": next(iter(login), None), "names": names[:20] or None}
        if spans:
            found |= {"first_at": min(s[0] for s in spans), "last_at": max(s[1] for s in spans)}
        return {k: v for k, v in found.items() if v is not None}


def _counted(kept: Mapping[str, Mapping[str, Counter[str]]], nodes: list[str], label: str) -> list[str]:
    found: Counter[str] = Counter()
    for said, by_node in kept.items():
        if within(said, label):
            for node in nodes:
                found.update(by_node.get(node, {}))
    return sorted(found, key=lambda word: (-found[word], word))
