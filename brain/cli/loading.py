"""`brain demo`, `brain ingest` and `brain sync`: loading, with progress and a report at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from brain import loads
from brain.brain import Brain
from brain.cli.output import AsJson, Console, Workspace, emit, opened, progress, say
from brain.errors import BadInput
from brain.ingest import Outcome, Report

Paths = Annotated[list[Path] | None, typer.Argument(help="Files or folders to load.")]
Access = Annotated[str, typer.Option(help="Access label of what is loaded: open or internal.")]
Embed = Annotated[bool, typer.Option("--embed/--no-embed", help="Make the missing vectors after the load.")]

ingest_app = typer.Typer(help="Load an organisation from files, or from GitHub.", no_args_is_help=True)


def _table(reports: list[Report]) -> Table:
    table = Table(title="Import report")
    for name in ("source", "read", "stored", "left out"):
        table.add_column(name, overflow="fold")
    for r in reports:
        read = r.totals or r.read
        left_out = "\n".join(f"{s['count']}: {s['reason']}" for s in [*r.skipped, *r.refused][:8])
        table.add_row(*map(escape, (r.source, _counts(read), _counts(r.stored), left_out)))
    return table


def _counts(counts: dict[str, Any]) -> str:
    return "\n".join(f"{name} {n}" for name, n in sorted(counts.items()) if n)


def _finish(brain: Brain, outcome: Outcome, embed: bool, json: bool) -> None:
    made = 0
    if outcome.rebuild is not None and embed:
        with progress(json) as show:
            made = brain.embed(show)
    if json:
        counts = dict(outcome.rebuild.counts) if outcome.rebuild else {}
        said = {"reports": [asdict(r) for r in outcome.reports], "failures": outcome.failures, "rows": counts}
        stages = outcome.rebuild.seconds if outcome.rebuild else {}
        emit({**said, "seconds": outcome.seconds, "embedded": made, "stages": stages})
    else:
        if outcome.reports:
            Console().print(_table(outcome.reports))
            Console().print(f"{outcome.seconds:.1f} s" + (f", {made} vectors made" if made else ""))
    for line in outcome.failures:
        say(f"brain: {line}")
    if outcome.failures:
        raise typer.Exit(1)


def git(
    paths: Paths = None,
    org: Annotated[str, typer.Option("--org", help="Organisation the repositories belong to.")] = "",
    name: Annotated[str | None, typer.Option("--name", help="Name of the one repository, when its remote and folder say another.")] = None,
    access: Access = "open",
    embed: Embed = True,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Load git repositories: clones, bare repositories, mirrors, bundles."""
    if not paths or not org:
        raise BadInput("name the repositories and their organisation: brain ingest git PATH... --org ORG")
    if name and len(paths) > 1:
        raise BadInput(f"--name {name} names one repository; load the {len(paths)} paths one by one")
    with opened(workspace) as brain, progress(json) as show:
        outcome = brain.load({str(p): loads.git(brain.settings, p, org, access, name) for p in paths}, show)
        _finish(brain, outcome, embed, json)


