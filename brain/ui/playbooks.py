"""Playbooks on the pages: what is tried first and how it did, with buttons to put away, restore and forget it; and the wording of a
right answer, to be kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from brain.agents.followup import whole
from brain.errors import HopcheckError
from brain.playbooks import Playbook, Playbooks
from brain.playbooks.plays import facts
from brain.runs import SHARED
from brain.types import Answer
from brain.ui import answers, text
from brain.ui.frame import Frame

STANDS = {
    "active": "Tried first", "doubtful": "Failed last time: tried after the others", "demoted": "Put away: tried no more",
}  # fmt: skip
SAID = "playbooks_said"
RECENT = 20


def draw(frame: Frame) -> None:
    """Draw the playbooks that the viewer may see, those about incidents before those about questions."""
    books = frame.brain.playbooks(frame.viewer)
    found = books.every()
    st.header("Playbooks")
    st.markdown(
        "A cause that a person confirmed, or a wording that a person called right, is tried first the next time, and put away when it"
        f" fails twice. Whoever may see all that one holds shares it. Likeness is judged by {books.compared_by()}."
    )
    _told()
    if not found:
        st.info("No playbook is kept. Confirm the cause of an incident on its page, or keep a right answer where it was asked.")
    for playbook in sorted(found, key=lambda p: p.kind):
        _one(books, playbook)


def _one(books: Playbooks, p: Playbook) -> None:
    with st.container(border=True, key=f"playbooks_{p.id}"):
        answers.draw(
            f'<p class="hc-claim"><b>{text.esc(p.title)}</b></p>'
            f'<p class="hc-note">{text.esc(STANDS[p.standing])} · {text.esc(_did(p))}</p>'
        )
        with st.expander("What it holds"):
            answers.draw(answers.facts_html(facts(p)))
        if p.mine:
            with st.container(horizontal=True):
                _buttons(books, p)


def _did(p: Playbook) -> str:
    """How it did so far."""
    if not p.uses:
        return "not used yet"
    saved = f", {text.count(p.saved_steps, 'step')} saved" if p.steps else ""
    return f"held {p.held} of {text.count(p.uses, 'time')}{saved}"


def _buttons(books: Playbooks, p: Playbook) -> None:
    if p.standing != "active":
        st.button("Restore", key=f"playbooks_restore_{p.id}", on_click=_change, args=(books.restore, p, "It is tried again."))
    if p.standing != "demoted":
        st.button("Put away", key=f"playbooks_demote_{p.id}", on_click=_change, args=(books.demote, p, "It is tried no more."))
    st.button("Forget", key=f"playbooks_forget_{p.id}", on_click=_change, args=(books.forget, p, "It is forgotten."))


def _change(change: Callable[[str], Playbook], p: Playbook, said: str) -> None:
    """What a button does, before the page is drawn anew."""
    try:
        change(p.id)
        st.session_state[SAID] = (True, f"{p.title}: {said}")
    except HopcheckError as error:
        st.session_state[SAID] = (False, str(error))


def _told() -> None:
    well, said = st.session_state.pop(SAID, (True, ""))
    if said:
        (st.success if well else st.error)(text.safe_md(said))


def keeping(frame: Frame, found: Sequence[Answer]) -> None:
    """Offer to keep the wording of the graph's answer, when all of its claims stand, it names a thing, and whoever looks has a name.
    A wording that a model understood is not offered: playbooks are followed without one.
    """
    own = [a for a in found if (a.arm, a.engine) == ("graph", "builtin")]
    right = next((a for a in own if a.state == "answered" and a.claims and not a.dropped), None)
    if right is None or frame.viewer.by or frame.viewer.owner in SHARED:
        return
    things = frame.brain.playbooks(frame.viewer).replaceable(right)
    if not things:
        return
    recent = frame.brain.recent_runs(frame.viewer, RECENT)
    failed = {str(r["run"]): text.plain(r["question"]) for r in recent if _got_nothing(r, things)}
    with st.popover("Keep as playbook", help="When the answer is right: other wordings of the question are asked in this one"):
        st.markdown(f"Is the answer right? Then a question that means the same is asked as: {text.safe_md(whole(right))}")
        st.caption("Its words, with other things in the place of those it names, are shown to whoever may see these things.")
        key = f"playbooks_failed_{right.run}"
        if failed:
            st.multiselect("Wordings that had failed to get it", failed, key=key, format_func=failed.__getitem__)
        st.button("Keep", type="primary", key=f"playbooks_keep_{right.run}", on_click=_keep, args=(frame, right, key))
    _told()


def _got_nothing(run: Mapping[str, Any], things: Sequence[str]) -> bool:
    """Was that run one over the graph that failed, and about the same things?"""
    asked = str(run["question"]).casefold()
    return run["arm"] == "graph" and run["state"] == "insufficient" and all(thing.casefold() in asked for thing in things)


def _keep(frame: Frame, right: Answer, chosen: str) -> None:
    try:
        failed = [frame.brain.run(run, frame.viewer) for run in st.session_state.get(chosen, ())]
        made = frame.brain.playbooks(frame.viewer).keep(right, failed)
        st.session_state[SAID] = (True, f"Kept: {made[-1].title}")
    except HopcheckError as error:
        st.session_state[SAID] = (False, str(error))
