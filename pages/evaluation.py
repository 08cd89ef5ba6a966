"""Evaluation: run a question set in chosen arms, or open a recorded run, down to every single answer."""

import time

import streamlit as st

from brain.ui import answers, charts, engines, incident_scores, judged, session, starting, tables, text, working
from brain.ui.frame import page, workspace_param
from eval import arms, estimate, questions, records, rights, run, usage
from eval.incidents import run as replays

frame = page("Evaluation", needs_data=False)
own = session.configured().workspaces / frame.workspace / "eval"
if replayed := incident_scores.chosen(frame.workspace, replays.found(own)):
    incident_scores.draw(*replays.load(replayed), lambda r: rights.covers(frame.viewer, r["rights"]))
    st.stop()
recorded = {name: folder for folder in (own, records.RUNS) for name in records.names(folder)}
sets = questions.shipped()


def who(own_viewer):
    return frame.brain.viewer(own_viewer) if own_viewer else frame.viewer


def estimated(wish):
    left = [(question, arm) for question in questions.load(sets[wish.name]) for arm in wish.arms]
    return estimate.estimate(engines.brain(frame, wish.engine), left, who).said()


def start(wish):
    asked = questions.load(sets[wish.name])
    folder = own / "-".join([wish.name, *engines.label(frame, wish.engine), time.strftime("%Y%m%d-%H%M%S")])

    def work(job):
        def note(done, total, record):
            job.report(record["id"], done, total)

        ask = arms.asker(engines.brain(frame, wish.engine), who, wish.engine, wish.purse)
        how = {"name_of_set": wish.name, "engine": wish.engine, "progress": note, "cancel": job.cancelled}
        return run.run(asked, wish.arms, ask, folder, **how).name

    return session.jobs().start("evaluation", f"Evaluating {wish.name}", frame.viewer.owner, work)


if frame.viewer.admin and frame.brain.loaded():
    starting.draw(frame, sets, estimated, start)
job = session.jobs().get(st.query_params.get("job", ""), frame.viewer.owner) or session.jobs().running("evaluation")
if job is not None and job.owner == frame.viewer.owner and working.draw(job, "evaluation") and job.state == "done":
    answers.draw(f'<a class="hc-cite" href="{text.esc(frame.url("Evaluation", run=job.future.result()))}">Open this run</a>')

if not recorded:
    st.info("No run is recorded yet.")
    st.stop()


def remember(**kept):
    st.query_params.from_dict({**{k: v for k, v in kept.items() if v}, **workspace_param(frame.workspace)})


asked_run = st.query_params.get("run", "")
if asked_run and asked_run not in recorded:
    st.warning(f"There is no run {text.safe_md(asked_run)}; this is the newest one instead.")
names = list(recorded)
name = st.selectbox(
    "Recorded run",
    names,
    index=names.index(asked_run) if asked_run in names else 0,
    key="evaluation_run",
    on_change=lambda: remember(run=st.session_state["evaluation_run"]),
    format_func=text.plain,
)
whole = records.load(recorded[name] / name)
if not whole.records:
    st.info("This run has no answers yet.")
    st.stop()
done = rights.readable(whole, frame.viewer)
sums = done.summary
answers.draw(f'<p class="hc-verdict">{text.esc(sums["verdict"])}</p>')

st.header("By category")
tables.show(judged.by_category(sums), "Scores by category and arm", "evaluation_categories", "content", "not scored")
if sums.get("models"):
    st.header("What the model took")
    tables.show(judged.models(usage.table(sums["models"])), "Model, tokens and cost by arm", "evaluation_models", height="content")
left, right = st.columns(2)
with left:
    st.subheader("Mean scores")
    charts.draw(charts.dumbbell(sums), "evaluation_dumbbell")
for i, pair in enumerate(sums["pairs"]):
    with (right, left)[i % 2]:
        st.subheader(f"{text.arm(pair['a'])} against {text.arm(pair['b']).lower()}")
        charts.draw(charts.differences(pair), f"evaluation_pair_{i}")

st.header("Every question")
st.caption(text.safe_md(rights.said(done)))
if not done.records:
    st.stop()
ways = {"all": "All", "differ": "Arms differ", "wrong": f"{text.arm(done.arms[0])} not right"}
how = st.segmented_control("Show", ways, default="all", required=True, format_func=ways.__getitem__, key="evaluation_show")
kept = judged.differing(done.by_question(), how)
tables.show(judged.questions(kept, done.arms), "Every question with each arm's score", "evaluation_questions", 320, "not scored")
grouped = done.by_question()
asked = st.query_params.get("question", "")
ids = [asked, *kept] if asked in grouped and asked not in kept else list(kept)
if not ids:
    st.stop()
chosen = st.selectbox(
    "Look at a question",
    ids,
    index=ids.index(asked) if asked in ids else 0,
    key=f"evaluation_question_{name}_{how}",
    format_func=lambda i: f"{text.plain(i)}: {text.short(next(iter(grouped[i].values()))['question'], 110)}",
    on_change=lambda: remember(run=name, question=st.session_state[f"evaluation_question_{name}_{how}"]),
)
judged_by = grouped[chosen]
judged.heading(next(iter(judged_by.values())))
for column, record in zip(st.columns(len(judged_by), gap="large"), judged_by.values(), strict=True):
    with column:
        judged.draw(record, lambda key: frame.url("Queries", query="details", **{"p.key": key}))
