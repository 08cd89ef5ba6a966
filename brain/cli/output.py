"""How commands speak: JSON to standard output, progress and errors to standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import orjson
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from brain import settings
from brain.brain import Brain
from brain.instants import instant

__all__ = ["As", "AsJson", "At", "Known", "Workspace", "emit", "instant", "opened", "progress"]

Workspace = Annotated[str | None, typer.Option("--workspace", "-w", help="Workspace to use; the settings' when not given.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
As = Annotated[str | None, typer.Option("--as", help="Who asks: local, guest, nobody, or a member's name.")]
Known = Annotated[str | None, typer.Option("--known", help="As it was known on this date: nothing that was recorded later.")]
At = Annotated[str | None, typer.Option("--at", help="As of this date (2024-03-01, or with a time 2024-03-01T12:00).")]


def emit(value: Any) -> None:
    """Prints a value as JSON."""
    sys.stdout.write(orjson.dumps(value, option=orjson.OPT_INDENT_2, default=str).decode() + "\n")


@contextmanager
def opened(workspace: str | None) -> Iterator[Brain]:
    """The workspace, its connection given back at the end."""
    brain = Brain.open(settings.load(), workspace)
    try:
        yield brain
    finally:
        brain.close()


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar on standard error; silent for JSON or where nobody watches."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield lambda stage, done, total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("starting", total=None)
        yield lambda stage, done, total: bar.update(task, description=stage, completed=done, total=total or None)
