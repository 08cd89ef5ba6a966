"""Runs of an evaluation as the commands find and show them: where they are kept, and their scores as a table and as JSON."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from brain import settings, viewers
from brain.cli.output import Console, opened
from brain.errors import BadInput
from brain.types import Viewer

if TYPE_CHECKING:
    from eval.records import Run

MEASURES = {"value": "f1", "source_recall": "source_recall", "support": "citation_support"}


def own(workspace: str | None) -> Path:
    """Where the runs of a workspace are kept."""
    configured = settings.load()
    return configured.workspaces / (workspace or configured.workspace) / "eval"


def places(workspace: str | None) -> list[Path]:
    """Where runs are looked for: this workspace's own, and those that came with the program."""
    from eval.records import RUNS

    return [own(workspace), RUNS]


def names(folder: Path) -> list[str]:
    """The runs in a folder, newest first."""
    from eval import records

    return records.names(folder)


def folder(base: Path, out: str | None, label: str) -> Path:
    """Where a run is kept: what was asked for, else the newest unfinished run of the same questions, else a new one."""
    from eval.records import SUMMARY

    if out:
        return Path(out) if len(Path(out).parts) > 1 else base / out
    unfinished = [name for name in names(base) if name.startswith(f"{label}-2") and not (base / name / SUMMARY).exists()]
    return base / (max(unfinished) if unfinished else f"{label}-{time.strftime('%Y%m%d-%H%M%S')}")


def _reader(name: str | None, workspace: str | None) -> Viewer:
    """Who looks at a run: the one named or configured, else the administrator of this machine."""
    configured = settings.load()
    who = name or configured.viewer
    if not who or who in viewers.FIXED:
        return viewers.FIXED[who or "local"]()
    with opened(workspace) as brain:
        return brain.viewer(who)


def find(name: str, workspace: str | None, reader: str | None = None) -> tuple[Run, Path]:
    """The run of that name with the answers that its reader may be shown, and its folder."""
    from eval import records, rights

    for path in (Path(name), *(base / name for base in places(workspace))):
        if (path / records.PACKED).exists() or (path / records.PLAIN).exists():
            found = records.load(path)
            if found.records:
                return rights.readable(found, _reader(reader, workspace)), path
    known = [n for base in places(workspace) for n in names(base)]
    raise BadInput(f"there is no run {name!r}; recorded are {', '.join(known) or 'none'}")


def summary(done: Run) -> Mapping[str, Any]:
    """The run's summary, made where it is not finished."""
    from eval.summary import summarise

    return done.summary or summarise(done.records)


def _cell(c: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"n": c["n"], "failures": c["failures"]}
    for measure, shown in MEASURES.items():
        out[shown] = c[measure]
    return out | {"not_scored": {shown: c[f"{m}_unscored"] for m, shown in MEASURES.items()}, "p50_ms": c["p50_ms"], "p95_ms": c["p95_ms"]}


def as_json(done: Run, folder: Path) -> dict[str, Any]:
    """A run as `--json` prints it."""
    found = summary(done)
    categories = {c: {a: _cell(x) for a, x in by_arm.items()} for c, by_arm in found["categories"].items()}
    overall = {a: _cell(x) | {"macro_f1": x["macro"]} for a, x in found["overall"].items()}
    out = {"run": done.name, "folder": str(folder), "set": found.get("set", ""), "questions": found["questions"], "arms": found["arms"],
           "categories": categories, "overall": overall, "pairs": found["pairs"], "verdict": found["verdict"]}  # fmt: skip
    return {**out, "models": found["models"]} if found.get("models") else out


def share(value: float | None) -> str:
    """A mean, or a dash where nothing was scored."""
    return "-" if value is None else f"{value:.3f}"


def _mark(cell: Mapping[str, Any], shown: str) -> str:
    left_out = cell["not_scored"][shown]
    return share(cell[shown]) + (f" ({left_out})" if left_out else "")


def _lines(found: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for category, by_arm in [*found["categories"].items(), ("all", found["overall"])]:
        for arm, x in by_arm.items():
            c = _cell(x)
            marks = [_mark(c, shown) for shown in MEASURES.values()]
            yield category, arm, str(c["n"]), *marks, *(f"{c[k]:.0f}" for k in ("p50_ms", "p95_ms")), str(c["failures"])


def show(done: Run, folder: Path) -> None:
    """Prints a run's scores, its verdict, and what its model cost."""
    found = summary(done)
    columns = ("category", "arm", "n", "F1", "sources", "support", "p50 ms", "p95 ms", "failed")
    table = Table(*columns, caption="sources: recall of the gold sources; support: share of shown citations; in brackets: not scored")
    for line in _lines(found):
        table.add_row(*line)
    Console().print(table)
    if found.get("models"):
        Console().print(_models(found["models"]))
    Console().print(escape(found["verdict"]))
    Console().print(f"kept in {escape(str(folder))}", soft_wrap=True)


def _models(found: Mapping[str, Any]) -> Table:
    from eval import usage

    first, *rest = usage.table(found)
    table = Table(*first)
    for row in rest:
        table.add_row(*map(escape, row))
    return table
