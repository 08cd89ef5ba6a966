"""`brain playbooks`: what was confirmed and is tried first the next time; kept, looked at, put away, restored, forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from brain.cli.output import As, AsJson, Console, Workspace, asker, emit, opened
from brain.errors import BadInput
from brain.playbooks import Playbook, Playbooks
from brain.playbooks.plays import KINDS, as_json, day, facts

Failed = Annotated[list[str] | None, typer.Option("--instead-of", help="Run of another wording that did not get it; may be repeated.")]
Ident = Annotated[str, typer.Argument(help="Id of a playbook, as `list` shows it.")]

playbooks_app = typer.Typer(help="What was confirmed before and is tried first the next time.", no_args_is_help=True)


@playbooks_app.command("list")
def list_(
    kind: Annotated[str, typer.Option(help="incident or question; both when not given.")] = "",
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """List the playbooks that you may see, with how they did."""
    if kind and kind not in KINDS:
        raise BadInput(f"--kind is {kind!r}; legal: {', '.join(KINDS)}")
    with opened(workspace) as brain:
        books = brain.playbooks(asker(brain, viewer))
        found, judged = books.every(kind), books.compared_by()
    if json:
        emit([as_json(p) for p in found])
        return
    table = Table("id", "for", "stands", "held", "steps saved", "kept by", "on")
    for p in found:
        held = f"{p.held} of {p.uses}" if p.uses else "not used yet"
        table.add_row(p.id, escape(p.title), p.standing, held, _saved(p), escape(p.by), day(p.at))
    Console().print(table)
    Console().print(f"Likeness is judged by {judged}.")


def _saved(p: Playbook) -> str:
    return str(p.saved_steps) if p.steps else "not told to you"


@playbooks_app.command()
def show(ident: Ident, viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Show what a playbook holds."""
    with opened(workspace) as brain:
        found = brain.playbooks(asker(brain, viewer)).playbook(ident)
    if json:
        emit(as_json(found))
        return
    table = Table(show_header=False)
    for name, value in facts(found):
        table.add_row(name, escape(value))
    Console().print(table)


@playbooks_app.command()
def confirm(
    investigation: Annotated[str, typer.Argument(help="Id of a finished investigation, as `brain incident list` shows it.")],
    cause: Annotated[str, typer.Option(help="Key of the suspect that it was; the one that was named when not given.")] = "",
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Confirm the cause of an incident: it is looked for first when the same alert fires again."""
    with opened(workspace) as brain:
        who = asker(brain, viewer)
        made = brain.playbooks(who).confirm(brain.incidents(who).read(investigation), cause)
    _kept([made], json)


@playbooks_app.command()
def keep(
    run: Annotated[str, typer.Argument(help="Id of the run whose answer over the graph is right.")],
    failed: Failed = None,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Keep the wording of a right answer, so that other wordings of the same question are asked in it."""
    with opened(workspace) as brain:
        who = asker(brain, viewer)
        right, others = brain.run(run, who), [brain.run(r, who) for r in failed or ()]
        made = brain.playbooks(who).keep(right, others)
    _kept(made, json)


def _kept(made: list[Playbook], json: bool) -> None:
    if json:
        emit([as_json(p) for p in made])
        return
    for p in made:
        typer.echo(f"{p.id}: {p.title}; brain playbooks forget {p.id} takes it back")


def _changed(ident: str, change: Callable[[Playbooks], Playbook], said: str, **how: Any) -> None:
    with opened(how["workspace"]) as brain:
        found = change(brain.playbooks(asker(brain, how["viewer"])))
    if how["json"]:
        emit(as_json(found))
        return
    typer.echo(f"{ident} {said}")


@playbooks_app.command()
def demote(
    ident: Ident,
    reason: Annotated[str, typer.Option(help="Why; kept with it.")] = "",
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Put a playbook away: it is tried no more."""
    _changed(ident, lambda books: books.demote(ident, reason), "is tried no more", viewer=viewer, workspace=workspace, json=json)


@playbooks_app.command()
def restore(ident: Ident, viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Let a playbook that was put away or failed be tried again."""
    _changed(ident, lambda books: books.restore(ident), "is tried again", viewer=viewer, workspace=workspace, json=json)


@playbooks_app.command()
def forget(ident: Ident, viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Delete a playbook."""
    _changed(ident, lambda books: books.forget(ident), "is forgotten", viewer=viewer, workspace=workspace, json=json)


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(playbooks_app, name="playbooks")
