"""How often one step from what a viewer may see reaches something hidden, with the filter and without, in words and as a chart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from brain.ui import answers, charts, listing, text
from brain.ui.text import esc

MEASURES = {
    "rpr": ("Risk", "Share of seeds from which something hidden is reached"),
    "leakage": ("Leakage", "Hidden things among the first results, on average"),
    "amplification": ("Amplification", "Leakage of the graph over that of passages"),
    "pivot_depth": ("Depth", "Hops to the first hidden thing"),
}


def sentence(result: Mapping[str, Any]) -> str:
    """The risk of each arm with the filter and without."""
    arms = result["arms"]
    risk = {text.arm(a).lower(): (_number(m["on"].get("rpr")), _number(m["off"].get("rpr"))) for a, m in arms.items()}
    parts = "; ".join(f"{arm} {on} with the filter, {off} without" for arm, (on, off) in risk.items())
    return f"Share of seeds that reach something hidden: {parts} ({text.count(result['seeds'], 'seed')}, first {result['k']})"


def draw(result: Mapping[str, Any]) -> None:
    """Draw the risk as bars, and every measure as a table."""
    charts.draw(_chart(result), "access_pivot_chart")
    rows = []
    for arm, both in result["arms"].items():
        for side, name in (("on", "with the filter"), ("off", "without")):
            rows.append([esc(text.arm(arm)), name, *_measured(both[side]), f"{both[side].get('items', 0):,}"])
    columns = ("Arm", "Filter", *(short for short, _ in MEASURES.values()), "Results")
    answers.draw(listing.table("Measures with the filter and without", columns, rows))
    answers.draw(f'<p class="hc-note">{esc(". ".join(f"{short}: {words.lower()}" for short, words in MEASURES.values()))}.</p>')


def _measured(measures: Mapping[str, Any]) -> list[str]:
    """Every measure as it stands in the table; empty where it says nothing."""
    shown = {name: measures.get(name) for name in MEASURES}
    return ["" if v is None else f"{v:g}" if name == "pivot_depth" else _number(v) for name, v in shown.items()]


def _chart(result: Mapping[str, Any]) -> tuple[go.Figure, str]:
    arms = list(result["arms"])[::-1]
    names = [text.arm(a) for a in arms]
    fig = go.Figure()
    for side, name, pattern in (("off", "Without the filter", "/"), ("on", "With the filter", "")):
        values = [result["arms"][a][side].get("rpr") or 0.0 for a in arms]
        marker = {"color": charts.COLOURS[side == "off"], "pattern": {"shape": pattern}}
        shown = {"text": [f"{v:.2f}" for v in values], "textposition": "outside"}
        fig.add_trace(go.Bar(x=values, y=names, orientation="h", name=name, marker=marker, **shown))
    fig.update_layout(
        height=110 + 70 * len(arms), margin={"l": 10, "r": 30, "t": 10, "b": 40}, barmode="group",
        xaxis={"title": "Share of seeds that reach something hidden", "range": [0, 1.1]},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "reversed"},
    )  # fmt: skip
    return fig, sentence(result)


def _number(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, int | float) and not isinstance(value, bool) else "none"
