"""What a model proposed and was refused: filtered by reason and words, each with what was proposed, the words, the place and the model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

from brain.extract.extraction import Extraction, reason_of, reasons
from brain.schema import RELS
from brain.ui import answers, listing, text
from brain.ui.extract_place import Place
from brain.ui.text import esc

PER_PAGE = 20
EVERY = ""
_NAME = re.compile(r"\b[A-Z]+(?:_[A-Z]+)*\b")


def draw(place: Place, extraction: Extraction) -> None:
    """Draw the refusals that the filter leaves, a page at a time."""
    found = extraction.refused()
    if not found:
        st.info("Nothing was refused.")
        return
    shown = _filtered(place, found)
    st.caption(f"{len(shown):,} of {text.count(len(found), 'refused proposal')}.")
    start = place.page(len(shown), PER_PAGE)
    if shown:
        columns = ("Proposed", "Why it was refused", "Where", "Model")
        answers.draw(listing.table("What was refused, and why", columns, [_row(place, r) for r in shown[start : start + PER_PAGE]]))


def _filtered(place: Place, found: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Draw the filter; what it leaves."""
    counts = dict(reasons(found))
    names = {EVERY: f"Every reason ({len(found):,})", **{why: f"{text.plain(why)} ({n:,})" for why, n in counts.items()}}
    place.choose("reason", tuple(names))
    place.choose("words", None)
    left, right = st.columns(2)
    told: dict[str, Any] = {"on_change": place.keep, "args": ("reason", "words")}
    reason = left.selectbox("Reason", list(names), format_func=lambda r: names.get(r, r), key=place.key("reason"), **told)
    words = right.text_input("Words", key=place.key("words"), placeholder="A name, a document, a model", **told).strip().lower()
    return [
        r for r in found
        if (reason == EVERY or reason_of(r) == reason) and (not words or words in " ".join(map(str, r.values())).lower())
    ]  # fmt: skip


def _row(place: Place, r: Mapping[str, Any]) -> tuple[str, ...]:
    quote = f'<br><span class="hc-words">“{esc(text.short(r["quote"], 240))}”</span>' if r["quote"] else ""
    return f"{proposed(str(r['said']))}{quote}", esc(r["reason"]), where(place, r), esc(r["model"])


def proposed(said: str) -> str:
    """What was proposed as HTML, the name of its relation in words; a reply that could not be read proposes nothing."""
    if not said:
        return "<i>nothing that could be read</i>"
    pieces, at = [], 0
    for m in _NAME.finditer(said):
        if m[0] in RELS:
            pieces += [esc(said[at : m.start()]), f"<b>{esc(text.words(m[0]))}</b>"]
            at = m.end()
    return "".join([*pieces, esc(said[at:])])


def where(place: Place, r: Mapping[str, Any]) -> str:
    """The source as a link to everything that hangs on it, and the line."""
    key = str(r["source"])
    line = f", line {r['line']}" if r["line"] else ""
    return f"{listing.link(place.frame.entity_url(key), text.short(text.key_label(key), 60), key)}{line}"
