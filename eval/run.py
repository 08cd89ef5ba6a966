"""Asks every question of a set in every arm and keeps each answer, with its score, the moment it is there."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from brain.errors import BadInput, Cancelled
from eval import records, summary, usage
from eval.questions import Question
from eval.scores import failed, score

BUILTIN = "builtin"
Ask = Callable[[Question, str], Mapping[str, Any]]
Progress = Callable[[int, int, records.Record], None]


def run(
    questions: Sequence[Question], arms: Sequence[str], ask: Ask, out_dir: Path, *, name_of_set: str = "", progress: Progress | None = None,
    cancel: Callable[[], bool] = lambda: False, clock: Callable[[], float] = time.time, engine: str = BUILTIN,
) -> records.Run:
    """The run, finished and written to `out_dir`; what an earlier, interrupted run wrote there is not asked again.

    `ask` gives the answer of one arm in the shape of `brain ask --json`, with the `rights` it was asked with and `gold_open` (see
    `eval.rights`), or `failed` and what was `spent` on it. Whatever it raises is a miss with the error kept, but `Cancelled`, which
    ends the run. When `cancel` says so, `Cancelled` is raised after the answer in hand; the rest is kept.
    """
    out_dir.mkdir(parents=True, exist_ok=True)
    done = _done(out_dir, questions, engine)
    total = len(questions) * len(arms)
    with (out_dir / records.PLAIN).open("a", encoding="utf-8") as out:
        for question in questions:
            for arm in arms:
                if (question.id, arm) in done:
                    continue
                if cancel():
                    raise Cancelled(f"stopped after {len(done)} of {total}; the same command goes on from there")
                record = one(question, arm, ask, engine)
                out.write(json.dumps(record, ensure_ascii=False, default=str) + "\n")
                out.flush()
                done.add((question.id, arm))
                if progress:
                    progress(len(done), total, record)
    return _finish(out_dir, name_of_set, clock())


def one(question: Question, arm: str, ask: Ask, engine: str = BUILTIN) -> records.Record:
    """One question in one arm, asked, timed and scored."""
    started = time.perf_counter()
    answer: Mapping[str, Any] | None = None
    error = None
    try:
        answer = ask(question, arm)
        error = answer.get("failed")
        marks = failed(question) if error else score(question, answer)
    except Cancelled:
        raise
    except Exception as problem:  # a failing arm is a recorded miss, whatever failed
        marks, error = failed(question), f"{type(problem).__name__}: {problem}"
    ms = (time.perf_counter() - started) * 1000
    asked = answer if answer is not None and error is None else {}
    return {
        "id": question.id, "category": question.category, "cluster": question.cluster, "arm": arm, "question": question.question,
        "gold": question.gold, "match": question.match, "sources": question.sources, "viewer": question.viewer, "as_of": question.as_of,
        "score": asdict(marks), "ms": round(ms, 2), "answer": records.slim(asked) if asked else None, "error": error,
        "rights": asked.get("rights"), "gold_open": bool(asked.get("gold_open")),
        **({} if engine == BUILTIN else {"engine": engine, "model": usage.of(asked) or usage.of_failure(*_spent(answer))}),
    }


def _spent(answer: Mapping[str, Any] | None) -> tuple[int, float | None]:
    tokens, usd = (answer or {}).get("spent") or (0, None)
    return int(tokens), usd


def remaining(questions: Sequence[Question], arms: Sequence[str], out_dir: Path) -> list[tuple[Question, str]]:
    """What a run in that folder still has to ask."""
    there = {(r["id"], r["arm"]) for r in records.read(out_dir)}
    return [(q, arm) for q in questions for arm in arms if (q.id, arm) not in there]


def _done(out_dir: Path, questions: Sequence[Question], engine: str) -> set[tuple[str, str]]:
    packed, plain = out_dir / records.PACKED, out_dir / records.PLAIN
    kept = list(records.read(out_dir))
    known = {q.id: q for q in questions}
    for record in kept:
        question = known.get(record["id"])
        if question is None or question.question != record["question"]:
            raise BadInput(f"{out_dir}: holds a run of another set ({record['id']}); name another folder or remove this one")
        if (was := record.get("engine", BUILTIN)) != engine:
            raise BadInput(f"{out_dir}: holds a run of the engine {was}; name another folder or remove this one")
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in kept)
    plain.write_text(text, encoding="utf-8")
    packed.unlink(missing_ok=True)
    return {(r["id"], r["arm"]) for r in kept}


def _finish(out_dir: Path, name_of_set: str, now: float) -> records.Run:
    made = summary.summarise(list(records.read(out_dir)))
    made |= {"set": name_of_set, "created": int(now)}
    (out_dir / records.SUMMARY).write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    records.pack(out_dir)
    return records.load(out_dir)
