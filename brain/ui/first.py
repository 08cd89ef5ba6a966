"""The first minute: open the store, and when nothing is loaded, load the demo with a progress bar."""

from __future__ import annotations

import time

import streamlit as st

from brain import loads
from brain.brain import Brain
from brain.errors import HopcheckError
from brain.types import Viewer
from brain.ui import session, text
from brain.ui.jobs import Job

DEMO, ANEW = "demo", "anew"
_FIRST = "Nothing is loaded yet: loading the demo organisation"
_ANEW = "An earlier version made this graph: making it anew from its records"


def opened(workspace: str) -> Brain:
    """The open brain; when the store cannot be used, says so in one line and ends the script."""
    try:
        brain = session.brain(workspace)
        brain.store.ping()
    except HopcheckError as error:
        session.brain.clear(workspace)
        st.error(text.safe_md(error))
        st.button("Try again", key="first_retry")
        st.stop()
    return brain


def loaded(brain: Brain, workspace: str, viewer: Viewer, needs_data: bool) -> bool:
    """Make sure there is something to look at; true when the demo was loaded just now.

    An empty workspace of another name ends the script with a pointer to Sources.
    """
    jobs = session.jobs()
    if brain.outdated():
        _watch(jobs.running(ANEW) or jobs.start(ANEW, "Making the graph anew", viewer.owner, lambda j: brain.load({}, j.report)), _ANEW)
        return False
    if brain.loaded():
        return False
    if workspace != DEMO or session.configured().workspace != DEMO:
        if needs_data:
            st.info("Nothing is loaded in this workspace yet. Load an organisation on the Sources page.")
            st.stop()
        return False
    job = jobs.running(DEMO) or jobs.start(DEMO, "Loading the demo", viewer.owner, lambda j: loads.demo(brain, j.report))
    _watch(job, _FIRST)
    session.start_embedding(brain, viewer, jobs)
    return True


def _watch(job: Job, why: str) -> None:
    bar = st.progress(0.0, text=why)
    while job.state == "running":
        bar.progress(job.share, text=f"{why}: {text.safe_md(job.message) or 'starting'}")
        time.sleep(0.1)
    bar.empty()
    if job.error:
        st.error(f"It could not be loaded: {text.safe_md(job.error)}")
        st.stop()
