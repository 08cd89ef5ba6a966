"""Claims that a model read come long after the texts they rest on. Here each gets what only the text knows: the line its words stand on
now, whom it is open to, and when it went. A decision is as narrow as the narrowest text it rests on, and has no label, so that nobody
meets it, until a person approves one of its claims.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from brain.assertions import Texts, aid
from brain.labels import LABELS, label_of
from brain.spool import Spool, Text, unpack
from brain.types import ClaimRow, NodeRow, Row, Skip, TextRow

MOVED = "what a model read is not in the text any more"


def settled(rows: Iterable[Row], spool: Spool, decided: Mapping[str, str], texts: Texts) -> Iterator[tuple[Row, int]]:
    """The rows with what the texts on the spool tell of them, and when each went, or 0. Decisions come before the claims about
    them; one of which nothing is left is left out. The texts that are quoted are added to `texts`.
    """
    every = list(rows)
    stored = _stored(spool, {r.source for r in every if isinstance(r, ClaimRow)})
    claims = [(r, _resting(r, stored.get(r.source, ()))) for r in every if isinstance(r, ClaimRow)]
    for known in stored.values():
        for text in known:
            texts.add(text.row)
    about: dict[str, list[ClaimRow]] = defaultdict(list)
    for _, found in claims:
        if found is not None:
            about[found[0].src].append(found[0])
            about[found[0].dst].append(found[0])
    nodes = {r.key: _labelled(r, about[r.key], decided) for r in every if isinstance(r, NodeRow) and about[r.key]}
    yield from ((node, 0) for node in nodes.values())
    for row, found in claims:
        yield found if found is not None else (Skip(MOVED, row.origin), 0)
    yield from ((r, 0) for r in every if not isinstance(r, (ClaimRow, NodeRow)) and getattr(r, "src", "") in nodes)


def _stored(spool: Spool, keys: set[str]) -> dict[str, list[Text]]:
    """The texts of these sources, of each in order."""
    found: dict[str, list[Text]] = defaultdict(list)
    for packed in spool.take("text") if keys else ():
        if packed[0] in keys:
            found[packed[0]].append(unpack(packed))
    return found


def _resting(claim: ClaimRow, texts: Sequence[Text]) -> tuple[ClaimRow, int] | None:
    """The claim as the text that says it tells it; the nearest line, where several say it."""
    wanted = " ".join(claim.quote.split())
    found = [(abs(n - claim.line), n, text) for text in texts for n in _lines(text.row, wanted)]
    if not found:
        return None
    _, line, text = min(found, key=lambda hit: (hit[0], hit[1], hit[2].row.part))
    row = text.row
    return replace(claim, line=line, access=row.access, aud=row.aud, origin=row.origin), text.gone


def _lines(row: TextRow, wanted: str) -> list[int]:
    return [n for n, line in enumerate(row.body.splitlines(), 1) if wanted and wanted in " ".join(line.split())]


def _labelled(node: NodeRow, claims: Sequence[ClaimRow], decided: Mapping[str, str]) -> NodeRow:
    """The decision with the label it waits for, and with that label itself once one of its claims is approved."""
    narrow = max((label_of({"access": c.access}, "restricted") for c in claims), key=LABELS.index)
    auds = [set(c.aud) for c in claims if c.access == narrow and narrow == "restricted"]
    aud = sorted(set.intersection(*auds)) if auds else []
    props: dict[str, Any] = {**node.props, "waits": narrow, "waits_for": aud or None}
    if any(decided.get(aid(c)) == "approved" for c in claims):
        props |= {"access": narrow, "aud": aud or None}
    return replace(node, props={k: v for k, v in props.items() if v is not None})
