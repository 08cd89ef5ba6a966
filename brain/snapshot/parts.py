"""What a snapshot carries when it is asked to, beside what was loaded: which nodes and relationships of the graphs that keep it.

Memory is carried only where it is named: people told it for themselves alone, whoever holds the file reads it, and where it is loaded
it belongs to whoever is called so there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from brain.errors import BadInput


@dataclass(frozen=True)
class Part:
    """The labels and relationships of one part, and the name of its entries in the file."""

    labels: frozenset[str]
    rels: frozenset[str]
    holds: str


PARTS = {
    "runs": Part(
        frozenset({"Run", "Claim", "Investigation", "Finding", "Step"}), frozenset({"CLAIMS", "FOUND", "HAS_STEP"}),
        "answers and investigations, with who asked",
    ),
    "approvals": Part(frozenset({"Approval", "Action"}), frozenset({"DID"}), "proposals, and what was done of them"),
    "playbooks": Part(frozenset({"Playbook", "Standing"}), frozenset({"STANDS"}), "confirmed causes and kept wordings"),
    "memory": Part(
        frozenset({"Memory", "Turn", "Run", "Call", "Fact"}), frozenset({"NEXT", "GAVE", "CALLED", "LEARNED_FROM", "RESTS_ON"}),
        "what each person told it for themselves",
    ),
}  # fmt: skip
KEPT = ("runs", "approvals", "playbooks")


def chosen(text: str) -> tuple[str, ...]:
    """The parts that are named, separated by commas; BadInput for one there is not."""
    names = {name.strip() for name in text.split(",") if name.strip()}
    return ordered(names)


def ordered(names: Iterable[str]) -> tuple[str, ...]:
    """The parts of these names in their order, each once."""
    wanted = set(names)
    if unknown := sorted(wanted - PARTS.keys()):
        raise BadInput(f"a snapshot carries no {unknown[0]!r}; legal: {', '.join(PARTS)}")
    return tuple(name for name in PARTS if name in wanted)
