"""Cypher of one's own on the Queries page: a field for administrators, the tool's sentence for everybody else."""

from __future__ import annotations

import streamlit as st

from brain.errors import HopcheckError
from brain.sandbox.guard import LENGTH
from brain.tools.freeform import REFUSED, allowed, sandbox
from brain.types import Result, Step
from brain.ui import graph, tables, text
from brain.ui.frame import Frame

EXAMPLE = "MATCH (t:Team) RETURN t.key, t.name LIMIT 10"
_RESULT = "queries_cypher_result"


def section(frame: Frame) -> None:
    """Draws the fold with the field and the last result. A link fills the field (`cypher`); it runs when its button is pressed."""
    linked = st.query_params.get("cypher", "")
    with st.expander("Cypher of your own", expanded=bool(linked) or _RESULT in st.session_state):
        if not allowed(frame.viewer):
            st.info(text.safe_md(REFUSED[0].upper() + REFUSED[1:] + "."))
            return
        st.markdown(
            "It reads a copy of the graph, without its vectors, past the rule of access and of time: at most 5 seconds, 200 rows, "
            "and only what cannot write, load or run away. The copy is made when it is first asked and after each load."
        )
        with st.form("queries_cypher_form", border=False):
            typed = st.text_area("Cypher", linked[:LENGTH] or EXAMPLE, height=140, key="queries_cypher")
            params = st.text_input("Parameters, as JSON", "{}", key="queries_cypher_params")
            pressed = st.form_submit_button("Run on the copy", type="primary")
        if pressed:
            _run(frame, typed, params)
        if _RESULT in st.session_state:
            _show(frame, st.session_state[_RESULT])


def _run(frame: Frame, typed: str, params: str) -> None:
    st.session_state.pop(_RESULT, None)
    try:
        with st.spinner("Running on the copy; the first time after a load it is made first"):
            tool = frame.brain.tools["cypher_readonly"]
            st.session_state[_RESULT] = tool.run(frame.brain.asking(frame.viewer), query=typed, params=params)
    except HopcheckError as error:
        st.error(text.safe_md(error))


def _show(frame: Frame, result: Result) -> None:
    st.caption("The text that ran")
    st.code(result.query, language="cypher", wrap_lines=True)
    took = f"{text.count(len(result.rows), 'row')} in {text.took(result.ms)}, of which the server spent {text.took(result.server_ms)}"
    offline = sandbox(frame.brain.store, frame.workspace).status().offline
    st.markdown(f"{took}, {'cut off from the network' if offline else 'on a machine that lets us cut no server off from the network'}.")
    tables.show(tables.rows(result.rows), "Rows of your query", "queries_cypher_rows")
    step = Step(1, "cypher_readonly", "Cypher of one's own", {}, result.query, result.params, result.rows, result.nodes, result.edges)
    pic = graph.picture([step])
    if pic.nodes:
        graph.draw(pic, lambda key: "", key="queries_cypher_graph")
        tables.evidence(pic, key="queries_cypher")
