"""Everybody who can read a thing now, by the grant that lets them: the reverse of `brain.audit.grants.why`. For administrators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from brain.audit.grants import SHOWN, kind, state
from brain.errors import BadInput
from brain.tools.asking import Asking

To = Literal["everybody", "members", "groups", "nobody"]
_SAYS: dict[str, str] = {
    "everybody": "Everybody reads it, also without a login: it is open.",
    "members": "Every member of the organisation reads it: it is internal.",
    "nobody": "Nobody reads it but administrators: it is restricted and open to no group that anybody is in.",
}


@dataclass(frozen=True)
class Member:
    """Somebody in a group: directly, or through the team `via`; since and until when (epoch seconds), and where that is stated."""

    person: str
    name: str
    via: str
    state: str
    valid_from: int | None
    valid_to: int | None
    source: str
    line: int
    quote: str


@dataclass(frozen=True)
class Group:
    """A group that the thing is open to: its people now, and those whose membership ended or does not count; both lists are
    bounded, the numbers are not.
    """

    key: str
    name: str
    n: int
    members: tuple[Member, ...]
    n_past: int
    past: tuple[Member, ...]


@dataclass(frozen=True)
class Readers:
    """Who reads a thing: everybody, all members, or the people of some groups; `people` are the keys of those that a group lets in."""

    key: str
    name: str
    kind: str
    access: str
    to: To
    says: str
    n: int
    people: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()


def who(everything: Asking, key: str) -> Readers:
    """Who can read the thing of that key now. BadInput when `everything` does not ask as an administrator, or there is no such thing."""
    if not everything.viewer.admin:
        raise BadInput("only an administrator may ask what others may read")
    rows = everything.run("label_of", key=key.strip()).rows
    if not rows:
        raise BadInput(f"nothing with the key {key!r} is loaded")
    thing = rows[0]
    access, now = str(thing["access"] or ""), everything.as_of
    there = (thing["at"] or 0) <= now and (thing["gone"] is None or thing["gone"] > now)
    head = (str(thing["key"]), str(thing["name"] or ""), kind(thing["label"]), access)
    if there and access in ("open", "internal"):
        to: To = "everybody" if access == "open" else "members"
        return Readers(*head, to, _SAYS[to], _members(everything))
    groups = _groups(everything, thing["aud"] or ()) if there else ()
    people = tuple(sorted({m.person for g in groups for m in g.members}))
    if not people:
        says = _SAYS["nobody"] if access else "Nobody reads it: it carries no access label."
        return Readers(*head, "nobody", says if there else "Nobody reads it now: it is not there at this instant.", 0, groups=groups)
    named = ", ".join(g.name for g in groups if g.n)
    return Readers(*head, "groups", f"{len(people)} people read it, as members of {named}.", len(people), people, groups)


def _members(everything: Asking) -> int:
    return int(everything.run("people_counted").rows[0]["members"])


def _groups(everything: Asking, keys: Sequence[str]) -> tuple[Group, ...]:
    found: dict[str, list[tuple[bool, Member]]] = {key: [] for key in dict.fromkeys(keys)}
    names = {str(row["grp"]): str(row["name"] or "") for row in everything.run("audiences").rows}
    for row in everything.run("members", groups=list(found)).rows:
        found[str(row["grp"])].append(_member(row, everything.as_of))
    return tuple(_group(key, names.get(key) or key, members) for key, members in found.items())


def _group(key: str, name: str, members: Sequence[tuple[bool, Member]]) -> Group:
    now = list({m.person: m for holds, m in members if holds}.values())
    here = {m.person for m in now}
    past = list({m.person: m for holds, m in members if not holds and m.person not in here}.values())
    return Group(key, name, len(now), tuple(now[:SHOWN]), len(past), tuple(past[:SHOWN]))


def _member(row: Mapping[str, Any], now: int) -> tuple[bool, Member]:
    left = row["departed_at"] is not None and row["departed_at"] <= now
    worth = "left" if left else state(row, now)
    until = row["departed_at"] if left else row["valid_to"]
    return worth == "holds", Member(
        str(row["person"]), str(row["name"] or ""), str(row["via_name"] or row["via"] or ""), worth, row["valid_from"] or None, until,
        str(row["source"] or ""), int(row["line"] or 0), str(row["quote"] or ""),
    )  # fmt: skip