def github(
    paths: Paths = None,
    org: Annotated[str | None, typer.Option("--org", help="Load live from this organisation (needs GITHUB_TOKEN).")] = None,
    repo: Annotated[list[str] | None, typer.Option("--repo", help="Repository of the files, or to load live; may be repeated.")] = None,
    since: Annotated[str | None, typer.Option("--since", help="Live: what changed since this date.")] = None,
    access: Access = "open",
    embed: Embed = True,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Load GitHub data from files (archives, API dumps, backups, gh output), or live with --org."""
    with opened(workspace) as brain, progress(json) as show:
        if paths:
            fetches = {str(p): loads.github(p, org, repo[0] if repo else None, access) for p in paths}
        elif org:
            fetches = {f"GitHub {org}": loads.github_live(brain.settings, brain.files.folder, org, repo or [], since, _said(json))}
        else:
            raise BadInput("name files to load, or --org for GitHub itself")
        _finish(brain, brain.load(fetches, show), embed, json)


def _said(json: bool) -> Callable[[str], None]:
    """Says how long GitHub makes us wait; nothing beside JSON."""

    def told(text: str) -> None:
        if not json:
            say(text)

    return told


def auto(
    folder: Annotated[Path, typer.Argument(help="Folder to search.")],
    org: Annotated[str | None, typer.Option("--org", help="Organisation the repositories belong to, when the data does not tell.")] = None,
    access: Access = "open",
    embed: Embed = True,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Load everything in a folder that is of a format we read; what is of none is reported."""
    with opened(workspace) as brain, progress(json) as show:
        _finish(brain, brain.load(loads.auto(brain.settings, folder, org, access), show), embed, json)


def demo(embed: Embed = True, workspace: Workspace = None, json: AsJson = False) -> None:
    """Load the demo organisation."""
    with opened(workspace or "demo") as brain, progress(json) as show:
        outcome = loads.demo(brain, show)
        _finish(brain, outcome, embed, json)


def sync(embed: Embed = True, workspace: Workspace = None, json: AsJson = False) -> None:
    """Load again what was loaded before: new things come in, what disappeared is marked gone."""
    with opened(workspace) as brain, progress(json) as show:
        fetches = loads.again(brain)
        if not fetches and brain.files.records.sources():
            raise BadInput(f"what is in {brain.workspace!r} came in a snapshot; load it from where it lies here: brain ingest")
        if not fetches:
            raise BadInput(f"nothing was loaded into {brain.workspace!r} yet; use brain ingest")
        _finish(brain, brain.load(fetches, show), embed, json)


def report(workspace: Workspace = None, json: AsJson = False) -> None:
    """Show the kept import reports, for an administrator: they name files and lines of every source."""
    with opened(workspace) as brain:
        if not brain.viewer().admin:
            raise BadInput(f"only an administrator may read the reports; BRAIN_VIEWER names {brain.settings.viewer}, who is none")
        reports = brain.reports(brain.viewer())
    if json:
        emit([asdict(r) for r in reports])
        return
    Console().print(_table(reports))
    for r in reports:
        Console().print(escape(f"{r.source}: loaded {_day(r.at)} from {r.path}"))


def _day(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


def _chosen(given: list[str] | None, org: str, repo: str) -> dict[str, str]:
    """The options of a connector, as written on the command line."""
    chosen: dict[str, str] = {}
    for text in given or []:
        name, found, value = text.partition("=")
        if not found or not name.strip():
            raise BadInput(f"--option {text!r}: write it as name=value")
        chosen[name.strip()] = value.strip()
    return {**chosen, **({"org": org} if org else {}), **({"repo": repo} if repo else {})}


def _command(format: str) -> Callable[..., None]:
    """The command that loads files of one format."""

    def ingest(
        paths: Paths = None,
        option: Annotated[list[str] | None, typer.Option("--option", "-o", help="Option of the format: name=value.")] = None,
        name: Annotated[str, typer.Option("--name", help="Name of the source, when it shall not be called like its folder.")] = "",
        org: Annotated[str, typer.Option("--org", help="Organisation it belongs to, where the format asks for one.")] = "",
        repo: Annotated[str, typer.Option("--repo", help="Repository it belongs to (org/name), where the format asks for one.")] = "",
        access: Access = "open",
        embed: Embed = True,
        workspace: Workspace = None,
        json: AsJson = False,
    ) -> None:
        if not paths:
            raise BadInput(f"name files or folders to load: brain ingest {format} PATH...")
        options = _chosen(option, org, repo)
        with opened(workspace) as brain, progress(json) as show:
            given = {"name": name, "access": access, "options": options}
            fetches = {str(p): loads.named(brain.settings, format, p, **given) for p in paths}  # type: ignore[arg-type]
            _finish(brain, brain.load(fetches, show), embed, json)

    return ingest


def _help(format: str, options: dict[str, str]) -> str:
    listed = "; ".join(f"{name}: {why}" for name, why in options.items())
    return f"Load {loads.about(format)}" + (f"\n\nOptions (--option name=value): {listed}." if listed else "")


def register(app: typer.Typer) -> None:
    """Adds the commands: one for each format, as the folder of connectors lists them."""
    ingest_app.command()(auto)
    ingest_app.command()(git)
    ingest_app.command()(github)
    for format, options in loads.formats().items():
        ingest_app.command(format, help=_help(format, options))(_command(format))
    app.add_typer(ingest_app, name="ingest")
    app.command()(demo)
    app.command()(sync)
    app.command()(report)

