"""Runs on disk: a folder with `records.jsonl.gz` (a line a question and arm) and `summary.json`."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brain.errors import BadInput

RUNS = Path(__file__).parent / "runs"
PLAIN, PACKED, SUMMARY = "records.jsonl", "records.jsonl.gz", "summary.json"
KEPT_ROWS, KEPT_NODES = 12, 60
Record = dict[str, Any]


@dataclass(frozen=True)
class Run:
    """A finished or interrupted run; `records` in the order in which they were made."""

    name: str
    records: tuple[Record, ...]
    summary: Mapping[str, Any]

    @property
    def arms(self) -> list[str]:
        """The arms in the order in which they were asked."""
        return list(dict.fromkeys(r["arm"] for r in self.records))

    @property
    def categories(self) -> list[str]:
        """The categories in the order of the set."""
        return list(dict.fromkeys(r["category"] for r in self.records))

    def by_question(self) -> dict[str, dict[str, Record]]:
        """Question id -> arm -> record, questions in the order of the set."""
        out: dict[str, dict[str, Record]] = {}
        for record in self.records:
            out.setdefault(record["id"], {})[record["arm"]] = record
        return out


def names(folder: Path = RUNS) -> list[str]:
    """Names of the runs in a folder, newest summary first."""
    if not folder.is_dir():
        return []
    runs = [p for p in folder.iterdir() if (p / PACKED).exists() or (p / PLAIN).exists()]
    return [p.name for p in sorted(runs, key=lambda p: (-_created(p), p.name))]


def _created(run: Path) -> float:
    summary = run / SUMMARY
    return json.loads(summary.read_text(encoding="utf-8")).get("created", 0) if summary.exists() else 0


def load(run: Path | str, folder: Path = RUNS) -> Run:
    """A run by its folder or by its name in `folder`."""
    path = Path(run) if Path(run).is_dir() else folder / str(run)
    if not (path / PACKED).exists() and not (path / PLAIN).exists():
        raise BadInput(f"{path}: no run there; those recorded are {', '.join(names(folder)) or 'none'}")
    summary = path / SUMMARY
    return Run(path.resolve().name, tuple(read(path)), json.loads(summary.read_text(encoding="utf-8")) if summary.exists() else {})


def read(path: Path) -> Iterator[Record]:
    """The records of a run's folder; a last line cut short by a crash is left out."""
    packed, plain = path / PACKED, path / PLAIN
    if packed.exists():
        with gzip.open(packed, "rt", encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines)
    elif plain.exists():
        with plain.open(encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines if line.endswith("\n"))


def pack(path: Path) -> None:
    """Compresses the records of a finished run, the same bytes for the same records."""
    plain = path / PLAIN
    if plain.exists():
        fresh = path / (PACKED + ".new")
        with fresh.open("wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as out:
            out.write(plain.read_bytes())
        fresh.replace(path / PACKED)
        plain.unlink()


def slim(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The answer as a record keeps it: first rows of each step, keys instead of whole nodes."""
    out = {k: v for k, v in answer.items() if k not in ("rights", "gold_open")}
    out["steps"] = [_slim_step(s) for s in answer.get("steps") or ()]
    evidence = answer.get("evidence") or {}
    out["evidence"] = {"nodes": _keys(evidence.get("nodes")), "edges": _edges(evidence.get("edges"))}
    return out


def _slim_step(step: Mapping[str, Any]) -> dict[str, Any]:
    rows = step.get("rows") or []
    kept, total = ([], rows) if isinstance(rows, int) else (list(rows[:KEPT_ROWS]), len(rows))
    return {**step, "rows": kept, "rows_total": total, "nodes": _keys(step.get("nodes")), "edges": _edges(step.get("edges"))}


def _keys(nodes: Iterable[Any] | None) -> list[str]:
    found = [n if isinstance(n, str) else str(n.get("key", "")) for n in nodes or () if isinstance(n, str | Mapping)]
    return found[:KEPT_NODES]


def _edges(edges: Iterable[Any] | None) -> list[Any]:
    return [{k: e.get(k) for k in ("src", "rel", "dst")} if isinstance(e, Mapping) else e for e in list(edges or ())[:KEPT_NODES]]
