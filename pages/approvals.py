"""Approvals: what waits to be done, what it would change and why, and what was done; decided here, and undone here."""

import streamlit as st

from brain.errors import HopcheckError
from brain.ui import approvals, proposing, text
from brain.ui.frame import page

frame = page("Approvals")
try:
    approvals.said()
    one = st.query_params.get("id", "")
    if one:
        approvals.single(frame, one)
    else:
        approvals.listed(frame)
        st.header("Propose something")
        proposing.draw(frame)
except HopcheckError as error:
    st.error(text.safe_md(error))
