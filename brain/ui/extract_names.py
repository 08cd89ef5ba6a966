"""The names that only a person can settle: one at a time, with what would be said with it; and what was said of names before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from brain.errors import HopcheckError
from brain.extract.extraction import Extraction
from brain.extract.kept import Alignment
from brain.schema import label_of
from brain.ui import answers, extract_job, listing, text
from brain.ui.extract_left import proposed, where
from brain.ui.extract_place import Place
from brain.ui.text import esc

OTHER, NOTHING = "other", "nothing"
EXAMPLES, FOUND, PER_PAGE = 5, 20, 20
Waiting = Mapping[str, Any]


def draw(place: Place, extraction: Extraction) -> None:
    """Draw the name that is chosen with the ways to settle it, every name that waits, and what was said before."""
    waiting = {str(g["name"]): g for g in extraction.unsettled()}
    asked = st.query_params.get("called", "")
    if asked and asked not in waiting:
        st.info(f"The name {text.safe_md(asked)} does not wait (any more).")
    if not waiting:
        st.info("No name waits for a person.")
    else:
        first = next(iter(waiting))
        place.choose("called", tuple(waiting), first)
        told: dict[str, Any] = {"format_func": lambda n: _option(waiting, n), "on_change": place.keep, "args": ("called",)}
        name = st.selectbox("Name", list(waiting), key=place.key("called"), **told)
        _name(place, extraction, waiting[name])
        if len(waiting) > 1:
            _every(place, list(waiting.values()))
    _before(place, extraction)


def _option(waiting: Mapping[str, Waiting], name: str) -> str:
    return f"{text.plain(name)} ({text.count(waiting[name]['waiting'], 'proposal')})" if name in waiting else text.plain(name)


def _sorts(group: Waiting) -> str:
    words = [text.words(s).lower() for s in group["sorts"]]
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def _name(place: Place, extraction: Extraction, group: Waiting) -> None:
    """One name: why it waits, what would be said with it, and what it may mean."""
    name = str(group["name"])
    with st.container(border=True, key="extract_name"):
        answers.draw(group_html(place, group))
        called = extraction.called(group["candidates"])
        options = [*called, OTHER, NOTHING]
        words = {key: _called(key, called[key]) for key in called}
        words |= {OTHER: "Something else that is stored" if called else "Something that is stored", NOTHING: "Nothing that is stored"}
        captions = [*(key for key in called), f"Of these sorts: {_sorts(group)}", "What is proposed with this name is refused"]
        chosen = st.radio(
            f"What does “{text.safe_md(name)}” mean here?", options, index=None, format_func=lambda o: text.safe_md(words.get(o, o)),
            captions=[text.safe_md(c) for c in captions], key=f"extract_means_{name}",
        )  # fmt: skip
        key = _searched(place, group) if chosen == OTHER else "" if chosen == NOTHING else chosen
        told: dict[str, Any] = {"on_click": _settle, "args": (place, name, key or ""), "disabled": chosen is None or key is None}
        st.button("That is what it means", type="primary", key="extract_settle", **told)


def group_html(place: Place, group: Waiting) -> str:
    """Why the name waits, and the proposals that need it."""
    claims = group["claims"]
    items = "".join(f"<li>{_needs(place, c)}</li>" for c in claims[:EXAMPLES])
    more = f"<li>and {len(claims) - EXAMPLES} more</li>" if len(claims) > EXAMPLES else ""
    why = str(group["why"])
    count = text.count(group["waiting"], "proposal needs", "proposals need")
    return f'<p class="hc-claim"><b>{esc(group["name"])}</b>: {esc(why)}. {count} it:</p><ul class="hc-plain">{items}{more}</ul>'


def _needs(place: Place, claim: Waiting) -> str:
    said, quote = proposed(str(claim["said"])), listing.quote(str(claim["quote"]), where(place, claim), 0)
    return f"{said}: {quote} <small>({esc(claim['model'])})</small>"


def _called(key: str, name: str) -> str:
    return f"{name or text.key_label(key)} ({text.words(label_of(key)).lower()})"


def _searched(place: Place, group: Waiting) -> str | None:
    """Draw the search for what the name means; the key that is chosen."""
    words = st.text_input("Its name, or the beginning of it, or its key", key=f"extract_search_{group['name']}").strip()
    if not words:
        return None
    ctx = place.frame.brain.looking(place.frame.viewer)
    rows = ctx.run("find_entities", names=[words], prefix=words, labels=list(group["sorts"]), k=FOUND).rows
    found = {str(r["key"]): _called(str(r["key"]), str(r["name"] or "")) for r in rows}
    if not found:
        st.caption(f"No {text.safe_md(_sorts(group))} is called so.")
        return None
    return st.selectbox("Found", list(found), format_func=lambda k: f"{text.plain(found[k])}, {k}", key=f"extract_found_{group['name']}")


def _every(place: Place, waiting: Sequence[Waiting]) -> None:
    """Draw every name that waits, as a table."""
    st.subheader("Every name that waits")
    start = place.page(len(waiting), PER_PAGE)
    rows = [
        (
            listing.link(place.url(part="names", called=str(g["name"])), text.short(g["name"], 60)), f"{g['waiting']:,}",
            esc(", ".join(g["candidates"]) or _sorts(g)), esc(g["why"]),
        )
        for g in waiting[start : start + PER_PAGE]
    ]  # fmt: skip
    answers.draw(listing.table("Names that wait", ("Name", "Proposals", "May be", "Why it waits"), rows))


def _before(place: Place, extraction: Extraction) -> None:
    """Draw what people said of names, each with the way to take it back."""
    said = extraction.aligned()
    if not said:
        return
    st.subheader("Said before")
    called = extraction.called(a.key for a in said if a.key)
    start = place.page(len(said), PER_PAGE, "before")
    for n, one in enumerate(said[start : start + PER_PAGE]):
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"extract_said_{n}"):
            answers.draw(said_html(place, one, called))
            st.button("Take back", key=f"extract_back_{one.name}", on_click=_take_back, args=(place, one.name))


def said_html(place: Place, one: Alignment, called: Mapping[str, str]) -> str:
    """One thing that somebody said of a name; what is gone counts no more."""
    if not one.key:
        means = "means nothing that is stored"
    elif one.key in called:
        means = f"means {listing.link(place.frame.entity_url(one.key), _called(one.key, called[one.key]), one.key)}"
    else:
        means = f"was said to mean {esc(one.key)}, which is not stored any more"
    return f'<p class="hc-claim"><b>{esc(one.name)}</b> {means}</p><p class="hc-note">said by {esc(one.by)} on {text.when(one.at)}</p>'


def _settle(place: Place, name: str, key: str) -> None:
    """What the button does: it is noted at once, and what waits for it is judged anew in the background."""
    try:
        extract_job.own(place).means(name, key)
        extract_job.judge(place, f"Judging anew with “{text.short(name, 40)}”")
        extract_job.tell(f"“{name}” means {key or 'nothing that is stored'}. What waited for it is judged anew; no model is asked.")
    except HopcheckError as error:
        extract_job.tell(str(error), good=False)
        return
    _next(place)


def _take_back(place: Place, name: str) -> None:
    try:
        extract_job.own(place).unsaid(name)
        extract_job.judge(place, f"Judging anew with “{text.short(name, 40)}”")
        extract_job.tell(f"Nothing is said of “{name}” any more; what needs it waits again.")
    except HopcheckError as error:
        extract_job.tell(str(error), good=False)
        return
    _next(place)


def _next(place: Place) -> None:
    st.session_state.pop(place.key("called"), None)
    place.go(called="", part="names")
