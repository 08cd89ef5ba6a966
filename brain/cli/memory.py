"""`brain memory`: what is remembered of you, listed, corrected, forgotten."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from brain.cli.output import As, AsJson, Console, Workspace, asker, emit, opened
from brain.errors import BadInput
from brain.memory.items import USES, Forgotten
from brain.memory.memory import Memory

memory_app = typer.Typer(help="What is remembered of you: what you said about yourself, and what you asked.", no_args_is_help=True)


@memory_app.command("list")
def list_(
    k: Annotated[int, typer.Option("-k", min=1, help="How many questions to show.")] = 20,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """List what is known of you, with the words it comes from, and your latest questions."""
    with opened(workspace) as brain:
        memory = brain.memory(asker(brain, viewer))
        off, facts, turns = memory.off, memory.facts(), memory.turns(k)
    if json:
        emit({"off": off, "facts": [{**asdict(f), "used_for": USES[f.kind]} for f in facts], "turns": [asdict(t) for t in turns]})
        return
    console = Console()
    if off:
        console.print(f"{off[:1].upper()}{off[1:]}.")
        return
    known = Table("id", "known", "from your words", "said", "until", "used for")
    for f in facts:
        known.add_row(f.id, escape(f.sentence), escape(f"“{f.words}”"), _moment(f.at), _moment(f.until), escape(USES[f.kind]))
    asked = Table("id", "asked", "understood as", "when", "runs")
    for t in turns:
        runs = "\n".join(f"{r.arm} {r.state} {r.run}, {len(r.calls)} calls" for r in t.runs)
        asked.add_row(t.id, escape(t.question), escape(t.completed), _moment(t.at), escape(runs))
    console.print(known if facts else "Nothing is known of you; say, for instance: brain ask 'I work on …'")
    console.print(asked if turns else "No question is remembered.")


@memory_app.command()
def forget(
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of facts and questions, as `list` shows them.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Forget everything, and every kept run of yours.")] = False,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Forget facts or questions, with the runs they gave and what was completed from them; or everything."""
    if bool(ids) == everything:
        raise BadInput("name what to forget by its id, or give --all")
    with opened(workspace) as brain:
        memory = brain.memory(asker(brain, viewer))
        gone = [memory.forget_everything()] if everything else [memory.forget(ident) for ident in ids or ()]
    if json:
        emit([asdict(f) for f in gone])
        return
    for forgotten in gone:
        typer.echo(said(forgotten))


@memory_app.command()
def correct(
    ident: Annotated[str, typer.Argument(metavar="ID", help="The fact that is wrong, by its id.")],
    words: Annotated[str, typer.Argument(help="What is right, in your words: I work on …")],
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Put what you say in a fact's place."""
    with opened(workspace) as brain:
        memory: Memory = brain.memory(asker(brain, viewer))
        facts = memory.tell(words, ident)
    if json:
        emit([asdict(f) for f in facts])
        return
    for fact in facts:
        typer.echo(f"noted: {fact.sentence} ({fact.id})")


def said(gone: Forgotten) -> str:
    """What was forgotten, in one line, and what that does not reach."""
    parts = [f"{gone.facts} facts", f"{gone.turns} questions", f"{gone.runs} runs"]
    later = f"; {gone.wiped} later questions keep only the words you typed" if gone.wiped else ""
    files = "has rewritten its files" if gone.rewritten else "has not rewritten its files, which may still hold them"
    return f"forgotten: {', '.join(parts)}{later}; the database {files}. Copies made before, such as backups, are not reached."


def _moment(at: int | None) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M") if at else ""


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(memory_app, name="memory")
