"""Replayed alerts as the Evaluation page shows them: the arms side by side, then every alert down to what was named and why it was wrong.
Knows nothing of who made the records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from brain.ui import answers, charts, listing, tables, text
from brain.ui.frame import workspace_param
from brain.ui.text import esc

Record = Mapping[str, Any]
MEASURES = {
    "ac1": ("Cause named first", "AC@1"),
    "ac3": ("Causes among the first three", "AC@3"),
    "grounded": ("Its way stands in the graph", "of those that named something"),
    "rejected": ("Red herring rejected", "of those with one"),
    "page": ("Right person first", "all alerts"),
    "accused": ("False accusation", "quiet alerts; 0 is right"),
}
WAYS = {"all": "All", "wrong": "Something wrong", "differ": "Arms differ"}


def chosen(workspace: str, runs: Mapping[str, Path]) -> Path | None:
    """The run of replayed alerts that the reader looks at, of these; None while they look at questions, or when there is none."""
    if not runs:
        return None
    kinds = {"questions": "Questions", "alerts": "Alerts"}
    start = "alerts" if {"replays", "replay"} & set(st.query_params) else "questions"

    def turn() -> None:
        named = {"replays": next(iter(runs))} if st.session_state["evaluation_of"] == "alerts" else {}
        st.query_params.from_dict({**named, **workspace_param(workspace)})

    how = st.segmented_control(
        "What was measured", kinds, default=start, required=True, format_func=lambda k: kinds[k], key="evaluation_of", on_change=turn
    )
    if how != "alerts":
        return None
    names, asked = list(runs), st.query_params.get("replays", "")
    name = st.selectbox(
        "Replayed set", names, index=names.index(asked) if asked in names else 0, key="evaluation_replays", format_func=text.plain,
        on_change=lambda: st.query_params.update(replays=st.session_state["evaluation_replays"]),
    )  # fmt: skip
    return runs[name]


def draw(records: Sequence[Record], summary: Mapping[str, Any], shown: Callable[[Record], bool]) -> None:
    """Draw a whole run; `shown` tells which records this reader may see, the rest count in the measures alone."""
    answers.draw(f'<p class="hc-verdict">{esc(_verdict(summary))}</p>')
    st.header("Measures")
    st.caption("In brackets the 95 % interval, then of how many alerts. What cannot be measured is left out, not counted as wrong.")
    answers.draw(sums(summary))
    _chart(summary)
    st.header("Every alert")
    kept = [r for r in records if shown(r)]
    if len(kept) < len(records):
        st.caption(f"{text.count(len(records) - len(kept), 'answer')} were asked with other rights than yours and count above alone.")
    if kept:
        _alerts(kept)


def _verdict(summary: Mapping[str, Any]) -> str:
    said = str(summary["verdict"])
    for name in summary["arms"]:
        said = said.replace(f" {name}:", f" {text.arm(name).lower()}:").replace(f"{name} finds", f"{text.arm(name)} finds")
        said = said.replace(f"{name} is not", f"{text.arm(name)} is not")
    return said


def sums(summary: Mapping[str, Any]) -> str:
    """The table of measures by arm, as HTML."""
    arms = summary["arms"]
    rows = [
        (f"{esc(said)}<br><small>{esc(more)}</small>", *(_share(summary["measures"][a][name]) for a in arms))
        for name, (said, more) in MEASURES.items()
    ]
    for name, said in (("steps", "Steps, mean"), ("p50_ms", "Time, half are faster"), ("p95_ms", "Time, 95 % are faster")):
        rows.append((esc(said), *(_number(summary["measures"][a][name], name) for a in arms)))
    rows.append(("Failed", *(str(summary["measures"][a]["failures"]) for a in arms)))
    return listing.table("Measures by arm", ("Measure", *(text.arm(a) for a in arms)), rows)


def _share(cell: Mapping[str, Any]) -> str:
    if cell["mean"] is None:
        return "<small>not scored</small>"
    return f"<b>{cell['mean']:.2f}</b> <small>({cell['low']:.2f} to {cell['high']:.2f}) of {cell['n']}</small>"


def _number(value: float | None, name: str) -> str:
    if value is None:
        return "<small>none</small>"
    return f"{value:.1f}" if name == "steps" else esc(text.took(value))


def _chart(summary: Mapping[str, Any]) -> None:
    """The share of causes named first, by kind of alert; quiet alerts have none."""
    with_cause = {c: cells for c, cells in summary["categories"].items() if any(x["ac1"] is not None for x in cells.values())}
    st.subheader("Cause named first, by kind of alert")
    charts.draw(charts.dumbbell({**summary, "categories": with_cause}, "ac1"), "evaluation_alerts_chart")


def _alerts(records: Sequence[Record]) -> None:
    """The table of alerts, and the one that is looked at with what each arm said."""
    arms = list(dict.fromkeys(r["arm"] for r in records))
    grouped: dict[str, dict[str, Record]] = {}
    for r in records:
        grouped.setdefault(r["id"], {})[r["arm"]] = r
    how = st.segmented_control("Show", WAYS, default="all", required=True, format_func=WAYS.__getitem__, key="evaluation_alerts_show")
    kept = {i: by_arm for i, by_arm in grouped.items() if _wanted(by_arm, how)}
    tables.show(sheet(kept, arms), "Every alert with what each arm made of it", "evaluation_alerts", height=320)
    if not kept:
        return
    asked = st.query_params.get("replay", "")
    ids = list(kept)
    chosen = st.selectbox(
        "Look at an alert", ids, index=ids.index(asked) if asked in ids else 0, key=f"evaluation_alert_{how}",
        format_func=lambda i: f"{text.plain(i)}: {text.short(title(kept[i]), 90)}",
        on_change=lambda: st.query_params.update(replay=st.session_state[f"evaluation_alert_{how}"]),
    )  # fmt: skip
    by_arm = kept[chosen]
    answers.draw(facts(next(iter(by_arm.values()))))
    for column, record in zip(st.columns(len(by_arm), gap="large"), by_arm.values(), strict=True):
        with column:
            st.markdown(f"#### {text.safe_md(text.arm(record['arm']))}")
            answers.draw(one(record))


def _wanted(by_arm: Mapping[str, Record], how: str) -> bool:
    if how == "wrong":
        first = next(iter(by_arm.values()))
        return bool(first["error"] or first["score"]["why"])
    return how == "all" or len({(r["score"]["ac1"], r["score"]["accused"]) for r in by_arm.values()}) > 1


def title(by_arm: Mapping[str, Record]) -> str:
    """What the alert is called, as whoever looked into it was told."""
    said = (r["said"] or {} for r in by_arm.values())
    return next((s["title"] for s in said if s.get("title")), next(iter(by_arm.values()))["alert"])


def sheet(grouped: Mapping[str, Mapping[str, Record]], arms: Sequence[str]) -> pd.DataFrame:
    """A row for each alert: kind, how far the cause is, what each arm made of it."""
    return pd.DataFrame(
        [
            {
                "id": name, "kind": first["category"], "hops": "" if first["hops"] is None else str(first["hops"]),
                **{text.arm(a): outcome(by_arm[a]) for a in arms if a in by_arm},
                "alert": text.short(title(by_arm), 80), "cause": ", ".join(map(text.key_label, first["causes"])) or "none recorded",
            }
            for name, by_arm in grouped.items()
            if (first := next(iter(by_arm.values())))
        ]
    )  # fmt: skip


def outcome(record: Record) -> str:
    """What an arm made of an alert, in a word or two."""
    marks = record["score"]
    if record["error"]:
        return "failed"
    if marks["accused"] is not None:
        return "false accusation" if marks["accused"] else "right: named nothing"
    if marks["ac1"]:
        return "right" if marks["ac3"] == 1 else "one of two"
    return "among three" if marks["ac3"] else "missed"


def facts(record: Record) -> str:
    """What is right about an alert, as HTML."""
    right = {
        "cause": ", ".join(esc(text.key_label(k)) for k in record["causes"]) or "none recorded",
        "broke": ", ".join(esc(text.key_label(k)) for k in record["broke"]),
        "red herrings": ", ".join(esc(text.key_label(k)) for k in record["herrings"]) or "none",
        "right to page": " or ".join(esc(text.key_label(k)) for k in record["page"]),
        "looked at as of": esc(text.when(record["as_of"])),
    }
    return f"<p>{listing.facts(right)}</p>"


def one(record: Record) -> str:
    """What one arm said of an alert, and what is wrong with it, as HTML."""
    if record["said"] is None:
        return f"<p>This arm failed: {esc(record['error'])}</p>"
    said, marks = record["said"], record["score"]
    parts = [listing.badge(outcome(record), _colour(marks))]
    if marks["why"]:
        parts.append(f"<p><b>Wrong:</b> {esc(marks['why'])}.</p>")
    named = "".join(f"<li>{_named(n, record)}</li>" for n in said["named"])
    parts.append(f"<p>Named:</p><ol>{named}</ol>" if named else "<p>Named nothing.</p>")
    passed = "".join(f"<li>{_key(key, record)}{f': {esc(why)}' if why else ''}</li>" for key, why in said["discounted"])
    parts.append(f"<p>Passed over:</p><ul>{passed}</ul>" if passed else "")
    turned = ", ".join(_person(k, record) for k in said["page"][:3])
    parts.append(f"<p>Turns to: {turned or 'nobody'}</p>")
    return "".join(parts) + f"<p><small>{', '.join(_cost(said))}</small></p>"


def _cost(said: Mapping[str, Any]) -> Iterator[str]:
    if said["steps"] is None:
        yield "a rule: no steps"
    else:
        yield text.count(said["steps"], "step")
    if said["ms"] is not None:
        yield text.took(said["ms"])


def _colour(marks: Mapping[str, Any]) -> str:
    if marks["accused"] is not None:
        return "contradicted" if marks["accused"] else "supported"
    return "supported" if marks["ac1"] else "unsupported"


def _named(named: Mapping[str, Any], record: Record) -> str:
    sure = f" <small>confidence {named['confidence']:.2f}</small>" if named["confidence"] else ""
    way = " → ".join(esc(text.key_label(k)) for k in named["path"])
    return f"{_key(named['key'], record)}{sure}{f'<br><small>{way}</small>' if way else ''}"


def _key(key: str, record: Record) -> str:
    same = {other for c in record["causes"] for other in (c, *record["same"].get(c, ()))}
    marks = listing.badge("the cause", "supported") if key in same else ""
    marks = listing.badge("red herring", "contradicted") if key in record["herrings"] else marks
    return f"{esc(text.key_label(key))} {marks}"


def _person(key: str, record: Record) -> str:
    name = record["said"]["names"].get(key) or text.key_label(key)
    return f"{esc(name)} {listing.badge('right', 'supported')}" if key in record["page"] else esc(name)
