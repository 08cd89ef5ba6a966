"""Whom a name at the login stands for: what they may read follows from the teams, roles and channels they are in now.
A membership that ended grants nothing, and who left sees what is open.
"""

from __future__ import annotations

from brain import permissions
from brain.tools.asking import Asking
from brain.types import Viewer

FIXED = {"local": permissions.local_admin, "guest": permissions.guest, "nobody": permissions.nobody}
_ACCOUNTS = ("catalogue", "slack", "roster")


def person(name: str, everything: Asking) -> tuple[str, int | None] | None:
    """The one person of the company with that login or handle, as key and the instant they left (None: still here); None for
    a name that nobody has, or several. `everything` asks as one who may see all of them.
    """
    plain = name.strip().lower()
    keys = [f"person:{plain}", *(f"account:{system}/{plain}" for system in _ACCOUNTS)]
    people = {str(row["key"]): row["departed_at"] for row in everything.run("person_of", keys=keys).rows}
    if f"person:{plain}" in people:
        people = {f"person:{plain}": people[f"person:{plain}"]}
    return next(iter(people.items())) if len(people) == 1 else None


def member(name: str, everything: Asking) -> Viewer:
    """The member of that login, or handle in the catalogue, chat or roster, with all their groups. `everything` asks as
    one who may see all memberships. A name that no one person of the company has is a member without groups.
    """
    found = person(name, everything)
    if found is None:
        return permissions.member(name)
    key, departed = found
    if departed is not None and departed <= everything.as_of:
        return Viewer(name, permissions.guest().clearance)
    groups = [str(row["key"]) for row in everything.run("groups_of", person=key).rows]
    return permissions.member(name, frozenset([key, *groups]))
