"""The arms at work on a question, drawn side by side as they go, with a button to stop them; and answers as they stand in a column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from brain.agents.followup import whole
from brain.errors import HopcheckError
from brain.memory.hearing import Hearing, hear
from brain.types import Answer, Arm
from brain.ui import answers, text, turns
from brain.ui.frame import Frame
from brain.ui.live import Exchange, Hooks, Side

GOING = "ask_going"
STOPS_IN = 2.0


@dataclass(frozen=True)
class Wanted:
    """A question as the arms are asked it: by which engine, as of when, and whatever else `Brain.ask` is to be told."""

    question: str
    arms: tuple[Arm, ...]
    engine: str
    how: tuple[tuple[str, Any], ...] = ()
    after: tuple[str, ...] = ()


def stored(frame: Frame, runs: Sequence[str]) -> list[Answer]:
    """Kept runs, drawn side by side as they were."""
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


def forget(key: object) -> None:
    """What was asked under this key is asked anew the next time."""
    going: dict[object, Exchange[Arm, Answer]] = st.session_state.get(GOING, {})
    if exchange := going.pop(key, None):
        exchange.stop()


def answered(frame: Frame, wanted: Wanted, key: object, again: Callable[[], None]) -> tuple[list[Answer], bool]:
    """The answers of this session's exchange under that key, drawn as they come; begun where there is none, and any other is ended.
    With them, whether every arm came to its end by itself. `again` asks once more what was stopped.
    """
    going: dict[object, Exchange[Arm, Answer]] = st.session_state.setdefault(GOING, {})
    bar = st.empty()
    slots: dict[Arm, Any] = {}
    for column, arm in zip(st.columns(len(wanted.arms), gap="large"), wanted.arms, strict=True):
        column.header(text.arm(arm))
        slots[arm] = column.empty()
        slots[arm].html('<p class="hc-meta" role="status">Answering …</p>')
    exchange = going.get(key)
    if exchange is None:
        for other in [*going]:
            forget(other)
        try:
            exchange = going[key] = _begun(frame, wanted)
        except HopcheckError as error:
            for slot in slots.values():
                slot.error(text.safe_md(error))
            return [], True
    _watch(frame, exchange, bar, slots, stoppable=wanted.engine != "builtin")
    if exchange.stopped:
        exchange.wait(STOPS_IN)
        _stopped(frame, exchange, bar, slots, again)
    elif exchange.answers():
        del going[key]
    return exchange.answers(), not exchange.stopped


def _begun(frame: Frame, wanted: Wanted) -> Exchange[Arm, Answer]:
    heard = _heard(frame, wanted)

    def ask(arm: Arm, hooks: Hooks) -> Answer:
        told: dict[str, Any] = {"on_step": hooks.on_step, "playbooks": True, "memory": heard, **dict(wanted.how)}
        if wanted.engine != "builtin":
            told |= {"engine": wanted.engine, "on_text": hooks.on_text, "cancelled": hooks.cancelled}
        return frame.brain.ask(wanted.question, viewer=frame.viewer, arm=arm, **told)

    return Exchange(ask, wanted.arms)


def _heard(frame: Frame, wanted: Wanted) -> Hearing:
    """The question as memory hears it, for all the arms; what it follows up counts as far as it may still be read."""
    before: list[Answer] = []
    for run in wanted.after:
        with suppress(HopcheckError):
            before.append(frame.brain.run(run, frame.viewer))
    return hear(frame.brain.memory(frame.viewer), wanted.question, before)


def _watch(frame: Frame, exchange: Exchange[Arm, Answer], bar: Any, slots: dict[Arm, Any], stoppable: bool) -> None:
    """Draw what happens until the last arm is over, or somebody stops it or leaves the page. Any other click draws it anew, and
    nothing is asked twice.
    """
    clock = bar
    if stoppable and not exchange.over and not exchange.stopped:
        with bar.container(horizontal=True, vertical_alignment="center"):
            st.button("Stop answering", key="ask_stop", on_click=exchange.stop)
            clock = st.empty()
    try:
        for changed in exchange.changes():
            if not exchange.over and (stoppable or exchange.seconds > 1):
                clock.html(f'<p class="hc-note">{exchange.seconds:.0f} s</p>')
            for arm in changed:
                _draw(frame, exchange.sides[arm], slots[arm])
    except StopException:
        exchange.stop()
        raise
    if not exchange.stopped:
        bar.empty()


def _draw(frame: Frame, side: Side[Answer], slot: Any, stopped: bool = False) -> None:
    if side.answer is not None:
        slot.html(_body(frame, side.answer))
    elif side.error:
        slot.error(text.safe_md(side.error))
    elif side.steps or side.writing:
        waits = "" if stopped else '<p class="hc-note">Waiting …</p>'
        slot.html(answers.steps_html(side.steps) + (turns.writing_html(side.writing, stopped) or waits))


def _stopped(frame: Frame, exchange: Exchange[Arm, Answer], bar: Any, slots: dict[Arm, Any], again: Callable[[], None]) -> None:
    """What there was when it was stopped; nothing of it was checked but whole answers."""
    for arm, side in exchange.sides.items():
        if side.steps or side.writing or side.answer is not None or side.error:
            _draw(frame, side, slots[arm], stopped=True)
        else:
            slots[arm].html('<p class="hc-meta">Nothing was there yet.</p>')
    with bar.container(horizontal=True, vertical_alignment="center"):
        st.button("Ask again", key="ask_again", on_click=again)
        st.html(f'<p class="hc-note" role="status">Stopped after {text.took(exchange.seconds * 1000)}. What was there is kept below.</p>')


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
