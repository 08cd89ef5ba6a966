"""The same queries without the access rule, so that what the rule is worth and what it costs can be measured.

What comes out of here is for counting and timing by an administrator alone: no page, command or answer shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from brain import permissions
from brain.catalogue import Query
from brain.permissions import FOREVER
from brain.tools.asking import Asking
from brain.types import Result


def _existing(x: str) -> str:
    return f"(coalesce({x}.at, 0) <= $as_of AND coalesce({x}.gone, {FOREVER}) > $as_of)"


def _happened(r: str) -> str:
    return (
        f"(coalesce({r}.at, 0) <= $as_of AND ({r}.aid IS NULL OR ({r}.state = 'approved' AND {r}.recorded_at <= $known_at"
        f" AND {r}.valid_from <= $as_of AND coalesce({r}.valid_to, {FOREVER}) > $as_of)))"
    )


# What is left of each rule when only time and decisions count.
RULES: Mapping[str, Callable[[str], str]] = {
    "visible": _existing,
    "current": _happened,
    "counted": lambda r: "true",
    "claimed": lambda r: f"({r}.aid IS NOT NULL)",
    "decidable": _existing,
    "readable": lambda x: f"(coalesce({x}.gone, {FOREVER}) > $as_of)",
    "stated": lambda r: f"({r}.aid IS NOT NULL AND {r}.state = 'approved' AND {r}.recorded_at <= $known_at)",
}


@lru_cache(maxsize=4000)
def unfiltered(text: str) -> str:
    """A query's text with each macro replaced by what is left of its rule without access."""
    for macro, argument, start, end in reversed(permissions.macro_calls(text)):
        text = text[:start] + RULES[macro](argument) + text[end:]
    return text


@dataclass(frozen=True)
class Unfiltered(Asking):
    """A question's surroundings in which every query runs without the access rule."""

    def query(self, query: Query, args: Mapping[str, Any]) -> Result:
        """Runs a query at this instant for nobody in particular."""
        return super().query(replace(query, text=unfiltered(query.text)), args)
