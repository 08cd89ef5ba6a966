"""How far the reading is, by kind of text and by model, and having more read: first what that may come to, then, once somebody agrees,
the work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from brain.errors import HopcheckError
from brain.extract import wanted
from brain.extract.extraction import Extraction
from brain.extract.texts import KINDS
from brain.extract.wanted import Estimate, Part, Standing, Wanted, Work
from brain.llm import opening
from brain.schema import ACCESS_LABELS
from brain.store import graph_name
from brain.ui import answers, engines, extract_job, listing, text
from brain.ui.extract_job import Came
from brain.ui.extract_place import Place
from brain.ui.frame import Frame

WISH = "extract_wish"
WORDS = {
    "docs": "Documents", "chat": "Chat", "requests": "Talk at requests", "issues": "Talk at issues", "tickets": "Talk at tickets",
}  # fmt: skip
HOW_TO = (
    "No model is set up to read with: name one in BRAIN_LLM_MODELS, and its server in OPENAI_BASE_URL or a key in OPENAI_API_KEY,"
    " and start again. What was read before stays."
)
_CAP = "The reading stops before it takes more"


@dataclass(frozen=True)
class Wish:
    """A reading that somebody may agree to: what is wanted, and what it may come to."""

    wanted: Wanted
    estimate: Estimate


def draw(place: Place, extraction: Extraction) -> None:
    """Draw how far the reading is, and the way to have more read."""
    settings, readings = place.frame.brain.settings, extraction.kept.readings()
    asked = wanted.models(settings) if opening.available(settings) else ""
    kinds = wanted.standing(parts(place.frame, extraction), readings, asked)
    answers.draw(f'<p class="hc-verdict" role="status">{text.esc(said(kinds, asked))}</p>')
    if kinds:
        answers.draw(kinds_html(kinds, asked))
    if done := wanted.work(readings):
        answers.draw(work_html(done))
    st.subheader("Have texts read")
    if not asked:
        st.info(text.safe_md(HOW_TO))
    elif kinds:
        _wanted(place, extraction, kinds)
    if readings:
        st.subheader("Judge anew")
        st.markdown("Checks everything that was read once more, with what is loaded now. No model is asked.")
        extract_job.again(place, "extract_again")


def said(kinds: list[Standing], asked: str) -> str:
    """How far it is, in a sentence or two."""
    every, read, unread = (sum(getattr(k, what) for k in kinds) for what in ("slices", "read", "unread"))
    if not every:
        return "There is nothing to read: no documents, no chat, and no talk at requests, issues or tickets."
    far = f"All {every:,} slices of text are read." if read == every else f"{read:,} of {text.count(every, 'slice')} of text are read."
    if not asked or unread == every - read:
        return far
    return f"{far} {_names(asked)} has not read {unread:,} of the {every:,}." if unread else f"{far} {_names(asked)} has read them all."


def kinds_html(kinds: list[Standing], asked: str) -> str:
    """The kinds of text as a table."""
    unread = f"Not read by {_names(asked)}" if asked else "Not read"
    rows = [
        (
            text.esc(WORDS[k.kind]), f"{k.slices:,}", f"{k.restricted:,}", f"{k.read:,}",
            f"{k.unread if asked else k.slices - k.read:,}",
        )
        for k in kinds
    ]  # fmt: skip
    return listing.table("How far each kind of text is read", ("Kind", "Slices", "Of restricted sources", "Read", unread), rows)


def work_html(done: list[Work]) -> str:
    """What each model read, as a table."""
    rows = [
        (text.esc(w.model), f"{w.slices:,}", f"{w.prompt_tokens:,} in, {w.completion_tokens:,} out", text.esc(w.money), text.when(w.at))
        for w in done
    ]
    return listing.table("What each model read", ("Model", "Slices", "Tokens", "Cost", "Last"), rows)


def parts(frame: Frame, extraction: Extraction) -> tuple[Part, ...]:
    """What there is to read, found out once for each state of the graph."""
    who = extraction.viewer
    rights = (tuple(sorted(who.clearance)), tuple(sorted(who.groups)))
    return _parts(extraction, frame.workspace, frame.brain.store.version(graph_name(frame.workspace)), rights)


@st.cache_data(max_entries=10, show_spinner="Looking at what there is to read")
def _parts(_extraction: Extraction, workspace: str, version: str, rights: tuple[tuple[str, ...], ...]) -> tuple[Part, ...]:
    return wanted.parts(_extraction.slices())


def _wanted(place: Place, extraction: Extraction, kinds: list[Standing]) -> None:
    """The form, and what was asked for in it until somebody agrees."""
    if (wish := _form(kinds, extract_job.running(place) is not None)) is not None:
        try:
            with st.spinner("Counting what there is to read"):
                plan = wish.plan(extraction)
                st.session_state[WISH] = Wish(wish, wanted.estimate(place.frame.brain.settings, plan))
        except HopcheckError as error:
            st.session_state.pop(WISH, None)
            st.error(text.safe_md(error))
    if (made := st.session_state.get(WISH)) is not None:
        _agreement(place, made)
    engines.left(place.frame, st.empty(), "slice")


def _form(kinds: list[Standing], busy: bool) -> Wanted | None:
    """What is to be read, once somebody asks what that takes."""
    there = [k.kind for k in kinds]
    with st.form("extract_form"):
        told: dict[str, Any] = {"selection_mode": "multi", "width": "content", "wrap": True}
        with st.container(horizontal=True, gap="medium"):
            chosen = st.pills("Kinds of text", there, default=there, format_func=WORDS.__getitem__, key="extract_kinds", **told)
            labels = st.pills("Sources that are", ACCESS_LABELS, default=ACCESS_LABELS, key="extract_labels", **told)
        left, middle, right = st.columns(3)
        limit = left.number_input("Most slices (0: all)", min_value=0, step=100, key="extract_limit")
        tokens = middle.number_input("Most tokens (0: no cap)", min_value=0, step=100_000, key="extract_tokens", help=_CAP)
        usd = right.number_input("Most US dollars (0: no cap)", min_value=0.0, step=1.0, key="extract_usd", help=_CAP)
        with st.expander("More"):
            every = "Documents, threads, requests, issues or tickets, one a line; none: all"
            example = "doc:docs/policies/releases.md"
            only = st.text_area("Only the things with these keys", key="extract_only", height=80, placeholder=example, help=every)
            parallel = st.number_input("Slices read at once", 1, 32, 4, key="extract_parallel")
        pressed = st.form_submit_button("What would it take?", type="primary", disabled=busy)
    if not pressed:
        return None
    if not chosen or not labels:
        st.error("Choose at least one kind of text, and at least one label of sources.")
        return None
    keys = tuple(line.strip() for line in only.splitlines() if line.strip())
    kept = tuple(k for k in KINDS if k in chosen) if set(chosen) != set(there) else ()
    labelled = tuple(labels) if set(labels) != set(ACCESS_LABELS) else ()
    return Wanted(kept, keys, labelled, int(limit), int(parallel), int(tokens), float(usd))


def _agreement(place: Place, wish: Wish) -> None:
    """What the reading may come to, and the two buttons."""
    with st.container(border=True, key="extract_agreement"):
        st.markdown("  \n".join(map(text.safe_md, takes(place, wish))))
        with st.container(horizontal=True):
            if wish.estimate.unread:
                st.button("Start", type="primary", key="extract_start", on_click=_start, args=(place, wish))
            st.button("Not now" if wish.estimate.unread else "Close", key="extract_not", on_click=lambda: st.session_state.pop(WISH, None))


def takes(place: Place, wish: Wish) -> list[str]:
    """What is said before anything is sent: how much, for how much, and what of it is restricted."""
    e, settings = wish.estimate, place.frame.brain.settings
    names = _names(wanted.models(settings))
    if not e.slices:
        return ["There is nothing of that to read."]
    if not e.unread:
        return [f"All {text.count(e.slices, 'slice')} of that were read by {names} and have not changed since: nothing would be asked."]
    tokens = e.prompt_tokens + e.completion_tokens
    sent = f"{e.unread:,} of {text.count(e.slices, 'slice')} would be sent to {names}: at most {tokens:,} tokens, {_money(e)}."
    some = f"{e.restricted:,} of them are of restricted sources" if e.restricted > 1 else "One of them is of a restricted source"
    hidden = f"{some}, and would be sent too." if e.restricted else "None of them is of a restricted source."
    notes = [f"{note[0].upper()}{note[1:]}." for note in opening.notes(settings, wish.wanted.limits)]
    stops = [f"It stops before it takes more than {engines.amount(limit.what, limit.amount)}." for limit in wish.wanted.limits]
    return [sent, hidden, *notes, *stops]


def _money(e: Estimate) -> str:
    if e.usd is None:
        return "at no known price"
    return f"at most ${e.usd:.2f}" if e.usd >= 0.01 else f"at most ${e.usd:.4f}"


def _start(place: Place, wish: Wish) -> None:
    st.session_state.pop(WISH, None)
    name = _names(wanted.models(place.frame.brain.settings))

    def work(extraction: Extraction, job: extract_job.Job) -> Came:
        spent, settled = wanted.run(extraction, wish.wanted, wish.wanted.plan(extraction), job.note, job.cancelled)
        return Came(settled, spent)

    try:
        extract_job.start(place, f"Reading texts with {name}", work)
    except HopcheckError as error:
        extract_job.tell(str(error), good=False)


def _names(asked: str) -> str:
    """The models as they stand in a sentence: the second is asked where the first does not answer."""
    names = list(dict.fromkeys(filter(None, (name.strip() for name in asked.split(",")))))
    return " or ".join(names)
