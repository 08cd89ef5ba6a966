"""Who a name of the company is, and what they may read: it follows from the teams, roles and channels they are in now.
A membership that ended grants nothing, and who left sees what is open.
"""

from __future__ import annotations

from brain import permissions
from brain.tools.asking import Asking
from brain.types import Viewer

FIXED = {"local": permissions.local_admin, "guest": permissions.guest, "nobody": permissions.nobody}
_ACCOUNTS = ("catalogue", "slack", "roster")
_MEMBERSHIP = ("team:", "role:")


def fold(name: str) -> str:
    """A login as it is compared: without space around it and in lower case. Letters beyond ASCII stay as they are, so that
    none that looks like another one, or becomes another one in lower case, passes for it.
    """
    return "".join(c.lower() if c.isascii() else c for c in name.strip())


def person(name: str, everything: Asking) -> tuple[str, int | None] | None:
    """The one person of the company with that login, or handle in the catalogue, chat or roster, as key and the instant they
    left (None: still here); None for a name that nobody has, or several. `everything` asks as one who may see all of them. A
    name of which authorship alone tells is no login.
    """
    plain = fold(name)
    keys = [f"person:{plain}", *(f"account:{system}/{plain}" for system in _ACCOUNTS)]
    rows = everything.run("person_of", keys=keys).rows
    people = {str(row["key"]): row["departed_at"] for row in rows if row["said"] != "author"}
    return next(iter(people.items())) if len(people) == 1 else None


def keyed(key: str, everything: Asking) -> tuple[str, int | None] | None:
    """The person with that key and the instant they left; None when the company has none."""
    return next(((key, row["departed_at"]) for row in everything.run("person_of", keys=[key]).rows), None)


def left(departed: int | None, everything: Asking) -> bool:
    """Whether somebody who left at `departed` had left by the instant asked about."""
    return departed is not None and departed <= everything.as_of


def seen_by(ident: str, who: tuple[str, int | None], everything: Asking) -> Viewer:
    """What a person, as key and the instant they left, may read now, as the viewer called `ident`. Who is in a team, in a role
    or in a list of people is a member of the organisation; everybody else whom it knows, such as the author of a report, reads
    what is open and what their groups may.
    """
    key, departed = who
    if left(departed, everything):
        return Viewer(ident, permissions.guest().clearance)
    groups = [str(row["key"]) for row in everything.run("groups_of", person=key).rows]
    own = frozenset([key, *groups])
    if any(g.startswith(_MEMBERSHIP) for g in groups) or everything.run("listed_as", person=key).rows:
        return permissions.member(ident, own)
    return Viewer(ident, permissions.guest().clearance, own)


def member(name: str, everything: Asking) -> Viewer:
    """The viewer of that login or handle; a name that no one person of the company has reads what is open."""
    found = person(name, everything)
    return seen_by(name, found, everything) if found else Viewer(name, permissions.guest().clearance)
