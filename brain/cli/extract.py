"""`brain extract`: has a model read what people wrote, lists what was refused and which names wait, and says what a name means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from brain.cli.output import As, AsJson, Console, Workspace, asker, emit, opened, progress, say
from brain.errors import BadInput, StoreDown
from brain.extract import prompt
from brain.extract.extraction import Extraction, Plan, Settled, reasons, told
from brain.extract.reading import Spent
from brain.extract.texts import KINDS
from brain.llm import opening
from brain.llm.budget import Purse
from brain.llm.limits import EXTRACTION, Limit

SHOWN = 60
extract_app = typer.Typer()


@contextmanager
def _extraction(workspace: str | None, viewer: str | None) -> Iterator[Extraction]:
    with opened(workspace) as brain:
        if not brain.loaded():
            raise StoreDown(f"nothing is loaded in {brain.workspace!r}; load something: brain demo, or brain ingest")
        yield Extraction(brain, asker(brain, viewer))


@extract_app.callback(invoke_without_command=True)
def read(ctx: typer.Context) -> None:
    """Have a model read what people wrote; what it proposes waits for a person. Without a command, it is run with its defaults."""
    if ctx.invoked_subcommand is None:
        run()


@extract_app.command()
def run(
    kind: Annotated[list[str] | None, typer.Option(help=f"Only this kind of text: {', '.join(KINDS)}; may be repeated.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="Only the document, talk, request or issue of this key; may be repeated.")] = None,
    limit: Annotated[int, typer.Option(min=0, help="Read at most so many slices that nobody has read yet; 0: all.")] = 0,
    parallel: Annotated[int, typer.Option(min=1, max=32, help="How many slices are read at once.")] = 4,
    max_tokens: Annotated[int, typer.Option(min=0, help="Stop before more tokens than this are spent; 0: no limit of its own.")] = 0,
    max_usd: Annotated[float, typer.Option(min=0, help="Stop before more than this is spent; 0: no limit of its own.")] = 0.0,
    plan: Annotated[bool, typer.Option("--plan", help="Only say what would be read and what it may cost at most.")] = False,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Read documents, chat and the talk at requests, issues and tickets with the model of the settings.

    What it proposes is checked, and what stands up to every check is brought into the graph as claims that wait (brain candidates).
    What was read before and has not changed is not read again; what was stopped goes on where it was.
    """
    with _extraction(workspace, viewer) as extraction, extraction.kept.lock(), progress(json) as show:
        settings = extraction.brain.settings
        if not opening.available(settings):
            raise BadInput(opening.HOW)
        shaped = opening.as_recorded(settings)
        asked = shaped.llm_models
        todo = extraction.plan(asked, kind or (), only or (), limit)
        estimate = _estimate(extraction, todo)
        if plan:
            emit(estimate) if json else _say_plan(todo, estimate)
            return
        if not json and todo.unread:
            say(_estimated(estimate))
        purse = Purse([Limit(EXTRACTION, w, n) for w, n in (("tokens", float(max_tokens)), ("usd", max_usd)) if n])
        brain = extraction.brain
        spent = extraction.read(
            todo, lambda: opening.open_model(settings, brain.store, extraction.viewer.owner, brain.clock, [purse]), asked, parallel, show
        )
        settled = extraction.settle(todo.every, show)
    emit(told(settled, spent)) if json else _show(settled, spent)
    if spent.left and not spent.asked:
        raise typer.Exit(1)


def _estimate(extraction: Extraction, todo: Plan) -> dict[str, Any]:
    """What reading it may come to at most."""
    guesses = [opening.guess(opening.as_recorded(extraction.brain.settings), prompt.request(part)) for part in todo.unread]
    priced = all(g.usd is not None for g in guesses) if guesses else False
    restricted = sum(part.access == "restricted" for part in todo.unread)
    tokens = {what: sum(getattr(g.tokens, what) for g in guesses) for what in ("prompt", "completion")}
    usd = round(sum(g.usd or 0.0 for g in guesses), 4) if priced else None
    return {
        "slices": len(todo.chosen), "unread": len(todo.unread), "restricted": restricted,
        "prompt_tokens": tokens["prompt"], "completion_tokens": tokens["completion"], "usd": usd,
    }  # fmt: skip


def _estimated(e: dict[str, Any]) -> str:
    money = f", at most {e['usd']:.4f} USD" if e["usd"] is not None else ", at no known price"
    hidden = f"; {e['restricted']} of them of restricted sources" if e["restricted"] else ""
    tokens = e["prompt_tokens"] + e["completion_tokens"]
    return f"{e['unread']:,} of {e['slices']:,} slices to read{hidden}: at most {tokens:,} tokens{money}"


