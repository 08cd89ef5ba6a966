"""Every step of an investigation under its role, with the query that ran, to run again."""

from __future__ import annotations

import streamlit as st

from brain.incident.findings import Investigation
from brain.types import Step
from brain.ui import rerun, tables, text
from brain.ui.frame import Frame
from brain.ui.incident import role_of


def draw(frame: Frame, inv: Investigation) -> None:
    """Draw the steps, folded; nothing when none was taken."""
    if not inv.steps:
        return
    st.header(f"Steps: {text.arm(inv.arm).lower()}")
    for step in inv.steps:
        role = role_of(step)
        did = step.why.partition(":")[2].strip() if role else step.why
        what = f"{text.safe_md(text.short(did or text.words(step.tool), 110))}, {text.count(len(step.rows), 'row')}"
        title = f"{step.n}\\. {role.capitalize() + ': ' if role else ''}{what}"
        with st.expander(title):
            _step(frame, inv, step)


def _step(frame: Frame, inv: Investigation, step: Step) -> None:
    st.markdown(f"Tool or query: {text.safe_md(step.tool)}")
    if step.error:
        st.error(text.safe_md(step.error))
    tables.show(tables.rows(step.rows), f"Rows of step {step.n}", f"incident_rows_{inv.id}_{step.n}")
    if not step.cypher:
        return
    st.code(step.cypher, language="cypher", wrap_lines=True)
    st.code(text.as_json(dict(step.params)), language="json", wrap_lines=True)
    if st.button("Run again", key=f"incident_again_{inv.id}_{step.n}"):
        rerun.draw(frame, step, inv.as_of)
