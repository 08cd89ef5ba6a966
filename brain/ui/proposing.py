"""Where something is proposed on the Approvals page: a ticket for somebody, a decision to record, a draft of a reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from brain.errors import HopcheckError
from brain.runs import SHARED
from brain.types import Result
from brain.ui import answers, approvals, listing, text
from brain.ui.frame import Frame
from brain.ui.text import esc

KINDS = {"assign_ticket": "Assign a ticket", "record_decision": "Record a decision", "draft_reply": "Draft a reply"}

_FIELDS = {
    "assign_ticket": ("approvals_ticket", "approvals_person"), "draft_reply": ("approvals_reply",),
    "record_decision": ("approvals_title", "approvals_text", "approvals_about", "approvals_because"),
}  # fmt: skip


def draw(frame: Frame) -> None:
    """Draw the form of the kind that is chosen; nothing is done before somebody approves it."""
    if frame.viewer.by or frame.viewer.id in SHARED:
        st.info("A proposal needs a name: log in, or go back to being yourself.")
        return
    kind = st.segmented_control("What", KINDS, default="assign_ticket", required=True, format_func=KINDS.__getitem__, key="approvals_kind")
    {"assign_ticket": _assign, "record_decision": _record, "draft_reply": _reply}[kind](frame)


def _assign(frame: Frame) -> None:
    left, right = st.columns(2)
    ticket = left.text_input("Ticket", key="approvals_ticket", placeholder="Its key or number")
    person = right.text_input("Person (left empty: whoever suits best)", key="approvals_person", placeholder="A login or name")
    args = {"ticket": ticket.strip(), **({"assignee": person.strip()} if person.strip() else {})}
    if not ticket.strip():
        return
    found = _asked(frame, "assign_ticket", args)
    if found is not None:
        _ranking(frame, found)
        _propose(frame, "assign_ticket", args)


def _ranking(frame: Frame, found: Result) -> None:
    """Who suits, with the parts of the score and what speaks for each."""
    if not found.rows:
        st.info("Nobody is known who could take it; name somebody.")
        return
    rows = [
        (
            listing.link(frame.entity_url(r["key"]), str(r["name"]), r["key"]) + (" " + listing.badge("has it") if r["assigned"] else ""),
            f"{r['score']:.2f}", f"{r['proximity']:.2f}", f"{r['handling']:.2f}", str(r["open"]), esc(r["why"]),
        )
        for r in found.rows
    ]  # fmt: skip
    answers.draw(listing.table("Who suits best", ("Person", "Score", "Near", "Handled", "Open now", "Why"), rows))


def _record(frame: Frame) -> None:
    title = st.text_input("Title", key="approvals_title", max_chars=200)
    said = st.text_area("What was decided, and why", key="approvals_text", max_chars=20_000, height=120)
    left, right = st.columns(2)
    about = left.text_area("About (one a line)", key="approvals_about", height=80, placeholder="event-bus")
    because = right.text_area("Because of (keys, one a line)", key="approvals_because", height=80, placeholder="incident:INC-3")
    if title.strip() and said.strip():
        given = {"title": title, "text": said, "about": _lines(about), "because": _lines(because)}
        if _asked(frame, "record_decision", given) is not None:
            _propose(frame, "record_decision", given)


def _reply(frame: Frame) -> None:
    key = st.text_input("Ticket or issue", key="approvals_reply", placeholder="Its key, such as ticket:OPS-204")
    if not key.strip():
        return
    found = _asked(frame, "draft_reply", {"key": key.strip()})
    if found is None:
        return
    if not found.rows:
        st.info("Nothing was found that answers it.")
        return
    links = [listing.link(frame.entity_url(r["key"]), text.key_label(r["key"]), r["key"]) for r in found.rows]
    told = "".join(f"<li>{esc(r['sentence'])} {link}</li>" for r, link in zip(found.rows, links, strict=True))
    answers.draw(f'<ul class="hc-plain">{told}</ul>')
    _propose(frame, "draft_reply", {"key": key.strip()})


def _asked(frame: Frame, tool: str, args: Mapping[str, Any]) -> Result | None:
    """What the tool gives; None, and why, when it refuses."""
    try:
        return frame.brain.tools[tool].run(frame.brain.looking(frame.viewer), **args)
    except HopcheckError as error:
        st.error(text.safe_md(error))
        return None


def _propose(frame: Frame, kind: str, args: Mapping[str, Any]) -> None:
    tip = "With words of yours in it, only who has all your rights sees it."
    why = f"approvals_why_{kind}"
    st.text_input("Why you want it (optional)", key=why, max_chars=500, help=tip)

    def press() -> None:
        try:
            made = approvals.desk(frame).propose(kind, args, str(st.session_state.get(why) or ""))
            approvals.tell(f"Waits for a decision: {made.proposal.does}")
            for name in (why, *_FIELDS[kind]):
                st.session_state[name] = ""
        except HopcheckError as error:
            approvals.tell(str(error), good=False)

    st.button("Propose", type="primary", key=f"approvals_propose_{kind}", on_click=press)


def _lines(typed: str) -> list[str]:
    return [line.strip() for line in typed.splitlines() if line.strip()]
