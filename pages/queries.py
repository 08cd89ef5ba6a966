"""Queries: the catalogue, each query to run with your own parameters, with measured times."""

import pandas as pd
import streamlit as st

from brain.errors import HopcheckError
from brain.tools import filtering
from brain.ui import catalogue, forms, freeform, graph, tables, text
from brain.ui.frame import page, workspace_param

frame = page("Queries")
queries = [*frame.brain.catalogue.of_kind("query"), *frame.brain.catalogue.of_kind("internal")]
names = [q.name for q in queries]

with st.expander(f"The whole catalogue: {text.count(len(queries), 'query', 'queries')}"):
    measured = catalogue.times(frame)
    if st.button("Run every example and measure", key="queries_measure"):
        bar = st.progress(0.0)
        for i, query in enumerate(shown := [q for q in queries if q.example or not q.params]):
            bar.progress((i + 1) / len(shown), text=text.safe_md(query.name))
            catalogue.measure(frame, query)
        bar.empty()
    table = pd.DataFrame([catalogue.row(q, measured.get(q.name)) for q in queries])
    tables.show(table, "Every query of the catalogue", "queries_catalogue")
with st.expander(f"How every tool is filtered: {text.count(len(frame.brain.tools), 'tool')}"):
    tables.show(catalogue.tools(frame), "How every tool is filtered", "queries_filters")
freeform.section(frame)

asked = st.query_params.get("query", "")
if st.session_state.get("queries_seen") != asked:
    st.session_state["queries_seen"] = asked
    st.session_state["queries_name"] = asked if asked in names else names[0]
if asked and asked not in names:
    st.warning(f"There is no query {text.safe_md(asked)}; this is the first one instead.")


def choose():
    st.query_params.from_dict({"query": st.session_state["queries_name"], **workspace_param(frame.workspace)})
    st.session_state["queries_seen"] = st.session_state["queries_name"]


topic = {q.name: q.topic for q in queries}
name = st.selectbox("Query", names, key="queries_name", on_change=choose, format_func=lambda n: f"{n} · {topic[n]}")
query = frame.brain.catalogue[name]
st.header(text.safe_md(query.name))
st.markdown(text.safe_md(query.description))
if query.returns:
    st.markdown(f"Returns {text.safe_md(query.returns)}")
st.markdown(f"Filtered: {text.safe_md(filtering.of_query(query))}")

try:
    values = forms.from_url(query, st.query_params.to_dict() if asked == name else {})
except HopcheckError as error:
    st.error(text.safe_md(error))
    values = dict(query.example)
with st.form(f"queries_form_{name}", border=True):
    typed = forms.fields(query, values, "queries")
    run = st.form_submit_button("Run", type="primary")

with st.expander("The query as it runs"):
    st.code(query.cypher, language="cypher", wrap_lines=True)

linked = asked == name and any(k.startswith(forms.PREFIX) for k in st.query_params.to_dict())
if not run and not linked:
    st.stop()
try:
    values = {p.name: v for p in query.params if (v := forms.parse(p, typed[p.name])) is not None}
    result = catalogue.run(frame, query, values)
except HopcheckError as error:
    st.error(text.safe_md(error))
    st.stop()
if run:
    st.query_params.from_dict({"query": name, **forms.to_url(values), **workspace_param(frame.workspace)})
    st.session_state["queries_seen"] = name

st.header("Result")
st.markdown(f"{text.count(len(result.rows), 'row')} in {text.took(result.ms)}, of which the server spent {text.took(result.server_ms)}")
tables.show(tables.rows(result.rows), "Rows of the result", "queries_rows")
pic = graph.picture([catalogue.step(query, values, result)])
if pic.nodes:
    graph.draw(pic, lambda key: "", key=f"queries_graph_{name}")
    tables.evidence(pic, key="queries")
with st.expander("Parameters that ran"):
    st.code(text.as_json(dict(result.params)), language="json", wrap_lines=True)
