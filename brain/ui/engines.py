"""Which engine answers: the choice, how to set a model up where there is none, what was recorded, and what is left of the budgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from brain.brain import Brain
from brain.errors import HopcheckError
from brain.llm import chain, opening
from brain.llm.limits import QUESTION, Left
from brain.settings import Settings
from brain.ui import first, text
from brain.ui.frame import Frame

NAMES = {"builtin": "Built in", "openai": "Model"}
BUILTIN, MODEL = NAMES
HOW_TO = (
    "No model is set up. With BRAIN_LLM_MODELS, and OPENAI_BASE_URL or OPENAI_API_KEY, a model can answer too,"
    " over the same tools and with the same checks."
)
_SCOPES = {"viewer": "for you today", "day": "for everybody today", "month": "for everybody this month"}


def set_up(frame: Frame) -> bool:
    """Whether there is a model to ask, or a recording in its place."""
    return opening.available(frame.brain.settings)


def recorded(frame: Frame) -> Sequence[str]:
    """The questions that a model was recorded to answer, where none is set up. The recordings are of the demo, and came with the
    program: what others recorded here is not told.
    """
    return () if set_up(frame) or frame.workspace != first.DEMO else opening.recorded_questions(_as_shipped(frame))


def choice(frame: Frame, key: str) -> None:
    """The choice of an engine, where there is one."""
    settings = frame.brain.settings
    if not set_up(frame):
        return
    names = "as recorded" if settings.llm_replay else ", ".join(text.plain(name) for name in chain.names(settings))
    told = f"Built in: by rule, no model. Model: {names}; it chooses tools and words the answer, which is checked as always."
    st.segmented_control("Engine", NAMES, required=True, key=key, format_func=NAMES.__getitem__, help=text.safe_md(told))


def kept(frame: Frame, engine: str | None) -> str:
    """The engine for the next question, where this one was chosen for the last: the built-in one, where no other can be chosen."""
    return engine if engine in NAMES and set_up(frame) else BUILTIN


def how_to(frame: Frame) -> None:
    """How a model is set up, where none is."""
    if not set_up(frame):
        st.caption(text.safe_md(HOW_TO))


def note(frame: Frame, engine: str, question: str) -> None:
    """A word where a model is asked for that cannot be had."""
    if not set_up(frame) and engine == MODEL and question not in recorded(frame):
        st.warning(f"A model is asked for. {text.safe_md(HOW_TO)} The built\\-in engine answers instead.")


def asked_with(frame: Frame, engine: str, question: str) -> tuple[Frame, str]:
    """The engine that answers where this one is asked for, and the frame to ask in: a recording is asked with its own settings."""
    if engine == BUILTIN or set_up(frame):
        return frame, engine
    found = opening.replayed(_as_shipped(frame), question) if question in recorded(frame) else None
    return (replace(frame, brain=replace(frame.brain, settings=found.settings)), MODEL) if found else (frame, BUILTIN)


def brain(frame: Frame, engine: str) -> Brain:
    """The open brain to ask with this engine: where a recording stands in for a model, with the settings it was made with."""
    if engine == BUILTIN:
        return frame.brain
    return replace(frame.brain, settings=opening.as_recorded(frame.brain.settings))


def label(frame: Frame, engine: str) -> list[str]:
    """What the name of a run says of its engine: nothing of the built-in one."""
    if engine == BUILTIN:
        return []
    model = next(iter(chain.names(frame.brain.settings)), "recorded")
    return [engine, "".join(c if c.isalnum() or c in "._" else "_" for c in model)]


def _as_shipped(frame: Frame) -> Settings:
    return replace(frame.brain.settings, llm_record="")


def left(frame: Frame, slot: DeltaGenerator, one: str = "question") -> None:
    """Draw what is left of the budgets of who looks, where a model is set up; `one` is what is asked at a time."""
    settings = frame.brain.settings
    if settings.llm_replay or not set_up(frame):
        return
    try:
        found = opening.left(settings, frame.brain.store, frame.viewer.owner, frame.brain.clock)
    except HopcheckError as error:
        slot.error(text.safe_md(error))
        return
    if html := left_html(found, one):
        slot.html(html)


def left_html(found: Sequence[Left], one: str = "question") -> str:
    """What is left of each budget in a line; where nothing is, until when."""
    shared = ". ".join(_one(budget) for budget in found if budget.scope != QUESTION)
    each = " and ".join(amount(budget.what, budget.limit) for budget in found if budget.scope == QUESTION)
    said = [f"Left for models: {shared}." if shared else "", f"A {one} may cost {each}." if each else ""]
    return f'<p class="hc-note">{text.esc(" ".join(filter(None, said)))}</p>' if any(said) else ""


def _one(one: Left) -> str:
    scope = _SCOPES.get(one.scope, one.scope)
    if one.left <= 0:
        anew = f" until {text.when(one.anew)}" if one.anew else ""
        return f"no {'money' if one.what == 'usd' else one.what} {scope}{anew}, so the built-in engine or a recording answers"
    had, of = amount(one.what, one.left).partition(" ")[0], amount(one.what, one.limit)
    return f"{had} of {of} {scope}"


def amount(what: str, n: float) -> str:
    """So much of what a budget counts: `$2.00`, `5,000 tokens`."""
    return f"${n:.2f}" if what == "usd" else text.count(round(n), what.removesuffix("s"))
