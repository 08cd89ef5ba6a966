"""A running job on a page: how far it is, a way to stop it, and one full rerun when it ends."""

from __future__ import annotations

import streamlit as st

from brain.ui import session, text
from brain.ui.jobs import Job


def draw(job: Job, key: str) -> bool:
    """Draw the job; true once it has ended. Polls only while it runs, and never drives the work."""
    if job.state == "running":
        _poll(job.id, job.owner, key)
        return False
    if job.state == "failed":
        st.error(f"{text.safe_md(job.title)} failed: {text.safe_md(job.error)}")
    elif job.state == "cancelled":
        st.warning(f"{text.safe_md(job.title)} was stopped after {text.took(job.seconds * 1000)}. {_sentence(job.error)}")
    else:
        st.success(f"{text.safe_md(job.title)}: done in {text.took(job.seconds * 1000)}.")
    return True


def _sentence(said: str) -> str:
    return text.safe_md(f"{said[:1].upper()}{said[1:].rstrip('.')}.") if said else ""


@st.fragment(run_every=0.7)
def _poll(job_id: str, owner: str, key: str) -> None:
    job = session.jobs().get(job_id, owner)
    if job is None or job.state != "running":
        st.rerun()
        return
    of = f"{job.done} of {job.total}, " if job.total else ""
    left, right = st.columns([5, 1], vertical_alignment="center")
    left.progress(job.share, text=f"{text.safe_md(job.title)}: {of}{text.safe_md(job.message) or 'starting'}")
    if right.button("Cancel", key=f"{key}_cancel", width="stretch"):
        job.cancel()
    if job.cancelled():
        st.caption("Stopping after the step under way.")
