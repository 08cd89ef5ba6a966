"""The approvals as the page tells them: what each would change, before and after side by side, why, and on what it rests; with the
buttons of whoever may decide. Rights are asked again when a button is pressed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from brain.approvals import RULES, Approval, Approvals, Shown
from brain.approvals.deciding import names
from brain.errors import HopcheckError
from brain.schema import LABEL_OF_PREFIX
from brain.types import Viewer
from brain.ui import answers, listing, session, text, viewing
from brain.ui.frame import Frame, workspace_param
from brain.ui.text import esc

STATES = {"proposed": "Waiting", "approved": "Done", "rejected": "Rejected", "undone": "Undone", "all": "All"}
_COLOURS = {"proposed": "unsupported", "approved": "supported", "rejected": "contradicted", "failed": "contradicted"}
_WORDS = {"proposed": "waits", "approved": "done"}
_DID = {"approve": "Done", "reject": "Rejected", "undo": "Undone"}
_LEFT_OUT = ("aid", "until", "score", "name", "ticket")
_CITED = 8
_SAID = "approvals_said"


def who(frame: Frame) -> Viewer:
    """The viewer with the rights of this moment."""
    return viewing.seen(frame.brain, session.viewer(frame.brain))


def desk(frame: Frame) -> Approvals:
    """The desk of this viewer, at this moment."""
    return frame.brain.approvals(who(frame))


def said() -> None:
    """What the last click came to."""
    good, line = st.session_state.pop(_SAID, (True, ""))
    if line:
        (st.success if good else st.error)(text.safe_md(line))


def tell(line: str, good: bool = True) -> None:
    """Keeps a line for the next time the page is drawn."""
    st.session_state[_SAID] = (good, line)


def listed(frame: Frame) -> None:
    """Draw the approvals in one state, chosen here or in the address."""
    asked = st.query_params.get("state", "")
    st.session_state.setdefault("approvals_state", asked if asked in STATES else "proposed")
    told: dict[str, Any] = {"format_func": STATES.__getitem__, "on_change": _remember, "args": (frame,)}
    state = st.segmented_control("Show", STATES, required=True, key="approvals_state", **told)
    found = desk(frame).shown("" if state == "all" else state)
    if not found:
        st.info("Nothing waits for a decision." if state == "proposed" else "There is none that you may see.")
    for one in found:
        _card(frame, one)


def _remember(frame: Frame) -> None:
    state = st.session_state["approvals_state"]
    st.query_params.from_dict({**({"state": state} if state != "proposed" else {}), **workspace_param(frame.workspace)})


def single(frame: Frame, id_: str) -> None:
    """Draw one approval, by its link."""
    answers.draw(f'<p class="hc-note">{listing.link(frame.url("Approvals"), "All approvals")}</p>')
    _card(frame, desk(frame).one(id_))


def _card(frame: Frame, one: Shown) -> None:
    """One approval with its buttons."""
    a = one.approval
    with st.container(border=True, key=f"approvals_card_{a.id}"):
        answers.draw(card_html(frame, a))
        if a.proposal.draft:
            st.code(a.proposal.draft, language=None, wrap_lines=True)
        if one.may_approve or one.may_reject:
            _deciding(frame, one)
        elif one.may_undo:
            st.button("Undo", key=f"approvals_undo_{a.id}", on_click=_press, args=(frame, a, "undo"))
        elif a.state == "proposed":
            answers.draw(f'<p class="hc-note">May decide: {esc(RULES[a.kind])}.</p>')


def _deciding(frame: Frame, one: Shown) -> None:
    a = one.approval
    st.text_input("Reason", key=f"approvals_reason_{a.id}", max_chars=500, placeholder="Kept with the decision; a rejection needs one")
    with st.container(horizontal=True):
        if one.may_approve:
            st.button("Approve", type="primary", key=f"approvals_yes_{a.id}", on_click=_press, args=(frame, a, "approve"))
        if one.may_reject:
            st.button("Reject", key=f"approvals_no_{a.id}", on_click=_press, args=(frame, a, "reject"))


def _press(frame: Frame, a: Approval, what: str) -> None:
    """What a button does, before the page is drawn anew; whoever comes second is told who was first."""
    reason = str(st.session_state.get(f"approvals_reason_{a.id}") or "")
    held = desk(frame)
    acts: Mapping[str, Callable[[], Approval]] = {
        "approve": lambda: held.approve(a.id, reason), "reject": lambda: held.reject(a.id, reason), "undo": lambda: held.undo(a.id),
    }  # fmt: skip
    try:
        done = acts[what]()
    except HopcheckError as error:
        tell(str(error), good=False)
        return
    if done.state == "failed":
        tell(f"{a.proposal.does}: failed, {done.reason}", good=False)
    else:
        tell(f"{_DID[what]}: {a.proposal.does}")


def card_html(frame: Frame, a: Approval) -> str:
    """What it would do, or did, as HTML of our own."""
    p = a.proposal
    called = names(frame.brain.looking(frame.viewer), [*p.cites, *_keys(p.before), *_keys(p.after)])
    head = f'<p class="hc-claim"><b>{esc(p.does)}</b> {listing.badge(_WORDS.get(a.state, a.state), _COLOURS.get(a.state, ""))}</p>'
    link = listing.link(frame.url("Approvals", id=a.id), a.id, "Link to this approval")
    by = f'<p class="hc-note">{link} · proposed by {esc(a.viewer)} on {_moment(a.at)}{_decided(a)}</p>'
    sides = ""
    if p.before or p.after:
        sides = f'<div class="hc-sides">{_side(frame, "Now", p.before, called, a)}{_side(frame, "Then", p.after, called, a)}</div>'
    why = "".join(f"<li>{esc(line)}</li>" for line in p.why)
    some = [listing.link(frame.entity_url(k), text.short(called.get(k) or text.key_label(k), 60), k) for k in p.cites[:_CITED]]
    more = f" and {len(p.cites) - _CITED} more" if len(p.cites) > _CITED else ""
    rests = f'<p class="hc-note">Rests on {", ".join(some)}{more}.</p>' if some else ""
    return f'{head}{by}{sides}<ul class="hc-plain">{why}</ul>{rests}'


def _side(frame: Frame, head: str, rows: Sequence[Mapping[str, Any]], called: Mapping[str, str], a: Approval) -> str:
    """One side of a change: each row as names and values; keys are links."""
    heads = {"Now": "Before", "Then": "After"} if a.state in ("approved", "undone") else {}
    told = "".join(
        f"<dt>{esc(text.words(name))}</dt><dd>{_value(frame, value, called)}</dd>"
        for row in rows
        for name, value in row.items()
        if name not in _LEFT_OUT and value not in (None, "", [])
    )
    nothing = "nobody" if a.kind == "assign_ticket" else "nothing"
    inside = f'<dl class="hc-facts">{told}</dl>' if told else f'<p class="hc-note">{nothing}</p>'
    return f"<div><b>{heads.get(head, head)}</b>{inside}</div>"


def _value(frame: Frame, value: Any, called: Mapping[str, str]) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_value(frame, v, called) for v in value)
    if isinstance(value, str) and value.partition(":")[0] in LABEL_OF_PREFIX and value in called:
        return listing.link(frame.entity_url(value), called[value], value)
    return esc(value)


def _keys(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    values = [v for row in rows for v in row.values()]
    flat = [w for v in values for w in (v if isinstance(v, list | tuple) else [v])]
    return [v for v in flat if isinstance(v, str) and v.partition(":")[0] in LABEL_OF_PREFIX]


def _decided(a: Approval) -> str:
    if a.state == "proposed":
        return ""
    did = "rejected" if a.state == "rejected" else "approved"
    told = f" · {did} by {esc(a.decided_by)} on {_moment(a.decided_at)}" if a.decided_by else ""
    told += f": {esc(a.reason)}" if a.reason else ""
    return told + (f" · undone by {esc(a.undone_by)} on {_moment(a.undone_at)}" if a.undone_by else "")


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")
