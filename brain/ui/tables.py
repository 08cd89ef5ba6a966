"""What the drawings say, as tables. Cells are shown as text, so nothing in them is live, here or in the file a reader takes along."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import pandas as pd
import streamlit as st

from brain.types import Answer, Step
from brain.ui import text
from brain.ui.graph import Picture

ROW_LIMIT = 500


def nodes(pic: Picture) -> pd.DataFrame:
    """Every drawn node: hop, kind, name, key, whether a verified path runs through it."""
    return pd.DataFrame(
        [
            {
                "hop": pic.hop_of(n.key),
                "kind": text.words(n.label),
                "name": text.plain(n.name),
                "key": n.key,
                "verified path": "yes" if n.key in pic.gold else "",
            }
            for n in pic.nodes
        ],
        columns=["hop", "kind", "name", "key", "verified path"],
    )


def edges(pic: Picture) -> pd.DataFrame:
    """Every drawn relation: from, what, to, when, whether a verified path uses it."""
    return pd.DataFrame(
        [
            {
                "from": e.src,
                "relation": text.words(e.rel),
                "to": e.dst,
                "at": text.when(e.props.get("at")),
                "verified path": "yes" if pic.golden(e) else "",
            }
            for e in pic.edges
        ],
        columns=["from", "relation", "to", "at", "verified path"],
    )


def steps(answer: Answer) -> pd.DataFrame:
    """Every step of a run: tool, why, rows, wall and server milliseconds, error."""
    return pd.DataFrame([_step(s) for s in answer.steps])


def _step(step: Step) -> dict[str, Any]:
    return {
        "step": step.n,
        "tool": step.tool,
        "why": text.plain(step.why),
        "rows": len(step.rows),
        "ms": round(step.ms, 1),
        "server ms": round(step.server_ms, 1),
        "error": text.plain(step.error or ""),
    }


def rows(found: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Result rows for showing: instants as dates, lists on one line, long text cut."""
    return pd.DataFrame([{str(k): cell(str(k), v) for k, v in row.items()} for row in list(found)[:ROW_LIMIT]])


def cell(name: str, value: Any) -> Any:
    """One value as a table shows it; numbers stay numbers."""
    if name == "at" or name.endswith("_at"):
        return text.when(value) or (None if value == 0 else value)  # a column of dates holds no number beside them
    if isinstance(value, list | tuple):
        return text.short(", ".join(map(str, value)), 300)
    if isinstance(value, Mapping):
        return text.short(", ".join(f"{k}: {v}" for k, v in value.items()), 300)
    return text.short(value, 300) if isinstance(value, str) else value


def show(frame: pd.DataFrame, alt: str, key: str, height: int | Literal["auto", "content"] = "auto", missing: str = "") -> None:
    """Draw a table with a name for screen readers, or say that there is nothing in it; `missing` stands where there is no value."""
    if frame.empty:
        st.caption("Nothing to list.")
        return
    shown = frame.map(text.in_sheet).rename(columns=text.plain)
    st.dataframe(shown, key=key, alt=alt, hide_index=True, height=height, placeholder=missing)


def evidence(pic: Picture, key: str) -> None:
    """The drawn graph as two tables under one fold."""
    with st.expander(f"As a table: {text.count(len(pic.nodes), 'node')}, {text.count(len(pic.edges), 'relation')}"):
        show(nodes(pic), "Nodes of the evidence graph", f"{key}_nodes")
        show(edges(pic), "Relations of the evidence graph", f"{key}_edges")
