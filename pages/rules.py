"""Rules: what is in force on a day, what it replaced, what contradicts it, and what a notice would change."""

import streamlit as st

from brain.errors import HopcheckError
from brain.ui import notice, rules, ruling, text
from brain.ui.frame import page

frame = page("Rules")
look = ruling.look(frame)
if not look.rules:
    st.info("No rule is loaded that you may read. Policies, notices and rule changes announced in chat become rules.")
    st.stop()

view = st.session_state["rules_view"]
try:
    if view == "force":
        st.header("In force")
        rules.in_force(ruling.filtered(look))
    elif view == "history":
        st.header("History of a rule")
        rules.history(look)
    elif view == "conflicts":
        st.header("Conflicts")
        rules.conflicts(ruling.filtered(look, by_words=False))
    else:
        st.header("What if this notice were published")
        notice.draw(look)
except HopcheckError as error:
    st.error(text.safe_md(error))
