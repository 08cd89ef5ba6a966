"""The claims that wait for a person, on the Sources page: looked at, approved or rejected one by one or in bulk, taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import streamlit as st

from brain.candidates import MOST, Candidate, Decided, Queue
from brain.connectors.extracted import READ_BY, RESOLVED
from brain.decisions import Decision
from brain.errors import HopcheckError
from brain.store import graph_name
from brain.ui import answers, listing, session, text, working
from brain.ui.frame import Frame
from brain.ui.jobs import Job

PER_PAGE = 10
EVERY = "all"
STATES = {"candidate": "Waiting", "approved": "Approved", "rejected": "Rejected"}
_DONE = {"approved": "approved", "rejected": "rejected", "candidate": "taken back"}


def draw(frame: Frame) -> None:
    """Draw the queue with its filters and buttons, and what was decided before."""
    queue = frame.brain.candidates(frame.viewer)
    _said(frame)
    st.markdown(
        "Read out of a source with less than certainty, or by a model. No answer rests on a claim until a person approves it."
        + ("" if frame.viewer.admin else " Only the administrator decides; you see the claims whose sources you may read.")
    )
    state = st.segmented_control(
        "Claims", STATES, default="candidate", required=True, format_func=STATES.__getitem__, key="candidates_state"
    )
    if found := counts(frame, queue, state):
        _list(frame, _Shown(queue, state), found)
    else:
        st.info("No claim waits for a decision." if state == "candidate" else f"No claim is {state}.")
    _history(frame, queue)


def counts(frame: Frame, queue: Queue, state: str) -> dict[str, int]:
    """How many claims of each kind are in that state, as the viewer may see them; counted once for each state of the graph and
    each set of rights. A decision makes another state.
    """
    who = frame.viewer
    version = frame.brain.store.version(graph_name(frame.workspace))
    return _counts(queue, state, frame.workspace, version, tuple(sorted(who.clearance)), tuple(sorted(who.groups)))


@st.cache_data(max_entries=50, show_spinner=False)
def _counts(_queue: Queue, state: str, workspace: str, version: str, clearance: tuple[str, ...], groups: tuple[str, ...]) -> dict[str, int]:
    return _queue.counts([state])


@dataclass(frozen=True)
class _Shown:
    """The part of the queue that is looked at."""

    queue: Queue
    state: str
    rels: tuple[str, ...] = ()
    words: str = ""

    def page(self, skip: int = 0, k: int = MOST) -> tuple[int, list[Candidate]]:
        return self.queue.page([self.state], self.rels, self.words, skip, k)


def _list(frame: Frame, look: _Shown, counts: dict[str, int]) -> None:
    left, right = st.columns(2)
    names = {EVERY: f"Every kind ({sum(counts.values()):,})", **{rel: f"{text.words(rel)} ({n:,})" for rel, n in counts.items()}}
    rel = left.selectbox("Kind of claim", names, format_func=lambda r: names.get(r, r), key="candidates_rel")
    words = right.text_input("About", key="candidates_words", placeholder="A person, a ticket, a service")
    look = replace(look, rels=() if rel == EVERY else (rel,), words=words)
    place = st.container()
    at = int(st.session_state.get("candidates_page") or 1)
    total, shown = look.page((at - 1) * PER_PAGE, PER_PAGE)
    if not shown and at > 1:
        at, (total, shown) = 1, look.page(0, PER_PAGE)
    if not total:
        st.info("No such claim is about that.")
        return
    if total > PER_PAGE:
        place.pagination(-(-total // PER_PAGE), key="candidates_page")
    if frame.viewer.admin:
        _bulk(frame, look, shown, total)
    for claim in shown:
        _claim(frame, claim)


def _bulk(frame: Frame, look: _Shown, shown: Sequence[Candidate], total: int) -> None:
    """One reason and one decision for several claims."""
    scopes = {"chosen": "The ticked ones", "page": f"These {len(shown)}", "every": f"All {total:,} of this list"}

    def wanted() -> list[str]:
        scope = st.session_state["candidates_scope"]
        if scope == "every":
            return [c.aid for c in look.page()[1]]
        return [c.aid for c in shown if scope == "page" or st.session_state.get(f"candidates_tick_{c.aid}")]

    with st.container(border=True, key="candidates_bulk"):
        st.radio("Decide about", scopes, format_func=scopes.__getitem__, horizontal=True, key="candidates_scope")
        st.text_input("Reason (kept with the decision)", key="candidates_reason", max_chars=500)
        with st.container(horizontal=True):
            _buttons(frame, look.state, wanted, "approve", "reject")


def _buttons(frame: Frame, state: str, wanted: Callable[[], list[str]], yes: str, no: str) -> None:
    """The buttons that make a claim other than it is."""
    if state != "approved":
        kind: Literal["primary", "secondary"] = "primary" if yes == "approve" else "secondary"
        st.button("Approve", type=kind, key=f"candidates_{yes}", on_click=_decide, args=(frame, wanted, "approved"))
    if state != "rejected":
        st.button("Reject", key=f"candidates_{no}", on_click=_decide, args=(frame, wanted, "rejected"))


def _claim(frame: Frame, claim: Candidate) -> None:
    """One claim: what it says, the words it rests on, and its own two buttons."""
    with st.container(border=True, key=f"candidates_claim_{claim.aid}"):
        answers.draw(claim_html(frame, claim))
        if not frame.viewer.admin:
            return
        with st.container(horizontal=True, vertical_alignment="center"):
            st.checkbox("Tick", key=f"candidates_tick_{claim.aid}", on_change="ignore", width="content")
            _buttons(frame, claim.state, lambda: [claim.aid], f"yes_{claim.aid}", f"no_{claim.aid}")


def sentence(claim: Candidate) -> str:
    """What the claim says in one line."""
    ends = [text.short(name or text.key_label(key), 80) for key, name in ((claim.src, claim.src_name), (claim.dst, claim.dst_name))]
    return f"{ends[0]} {text.words(claim.rel)} {ends[1]}"


def claim_html(frame: Frame, claim: Candidate) -> str:
    """The claim with links to both ends, and the words it was read from."""
    src, dst = (_end(frame, claim, key, name) for key, name in ((claim.src, claim.src_name), (claim.dst, claim.dst_name)))
    source = listing.link(frame.entity_url(claim.source), text.short(claim.source_name or claim.source, 60), claim.source)
    by = "read by" if claim.read_by.startswith(READ_BY) else "by rule"
    facts = {
        by: text.esc(claim.read_by), "said": text.when(claim.recorded_at), "from": text.when(claim.valid_from),
        "until": text.when(claim.valid_to), "": text.esc(claim.authority.replace("_", " ")), "only": text.esc(claim.scope),
    }  # fmt: skip
    against = ", ".join(text.esc(text.short(name, 60)) for name in claim.against)
    note = f'<p class="hc-note">{listing.badge("contradicts", "contradicted")} Approved today: {against}</p>' if against else ""
    return (
        f'<p class="hc-claim">{src} <b>{text.esc(text.words(claim.rel))}</b> {dst}</p>'
        f'<p class="hc-quote">{listing.quote(claim.quote, source, claim.line)}</p><p class="hc-note">{listing.facts(facts)}</p>{note}'
    )


def _end(frame: Frame, claim: Candidate, key: str, name: str) -> str:
    """One end of a claim as a link, unless it is a decision that waits itself and is found nowhere yet."""
    shown = text.short(name or text.key_label(key), 80)
    return text.esc(shown) if key.startswith(RESOLVED) and claim.state != "approved" else listing.link(frame.entity_url(key), shown, key)


def _decide(frame: Frame, wanted: Callable[[], list[str]], state: str) -> None:
    """What a button does, before the page is drawn anew: a claim of who is who takes a job, the rest is done at once."""
    reason = st.session_state.get("candidates_reason", "")
    try:
        aids = wanted()
        kinds = {c.rel for c in frame.brain.candidates(frame.viewer).of(aids)}
        _do(frame, kinds, lambda report: frame.brain.decide(aids, state, frame.viewer, reason, report))
        st.session_state["candidates_reason"] = ""
    except HopcheckError as error:
        st.session_state["candidates_said"] = str(error)


def _undo(frame: Frame, decided: Decided) -> None:
    kinds = {c.rel for c in frame.brain.candidates(frame.viewer).of(decided.decision.aids)}
    try:
        _do(frame, kinds, lambda report: frame.brain.undo(decided.decision.n, frame.viewer, report))
    except HopcheckError as error:
        st.session_state["candidates_said"] = str(error)


def _do(frame: Frame, kinds: set[str], work: Callable[[Callable[[str, int, int], None]], Decision]) -> None:
    if "SAME_AS" in kinds:
        job = session.jobs().start("decision", "Deciding who is who", frame.viewer.owner, lambda job: work(job.report))
        st.session_state["candidates_job"] = job.id
    else:
        st.session_state["candidates_said"] = work(lambda *a: None)


def _said(frame: Frame) -> None:
    """What the last click came to."""
    job: Job | None = session.jobs().get(st.session_state.get("candidates_job", ""), frame.viewer.owner)
    if job is not None and not working.draw(job, "candidates"):
        return
    said = st.session_state.pop("candidates_said", None)
    if isinstance(said, Decision):
        st.success(f"{text.count(len(said.aids), 'claim')} {_DONE[said.state]}.")
    elif said:
        st.error(text.safe_md(said))


def _history(frame: Frame, queue: Queue) -> None:
    past = queue.history()
    if not past:
        return
    st.subheader("Decided before")
    for place, d in enumerate(past):
        made = d.decision
        with st.container(border=True, key=f"candidates_decision_{made.n or -place}"):
            answers.draw(_decision_html(d))
            if frame.viewer.admin and not d.taken_back:
                st.button("Take back", key=f"candidates_undo_{made.n}", on_click=_undo, args=(frame, d))


def _decision_html(d: Decided) -> str:
    made = d.decision
    state = "taken back" if d.taken_back else made.state
    kind = "unsupported" if d.taken_back else {"approved": "supported", "rejected": "contradicted"}.get(made.state, "")
    number = f", decision {made.n}" if made.n else ""
    why = f" Reason: {text.esc(made.reason)}." if made.reason else ""
    items = "".join(f"<li>{text.esc(sentence(c))}</li>" for c in d.claims)
    more = f"<li>and {len(made.aids) - len(d.claims)} more</li>" if len(made.aids) > len(d.claims) else ""
    head = f"{listing.badge(state, kind)} by {text.esc(made.by)} on {text.when(made.at)}{number}.{why}"
    return f'<p class="hc-note">{head}</p><ul class="hc-plain">{items}{more}</ul>'
