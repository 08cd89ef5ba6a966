"""Replays every alert of a set in every arm, and keeps what each said with its score; a failing arm is a recorded miss."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from brain.errors import BadInput
from eval.incidents import measures, scoring
from eval.incidents.replay import Replay
from eval.incidents.scoring import Said, Stands

RUNS = Path(__file__).parents[1] / "runs"
LINES, SUMMARY = "replays.jsonl.gz", "summary.json"
ARMS = ("graph", "vector", "baseline")
Record = dict[str, Any]
# What an arm says of an alert, how to tell whether a way stands in the graph, and with which rights it was asked.
Look = Callable[[Replay, str], tuple[Said, Stands | None, Mapping[str, list[str]] | None]]


def run(
    replays: Sequence[Replay], arms: Sequence[str], look: Look, *, name_of_set: str = "",
    progress: Callable[[str, int, int], None] = lambda *a: None, clock: Callable[[], float] = time.time,
) -> tuple[list[Record], dict[str, Any]]:
    """The records in the order of the set, and their summary."""
    records: list[Record] = []
    total = len(replays) * len(arms)
    for replay in replays:
        for arm in arms:
            records.append(one(replay, arm, look))
            progress(replay.id, len(records), total)
    return records, {**_summary(records), "set": name_of_set, "created": int(clock())}


def one(replay: Replay, arm: str, look: Look) -> Record:
    """One alert in one arm, looked at and scored."""
    told, error, rights = None, None, None
    try:
        told, stands, rights = look(replay, arm)
        marks = scoring.score(replay, told, stands)
    except Exception as problem:  # a failing arm is a recorded miss, whatever failed
        marks, error = scoring.failed(replay), f"{type(problem).__name__}: {problem}"
    said = asdict(told) if told is not None and error is None else None
    return {
        **{k: v for k, v in asdict(replay).items() if not k.startswith("baseline")}, "arm": arm, "said": said, "score": asdict(marks),
        "error": error, "rights": rights,
    }  # fmt: skip


def _summary(records: Sequence[Record]) -> dict[str, Any]:
    made = measures.summarise(records)
    return {**made, "verdict": measures.verdict(made)}


def keep(folder: Path, records: Sequence[Record], summary: Mapping[str, Any]) -> None:
    """Writes a run; the same bytes for the same records."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)
    with (folder / LINES).open("wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as out:
        out.write(text.encode())
    (folder / SUMMARY).write_text(json.dumps(summary, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def load(folder: Path) -> tuple[list[Record], dict[str, Any]]:
    """A run that was kept, summed up anew. Raises BadInput when there is none."""
    if not (folder / LINES).exists():
        raise BadInput(f"{folder}: no replayed alerts there; make some: brain eval incidents --out {folder.name}")
    with gzip.open(folder / LINES, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    kept = json.loads((folder / SUMMARY).read_text(encoding="utf-8")) if (folder / SUMMARY).exists() else {}
    return records, {**kept, **_summary(records)}


def names(folder: Path = RUNS) -> list[str]:
    """The runs of replayed alerts in a folder, the one made last first."""
    found = [p.parent for p in folder.glob(f"*/{SUMMARY}") if (p.parent / LINES).exists()]
    return [p.name for p in sorted(found, key=lambda p: (-json.loads((p / SUMMARY).read_text("utf-8")).get("created", 0), p.name))]


def found(own: Path) -> dict[str, Path]:
    """Every run of replayed alerts by its name: those in this folder, then the shipped ones."""
    return {name: folder / name for folder in (RUNS, own) for name in names(folder)}
