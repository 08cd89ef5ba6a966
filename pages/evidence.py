"""Evidence: one run by its link, hop by hop, with the query of every step to run again."""

import streamlit as st

from brain.errors import HopcheckError
from brain.ui import answers, graph, listing, ownership, rerun, tables, text, turns
from brain.ui.frame import page

frame = page("Evidence")
run = st.query_params.get("run", "")
if not run:
    recent = frame.brain.recent_runs(frame.viewer)
    if not recent:
        st.info("A run is one question answered by one arm. Ask something first; each answer links to its run.")
    else:
        st.header("Your latest runs")
        answers.draw(answers.runs_html(recent, lambda r: frame.url("Evidence", run=r)))
    st.stop()
try:
    answer = frame.brain.run(run, frame.viewer)
except HopcheckError as error:
    st.error(text.safe_md(error))
    st.stop()


def link(key):
    return frame.source_url(answer.run, key)


if key := st.query_params.get("key"):
    st.header(f"Source: {text.safe_md(text.key_label(key))}")
    answers.draw(answers.source_html(answer, key))
    if frame.viewer.admin:
        answers.draw(f"<p>{listing.link(frame.url('Access', view='thing', key=key), 'Who can see this, and why')}</p>")

st.header(f"{text.arm(answer.arm)}: {text.safe_md(text.short(answer.question, 200))}")
again = {"q": answer.question, "arm": [answer.arm], "engine": turns.chosen(answer)}
st.markdown(
    f"Asked by {text.safe_md(answer.viewer)} as of {text.when(answer.as_of) or 'now'}, {turns.engine(answer)}. "
    f"[Ask it again]({frame.url('Ask', **again)}), or [as of that day]({frame.url('Ask', **again, at=text.when(answer.as_of))})."
)
answers.draw(answers.answer_html(answer, link))

for target, rows in ownership.asked_about(answer):
    st.header(f"Who answers for {text.safe_md(text.key_label(target))}, source by source")
    answers.draw(ownership.table(target, rows, link))

pic = graph.picture(answer.steps, answer.claims)
passages = answers.passages(answer)
if pic.nodes and answer.arm == "graph":
    st.header("Evidence graph")
    hop = st.query_params.get("hop", "")
    graph.draw(pic, link, key=f"evidence_graph_{run}", hop=int(hop) if hop.isdecimal() else None)
    tables.evidence(pic, key="evidence")
if passages:
    st.header("Passages")
    answers.draw(answers.passages_html(passages, link))

if turns.taken(answer.steps):
    st.header("What the model did")
    tables.show(turns.table(answer.steps), "Turns of the model", "evidence_turns")
    answers.draw(turns.asked_html(answer.steps))

st.header("Steps")
tables.show(tables.steps(answer), "Steps of this run", "evidence_steps")
for step in answer.steps:
    title = f"Step {step.n}: {text.safe_md(text.words(step.tool))}, {text.safe_md(turns.outcome(step))}"
    with st.expander(title, expanded=step.n == 1):
        if step.why:
            st.markdown(text.safe_md(step.why))
        if step.error:
            st.error(text.safe_md(step.error))
        if step.args:
            st.code(text.as_json(dict(step.args)), language="json", wrap_lines=True)
        if step.tool not in (turns.TURN, turns.DOWN):
            tables.show(tables.rows(step.rows), f"Rows of step {step.n}", f"evidence_rows_{step.n}")
        if not step.cypher:
            continue
        st.code(step.cypher, language="cypher", wrap_lines=True)
        st.code(text.as_json(dict(step.params)), language="json", wrap_lines=True)
        if st.button("Run again", key=f"evidence_again_{step.n}"):
            rerun.draw(frame, step, answer.as_of)
