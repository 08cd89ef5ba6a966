"""Access: who may read what and why, how much that is, and the checks that nobody reads more."""

import streamlit as st

from brain.errors import HopcheckError
from brain.ui import access, access_checks, access_data, access_person, access_thing, text
from brain.ui.frame import page

frame = page("Access")
at = access.look(frame)
try:
    if at.view == "checks":
        st.header("Does it hold")
        access_checks.draw(frame)
    elif at.view == "person":
        st.header("What they may read" if at.admin else "What you may read")
        access_person.draw(at)
    elif at.view == "thing":
        st.header("Who can see this, and why" if at.admin else "Why you can see this")
        access_thing.draw(at)
    else:
        st.header("How fresh the access data are")
        access_data.draw(at)
except HopcheckError as error:
    st.error(text.safe_md(error))
