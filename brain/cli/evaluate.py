"""`brain eval`: run a question set over arms, report it, compare two runs. The one room of brain that knows `eval`,
and it imports it where it is used, so that no other command waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from brain.cli import evaluate_extraction, evaluate_incidents, evaluate_kept, evaluate_model
from brain.cli.output import As, AsJson, Console, Workspace, emit, opened, progress
from brain.errors import BadInput, Cancelled, StoreDown
from brain.types import Viewer

if TYPE_CHECKING:
    from eval.questions import Question
    from eval.records import Run
    from eval.run import Ask

For = Annotated[str | None, typer.Option("--for", help="Who will read it: answers asked with more rights than theirs stay out.")]
eval_app = typer.Typer(help="Measure the arms on paired questions.", no_args_is_help=True)


@eval_app.command()
def run(
    set_: Annotated[str, typer.Option("--set", help="Question set: a file, or the name of a shipped one.")],
    arms: Annotated[str, typer.Option(help="Arms to ask, in this order, with commas between.")] = "graph,vector,hybrid",
    out: Annotated[str | None, typer.Option(help="Name of the run, or its folder; one that is there goes on where it stopped.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask only the first N questions of each category.")] = None,
    category: Annotated[str | None, typer.Option(help="Ask only this category.")] = None,
    engine: evaluate_model.Engine = "builtin",
    replay: evaluate_model.Replay = None,
    model_limit: evaluate_model.ModelLimit = "",
    yes: evaluate_model.Yes = False,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Ask every question in every arm and print the scores; a run that was stopped goes on where it was. Its answers are shown to
    nobody who may read less than who asked, so name a guest for a run that anybody may see. With a model it says first what that may
    cost, and asks.
    """
    from eval import arms as eval_arms
    from eval import run as eval_run

    chosen, name = _arms(arms), Path(set_).name.removesuffix(".jsonl")
    asked = _picked(question_set(set_), category, limit)
    engine = evaluate_model.chosen(engine, replay)
    with opened(workspace) as brain:
        if not brain.loaded():
            raise StoreDown(f"nothing is loaded in {brain.workspace!r}; load something: brain demo, or brain ingest")
        purse = evaluate_model.prepared(brain, engine, replay, model_limit)
        parts = [name, "+".join(chosen), *([category] if category else []), *([f"first{limit}"] if limit else [])]
        label = "-".join([*parts, *evaluate_model.label(brain, engine)])
        folder = evaluate_kept.folder(evaluate_kept.own(brain.workspace), out, label)

        def who(own: str | None) -> Viewer:
            return brain.viewer(own or viewer)

        if purse is not None:
            evaluate_model.agreed(brain, eval_run.remaining(asked, chosen, folder), who, purse, yes)
        asker = partial(eval_arms.asker, brain, who, engine, purse)
        done = _answered(asked, chosen, asker, folder, name=name, engine=engine, json=json)
    if json:
        emit(evaluate_kept.as_json(done, folder))
    else:
        evaluate_kept.show(done, folder)


def _answered(
    asked: Sequence[Question], arms: Sequence[str], asker: Callable[[], Ask], folder: Path, *, name: str, engine: str, json: bool
) -> Run:
    """The run, once every question is answered in every arm; what was answered is kept where it is stopped."""
    from eval import run as eval_run

    try:
        with progress(json) as show:
            return eval_run.run(
                asked, arms, asker(), folder, name_of_set=name, engine=engine,
                progress=lambda n, total, record: show(str(record["id"]), n, total),
            )  # fmt: skip
    except KeyboardInterrupt:
        raise Cancelled(f"stopped; what was answered is in {folder}, and the same command goes on from there") from None
    except OSError as err:
        raise BadInput(f"cannot write to {folder}: {err.strerror or err}") from err


