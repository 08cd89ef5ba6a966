"""One alert on its way: what the address says, the choice of an alert or a message of an alerting system, and the roles at work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import streamlit as st

from brain import instants
from brain.errors import HopcheckError
from brain.incident import telling
from brain.incident.findings import ARMS, ROLES, Arm, Investigation, Signal
from brain.types import Step
from brain.ui import answers, engines, incident_result, listing, text
from brain.ui.frame import Frame, workspace_param
from brain.ui.live import Exchange, Hooks

LISTED, KEPT = 300, 20
DEFAULT_ARMS: tuple[Arm, ...] = ("graph",)
WINDOWS = {6: "6 hours", 24: "1 day", 72: "3 days", 168: "1 week", 720: "30 days"}
_DAYS = (date(1990, 1, 1), date(2100, 1, 1))


@dataclass(frozen=True)
class Wanted:
    """What is to be investigated: an alert by its key, or a signal that came in; by which arms, as of which day, how many hours
    before it. `invs` are investigations that were made of it already, `resume` the one to go on with, `engine` who words the summary.
    """

    alert: str = ""
    arms: tuple[Arm, ...] = DEFAULT_ARMS
    invs: tuple[str, ...] = ()
    at: str = ""
    hours: int = 24
    signal: Signal | None = None
    resume: str = ""
    engine: str = engines.BUILTIN


def current() -> Wanted:
    """What was asked for on this page and is not done yet, else what the address asks for."""
    sent = st.session_state.get("incident_sent")
    return sent[0] if sent and sent[1] == st.query_params.to_dict() else from_url()


def from_url() -> Wanted:
    """What the page's address asks for; arms and windows that there are not are ignored."""
    chosen = st.query_params.get_all("arm")
    arms = tuple(a for a in ARMS if a in chosen) or DEFAULT_ARMS
    invs = tuple(st.query_params.get_all("inv"))[: len(ARMS)]
    at = str(instants.date_of(st.query_params.get("at", ""), *_DAYS) or "")
    hours = st.query_params.get("hours", "")
    window = int(hours) if hours.isdecimal() and int(hours) in WINDOWS else 24
    return Wanted(st.query_params.get("alert", "").strip()[:4096], arms, invs, at, window)


def go(wanted: Wanted) -> None:
    """Investigate this now."""
    st.session_state["incident_sent"] = (wanted, st.query_params.to_dict())


def form(frame: Frame, wanted: Wanted) -> None:
    """The choice of an alert, of the arms, the day and the window, filled from the address."""
    found = alerts(frame)
    if st.session_state.get("incident_seen") != wanted:
        st.session_state["incident_seen"] = wanted
        st.session_state["incident_alert"] = wanted.alert if wanted.alert in found else None if wanted.invs else next(iter(found), None)
        st.session_state["incident_arms"] = list(wanted.arms)
        st.session_state["incident_at"] = instants.date_of(wanted.at)
        st.session_state["incident_hours"] = wanted.hours
        st.session_state["incident_engine"] = engines.kept(frame, wanted.engine)
    if not found:
        st.info("No alert is loaded that you may read. Load alerts on Sources, or give a message of your alerting system below.")
        return

    def submit() -> None:
        go(replace(chosen(), alert=st.session_state["incident_alert"] or ""))

    with st.form("incident_form", border=False):
        tip = "Those still firing first; type to search"
        st.selectbox("Alert", list(found), key="incident_alert", format_func=lambda k: told(found[k]), help=tip)
        left, at, window, right = st.columns([2.4, 1.4, 1.2, 1.1], vertical_alignment="bottom")
        left.pills("Investigate with", ARMS, selection_mode="multi", key="incident_arms", format_func=text.arm)
        at.date_input("As of", key="incident_at", min_value=_DAYS[0], max_value=_DAYS[1], format="YYYY-MM-DD", help="Today when empty")
        window.selectbox("Search back", list(WINDOWS), key="incident_hours", format_func=WINDOWS.__getitem__)
        _worded_by(frame)
        right.form_submit_button("Investigate", type="primary", width="stretch", on_click=submit)


def _worded_by(frame: Frame) -> None:
    """The choice of who words the summary, where a model is set up."""
    if engines.set_up(frame):
        told = "All is decided without a model. One may word the summary; where a sentence of its says anything else, ours stands."
        names = engines.NAMES
        st.segmented_control("Words by", names, required=True, key="incident_engine", format_func=names.__getitem__, help=told)


def chosen() -> Wanted:
    """What the form says, but for the alert."""
    arms = tuple(a for a in ARMS if a in (st.session_state.get("incident_arms") or ())) or DEFAULT_ARMS
    at, hours = str(st.session_state.get("incident_at") or ""), st.session_state.get("incident_hours") or 24
    return Wanted("", arms, at=at, hours=hours, engine=st.session_state.get("incident_engine") or engines.BUILTIN)


def alerts(frame: Frame) -> dict[str, Mapping[str, Any]]:
    """The alerts that the viewer may read, by key, those still firing first, then the newest."""
    return {str(r["key"]): r for r in frame.brain.incidents(frame.viewer).alerts(k=LISTED)}


