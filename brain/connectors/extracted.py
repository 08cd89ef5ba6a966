"""What a model read out of texts that are stored: claims that wait for a person, and decisions with the lines that justify them. It is
made by `brain extract`, not from files.

Its rows say whom they are open to only when the texts they quote have gone by (`brain.resting`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from brain.assertions import aid
from brain.connectors.company import Company
from brain.connectors.context import Context
from brain.types import ClaimRow, EdgeRow, NodeRow, Origin, Row

if TYPE_CHECKING:
    from brain.extract.outcome import Claimed, Decided

Record = Mapping[str, Any]
FORMAT = "extracted"
SOURCE = f"{FORMAT}:texts"
RESOLVED = "decision:extracted/"
"""What the key of every decision begins with that was read so."""
READ_BY = "model "
"""What the rule of every such claim begins with; the model's name follows."""


def fetch(claims: Iterable[Claimed], decisions: Iterable[Decided]) -> Iterator[dict[str, Any]]:
    """The records of everything that was read and stands, in place of what was there before."""
    whole = {"complete": True, "as_of": 0, "access": "open", "path": "texts that are loaded"}
    yield {"kind": "source", "format": FORMAT, "source": SOURCE, **whole}
    for claim in claims:
        yield {"kind": "read", **asdict(claim)}
    for decision in decisions:
        told = asdict(decision)
        yield {"kind": "resolved", **{k: v for k, v in told.items() if k != "claims"}}
        yield from ({"kind": "read", **claim} for claim in told["claims"])


def known(record: Record, company: Company) -> None:
    """It tells the company nothing."""


def rows(records: Iterable[Record], context: Context) -> Iterator[Row]:
    """Claims, all of them candidates, and the decisions that some of them are about."""
    for record in records:
        if record["kind"] == "resolved":
            yield from _decision(record)
        elif record["kind"] == "read":
            yield _claim(record)


def _claim(r: Record) -> ClaimRow:
    return ClaimRow(
        r["src"], r["rel"], r["dst"], r["source"], r["line"], r["quote"], r["authority"], at=r["at"], valid_from=r["valid_from"],
        valid_to=r["valid_to"], state="candidate", read_by=f"{READ_BY}{r['model']}", origin=Origin(r["source"], r["line"]),
    )  # fmt: skip


def _decision(r: Record) -> Iterator[Row]:
    origin = Origin(r["home"])
    props = {"title": r["title"], "topic": r["title"], "reason": r["reason"], "stated": "accepted", "at": r["at"] or None}
    yield NodeRow(r["key"], r["title"], SOURCE, {k: v for k, v in props.items() if v is not None}, origin)
    if r["home"].startswith(("thread:", "pr:", "issue:")):
        yield EdgeRow(r["key"], "DISCUSSED_IN", r["home"], {"at": r["at"] or None}, origin)


def claimed(record: Record) -> Claimed:
    """A record of a claim as it was made."""
    from brain.extract.outcome import Claimed

    return Claimed(**{k: v for k, v in record.items() if k != "kind"})


def aid_of(claim: Claimed) -> str:
    """The id that the claim has in the graph."""
    return aid(_claim(asdict(claim)))
