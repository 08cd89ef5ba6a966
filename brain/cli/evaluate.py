"""`brain eval`: run a question set over arms, report it, compare two runs. The one room of brain that knows `eval`,
and it imports it where it is used, so that no other command waits for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from brain import settings, viewers
from brain.cli import evaluate_incidents
from brain.cli.output import As, AsJson, Console, Workspace, emit, opened, progress
from brain.errors import BadInput, Cancelled, StoreDown
from brain.types import Viewer

if TYPE_CHECKING:
    from eval.questions import Question
    from eval.records import Record, Run

For = Annotated[str | None, typer.Option("--for", help="Who will read it: answers asked with more rights than theirs stay out.")]
MEASURES = {"value": "f1", "source_recall": "source_recall", "support": "citation_support"}
eval_app = typer.Typer(help="Measure the arms on paired questions.", no_args_is_help=True)


@eval_app.command()
def run(
    set_: Annotated[str, typer.Option("--set", help="Question set: a file, or the name of a shipped one.")],
    arms: Annotated[str, typer.Option(help="Arms to ask, in this order, with commas between.")] = "graph,vector,hybrid",
    out: Annotated[str | None, typer.Option(help="Name of the run, or its folder; one that is there goes on where it stopped.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask only the first N questions of each category.")] = None,
    category: Annotated[str | None, typer.Option(help="Ask only this category.")] = None,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Ask every question in every arm and print the scores; a run that was stopped goes on where it was. Its answers are shown to
    nobody who may read less than who asked, so name a guest for a run that anybody may see.
    """
    from eval import arms as eval_arms
    from eval import run as eval_run

    chosen, name = _arms(arms), Path(set_).stem
    asked = _picked(question_set(set_), category, limit)
    with opened(workspace) as brain, progress(json) as show:
        if not brain.loaded():
            raise StoreDown(f"nothing is loaded in {brain.workspace!r}; load something: brain demo, or brain ingest")
        label = "-".join([name, "+".join(chosen), *([category] if category else []), *([f"first{limit}"] if limit else [])])
        folder = _folder(_own(brain.workspace), out, label)

        def note(done: int, total: int, record: Record) -> None:
            show(str(record["id"]), done, total)

        try:
            ask = eval_arms.asker(brain, lambda own: brain.viewer(own or viewer))
            done = eval_run.run(asked, chosen, ask, folder, name_of_set=name, progress=note)
        except KeyboardInterrupt:
            raise Cancelled(f"stopped; what was answered is in {folder}, and the same command goes on from there") from None
        except OSError as err:
            raise BadInput(f"cannot write to {folder}: {err.strerror or err}") from err
    if json:
        emit(_as_json(done, folder))
    else:
        _show(done, folder)


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

    done, folder = _find(name, workspace, viewer)
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

    found = compared(_find(before, workspace, viewer)[0], _find(after, workspace, viewer)[0])
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
    rows = [_listed(folder, name) for folder in _places(workspace) for name in _names(folder)]
    if json:
        emit(rows)
        return
    table = Table("run", "made", "questions", "F1 by arm", "kept in")
    for r in rows:
        made = f"{datetime.fromtimestamp(r['created'], UTC):%Y-%m-%d %H:%M}" if r["finished"] else "not finished"
        table.add_row(
            escape(r["run"]), made, str(r["questions"]), ", ".join(f"{a} {_share(v)}" for a, v in r["f1"].items()), escape(r["folder"])
        )
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


def _own(workspace: str | None) -> Path:
    configured = settings.load()
    return configured.workspaces / (workspace or configured.workspace) / "eval"


def _places(workspace: str | None) -> list[Path]:
    from eval.records import RUNS

    return [_own(workspace), RUNS]


def _names(folder: Path) -> list[str]:
    from eval.records import names

    return names(folder)


def _folder(own: Path, out: str | None, label: str) -> Path:
    """Where a run is kept: what was asked for, else the newest unfinished run of the same questions, else a new one."""
    from eval.records import SUMMARY

    if out:
        return Path(out) if len(Path(out).parts) > 1 else own / out
    unfinished = [name for name in _names(own) if name.startswith(f"{label}-2") and not (own / name / SUMMARY).exists()]
    return own / (max(unfinished) if unfinished else f"{label}-{time.strftime('%Y%m%d-%H%M%S')}")


def _reader(name: str | None, workspace: str | None) -> Viewer:
    """Who looks at a run: the one named or configured, else the administrator of this machine."""
    configured = settings.load()
    who = name or configured.viewer
    if not who or who in viewers.FIXED:
        return viewers.FIXED[who or "local"]()
    with opened(workspace) as brain:
        return brain.viewer(who)


def _find(name: str, workspace: str | None, reader: str | None = None) -> tuple[Run, Path]:
    """The run of that name with the answers that its reader may be shown, and its folder."""
    from eval import records, rights

    places = [Path(name), *(folder / name for folder in _places(workspace))]
    for path in places:
        if (path / records.PACKED).exists() or (path / records.PLAIN).exists():
            found = records.load(path)
            if found.records:
                return rights.readable(found, _reader(reader, workspace)), path
    known = [n for folder in _places(workspace) for n in _names(folder)]
    raise BadInput(f"there is no run {name!r}; recorded are {', '.join(known) or 'none'}")


def _summary(done: Run) -> Mapping[str, Any]:
    from eval.summary import summarise

    return done.summary or summarise(done.records)


def _cell(c: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"n": c["n"], "failures": c["failures"]}
    for measure, shown in MEASURES.items():
        out[shown] = c[measure]
    return out | {"not_scored": {shown: c[f"{m}_unscored"] for m, shown in MEASURES.items()}, "p50_ms": c["p50_ms"], "p95_ms": c["p95_ms"]}


def _as_json(done: Run, folder: Path) -> dict[str, Any]:
    found = _summary(done)
    categories = {c: {a: _cell(x) for a, x in by_arm.items()} for c, by_arm in found["categories"].items()}
    overall = {a: _cell(x) | {"macro_f1": x["macro"]} for a, x in found["overall"].items()}
    return {"run": done.name, "folder": str(folder), "set": found.get("set", ""), "questions": found["questions"], "arms": found["arms"],
            "categories": categories, "overall": overall, "pairs": found["pairs"], "verdict": found["verdict"]}  # fmt: skip


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _mark(cell: Mapping[str, Any], shown: str) -> str:
    left_out = cell["not_scored"][shown]
    return _share(cell[shown]) + (f" ({left_out})" if left_out else "")


def _lines(found: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for category, by_arm in [*found["categories"].items(), ("all", found["overall"])]:
        for arm, x in by_arm.items():
            c = _cell(x)
            marks = [_mark(c, shown) for shown in MEASURES.values()]
            yield category, arm, str(c["n"]), *marks, *(f"{c[k]:.0f}" for k in ("p50_ms", "p95_ms")), str(c["failures"])


def _show(done: Run, folder: Path) -> None:
    found = _summary(done)
    columns = ("category", "arm", "n", "F1", "sources", "support", "p50 ms", "p95 ms", "failed")
    table = Table(*columns, caption="sources: recall of the gold sources; support: share of shown citations; in brackets: not scored")
    for line in _lines(found):
        table.add_row(*line)
    Console().print(table)
    Console().print(escape(found["verdict"]))
    Console().print(f"kept in {escape(str(folder))}", soft_wrap=True)


def _listed(folder: Path, name: str) -> dict[str, Any]:
    from eval import records

    found = records.load(folder / name)
    overall = _summary(found)["overall"] if found.records else {}
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
    app.add_typer(eval_app, name="eval")
