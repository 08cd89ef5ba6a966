"""What a kept run holds of the company, and whether somebody may still see all of it. A run outlives the rights it was made
with; it is read only while the reader's rights of now cover what is in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from brain.schema import LABEL_OF_PREFIX
from brain.tools.asking import Asking
from brain.types import Answer, Viewer

MOST = 20_000
_CHUNK = "chunk:"


@dataclass(frozen=True)
class Held:
    """The rights a run was made with, the groups of them without which something in it would not have been seen, and the keys
    of all things in it.
    """

    clearance: frozenset[str]
    groups: frozenset[str]
    used: frozenset[str]
    keys: tuple[str, ...]


def holds(answer: Answer, viewer: Viewer, everything: Asking) -> Held:
    """What the answer holds, made with the viewer's rights of now. `everything` asks as one who may see all of it."""
    return resting(_keys(answer), viewer, everything)


def kept(row: Mapping[str, Any]) -> Held:
    """What stands in the columns clearance, groups, used and keys of something kept."""
    clearance, groups, used = (frozenset(map(str, row[part] or ())) for part in ("clearance", "groups", "used"))
    return Held(clearance, groups, used, tuple(map(str, row["keys"] or ())))


def resting(on: Iterable[str], viewer: Viewer, everything: Asking) -> Held:
    """What something holds that was made with the viewer's rights of now and rests on these keys."""
    keys = tuple(sorted(set(on)))
    used: set[str] = set()
    if viewer.groups and keys:
        closed = everything.run("closed_to", keys=list(keys), labels=sorted(viewer.clearance)).rows
        used = {str(g) for row in closed for g in row["aud"] or ()} & viewer.groups
    return Held(viewer.clearance, viewer.groups, frozenset(used), keys)


def keys_in(value: Any) -> set[str]:
    """Every text in the value, however deep, that is, or could be, the key of a thing; a passage's source with it."""
    return _all_keys(_strings(value))


def covered(kept: Mapping[str, Held], viewer: Viewer, everything: Asking) -> set[str]:
    """Which of these runs, by their ids, hold nothing that the viewer may not read now. What the viewer could read when they were
    made and has lost since counts as held, unless it opens nothing: a number can rest on what no row names.
    """
    lost = {run: held.groups - viewer.groups for run, held in kept.items()}
    opening = {str(row["grp"]) for row in everything.run("audiences").rows} if any(lost.values()) else set()
    open_ = {
        run: held
        for run, held in kept.items()
        if held.clearance <= viewer.clearance and not lost[run] & (opening | held.used) and len(held.keys) <= MOST
    }
    keys = sorted({key for held in open_.values() for key in held.keys})
    rights = {"labels": sorted(viewer.clearance), "groups": sorted(viewer.groups)}
    closed = {str(row["key"]) for row in everything.run("closed_to", keys=keys, **rights).rows} if keys else set()
    return {run for run, held in open_.items() if closed.isdisjoint(held.keys)}


def _keys(answer: Answer) -> set[str]:
    """Everything in the answer that is, or could be, the key of a thing, a passage's source with it; a claim's source too."""
    found: set[str] = {*answer.items}
    for claim in (*answer.claims, *answer.dropped):
        found.update(claim.cites, claim.path, (q.source for q in claim.quotes))
    found.update(node.key for nodes in (answer.nodes, *(s.nodes for s in answer.steps)) for node in nodes)
    for edge in chain(answer.edges, *(s.edges for s in answer.steps)):
        found.update((edge.src, edge.dst, str(edge.props.get("access_key") or "")))
    for step in answer.steps:
        found.update(_strings((step.args, step.params, step.rows)))
    return _all_keys(found)


def _all_keys(texts: Iterable[str]) -> set[str]:
    found = {*texts}
    found |= {key.removeprefix(_CHUNK).rpartition("/")[0] for key in found if key.startswith(_CHUNK)}
    return {key for key in found if key.partition(":")[0] in LABEL_OF_PREFIX and "\n" not in key}


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _strings(value.values())
    elif isinstance(value, Iterable):
        for part in value:
            yield from _strings(part)
