"""How fresh and how complete the data are that decide who reads what."""

from __future__ import annotations

import streamlit as st

from brain.audit.freshness import Freshness, Thing, freshness
from brain.ui import answers, listing, text
from brain.ui.access import Look
from brain.ui.text import esc


def draw(at: Look) -> None:
    """Draw when the access data were loaded; for an administrator also from where, what they cover, and what is wrong with them."""
    told = freshness(at.frame.brain, at.frame.viewer)
    answers.draw(f'<p class="hc-gauge" role="status"><b>{esc(text.when(told.oldest) or "Never")}</b><span>{esc(_when(told))}</span></p>')
    if not at.admin:
        return
    if told.warnings:
        items = "".join(f"<li>{esc(w)}</li>" for w in told.warnings)
        answers.draw(f'<ul class="hc-plain">{items}</ul>')
    st.subheader("Where they come from")
    rows = [(esc(f.source), esc(f.format), esc(text.when(f.at) or "worked out"), _gives(f.gives)) for f in told.feeds]
    answers.draw(listing.table("Sources of access data", ("Source", "Format", "Loaded", "Gives"), rows))
    st.subheader("What they cover")
    answers.draw(listing.table("Access labels", ("Label", "Sources", "Everything else"), _labels(told)))
    st.markdown(_people(told.people or {}))
    if told.audiences:
        st.subheader("Groups that open what is restricted")
        answers.draw(listing.table("Groups and who is in them", ("Group", "Opens", "People in it", "Known"), _audiences(at, told)))
    if told.unlabelled:
        st.subheader("Without access label")
        cells = [(_thing(at, t), esc(text.words(t.kind)), esc(t.source)) for t in told.unlabelled]
        answers.draw(listing.table("Things that nobody can read", ("What", "Type", "From"), cells))


def _when(told: Freshness) -> str:
    if not told.oldest:
        return "No source that is loaded says who is in which group."
    if text.when(told.oldest) == text.when(told.newest):
        return "is when the lists of people, groups and channels were loaded."
    return f"is when the oldest list of people, groups and channels was loaded; the newest {text.when(told.newest)}."


def _people(people: dict[str, int]) -> str:
    n = {name: f"{people.get(name, 0):,}" for name in ("members", "without_login", "without_group")}
    return (
        f"{text.count(people.get('people', 0), 'person', 'people')} are still here: {n['members']} are members of the organisation,"
        f" {n['without_login']} have no login, {n['without_group']} are in no group."
        f" {text.count(people.get('ended', 0), 'membership')} of theirs ended and grant nothing."
    )


def _thing(at: Look, t: Thing) -> str:
    return listing.link(at.frame.url("Access", view="thing", key=t.key), text.short(t.name or t.key, 80), t.key)


def _gives(gives: dict[str, int]) -> str:
    return esc(", ".join(f"{what} {n:,}" for what, n in gives.items()))


def _labels(told: Freshness) -> list[tuple[str, str, str]]:
    labels, structure = told.labels or {}, told.structure or {}
    return [(esc(label), f"{n:,}", f"{structure.get(label, 0):,}") for label, n in labels.items()]


def _audiences(at: Look, told: Freshness) -> list[tuple[str, str, str, str]]:
    found = []
    for a in told.audiences:
        known = listing.badge("✓ known", "supported") if a.known else listing.badge("✗ unknown", "contradicted")
        found.append((listing.link(at.frame.entity_url(a.group), a.name, a.group), text.count(a.things, "thing"), f"{a.people:,}", known))
    return found
