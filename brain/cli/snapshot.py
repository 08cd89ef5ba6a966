"""`brain snapshot`: a workspace in one file, to be loaded on another machine or put back on this one."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from brain import settings
from brain.brain import Brain
from brain.cli.output import As, AsJson, Console, Workspace, asker, emit, opened, progress, say
from brain.loads import identity_key
from brain.snapshot import PARTS, Restored, chosen, read
from brain.snapshot import load as load_from
from brain.snapshot import save as save_into
from brain.snapshot.manifest import Manifest
from brain.snapshot.writing import uncarried

_HELD = "; ".join(f"{name}: {part.holds}" for name, part in PARTS.items())
File = Annotated[Path, typer.Argument(help="The snapshot's file.", show_default=False)]
Into = Annotated[
    str | None, typer.Option("--workspace", "-w", help="Workspace to load into; the one it was saved from when not given.")
]
Replace = Annotated[bool, typer.Option("--replace", help="Put it in the place of what is there.")]

snapshot_app = typer.Typer(help="A workspace in one file: saved, looked at, loaded.", no_args_is_help=True)


@snapshot_app.command()
def save(
    file: File,
    with_: Annotated[str, typer.Option("--with", help=f"Carry these too, separated by commas. {_HELD}.")] = "",
    replace: Replace = False,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Save what was loaded and decided, with its access labels, for an administrator.

    Whoever has the file can read all of it. Memory is carried only where it is named: people told it for themselves alone.
    """
    parts = chosen(with_)
    with opened(workspace) as brain, progress(json) as show:
        made = save_into(brain, file, asker(brain, viewer), parts, replace=replace, progress=show)
        left = uncarried(brain, parts)
    if json:
        emit({**_told(made), "file": str(file), "size": file.stat().st_size, "approved_not_carried": left})
        return
    typer.echo(f"{file}: {_sources(made)}, {_size(file.stat().st_size)}; whoever has the file can read all of it")
    if left:
        say(f"brain: {left} things that were approved here are not in it; --with approvals carries them")


@snapshot_app.command()
def load(
    file: File,
    with_: Annotated[str | None, typer.Option("--with", help="Load these of the parts it carries; all but memory when not given.")] = None,
    replace: Replace = False,
    embed: Annotated[bool, typer.Option("--embed/--no-embed", help="Make the missing vectors after the load.")] = True,
    viewer: As = None,
    workspace: Into = None,
    json: AsJson = False,
) -> None:
    """Load a snapshot into a workspace; what is there stays until all of it is loaded, and for good when anything fails."""
    parts = None if with_ is None else chosen(with_)
    with read(file) as snapshot, opened(workspace or snapshot.manifest.workspace) as brain, progress(json) as show:
        done = load_from(brain, snapshot, asker(brain, viewer), parts, replace=replace, progress=show)
        made = brain.embed(show) if embed else 0
        _finish(brain, done, made, json)


def _finish(brain: Brain, done: Restored, embedded: int, json: bool) -> None:
    if json:
        counts = {"rows": dict(done.rebuild.counts), "parts": done.parts, "vectors": done.vectors, "embedded": embedded}
        emit({**_told(done.manifest), "loaded_into": brain.workspace, "own": done.own, **counts})
    else:
        came = "".join(f", {n} of {name}" for name, n in done.parts.items())
        typer.echo(f"{brain.workspace}: {_sources(done.manifest)} loaded, {done.vectors} vectors{came}")
    if not done.own:
        say("brain: another installation wrote it, which hashed addresses with a key of its own: what is loaded here later is not joined")
        say("brain: to it by address, and nobody is known by theirs; queries in runs that it carries were left out")


@snapshot_app.command()
def show(file: File, json: AsJson = False) -> None:
    """Tell what is in a snapshot, and whether all of it is as it was written."""
    with read(file) as snapshot, progress(json):
        snapshot.check()
        told = snapshot.manifest
    own = told.own(identity_key(settings.load()))
    if json:
        emit({**_told(told), "own": own, "bytes": told.size})
        return
    table = Table("source", "loaded as", "records")
    for s in told.sources:
        table.add_row(escape(str(s["source"])), escape(str(s["access"] or "unlabelled")), str(s["records"]))
    Console().print(table)
    when = datetime.fromtimestamp(told.made_at, UTC).strftime("%Y-%m-%d %H:%M UTC")
    by = "this installation" if own else "another installation"
    Console().print(escape(f"workspace {told.workspace}, saved {when} by hopcheck {told.made_by} of {by}"))
    Console().print(escape(f"whole; {_size(told.size)} unpacked"))
    Console().print(escape(f"carries beside it: {', '.join(told.parts) or 'nothing'}"))


def _told(m: Manifest) -> dict[str, Any]:
    return {name: value for name, value in asdict(m).items() if name not in ("files", "seal")}


def _sources(m: Manifest) -> str:
    return f"{len(m.sources)} source{'s' if len(m.sources) != 1 else ''}"


def _size(n: int) -> str:
    return f"{n / 2**20:.1f} MB"


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(snapshot_app, name="snapshot")
