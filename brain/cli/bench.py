"""`brain bench`: what the program costs on this machine, and whether what is promised holds."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from brain.cli.output import AsJson, Workspace, emit, opened, progress


def bench(
    questions: Annotated[
        str | None, typer.Option("--set", help="Ask the questions of this set too: a file, or a shipped set's name.")
    ] = None,
    repeats: Annotated[int, typer.Option(min=3, help="Calls of each tool.")] = 20,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Measure tools, asks and loading on the loaded workspace; exit code 1 when a bound does not hold."""
    from brain import bench as bench_

    asked: list[str] = []
    if questions:
        from brain.cli.evaluate import question_set

        asked = [q.question for q in question_set(questions)]
    with opened(workspace) as brain, progress(json) as show:
        found = bench_.bench(brain, asked, repeats=repeats, progress=show)
    if json:
        emit(asdict(found))
    else:
        _show(found, Console())
    if any(b.holds is False for b in found.bounds):
        raise typer.Exit(1)


def _show(found: object, console: Console) -> None:
    from brain.bench import Bench

    assert isinstance(found, Bench)
    table = Table("tool", "with", "rows", "queries", "p50 ms", "server", "bound", "p95 ms", "server", title="Tools")
    for t in found.tools:
        mark = "" if t.holds else "[red]"
        cells = (f"{mark}{t.wall_p50:.2f}", f"{t.server_p50:.2f}", f"{t.bound:.2f}", f"{t.wall_p95:.2f}", f"{t.server_p95:.2f}")
        table.add_row(t.tool, escape(", ".join(map(str, t.args.values())))[:40], str(t.rows), str(t.queries), *cells)
    console.print(table)
    table = Table("what", "bound", "measured", "holds", title=f"{found.workspace}: {found.entities} entities")
    for b in found.bounds:
        table.add_row(b.what, b.bound, b.measured, {True: "yes", False: "[red]no", None: ""}[b.holds])
    console.print(table)


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(bench)
