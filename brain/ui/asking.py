"""The question box: filled from the address; what is sent becomes the address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from brain import instants
from brain.types import ARMS, Answer
from brain.ui import answers, asked, engines, text
from brain.ui.asked import Asked
from brain.ui.frame import Frame

SUGGESTED = 6
_RECORDED = (
    "Opens without any model, for whoever is shown just what the asker was shown: try it as guest. Where you are shown more, the built-in"
    " engine answers and says so."
)
_PICK: dict[str, Any] = {"min_value": asked.DAYS[0], "max_value": asked.DAYS[1], "format": "YYYY-MM-DD"}


def form(frame: Frame, now: Asked) -> DeltaGenerator:
    """The question box with arms, engine and days, and the suggestions. Gives the place where what is left of the budgets stands."""
    _fill(replace(now, runs=()))

    def submit() -> None:
        arms = tuple(a for a in ARMS if a in (st.session_state["ask_arms"] or ())) or asked.DEFAULT_ARMS
        at, known = (str(st.session_state[name] or "") for name in ("ask_at", "ask_known"))
        engine = engines.kept(frame, st.session_state.get("ask_engine"))
        question = st.session_state["ask_question"].strip()
        asked.go(frame, Asked(question, arms, at=at, known=known, after=asked.shown(frame, now), engine=engine))

    with st.form("ask_form", border=False):
        st.text_input("Question", key="ask_question", placeholder="Who knows most about …", max_chars=asked.LONGEST)
        left, at, more, right = st.columns([3.2, 1.3, 0.9, 0.8], vertical_alignment="bottom")
        with left.container(horizontal=True, gap="medium"):
            st.pills("Answer with", ARMS, selection_mode="multi", key="ask_arms", format_func=text.arm, width="content")
            engines.choice(frame, "ask_engine")
        at.date_input("As of", key="ask_at", **_PICK, help="Of which day; today when empty")
        with more.popover("More", width="stretch"):
            st.date_input("As known on", key="ask_known", **_PICK, help="Leaves out what was written down later")
            engines.how_to(frame)
        right.form_submit_button("Ask", type="primary", width="stretch", on_click=submit)
    left_of_budgets = st.empty()
    engines.left(frame, left_of_budgets)
    engines.note(frame, now.engine, now.question)
    _offer(frame, now, "Try", frame.brain.suggestions(frame.viewer)[:SUGGESTED], "ask_try", engines.kept(frame, now.engine))
    _offer(frame, now, "Answered by a model once, and recorded", engines.recorded(frame), "ask_recorded", engines.MODEL, _RECORDED)
    return left_of_budgets


def _fill(now: Asked) -> None:
    """The fields say what is asked now, once; afterwards, until another page is looked at, they are whoever looks' own."""
    if st.session_state.get("ask_seen") != now or "ask_question" not in st.session_state:
        st.session_state["ask_seen"] = now
        st.session_state["ask_question"] = now.question
        st.session_state["ask_arms"] = list(now.arms)
        st.session_state["ask_engine"] = now.engine
        st.session_state["ask_at"], st.session_state["ask_known"] = instants.date_of(now.at), instants.date_of(now.known)


def _offer(frame: Frame, now: Asked, label: str, questions: Sequence[str], key: str, engine: str, told: str = "") -> None:
    """Questions to be asked by a click."""

    def pick() -> None:
        picked, st.session_state[key] = st.session_state[key], None
        if picked:
            asked.go(frame, replace(now, question=picked, runs=(), after=(), engine=engine))

    if questions:
        st.pills(label, questions, key=key, on_change=pick, help=told or None, format_func=lambda q: text.safe_md(text.short(q, 90)))


def comparison(found: Sequence[Answer]) -> str:
    """One sentence on which items the first two answers share; empty when there is nothing to compare."""
    if len(found) < 2 or not (found[0].items or found[1].items):
        return ""
    names = [text.arm(a.arm).lower() for a in found[:2]]
    sides = answers.compared(found[0], found[1])
    heads = {"both": "Both name", "first": f"Only {names[0]}", "second": f"Only {names[1]}"}
    parts = [f"{heads[side]}: {_listed(items)}" for side, items in sides.items() if items]
    return ". ".join(parts) + "."


def _listed(items: Sequence[str], most: int = 6) -> str:
    shown = ", ".join(text.short(text.key_label(i), 140) for i in items[:most])
    return shown + (f" and {len(items) - most} more" if len(items) > most else "")
