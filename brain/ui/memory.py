"""What is remembered of whoever looks, on the page Memory: what they said about themselves and what it is used for, what they asked,
and the way to correct and to forget it.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from brain.errors import HopcheckError
from brain.instants import DAY
from brain.memory.items import USES, Fact, Forgotten, Turn
from brain.memory.memory import Memory
from brain.ui import answers, listing, session, text, viewing
from brain.ui.frame import Frame
from brain.ui.text import esc

PER_PAGE, LONGEST = 20, 300
_SAID, _ALL, _TOLD, _MORE = "memory_said", "memory_all", "memory_told", "memory_more"
REACH = (
    "Forgetting deletes it from the database, with the runs it led to, and has the database write its files anew. "
    "Copies that somebody made before, such as backups, are not reached, nor is what you told other people or sent elsewhere. "
    "What you approved and the alerts you had investigated stay on record, and a wording that you kept as a playbook until it is "
    "forgotten there."
)


def own(frame: Frame) -> Memory:
    """The memory of this viewer, with the rights of this moment."""
    return frame.brain.memory(viewing.seen(frame.brain, session.viewer(frame.brain)))


def said() -> None:
    """What the last click came to."""
    good, line = st.session_state.pop(_SAID, (True, ""))
    if line:
        (st.success if good else st.error)(text.safe_md(line))


def facts(frame: Frame, memory: Memory) -> None:
    """Draw what is known, each fact with the words it comes from, and the place to say more."""
    found = memory.facts()
    if not found:
        st.info("Nothing is known of you.")
    for fact in found:
        with st.container(border=True, key=f"memory_fact_{fact.id}"):
            answers.draw(fact_html(fact, memory.asking.as_of, lambda key: frame.entity_url(key)))
            with st.container(horizontal=True, vertical_alignment="bottom"):
                st.text_input("What is right instead", key=f"memory_right_{fact.id}", max_chars=LONGEST, placeholder="I work on …")
                st.button("Correct", key=f"memory_correct_{fact.id}", on_click=_do, args=(frame, lambda m, f=fact: _told(m, f.id)))
                st.button("Forget", key=f"memory_forget_{fact.id}", on_click=_do, args=(frame, lambda m, f=fact: forgotten(m.forget(f.id))))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Say something about yourself", key=_TOLD, max_chars=LONGEST, placeholder="I am in the … team")
        st.button("Remember", key="memory_tell", on_click=_do, args=(frame, lambda m: _told(m, "")))


def fact_html(fact: Fact, now: int, link: Callable[[str], str]) -> str:
    """A fact: what it says, the words it comes from, when they were said, and what it is used for."""
    over = fact.until is not None and fact.until <= now
    name = listing.link(link(fact.key), fact.name or fact.key, fact.key) if fact.key else esc(fact.name)
    sentence = esc(fact.sentence[:1].upper() + fact.sentence[1:])
    here = f" (this workspace's day is {text.when(now)})" if fact.until and now < fact.at - DAY else ""
    told = {
        "said": text.when(fact.at), "until": text.when(fact.until) + here if fact.until else "",
        "used for": esc(USES[fact.kind]) if not over else "nothing any more", "": name,
    }  # fmt: skip
    return (
        f'<p class="hc-claim"><b>{sentence}</b></p><p class="hc-quote">{listing.quote(fact.words, "", 0)}</p>'
        f'<p class="hc-note">{listing.facts(told)}</p>'
    )


def turns(frame: Frame, memory: Memory) -> None:
    """Draw the latest questions with what they were completed to and what their runs called, each with its button."""
    shown = PER_PAGE * (1 + int(st.session_state.get(_MORE, 0)))
    found = memory.turns(shown + 1)
    if not found:
        st.info("No question is remembered.")
    for turn in found[:shown]:
        with st.container(border=True, key=f"memory_turn_{turn.id}"):
            answers.draw(turn_html(turn, lambda run: frame.url("Evidence", run=run)))
            st.button("Forget", key=f"memory_drop_{turn.id}", on_click=_do, args=(frame, lambda m, t=turn: forgotten(m.forget(t.id))))
    if len(found) > shown:
        st.button("Show more", key="memory_show_more", on_click=_more)


def turn_html(turn: Turn, link: Callable[[str], str]) -> str:
    """A question: its words, how it was understood where that was otherwise, its runs, and the tools they called with the keys met."""
    meant = f'<p class="hc-note">Understood as: {esc(turn.completed)}</p>' if turn.completed else ""
    runs = " · ".join(f"{listing.link(link(r.run), text.arm(r.arm), r.run)} {esc(r.state.replace('_', ' '))}" for r in turn.runs)
    rows = [
        (esc(text.arm(r.arm)), esc(c.tool), esc(text.short(c.why, 120)), esc(text.short(", ".join(map(text.key_label, c.keys)), 200)))
        for r in turn.runs for c in r.calls
    ]  # fmt: skip
    table = listing.table(f"What was called for: {text.short(turn.question, 60)}", ("With", "Tool", "Why", "Met"), rows)
    calls = f'<details class="hc-fold"><summary>{text.count(len(rows), "call")}</summary>{table}</details>' if rows else ""
    return f'<p class="hc-claim"><b>{esc(turn.question)}</b></p>{meant}<p class="hc-note">{text.when(turn.at)} · {runs}</p>{calls}'


def everything(frame: Frame) -> None:
    """Draw the way to forget everything, which asks twice."""
    st.markdown(REACH)
    with st.container(horizontal=True, vertical_alignment="center"):
        sure = st.checkbox("Everything that is remembered of me, and every kept run of mine", key=_ALL)
        st.button("Forget everything", key="memory_forget_all", disabled=not sure, on_click=_do, args=(frame, _emptied))


def _emptied(memory: Memory) -> str:
    st.session_state[_ALL] = False
    return forgotten(memory.forget_everything())


def _told(memory: Memory, instead: str) -> str:
    """Learns what the field says, and empties it."""
    place = f"memory_right_{instead}" if instead else _TOLD
    learned = memory.tell(str(st.session_state.get(place, "")).strip(), instead)
    st.session_state[place] = ""
    return " ".join(f"Noted: {fact.sentence}." for fact in learned)


def forgotten(gone: Forgotten) -> str:
    """What was forgotten, in words."""
    parts = [text.count(n, word) for n, word in ((gone.facts, "fact"), (gone.turns, "question"), (gone.runs, "run")) if n]
    later = f" {text.count(gone.wiped, 'later question')} kept only the words you typed." if gone.wiped else ""
    files = "" if gone.rewritten else " The database did not write its files anew, so they may still hold it for a while."
    return f"Forgotten: {', '.join(parts) or 'nothing was there'}.{later}{files}"


def _do(frame: Frame, act: Callable[[Memory], str]) -> None:
    """What a button does: with the rights of now, and nothing kept in this session of what is gone."""
    try:
        st.session_state[_SAID] = (True, act(own(frame)))
    except HopcheckError as error:
        st.session_state[_SAID] = (False, str(error))
        return
    for key in [key for key in st.session_state if str(key).startswith("ask_")]:
        del st.session_state[key]


def _more() -> None:
    st.session_state[_MORE] = int(st.session_state.get(_MORE, 0)) + 1
