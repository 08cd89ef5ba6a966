"""Which engine answers: the choice, how to set a model up where there is none, and what is left of the budgets."""

from __future__ import annotations

import streamlit as st

from brain.ui import text
from brain.ui.frame import Frame

NAMES = {"builtin": "Built in", "openai": "Model"}
BUILTIN, MODEL = NAMES
HOW_TO = (
    "No model is set up. With BRAIN_LLM_MODELS, and OPENAI_BASE_URL or OPENAI_API_KEY, a model can answer too,"
    " over the same tools and with the same checks."
)


def models(frame: Frame) -> list[str]:
    """The models that are set up, in the order in which they are tried."""
    return [name.strip() for name in frame.brain.settings.llm_models.split(",") if name.strip()]


def choice(frame: Frame, key: str) -> None:
    """The choice of an engine, where there is one."""
    if found := models(frame):
        names = ", ".join(text.plain(name) for name in found)
        told = f"Built in: by rule, no model. Model: {names}; it chooses tools and words the answer, which is checked as always."
        st.segmented_control("Engine", NAMES, required=True, key=key, format_func=NAMES.__getitem__, help=text.safe_md(told))


def how_to(frame: Frame) -> None:
    """How a model is set up, where none is."""
    if not models(frame):
        st.caption(text.safe_md(HOW_TO))


def usable(frame: Frame, engine: str) -> str:
    """The engine that can be used where this one is asked for."""
    return engine if models(frame) else BUILTIN


def note(frame: Frame, engine: str) -> None:
    """A word where the engine that is asked for cannot be had."""
    if usable(frame, engine) != engine:
        st.warning(f"The address asks for a model. {text.safe_md(HOW_TO)} The built\\-in engine answers instead.")
