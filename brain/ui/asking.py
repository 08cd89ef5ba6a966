"""One question on its way: what the address says, the arms at work, and the answers side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import streamlit as st

from brain import instants
from brain.agents.followup import whole
from brain.errors import HopcheckError
from brain.memory.hearing import Hearing, hear
from brain.types import ARMS, Answer, Arm, Step
from brain.ui import answers, text
from brain.ui.frame import Frame, workspace_param
from brain.ui.live import ask_all

SUGGESTED, LONGEST = 6, 2000
_DAYS = (date(1990, 1, 1), date(2100, 1, 1))
_PICK: dict[str, Any] = {"min_value": _DAYS[0], "max_value": _DAYS[1], "format": "YYYY-MM-DD"}
DEFAULT_ARMS: tuple[Arm, ...] = ("graph", "vector")


@dataclass(frozen=True)
class Asked:
    """What the address asks for: a question, the arms, the runs that answered it already, and of when: `at` is the day
    asked about, `known` the day whose knowledge counts, as `2024-03-01`; empty for today. `after` are the runs it follows up.
    """

    question: str = ""
    arms: tuple[Arm, ...] = DEFAULT_ARMS
    runs: tuple[str, ...] = ()
    at: str = ""
    known: str = ""
    after: tuple[str, ...] = ()


def from_url() -> Asked:
    """What the page's address asks for; unknown arms are ignored."""
    chosen = st.query_params.get_all("arm")
    arms = tuple(a for a in ARMS if a in chosen)
    runs = tuple(st.query_params.get_all("run"))[: len(ARMS)]
    days = [str(instants.date_of(st.query_params.get(name, ""), *_DAYS) or "") for name in ("at", "known")]
    after = tuple(st.query_params.get_all("after"))[: len(ARMS)]
    return Asked(st.query_params.get("q", "").strip()[:LONGEST], arms or DEFAULT_ARMS, runs, days[0], days[1], after)


def current() -> Asked:
    """What is asked now: what was sent on this page and is not answered yet, else what the address asks.

    The address changes once, when the answers are there, so that Back leads to the question before.
    """
    sent = st.session_state.get("ask_sent")
    return sent[0] if sent and sent[1] == st.query_params.to_dict() else from_url()


def go(frame: Frame, asked: Asked) -> None:
    """Ask this now, anew if it was asked before."""
    _made().pop((frame.workspace, asked), None)
    st.session_state["ask_sent"] = (asked, st.query_params.to_dict())


def form(frame: Frame, asked: Asked) -> None:
    """The question box and the suggestions, filled from the address; what is sent becomes the address."""
    filled = replace(asked, runs=())
    if st.session_state.get("ask_seen") != filled:
        st.session_state["ask_seen"] = filled
        st.session_state["ask_question"] = asked.question
        st.session_state["ask_arms"] = list(asked.arms)
        st.session_state["ask_at"], st.session_state["ask_known"] = instants.date_of(asked.at), instants.date_of(asked.known)

    def submit() -> None:
        arms = tuple(a for a in ARMS if a in (st.session_state["ask_arms"] or ())) or DEFAULT_ARMS
        at, known = (str(st.session_state[name] or "") for name in ("ask_at", "ask_known"))
        go(frame, Asked(st.session_state["ask_question"].strip(), arms, at=at, known=known, after=_shown(frame, asked)))

    def pick() -> None:
        picked, st.session_state["ask_try"] = st.session_state["ask_try"], None
        if picked:
            go(frame, replace(filled, question=picked, after=()))

    with st.form("ask_form", border=False):
        st.text_input("Question", key="ask_question", placeholder="Who knows most about …", max_chars=LONGEST)
        left, at, more, right = st.columns([3.2, 1.3, 0.9, 0.8], vertical_alignment="bottom")
        left.pills("Answer with", ARMS, selection_mode="multi", key="ask_arms", format_func=text.arm)
        at.date_input("As of", key="ask_at", **_PICK, help="Of which day; today when empty")
        with more.popover("More", width="stretch"):
            st.date_input("As known on", key="ask_known", **_PICK, help="Leaves out what was written down later")
        right.form_submit_button("Ask", type="primary", width="stretch", on_click=submit)
    offered = frame.brain.suggestions(frame.viewer)[:SUGGESTED]
    if offered:
        st.pills("Try", offered, key="ask_try", on_change=pick, format_func=lambda q: text.safe_md(text.short(q, 90)))


