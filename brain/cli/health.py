"""`brain health`: what is wrong with what is loaded, check by check."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from brain.cli.output import As, AsJson, At, Console, Workspace, asker, emit, instant, opened
from brain.errors import BadInput
from brain.health import CHECKS


def health(
    check: Annotated[list[str] | None, typer.Option(help=f"Only this check: {', '.join(c.name for c in CHECKS)}.")] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many findings of a check to show; JSON has all.")] = 10,
    viewer: As = None,
    at: At = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Show owners who left, services nobody owns, conflicts, stale documents, dead links and the like."""
    names = [c.name for c in CHECKS]
    if unknown := set(check or ()) - set(names):
        raise BadInput(f"--check is {min(unknown)!r}; legal: {', '.join(names)}")
    with opened(workspace) as brain:
        found = brain.health(asker(brain, viewer), instant(at))
    wanted = [c for c in CHECKS if not check or c.name in check]
    if json:
        emit({c.name: [asdict(f) for f in found[c.name]] for c in wanted})
        return
    for c in wanted:
        table = Table("on", "what", "where", title=f"{c.title}: {len(found[c.name])}", title_justify="left")
        for f in found[c.name][:k]:
            table.add_row(escape(f.key), escape(f.says), escape(f"{f.source}, line {f.line}" if f.line else f.source))
        Console().print(table if found[c.name] else f"{c.title}: none")


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(health)
