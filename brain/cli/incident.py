"""`brain incident`: what an alert came from, whom to page and what helped before; kept investigations, and drafts of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from brain.brain import Brain
from brain.cli import incident_report, playbooks
from brain.cli.output import As, AsJson, At, Console, Workspace, asker, emit, instant, opened, say
from brain.errors import BadInput
from brain.incident.findings import ARMS, Arm, Investigation, Signal
from brain.incident.message import message
from brain.incident.postmortem import post_mortem
from brain.incident.record import as_json
from brain.incident.webhook import received, unknown
from brain.types import Step, Viewer

HOUR = 3600
LONGEST = 24 * 30
Ident = Annotated[str, typer.Argument(help="Id of a kept investigation, as `list` shows it.")]


class _Group(TyperGroup):
    """What is no command of its own is an alert: `brain incident ALERT` is `brain incident run ALERT`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


incident_app = typer.Typer(
    cls=_Group, no_args_is_help=True, help="Investigate an alert: brain incident ALERT, or brain incident run --help for how."
)


def _arms(text: str) -> list[Arm]:
    if text == "both":
        return list(ARMS)
    for arm in ARMS:
        if text == arm:
            return [arm]
    raise BadInput(f"--arm is {text!r}; legal: {', '.join(ARMS)}, both")


@incident_app.command("run")
def run(
    alert: Annotated[str, typer.Argument(help="An alert's key, id or fingerprint, or a service: its newest alert that fires.")] = "",
    arm: Annotated[str, typer.Option(help="graph, vector (passages alone) or both.")] = "graph",
    engine: Annotated[str, typer.Option(help="builtin: no model; openai: decided the same, a model words the summary.")] = "builtin",
    viewer: As = None,
    at: At = None,
    window: Annotated[int, typer.Option(min=1, max=LONGEST, help="How many hours before the alert to search.")] = 24,
    resume: Annotated[str | None, typer.Option(help="Go on with the investigation of that id, which did not come to its end.")] = None,
    file: Annotated[Path | None, typer.Option(help="A file that an Alertmanager webhook would send, instead of ALERT.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not say what is being done.")] = False,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Investigate an alert: `brain incident ALERT` does the same."""
    arms, as_of = _arms(arm), instant(at)
    with opened(workspace) as brain:
        who = asker(brain, viewer)
        room = brain.incidents(who, as_of)
        wanted = _wanted(brain, who, alert, file, resume)
        on_step = _tell if Console(stderr=True).is_terminal and not (json or quiet) else None
        how: dict[str, Any] = {"engine": engine, "window": window * HOUR, "resume": resume, "on_step": on_step}
        found = [room.investigate(one, arm=a, **how) for one in wanted for a in arms]
    _show(found, json)


def _wanted(brain: Brain, who: Viewer, alert: str, file: Path | None, resume: str | None) -> list[str | Signal]:
    if (file is not None) + bool(alert) + (resume is not None and not alert) != 1:
        raise BadInput("name an alert or a service, or give --file with a webhook, or --resume with the id of an investigation")
    if resume is not None and not alert:
        return [brain.incidents(who).read(resume).signal]
    if file is None:
        return [alert]
    try:
        data = file.read_bytes()
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror or error}; give a file that can be read") from None
    came = received(data, brain.asking(who))
    for line in (*came.told, *filter(None, map(unknown, came.signals))):
        say(f"brain: {line}")
    return list(came.signals)


def _tell(step: Step) -> None:
    end = f"failed: {step.error}" if step.error else f"{len(step.rows)} rows, {step.ms:.0f} ms"
    say(f"{step.n:>3}. {step.tool}: {step.why} ({end})")


def _show(found: list[Investigation], json: bool) -> None:
    if json:
        emit(as_json(found[0]) if len(found) == 1 else [as_json(inv) for inv in found])
        return
    console = Console()
    for place, inv in enumerate(found):
        if place:
            console.rule()
        incident_report.show(inv, console)


@incident_app.command("list")
def list_(
    k: Annotated[int, typer.Option("-k", min=1, help="How many to show.")] = 20,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """List your latest investigations."""
    with opened(workspace) as brain:
        found = brain.incidents(asker(brain, viewer)).recent(k)
    if json:
        emit(found)
        return
    Console().print(incident_report.table(found))


@incident_app.command("show")
def show(ident: Ident, viewer: As = None, workspace: Workspace = None, json: AsJson = False) -> None:
    """Show a kept investigation."""
    with opened(workspace) as brain:
        found = brain.incidents(asker(brain, viewer)).read(ident)
    _show([found], json)


@incident_app.command("export")
def export(
    ident: Ident,
    as_post_mortem: Annotated[bool, typer.Option("--post-mortem", help="The draft of a post-mortem, Markdown.")] = False,
    as_message: Annotated[bool, typer.Option("--message", help="The draft of a message for the chat.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write it to this file, which must not be there yet.")] = None,
    viewer: As = None,
    workspace: Workspace = None,
) -> None:
    """Draft a post-mortem or a chat message; nothing is sent."""
    if as_post_mortem == as_message:
        raise BadInput("say which: --post-mortem or --message")
    with opened(workspace) as brain:
        inv = brain.incidents(asker(brain, viewer)).read(ident)
    text = post_mortem(inv) if as_post_mortem else message(inv) + "\n"
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        with out.open("x", encoding="utf-8") as target:
            target.write(text)
    except FileExistsError:
        raise BadInput(f"{out} is there already; give another name") from None
    except OSError as error:
        raise BadInput(f"{out}: {error.strerror or error}; give a place that can be written") from None
    say(f"wrote {out}; it is a draft, to be read before it is sent")


incident_app.command("confirm")(playbooks.confirm)


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(incident_app, name="incident")
