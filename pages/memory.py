"""Memory: what is known of you and from which words, what you asked, how to correct and forget it; and the shared playbooks."""

import streamlit as st

from brain.errors import HopcheckError
from brain.ui import memory, playbooks, text
from brain.ui.frame import page

frame = page("Memory")
try:
    memory.said()
    mine = memory.own(frame)
    if mine.off:
        st.info(f"{mine.off[:1].upper()}{mine.off[1:]}.")
    else:
        st.header("What you said about yourself")
        memory.facts(frame, mine)
        st.header("What you asked")
        memory.turns(frame, mine)
        st.header("Forget everything")
        memory.everything(frame)
    playbooks.draw(frame)
except HopcheckError as error:
    st.error(text.safe_md(error))
