"""What is wrong with what is loaded, as a page shows it: a count a check, and every finding with its evidence."""

from __future__ import annotations

import streamlit as st

from brain.health import CHECKS, Finding
from brain.store import graph_name
from brain.types import Viewer
from brain.ui import answers, listing, text
from brain.ui.frame import Frame
from brain.ui.text import esc

SHOWN, OPEN = 100, 8


@st.cache_data(ttl=300, max_entries=20, show_spinner="Looking at what is loaded")
def _found(_frame: Frame, workspace: str, version: str, clearance: tuple[str, ...], groups: tuple[str, ...]) -> dict[str, list[Finding]]:
    return _frame.brain.health(_frame.viewer)


def found(frame: Frame) -> dict[str, list[Finding]]:
    """The findings of every check; worked out once for each state of the graph and each set of rights."""
    who: Viewer = frame.viewer
    version = frame.brain.store.version(graph_name(frame.workspace))
    return _found(frame, frame.workspace, version, tuple(sorted(who.clearance)), tuple(sorted(who.groups)))


def draw(frame: Frame) -> None:
    """Draw every check: how much it found, what that means, and each finding linked to its evidence."""
    results = found(frame)
    total = sum(map(len, results.values()))
    answers.draw(f'<p class="hc-verdict">{esc(_sentence(total, sum(bool(v) for v in results.values())))}</p>')
    asked = st.query_params.get("check", "")
    for check in CHECKS:
        findings = results[check.name]
        with st.expander(f"{check.title}: {len(findings):,}", expanded=check.name == asked if asked else 0 < len(findings) <= OPEN):
            st.markdown(text.safe_md(check.meaning))
            if findings:
                rows = [_row(frame, f) for f in findings[:SHOWN]]
                answers.draw(listing.table(check.title, ("On", "What is wrong", "Where it stands"), rows))
            if len(findings) > SHOWN:
                st.caption(f"{len(findings) - SHOWN:,} more: brain health --check {check.name} --json")


def _sentence(total: int, checks: int) -> str:
    if not total:
        return "Nothing was found to be wrong."
    return f"{text.count(total, 'finding')} in {checks} of {len(CHECKS)} checks."


def _row(frame: Frame, f: Finding) -> tuple[str, str, str]:
    on = listing.link(frame.entity_url(f.key), text.short(f.name or text.key_label(f.key), 80), f.key)
    says = esc(f.says)
    if f.about and f.about_name:
        says = says.replace(esc(f.about_name), listing.link(frame.entity_url(f.about), f.about_name, f.about), 1)
    source = listing.link(frame.entity_url(f.source), text.key_label(f.source), f.source) if f.source else ""
    return f"{on}<br><small>{esc(text.words(f.label))}</small>", says, listing.quote(f.quote, source, f.line)
