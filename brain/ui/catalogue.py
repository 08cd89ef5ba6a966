"""Queries of the catalogue run from a page, and how long they took in this process."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from functools import cache
from statistics import median
from typing import Any

import pandas as pd
import streamlit as st

from brain.catalogue import Query, shipped
from brain.errors import HopcheckError
from brain.tools import filtering
from brain.types import Result, Step
from brain.ui.frame import Frame

Times = dict[str, deque[tuple[float, float, int]]]
KEPT = 50


@st.cache_resource(show_spinner=False, max_entries=KEPT)
def _times(workspace: str, clearance: tuple[str, ...], groups: tuple[str, ...]) -> Times:
    return defaultdict(lambda: deque(maxlen=20))


def times(frame: Frame) -> Times:
    """By query, the last runs in this process of viewers with these rights in this workspace: wall milliseconds, server
    milliseconds, rows. What others found says how much there is that one may not see.
    """
    who = frame.viewer
    return _times(frame.workspace, tuple(sorted(who.clearance)), tuple(sorted(who.groups)))


def run(frame: Frame, query: Query, values: Mapping[str, Any]) -> Result:
    """What the query gives this viewer now; its time is remembered."""
    result = frame.brain.store.run(query, frame.workspace, values, frame.viewer, frame.brain.present())
    times(frame)[query.name].append((result.ms, result.server_ms, len(result.rows)))
    return result


def measure(frame: Frame, query: Query) -> None:
    """Run the query's example three times, so that the median leaves the first run out."""
    for _ in range(3):
        try:
            run(frame, query, query.example)
        except HopcheckError:
            return


def row(query: Query, runs: deque[tuple[float, float, int]] | None) -> dict[str, Any]:
    """The query as a row of the catalogue table, with median times where it ran."""
    return {
        "query": query.name,
        "topic": query.topic,
        "use": "tool" if query.kind == "query" else "part of tools",
        "ms": round(median(r[0] for r in runs), 2) if runs else None,
        "server ms": round(median(r[1] for r in runs), 2) if runs else None,
        "rows": runs[-1][2] if runs else None,
        "what it gives": query.description,
        "how it is filtered": filtering.of_query(query),
        "parameters": ", ".join(f"{p.name}: {p.type}" for p in query.params),
    }


def tools(frame: Frame) -> pd.DataFrame:
    """Every tool with how it is filtered and the queries it can run."""
    return pd.DataFrame(_filters(tuple(frame.brain.tools)), columns=["tool", "how it is filtered", "queries it can run"])


@cache
def _filters(names: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """Read from the program's own texts, which takes a second."""
    known = shipped()
    return [(name, filtering.of_tool(known, name), ", ".join(filtering.queries_of(known, name))) for name in names]


def step(query: Query, values: Mapping[str, Any], result: Result) -> Step:
    """The result as the one step it is, for drawing."""
    return Step(
        1,
        query.name,
        query.description,
        dict(values),
        result.query,
        result.params,
        result.rows,
        result.nodes,
        result.edges,
        result.ms,
        result.server_ms,
    )
