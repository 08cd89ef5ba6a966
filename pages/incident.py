"""Incident: what an alert came from, whom to page, what helped before, and the drafts to send after reading them."""

import streamlit as st

from brain.ui import answers, incident, incident_acts, incident_message, incident_result, incident_steps, incident_suspects, incident_time
from brain.ui.frame import page

frame = page("Incident")
wanted = incident.current()
incident.form(frame, wanted)
incident_message.draw(frame)
if not (wanted.alert or wanted.signal or wanted.invs):
    incident.listed(frame)
    st.stop()

inv = incident.opened(incident.found(frame, wanted))
if inv is None:
    st.stop()
incident_acts.unfinished(inv, wanted)
if inv.arm == "vector":
    st.header("Passages: what the search without the graph gave")
    answers.draw(incident_result.passages(inv, frame.entity_url))
else:
    incident_suspects.draw_way(inv, frame.entity_url)
incident_suspects.draw(inv, frame.entity_url)
incident_result.draw_sections(inv, frame.entity_url)
incident_time.draw(inv, frame.entity_url)
incident_acts.confirming(frame, inv)
incident_acts.drafts(frame, inv)
incident_steps.draw(frame, inv)
