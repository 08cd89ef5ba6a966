"""`brain bench`: what the program costs on this machine, and whether what is promised holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from brain.cli.output import AsJson, Console, Workspace, emit, opened, progress

if TYPE_CHECKING:
    from brain.bench import Bound


def bench(
    questions: Annotated[
        str | None, typer.Option("--set", help="Ask the questions of this set too: a file, or a shipped set's name.")
    ] = None,
    growth: Annotated[int, typer.Option(min=0, help="Also load a made-up company, and one so many times larger; 0: do not.")] = 0,
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
        bounds = list(found.bounds)
        if growth:
            from brain import bench_growth

            show("loading a made-up company, small and large", 0, 0)
            bounds.append(bench_growth.bound(bench_growth.growth(brain.settings, growth)))
    if json:
        emit({**asdict(found), "bounds": [asdict(b) for b in bounds]})
    else:
        _show(found, bounds, Console())
    if any(b.holds is False for b in bounds):
        raise typer.Exit(1)


def _show(found: object, bounds: Sequence[Bound], console: Console) -> None:
    from brain.bench import Bench

    assert isinstance(found, Bench)
    table = Table("tool", "with", "rows", "queries", "p50 ms", "server", "bound", "p95 ms", "server", title="Tools")
    for t in found.tools:
        mark = "" if t.holds else "[red]"
        cells = (f"{mark}{t.wall_p50:.2f}", f"{t.server_p50:.2f}", f"{t.bound:.2f}", f"{t.wall_p95:.2f}", f"{t.server_p95:.2f}")
        table.add_row(t.tool, escape(", ".join(map(str, t.args.values()))[:40]), str(t.rows), str(t.queries), *cells)
    console.print(table)
    table = Table("what", "bound", "measured", "holds", title=f"{found.workspace}: {found.entities} entities")
    for b in bounds:
        table.add_row(escape(b.what), escape(b.bound), escape(b.measured), {True: "yes", False: "[red]no", None: ""}[b.holds])
    console.print(table)


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(bench)
