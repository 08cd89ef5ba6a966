"""Whom a name at the login stands for: what they may read follows from the teams, roles and channels they are in now.
A membership that ended grants nothing, and who left sees what is open.
"""

from __future__ import annotations

from brain import permissions
from brain.tools.asking import Asking
from brain.types import Viewer

FIXED = {"local": permissions.local_admin, "guest": permissions.guest, "nobody": permissions.nobody}
_ACCOUNTS = ("catalogue", "slack", "roster")


def member(name: str, everything: Asking) -> Viewer:
    """The member of that login, or handle in the catalogue, chat or roster, with all their groups. `everything` asks as
    one who may see all memberships. A name that no one person of the company has is a member without groups.
    """
    plain = name.strip().lower()
    keys = [f"person:{plain}", *(f"account:{system}/{plain}" for system in _ACCOUNTS)]
    people = {row["key"]: row["departed_at"] for row in everything.run("person_of", keys=keys).rows}
    if f"person:{plain}" in people:
        people = {f"person:{plain}": people[f"person:{plain}"]}
    if len(people) != 1:
        return permissions.member(name)
    (person, departed), = people.items()
    if departed is not None and departed <= everything.as_of:
        return Viewer(name, permissions.guest().clearance)
    groups = [str(row["key"]) for row in everything.run("groups_of", person=person).rows]
    return permissions.member(name, frozenset([person, *groups]))
