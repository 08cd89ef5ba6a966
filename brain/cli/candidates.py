"""`brain candidates`: the claims that wait for a person, listed, approved, rejected, taken back."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from brain.brain import Brain
from brain.candidates import MOST, Candidate
from brain.cli.output import As, AsJson, Console, Workspace, asker, emit, opened, progress
from brain.errors import BadInput
from brain.types import Viewer

Ids = Annotated[list[str] | None, typer.Argument(help="Ids of the claims, as `list` shows them.")]
Rels = Annotated[list[str] | None, typer.Option("--rel", help="Relationship, such as SIMILAR_TO; may be repeated.")]
Words = Annotated[str, typer.Option("--words", help="Only claims whose ends are called so.")]
Everything = Annotated[bool, typer.Option("--all", help="Decide every candidate that --rel and --words leave.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; kept with the decision.")]

candidates_app = typer.Typer(help="Claims that wait for a person to decide.", no_args_is_help=True)


@candidates_app.command("list")
def list_(
    rel: Rels = None,
    words: Words = "",
    state: Annotated[str, typer.Option(help="candidate, approved or rejected.")] = "candidate",
    skip: Annotated[int, typer.Option(min=0, help="Leave out so many at the start.")] = 0,
    k: Annotated[int, typer.Option("-k", min=1, help="How many to show.")] = 50,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """List claims with the words they rest on."""
    with opened(workspace) as brain:
        total, found = brain.candidates(asker(brain, viewer)).page([state], rel or (), words, skip, k)
    if json:
        emit({"total": total, "claims": [asdict(c) for c in found]})
        return
    table = Table("id", "says", "words", "where")
    for c in found:
        against = f"\nagainst {', '.join(c.against)}, approved" if c.against else ""
        where = f"{c.source}, line {c.line} ({c.read_by})"
        table.add_row(escape(c.aid), escape(f"{_says(c)}{against}"), escape(f"“{c.quote}”"), escape(where))
    Console().print(table)
    Console().print(f"{len(found)} of {total}")


def _says(c: Candidate) -> str:
    return f"{c.src} {c.rel} {c.dst}"


def _chosen(brain: Brain, who: Viewer, ids: list[str] | None, rel: list[str] | None, words: str, every: bool) -> list[str]:
    if bool(ids) == every:
        raise BadInput("name claims by their ids, or give --all with --rel or --words")
    if ids:
        return ids
    total, found = brain.candidates(who).page(rels=rel or (), words=words, k=MOST)
    if not found:
        raise BadInput("no candidate is left by --rel and --words")
    if total > MOST:
        raise BadInput(f"{total} candidates are more than the {MOST} that can be decided at once; narrow them with --rel or --words")
    return [c.aid for c in found]


def _decide(state: str, ids: list[str] | None, rel: list[str] | None, words: str, every: bool, reason: str, **how: Any) -> None:
    with opened(how["workspace"]) as brain, progress(how["json"]) as show:
        who = asker(brain, how["viewer"])
        made = brain.decide(_chosen(brain, who, ids, rel, words, every), state, who, reason, show)
    if how["json"]:
        emit(asdict(made))
        return
    typer.echo(f"decision {made.n}: {len(made.aids)} {state}; brain candidates undo {made.n} takes it back")


@candidates_app.command()
def approve(
    ids: Ids = None,
    rel: Rels = None,
    words: Words = "",
    every: Everything = False,
    reason: Reason = "",
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Approve claims: from now on answers may rest on them."""
    _decide("approved", ids, rel, words, every, reason, viewer=viewer, workspace=workspace, json=json)


@candidates_app.command()
def reject(
    ids: Ids = None,
    rel: Rels = None,
    words: Words = "",
    every: Everything = False,
    reason: Reason = "",
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Reject claims: no answer rests on them."""
    _decide("rejected", ids, rel, words, every, reason, viewer=viewer, workspace=workspace, json=json)


@candidates_app.command()
def undo(number: int, viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Take a decision back."""
    with opened(workspace) as brain, progress(json) as show:
        made = brain.undo(number, asker(brain, viewer), show)
    if json:
        emit(asdict(made))
        return
    typer.echo(f"decision {number} is taken back")


@candidates_app.command()
def history(
    k: Annotated[int, typer.Option("-k", min=1, help="How many to show.")] = 20,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Show the latest decisions, newest first."""
    with opened(workspace) as brain:
        found = brain.candidates(asker(brain, viewer)).history(k)
    if json:
        emit([asdict(d) for d in found])
        return
    table = Table("number", "decided", "by", "when", "why", "claims")
    for d in found:
        made = d.decision
        state = f"{made.state}{', taken back' if d.taken_back else ''}"
        more = f"\nand {len(made.aids) - len(d.claims)} more" if len(made.aids) > len(d.claims) else ""
        said = "\n".join(_says(c) for c in d.claims) + more
        when = datetime.fromtimestamp(made.at, UTC).strftime("%Y-%m-%d %H:%M")
        table.add_row(str(made.n or ""), state, escape(made.by), when, escape(made.reason), escape(said))
    Console().print(table)


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(candidates_app, name="candidates")
