"""How much of what is loaded somebody may read, counted by type and access label, and what each of their groups opens to them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from brain import schema
from brain.errors import BadInput
from brain.tools.asking import Asking
from brain.types import Viewer

NO_LABEL = "no label"
ORDER = {"open": 0, "internal": 1, "restricted": 2, NO_LABEL: 3}


@dataclass(frozen=True)
class Count:
    """How many things of one type and one access label the person may read, of how many there are. `kind` is source, structure or
    passage; `total` is None for who may not know it.
    """

    label: str
    kind: str
    access: str
    seen: int
    total: int | None = None


@dataclass(frozen=True)
class Given:
    """What a group opens to a person beyond what every member may read: how many things of each type."""

    group: str
    name: str
    n: int
    of: dict[str, int]


@dataclass(frozen=True)
class Meter:
    """The counts of one person; the sums are over sources without their passages, and None for who may not know them."""

    viewer: str
    seen: int
    total: int | None
    hidden: int | None
    counts: tuple[Count, ...]
    given: tuple[Given, ...]

    def by_access(self) -> dict[str, tuple[int, int | None]]:
        """Sources by access label: seen, and how many there are (None for who may not know it)."""
        seen, total = Counter[str](), Counter[str]()
        for c in self.counts:
            if c.kind == "source":
                seen[c.access] += c.seen
                total[c.access] += c.total or 0
        known = self.total is not None
        return {a: (seen[a], total[a] if known else None) for a in sorted({*seen, *total}, key=ORDER.__getitem__)}


def sees(everything: Asking, who: Viewer) -> Meter:
    """What `who` may read of all there is; for administrators. BadInput when `everything` does not ask as one."""
    if not everything.viewer.admin:
        raise BadInput("only an administrator may ask what others may read")
    mine = own(replace(everything, viewer=who))
    seen = {(c.label, c.access): c.seen for c in mine.counts}
    rows = everything.run("labels").rows
    counts = tuple(
        Count(label, _kind(label), access, seen.get((label, access), 0), int(row["n"]))
        for row in rows
        for label, access in [(str(row["label"]), str(row["access"] or NO_LABEL))]
    )
    total = sum(c.total or 0 for c in counts if c.kind == "source")
    return Meter(who.id, mine.seen, total, total - mine.seen, _ordered(counts), mine.given)


def own(ctx: Asking) -> Meter:
    """What the asker may read, counted by their own rights; says nothing of what is hidden."""
    counts = tuple(
        Count(str(row["label"]), _kind(str(row["label"])), str(row["access"] or NO_LABEL), int(row["n"])) for row in ctx.run("seen").rows
    )
    return Meter(ctx.viewer.id, sum(c.seen for c in counts if c.kind == "source"), None, None, _ordered(counts), _given(ctx))


def _kind(label: str) -> str:
    return "passage" if label == "Chunk" else schema.NODES[label].kind


def _ordered(counts: tuple[Count, ...]) -> tuple[Count, ...]:
    kinds = {"source": 0, "structure": 1, "passage": 2}
    return tuple(sorted(counts, key=lambda c: (kinds[c.kind], c.label, ORDER[c.access])))


def _given(ctx: Asking) -> tuple[Given, ...]:
    found: dict[str, Given] = {}
    for row in ctx.run("given").rows:
        key, n = str(row["grp"]), int(row["n"])
        so_far = found.get(key) or Given(key, str(row["name"] or key), 0, {})
        found[key] = replace(so_far, n=so_far.n + n, of={**so_far.of, str(row["label"]): n})
    return tuple(sorted(found.values(), key=lambda g: (-g.n, g.group)))
