"""The time axis of an investigation: deployments, tickets, alerts and messages, as a chart and as a table."""

from __future__ import annotations

from datetime import UTC, datetime

import plotly.graph_objects as go
import streamlit as st

from brain.incident import telling, timeline
from brain.incident.findings import Event, Investigation
from brain.ui import answers, charts, listing, text
from brain.ui.incident_result import STANDINGS, Link
from brain.ui.text import esc

MARKS = {
    "cause": ("star-diamond", 17, charts.COLOURS[1]),
    "rival": ("diamond", 14, charts.COLOURS[0]),
    "": ("circle-open", 10, charts.COLOURS[2]),
}
NAMES = {"cause": "Cause", "rival": "Could be", "": "Other"}
TOLD = 30


def draw(inv: Investigation, link: Link) -> None:
    """Draw the time axis; nothing when nothing on it is known."""
    events = timeline.marked(inv, timeline.timeline(inv))
    if not events:
        return
    st.header("Time axis")
    charts.draw(chart(inv, events), key=f"incident_time_{inv.id}")
    rows = [_row(inv, e, standing, link) for e, standing in events]
    with st.expander(f"As a table: {text.count(len(rows), 'event')}"):
        answers.draw(listing.table("Time axis", ("When", "Relative", "Kind", "What", "Suspect"), rows))


def _row(inv: Investigation, e: Event, standing: str, link: Link) -> tuple[str, ...]:
    kind = timeline.KINDS.get(e.kind, text.words(e.kind))
    what = listing.link(link(e.key) if e.key else "", text.short(timeline.said(inv, e), 160), e.key)
    return telling.clock(e.at), esc(telling.before(inv, e.at)), esc(kind), what, listing.badge(*STANDINGS[standing]) if standing else ""


def chart(inv: Investigation, events: list[tuple[Event, str]]) -> tuple[go.Figure, str]:
    """The events by kind over time, the alert as a line, and what the chart says in words."""
    fig = go.Figure()
    kinds = [k for k in timeline.KINDS if any(e.kind == k for e, _ in events)][::-1]
    for standing, name in NAMES.items():
        shown = [e for e, s in events if (s if s in NAMES else "") == standing]
        symbol, size, colour = MARKS[standing]
        fig.add_trace(go.Scatter(
            x=[_instant(e.at) for e in shown],
            y=[text.chart(timeline.KINDS.get(e.kind, e.kind)) for e in shown],
            mode="markers",
            name=name,
            marker={"size": size, "symbol": symbol, "color": colour, "line": {"width": 2}},
            text=[text.chart(text.short(timeline.said(inv, e), 90)) for e in shown],
            hovertemplate="%{text}<br>%{x|%Y-%m-%d %H:%M} UTC<extra></extra>",
            showlegend=bool(shown),
        ))  # fmt: skip
    if inv.signal.at:
        fig.add_vline(x=_instant(inv.signal.at), line_width=2, line_dash="dot", line_color="#8a93a1")
    fig.update_layout(
        height=130 + 40 * len(kinds),
        margin={"l": 10, "r": 20, "t": 10, "b": 40},
        xaxis={"title": "UTC; the dotted line is the alert"},
        yaxis={"categoryorder": "array", "categoryarray": [timeline.KINDS[k] for k in kinds], "tickmode": "linear"},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )
    told = "; ".join(f"{telling.minute(e.at)} {timeline.said(inv, e)}" for e, _ in events[:TOLD])
    more = f"; and {len(events) - TOLD} more in the table" if len(events) > TOLD else ""
    return fig, text.plain(f"What happened around the alert, by kind and time, UTC. {told}{more}.")


def _instant(epoch: int) -> datetime:
    """The instant without its zone: with one the axis would show the reader's own."""
    return datetime.fromtimestamp(epoch, UTC).replace(tzinfo=None)
