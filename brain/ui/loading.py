"""Loading from a page: the form, the job, and the import reports as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import streamlit as st

from brain import loads
from brain.brain import Brain
from brain.errors import BadInput
from brain.ingest import Fetch, Outcome, Report
from brain.ui import answers, session, text, working
from brain.ui.frame import Frame
from brain.ui.jobs import Job

ACCESS = {"open": "Open to everybody", "internal": "Members of the organisation only"}
_FIRST = {"auto": "Find out from the content", "git": "Git repositories", "github": "GitHub archives"}


def formats() -> dict[str, str]:
    """The formats that can be chosen, each with what it is."""
    return _FIRST | {name: name.capitalize() for name in loads.formats()}


@dataclass(frozen=True)
class Wanted:
    """A load a person asked for; no paths means: load again what is loaded."""

    format: str
    paths: tuple[Path, ...]
    workspace: str
    org: str = ""
    access: str = "open"


def form(frame: Frame) -> Wanted | None:
    """The load form and the sync button; what was asked for just now, if anything."""
    with st.form("sources_form"):
        typed = st.text_area(
            "Files or folders on this machine",
            key="sources_paths",
            height=90,
            placeholder="/data/quic.bundle",
            help="One a line: repositories, bundles, archives, exports, documents, or a folder of all of them",
        )
        a, b = st.columns(2)
        known = formats()
        kind = a.selectbox("Format", known, format_func=known.__getitem__, key="sources_format")
        access = b.selectbox("Who may read it", ACCESS, format_func=ACCESS.__getitem__, key="sources_access")
        org = a.text_input("Organisation", key="sources_org", help="The owner of the git repositories, as in owner/name")
        into = b.text_input("Into workspace", frame.workspace, key="sources_workspace", help="A new name makes a new workspace")
        load = st.form_submit_button("Load", type="primary")
    if st.button("Sync: load again what is loaded", key="sources_sync", disabled=not frame.brain.loaded()):
        return Wanted("sync", (), frame.workspace)
    paths = tuple(Path(line.strip()).expanduser() for line in typed.splitlines() if line.strip())
    if load and not paths:
        st.error("Give at least one path.")
    return Wanted(kind, paths, into.strip() or frame.workspace, org.strip(), access) if load and paths else None


def start(frame: Frame, wanted: Wanted) -> Job:
    """A job that does the load; the one that is already running when there is one."""
    jobs = session.jobs()
    running = jobs.running("load")
    if running is not None:
        return running
    brain = session.brain(wanted.workspace)

    def work(job: Job) -> tuple[str, Outcome]:
        outcome = brain.load(fetches(brain, wanted), job.report, job.cancelled)
        if outcome.failures and not outcome.reports:
            raise BadInput("; ".join(outcome.failures))
        session.start_embedding(brain, frame.viewer, jobs)
        return wanted.workspace, outcome

    title = f"Loading {text.short(', '.join(p.name for p in wanted.paths), 60)}" if wanted.paths else "Sync"
    return jobs.start("load", title, frame.viewer.owner, work)


def fetches(brain: Brain, wanted: Wanted) -> dict[str, Fetch]:
    """What the load reads, by path; with format auto everything in a folder is told by its content."""
    if not wanted.paths:
        return loads.again(brain)
    found: dict[str, Fetch] = {}
    for path in wanted.paths:
        if wanted.format == "git":
            if not wanted.org:
                raise BadInput(f"{path}: give the organisation this repository belongs to")
            found[str(path)] = loads.git(brain.settings, path, wanted.org, wanted.access)
        elif wanted.format == "github":
            found[str(path)] = loads.github(path, wanted.org or None, None, wanted.access)
        elif wanted.format == "auto":
            found.update(loads.auto(brain.settings, path, wanted.org or None, wanted.access))
        else:
            options = {"org": wanted.org} if wanted.org and "org" in loads.formats()[wanted.format] else {}
            found[str(path)] = loads.named(brain.settings, wanted.format, path, access=wanted.access, options=options)
    return found


def job(frame: Frame, job_id: str) -> Job | None:
    """The load of that id, or the one that is running."""
    found = session.jobs().get(job_id, frame.viewer.owner) if job_id else None
    return found or (session.jobs().running("load") if frame.viewer.admin else None)


def outcome(frame: Frame, result: tuple[str, Outcome]) -> None:
    """What a load came to: a line for each path that failed, and the way to ask about the rest."""
    workspace, came = result
    for failure in came.failures:
        st.error(text.safe_md(failure))
    if came.reports and workspace != frame.workspace:
        answers.draw(f'<a class="hc-cite" href="{text.esc(text.url("", {"ws": workspace}))}">Ask {text.esc(workspace)}</a>')


def overview(reports: Sequence[Report]) -> pd.DataFrame:
    """A row for each source: when, how much was read, stored and left out."""
    return pd.DataFrame(
        [
            {
                "source": r.source,
                "format": r.format,
                "loaded": text.when(r.at),
                "read": sum(r.read.values()),
                "stored": sum(r.stored.values()),
                "left out": sum(s["count"] for s in r.skipped),
                "complete": "yes" if r.complete else "no",
                "from": r.path,
            }
            for r in reports
        ]
    )


def counts(numbers: Mapping[str, int], name: str) -> pd.DataFrame:
    """A count for each kind, most first."""
    return pd.DataFrame([(k, numbers[k]) for k in sorted(numbers, key=lambda k: (-numbers[k], k))], columns=["kind", name])


def skipped(report: Report) -> pd.DataFrame:
    """What was left out of a source: why, how many, and where the first one was."""
    found = sorted(report.skipped, key=lambda s: int(s["count"]), reverse=True)
    return pd.DataFrame([(s["reason"], s["count"], s["where"]) for s in found], columns=["why", "count", "first at"])


def embedding(frame: Frame) -> None:
    """How many passages have their vector."""
    making = session.jobs().running("embedding")
    if making is not None and making.owner == frame.viewer.owner:
        working.draw(making, "sources_embedding")
        return
    status = frame.brain.status()
    total, without = status["counts"].get("Chunk", 0), status.get("without_vector", 0)
    if total:
        st.progress((total - without) / total, text=f"Passages with a vector: {total - without:,} of {total:,}")
    if without:
        st.caption("Full-text search finds the others already; Sync makes their vectors.")
