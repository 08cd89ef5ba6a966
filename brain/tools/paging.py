"""Whom to turn to about a thing, best first: on call, technical lead, owner, and who lately had it in hand; never who left."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from brain.tools.asking import Asking, tool
from brain.tools.responsible import HANDS, YEAR, Row, Said, above, gather, rank, resting
from brain.tools.things import thing
from brain.types import Result

_MEMBERS = 3


@tool("target: str")
def whom_to_page(ctx: Asking, target: str) -> Result:
    """Whom to page for a service or another thing now: who is on call for it, its system or its team, then its technical lead, then
    who owns it or leads the owning team, then who lately handled its tickets and changed its code; never somebody who left. Rows in
    order: place, key, name, label, why (on_call, technical_lead, owner, handled, changed), via (the team), contact, from_key, line,
    quote, valid_to; with place 0 whoever is named somewhere but was passed over, and `skipped` says why.
    """
    key = thing(ctx, target)
    own = said = gather(ctx, key)
    named = ctx.run("named_in_runbooks", key=key)
    passed = [*_passed(said), *_outdated(said, named.rows)]
    rows = _placed(said)
    gone = not rows and bool(said.owners()) and key.startswith(("file:", "dir:"))
    for place in above(key)[1:] if gone else ():  # its owners have left: who answers for what it lies in
        said = gather(ctx, place)
        rows = _placed(said)
        if rows:
            break
    placed = {r["key"] for r in rows}
    rows += list({r["key"]: r for r in reversed(passed) if r["key"] not in placed}.values())[::-1]
    return resting(said, rows, named, *([own.result] if own is not said else []))


def _placed(said: Said) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for why, row in ranked(said):
        if row["key"] not in {r["key"] for r in rows} and (why != "member" or len(rows) < _MEMBERS):
            rows.append(_paged(said, row, "owner" if why in ("lead", "member") else why, len(rows) + 1))
    return rows


def ranked(said: Said) -> Iterable[tuple[str, Row]]:
    """Whom to turn to, best first, with the reason: somebody may come twice."""
    for why, rows in (
        ("on_call", [r for r in said.of("ON_CALL_FOR") if said.living(r)]),
        ("technical_lead", [r for r in said.of("TECH_LEAD_OF") if r["on_key"] == said.key and said.living(r)]),
        ("owner", [r for r in said.owners() if r["label"] == "Person" and said.living(r)]),
        ("lead", [r for r in said.of("TECH_LEAD_OF") if r["on_key"] in said.teams and said.living(r)]),
        ("owner", [r for r in said.owners() if r["label"] == "Team" and said.living(r)]),
        ("member", [r for r in said.of("MEMBER_OF") if said.living(r)]),
    ):
        if why == "on_call":
            rows.sort(key=lambda r: (_nearness(said, r), rank(r), r["name"]))
        elif why == "member":
            rows.sort(key=lambda r: (-sum(h["score"] for h in said.of(*HANDS) if h["key"] == r["key"]), r["name"]))
        for row in rows:
            yield why, row
    lately = [r for r in said.of("changed", "handled") if said.reachable(r) and r["last_at"] > said.as_of - YEAR]
    for row in sorted(lately, key=lambda r: (-r["score"], r["key"])):
        yield str(row["rel"]), row


def _nearness(said: Said, row: Row) -> int:
    return 0 if row["on_key"] == said.key else 1 if row["on_key"] in said.systems else 2


def _paged(said: Said, row: Row, why: str, place: int, skipped: str = "") -> dict[str, Any]:
    team = next((k for k in (row["on_key"], row["key"], *row["teams"]) if str(k or "").startswith("team:")), None)
    return {
        "place": place, "key": row["key"], "name": row["name"], "label": row["label"], "why": why, "via": team, "contact": row["contact"],
        "from_key": row["from_key"], "line": row["line"], "quote": row["quote"], "valid_to": row["valid_to"], "skipped": skipped,
    }  # fmt: skip


def _passed(said: Said) -> Iterable[dict[str, Any]]:
    """Who is named as owner, lead or on call and cannot be paged."""
    whys = {"OWNS": "owner", "TECH_LEAD_OF": "technical_lead", "ON_CALL_FOR": "on_call"}
    for row in said.of(*whys):
        reason = ""
        if said.departed(row):
            reason = f"left on {_day(row['departed_at'])}"
        elif not said.current(row):
            reason = f"until {_day(row['valid_to'])} only"
        elif said.unknown(row):
            reason = "nobody is known under that name"
        if reason:
            yield _paged(said, row, whys[row["rel"]], 0, reason)


def _outdated(said: Said, named: Iterable[Row]) -> Iterable[dict[str, Any]]:
    """Who is named in a runbook, but has left, or left the team."""
    for row in named:
        if row["departed_at"] is not None and row["departed_at"] <= said.as_of:
            reason = f"named in {row['doc']}, left on {_day(row['departed_at'])}"
        else:
            to = f" to {' and '.join(row['now'])}" if row["now"] else ""
            reason = f"named in {row['doc']}, moved from {' and '.join(row['was'])}{to} on {_day(row['moved_at'])}"
        yield {
            "place": 0, "key": row["key"], "name": row["name"], "label": "Person", "why": "named", "via": None, "contact": None,
            "from_key": row["doc"], "line": row["line"], "quote": None, "valid_to": None, "skipped": reason,
        }  # fmt: skip


def _day(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")


TOOLS = (whom_to_page,)
