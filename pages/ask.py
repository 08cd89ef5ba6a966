"""Ask: one question, answered by each chosen arm side by side, with every hop and passage shown."""

import streamlit as st

from brain.ui import access_hidden, answers, asked, asking, engines, graph, ownership, playbooks, tables, text
from brain.ui.frame import page

frame = page("Ask")
if frame.fresh and "q" not in st.query_params:
    asked.go(frame, asked.Asked(next(iter(frame.brain.suggestions(frame.viewer)), "")))
now = asked.current()
left = asking.form(frame, now)
if not now.question and not now.runs:
    st.stop()

found = asked.answered(frame, now)
engines.left(frame, left)
if sentence := asking.comparison(found):
    answers.draw(f'<p class="hc-verdict">{text.esc(sentence)}</p>')
playbooks.keeping(frame, found)

for answer in found:
    name = text.arm(answer.arm)
    for target, rows in ownership.asked_about(answer):
        st.header(f"Who answers for {text.safe_md(text.key_label(target))}, source by source")
        answers.draw(ownership.table(target, rows, frame.entity_url))
    if answer.arm == "graph":
        pic = graph.picture(answer.steps, answer.claims)
        if pic.nodes:
            st.header("Evidence graph")
            graph.draw(pic, lambda key, run=answer.run: frame.source_url(run, key), key=f"ask_graph_{answer.run}")
            tables.evidence(pic, key=f"ask_{answer.run}")
    elif passages := answers.passages(answer):
        st.header(f"Retrieved by {name.lower()}")
        answers.draw(answers.passages_html(passages, lambda key, run=answer.run: frame.source_url(run, key)))
access_hidden.draw(frame, found)
