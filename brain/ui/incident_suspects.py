"""The suspects of an investigation: each with what speaks for and against it, the way to it hop by hop, and how it is linked."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import streamlit as st

from brain.incident import telling
from brain.incident.findings import Investigation, Link, Suspect
from brain.schema import LABEL_OF_PREFIX, RELS, label_of
from brain.types import Claim, Edge, Node, Step
from brain.ui import answers, graph, incident_result, listing, text
from brain.ui.incident_result import STANDINGS
from brain.ui.incident_result import Link as Address
from brain.ui.text import esc

DRAWN, OPEN, INSIDE = 4, 3, 3
DEPENDENCIES = ("DEPENDS_ON", "USES", "HAS_RESOURCE")
WEIGHTS = {"record": 1.0, "formal_rule": 1.0, "practice": 1.2}
WHYS = {
    "commit_contained": "its commit is contained",
    "service_matched": "the service matches",
    "time": "by time only",
    "said": "its record says so",
}


def draw_way(inv: Investigation, link: Address) -> None:
    """Draw the ways from the alert to the suspects, the way to the cause marked, and each hop of it as a table."""
    pic = picture(inv)
    if not pic.nodes:
        return
    st.header("Way from the alert to the cause" if inv.outcome == "cause" else "Ways from the alert to the suspects")
    graph.draw(pic, link, key=f"incident_graph_{inv.id}")
    for suspect in _shown(inv):
        answers.draw(way(inv, suspect, link))


def _shown(inv: Investigation) -> tuple[Suspect, ...]:
    """Those whose way is told in full: the cause alone, or the first rivals."""
    return inv.causes[:1] if inv.outcome == "cause" else inv.causes[:OPEN]


def picture(inv: Investigation) -> graph.Picture:
    """The ways to the first suspects, hop by hop from the alert; those to the cause or the rivals are the verified ones."""
    shown = [s for s in inv.suspects if s.path][:DRAWN]
    edges = _known(inv)
    names = {n.key: n for s in inv.steps for n in s.nodes} | {n.key: n for n in inv.nodes}
    steps = []
    ways = [[*((key,) for key in s.path), inside] if (inside := _inside(s)) else [(key,) for key in s.path] for s in shown]
    for i in range(max(map(len, ways), default=0)):
        keys = dict.fromkeys(key for way in ways if len(way) > i for key in way[i])
        said = listed_rels(shown, i)
        nodes = tuple(names.get(k) or Node(k, LABEL_OF_PREFIX.get(k.partition(":")[0], ""), telling.called(inv, k)) for k in keys)
        steps.append(Step(i + 1, said, "", {}, nodes=nodes, edges=tuple(e for s in shown for e in _edges(s, edges))))
    claims = [Claim("", path=s.path, verdict="supported") for s in _shown(inv) if s.path]
    return graph.picture(steps, claims)


def listed_rels(shown: list[Suspect], i: int) -> str:
    """By which relations the i-th things of the ways are reached."""
    rels = dict.fromkeys(text.words(s.rels[i - 1]) for s in shown if 0 < i <= len(s.rels))
    return telling.listed(rels) or ("what went off" if i == 0 else "includes")


def _known(inv: Investigation) -> Mapping[frozenset[str], list[Edge]]:
    found: dict[frozenset[str], list[Edge]] = {}
    for e in (*inv.edges, *(e for s in inv.steps for e in s.edges)):
        found.setdefault(frozenset((e.src, e.dst)), []).append(e)
    return found


def _edges(suspect: Suspect, known: Mapping[frozenset[str], list[Edge]]) -> list[Edge]:
    """The edges along a way, as they stand in the graph where the investigation kept them."""
    made = []
    for (a, b), rel in zip(pairwise(suspect.path), suspect.rels, strict=False):
        kept = next((e for e in known.get(frozenset((a, b)), ()) if e.rel == rel), None)
        made.append(kept or (Edge(a, rel, b) if label_of(a) in RELS[rel].domain else Edge(b, rel, a)))
    return made + [Edge(suspect.path[-1], "INCLUDES", c) for c in _inside(suspect)]


def _inside(suspect: Suspect) -> tuple[str, ...]:
    """The first changes in it that are not on the way to it."""
    return tuple(c for c in suspect.changes[:INSIDE] if c not in suspect.path)


def way(inv: Investigation, suspect: Suspect, link: Address) -> str:
    """The way to a suspect as a table: each hop, what it goes over, what it weighs and since when it stands."""
    known = _known(inv)
    rows = []
    for n, ((a, b), rel) in enumerate(zip(pairwise(suspect.path), suspect.rels, strict=False), 1):
        edge = next((e for e in known.get(frozenset((a, b)), ()) if e.rel == rel), Edge(a, rel, b))
        ends = [incident_result.named(inv, [key], link) for key in (a, b)]
        stated = esc(str(edge.props.get("authority") or "").replace("_", " "))
        rows.append((str(n), ends[0], esc(text.words(rel)), ends[1], f"{weight(edge):.1f}", stated, _since(edge.props)))
    title = f"Way to {suspect.name}, {text.count(len(rows), 'hop')}"
    columns = ("Hop", "From", "Relation", "To", "Weight", "Stated as", "Since or at")
    kept = [i for i in range(len(columns)) if any(row[i] for row in rows)]
    table = listing.table(title, [columns[i] for i in kept], [[row[i] for i in kept] for row in rows])
    return f"<p><b>{esc(title)}</b></p>{table}"


def weight(edge: Edge) -> float:
    """What a hop weighs, as `queries/incident/ways_to.cypher` counts it: a dependency by how it is stated, everything else nothing."""
    return WEIGHTS.get(str(edge.props.get("authority")), 1.5) if edge.rel in DEPENDENCIES else 0.0


def _since(props: Mapping[str, Any]) -> str:
    at = props.get("at")
    return telling.minute(at) if isinstance(at, int) and at > 0 else text.when(props.get("valid_from"))


def draw(inv: Investigation, link: Address) -> None:
    """Draw every suspect, the named ones open, the discounted ones folded."""
    st.header("Suspects")
    if not inv.suspects:
        st.markdown("Nothing was changed where it could have mattered.")
        return
    for place, suspect in enumerate(inv.suspects):
        said = f"{suspect.name}, {telling.before(inv, suspect.at)}, {telling.sure(suspect.confidence)}"
        title = f"{STANDINGS[suspect.standing][0].capitalize()}: {text.safe_md(said)}"
        with st.expander(title, expanded=place == 0 and suspect.standing != "discounted"):
            answers.draw(suspect_html(inv, suspect, link))


def suspect_html(inv: Investigation, suspect: Suspect, link: Address) -> str:
    """A suspect: how it stands, what it changed, what speaks for and against it with points, and why it is linked."""
    word, kind = STANDINGS[suspect.standing]
    facts = listing.facts({
        "": listing.badge(word, kind),
        "score": f"{suspect.score:+.1f}",
        "confidence": esc(telling.sure(suspect.confidence)),
        "on": incident_result.named(inv, [suspect.on], link) if suspect.on else "",
        "distance": text.count(suspect.hops, "hop"),
        "by": esc(suspect.author),
        "at": telling.clock(suspect.at),
        "source": listing.link(link(suspect.key), text.short(text.key_label(suspect.key), 80), suspect.key),
    })  # fmt: skip
    changes = f"<p>Changes in it: {incident_result.named(inv, suspect.changes, link)}.</p>" if suspect.changes else ""
    pro, contra = telling.sides(suspect)
    sides = "".join(f"<div><b>{head}</b>{incident_result.reasons(inv, rs, link)}</div>" for head, rs in (("For", pro), ("Against", contra)))
    return f'<p>{facts}</p>{changes}<div class="hc-sides">{sides}</div>{_links(inv, suspect, link)}'


def _links(inv: Investigation, suspect: Suspect, link: Address) -> str:
    if not suspect.links:
        return ""
    rows = [_link(inv, found, link) for found in suspect.links]
    return listing.table("Why it is linked", ("What", "Belongs to", "Because", "In words", "What else would fit"), rows)


def _link(inv: Investigation, found: Link, link: Address) -> tuple[str, ...]:
    others = incident_result.named(inv, found.others, link) if found.others else "nothing"
    ends = (incident_result.named(inv, [found.src], link), incident_result.named(inv, [found.dst], link))
    return *ends, esc(WHYS.get(found.why, text.words(found.why))), esc(found.text), others