def _say_plan(todo: Plan, estimate: dict[str, Any]) -> None:
    typer.echo(_estimated(estimate) if todo.unread else f"all {len(todo.chosen):,} slices are read; nothing would be asked")


def _show(settled: Settled, spent: Spent) -> None:
    counts = settled.counts()
    out = Console()
    tokens = f"{spent.prompt_tokens:,} tokens in, {spent.completion_tokens:,} out"
    out.print(f"read {spent.asked:,} slices: {tokens}, cost {escape(spent.money)}")
    for why in dict.fromkeys(filter(None, (spent.stopped, *spent.failed))):
        if why not in spent.stopped or why == spent.stopped:
            out.print(f"not all was read: {escape(why)}", soft_wrap=True)
    if spent.left:
        out.print(f"{spent.left:,} slices are left for the next time")
    out.print(f"{counts['claims']:,} claims stand, those of {counts['decisions']:,} decisions among them: brain candidates list")
    out.print(f"{counts['unsettled']:,} wait for a name: brain extract unresolved")
    out.print(f"{counts['refused']:,} were refused: brain extract rejected")


@extract_app.command()
def rejected(
    reason: Annotated[str, typer.Option(help="Only those with these words in their reason.")] = "",
    k: Annotated[int, typer.Option("-k", min=1, help="How many to show.")] = SHOWN,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """List what a model proposed and was refused, each with its reason."""
    with _extraction(workspace, viewer) as extraction:
        found = [r for r in extraction.refused() if reason.lower() in str(r["reason"]).lower()]
    if json:
        emit({"total": len(found), "reasons": dict(reasons(found)), "refused": found[:k]})
        return
    if not found:
        typer.echo("nothing was refused")
        return
    table = Table("reason", "proposed", "words", "where")
    for r in found[:k]:
        where = f"{r['source']}{', line ' + str(r['line']) if r['line'] else ''} ({r['model']})"
        table.add_row(escape(str(r["reason"])), escape(str(r["said"])), escape(f"“{r['quote']}”" if r["quote"] else ""), escape(where))
    Console().print(table)
    Console().print(f"{min(k, len(found))} of {len(found)}")
    _counted(reasons(found))


def _counted(counts: Iterable[tuple[str, int]]) -> None:
    for why, n in counts:
        Console().print(f"  {n:>5}  {escape(why)}")


@extract_app.command()
def unresolved(viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """List the names that nobody but a person can settle, those that most waits for first."""
    with _extraction(workspace, viewer) as extraction:
        found = extraction.unsettled()
    if json or not found:
        emit(found) if json else typer.echo("no name waits")
        return
    table = Table("name", "waiting", "may be", "why", "for instance")
    for g in found[:SHOWN]:
        first = g["claims"][0]
        may_be = ", ".join(g["candidates"]) or f"something new, or one of: {', '.join(g['sorts'])}"
        example = f"{first['said']}: “{first['quote']}” ({first['source']}, line {first['line']})"
        table.add_row(escape(g["name"]), str(g["waiting"]), escape(may_be), escape(g["why"]), escape(example))
    Console().print(table)
    Console().print(f"{min(SHOWN, len(found))} of {len(found)}; brain extract align NAME KEY says what one means")


@extract_app.command()
def align(
    name: Annotated[str, typer.Argument(help="The name, as `unresolved` shows it.")],
    key: Annotated[str, typer.Argument(help="The key of what it means, such as service:pump-control.")] = "",
    nothing: Annotated[bool, typer.Option("--nothing", help="It means nothing that is stored: what is said of it is refused.")] = False,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Say what a name means; what waited for it is judged anew, and no model is asked."""
    if bool(key) == nothing:
        raise BadInput("give the key that the name means, or --nothing")
    with _extraction(workspace, viewer) as extraction, extraction.kept.lock(), progress(json) as show:
        settled = extraction.align(name, key, show)
    if json:
        emit(told(settled, None))
        return
    counts = settled.counts()
    typer.echo(f"{name!r} means {key or 'nothing that is stored'}")
    typer.echo(f"{counts['claims']:,} claims stand, {counts['unsettled']:,} still wait for a name")


@extract_app.command()
def judge(viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Judge anew what was read, with what is loaded now; no model is asked."""
    with _extraction(workspace, viewer) as extraction, extraction.kept.lock(), progress(json) as show:
        settled = extraction.settle(progress=show)
    emit(told(settled, None)) if json else _show(settled, Spent())


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(extract_app, name="extract")
