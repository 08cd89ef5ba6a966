"""The viewers that a check of access has to be made for: of those who see the same, one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from brain import permissions, viewers
from brain.errors import BadInput
from brain.tools.asking import Asking
from brain.types import Viewer

MOST = 40


@dataclass(frozen=True)
class Viewpoint:
    """A viewer whose groups are those alone that open something, and how many people of the company see exactly that."""

    viewer: Viewer
    people: int = 0


def viewpoints(everything: Asking, names: Sequence[str] = (), most: int = MOST) -> list[Viewpoint]:
    """The guest, a member without groups, a member with each one group that opens something, and everything else that some
    person of the company sees, whoever most people see as first; with `names` only what these see. `everything` asks as one who
    may see all memberships. BadInput for the administrator, who may see all that is labelled.
    """
    opening = {str(r["grp"]) for r in everything.run("audiences").rows}
    if names:
        return [Viewpoint(_named(name, everything, opening)) for name in names]
    found: dict[tuple[frozenset[str], frozenset[str]], Viewpoint] = {}
    plain = [permissions.guest(), permissions.member("member")]
    for viewer in [*plain, *(permissions.member(f"one of {group}", frozenset({group})) for group in sorted(opening))]:
        found[viewer.clearance, viewer.groups] = Viewpoint(viewer)
    for row in everything.run("people").rows:
        viewer = _opened(viewers.member(str(row["login"]), everything), opening)
        known = found.setdefault((viewer.clearance, viewer.groups), Viewpoint(viewer))
        found[viewer.clearance, viewer.groups] = replace(known, people=known.people + 1)
    first, rest = list(found.values())[:2], list(found.values())[2:]
    return [*first, *sorted(rest, key=lambda v: -v.people)][:most]


def _named(name: str, everything: Asking, opening: set[str]) -> Viewer:
    viewer = viewers.FIXED[name]() if name in viewers.FIXED else viewers.member(name, everything)
    if viewer.admin:
        raise BadInput(f"{name} may see all that is labelled; name somebody from whom something is hidden, or guest")
    return _opened(viewer, opening)


def _opened(viewer: Viewer, opening: set[str]) -> Viewer:
    return replace(viewer, groups=viewer.groups & opening)
