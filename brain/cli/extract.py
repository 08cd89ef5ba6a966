"""`brain extract`: has a model read what people wrote, lists what was refused and which names wait, and says what a name means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from brain.cli.output import As, AsJson, Console, Workspace, asker, emit, opened, progress, say
from brain.errors import BadInput, StoreDown
from brain.extract import wanted
from brain.extract.extraction import Extraction, Settled, reasons, told
from brain.extract.reading import Spent
from brain.extract.texts import KINDS
from brain.extract.wanted import Wanted
from brain.llm import opening
from brain.schema import ACCESS_LABELS

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
    access: Annotated[list[str] | None, typer.Option(help=f"Only texts that are so labelled: {', '.join(ACCESS_LABELS)}.")] = None,
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
    wish = Wanted(tuple(kind or ()), tuple(only or ()), tuple(access or ()), limit, parallel, max_tokens, max_usd)
    with _extraction(workspace, viewer) as extraction, extraction.kept.lock(), progress(json) as show:
        todo = wish.plan(extraction)
        estimate = wanted.estimate(extraction.brain.settings, todo)
        if plan:
            emit(asdict(estimate)) if json else typer.echo(estimate.said)
            return
        if not json and todo.unread:
            say(estimate.said)
        spent, settled = wanted.run(extraction, wish, todo, show)
    emit(told(settled, spent)) if json else _show(settled, spent)
    if spent.left and not spent.asked:
        raise typer.Exit(1)


def _show(settled: Settled, spent: Spent) -> None:
    counts = settled.counts()
    out = Console()
    tokens = f"{spent.prompt_tokens:,} tokens in, {spent.completion_tokens:,} out"
    out.print(f"read {spent.asked:,} slices: {tokens}, cost {escape(spent.money)}")
    for why in spent.why:
        out.print(f"not all was read: {escape(why)}", soft_wrap=True)
    if spent.left:
        out.print(f"{spent.left:,} slices are left for the next time")
    out.print(f"{counts['claims']:,} claims stand, those of {counts['decisions']:,} decisions among them: brain candidates list")
    out.print(f"{counts['unsettled']:,} wait for a name: brain extract unresolved")
    out.print(f"{counts['refused']:,} were refused: brain extract rejected")


@extract_app.command()
def status(viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Say how far each kind of text is read, by which models, and what that took."""
    with _extraction(workspace, viewer) as extraction:
        settings = extraction.brain.settings
        asked = wanted.models(settings) if opening.available(settings) else ""
        readings = extraction.kept.readings()
        kinds, done = wanted.standing(wanted.parts(extraction.slices()), readings, asked), wanted.work(readings)
    if json:
        emit({"models": asked, "kinds": [asdict(k) for k in kinds], "read": [asdict(w) for w in done]})
        return
    table = Table("kind", "slices", "of restricted sources", "read", f"not read by {escape(asked) or 'any model that is set up'}")
    for k in kinds:
        table.add_row(k.kind, f"{k.slices:,}", f"{k.restricted:,}", f"{k.read:,}", f"{k.unread:,}")
    Console().print(table)
    took = Table("model", "slices", "tokens in", "tokens out", "cost", "last")
    for w in done:
        took.add_row(
            escape(w.model), f"{w.slices:,}", f"{w.prompt_tokens:,}", f"{w.completion_tokens:,}", w.money,
            datetime.fromtimestamp(w.at, UTC).strftime("%Y-%m-%d %H:%M"),
        )  # fmt: skip
    Console().print(took if done else "nothing was read yet: brain extract run --plan")


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
def aligned(viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """List what people said that names mean, the latest first."""
    with _extraction(workspace, viewer) as extraction:
        found = extraction.aligned()
    if json or not found:
        emit([asdict(a) for a in found]) if json else typer.echo("nobody said what a name means")
        return
    table = Table("name", "means", "said by", "when")
    for a in found:
        when = datetime.fromtimestamp(a.at, UTC).strftime("%Y-%m-%d %H:%M")
        table.add_row(escape(a.name), escape(a.key or "nothing that is stored"), escape(a.by), when)
    Console().print(table)
    Console().print("brain extract unalign NAME takes one back")


@extract_app.command()
def unalign(
    name: Annotated[str, typer.Argument(help="The name, as `aligned` shows it.")],
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Take back what somebody said a name means; what needs it waits again, and no model is asked."""
    with _extraction(workspace, viewer) as extraction, extraction.kept.lock(), progress(json) as show:
        settled = extraction.unalign(name, show)
    if json:
        emit(told(settled, None))
        return
    counts = settled.counts()
    typer.echo(f"nothing is said of {name!r} any more")
    typer.echo(f"{counts['claims']:,} claims stand, {counts['unsettled']:,} wait for a name")


@extract_app.command()
def judge(viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Judge anew what was read, with what is loaded now; no model is asked."""
    with _extraction(workspace, viewer) as extraction, extraction.kept.lock(), progress(json) as show:
        settled = extraction.settle(progress=show)
    emit(told(settled, None)) if json else _show(settled, Spent())


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(extract_app, name="extract")
