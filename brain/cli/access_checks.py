"""`brain access differential` and `brain access mutation`: whether access holds, found out on copies of the graph."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from brain import permissions
from brain.brain import Brain
from brain.cli.access import access_app
from brain.cli.output import AsJson, Console, Workspace, emit, opened, progress
from brain.errors import BadInput
from brain.store import graph_name


def differential(
    viewer: Annotated[list[str] | None, typer.Option("--viewer", help="Only what this one sees; may be given again.")] = None,
    set_: Annotated[str | None, typer.Option("--set", help="Ask the questions of this set too: a file, or a shipped set's name.")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Ask only so many questions, taken evenly from the set.")] = None,
    every: Annotated[int, typer.Option(min=1, help="Of everything that could be asked, ask only each so-manieth thing.")] = 1,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Take away what each viewer may not see and compare everything they are told; exit code 1 when anything differs."""
    from brain.audit import differential as check
    from brain.audit.viewpoints import viewpoints

    asked = _questions(set_, sample)
    with opened(workspace) as brain, progress(json) as show:
        _loaded(brain)
        everything = brain.asking(permissions.local_admin())
        points = viewpoints(everything, viewer or ())
        found = check.differential(everything, points, asked, tools=brain.tools, now=int(time.time()), every=every, progress=show)
        if not viewer and every == 1:
            _keep(brain, "differential", found)
    if json:
        emit(found)
    else:
        _show(found)
    if found["n_differences"]:
        raise typer.Exit(1)


def mutation(
    every: Annotated[int, typer.Option(min=1, help="Take away only each so-manieth check.")] = 1,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Take away each check of each query in turn and see whether it is noticed; exit code 1 when one is not and nobody says why."""
    from brain.audit import mutation as check
    from brain.audit import samples

    with opened(workspace) as brain, progress(json) as show:
        _loaded(brain)
        show("giving everything a hidden twin", 0, 0)
        with check.canaries(brain.looking(permissions.local_admin()), int(time.time())) as (ctx, values):
            calls = samples.calls(brain.catalogue, brain.tools, values)
            found = check.mutation(ctx, brain.tools, calls, every=every, progress=show)
        if every == 1:
            _keep(brain, "mutation", found)
    unexplained = [m for m in found["missed"] if not m["why"]]
    if json:
        emit(found)
    else:
        for m in unexplained:
            Console().print(escape(f"not noticed: {m['query']}: {m['macro']}"))
        explained = len(found["missed"]) - len(unexplained)
        says = f"{found['caught']} of {found['total']} are noticed, {explained} change nothing, with a reason, {len(unexplained)} remain"
        Console().print(f"{says}; {found['refused']} are refused when they are deleted; {found['seconds']:.0f} s")
    if unexplained:
        raise typer.Exit(1)


def _questions(set_: str | None, sample: int | None) -> list[str]:
    if not set_:
        return []
    from brain.cli.evaluate import question_set

    asked = list(dict.fromkeys(q.question for q in question_set(set_)))
    return asked if sample is None or sample >= len(asked) else [asked[i * len(asked) // sample] for i in range(sample)]


def _loaded(brain: Brain) -> None:
    if not brain.loaded():
        raise BadInput(f"nothing is loaded in {brain.workspace!r}; load something: brain demo, or brain ingest")


def _keep(brain: Brain, name: str, found: dict[str, Any]) -> None:
    from brain.audit import record

    record.save(brain.files, name, found, at=int(time.time()), graph=brain.store.version(graph_name(brain.workspace)))


def _show(found: dict[str, Any]) -> None:
    console = Console()
    table = Table("viewer", "people who see the same", "things taken away", "relationships taken away", "differences")
    for v in found["viewers"]:
        n = sum(d["viewer"] == v["id"] for d in found["differences"])
        table.add_row(escape(v["id"]), str(v["people"]), str(v["nodes_removed"]), str(v["edges_removed"]), str(n))
    console.print(table)
    for d in found["differences"][:20]:
        console.print(escape(f"{d['viewer']}: {d['name']}: {d['detail']}"))
    asked = f"{found['queries']} queries, {found['calls']} tool calls, {found['questions']} answers"
    console.print(f"{found['n_differences']} of {found['compared']} differ ({asked}) in {found['seconds']:.0f} s")


def register(app: typer.Typer) -> None:
    """Adds the commands to `brain access`."""
    access_app.command()(differential)
    access_app.command()(mutation)
