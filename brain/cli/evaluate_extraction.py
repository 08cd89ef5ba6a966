"""`brain eval extraction`: how well the model of the settings, or a recording of one, reads claims out of labelled texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from brain.cli.output import As, AsJson, Console, Workspace, asker, emit, opened, progress
from brain.errors import BadInput
from brain.llm import opening


def extraction(
    set_: Annotated[Path | None, typer.Option("--set", help="Labelled texts (.yaml); those of the program when not given.")] = None,
    replay: Annotated[Path | None, typer.Option(help="A recording to measure in place of a server.")] = None,
    parallel: Annotated[int, typer.Option(min=1, max=32, help="How many texts are read at once.")] = 4,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Have every labelled text read and print precision and recall of what stands after all checks, and where the model went wrong."""
    from eval.extraction import labelled, measure

    path = set_ or labelled.FILE
    if not path.is_file():
        raise BadInput(f"{path}: there is no such file; leave --set out for the texts that came with the program")
    texts, things = labelled.load(path)
    with opened(workspace) as brain, progress(json) as show:
        settings = replace(brain.settings, llm_replay=str(replay)) if replay else brain.settings
        if not opening.available(settings):
            raise BadInput(opening.HOW)
        owner = asker(brain, viewer).owner
        names = labelled.names(things)
        found = measure.measure(texts, names, lambda: opening.open_model(settings, brain.store, owner, brain.clock), parallel, show)
        told = {"set": path.stem, "models": opening.as_recorded(settings).llm_models, **measure.summary(found)}
    emit(told) if json else _show(told)


def _show(told: Mapping[str, Any]) -> None:
    table = Table("what", "right", "stood", "there are", "precision", "recall")
    rows = [(name, told[name]) for name in ("claims", "decisions", "reasons")]
    for name, x in [*rows, *told["kinds"].items()]:
        table.add_row(escape(name), str(x["right"]), str(x["stood"]), str(x["gold"]), _share(x["precision"]), _share(x["recall"]))
    Console().print(table)
    out = Console()
    refused = sum(map(len, told["refused"].values()))
    left = f"{told['failed']} not answered, {refused} proposals refused, {told['unsettled']} wait for a name"
    out.print(f"{told['texts']} texts read by {escape(told['models'])}; {left}")
    for what, said in (("wrong", told["wrong"]), ("missing", told["missing"]), ("not answered", told["errors"])):
        for id_, which in said.items():
            out.print(f"  {what}: {escape(id_)}: {escape(which if isinstance(which, str) else ', '.join(which))}", soft_wrap=True)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
