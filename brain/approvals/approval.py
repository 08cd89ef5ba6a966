"""What waits for a person, and what it would write. Nothing here acts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import orjson

STATES = ("proposed", "approved", "rejected", "undone", "failed")


@dataclass(frozen=True)
class Proposal:
    """What somebody would like done: in one sentence, with what stands now (`before`) and what would stand (`after`), both as
    rows of the same columns, why, and the keys it rests on. `draft` is the text of what is only a draft.
    """

    kind: str
    args: Mapping[str, Any]
    does: str
    before: tuple[Mapping[str, Any], ...] = ()
    after: tuple[Mapping[str, Any], ...] = ()
    why: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    draft: str = ""


@dataclass(frozen=True)
class Approval:
    """A proposal with what became of it. Times are epoch seconds, 0 where nothing happened yet; `reason` is that of whoever
    decided, or of what failed.
    """

    id: str
    proposal: Proposal
    viewer: str
    owner: str
    at: int
    state: str = "proposed"
    decided_by: str = ""
    decided_at: int = 0
    reason: str = ""
    undone_by: str = ""
    undone_at: int = 0

    @property
    def kind(self) -> str:
        """Of which kind it is, such as assign_ticket."""
        return self.proposal.kind


@dataclass(frozen=True)
class Change:
    """What an approved action writes into the company's graph, as plain rows, so that it can be written again, and taken back.

    `needs` are the keys without which nothing is written. `nodes` are (key, properties), `edges` (src, rel, dst, id, properties),
    `proofs` the properties of Evidence, `ends` claims that end: (src, rel, dst, id, when it would have ended, when it ends).
    `beside` are the ids of claims of the same kind that stay; `aids` are claims that become `state`.
    """

    needs: tuple[str, ...] = ()
    nodes: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    edges: tuple[tuple[str, str, str, str, Mapping[str, Any]], ...] = ()
    proofs: tuple[Mapping[str, Any], ...] = ()
    ends: tuple[tuple[str, str, str, str, int | None, int], ...] = ()
    beside: tuple[str, ...] = ()
    aids: tuple[str, ...] = ()
    state: str = ""


def dumps(value: Proposal | Change) -> str:
    """A proposal or a change as text."""
    return orjson.dumps(asdict(value)).decode()


def proposal(text: str) -> Proposal:
    """The proposal that `dumps` wrote."""
    told: dict[str, Any] = orjson.loads(text)
    for name in ("before", "after", "why", "cites"):
        told[name] = tuple(told[name])
    return Proposal(**told)


def change(text: str) -> Change:
    """The change that `dumps` wrote."""
    told: dict[str, Any] = orjson.loads(text)
    for name in told.keys() - {"state"}:
        told[name] = tuple(tuple(row) if isinstance(row, list) else row for row in told[name])
    return Change(**told)
