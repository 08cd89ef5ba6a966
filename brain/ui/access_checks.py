"""The checks of access as a page shows them: what each found last, when, over which state of the graph; and each to run again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from brain.audit import checks, record
from brain.audit.checks import Ask
from brain.audit.record import Kept
from brain.store import graph_name
from brain.ui import access_pivot, answers, listing, session, text, working
from brain.ui.frame import Frame, workspace_param
from brain.ui.jobs import Job
from brain.ui.text import esc

SHOWN = 200
EXTENTS = {"some": "A sample, in minutes", "all": "Everything, which can take an hour"}
Findings = tuple[Sequence[str], Sequence[Sequence[object]], int]


@dataclass(frozen=True)
class Check:
    """One check: its name, its title, what it proves, whether a result is good, and a result in figures and in findings."""

    name: str
    title: str
    proves: str
    good: Callable[[Mapping[str, Any]], bool]
    says: Callable[[Mapping[str, Any]], str]
    findings: Callable[[Mapping[str, Any]], Findings]


def _rows(found: Sequence[Mapping[str, Any]], fields: Mapping[str, str], n: int | None = None) -> Findings:
    rows = [[row.get(field, "") for field in fields.values()] for row in found[:SHOWN]]
    return tuple(fields), rows, len(found) if n is None else int(n)


def _probe(r: Mapping[str, Any]) -> str:
    asked = f"{text.count(r['questions'], 'question')} and {text.count(r['probes'], 'probe')}"
    by = f"{text.count(len(r['viewers']), 'viewer')}, {', '.join(text.arm(a).lower() for a in r['arms'])}"
    return f"{text.count(r['n_leaks'], 'leak')} in {text.count(r['answers'], 'answer')}: {asked}, {by}"


def _differential(r: Mapping[str, Any]) -> str:
    what = f"{text.count(r['queries'], 'query', 'queries')}, {text.count(r['calls'], 'call')}, {text.count(r['questions'], 'question')}"
    what += f", {text.count(r.get('investigations', 0), 'investigation')}"
    found = f"{text.count(r['n_differences'], 'difference')} in {text.count(r['compared'], 'comparison')}"
    return f"{found}: {what}, {text.count(len(r['viewers']), 'viewer')}; with the hidden part there, {r['slowdown']:.2f} times the time"


def _mutation(r: Mapping[str, Any]) -> str:
    idle = sum(bool(m.get("why")) for m in r["missed"])
    more = f"; {idle:,} change nothing, each for a reason" if idle else ""
    of = f"{text.count(r['total'], 'weakened filter')} of {text.count(len(r['queries']), 'query', 'queries')}"
    return f"{r['caught']:,} of {of} caught{more}"


def _cost(r: Mapping[str, Any]) -> str:
    over = f"{r['restricted']:,} of {text.count(r['sources'], 'source')} restricted over {text.count(r['groups'], 'group')}"
    return f"{r['median_ratio']:.2f} times the time at the median of {text.count(r['calls'], 'call')}; {over}"


def _pivot_good(r: Mapping[str, Any]) -> bool:
    return not any(arm["on"].get("rpr") or arm["on"].get("leakage") for arm in r["arms"].values())


_LEAK = {"Viewer": "viewer", "Arm": "arm", "Question": "question", "Where": "where", "What": "what"}
_DIFFERENCE = {"Viewer": "viewer", "Kind": "kind", "Name": "name", "Detail": "detail"}
_MISSED = {"Query": "query", "Filter": "macro", "Why": "why"}


def _missed(r: Mapping[str, Any]) -> Findings:
    """What nothing noticed, that which nobody has a reason for first."""
    return _rows(sorted(r["missed"], key=lambda m: bool(m.get("why"))), _MISSED)


CHECKS = (
    Check(
        "probe", "Leak probe",
        "Asks everything, and what was written to draw secrets out, as everybody; looks for anything hidden in all that comes back.",
        lambda r: not r["n_leaks"], _probe, lambda r: _rows(r["leaks"], _LEAK, r["n_leaks"]),
    ),
    Check(
        "differential", "Differential",
        "Takes away all that a viewer may not see, and asks again: nothing may change, no count, no order, no path.",
        lambda r: not r["n_differences"], _differential, lambda r: _rows(r["differences"], _DIFFERENCE, r["n_differences"]),
    ),
    Check(
        "mutation", "Mutation",
        "Weakens each filter of each query in turn: something must notice, or nothing holds that filter in its place.",
        lambda r: all(m.get("why") for m in r["missed"]), _mutation, _missed,
    ),
    Check(
        "pivot", "What the filter is worth",
        "One step on from what a viewer may see: how often something hidden is reached, with the filter and without.",
        _pivot_good, access_pivot.sentence, lambda r: ((), (), 0),
    ),
    Check(
        "cost", "What the filter costs",
        "The same calls with the filter and without, on the same graph, turn by turn.",
        lambda r: bool(r["holds"]), _cost, lambda r: _rows(r["worst"], {"Slowest": "tool", "Times": "ratio"}),
    ),
)  # fmt: skip


def draw(frame: Frame, questions: Callable[[], Sequence[tuple[str, int | None]]]) -> None:
    """Draw the verdict, the board of all checks, and each check with its findings and its button. `questions` gives those of the
    sets that belong to the workspace, for the checks that ask.
    """
    version = frame.brain.store.version(graph_name(frame.workspace))
    kept = {c.name: _last(frame, c) for c in CHECKS}
    answers.draw(_headline(kept["probe"], kept["differential"], version))
    rows = [_row(c, kept[c.name], version) for c in CHECKS]
    answers.draw(listing.table("The checks of access", ("Check", "Result", "Figures", "When", "Over"), rows))
    named = EXTENTS.__getitem__
    extent = st.segmented_control("A run asks", EXTENTS, required=True, default="some", format_func=named, key="access_extent")
    for check in CHECKS:
        _one(frame, check, kept[check.name], lambda: Ask(questions(), extent == "all"))


def _last(frame: Frame, check: Check) -> Kept | None:
    """The last result of a check; None also for one of another shape, as another version of the program left it."""
    kept = record.last(frame.brain.files, check.name)
    try:
        if kept is not None:
            check.good(kept.result), check.says(kept.result), check.findings(kept.result)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return kept


def _headline(probe: Kept | None, differential: Kept | None, version: str) -> str:
    """The number that matters, first."""
    if probe is None:
        return '<p class="hc-gauge" role="status"><b>?</b><span>Not measured yet: run the leak probe.</span></p>'
    r = probe.result
    where = "about what is loaded now" if probe.graph == version else "about an earlier state; something was loaded since"
    more = ""
    if differential is not None:
        more = f" {text.count(differential.result['n_differences'], 'difference')} once everything hidden is taken away."
    said = f"{'leak' if r['n_leaks'] == 1 else 'leaks'} in {text.count(r['answers'], 'answer')} {where}.{more}"
    return f'<p class="hc-gauge" role="status"><b>{r["n_leaks"]:,}</b><span>{esc(said)}</span></p>'


def _row(check: Check, kept: Kept | None, version: str) -> Sequence[str]:
    if kept is None:
        return esc(check.title), listing.badge("? not run", "unsupported"), "", "", ""
    good = check.good(kept.result)
    result = listing.badge("✓ holds", "supported") if good else listing.badge("✗ does not hold", "contradicted")
    over = "what is loaded now" if kept.graph == version else listing.badge("? an earlier state", "unsupported")
    return esc(check.title), result, esc(check.says(kept.result)), esc(minute(kept.made_at)), over


def minute(epoch: int) -> str:
    """An instant to the minute (UTC)."""
    return datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%d %H:%M")


def _one(frame: Frame, check: Check, kept: Kept | None, ask: Callable[[], Ask]) -> None:
    left, right = st.columns([6, 1], vertical_alignment="bottom")
    with left:
        st.subheader(check.title)
        st.markdown(text.safe_md(check.proves))
    jobs = session.jobs()
    running = jobs.running(_kind(frame, check))
    if running is None and right.button("Run again" if kept else "Run", key=f"access_run_{check.name}", help=check.title, width="stretch"):
        st.query_params.from_dict({"view": "checks", "job": start(frame, check, ask()).id, **workspace_param(frame.workspace)})
        st.rerun()
    asked = st.query_params.get("job", "")
    job = running or (jobs.get(asked, frame.viewer.owner) if asked else None)
    if job is not None and job.kind == _kind(frame, check):
        working.draw(job, f"access_{check.name}")
    if kept is None:
        return
    if check.name == "pivot":
        access_pivot.draw(kept.result)
    columns, rows, n = check.findings(kept.result)
    if rows:
        cells = [[esc(text.short(_cell(v), 240)) for v in row] for row in rows]
        answers.draw(listing.table(f"Findings of the check {check.title.lower()}", columns, cells))
    if n > len(rows):
        st.caption(f"{n - len(rows):,} more: brain access {check.name} --json")


def _cell(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _kind(frame: Frame, check: Check) -> str:
    return f"access-{check.name}-{frame.workspace}"


def start(frame: Frame, check: Check, ask: Ask) -> Job:
    """A job that runs the check and keeps its result."""
    brain = frame.brain

    def work(job: Job) -> None:
        checks.run(brain, check.name, ask, progress=job.report, cancelled=job.cancelled)

    return session.jobs().start(_kind(frame, check), check.title, frame.viewer.owner, work)
