"""A run of a question set as tables and answers, out of its plain records; knows nothing of who made them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from brain.errors import SchemaError
from brain.schema import label_of
from brain.types import Answer, Claim, Edge, Node, Quote, Step, Usage
from brain.ui import answers, text

Record = Mapping[str, Any]
COLUMNS = {
    "value": "score",
    "exact": "fully right",
    "source_recall": "source recall",
    "support": "citations supported",
    "p50_ms": "median ms",
    "p95_ms": "95 % within ms",
}


def by_category(summary: Mapping[str, Any]) -> pd.DataFrame:
    """A row for each category and arm, the whole set last."""
    cells = [(c, a, cell) for c, arms in summary["categories"].items() for a, cell in arms.items()]
    cells += [("all questions", a, cell) for a, cell in summary["overall"].items()]
    return pd.DataFrame(
        [
            {
                "category": category,
                "arm": text.arm(arm),
                "questions": cell["n"],
                **{name: _rounded(cell.get(key), 0 if key.endswith("_ms") else 2) for key, name in COLUMNS.items()},
                "failures": cell["failures"],
            }
            for category, arm, cell in cells
        ]
    )


def models(table: Sequence[Sequence[str]]) -> pd.DataFrame:
    """What a model took, a row an arm, out of a header and its rows."""
    head, *rows = table
    return pd.DataFrame([[text.arm(arm), *map(text.plain, rest)] for arm, *rest in rows], columns=list(head))


def _rounded(value: float | None, digits: int = 2) -> float | None:
    return None if value is None else round(float(value), digits)


def questions(grouped: Mapping[str, Mapping[str, Record]], arms: Sequence[str]) -> pd.DataFrame:
    """A row for each question: its category, each arm's score, its words, its right answer."""
    return pd.DataFrame(
        [
            {
                "id": name,
                "category": first["category"],
                **{text.arm(a): _rounded(by_arm[a]["score"]["value"]) for a in arms if a in by_arm},
                "question": text.plain(first["question"]),
                "gold": text.short(gold(first), 120),
            }
            for name, by_arm in grouped.items()
            if (first := next(iter(by_arm.values())))
        ]
    )


def differing(grouped: Mapping[str, Mapping[str, Record]], how: str) -> dict[str, Mapping[str, Record]]:
    """The questions that `how` keeps: all, those where the arms differ, or where the first arm is not right."""

    def kept(by_arm: Mapping[str, Record]) -> bool:
        values = [r["score"]["value"] for r in by_arm.values()]
        if how == "differ":
            return max(values) - min(values) > 1e-9
        return how == "all" or values[0] < 1

    return {name: by_arm for name, by_arm in grouped.items() if kept(by_arm)}


def gold(record: Record) -> str:
    """The right answer on one line; where several will do they are joined by `or`."""
    parts = [" or ".join(map(str, g)) if isinstance(g, list | tuple) else str(g) for g in record["gold"]]
    return ", ".join(parts) or "nothing"


def heading(record: Record) -> None:
    """Draw a question with its right answer."""
    st.subheader(text.safe_md(record["question"]))
    st.markdown(f"Right answer ({text.safe_md(record['match'])}): {text.safe_md(gold(record))}")


def marks(record: Record) -> str:
    """An answer's marks in one line; what has none says so."""
    score = record["score"]
    names = {"value": "score", "source_recall": "source recall", "cited_recall": "cited", "support": "supported"}
    shown = (f"{name} {'not scored' if score[key] is None else format(score[key], '.2f')}" for key, name in names.items())
    took = (record.get("model") or {}).get("prompt_tokens", 0) + (record.get("model") or {}).get("completion_tokens", 0)
    tokens = f", {text.count(took, 'token')}" if took else ""
    return ", ".join(shown) + f", {text.took(record['ms'])}{tokens}"


def answer(record: Record) -> Answer | None:
    """The record's answer for drawing, or nothing where the arm failed."""
    raw = record.get("answer")
    if not raw:
        return None
    steps = tuple(_step(s) for s in raw.get("steps") or ())
    usage = {k: v for k, v in (raw.get("usage") or {}).items() if k in Usage.__dataclass_fields__}
    return Answer(
        raw.get("run", ""),
        raw["question"],
        raw["arm"],
        raw.get("engine", ""),
        raw.get("viewer", ""),
        raw.get("as_of") or 0,
        raw["state"],
        raw.get("text") or "",
        tuple(map(str, raw.get("items") or ())),
        tuple(_claim(c) for c in raw.get("claims") or ()),
        tuple(_claim(c) for c in raw.get("dropped") or ()),
        steps,
        tuple(n for s in steps for n in s.nodes),
        tuple(e for s in steps for e in s.edges),
        (),
        Usage(**usage),
    )


def draw(record: Record, link: Callable[[str], str]) -> None:
    """Draw one arm's answer to a question of the set: its marks, the answer, and every step."""
    st.markdown(f"#### {text.safe_md(text.arm(record['arm']))}")
    st.markdown(text.safe_md(marks(record)))
    given = answer(record)
    if given is None:
        st.error(f"This arm failed: {text.safe_md(record['error'])}")
        return
    answers.draw(answers.answer_html(given, link))
    answers.draw(answers.trace_html(given))


def _claim(raw: Mapping[str, Any]) -> Claim:
    quotes = tuple(Quote(q["source"], q.get("line", 0), q["text"]) for q in raw.get("quotes") or ())
    return Claim(
        raw["text"],
        tuple(raw.get("cites") or ()),
        quotes,
        raw.get("verdict", "unsupported"),
        raw.get("hops") or 0,
        tuple(raw.get("path") or ()),
        raw.get("reason") or "",
    )


def _step(raw: Mapping[str, Any]) -> Step:
    return Step(
        raw["n"],
        raw["tool"],
        raw.get("why") or "",
        raw.get("args") or {},
        raw.get("cypher") or "",
        raw.get("params") or {},
        tuple(r for r in _list(raw.get("rows")) if isinstance(r, Mapping)),
        tuple(_node(n) for n in _list(raw.get("nodes"))),
        tuple(_edge(e) for e in _list(raw.get("edges"))),
        raw.get("ms") or 0.0,
        raw.get("server_ms") or 0.0,
        raw.get("error"),
    )


def _list(raw: Any) -> Sequence[Any]:
    return raw if isinstance(raw, list | tuple) else ()


def _edge(raw: Mapping[str, Any] | Sequence[str]) -> Edge:
    return Edge(raw["src"], raw["rel"], raw["dst"]) if isinstance(raw, Mapping) else Edge(raw[0], raw[1], raw[2])


def _node(raw: str | Mapping[str, Any]) -> Node:
    key = raw if isinstance(raw, str) else str(raw["key"])
    name = "" if isinstance(raw, str) else str(raw.get("name", ""))
    try:
        return Node(key, label_of(key), name or key)
    except SchemaError:
        return Node(key, "", name or key)
