"""A stored query once more: the same text and parameters, the rights of whoever looks now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from brain import permissions
from brain.errors import HopcheckError
from brain.store import graph_name
from brain.types import Result, Step, Viewer
from brain.ui import tables, text
from brain.ui.frame import Frame


def parameters(stored: Mapping[str, Any], viewer: Viewer, as_of: int) -> dict[str, Any]:
    """The stored parameters, with those of the access rule replaced by this viewer's own; what was known when stays asked."""
    own = permissions.parameters(viewer, as_of, stored.get("known_at"))
    return {k: own.get(k, v) for k, v in stored.items()}


def again(frame: Frame, step: Step, as_of: int) -> Result:
    """What the step's query gives now, for this viewer."""
    return frame.brain.store.read(graph_name(frame.workspace), step.cypher, parameters(step.params, frame.viewer, as_of))


def draw(frame: Frame, step: Step, as_of: int) -> None:
    """Run the step's query again and say whether the rows are the same."""
    try:
        result = again(frame, step, as_of)
    except HopcheckError as error:
        st.error(text.safe_md(error))
        return
    same = len(result.rows) == len(step.rows)
    st.success(
        f"{text.count(len(result.rows), 'row')}{', as many as then' if same else f', then {len(step.rows)}'}: "
        f"{text.took(result.ms)} in all, {text.took(result.server_ms)} in the server"
    )
    tables.show(tables.rows(result.rows), f"Rows of step {step.n} now", f"rerun_rows_{step.n}")
