"""Who should take a ticket: by how near they are to what it is about, what they handled before, and what waits for them already.

The tool proposes and changes nothing, not even in the record of proposals: its rows are what `brain.approvals` keeps when somebody
proposes it, and a person approves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from brain import schema
from brain.errors import ToolError
from brain.text.analysis import query_terms
from brain.tools import naming
from brain.tools.asking import Asking, tool
from brain.tools.paging import ranked
from brain.tools.responsible import gather
from brain.tools.search import passages
from brain.tools.things import thing
from brain.types import Result

KINDS = ("Ticket", "Issue", "Incident")
# How near somebody is to what a ticket is about, by what makes them so.
NEAR = {"technical_lead": 1.0, "owner": 1.0, "on_call": 0.9, "lead": 0.8, "member": 0.6, "changed": 0.5}
PARTS = {"proximity": 0.5, "handling": 0.35, "free": 0.15}
_SAID = {
    "technical_lead": "technical lead of {of}", "owner": "owns {of}", "on_call": "on call for {of}",
    "lead": "leads the team that owns {of}", "member": "in the team that owns {of}", "changed": "lately changed the code of {of}",
}  # fmt: skip
_SUBJECTS, _ALIKE, _MOST = 5, 8, 60


@dataclass
class Taker:
    """Somebody who could take it, with what speaks for them; `near` says how near they are and to what."""

    key: str
    near: list[tuple[float, str, str, str]] = field(default_factory=list)
    score: float = 0.0
    tickets: int = 0
    last_at: int = 0
    alike: tuple[str, ...] = ()
    because: list[str] = field(default_factory=list)

    @property
    def proximity(self) -> float:
        """0 to 1."""
        return max((n[0] for n in self.near), default=0.0)

    @property
    def handling(self) -> float:
        """0 to 1: tickets about the same, newer ones counting more, and tickets alike by their words."""
        weight = self.score + 0.5 * len(self.alike)
        return weight / (weight + 1.0)


@tool("ticket: str, assignee: str?, k: int = 5")
def assign_ticket(ctx: Asking, ticket: str, assignee: str | None, k: int) -> Result:
    """Proposes who takes a ticket, an issue or an incident, and changes nothing: the people best suited, or the one named, by how
    near they are to what it is about (lead, owner, on call, team, who changed the code), the tickets they handled about it or alike,
    and the open tickets they have. Never who left or a bot, and nobody of whom only a made-up name is known before somebody real.
    Rows, best first: place, key, name, score, proximity, handling, free (each 0 to 1), open (tickets assigned to them now), tickets
    (handled about the same), why, because (keys), real, assigned (whether it is theirs already).
    """
    key = thing(ctx, ticket, KINDS)
    if schema.label_of(key) not in KINDS:
        raise ToolError(f"assign_ticket takes a {', '.join(KINDS)}, not {key!r}")
    now = ctx.run("assigned", key=key)
    subjects = ctx.run("subjects", key=key)
    found = _takers(ctx, key, [str(r["key"]) for r in subjects.rows if r["rel"] != "IN_REPO" or len(subjects.rows) == 1])
    named = next(iter(naming.persons(ctx, [assignee])), None) if assignee else None
    if named:
        found = {named: found.get(named, Taker(named))}
    elif assignee:
        raise ToolError(f"'assignee' names nobody: {assignee!r}")
    have = {str(r["key"]) for r in now.rows}
    people = ctx.run("workload", keys=sorted(found, key=lambda p: (-_worth(found[p], 0), p))[:_MOST], besides=key)
    facts = {str(r["key"]): r for r in people.rows}
    rows = sorted((_row(found[p], facts[p], p in have) for p in facts if _can(ctx, facts[p])), key=_place)
    if named and not rows:
        raise ToolError(f"{named!r} cannot take it: {_cannot(ctx, facts.get(named))}")
    shown = [{"place": n, **row} for n, row in enumerate(rows[:k], 1)]
    keep = {str(r["key"]) for r in shown}
    nodes = {n.key: n for n in (*now.nodes, *subjects.nodes, *(p for p in people.nodes if p.key in keep))}
    return replace(people, rows=tuple(shown), nodes=tuple(nodes.values()), edges=(*now.edges, *subjects.edges))


def _takers(ctx: Asking, key: str, subjects: Iterable[str]) -> dict[str, Taker]:
    found: dict[str, Taker] = {}
    for subject in [s for s in subjects if schema.label_of(s) not in ("Concept", "File", "Role")][:_SUBJECTS]:
        said = gather(ctx, subject)
        for why, row in ranked(said):
            if why in NEAR and row["label"] == "Person":
                name = str(subject.partition(":")[2])
                found.setdefault(str(row["key"]), Taker(str(row["key"]))).near.append((NEAR[why], why, name, subject))
        for row in ctx.run("tickets_handled", key=subject, k=30).rows if subject.partition(":")[0] in _HANDLED else ():
            taker = found.setdefault(str(row["key"]), Taker(str(row["key"])))
            taker.score, taker.tickets = taker.score + float(row["score"]), taker.tickets + int(row["tickets"])
            taker.last_at = max(taker.last_at, int(row["last_at"]))
            taker.because += [str(t) for t in row["examples"] if t != key]
    for row in _of_alike(ctx, key):
        found.setdefault(str(row["key"]), Taker(str(row["key"]))).alike = tuple(map(str, row["tickets"]))
    return found


_HANDLED = ("service", "module", "system", "api", "resource", "team", "repo", "project")


def _of_alike(ctx: Asking, key: str) -> Iterable[Mapping[str, Any]]:
    """Who handled the tickets that are most like it by their words."""
    own = ctx.run("chunks_of", key=key, k=1).rows
    terms = query_terms(f"{own[0]['title'] or ''} {own[0]['text']}")[:20] if own else []
    if not terms:
        return ()
    hits = ctx.run("search_text", terms=terms, passages=passages(ctx), k=3 * _ALIKE, labels=["Ticket"]).rows
    alike = [k for k in dict.fromkeys(str(r["src"]) for r in hits) if k != key][:_ALIKE]
    return ctx.run("handlers_of", keys=alike).rows if alike else ()


def _can(ctx: Asking, person: Mapping[str, Any]) -> bool:
    return not person["bot"] and (person["departed_at"] is None or int(person["departed_at"]) > ctx.as_of)


def _cannot(ctx: Asking, person: Mapping[str, Any] | None) -> str:
    if person is None:
        return "nobody of that name is known"
    return "it is a bot" if person["bot"] else f"they left on {_day(int(person['departed_at']))}"


def _worth(taker: Taker, waiting: int) -> float:
    parts = {"proximity": taker.proximity, "handling": taker.handling, "free": 1.0 / (1 + waiting)}
    return sum(PARTS[name] * value for name, value in parts.items())


def _place(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return (not row["real"], -row["score"], row["name"], row["key"])


def _row(taker: Taker, person: Mapping[str, Any], assigned: bool) -> dict[str, Any]:
    waiting = int(person["open"])
    near = sorted(set(taker.near), key=lambda n: (-n[0], n[2]))
    because = [n[3] for n in near[:2]] + taker.because[:3] + [t for t in taker.alike if t not in taker.because][:2]
    return {
        "key": taker.key, "name": person["name"], "score": round(_worth(taker, waiting), 4), "proximity": round(taker.proximity, 4),
        "handling": round(taker.handling, 4), "free": round(1.0 / (1 + waiting), 4), "open": waiting, "tickets": taker.tickets,
        "why": _why(taker, near, waiting), "because": list(dict.fromkeys(because)), "real": bool(person["real"]), "assigned": assigned,
    }  # fmt: skip


def _why(taker: Taker, near: list[tuple[float, str, str, str]], waiting: int) -> str:
    """What speaks for somebody, in one line."""
    told = list(dict.fromkeys(_SAID[n[1]].format(of=n[2]) for n in near[:2]))
    if taker.tickets:
        told.append(f"handled {_number(taker.tickets, 'ticket')} about it, the last on {_day(taker.last_at)}")
    if taker.alike:
        told.append(f"handled {_number(len(taker.alike), 'ticket')} like it")
    return "; ".join([*(told or ["nothing is known that joins them to it"]), f"{_number(waiting, 'open ticket')} assigned"])


def _number(n: int, what: str) -> str:
    return f"{n or 'no'} {what}{'' if n == 1 else 's'}"


def _day(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")


TOOLS = (assign_ticket,)