def answered(frame: Frame, asked: Asked) -> list[Answer]:
    """The answers to what was asked, drawn side by side: stored runs as they were, others live.

    Afterwards the address holds question, arms and runs, so that it gives this view again.
    """
    bare = replace(asked, runs=())
    runs = asked.runs or _made().get((frame.workspace, bare), ())
    if runs:
        return _stored(frame, runs)
    found = _live(frame, bare)
    st.session_state.pop("ask_sent", None)
    if found:
        runs = _made()[frame.workspace, bare] = tuple(a.run for a in found)
        when = {name: day for name, day in (("at", bare.at), ("known", bare.known)) if day}
        given = {"q": bare.question, "arm": list(bare.arms), "run": list(runs), "after": list(bare.after), **when}
        st.query_params.from_dict({**given, **workspace_param(frame.workspace)})
    return found


def _shown(frame: Frame, asked: Asked) -> tuple[str, ...]:
    """The runs that stand on the page: what is asked next may refer to them."""
    return asked.runs or _made().get((frame.workspace, replace(asked, runs=())), ())


def _heard(frame: Frame, asked: Asked) -> Hearing:
    """The question as memory hears it, for all the arms; what it follows up counts as far as it may still be read."""
    before: list[Answer] = []
    for run in asked.after:
        with suppress(HopcheckError):
            before.append(frame.brain.run(run, frame.viewer))
    return hear(frame.brain.memory(frame.viewer), asked.question, before)


def _made() -> dict[tuple[str, Asked], tuple[str, ...]]:
    """The runs this session made, by workspace and question, so that Back shows them and asks nothing."""
    made: dict[tuple[str, Asked], tuple[str, ...]] = st.session_state.setdefault("ask_made", {})
    return made


def _stored(frame: Frame, runs: Sequence[str]) -> list[Answer]:
    found: list[Answer] = []
    for column, run in zip(st.columns(len(runs), gap="large"), runs, strict=True):
        with column:
            try:
                answer = frame.brain.run(run, frame.viewer)
            except HopcheckError as error:
                st.error(text.safe_md(error))
                continue
            st.header(text.arm(answer.arm))
            answers.draw(_body(frame, answer))
            found.append(answer)
    return found


def _live(frame: Frame, asked: Asked) -> list[Answer]:
    slots = {}
    for column, arm in zip(st.columns(len(asked.arms), gap="large"), asked.arms, strict=True):
        column.header(text.arm(arm))
        slots[arm] = column.empty()
        slots[arm].html('<p class="hc-meta" role="status">Answering …</p>')
    steps: dict[Arm, list[Step]] = {arm: [] for arm in asked.arms}
    found: dict[Arm, Answer] = {}
    as_of, known = instants.instant(asked.at), instants.instant(asked.known)
    try:
        heard = _heard(frame, asked)
    except HopcheckError as error:
        for slot in slots.values():
            slot.error(text.safe_md(error))
        return []

    def ask(arm: Arm, on_step: Callable[[Step], None]) -> Answer:
        how: dict[str, Any] = {"as_of": as_of, "known_at": known, "on_step": on_step, "playbooks": True, "memory": heard}
        return frame.brain.ask(asked.question, viewer=frame.viewer, arm=arm, **how)

    for event in ask_all(ask, asked.arms):
        if event.step is not None:
            steps[event.arm].append(event.step)
            slots[event.arm].html(answers.steps_html(steps[event.arm]))
        elif event.answer is not None:
            found[event.arm] = event.answer
            slots[event.arm].html(_body(frame, event.answer))
        else:
            slots[event.arm].error(text.safe_md(event.error))
    return [found[arm] for arm in asked.arms if arm in found]


def _body(frame: Frame, answer: Answer) -> str:
    """The answer as it stands in its column, with a way to its run and to what could be asked instead."""
    body = answers.answer_html(answer, lambda key: frame.source_url(answer.run, key))
    if (meant := whole(answer)) != answer.question:
        body = f'<p class="hc-note">Understood as: {text.esc(meant)}</p>{body}'
    instead = "".join(
        f'<li><a class="hc-cite" href="{text.esc(frame.url("Ask", q=q, arm=[answer.arm]))}">{text.esc(q)}</a></li>'
        for q in answer.suggestions
    )
    if instead:
        body += f"<p>What is loaded can answer:</p><ul>{instead}</ul>"
    run = text.esc(frame.url("Evidence", run=answer.run))
    return f'{body}<p class="hc-foot"><a class="hc-cite" href="{run}">Every step of this run</a></p>'


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
