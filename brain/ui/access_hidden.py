"""On Ask, for an administrator who looks as somebody else: how much of each answer was hidden from them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from brain import permissions
from brain.audit.hidden import Hidden, hidden
from brain.errors import HopcheckError
from brain.types import Answer
from brain.ui import answers, listing, text
from brain.ui.frame import Frame
from brain.ui.text import esc


def draw(frame: Frame, found: Sequence[Answer]) -> None:
    """Draw what was hidden in these answers; nothing, and nothing is worked out, unless an administrator looks as the asker."""
    if not frame.viewer.by or frame.viewer.admin:
        return
    st.header("Hidden from them")
    for answer in found:
        try:
            told = hidden(frame.brain, answer, frame.viewer, permissions.local_admin())
        except HopcheckError as error:
            st.error(text.safe_md(error))
            continue
        answers.draw(f'<p class="hc-verdict" role="status">{esc(sentence(told, text.arm(answer.arm)))}</p>')
        if told.things:
            rows = [(esc(text.key_label(key)), esc(key)) for key in told.things]
            answers.draw(listing.table(f"Hidden things, {text.arm(answer.arm).lower()}", ("What", "Key"), rows))


def sentence(told: Hidden, arm: str) -> str:
    """How many results were hidden, and in which steps."""
    if not told.rows and not told.changed and not told.n_things:
        return f"{arm}: no result was hidden from {told.viewer}."
    steps = ", ".join(f"{text.count(s.rows, 'row')} of step {s.n}, {text.words(s.tool).lower()}" for s in told.steps if s.rows)
    more = f" {text.count(told.changed, 'more row')} would give other numbers." if told.changed else ""
    return (
        f"{arm}: {text.count(told.rows, 'result')} hidden from {told.viewer}{f' ({steps})' if steps else ''},"
        f" with {text.count(told.n_things, 'thing')} they may not read.{more}"
    )
