"""`brain access probe`: ask what one may not know, as everybody who may not, and search what comes out."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from brain.brain import Brain
from brain.cli.evaluate import question_set
from brain.cli.output import AsJson, Console, Workspace, emit, opened, progress
from brain.errors import BadInput
from brain.store import graph_name
from brain.types import ARMS, Arm

SHOWN = 30


def probe(
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="Question set to ask as well; the shipped ones of the workspace when not given.")
    ] = None,
    viewer: Annotated[list[str] | None, typer.Option("--viewer", help="Ask as this one alone; may be repeated.")] = None,
    arms: Annotated[str, typer.Option(help="Arms to ask, with commas between.")] = ",".join(ARMS),
    sample: Annotated[int | None, typer.Option(min=1, help="Only so many questions, probes and calls of each viewer.")] = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Ask every question and probe as everybody who differs in what they may see; exit code 1 when something leaked."""
    from brain.audit import probe as probe_
    from brain.audit import record

    chosen = _arms(arms)
    with opened(workspace) as brain, progress(json) as show:
        if not brain.viewer().admin:
            raise BadInput(f"only an administrator may probe for what is hidden; BRAIN_VIEWER names {brain.settings.viewer}, who is none")
        asked = [(q.question, q.as_of) for name in set_ or _sets(brain) for q in question_set(name)]
        told = probe_.run(brain, questions=asked, viewers=viewer or (), arms=chosen, sample=sample, progress=show)
        record.save(brain.files, "probe", told, at=brain.now(), graph=brain.store.version(graph_name(brain.workspace)))
    emit(told) if json else _show(told)
    if told["n_leaks"]:
        raise typer.Exit(1)


def _sets(brain: Brain) -> list[str]:
    """The shipped question sets of the workspace: its name, and its name with other words."""
    from eval.questions import SETS

    return sorted(p.stem for p in SETS.glob("*.jsonl") if p.stem.partition(".")[0] == brain.workspace)


def _arms(text: str) -> list[Arm]:
    wanted = [a.strip() for a in text.split(",") if a.strip()]
    if not wanted or set(wanted) - set(ARMS):
        raise BadInput(f"--arms is {text!r}; name some of {', '.join(ARMS)}")
    return [arm for arm in ARMS if arm in wanted]


def _show(told: dict[str, Any]) -> None:
    console = Console()
    who = ", ".join(f"{v['id']} ({v['hidden']} things hidden)" for v in told["viewers"])
    console.print(escape(f"asked as {who}"))
    console.print(
        f"{told['questions']} questions, {told['probes']} probes and {told['calls']} calls of tools: {told['answers']} answers over"
        f" {', '.join(told['arms'])} in {told['seconds']:.0f} s"
    )
    if told["leaks"]:
        table = Table("viewer", "arm", "question or call", "where", "what")
        for leak in told["leaks"][:SHOWN]:
            table.add_row(*(escape(str(leak[c])) for c in ("viewer", "arm", "question", "where", "what")))
        console.print(table)
    console.print(f"{told['n_leaks']} leaks" if told["n_leaks"] else "nothing leaked")
