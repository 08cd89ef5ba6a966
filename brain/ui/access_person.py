"""How much of what is loaded somebody may read: the sums, a bar for each access label, every type in a table, what groups open."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from brain import viewers
from brain.audit import grants, meter
from brain.audit.meter import NO_LABEL, ORDER, Meter
from brain.ui import answers, charts, listing, text
from brain.ui.access import Look
from brain.ui.text import esc


def draw(at: Look) -> None:
    """Draw the meter of the person that was chosen, or of whoever looks."""
    who = at.viewer()
    told = meter.sees(at.asking, who) if at.admin else meter.own(at.asking)
    answers.draw(_headline(told))
    if at.admin:
        charts.draw(_bars(told), "access_meter")
        st.caption("To see every page as they do, choose them under View as at the side; it is noted.")
    st.subheader("What groups open")
    if told.given:
        rows = [(listing.link(at.frame.entity_url(g.group), g.name, g.group), esc(text.count(g.n, "thing")), _of(g.of)) for g in told.given]
        answers.draw(listing.table("What groups open beyond what every member may read", ("Group", "Opens", "Of which"), rows))
    else:
        st.markdown("No group opens anything beyond what every member may read.")
    if at.admin:
        _memberships(at)
    for kind, title in (("source", "Sources"), ("structure", "Everything they hang together by"), ("passage", "Passages")):
        _table(told, kind, title, at.admin)


def _headline(told: Meter) -> str:
    if told.total is None:
        said = f"{'source' if told.seen == 1 else 'sources'} that you may read."
        return f'<p class="hc-gauge" role="status"><b>{told.seen:,}</b><span>{said}</span></p>'
    said = f"of {text.count(told.total, 'source')} hidden from {told.viewer}, who reads {told.seen:,}."
    return f'<p class="hc-gauge" role="status"><b>{told.hidden:,}</b><span>{esc(said)}</span></p>'


def _table(told: Meter, kind: str, title: str, admin: bool) -> None:
    """A row for each type, a column for each label; for an administrator also how many are hidden."""
    counts = {(c.label, c.access): c for c in told.counts if c.kind == kind}
    if not counts:
        return
    labels = [a for a in ORDER if any(access == a for _, access in counts)]
    st.subheader(title)
    rows = []
    for name in dict.fromkeys(label for label, _ in counts):
        found = [counts.get((name, a)) for a in labels]
        cells = ["" if c is None else f"{c.seen:,} of {c.total:,}" if admin else f"{c.seen:,}" for c in found]
        hidden = sum((c.total or 0) - c.seen for c in found if c is not None)
        rows.append((esc("Passage" if name == "Chunk" else text.words(name)), *cells, *([_hidden(hidden)] if admin else ())))
    columns = ("Type", *labels, *(["Hidden"] if admin else ()))
    answers.draw(listing.table(f"{title} that may be read, by type and access label", columns, rows))


def _hidden(n: int) -> str:
    return f"<b>{n:,}</b>" if n else "0"


def _of(counts: dict[str, int]) -> str:
    return esc(", ".join(text.count(n, text.words(label).lower()) for label, n in counts.items()))


def _bars(told: Meter) -> tuple[go.Figure, str]:
    """The share of the sources of each label that is read; counts stand in the words beside the bars."""
    shown = {a: (seen, total or 0) for a, (seen, total) in told.by_access().items() if total}
    names = list(shown)[::-1]
    share = [shown[a][0] / shown[a][1] for a in names]
    fig = go.Figure()
    for values, name, i, pattern in ((share, "Read", 0, ""), ([1 - s for s in share], "Hidden", 1, "/")):
        style = {"color": charts.COLOURS[i], "pattern": {"shape": pattern}}
        over = "%{y}: %{x:.0%}<extra>" + name + "</extra>"
        fig.add_trace(go.Bar(x=values, y=names, orientation="h", name=name, marker=style, hovertemplate=over))
    ticks = [f"{a}: {shown[a][0]:,} of {shown[a][1]:,}" for a in names]
    fig.update_layout(
        height=130 + 34 * len(names), margin={"l": 10, "r": 20, "t": 10, "b": 45}, barmode="stack",
        xaxis={"title": "Share of the sources of this label", "tickformat": ".0%", "range": [0, 1]},
        yaxis={"tickvals": names, "ticktext": ticks},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )  # fmt: skip
    said = "; ".join(f"{a if a == NO_LABEL else a + ' sources'}: {seen:,} of {total:,} read" for a, (seen, total) in shown.items())
    return fig, f"What {told.viewer} reads of the sources. {said}."


def _memberships(at: Look) -> None:
    """Every membership of the person, also those that grant nothing now, with where it is stated."""
    found = viewers.person(at.person, at.asking)
    rows = at.asking.run("memberships", person=found[0]).rows if found else ()
    links = [grants.link(row, at.asking.as_of) for row in rows]
    if not links:
        return
    st.subheader("Groups, now and before")
    cells = [(esc(grants.says(m)), state(m.state), stated(at, m)) for m in sorted(links, key=lambda m: (m.state != "holds", m.rel, m.dst))]
    answers.draw(listing.table("Memberships, those that hold first", ("Membership", "Counts", "Where it is stated"), cells))


def state(word: str) -> str:
    """What a membership is worth, as a badge."""
    kinds = {"holds": ("✓ holds", "supported"), "ended": ("✗ ended", "contradicted"), "left": ("✗ left", "contradicted")}
    return listing.badge(*kinds.get(word, (f"? {word}", "unsupported")))


def stated(at: Look, link: grants.Link) -> str:
    """Where a membership is stated, with the words."""
    if not link.source:
        return ""
    is_key = link.source.partition(":")[0] == "doc"
    source = listing.link(at.frame.entity_url(link.source), text.key_label(link.source), link.source) if is_key else esc(link.source)
    return listing.quote(link.quote, source, link.line)
