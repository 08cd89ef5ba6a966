"""`brain access`: who may see what and why, and the checks that nobody sees more."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from brain import permissions
from brain.brain import Brain
from brain.cli import access_probe
from brain.cli.output import As, AsJson, Console, Workspace, asker, emit, opened, progress
from brain.errors import BadInput
from brain.store import graph_name
from brain.tools.asking import Asking

access_app = typer.Typer(help="Who may see what and why, and the checks that nobody sees more.", no_args_is_help=True)


def _everything(brain: Brain) -> Asking:
    """What asks with every right; only where the one whom the settings name as the viewer here is an administrator."""
    if not brain.viewer().admin:
        raise BadInput(f"only an administrator may ask what others may read; BRAIN_VIEWER names {brain.settings.viewer}, who is none")
    return brain.looking(permissions.local_admin())


@access_app.command()
def why(key: str, viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Tell whether somebody may read a thing, and by which path of grants."""
    from brain.audit import grants

    with opened(workspace) as brain:
        me = brain.viewer()
        if me.admin or viewer:
            told = grants.why(_everything(brain), key, asker(brain, viewer))
        else:
            told = grants.own(brain.looking(me), key, next((g for g in sorted(me.groups) if g.startswith("person:")), ""))
    if json:
        emit(asdict(told))
        return
    console = Console()
    console.print(f"{escape(told.viewer)} {'may' if told.allowed else 'may not'} read {escape(told.key)}. {escape(told.because)}")
    if told.paths:
        table = Table("open to", "counts", "path", "stated in")
        for path in told.paths:
            places = ", ".join(f"{link.source}, line {link.line}" if link.line else link.source for link in path.links if link.source)
            table.add_row(escape(path.group), "yes" if path.holds else "no", escape(path.says), escape(places))
        console.print(table)
    for claim in told.hidden_claims:
        console.print(escape(f"hidden: {claim.src} {claim.rel} {claim.dst}, said by {claim.source} ({claim.access or 'no label'})"))


@access_app.command()
def who(key: str, workspace: Workspace = None, json: AsJson = False) -> None:
    """List everybody who can read a thing now, by the grant that lets them."""
    from brain.audit import readers

    with opened(workspace) as brain:
        told = readers.who(_everything(brain), key)
    if json:
        emit(asdict(told))
        return
    Console().print(escape(f"{told.key}: {told.says}"))
    for group in told.groups:
        table = Table("person", "name", "through", "state", title=f"{escape(group.name)}: {group.n}", title_justify="left")
        for m in (*group.members, *group.past):
            table.add_row(escape(m.person), escape(m.name), escape(m.via), m.state)
        Console().print(table)


@access_app.command()
def sees(viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Count what somebody may read of all there is, and what each of their groups opens to them."""
    from brain.audit import meter

    with opened(workspace) as brain:
        me = brain.viewer()
        told = meter.sees(_everything(brain), asker(brain, viewer)) if me.admin or viewer else meter.own(brain.looking(me))
    if json:
        emit(asdict(told))
        return
    of = "" if told.total is None else f" of {told.total}"
    more = "" if told.hidden is None else f"; {told.hidden} are hidden"
    Console().print(escape(f"{told.viewer} reads {told.seen}{of} sources{more}"))
    table = Table("what", "label", "reads", *(["of"] if of else ()))
    for c in told.counts:
        table.add_row(c.label, c.access, str(c.seen), *([str(c.total)] if of else ()))
    Console().print(table)
    for given in told.given:
        Console().print(escape(f"{given.name}: {given.n} more"))


@access_app.command()
def freshness(
    days: Annotated[int | None, typer.Option(min=0, help="Warn of what was loaded longer ago.")] = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Show when the data that decide who reads what were loaded, and what they cover."""
    from brain.audit import freshness as fresh

    with opened(workspace) as brain:
        if not brain.loaded():
            raise BadInput(f"nothing is loaded in {brain.workspace!r}; load something: brain demo, or brain ingest")
        told = fresh.freshness(brain, brain.viewer(), fresh.OLD_DAYS if days is None else days)
    if json:
        emit(asdict(told))
        return
    Console().print(escape(fresh.line(told)))
    table = Table("source", "loaded", "days ago", "gives")
    for f in told.feeds:
        gives = ", ".join(f"{n} {what}" for what, n in f.gives.items())
        table.add_row(escape(f.source), fresh.day(f.at) if f.at else "", str(f.days), gives)
    Console().print(table)


@access_app.command()
def cost(
    repeats: Annotated[int, typer.Option(min=3, help="Calls of each tool, with the access rule and without.")] = 9,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Measure every tool with the access rule against the same without it, on a copy where every tenth source is restricted;
    exit code 1 when it takes more than half as long again.
    """
    from brain.audit import cost as cost_
    from brain.audit import record

    with opened(workspace) as brain, progress(json) as show:
        told = cost_.measure(brain, repeats=repeats, progress=show).plain()
        record.save(brain.files, "cost", told, at=brain.now(), graph=brain.store.version(graph_name(brain.workspace)))
    if json:
        emit(told)
    else:
        table = Table("tool", "times as long with the rule", title=f"the {len(told['worst'])} dearest of {told['calls']} calls")
        for row in told["worst"]:
            table.add_row(escape(row["tool"]), f"{row['ratio']:.2f}")
        Console().print(table)
        says = f"median {told['median_ratio']:.2f}, bound {cost_.BOUND:g}: {'holds' if told['holds'] else 'does not hold'}"
        Console().print(f"{says}; {told['restricted']} of {told['sources']} sources restricted over {told['groups']} groups")
    if not told["holds"]:
        raise typer.Exit(1)


@access_app.command()
def log(
    k: Annotated[int, typer.Option("-k", min=1, help="How many to show.")] = 50, workspace: Workspace = None, json: AsJson = False
) -> None:
    """Show which administrators looked as whom in the app, newest first."""
    from brain.audit import viewings

    with opened(workspace) as brain:
        found = viewings.latest(brain.files, k)
    if json:
        emit([asdict(v) for v in found])
        return
    table = Table("when", "who", "as")
    for v in found:
        table.add_row(datetime.fromtimestamp(v.at, UTC).strftime("%Y-%m-%d %H:%M"), escape(v.who), escape(v.seen_as))
    Console().print(table)


@access_app.command()
def pivot(
    questions: Annotated[str | None, typer.Option("--set", help="Ask the questions of this set: a file, or a shipped set's name.")] = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Measure how often one gets from what a viewer may see to something hidden, with the access rule and without; exit code 1
    when it happens with the rule.
    """
    from brain.audit import pivot as pivot_
    from brain.audit import record

    asked: list[str] = []
    if questions:
        from brain.cli.evaluate import question_set

        asked = [q.question for q in question_set(questions)]
    with opened(workspace) as brain, progress(json) as show:
        told = pivot_.measure(brain, asked, progress=show)
        record.save(brain.files, "pivot", told, at=brain.now(), graph=brain.store.version(graph_name(brain.workspace)))
    if json:
        emit(told)
    else:
        table = Table("arm", "rule", *pivot_.MEASURES, title=f"{told['seeds']} seeds of {told['viewers']} viewers, k = {told['k']}")
        for arm, sides in told["arms"].items():
            for side, found in sides.items():
                table.add_row(arm, side, *("" if found[name] is None else f"{found[name]:g}" for name in pivot_.MEASURES))
        Console().print(table)
    if any(sides["on"]["leakage"] for sides in told["arms"].values()):
        raise typer.Exit(1)


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    access_app.command()(access_probe.probe)
    app.add_typer(access_app, name="access")
