"""Investigations to compare and to search: of a few alerts, over the graph and over passages, with everything that is made of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from brain.audit.told import told
from brain.incident import signal as signals
from brain.incident.findings import ARMS, Arm, Investigation, Signal
from brain.incident.message import message
from brain.incident.postmortem import post_mortem
from brain.incident.record import as_json
from brain.incident.run import Surroundings, begun, investigate
from brain.incident.telling import headline
from brain.incident.timeline import marked, said, timeline
from brain.incident.webhook import received
from brain.playbooks import Playbooks
from brain.text.lexicon import Lexicon
from brain.tools import Tool
from brain.tools.asking import Asking
from brain.types import Usage

MOST = 3


def alerts(ctx: Asking, most: int = MOST) -> list[str]:
    """The latest alerts that the viewer may see, of each name and thing the newest alone."""
    once: dict[tuple[str, str], str] = {}
    for row in ctx.run("alerts_of", k=60 * most).rows:
        once.setdefault((str(row["title"] or row["name"]), str(row["on"])), str(row["key"]))
    return list(once.values())[:most]


def investigated(
    ctx: Asking, alert: str | Signal, arm: Arm, *, tools: Mapping[str, Tool], names: Callable[[], Lexicon], books: Playbooks | None = None
) -> dict[str, Any]:
    """What the viewer is shown of a new investigation of that alert. Nothing is written down but how a playbook did."""
    found = alert if isinstance(alert, Signal) else signals.signal(ctx, alert)
    return shown(investigate(begun(found, ctx, arm), Surroundings(ctx, tools, names, playbooks=books)))


def shown(inv: Investigation) -> dict[str, Any]:
    """Everything that is made of it, without what each one has of its own: its name, and what it took."""
    followed = inv.followed and replace(inv.followed, ms=0.0)
    steps = tuple(replace(s, ms=0.0, server_ms=0.0) for s in inv.steps)
    bare = replace(inv, id="", usage=Usage(), followed=followed, steps=steps)
    axis = [(e.at, e.kind, e.key, said(inv, e), standing) for e, standing in marked(inv, timeline(inv))]
    return {
        "record": told(bare), "json": as_json(bare), "headline": headline(inv), "post-mortem": post_mortem(bare), "message": message(bare),
        "axis": told(axis),
    }  # fmt: skip


def told_from_outside(ctx: Asking, data: bytes | str) -> Sequence[Signal]:
    """The signals of a message as the viewer would get them."""
    return received(data, ctx).signals


def each(keys: Sequence[str]) -> Iterator[tuple[str, Arm]]:
    """Every alert in every arm."""
    yield from ((key, arm) for key in keys for arm in ARMS)
