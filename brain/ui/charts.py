"""Evaluation results as charts: shape says which arm, never colour alone, and every chart has a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from brain.ui import text

# Both backgrounds leave these a contrast of 3:1 or more.
COLOURS = ("#3b7dd8", "#c2660c", "#178a7e", "#a1567f", "#7b7f2a")
SYMBOLS = ("diamond", "circle-open", "square-open", "cross", "triangle-up-open")


def dumbbell(summary: Mapping[str, Any], measure: str = "value") -> tuple[go.Figure, str]:
    """Each arm's mean in each category on one line, and what the chart says in words."""
    arms, table = summary["arms"], summary["categories"]
    order = sorted(table, key=lambda c: _mean(table[c], arms[0], measure))
    fig = go.Figure()
    xs: list[float | None] = []
    ys: list[str | None] = []
    for category in order:
        values = [v for arm in arms if (v := table[category][arm][measure]) is not None]
        if len(values) > 1:
            xs += [min(values), max(values), None]
            ys += [text.chart(category), text.chart(category), None]
    fig.add_trace(go.Scatter(x=xs, y=ys, mode="lines", line={"width": 2, "color": "#8a93a1"}, hoverinfo="skip", showlegend=False))
    for i, arm in enumerate(arms):
        fig.add_trace(
            go.Scatter(
                x=[table[c][arm][measure] for c in order],
                y=[text.chart(c) for c in order],
                mode="markers",
                name=text.chart(text.arm(arm)),
                marker={"size": 12, "symbol": SYMBOLS[i % 5], "color": COLOURS[i % 5], "line": {"width": 2}},
                hovertemplate="%{y}: %{x:.2f}<extra>" + text.chart(text.arm(arm)).replace("%{", "% {") + "</extra>",
            )
        )
    _axes(fig, len(order), "Mean score (1 is right)", [-0.03, 1.03])
    said = "; ".join(f"{c}: " + ", ".join(f"{text.arm(a)} {_shown(table[c][a][measure])}" for a in arms) for c in order)
    return fig, f"Mean score by category and arm. {said}."


def differences(pair: Mapping[str, Any]) -> tuple[go.Figure, str]:
    """The paired difference of two arms, overall and by category, each with its 95 % interval."""
    rows = [*pair["categories"].items(), ("all questions", pair["overall"])][::-1]
    names = [text.chart(name) for name, _ in rows]
    mids = [r["difference"] for _, r in rows]
    fig = go.Figure(
        go.Scatter(
            x=mids,
            y=names,
            mode="markers",
            marker={"size": 11, "symbol": "diamond", "color": COLOURS[0]},
            showlegend=False,
            error_x={
                "type": "data",
                "symmetric": False,
                "thickness": 2,
                "color": COLOURS[0],
                "array": [r["high"] - r["difference"] for _, r in rows],
                "arrayminus": [r["difference"] - r["low"] for _, r in rows],
            },
            hovertemplate="%{y}: %{x:+.2f}<extra></extra>",
        )
    )
    fig.add_vline(x=0, line_width=1, line_color="#8a93a1")
    a, b = (text.plain(text.arm(pair[side])) for side in ("a", "b"))
    _axes(fig, len(rows), text.chart(f"{a} minus {b.lower()} (right of 0: {a.lower()} is better)"))
    said = "; ".join(f"{n}: {r['difference']:+.2f} ({r['low']:+.2f} to {r['high']:+.2f})" for n, r in rows[::-1])
    return fig, f"Difference between {a} and {b} with 95 % intervals. {said}."


def draw(chart: tuple[go.Figure, str], key: str) -> None:
    """Put a chart on the page with its text, its words in the ink of the theme."""
    fig, said = chart
    ink = "#e9ecf1" if st.context.theme.type == "dark" else "#11151c"
    fig.update_layout(font_color=ink, legend_font_color=ink)
    fig.update_xaxes(tickfont_color=ink, title_font_color=ink)
    fig.update_yaxes(tickfont_color=ink)
    st.plotly_chart(fig, key=key, alt=said, config={"displayModeBar": False})


def _axes(fig: go.Figure, rows: int, title: str, span: Sequence[float] | None = None) -> None:
    fig.update_layout(
        height=90 + 34 * rows,
        margin={"l": 10, "r": 20, "t": 10, "b": 40},
        xaxis={"title": title, "range": span},
        yaxis={"tickmode": "linear"},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )


def _mean(cells: Mapping[str, Any], arm: str, measure: str) -> float:
    return cells[arm][measure] or 0.0


def _shown(value: float | None) -> str:
    return "not scored" if value is None else f"{value:.2f}"