def told(row: Mapping[str, Any]) -> str:
    """An alert in the list: whether it fires, its name, on what, when."""
    state = "over" if row["ended_at"] else "firing"
    name = text.short(row["title"] or row["name"], 60)
    return text.plain(f"{state} · {name} on {row['on_name']} · {telling.minute(int(row['at'] or 0))}")


def listed(frame: Frame) -> None:
    """The viewer's latest investigations, as links."""
    kept = frame.brain.incidents(frame.viewer).recent(KEPT)
    if not kept:
        return
    st.header("Your latest investigations")
    items = "".join(
        f"<li>{listing.link(frame.url('Incident', inv=r['id']), text.short(r['title'] or r['alert'], 140))}"
        f'<span class="hc-score">{text.esc(_came(r))}</span></li>'
        for r in kept
    )
    answers.draw(f'<ul class="hc-runs">{items}</ul>')


def _came(row: Mapping[str, Any]) -> str:
    complete = row["state"] == "complete"
    came = incident_result.OUTCOMES[row["outcome"]][1] if complete else incident_result.UNFINISHED.get(row["state"], row["state"])
    return f"{came}, {text.when(row['at'])}"


def found(frame: Frame, wanted: Wanted) -> list[Investigation]:
    """The investigations, drawn side by side: kept ones as they were, others live. Afterwards the address holds their ids."""
    if wanted.invs:
        return _kept(frame, wanted)
    made = _live(frame, wanted)
    st.session_state.pop("incident_sent", None)
    if made:
        given = {"alert": made[0].signal.key, "arm": [i.arm for i in made], "inv": [i.id for i in made], "at": wanted.at}
        given |= {"hours": str(wanted.hours) if wanted.hours != 24 else ""}
        st.query_params.from_dict({**{k: v for k, v in given.items() if v}, **workspace_param(frame.workspace)})
    return made


def _kept(frame: Frame, wanted: Wanted) -> list[Investigation]:
    kept: list[Investigation] = []
    for column, ident in zip(st.columns(len(wanted.invs), gap="large"), wanted.invs, strict=True):
        with column:
            try:
                inv = frame.brain.incidents(frame.viewer).read(ident)
            except HopcheckError as error:
                st.error(text.safe_md(error))
                continue
            head(inv)
            answers.draw(incident_result.first_screen(inv, frame.entity_url))
            kept.append(inv)
    return kept


def opened(made: Sequence[Investigation]) -> Investigation | None:
    """The one to show in full: a choice where there are several, the graph's first; None where there is none."""
    if len(made) < 2:
        return next(iter(made), None)
    by_arm = {inv.arm: inv for inv in made}
    chosen = st.segmented_control("In full", list(by_arm), required=True, default=made[0].arm, format_func=text.arm, key="incident_full")
    return by_arm[chosen or made[0].arm]


def head(inv: Investigation) -> None:
    """The heading of one arm's result."""
    st.header(f"{text.safe_md(telling.alerted(inv))}: {text.arm(inv.arm).lower()}")


def _live(frame: Frame, wanted: Wanted) -> list[Investigation]:
    slots = {}
    for column, arm in zip(st.columns(len(wanted.arms), gap="large"), wanted.arms, strict=True):
        column.header(text.arm(arm))
        slots[arm] = column.empty()
        slots[arm].html('<p class="hc-meta" role="status">Looking …</p>')
    room = frame.brain.incidents(frame.viewer, instants.instant(wanted.at))

    def investigate(arm: Arm, hooks: Hooks) -> Investigation:
        how: dict[str, Any] = {"window": wanted.hours * 3600, "resume": wanted.resume or None, "engine": wanted.engine}
        how |= {"on_step": hooks.on_step, "cancelled": hooks.cancelled} if wanted.engine != engines.BUILTIN else {"on_step": hooks.on_step}
        return room.investigate(wanted.signal or wanted.alert, arm=arm, **how)

    with Exchange(investigate, wanted.arms) as exchange:
        for changed in exchange.changes():
            for arm in changed:
                side = exchange.sides[arm]
                if side.answer is not None:
                    slots[arm].html(incident_result.first_screen(side.answer, frame.entity_url))
                elif side.error:
                    slots[arm].error(text.safe_md(side.error))
                elif side.steps:
                    slots[arm].html(by_role(side.steps))
        return exchange.answers()


def role_of(step: Step) -> str:
    """The role that took a step; empty for what none did."""
    said = step.why.partition(":")[0].strip().lower()
    return said if said in ROLES else step.tool if step.tool in ROLES else ""


def by_role(steps: list[Step]) -> str:
    """The steps so far, under the role that took them; the last role is at work."""
    parts, roles = [], list(dict.fromkeys(role_of(s) for s in steps))
    for role in roles:
        mine = [replace(s, why=s.why.partition(":")[2].strip() if role else s.why) for s in steps if role_of(s) == role]
        parts.append(f"<p><b>{text.esc(role.capitalize() or 'Before')}</b></p>{answers.steps_html(mine)}")
    return f'<div role="status">{"".join(parts)}</div>'
