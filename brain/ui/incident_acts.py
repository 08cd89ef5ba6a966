"""What a person does with an investigation: go on with it, confirm a cause, take the drafts along or propose them. Nothing is sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import streamlit as st

from brain.errors import HopcheckError
from brain.held import keys_in
from brain.incident import telling
from brain.incident.findings import Investigation
from brain.incident.message import message
from brain.incident.postmortem import post_mortem
from brain.ui import answers, incident, text
from brain.ui.frame import Frame
from brain.ui.incident_result import UNFINISHED

DRAFTS = {"draft_post_mortem": "Post-mortem", "draft_message": "Message"}


def unfinished(inv: Investigation, wanted: incident.Wanted) -> None:
    """Say that it did not come to its end, with a way to go on; nothing for one that did."""
    if inv.state == "complete":
        return
    done = telling.listed(inv.roles) or "nothing"
    st.warning(f"This investigation is {UNFINISHED[inv.state]}. Done: {done}. What is missing below was not looked at.")

    def resume() -> None:
        incident.go(incident.Wanted(inv.signal.key, (inv.arm,), (), wanted.at, inv.window // 3600, inv.signal, inv.id))

    st.button("Go on with it", key=f"incident_resume_{inv.id}", on_click=resume)


def confirming(frame: Frame, inv: Investigation) -> None:
    """Confirm a cause, so that the way to it is a playbook; only for an investigation over the graph that has suspects."""
    if inv.arm != "graph" or inv.state != "complete" or not inv.suspects:
        return
    st.header("Was it that?")
    for book in frame.brain.playbooks(frame.viewer).of_run(inv.id):
        st.info(f"Confirmed by {text.safe_md(book.by)}: {text.safe_md(book.title)} (playbook, {book.standing}).")
    names = {s.key: f"{text.plain(s.name)}, {telling.before(inv, s.at)}" for s in inv.suspects}
    left, right = st.columns([4, 1.2], vertical_alignment="bottom")
    chosen = left.selectbox("What caused it", list(names), key=f"incident_cause_{inv.id}", format_func=names.__getitem__)
    tip = "Makes a playbook, tried first next time"
    if right.button("Confirm the cause", key=f"incident_confirm_{inv.id}", width="stretch", help=tip):
        _said(lambda: f"Kept as a playbook: {text.safe_md(frame.brain.playbooks(frame.viewer).confirm(inv, chosen or '').title)}")


def drafts(frame: Frame, inv: Investigation) -> None:
    """The two drafts, to read, take along, or propose for approval."""
    st.header("Drafts")
    st.markdown("Written from what was found, for a person to read and mend. Nothing is sent.")
    report, short = post_mortem(inv), message(inv)
    a, b = st.tabs(list(DRAFTS.values()))
    with a:
        region = 'class="hc-draft" role="region" aria-label="Draft of a post-mortem" tabindex="0"'
        answers.draw(f"<div {region}><pre>{text.esc(report)}</pre></div>")
        file = (report, f"post-mortem-{inv.id}.md", "text/markdown")
        st.download_button("Download as Markdown", *file, key=f"incident_md_{inv.id}", on_click="ignore")
        _propose(frame, inv, "draft_post_mortem", report)
    with b:
        st.code(short, language=None, wrap_lines=True)
        st.caption("In the chat's own markup (mrkdwn); the button at its corner copies it.")
        _propose(frame, inv, "draft_message", short)


def _propose(frame: Frame, inv: Investigation, kind: str, draft: str) -> None:
    if st.button("Propose for approval", key=f"incident_{kind}_{inv.id}"):
        args = {"title": telling.alerted(inv), "text": draft, "cites": rests_on(inv), "investigation": inv.id}
        _said(lambda: f"It waits for approval: [open it]({_proposed(frame, kind, args)}).")


def _proposed(frame: Frame, kind: str, args: dict[str, Any]) -> str:
    """The address of the proposal."""
    return frame.url("Approvals", id=frame.brain.approvals(frame.viewer).propose(kind, args).id)


def rests_on(inv: Investigation) -> list[str]:
    """The keys of all that stands in a draft, so that nobody reads it who may not read one of them."""
    told = replace(inv, steps=(), nodes=(), edges=(), names={}, scope=(), checked=(), passages=())
    return sorted(key for key in keys_in(asdict(told)) if not key.startswith("chunk:"))


def _said(act: Callable[[], str]) -> None:
    try:
        st.success(act())
    except HopcheckError as error:
        st.error(text.safe_md(error))
