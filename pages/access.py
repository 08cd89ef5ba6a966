"""Access: who may read what and why, how much that is, and the checks that nobody reads more."""

import streamlit as st

from brain.errors import HopcheckError
from brain.ui import access, access_checks, access_data, access_person, access_thing, text, viewing
from brain.ui.frame import page
from eval.questions import SETS, load

frame = page("Access")


def questions():
    """Those of the shipped sets that are about this workspace."""
    found = [path for path in sorted(SETS.glob("*.jsonl")) if path.stem.partition(".")[0] == frame.workspace]
    return [(q.question, q.as_of) for path in found for q in load(path)]


at = access.look(frame)
try:
    if at.view == "checks":
        st.header("Does it hold")
        access_checks.draw(frame, questions)
        st.header("Who looked as somebody else")
        viewing.log(frame.brain, frame.viewer)
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
