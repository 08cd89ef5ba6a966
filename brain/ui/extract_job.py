"""The work of an extraction on the page: read, or judge anew, in the background; one at a time in a workspace, and what it came to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from brain.errors import HopcheckError
from brain.extract.extraction import Extraction, Settled
from brain.extract.reading import Spent
from brain.ui import answers, listing, session, text, viewing, working
from brain.ui.extract_place import Place
from brain.ui.jobs import Job

SAID = "extract_said"


@dataclass(frozen=True)
class Came:
    """What the work came to; `spent` where a model was to be asked."""

    settled: Settled
    spent: Spent | None = None


Doing = Callable[[Extraction, Job], Came]


def own(place: Place) -> Extraction:
    """The extraction with the rights of this moment. BadInput for who is no administrator (any more)."""
    return Extraction(place.frame.brain, viewing.seen(place.frame.brain, session.viewer(place.frame.brain)))


def running(place: Place) -> Job | None:
    """The work under way in this workspace, whoever started it."""
    return session.jobs().running(_kind(place))


def start(place: Place, title: str, work: Doing) -> None:
    """Begins the work, unless some is under way; it stands in the address."""
    job = running(place)
    if job is None:
        extraction = own(place)

        def done(job: Job) -> Came:
            with extraction.kept.lock():
                return work(extraction, job)

        job = session.jobs().start(_kind(place), title, extraction.viewer.owner, done)
    place.go(job=job.id)


def judge(place: Place, title: str = "Judging anew") -> None:
    """Begins to judge anew what was read, which asks no model. Work that is under way takes in what was said meanwhile by itself."""
    start(place, title, lambda extraction, job: Came(extraction.settle(progress=job.report)))


def tell(line: str, good: bool = True) -> None:
    """Keeps a line for the next time the page is drawn."""
    st.session_state[SAID] = (good, line)


def draw(place: Place, extraction: Extraction) -> None:
    """Draw what the last click came to, the work under way or that of the address, and whether something is not judged yet."""
    good, line = st.session_state.pop(SAID, (True, ""))
    if line:
        (st.success if good else st.error)(text.safe_md(line))
    job = running(place) or session.jobs().get(st.query_params.get("job", ""), extraction.viewer.owner)
    job = job if job is not None and job.kind == _kind(place) else None
    if job is not None and (_cut_short(job) or working.draw(job, "extract")) and job.state == "done":
        came(place, job.future.result())
    if (job is None or job.state != "running") and extraction.kept.behind():
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown("Something was read, or said of a name, that is not judged yet.")
            again(place, "extract_behind")


def again(place: Place, key: str) -> None:
    """Draw the button that has everything judged anew."""
    st.button("Judge anew", key=key, on_click=_judge, args=(place,), disabled=running(place) is not None)


def came(place: Place, found: Came) -> None:
    """Draw what the work came to, with the way to decide about it."""
    spent, decide = found.spent, listing.link(place.frame.url("Sources", view="candidates"), "To decide")
    said = [*_took(spent), _claims(found.settled.counts())]
    answers.draw(f'<p class="hc-note">{text.esc(" ".join(said))} {decide}</p>')
    left = f" {text.count(spent.left, 'slice')} left for the next time." if spent and spent.left else ""
    for why in spent.why if spent else ():
        st.warning(text.safe_md(f"Not all was read: {why.rstrip('.')}.{left}"))


def _cut_short(job: Job) -> bool:
    """Is it over without having read everything? Then it is not called done."""
    spent = job.future.result().spent if job.state == "done" else None
    return bool(spent and spent.why)


def _claims(counts: dict[str, int]) -> str:
    decisions = f", those of {text.count(counts['decisions'], 'decision')} among them" if counts["decisions"] else ""
    return f"{text.count(counts['claims'], 'claim')} now {'stands' if counts['claims'] == 1 else 'stand'}{decisions}."


def _took(spent: Spent | None) -> list[str]:
    """What reading took."""
    if spent is None:
        return ["No model was asked."]
    if not spent.asked and not spent.left:
        return ["Nothing had changed since it was read, so no model was asked."]
    tokens = f"{spent.prompt_tokens:,} tokens in, {spent.completion_tokens:,} out"
    return [f"Read {text.count(spent.asked, 'slice')}: {tokens}, cost {spent.money}."]


def _judge(place: Place) -> None:
    try:
        judge(place)
    except HopcheckError as error:
        tell(str(error), good=False)


def _kind(place: Place) -> str:
    return f"extract {place.frame.workspace}"
