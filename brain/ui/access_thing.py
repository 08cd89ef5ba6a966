"""Who may read one thing and why: the verdict, the path of grants drawn and in a table, and everybody who reads it, by group."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import streamlit as st

from brain.audit import grants, readers
from brain.audit.grants import Explanation
from brain.audit.readers import Group, Member, Readers
from brain.schema import LABEL_OF_PREFIX
from brain.types import Edge, Node, Step
from brain.ui import answers, graph, listing, text
from brain.ui.access import Look, thing
from brain.ui.access_person import state, stated
from brain.ui.graph import Picture
from brain.ui.text import esc


def draw(at: Look) -> None:
    """Draw the field for a key or title and what it comes to."""
    key = thing(at)
    if not key:
        st.markdown("Give the key or the title of a document, a message, a ticket, a person: of anything that is loaded.")
        return
    told = grants.why(at.asking, key, at.viewer()) if at.admin else grants.own(at.asking, key, _own_person(at))
    answers.draw(_verdict(at, told))
    if told.paths:
        st.subheader("The path of grants")
        pic = picture(told)
        graph.draw(pic, lambda k: at.frame.entity_url(k), key=f"access_graph_{text.plain(key)}")
        rows = [_path(at, p) for p in told.paths]
        answers.draw(listing.table("Every path of grants", ("Open to", "Counts", "Path", "Where it is stated"), rows))
    if told.hidden_claims:
        st.subheader(f"{text.count(len(told.hidden_claims), 'claim')} about it hidden from {text.safe_md(told.viewer)}")
        claims = [(_claim(at, c), esc(c.access or "no label"), _link(at, c.source)) for c in told.hidden_claims]
        answers.draw(listing.table("Hidden claims", ("Claim", "Label", "Said by"), claims))
    if at.admin and told.name:
        _readers(at, readers.who(at.asking, told.key))


def _own_person(at: Look) -> str:
    return next((g for g in sorted(at.frame.viewer.groups) if g.startswith("person:")), "")


def _verdict(at: Look, told: Explanation) -> str:
    who = told.viewer if at.admin else "You"
    word = listing.badge("✓ may read it", "supported") if told.allowed else listing.badge("✗ may not read it", "contradicted")
    name = f"{esc(text.short(told.name, 120))} " if told.name else ""
    if not at.admin and not told.allowed:
        return f'<p class="hc-verdict" role="status">{esc(told.because)}</p>'
    facts = listing.facts({"": _link(at, told.key), "label": listing.badge(told.access or "none"), "open to": esc(", ".join(told.aud))})
    return f'<p class="hc-verdict" role="status"><b>{esc(who)}</b> {word} {esc(told.because)}</p><p class="hc-foot">{name}{facts}</p>'


def _path(at: Look, path: grants.Path) -> tuple[str, str, str, str]:
    worth = "holds" if path.holds else next((link.state for link in path.links if link.state != "holds"), "left")
    return _link(at, path.group), state(worth), esc(path.says), "<br>".join(filter(None, (stated(at, link) for link in path.links)))


def _claim(at: Look, claim: grants.Claim) -> str:
    return f"{_link(at, claim.src)} {esc(text.words(claim.rel))} {_link(at, claim.dst)}"


def _link(at: Look, key: str) -> str:
    return listing.link(at.frame.entity_url(key), text.key_label(key), key) if key else ""


def picture(told: Explanation) -> Picture:
    """The paths as a picture: from the person over their groups to the thing; those that count are marked."""
    names = {told.key: told.name, told.person: told.viewer}
    edges: dict[tuple[str, str, str], Edge] = {}
    for path in told.paths:
        for m in path.links:
            names.update({m.src: m.src_name, m.dst: m.dst_name})
            props = {"state": m.state, "valid_from": m.valid_from, "valid_to": m.valid_to}
            edges.setdefault((m.src, m.rel, m.dst), Edge(m.src, m.rel, m.dst, props))
        if path.group != told.key:
            edges.setdefault((path.group, "MAY_READ", told.key), Edge(path.group, "MAY_READ", told.key))
    nodes = tuple(Node(key, LABEL_OF_PREFIX.get(key.partition(":")[0], ""), name or key) for key, name in names.items() if key)
    order = sorted(nodes, key=lambda n: (n.key != told.person, n.key == told.key))
    pic = graph.picture([Step(1, "path_of_grants", "", {}, nodes=tuple(order), edges=tuple(edges.values()))])
    ways = [[told.person, *(m.dst for m in path.links), told.key] for path in told.paths if path.holds]
    return replace(pic, gold=frozenset(key for way in ways for key in way), pairs=frozenset(pair for way in ways for pair in pairwise(way)))


def _readers(at: Look, told: Readers) -> None:
    st.subheader("Who reads it")
    answers.draw(f'<p class="hc-verdict">{esc(told.says)}</p>')
    for group in told.groups:
        _group(at, group)


def _group(at: Look, group: Group) -> None:
    st.markdown(f"#### {text.safe_md(group.name)}: {text.count(group.n, 'person', 'people')}")
    rows = [_member(at, m) for m in (*group.members, *group.past)]
    if rows:
        answers.draw(listing.table(f"People of {group.name}, now and before", ("Person", "Through", "Counts", "Where it is stated"), rows))
    left_out = group.n + group.n_past - len(rows)
    if left_out > 0:
        st.caption(f"{left_out:,} more: brain access who --json")


def _member(at: Look, m: Member) -> tuple[str, str, str, str]:
    login = m.person.partition(":")[2]
    since = f" since {text.when(m.valid_from)}" if m.valid_from else ""
    until = f", until {text.when(m.valid_to)}" if m.valid_to else ""
    here = listing.link(at.url(person=login, view="person"), m.name or login, m.person)
    link = grants.Link(m.person, m.name, "", "", "", m.state, m.valid_from, m.valid_to, m.source, m.line, m.quote)
    return here, esc(m.via or "directly"), f"{state(m.state)}{esc(since + until)}", stated(at, link)
