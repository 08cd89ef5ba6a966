"""Every query with one of its checks taken away: which those are, whether the lint refuses them, and which change nothing and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import yaml

from brain import lint, permissions
from brain.audit.unfiltered import RULES
from brain.catalogue import Query
from brain.errors import DefinitionError

EQUIVALENT = Path(__file__).with_name("equivalent.yaml")
HANDED = "it is handed in by the part of the query before, which has checked it"
_NODE = ("visible", "readable", "decidable")


@dataclass(frozen=True)
class Mutant:
    """A query with one check taken away: the `n`th macro of its text, or for a derived relationship the `n`th list of labels."""

    query: Query
    n: int
    macro: str
    argument: str
    text: str

    def __str__(self) -> str:
        return f"{self.macro}({self.argument})"


def mutants(queries: Iterable[Query]) -> Iterator[Mutant]:
    """Every query with every one of its checks taken away."""
    for query in queries:
        for n, (macro, argument, start, end) in enumerate(permissions.macro_calls(query.text)):
            yield Mutant(query, n, macro, argument, query.text[:start] + RULES[macro](argument) + query.text[end:])
        if query.kind == "derive":
            pieces = query.text.split("IN $labels")
            for n in range(1, len(pieces)):
                text = "IN $labels".join(pieces[:n]) + "IN ['open', 'internal', 'restricted']" + "IN $labels".join(pieces[n:])
                yield Mutant(query, n - 1, "labels", pieces[n - 1].split()[-1], text)


def refused(mutant: Mutant) -> bool:
    """Is the query refused when it is written down without this check?"""
    query = mutant.query
    calls = permissions.macro_calls(query.text)
    if mutant.macro == "labels":
        text = mutant.text
    else:
        _, _, start, end = calls[mutant.n]
        text = query.text[:start] + "true" + query.text[end:]
    try:
        lint.check(replace(query, text=text), query.name)
    except DefinitionError:
        return True
    return False


def together(mutant: Mutant, *, itself: bool = True) -> Mutant | None:
    """The query without any check of the same thing, or of those checks with this one alone; None where there is but one."""
    calls = permissions.macro_calls(mutant.query.text)
    same = [n for n, c in enumerate(calls) if (c[0] in _NODE) == (mutant.macro in _NODE) and c[1] == mutant.argument]
    if mutant.macro == "labels" or len(same) < 2:
        return None
    text = mutant.query.text
    for n in reversed(same):
        macro, argument, start, end = calls[n]
        if itself or n != mutant.n:
            text = text[:start] + RULES[macro](argument) + text[end:]
    return replace(mutant, text=text)


@cache
def _equivalent() -> dict[tuple[str, str], str]:
    """What changes nothing when it is taken away, and why not."""
    said = yaml.safe_load(EQUIVALENT.read_text("utf-8"))
    return {(str(q), str(m)): str(why) for why, some in said.items() for q, macros in some.items() for m in macros}


def why(mutant: Mutant) -> str:
    """Why taking this check away changes nothing; empty when nobody has said so."""
    if mutant.argument in mutant.query.takes:
        return HANDED
    return _equivalent().get((mutant.query.name, str(mutant)), "")
