"""Whether somebody may read a thing, and why: the path of grants from the person over memberships to the group it is open to.

What the filter says is asked of the filter; only the reason is worked out here. Who asks about others is an administrator.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from brain import viewers
from brain.errors import BadInput
from brain.instants import day
from brain.schema import NODES
from brain.tools.asking import Asking
from brain.types import Viewer

NOT_FOR_YOU = "There is nothing of that name that you may read."
SHOWN = 200
_HIGHEST = 6
_IN = {"HOLDS_ROLE": "has the role", "HAS_ROLE": "has the role", "PART_OF": "belongs to"}


@dataclass(frozen=True)
class Link:
    """One membership, with who states it. `state` is holds, ended, not begun, waiting, rejected, unlabelled or not counted;
    the instants are epoch seconds, None where they are open.
    """

    src: str
    src_name: str
    rel: str
    dst: str
    dst_name: str
    state: str
    valid_from: int | None = None
    valid_to: int | None = None
    source: str = ""
    line: int = 0
    quote: str = ""


@dataclass(frozen=True)
class Path:
    """One way from a person to a group that the thing is open to; without links the person is named by the thing itself."""

    group: str
    name: str
    holds: bool
    says: str
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class Claim:
    """A claim about the thing that the person may not read, and the source whose label hides it."""

    rel: str
    src: str
    dst: str
    access: str
    source: str


@dataclass(frozen=True)
class Explanation:
    """The verdict of the filter on one thing and one person, the reason in a sentence, and every path of grants there is or was."""

    viewer: str
    key: str
    allowed: bool
    because: str
    name: str = ""
    kind: str = ""
    access: str = ""
    aud: tuple[str, ...] = ()
    person: str = ""
    paths: tuple[Path, ...] = ()
    hidden_claims: tuple[Claim, ...] = ()


def why(everything: Asking, key: str, who: Viewer) -> Explanation:
    """Whether `who` may read the thing of that key, and why; for administrators, who learn of hidden things too.

    BadInput when `everything` does not ask as an administrator.
    """
    if not everything.viewer.admin:
        raise BadInput("only an administrator may ask what others may read")
    rows = everything.run("label_of", key=key.strip()).rows
    if not rows:
        return Explanation(who.id, key, False, "Nothing with that key is loaded.")
    thing = rows[0]
    seeing = replace(everything, viewer=who)
    allowed = bool(seeing.run("may_read", keys=[thing["key"]]).rows)
    person = _person(who, everything)
    paths = _paths(thing["aud"] or (), everything, person)
    named = {str(r["key"]): str(r["name"] or r["key"]) for r in everything.run("may_read", keys=list(thing["aud"] or ())).rows}
    groups = _listed(named.get(g, g) for g in thing["aud"] or ())
    because = _because(thing, who, allowed, paths, groups, _left(person, everything), everything.as_of)
    told = Explanation(
        who.id, str(thing["key"]), allowed, because, str(thing["name"] or ""), kind(thing["label"]), str(thing["access"] or ""),
        tuple(thing["aud"] or ()), person, paths,
    )  # fmt: skip
    return replace(told, hidden_claims=_hidden_claims(everything, seeing, told.key)) if allowed else told


def own(ctx: Asking, key: str, person: str = "") -> Explanation:
    """Whether the asker may read the thing, and why; what is hidden and what is not there are told in the same words."""
    rows = ctx.run("may_read", keys=[key.strip()]).rows
    if not rows:
        return Explanation(ctx.viewer.id, key, False, NOT_FOR_YOU)
    thing = rows[0]
    memberships = [link(row, ctx.as_of) for row in ctx.run("memberships_now", person=person).rows] if person else []
    paths = _ways(thing["aud"] or (), memberships, person, True)
    access = str(thing["access"] or "")
    because = f"It is {access}: {_EVERYBODY[access]}." if access in _EVERYBODY else "It is open to a group that you are in."
    if ctx.viewer.admin:
        because = "An administrator reads everything that has a label."
    head = (ctx.viewer.id, str(thing["key"]), True, because, str(thing["name"] or ""), kind(thing["label"]), access)
    return Explanation(*head, tuple(thing["aud"] or ()), person, paths)


_EVERYBODY = {"open": "everybody may read it, also without a login", "internal": "every member of the organisation may read it"}


def kind(labels: Iterable[str]) -> str:
    """The type among the labels of a node."""
    return next((name for name in labels if name in NODES), "")


def _person(who: Viewer, everything: Asking) -> str:
    """The key of the person that a viewer is; empty for nobody of the company."""
    key = next((g for g in sorted(who.groups) if g.startswith("person:")), "")
    if key or who.admin or who.id in viewers.FIXED:
        return key
    found = viewers.person(who.id, everything)
    return found[0] if found else ""


def _left(person: str, everything: Asking) -> int:
    """The instant at which the person left; 0 for who is here."""
    rows = everything.run("person_of", keys=[person]).rows if person else ()
    departed = [int(row["departed_at"]) for row in rows if row["departed_at"] is not None]
    return departed[0] if departed and departed[0] <= everything.as_of else 0


def _paths(aud: Sequence[str], everything: Asking, person: str) -> tuple[Path, ...]:
    if not aud or not person:
        return ()
    links = [link(row, everything.as_of) for row in everything.run("memberships", person=person).rows]
    return _ways(aud, links, person, not _left(person, everything))


def _ways(aud: Sequence[str], links: Sequence[Link], person: str, here: bool) -> tuple[Path, ...]:
    """Every way from the person to one of these groups, those that hold first."""
    mine = [link for link in links if link.src == person]
    found = [Path(person, person, here, "It names the person.")] if person in aud else []
    for group in aud:
        for way in _chains(group, mine, [link for link in links if link.rel == "PART_OF"]):
            holds = here and all(link.state == "holds" for link in way)
            found.append(Path(group, way[-1].dst_name or group, holds, "; ".join(map(says, way)), way))
    return tuple(sorted(found, key=lambda p: (not p.holds, p.group, len(p.links), -max((m.valid_from or 0 for m in p.links), default=0))))


def _chains(group: str, mine: Sequence[Link], above: Sequence[Link]) -> list[tuple[Link, ...]]:
    """Every way up to a group: a membership in it, or in a team below it and then from team to team."""
    found: list[tuple[Link, ...]] = [(link,) for link in mine if link.dst == group]
    rest: list[tuple[Link, ...]] = [(up,) for up in above if up.dst == group]
    while rest:
        way, *rest = rest
        found += [(link, *way) for link in mine if link.rel == "MEMBER_OF" and link.dst == way[0].src]
        met = {group, *(up.src for up in way)}
        rest += [(up, *way) for up in above if up.dst == way[0].src and up.src not in met and len(way) < _HIGHEST]
    return found


def link(row: Mapping[str, Any], now: int) -> Link:
    """A membership as one row of the queries about them tells it."""
    return Link(
        str(row["src"]), str(row["src_name"] or ""), str(row["rel"]), str(row["dst"]), str(row["dst_name"] or ""), state(row, now),
        row["valid_from"] or None, row["valid_to"], str(row["source"] or ""), int(row["line"] or 0), str(row["quote"] or ""),
    )  # fmt: skip


def state(row: Mapping[str, Any], now: int) -> str:
    """What a membership is worth at an instant, in words."""
    if row["holds"]:
        return "holds"
    if row["state"] in ("candidate", "rejected"):
        return {"candidate": "waiting", "rejected": "rejected"}[row["state"]]
    if row["valid_to"] is not None and row["valid_to"] <= now:
        return "ended"
    if (row["valid_from"] or 0) > now:
        return "not begun"
    return "unlabelled" if row["access"] is None else "not counted"


def says(link: Link) -> str:
    """The membership in a sentence."""
    src, dst = link.src_name or link.src, link.dst_name or link.dst
    verb = _IN.get(link.rel, "is in")
    if link.state == "ended":
        had = {"is in": "was in", "has the role": "had the role"}.get(verb, "belonged to")
        return f"{src} {had} {dst} until {day(link.valid_to or 0)}"
    if link.state == "holds":
        since = f" since {day(link.valid_from)}" if link.valid_from else ""
        until = f", until {day(link.valid_to)}" if link.valid_to else ""
        return f"{src} {verb} {dst}{since}{until}"
    more = f" {day(link.valid_from or 0)}" if link.state == "not begun" else ""
    return f"{src} {verb} {dst}: {link.state}{more}"


def _because(
    thing: Mapping[str, Any], who: Viewer, allowed: bool, paths: Sequence[Path], groups: str, departed: int, now: int
) -> str:
    access, name = thing["access"], who.id
    if thing["gone"] is not None and thing["gone"] <= now:
        return f"It went on {day(thing['gone'])}; nobody reads it since."
    if (thing["at"] or 0) > now:
        return f"It begins on {day(thing['at'])}; nobody reads it before."
    if access is None and not allowed:
        return "It carries no access label, and what has no label is hidden from everybody."
    if who.admin:
        return "An administrator reads everything that has a label."
    if allowed and access in _EVERYBODY:
        return f"It is {access}: {_EVERYBODY[access]}."
    if allowed:
        return f"It is {access} and open to {_listed(p.name for p in paths if p.holds)}: {next((p.says for p in paths if p.holds), '')}."
    if not who.clearance:
        return f"To {name} nothing was granted, not even what is open."
    left = f"{name} left on {day(departed)}" if departed else ""
    if access == "internal":
        return f"It is internal, for members of the organisation; {left or f'{name} is none'}."
    if not thing["aud"]:
        return f"It is {access} and open to no group: administrators alone read it."
    ended = next((p.says for p in paths if not p.holds), "")
    return f"It is {access} and open to {groups} alone; {left or ended or f'{name} is in none of them'}."


def _hidden_claims(everything: Asking, seeing: Asking, key: str) -> tuple[Claim, ...]:
    read = {row["aid"] for row in seeing.run("claims_about", key=key).rows}
    rows = [row for row in everything.run("claims_about", key=key).rows if row["aid"] not in read]
    return tuple(Claim(row["rel"], row["src"], row["dst"], row["access"] or "", row["access_key"] or "") for row in rows[:SHOWN])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))
