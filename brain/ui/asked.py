"""What is asked on the Ask page: as the address says it, as it was sent, and the runs that answered it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import streamlit as st

from brain import instants
from brain.types import ARMS, Answer, Arm
from brain.ui import answering, engines
from brain.ui.frame import Frame, workspace_param

LONGEST = 2000
DAYS = (date(1990, 1, 1), date(2100, 1, 1))
DEFAULT_ARMS: tuple[Arm, ...] = ("graph", "vector")


@dataclass(frozen=True)
class Asked:
    """A question, the arms, the runs that answered it already, and of when: `at` is the day asked about, `known` the day whose
    knowledge counts, as `2024-03-01`; empty for today. `after` are the runs it follows up, `engine` is who drafts the answers.
    """

    question: str = ""
    arms: tuple[Arm, ...] = DEFAULT_ARMS
    runs: tuple[str, ...] = ()
    at: str = ""
    known: str = ""
    after: tuple[str, ...] = ()
    engine: str = engines.BUILTIN


def from_url() -> Asked:
    """What the page's address asks for; unknown arms and engines are ignored."""
    chosen = st.query_params.get_all("arm")
    arms = tuple(a for a in ARMS if a in chosen)
    runs = tuple(st.query_params.get_all("run"))[: len(ARMS)]
    days = [str(instants.date_of(st.query_params.get(name, ""), *DAYS) or "") for name in ("at", "known")]
    after = tuple(st.query_params.get_all("after"))[: len(ARMS)]
    engine = st.query_params.get("engine", "")
    question = st.query_params.get("q", "").strip()[:LONGEST]
    return Asked(question, arms or DEFAULT_ARMS, runs, days[0], days[1], after, engine if engine in engines.NAMES else engines.BUILTIN)


def params(asked: Asked) -> dict[str, Any]:
    """The parameters of an address that asks this."""
    given = {"q": asked.question, "arm": list(asked.arms), "run": list(asked.runs), "after": list(asked.after), "at": asked.at}
    given |= {"known": asked.known, "engine": asked.engine if asked.engine != engines.BUILTIN else ""}
    return {name: value for name, value in given.items() if value}


def current() -> Asked:
    """What is asked now: what was sent on this page and is not answered yet, else what the address asks.

    The address changes once, when the answers are there, so that Back leads to the question before.
    """
    sent = st.session_state.get("ask_sent")
    return sent[0] if sent and sent[1] == st.query_params.to_dict() else from_url()


def go(frame: Frame, asked: Asked) -> None:
    """Ask this now, anew if it was asked before."""
    key = (frame.workspace, replace(asked, runs=()))
    _made().pop(key, None)
    answering.forget(key)
    st.session_state["ask_sent"] = (asked, st.query_params.to_dict())


def shown(frame: Frame, asked: Asked) -> tuple[str, ...]:
    """The runs that stand on the page: what is asked next may refer to them."""
    return asked.runs or _made().get((frame.workspace, replace(asked, runs=())), ())


def answered(frame: Frame, asked: Asked) -> list[Answer]:
    """The answers to what was asked, drawn side by side: stored runs as they were, others live.

    Afterwards the address holds question, arms and runs, so that it gives this view again. What was stopped leaves it as it was.
    """
    bare = replace(asked, runs=())
    key = (frame.workspace, bare)
    if runs := shown(frame, asked):
        return answering.stored(frame, runs)
    asking, engine = engines.asked_with(frame, bare.engine, bare.question)
    found, ended = answering.answered(asking, _wanted(bare, engine), key, lambda: go(frame, bare))
    if ended and found:
        _remember(frame, bare, [a.run for a in found])
    return found


def _remember(frame: Frame, bare: Asked, runs: Sequence[str]) -> None:
    st.session_state.pop("ask_sent", None)
    _made()[frame.workspace, bare] = tuple(runs)
    st.query_params.from_dict({**params(replace(bare, runs=tuple(runs))), **workspace_param(frame.workspace)})


def _wanted(asked: Asked, engine: str) -> answering.Wanted:
    how = {"as_of": instants.instant(asked.at), "known_at": instants.instant(asked.known)}
    return answering.Wanted(asked.question, asked.arms, engine, tuple(how.items()), asked.after)


def _made() -> dict[tuple[str, Asked], tuple[str, ...]]:
    """The runs this session made, by workspace and question, so that Back shows them and asks nothing."""
    made: dict[tuple[str, Asked], tuple[str, ...]] = st.session_state.setdefault("ask_made", {})
    return made
