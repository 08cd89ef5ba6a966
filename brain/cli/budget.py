"""`brain budget`: what models may still be asked, and what they cost so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from brain.cli.output import As, AsJson, Console, Workspace, asker, emit, opened
from brain.llm import opening
from brain.llm.ledger import Ledger, Spent
from brain.llm.limits import QUESTION, SAID, Left, amount, day

Days = Annotated[int, typer.Option(min=1, max=3660, help="How many days back to tell what was spent.")]


def budget(days: Days = 7, viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Show what is left of each budget for models, and what was spent by day and model: your own, or as an administrator everybody's.
    The budgets are one for all workspaces.
    """
    with opened(workspace) as brain:
        who, now = asker(brain, viewer), brain.clock()
        book = Ledger(brain.store, who.owner)
        left = opening.left(brain.settings, brain.store, who.owner, brain.clock)
        since = day(now - timedelta(days=days - 1).total_seconds())
        spent, unended = book.spent(since, everybody=who.admin), book.unsettled(since, everybody=who.admin)
        notes = opening.notes(brain.settings)
        ready = opening.available(brain.settings)
    if json:
        open_ = {"exchanges": unended[0], "tokens": unended[1]}
        emit({"left": [asdict(x) for x in left], "spent": [asdict(s) for s in spent], "unended": open_, "notes": notes})
        return
    screen = Console()
    if not ready:
        screen.print(escape(opening.HOW))
    screen.print(_left(left) if left else "no budget is set (BRAIN_LLM_LIMITS)")
    screen.print(_spent(spent) if spent else f"nothing was spent in the last {days} days")
    if unended[0]:
        screen.print(f"exchanges that run or never ended: {unended[0]}; {amount('tokens', unended[1])} are counted for them")
    for note in notes:
        screen.print(escape(note))


def _left(left: Sequence[Left]) -> Table:
    table = Table("budget", "at most", "spent", "left", "begins anew")
    for x in left:
        anew = "with each question" if x.scope == QUESTION else f"{datetime.fromtimestamp(x.anew or 0, UTC):%Y-%m-%d %H:%M} UTC"
        table.add_row(SAID[x.scope], *(amount(x.what, value) for value in (x.limit, x.spent, x.left)), anew)
    return table


def _spent(spent: Sequence[Spent]) -> Table:
    table = Table("day", "model", "questions", "calls", "read", "cached", "written", "cost", caption="read, cached and written: tokens")
    for s in spent:
        counted = [f"{n:,}" for n in (s.runs, s.exchanges, s.prompt, s.cached, s.completion)]
        unpriced = f"price not known for {amount('tokens', s.unpriced)}" if s.unpriced else ""
        cost = ", ".join(filter(None, (amount("usd", s.usd) if s.usd or not unpriced else "", unpriced)))
        table.add_row(s.day, escape(s.model), *counted, cost)
    return table


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(budget)
