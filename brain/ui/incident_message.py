"""An alert as an alerting system sends it, pasted or as a file: read, and one of its alerts chosen, without loading anything."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from brain.errors import HopcheckError
from brain.incident.findings import Signal
from brain.incident.telling import minute
from brain.incident.webhook import received, unknown
from brain.ui import incident, text
from brain.ui.frame import Frame


def draw(frame: Frame) -> None:
    """Draw the way in for a message; its alerts can be investigated like those that are loaded."""
    with st.expander("An alert that is not loaded: a message of your alerting system"):
        up = st.file_uploader("Message, as a file", type=["json"], key="incident_file", max_upload_size=32)
        pasted = st.text_area("Or pasted", key="incident_pasted", height=120, placeholder='{"version": "4", "alerts": [ … ]}')
        data = up.getvalue() if up is not None else pasted.encode()
        if not data.strip():
            st.caption("Alertmanager's webhook (version 4), Grafana's, and events of PagerDuty are read. Nothing of it is stored.")
            return
        try:
            came = received(data, frame.brain.asking(frame.viewer))
        except HopcheckError as error:
            st.error(text.safe_md(error))
            return
        for line in came.told:
            st.warning(text.safe_md(line))
        if came.signals:
            _choice(list(came.signals))


def _choice(signals: list[Signal]) -> None:
    place = st.selectbox("Alert in it", range(len(signals)), key="incident_signal", format_func=lambda i: _told(signals[i]))
    chosen = signals[place or 0]
    if why := unknown(chosen):
        st.warning(text.safe_md(why))

    def submit() -> None:
        incident.go(replace(incident.chosen(), signal=chosen, alert=chosen.key))

    st.button("Investigate this one", key="incident_send", on_click=submit)


def _told(signal: Signal) -> str:
    state = "over" if signal.ended_at else "firing"
    on = f" on {signal.service_name}" if signal.service_name else ""
    return text.plain(f"{state} · {text.short(signal.name or signal.title, 60)}{on} · {minute(signal.at)}")
