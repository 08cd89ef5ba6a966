"""How commands speak: JSON to standard output, progress and errors to standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import orjson
import typer
from rich import console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from brain import identity, settings
from brain.brain import Brain
from brain.instants import instant
from brain.text.inert import inert, written_out
from brain.types import Viewer

__all__ = ["As", "AsJson", "At", "Console", "Known", "Workspace", "asker", "emit", "instant", "opened", "progress"]

Workspace = Annotated[str | None, typer.Option("--workspace", "-w", help="Workspace to use; the settings' when not given.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
As = Annotated[str | None, typer.Option("--as", help="Who asks: local (the administrator), guest, nobody, or a login.")]
Known = Annotated[str | None, typer.Option("--known", help="As it was known on this date: nothing that was recorded later.")]
At = Annotated[str | None, typer.Option("--at", help="As of this date (2024-03-01, or with a time 2024-03-01T12:00).")]


class Console(console.Console):
    """The screen. Nothing printed to it commands it: text of others is shown without what moves a cursor, links or hides."""

    def __init__(self, **how: Any) -> None:
        super().__init__(emoji=False, **how)

    def render_str(self, text: str, **how: Any) -> Text:
        """The text as it is drawn; every word that is printed passes here, those in cells too."""
        return super().render_str(inert(text), **how)


def say(line: str) -> None:
    """Prints a line to standard error."""
    sys.stderr.write(f"{inert(line)}\n")


def emit(value: Any) -> None:
    """Prints a value as JSON, what cannot be seen in it written out."""
    sys.stdout.write(written_out(orjson.dumps(value, option=orjson.OPT_INDENT_2, default=str).decode()) + "\n")


@contextmanager
def opened(workspace: str | None) -> Iterator[Brain]:
    """The workspace, its connection given back at the end; a graph of an earlier version is made anew first."""
    brain = Brain.open(settings.load(), workspace)
    try:
        if brain.outdated():
            sys.stderr.write(f"brain: an earlier version made the graph of {brain.workspace!r}; making it anew from its records\n")
            brain.load({})
        yield brain
    finally:
        brain.close()


def asker(brain: Brain, name: str | None) -> Viewer:
    """The viewer of that name, or of the settings'; a name that nobody has is said on standard error, and reads what is open."""
    who = brain.viewer(name)
    said = name or brain.settings.viewer
    if said and identity.unknown(said, brain.company()):
        reads = " and ".join(sorted(who.clearance))
        sys.stderr.write(f"brain: nobody in {brain.workspace!r} has the login {said!r}; read what is {reads}\n")
    return who


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar on standard error; silent for JSON or where nobody watches."""
    screen = Console(stderr=True)
    if quiet or not screen.is_terminal:
        yield lambda stage, done, total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=screen, transient=True) as bar:
        task = bar.add_task("starting", total=None)
        yield lambda stage, done, total: bar.update(task, description=escape(stage), completed=done, total=total or None)
