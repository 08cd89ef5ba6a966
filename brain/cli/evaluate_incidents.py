"""`brain eval incidents`: replays alerts whose causes are known, in both arms and beside the dumb rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from brain.brain import Brain
from brain.cli.output import As, AsJson, Console, asker, emit, opened, progress
from brain.errors import BadInput, StoreDown

if TYPE_CHECKING:
    from eval.incidents.replay import Replay

DEMO = "demo"


def incidents(
    set_: Annotated[str, typer.Option("--set", help="Replay set: a file, or incidents, incidents.alt or incidents.last.")] = "incidents",
    arms: Annotated[str, typer.Option(help="Arms to replay in, with commas between.")] = "graph,vector,baseline",
    only: Annotated[str | None, typer.Option(help="Replay only alerts of this category, or with this id.")] = None,
    seed: Annotated[int | None, typer.Option(help="Replay the invented company of the set alone, as another seed has it.")] = None,
    out: Annotated[str | None, typer.Option(help="Keep the run under this name, or in this folder; the Evaluation page shows it.")] = None,
    embed: Annotated[bool, typer.Option("--embed/--no-embed", help="Make the vectors of the invented company.")] = True,
    viewer: As = None,
    json: AsJson = False,
) -> None:
    """Replay alerts whose causes are known and print how far each arm gets: the cause found first or among three, the way to it, red
    herrings, whom to page, false accusations, steps and time. The invented company of the set is loaded into a workspace of its own
    the first time; the demo's alerts need the demo (brain demo).
    """
    from eval.incidents import arms as looks
    from eval.incidents import run

    chosen, replays = _arms(arms), _replays(set_, only, seed)
    with _brains({r.workspace for r in replays}) as brains, progress(json) as show:
        for name, brain in brains.items():
            if name != DEMO:
                looks.ready(brain, embed=embed, progress=show)
        look = looks.looker(brains, lambda brain, own: asker(brain, own or viewer))
        records, summary = run.run(replays, chosen, look, name_of_set=Path(set_).stem, progress=show)
    folder = _folder(out) if out else None
    if folder:
        run.keep(folder, records, summary)
    if json:
        emit({**summary, "alerts": [_line(r) for r in records], "folder": str(folder or "")})
        return
    _show(summary)
    _misses(records)
    if folder:
        Console().print(f"kept in {escape(str(folder))}", soft_wrap=True)


def _arms(text: str) -> list[str]:
    from eval.incidents.run import ARMS

    chosen = list(dict.fromkeys(a.strip() for a in text.split(",") if a.strip()))
    if not chosen or not set(chosen) <= set(ARMS):
        raise BadInput(f"--arms is {text!r}; name some of {', '.join(ARMS)}")
    return chosen


def _replays(set_: str, only: str | None, seed: int | None) -> list[Replay]:
    from eval.incidents import replay, sets

    shipped = replay.SETS / f"{set_}.jsonl"
    every = replay.load(shipped if shipped.exists() else Path(set_))
    if seed is not None:
        companies = {found[0] for r in every if (found := sets.company_of(r.workspace))}
        every = [r for name in sorted(companies) for r in sets.seeded(name, seed)]
    kept = [r for r in every if not only or only in (r.id, r.category)]
    if not kept:
        categories = dict.fromkeys(r.category for r in every)
        raise BadInput(f"--only is {only!r}; this set has the ids {every[0].id} to {every[-1].id} and {', '.join(categories)}")
    return kept


@contextmanager
def _brains(names: set[str]) -> Iterator[dict[str, Brain]]:
    """The workspaces of the set by name; the demo must be there, the others are made where they are missing."""
    with ExitStack() as stack:
        found = {name: stack.enter_context(opened(name)) for name in sorted(names)}
        if DEMO in found and not found[DEMO].loaded():
            raise StoreDown("this set needs the demo; load it: brain demo")
        yield found


def _folder(out: str) -> Path:
    from brain import settings

    configured = settings.load()
    return Path(out) if len(Path(out).parts) > 1 else configured.workspaces / DEMO / "eval" / out


def _line(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record as `--json` has it: what was named and whether that was right."""
    said = record["said"] or {}
    kept = {k: record[k] for k in ("id", "category", "arm", "alert", "causes", "herrings", "page", "score", "error")}
    return {**kept, "named": [n["key"] for n in said.get("named", ())], "paged": said.get("page", []), "outcome": said.get("outcome", "")}


def share(cell: Mapping[str, Any]) -> str:
    """A measure with its interval and of how many alerts it is."""
    if cell["mean"] is None:
        return "not scored"
    return f"{cell['mean']:.2f} ({cell['low']:.2f} to {cell['high']:.2f}) of {cell['n']}"


def _show(summary: Mapping[str, Any]) -> None:
    from eval.incidents.measures import MEASURES

    table = Table("measure", *summary["arms"], caption="in brackets the 95 % interval; of how many alerts that can be scored so")
    for name, (said, _) in MEASURES.items():
        table.add_row(said, *(share(summary["measures"][a][name]) for a in summary["arms"]))
    for name, said, digits in (("steps", "mean steps", 1), ("p50_ms", "p50 ms", 0), ("p95_ms", "p95 ms", 0)):
        found = [summary["measures"][a][name] for a in summary["arms"]]
        table.add_row(said, *("-" if v is None else f"{v:.{digits}f}" for v in found))
    table.add_row("failed", *(str(summary["measures"][a]["failures"]) for a in summary["arms"]))
    Console().print(table)
    Console().print(escape(summary["verdict"]))


def _misses(records: list[dict[str, Any]]) -> None:
    """What the arm that came first got wrong."""
    first = records[0]["arm"]
    wrong = [r for r in records if r["arm"] == first and (r["error"] or r["score"]["why"])]
    for r in wrong:
        Console().print(f"  {escape(r['id'])} ({escape(r['category'])}): {escape(r['error'] or r['score']['why'])}")
