"""A run of a question set, started on the page: which set, which arms, which engine; with a model first what that may take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from brain.errors import HopcheckError
from brain.llm import opening
from brain.llm.budget import Purse
from brain.llm.limits import RUN, Limit
from brain.types import ARMS, Arm
from brain.ui import engines, session, text
from brain.ui.frame import Frame
from brain.ui.jobs import Job

WISH = "evaluation_wish"
_CAP = "The run stops before it takes more"


@dataclass(frozen=True)
class Wish:
    """A run to be started: a set in these arms, by an engine, and the caps it stops at."""

    name: str
    arms: tuple[Arm, ...]
    engine: str = engines.BUILTIN
    limits: tuple[Limit, ...] = ()

    @property
    def purse(self) -> Purse | None:
        """What the questions of the run share to spend; none without a model."""
        return None if self.engine == engines.BUILTIN else Purse(self.limits)


def draw(frame: Frame, sets: Iterable[str], estimated: Callable[[Wish], str], start: Callable[[Wish], Job]) -> None:
    """The form that starts a run. One with a model starts only when whoever looks agrees to what `estimated` says of it."""
    if wish := _form(frame, list(sets)):
        st.session_state[WISH] = wish
    wish = st.session_state.get(WISH)
    if wish is None or (wish.engine != engines.BUILTIN and not _agreed(frame, wish, estimated)):
        return
    del st.session_state[WISH]
    try:
        st.query_params["job"] = (session.jobs().running("evaluation") or start(wish)).id
    except HopcheckError as error:
        st.error(text.safe_md(error))


def _form(frame: Frame, sets: Sequence[str]) -> Wish | None:
    """What is to be run, once somebody asks for it."""
    with st.expander("Run a question set here"), st.form("evaluation_form", border=False):
        name = st.selectbox("Question set", sets, key="evaluation_set")
        with st.container(horizontal=True, gap="medium"):
            told: dict[str, Any] = {"selection_mode": "multi", "format_func": text.arm, "width": "content", "wrap": True}
            chosen = st.pills("Answer with", ARMS, default=ARMS, key="evaluation_arms", **told)
            st.session_state.setdefault("evaluation_engine", engines.BUILTIN)
            engines.choice(frame, "evaluation_engine")
        if engines.set_up(frame):
            left, right = st.columns(2)
            tokens = left.number_input("Most tokens of a model (0: no cap)", min_value=0, step=100_000, key="evaluation_tokens", help=_CAP)
            usd = right.number_input("Most US dollars for a model (0: no cap)", min_value=0.0, step=1.0, key="evaluation_usd", help=_CAP)
        if not (st.form_submit_button("Run", type="primary", disabled=not sets) and name and chosen):
            return None
    engine = engines.kept(frame, st.session_state.get("evaluation_engine"))
    caps = [Limit(RUN, "tokens", tokens), Limit(RUN, "usd", usd)] if engine != engines.BUILTIN else []
    return Wish(name, tuple(a for a in ARMS if a in chosen), engine, tuple(cap for cap in caps if cap.amount))


def _agreed(frame: Frame, wish: Wish, estimated: Callable[[Wish], str]) -> bool:
    """Says what the run may take; true once somebody agrees."""
    try:
        with st.spinner("Measuring the first prompts"):
            said = [estimated(wish), *(f"{note[0].upper()}{note[1:]}." for note in opening.notes(frame.brain.settings, wish.limits))]
    except HopcheckError as error:
        del st.session_state[WISH]
        st.error(text.safe_md(error))
        return False
    said += [f"It stops before it takes more than {engines.amount(limit.what, limit.amount)}." for limit in wish.limits]
    with st.container(border=True):
        st.markdown(f"**{text.safe_md(wish.name)} with a model.** " + "  \n".join(map(text.safe_md, said)))
        with st.container(horizontal=True):
            yes = st.button("Start", type="primary", key="evaluation_start")
            st.button("Not now", key="evaluation_not", on_click=lambda: st.session_state.pop(WISH, None))
    return yes
