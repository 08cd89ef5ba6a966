"""What a model read of the texts, on the Sources page: how far it is, the way to have more read, what was refused, and the names that wait.
Only an administrator gets any of it; rights are asked again when a button is pressed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from brain.errors import HopcheckError
from brain.extract.extraction import Extraction
from brain.ui import answers, extract_job, extract_left, extract_names, extract_run, listing, session, text, viewing
from brain.ui.extract_place import Place
from brain.ui.frame import Frame

PARTS: dict[str, tuple[str, Callable[[Place, Extraction], None]]] = {
    "reading": ("Reading", extract_run.draw),
    "refused": ("Refused", extract_left.draw),
    "names": ("Names", extract_names.draw),
}


def draw(frame: Frame) -> None:
    """Draw the part that is chosen here or in the address, under what the work of this workspace came to."""
    if not viewing.seen(frame.brain, session.viewer(frame.brain)).admin:
        st.info("Having texts read, and what came of it, are for the administrator of this installation.")
        return
    place = Place.of(frame)
    st.markdown(
        "A model reads documents, chat, and the talk at requests, issues and tickets, a slice of one text at a time, and proposes what"
        " they state. What stands up to every check waits under _To decide_; no answer rests on it before a person approves it."
    )
    extraction = Extraction(frame.brain, frame.viewer)
    extract_job.draw(place, extraction)
    place.choose("part", tuple(PARTS), "reading")
    told: dict[str, Any] = {"format_func": lambda p: PARTS[p][0], "on_change": place.keep, "args": ("part",)}
    part = st.segmented_control("What is shown", list(PARTS), required=True, key=place.key("part"), **told)
    counted(place, extraction)
    try:
        PARTS[part][1](place, extraction)
    except HopcheckError as error:
        st.error(text.safe_md(error))


def counted(place: Place, extraction: Extraction) -> None:
    """Draw how much there is of each sort, each with the way there."""
    stands, waiting, refused = extraction.brought(), extraction.unsettled(), extraction.refused()
    ways = (
        listing.link(place.frame.url("Sources", view="candidates"), f"{text.count(stands, 'claim')} brought in", "To decide"),
        listing.link(place.url(part="names"), f"{text.count(len(waiting), 'name')} to settle"),
        listing.link(place.url(part="refused"), f"{text.count(len(refused), 'proposal')} refused"),
    )
    answers.draw(f'<p class="hc-meta">{" · ".join(ways)}</p>')
