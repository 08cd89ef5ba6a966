"""`brain approvals`: what waits to be done, proposed, looked at, approved, rejected and undone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any

import orjson
import typer
from rich.markup import escape
from rich.table import Table

from brain.approvals import KINDS, RULES, Approval
from brain.cli.output import As, AsJson, Console, Workspace, asker, emit, opened
from brain.errors import BadInput

Id = Annotated[str, typer.Argument(help="Id of the approval, as `list` shows it.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; kept with the decision.")]
Given = Annotated[list[str] | None, typer.Option("--arg", help="An argument of the tool, name=value; a list may be JSON or repeated.")]

approvals_app = typer.Typer(help="What waits to be done, and what was.", no_args_is_help=True)


@approvals_app.command("list")
def list_(
    state: Annotated[str, typer.Option(help="proposed, approved, rejected, undone or failed; all when not given.")] = "",
    k: Annotated[int, typer.Option("-k", min=1, help="How many to show.")] = 50,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """List approvals, newest first."""
    with opened(workspace) as brain:
        found = brain.approvals(asker(brain, viewer)).list(state, k)
    if json:
        emit([_told(a) for a in found])
        return
    table = Table("id", "state", "what", "proposed", "decided")
    for a in found:
        table.add_row(escape(a.id), a.state, escape(a.proposal.does), escape(f"by {a.viewer}, {_when(a.at)}"), escape(_decided(a)))
    Console().print(table)


@approvals_app.command()
def show(id_: Id, viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Show one approval: what it would change, why, and what it rests on."""
    with opened(workspace) as brain:
        a = brain.approvals(asker(brain, viewer)).get(id_)
    if json:
        emit(_told(a))
        return
    p, console = a.proposal, Console()
    console.print(f"[bold]{escape(p.does)}[/bold]\n{a.id}, {a.state}; proposed by {escape(a.viewer)}, {_when(a.at)}. {escape(_decided(a))}")
    for head, rows in (("now", p.before), ("then", p.after)):
        told = ["; ".join(f"{k}: {v}" for k, v in row.items() if v not in (None, "", [])) for row in rows] or ["nothing"]
        if p.before or p.after:
            console.print(f"{head}: {escape(' | '.join(told))}")
    for line in p.why:
        console.print(f"why: {escape(line)}")
    if p.cites:
        console.print(f"rests on: {escape(', '.join(p.cites[:20]))}")
    if p.draft:
        console.print(f"\n{escape(p.draft)}")
    console.print(f"May decide: {RULES[a.kind]}")


@approvals_app.command()
def propose(
    kind: Annotated[str, typer.Argument(help="What to propose: " + ", ".join(KINDS))],
    given: Given = None,
    why: Annotated[str, typer.Option("--why", help="Why you want it; with words of yours, only who has all your rights sees it.")] = "",
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Propose something; nothing is done before somebody approves it."""
    with opened(workspace) as brain:
        lists = {p.name for p in brain.tools[kind].params if p.type.startswith("list")} if kind in brain.tools else {"cites"}
        a = brain.approvals(asker(brain, viewer)).propose(kind, _arguments(given or (), lists), why)
    _say(a, json, f"{a.id} waits: {a.proposal.does}; brain approvals approve {a.id} does it")


@approvals_app.command()
def approve(id_: Id, reason: Reason = "", viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Approve what waits, and do it."""
    with opened(workspace) as brain:
        a = brain.approvals(asker(brain, viewer)).approve(id_, reason)
    if a.state == "failed":
        raise BadInput(f"{a.id} failed: {a.reason}")
    _say(a, json, f"done: {a.proposal.does}; brain approvals undo {a.id} takes it back")


@approvals_app.command()
def reject(id_: Id, reason: Reason = "", viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Reject what waits, with a reason; who proposed it takes it back so."""
    with opened(workspace) as brain:
        a = brain.approvals(asker(brain, viewer)).reject(id_, reason)
    _say(a, json, f"{a.id} is rejected")


@approvals_app.command()
def undo(id_: Id, viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Take back what was done; all is again as it was before."""
    with opened(workspace) as brain:
        a = brain.approvals(asker(brain, viewer)).undo(id_)
    _say(a, json, f"{a.id} is undone")


def _arguments(given: Iterable[str], lists: set[str]) -> dict[str, Any]:
    """The arguments as a tool takes them; those in `lists` may be given one by one, or as JSON."""
    found: dict[str, Any] = {}
    for one in given:
        name, equals, value = str(one).partition("=")
        if not equals:
            raise BadInput(f"--arg {one!r}: write name=value")
        told: Any = value
        if name in lists and value.startswith("["):
            try:
                told = orjson.loads(value)
            except orjson.JSONDecodeError as error:
                raise BadInput(f"--arg {name}: {value!r} is no list in JSON ({error})") from None
        found[name] = [*found.get(name, []), *(told if isinstance(told, list) else [told])] if name in lists else told
    return found


def _told(a: Approval) -> dict[str, Any]:
    """The approval as JSON: what was proposed beside what became of it."""
    told = asdict(a)
    return {**{k: v for k, v in told.items() if k != "proposal"}, **told["proposal"]}


def _say(a: Approval, json: bool, line: str) -> None:
    if json:
        emit(_told(a))
    else:
        Console(soft_wrap=True).print(escape(line))


def _decided(a: Approval) -> str:
    if a.state == "proposed":
        return ""
    told = f"by {a.decided_by}, {_when(a.decided_at)}" + (f": {a.reason}" if a.reason else "")
    return f"{told}; undone by {a.undone_by}, {_when(a.undone_at)}" if a.undone_by else told


def _when(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(approvals_app, name="approvals")
