"""Who may see what, and what counts when: the text that `visible()`, `current()` and the others stand for.

The rule is data in the graph (`access`, `aud`) and text inside the very query that retrieves. A
missing access label denies. The viewer comes from the login, never from a model or an argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from brain.types import Viewer

FOREVER = 9_999_999_999
_MACRO = re.compile(r"\b(visible|current|counted|claimed|decidable|readable|stated)\(")


def granted(x: str) -> str:
    """Cypher that is true when `x`, a node or a relationship, carries a label that is open to the viewer, or is for one of their
    groups. No label, no grant.
    """
    return f"({x}.access IN $viewer_access OR any(g IN {x}.aud WHERE g IN $viewer_groups))"


def visible(x: str) -> str:
    """Cypher that is true when node expression `x` may be read by the viewer and existed at $as_of."""
    return f"({granted(x)} AND coalesce({x}.at, 0) <= $as_of AND coalesce({x}.gone, {FOREVER}) > $as_of)"


def current(r: str) -> str:
    """Cypher that is true when relationship `r` had happened at $as_of, is open to the viewer if it carries a label, and, if it
    is an assertion, was approved and valid then, carries a label, and was known at $known_at.
    """
    return (
        f"(coalesce({r}.at, 0) <= $as_of AND (({r}.aid IS NULL AND {r}.access IS NULL) OR {granted(r)})"
        f" AND ({r}.aid IS NULL OR ({r}.state = 'approved' AND {r}.recorded_at <= $known_at"
        f" AND {r}.valid_from <= $as_of AND coalesce({r}.valid_to, {FOREVER}) > $as_of)))"
    )


def counted(r: str) -> str:
    """Cypher that is true when relationship `r` was not derived, or was from just the sources that the viewer's clearance opens:
    neither moved by what they may not read, nor a second telling of the same.
    """
    return f"({r}.derived_by IS NULL OR {r}.basis IN $viewer_basis)"


def claimed(r: str) -> str:
    """Cypher that is true when relationship `r` is an assertion that the viewer may read, whatever was decided about it and
    whenever it holds. Only for people who decide; the lint keeps it out of everything an answer can come from.
    """
    return f"({r}.aid IS NOT NULL AND {granted(r)})"


def decidable(x: str) -> str:
    """Cypher that is true when node expression `x` may be read by the viewer, or waits itself for a person's decision and may be
    read by them after it. Only for people who decide; the lint keeps it out of everything an answer can come from.
    """
    waiting = f"({x}.waits IN $viewer_access OR any(g IN {x}.waits_for WHERE g IN $viewer_groups))"
    return f"(({granted(x)} OR {waiting}) AND coalesce({x}.at, 0) <= $as_of AND coalesce({x}.gone, {FOREVER}) > $as_of)"


def readable(x: str) -> str:
    """Cypher that is true when node expression `x` may be read by the viewer, also when what it tells of begins only after
    $as_of: for histories, whose queries say themselves what had been announced by then.
    """
    return f"({granted(x)} AND coalesce({x}.gone, {FOREVER}) > $as_of)"


def stated(r: str) -> str:
    """Cypher that is true when relationship `r` is an approved assertion, open to the viewer and known at $known_at, whether or
    not it holds at $as_of: for histories, whose queries say themselves whether it had ended or begun.
    """
    return (
        f"({r}.aid IS NOT NULL AND {r}.state = 'approved' AND {r}.recorded_at <= $known_at"
        f" AND {granted(r)})"
    )


_EXPANSIONS: dict[str, Callable[[str], str]] = {
    "visible": visible,
    "current": current,
    "counted": counted,
    "claimed": claimed,
    "decidable": decidable,
    "readable": readable,
    "stated": stated,
}


def macro_calls(text: str) -> list[tuple[str, str, int, int]]:
    """Every macro call in a query as (macro, argument, start, end); brackets in arguments may nest."""
    calls = []
    for match in _MACRO.finditer(text):
        depth, i = 1, match.end()
        while i < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[i], 0)
            i += 1
        calls.append((match[1], text[match.end() : i - 1].strip(), match.start(), i))
    return calls


def expand(text: str) -> str:
    """The query with its macros replaced by the rules they stand for."""
    for macro, argument, start, end in reversed(macro_calls(text)):
        text = text[:start] + _EXPANSIONS[macro](argument) + text[end:]
    return text


def parameters(viewer: Viewer, as_of: int, known_at: int | None = None) -> dict[str, object]:
    """The parameters that the expanded macros read: what was true at `as_of`, as far as it was known at `known_at`
    (None: as far as it is known today).
    """
    return {
        "viewer_access": sorted(viewer.clearance),
        "viewer_groups": sorted(viewer.groups),
        "viewer_basis": basis(viewer),
        "as_of": int(as_of),
        "known_at": FOREVER if known_at is None else int(known_at),
    }


def basis(viewer: Viewer) -> list[str]:
    """What derived edges may rest on, to be told to this viewer: on all that those may read who read what is internal, on what is
    open, or on nothing.
    """
    widest = next((label for label in ("internal", "open") if label in viewer.clearance), None)
    return ["both", widest] if widest else []


def local_admin() -> Viewer:
    """The person at the command line of their own machine: everything that has a label."""
    return Viewer("local", frozenset({"open", "internal", "restricted"}), admin=True)


def nobody() -> Viewer:
    """A viewer to whom nothing was granted, not even what is open: sees nothing at all."""
    return Viewer("nobody")


def guest() -> Viewer:
    """A viewer who is not known: sees what is open."""
    return Viewer("guest", frozenset({"open"}))


def member(name: str, groups: frozenset[str] = frozenset()) -> Viewer:
    """A known member of the organisation: open and internal sources, and what the groups may read."""
    return Viewer(name, frozenset({"open", "internal"}), groups)