@eval_app.command()
def report(
    name: Annotated[str, typer.Argument(metavar="RUN", help="A run's name or folder.")],
    out: Annotated[Path | None, typer.Option(help="Folder to write to; the run's own when not given.")] = None,
    viewer: For = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Write a run as Markdown and as one HTML file that fetches nothing."""
    from eval import report as eval_report

    done, folder = evaluate_kept.find(name, workspace, viewer)
    try:
        written = eval_report.write(done, out or folder)
    except OSError as err:
        raise BadInput(f"cannot write to {out or folder}: {err.strerror or err}") from err
    emit([str(path) for path in written]) if json else typer.echo("\n".join(str(path) for path in written))


@eval_app.command()
def compare(
    before: Annotated[str, typer.Argument(metavar="RUN")],
    after: Annotated[str, typer.Argument(metavar="RUN")],
    viewer: For = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Compare two runs of one set: the paired difference of each arm, and the questions whose score moved."""
    from eval.compare import compare as compared

    found = compared(evaluate_kept.find(before, workspace, viewer)[0], evaluate_kept.find(after, workspace, viewer)[0])
    if json:
        emit(found)
        return
    for arm, part in found["arms"].items():
        table = Table("category", found["a"], found["b"], "difference", "95 % interval", "better / equal / worse", title=arm)
        for category, x in [*part["categories"].items(), ("all", part["overall"])]:
            interval = f"{x['low']:+.3f} to {x['high']:+.3f}"
            table.add_row(category, f"{x['mean_b']:.3f}", f"{x['mean_a']:.3f}", f"{x['difference']:+.3f}", interval,
                          f"{x['wins']} / {x['ties']} / {x['losses']}")  # fmt: skip
        Console().print(table)
        for c in part["changed"]:
            Console().print(f"  {c['before']:.2f} → {c['after']:.2f}  {escape(c['id'])}: {escape(c['question'])}")


@eval_app.command("list")
def list_(workspace: Workspace = None, json: AsJson = False) -> None:
    """List the recorded runs, this workspace's and the shipped ones, newest first."""
    rows = [_listed(folder, name) for folder in evaluate_kept.places(workspace) for name in evaluate_kept.names(folder)]
    if json:
        emit(rows)
        return
    table = Table("run", "made", "questions", "F1 by arm", "kept in")
    for r in rows:
        made = f"{datetime.fromtimestamp(r['created'], UTC):%Y-%m-%d %H:%M}" if r["finished"] else "not finished"
        marks = ", ".join(f"{arm} {evaluate_kept.share(value)}" for arm, value in r["f1"].items())
        table.add_row(escape(r["run"]), made, str(r["questions"]), marks, escape(r["folder"]))
    Console().print(table)


def question_set(set_: str) -> list[Question]:
    """The questions of a set file, or of a shipped set by its name; one line of error for anything else."""
    from eval import questions

    shipped = questions.SETS / f"{set_}.jsonl"
    path = shipped if not Path(set_).exists() and shipped.exists() else Path(set_)
    if path.is_dir():
        names = list(questions.shipped())
        raise BadInput(f"{path} is a folder; name a question set file, or one of {', '.join(names)}")
    try:
        return questions.load(path)
    except OSError as err:
        raise BadInput(f"cannot read {path}: {err.strerror or err}") from err


def _picked(asked: list[Question], category: str | None, limit: int | None) -> list[Question]:
    legal = list(dict.fromkeys(q.category for q in asked))
    if category and category not in legal:
        raise BadInput(f"--category is {category!r}; this set has {', '.join(legal)}")
    by_category = {c: [q for q in asked if q.category == c][:limit] for c in ([category] if category else legal)}
    kept = {q.id for part in by_category.values() for q in part}
    return [q for q in asked if q.id in kept]


def _arms(text: str) -> list[str]:
    from eval.arms import KNOWN

    chosen = [a.strip() for a in text.split(",") if a.strip()]
    wrong = [a for a in chosen if a not in KNOWN]
    if wrong or not chosen:
        raise BadInput(f"--arms is {text!r}; name some of {', '.join(KNOWN)}")
    return list(dict.fromkeys(chosen))


def _listed(folder: Path, name: str) -> dict[str, Any]:
    from eval import records

    found = records.load(folder / name)
    overall = evaluate_kept.summary(found)["overall"] if found.records else {}
    return {
        "run": name,
        "folder": str(folder / name),
        "finished": bool(found.summary),
        "set": found.summary.get("set", ""),
        "created": int(found.summary.get("created", 0)),
        "questions": len(found.by_question()),
        "f1": {arm: c["value"] for arm, c in overall.items()},
    }


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    eval_app.command()(evaluate_incidents.incidents)
    eval_app.command()(evaluate_extraction.extraction)
    app.add_typer(eval_app, name="eval")
