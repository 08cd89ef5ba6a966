"""Whom the checks of access look through: people who differ in what they may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from brain import permissions
from brain.audit.secrets import Thing
from brain.brain import Brain
from brain.demo import company
from brain.types import Viewer

GROUPS = 8
_BELONGS = ("MEMBER_OF", "HOLDS_ROLE", "HAS_ROLE", "IN_CHANNEL")


def personas(brain: Brain, things: Sequence[Thing], names: Sequence[str] = ()) -> list[Viewer]:
    """The viewers of these names; with none: a stranger, nobody, a member of nothing, somebody of each group that may read what
    others may not, somebody who left, and the personas of the demo where the demo is loaded. Nobody who may see everything.
    """
    if names:
        return [brain.viewer(name) for name in dict.fromkeys(names)]
    found = [permissions.guest(), permissions.nobody(), permissions.member("a-member")]
    for login in (*_of_the_demo(things), *_left(things, brain.present())):
        _add(found, brain.viewer(login))
    for group, login in _of_groups(things):
        if not any(group in v.groups for v in found):
            _add(found, brain.viewer(login))
    return found


def _add(found: list[Viewer], viewer: Viewer) -> None:
    """Who sees the same as one who is there already adds nothing."""
    if not viewer.admin and not any((v.clearance, v.groups) == (viewer.clearance, viewer.groups) for v in found):
        found.append(viewer)


def _people(things: Sequence[Thing]) -> dict[str, Thing]:
    return {t.key: t for t in things if t.label == "Person" and t.ends is None}


def _login(person: str) -> str:
    return person.partition(":")[2]


def _of_the_demo(things: Sequence[Thing]) -> list[str]:
    known = _people(things)
    loaded = company.load()
    logins = [loaded.people[short].login for short in loaded.personas.values()]
    return logins if all(f"person:{login}" in known for login in logins) else []


def _of_groups(things: Sequence[Thing]) -> Iterator[tuple[str, str]]:
    """Each group that a restricted thing is open to with somebody in it, those that open most first."""
    people = _people(things)
    opens = Counter(str(group) for t in things if t.props.get("access") == "restricted" for group in t.props.get("aud") or ())
    for group, _ in sorted(opens.items(), key=lambda g: (-g[1], g[0]))[:GROUPS]:
        inside = sorted(t.ends[0] for t in things if t.ends and t.ends[1] == group and t.label in _BELONGS and t.ends[0] in people)
        yield from ((group, _login(person)) for person in inside[:1])


def _left(things: Sequence[Thing], now: int) -> list[str]:
    gone = [p for p in _people(things).values() if 0 < int(p.props.get("departed_at") or 0) <= now]
    return [_login(p.key) for p in sorted(gone, key=lambda p: p.key)[:1]]
