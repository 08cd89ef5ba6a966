"""Sources: load an organisation, see what was read, what is wrong with it, and decide about claims that wait."""

import streamlit as st

from brain.errors import HopcheckError
from brain.ui import candidates, extract, health, loading, tables, text, working
from brain.ui.frame import page, workspace_param

frame = page("Sources", needs_data=False)
VIEWS = {"loads": "Loaded", "health": "Health", "read": "Read by a model", "candidates": "To decide"}
HEADS = {
    "health": ("What is wrong with what is loaded", health.draw),
    "read": ("What a model read of the texts", extract.draw),
    "candidates": ("Claims that wait for a decision", candidates.draw),
}
asked = st.query_params.get("view", "loads")


def choose():
    st.query_params.from_dict({"view": st.session_state["sources_view"], **workspace_param(frame.workspace)})


first = asked if asked in VIEWS else "loads"
view = st.segmented_control(
    "Show", VIEWS, default=first, required=True, format_func=VIEWS.__getitem__, key="sources_view", on_change=choose
)
if view != "loads":
    title, draw = HEADS[view]
    st.header(title)
    if frame.brain.loaded():
        draw(frame)
    else:
        st.info("Nothing is loaded in this workspace yet.")
    st.stop()

if frame.viewer.admin:
    wanted = loading.form(frame)
    if wanted is not None:
        try:
            st.query_params["job"] = loading.start(frame, wanted).id
        except HopcheckError as error:
            st.error(text.safe_md(error))
else:
    st.info("Loading, and the reports of what was read, are for the administrator of this installation.")

job = loading.job(frame, st.query_params.get("job", ""))
if job is not None and working.draw(job, "sources") and job.state == "done":
    loading.outcome(frame, job.future.result())

if not frame.viewer.admin:
    st.header("What you may see")
    tables.show(loading.counts(frame.brain.counts(frame.viewer), "things"), "Things that you may see, by kind", "sources_counts")
    st.stop()

st.header("Loaded")
reports = frame.brain.reports(frame.viewer)
tables.show(loading.overview(reports), "Loaded sources", "sources_overview")
loading.embedding(frame)

if reports:
    st.header("Import reports")
for report in reports:
    left_out = sum(s["count"] for s in report.skipped)
    with st.expander(f"{text.safe_md(report.source)}: {left_out:,} left out"):
        left, right = st.columns(2)
        with left:
            st.subheader("Read")
            tables.show(loading.counts(report.read, "records"), "Records read", f"sources_read_{report.source}")
        with right:
            st.subheader("Stored")
            tables.show(loading.counts(report.stored, "rows"), "Rows stored", f"sources_stored_{report.source}")
        if report.totals:
            st.subheader("Totals")
            tables.show(loading.counts(report.totals, "count"), "Totals", f"sources_totals_{report.source}")
        st.subheader("Left out, and why")
        tables.show(loading.skipped(report), "What was left out", f"sources_skipped_{report.source}")
