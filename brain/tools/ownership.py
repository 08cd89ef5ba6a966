"""Who answers for a thing: every source side by side, what is wrong between them, and whom to ask now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from brain import schema
from brain.tools.asking import Asking, tool
from brain.tools.paging import ranked
from brain.tools.responsible import HANDS, KEEPS, SOURCES, Row, Said, agree, gather, rank, resting, source
from brain.tools.things import thing
from brain.types import Result

_RELS = ("OWNS", "TECH_LEAD_OF", "MAINTAINED_BY", "WROTE", "ON_CALL_FOR", "MEMBER_OF", *HANDS, KEEPS)


@tool("target: str, k: int = 20")
def who_owns(ctx: Asking, target: str, k: int) -> Result:
    """Everything that is said about who answers for a service, repository, directory, file, system, interface, resource, document
    or team, all sources side by side: catalogue, code owners, registries, rosters, chat, and who changed and reviewed the code and
    handled the tickets in the year before. Maintaining a document is told as such and is no ownership of what it describes. Rows:
    source (catalogue, registry, codeowners, document, roster, chat, changed, reviewed, handled), rel, key, name, label, on (what the
    row is about), authority, valid_from, valid_to, recorded_at, from_key, line, quote, departed, departed_at, n (changes, reviews or
    tickets of the last year), last_at, stands (current or ended), finding (disagrees, departed, orphaned, bus_factor_one,
    unknown_owner), ask (the one to ask now).
    """
    key = thing(ctx, target)
    said = gather(ctx, key)
    chosen = next(iter(_asked(said)), None)
    findings = _findings(said)
    shown = [r for r in said.rows if r["rel"] != "MEMBER_OF" or schema.label_of(key) == "Team"]
    shown.sort(key=lambda r: _place(said, r))
    hands = {rel: [r for r in shown if r["rel"] == rel][:5] for rel in HANDS}
    shown = [r for r in shown if r["rel"] not in HANDS or r in hands[r["rel"]] or r is chosen]
    shown = [r for i, r in enumerate(shown) if i < k or r is chosen]
    rows = [_row(said, r, findings.get(id(r), ""), r is chosen) for r in shown]
    if said.orphaned() and not any(r["finding"] == "orphaned" for r in rows):
        rows.insert(0, _nobody(said))
    return resting(said, rows)


def _asked(said: Said) -> Iterable[Row]:
    """Whom to ask, best first. Of what is orphaned, who lately worked on it knows more than who is on call."""
    turn = [(why, row) for why, row in ranked(said) if why != "member"]
    if said.orphaned():
        turn.sort(key=lambda one: {"technical_lead": 0, "changed": 1, "handled": 1}.get(one[0], 2))
    return [row for _, row in turn]


def _findings(said: Said) -> dict[int, str]:
    """What is wrong with which row."""
    found = {id(r): "departed" for r in said.rows if said.departed(r) and said.current(r) and r["rel"] not in HANDS}
    owners = said.owners()
    orphaned = said.orphaned()
    for row in owners:
        if said.departed(row) and orphaned:
            found[id(row)] = "orphaned"
        elif said.unknown(row):
            found[id(row)] = "unknown_owner"
    living = [r for r in owners if said.living(r)]
    if living:
        first = [r for r in living if source(r) == source(living[0]) and r["on_key"] == living[0]["on_key"]]
        for row in living:
            if source(row) != source(living[0]) and not any(agree(row, f) for f in first):
                found[id(row)] = "disagrees"
    found |= _of_hands(said, living)
    return found


def _of_hands(said: Said, owners: list[Row]) -> dict[int, str]:
    """Findings about who did the work: it was all one person's, or mostly somebody's whom no owner means."""
    lately = [r for r in said.of("changed", "reviewed") if r["n"]]
    changed = sorted((r for r in said.of("changed") if r["n"]), key=lambda r: (-r["n"], r["key"]))
    if len({r["key"] for r in lately}) == 1 and not said.departed(lately[0]):
        return {id(r): "bus_factor_one" for r in lately[:1]}
    if owners and changed and changed[0]["n"] > 1 and not said.departed(changed[0]):
        inside = max((r["n"] for r in changed if any(agree(r, o) for o in owners)), default=0)
        if changed[0]["n"] > inside:
            return {id(changed[0]): "disagrees"}
    return {}


def _place(said: Said, row: Row) -> tuple[Any, ...]:
    """Where a row stands: by relation, what holds before what ended, by source, and hands by how much they did lately."""
    return (
        _RELS.index(row["rel"]), not said.current(row), row["on_key"] != said.key, SOURCES.index(source(row)), rank(row),
        -(row["n"] or 0), -(row["last_at"] or 0), -(row["valid_from"] or 0), row["name"], row["key"],
    )  # fmt: skip


def _row(said: Said, row: Row, finding: str, ask: bool) -> dict[str, Any]:
    told = ("valid_from", "valid_to", "recorded_at", "from_key", "line", "quote", "departed_at", "n", "last_at")
    return {
        "source": source(row), "rel": "MAINTAINED_BY" if row["rel"] == KEEPS else row["rel"],
        **{name: row[name] for name in ("key", "name", "label")}, "on": row["on_key"] or said.key,
        "authority": row["authority"] or "observation", **{name: row[name] for name in told}, "departed": said.departed(row),
        "stands": "current" if said.current(row) else "ended", "finding": finding, "ask": ask,
    }  # fmt: skip


def _nobody(said: Said) -> dict[str, Any]:
    """The row that says that nobody owns it."""
    nothing = dict.fromkeys(
        ("authority", "valid_from", "valid_to", "recorded_at", "from_key", "line", "quote", "departed_at", "n", "last_at"), None
    )
    return {
        "source": "", "rel": "", "key": said.key, "name": said.key.partition(":")[2], "label": schema.label_of(said.key), "on": said.key,
        **nothing, "departed": False, "stands": "current", "finding": "orphaned", "ask": False,
    }  # fmt: skip


TOOLS = (who_owns,)
