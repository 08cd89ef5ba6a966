"""Queries made of fragments of the catalogue. The pieces are fixed texts and the choice is made here in
code; what a question says travels as a parameter. What comes out passes the same lint as a file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from brain import lint
from brain.catalogue import Catalogue, Param, Query
from brain.errors import DefinitionError

_PATH = re.compile(r"\*1\.\.(\d+)")


@lru_cache(maxsize=2000)
def _checked(name: str, text: str) -> Query:
    query = Query(name, "composed", "internal", text, name)
    lint.check(query, name)
    return query


def compose(catalogue: Catalogue, name: str, parts: tuple[str, ...], hops: int | None = None) -> Query:
    """The query of the fragments in that order; `hops` shortens every path of variable length in it, whose bound the
    server takes from the text alone. DefinitionError when one is no fragment, two disagree on a parameter, or the whole
    breaks a rule.
    """
    pieces = [catalogue[part] for part in parts]
    params: dict[str, Param] = {}
    for piece in pieces:
        if piece.kind != "fragment":
            raise DefinitionError(f"{piece.topic}/{piece.name} is of kind {piece.kind}, not a fragment")
        for param in piece.params:
            if params.setdefault(param.name, param) != param:
                raise DefinitionError(f"{piece.topic}/{piece.name}: {param.name!r} differs from another fragment's")
    checked = _checked(name, joined([piece.text for piece in pieces], hops))
    return Query(name, "composed", "internal", checked.text, checked.description, tuple(params.values()))


def joined(texts: Sequence[str], hops: int | None = None) -> str:
    """The texts as one, with every path of variable length shortened to `hops`."""
    text = "\n".join(texts)
    return text if hops is None else _PATH.sub(lambda found: f"*1..{min(hops, int(found[1]))}", text)
