"""The rules as the page tells them: in force on a day, one rule's history as a chain, and what contradicts what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from brain.types import Edge, Node, Step
from brain.ui import answers, graph, listing, tables, text
from brain.ui.ruling import Row, Ruling
from brain.ui.text import esc

MOST = 200
STATUS = {"past": "", "in_force": "supported", "future": "unsupported"}


def in_force(look: Ruling) -> None:
    """Draw what is in force on the day."""
    found = look.run("rule_in_force", rule=look.words, target=look.target, k=MOST).rows
    said = f"{text.count(len(found), 'rule')} in force on {look.day}."
    answers.draw(f'<p class="hc-verdict" role="status">{esc(said)}</p>')
    if found:
        columns = ("Rule", "Value", "Binds", "Holds", "Authority", "Where it stands")
        answers.draw(listing.table(f"Rules in force on {look.day}", columns, [_held(look, r) for r in found]))


def _held(look: Ruling, r: Row) -> tuple[str, ...]:
    name = listing.link(look.url(view="history", rule=r["key"]), text.short(r["name"], 80), str(r["key"]))
    against = f" {listing.badge('in conflict', 'contradicted')}" if r.get("conflict") else ""
    condition = f"<br><small>{esc(r['conditions'])}</small>" if r.get("conditions") else ""
    value, binds = f"{esc(r['value'])}{condition}", esc(r.get("subject") or "everybody")
    return name + against, value, binds, esc(_span(r)), _authority(r), _where(look, r)


def _span(r: Row) -> str:
    start, end = text.when(r.get("valid_from")), text.when(r.get("valid_to"))
    return " ".join(part for part in (f"from {start}" if start else "", f"until {end}" if end else "") if part) or "no dates"


def _authority(r: Row) -> str:
    return esc(str(r.get("authority") or "").replace("_", " "))


def _where(look: Ruling, r: Row) -> str:
    key = str(r.get("from_key") or "")
    source = listing.link(look.frame.entity_url(key), text.short(text.key_label(key), 60), key) if key else ""
    return listing.quote(str(r.get("quote") or ""), source, int(r.get("line") or 0))


def history(look: Ruling) -> None:
    """Draw the history of a rule that is chosen, as a chain and as a table."""
    names = {str(r["key"]): f"{r['name']}: {text.short(r['value'] or '', 40)} ({_span(r)})" for r in look.rules}
    asked = st.query_params.get("rule", "")
    if asked and asked not in names:
        st.warning(f"There is no rule {text.safe_md(asked)}; this is the first one instead.")
    of_slot = Counter(str(r["slot"]) for r in look.rules)
    keys = [str(r["key"]) for r in sorted(look.rules, key=lambda r: (-of_slot[str(r["slot"])], r["name"], r["valid_from"] or 0))]

    def choose() -> None:
        st.query_params["rule"] = st.session_state["rules_rule"]
        st.session_state["rules_asked"] = st.query_params.to_dict()

    if st.session_state.get("rules_rule") not in names or asked in names:
        st.session_state["rules_rule"] = asked if asked in names else keys[0]
    chosen = st.selectbox("Rule", keys, key="rules_rule", format_func=lambda k: text.plain(names[k]), on_change=choose)
    rows = look.run("rule_history", rule=chosen).rows
    if not rows:
        st.info("Nothing is told of this rule on that day.")
        return
    pic = graph.picture(chain(rows))
    graph.draw(pic, look.frame.entity_url, key=f"rules_chain_{chosen}")
    columns = ("Rule", "Value", "Status", "Holds", "Replaced by", "Authority", "Where it stands")
    named = {str(r["key"]): str(r["name"]) for r in rows}
    answers.draw(listing.table("History of the rule, oldest first", columns, [_past(look, r, named) for r in rows]))
    tables.evidence(pic, key="rules_history")


def chain(rows: Sequence[Row]) -> list[Step]:
    """The history as steps to draw, one rule after the other, each with what it replaced."""
    nodes = {str(r["key"]): Node(str(r["key"]), "Rule", f"{r['value']}", _facts(r)) for r in rows}
    replaced = [(by, str(r["key"]), r.get("scope")) for r in rows for by in _many(r.get("superseded_by"))]
    edges = [Edge(by, "SUPERSEDES", key, {"scope": scope}) for by, key, scope in replaced if by in nodes]
    return [
        Step(i, "rule_history", "", {}, nodes=(nodes[key],), edges=tuple(e for e in edges if key in (e.src, e.dst)))
        for i, key in enumerate(nodes, 1)
    ]


def _facts(r: Row) -> dict[str, Any]:
    names = ("value", "authority", "valid_from", "valid_to", "status", "scope", "quote")
    return {name: r.get(name) for name in names if r.get(name)}


def _many(value: Any) -> list[str]:
    return [str(v) for v in value] if isinstance(value, list | tuple) else [str(value)] if value else []


def _past(look: Ruling, r: Row, named: Mapping[str, str]) -> tuple[str, ...]:
    status = str(r.get("status") or "")
    scope = f" <small>only {esc(r['scope'])}</small>" if r.get("scope") else ""
    by = ", ".join(listing.link(look.frame.entity_url(k), named.get(k) or text.key_label(k), k) for k in _many(r.get("superseded_by")))
    name = listing.link(look.frame.entity_url(str(r["key"])), text.short(r["name"], 80), str(r["key"]))
    badge = listing.badge(status.replace("_", " "), STATUS.get(status, ""))
    return name, esc(r["value"]), badge, esc(_span(r)), by + (scope if by else ""), _authority(r), _where(look, r)


def conflicts(look: Ruling) -> None:
    """Draw what is said against each other on the day, the higher authority first."""
    found = look.run("conflicts", target=look.target).rows
    said = f"{text.count(len(found), 'conflict')} open on {look.day}." if found else f"No conflict is open on {look.day}."
    answers.draw(f'<p class="hc-verdict" role="status">{esc(said)}</p>')
    if found:
        columns = ("About", "One side", "The other side", "Both hold")
        answers.draw(listing.table(f"Conflicts on {look.day}", columns, [clash(look.frame.entity_url, r) for r in found]))


def clash(link: Callable[[str], str], r: Row) -> tuple[str, ...]:
    """A conflict as cells: what it is about, both sides with authority and source, and since when."""
    matter = f"{str(r.get('slot') or '').replace('-', ' ')}, {r.get('kind') or ''}"
    subject = str(r.get("subject") or "")
    named = listing.link(link(subject), text.key_label(subject), subject) if ":" in subject else esc(subject or "everybody")
    about = f"{named}<br><small>{esc(matter)}</small>"
    sides = []
    for side in ("a", "b"):
        key, source = str(r[side]), str(r.get(f"{side}_from") or "")
        value = listing.link(link(key), text.short(r[f"{side}_value"] or text.key_label(key), 80), key)
        weight = esc(str(r.get(f"{side}_authority") or "").replace("_", " "))
        where = listing.link(link(source), text.short(text.key_label(source), 60), source) if source else ""
        quote = str(r.get(f"{side}_quote") or "")
        sides.append(f"{value} {listing.badge(weight)}<br>{listing.quote(quote, where, int(r.get(f'{side}_line') or 0))}")
    return about, *sides, esc(_span({"valid_from": r.get("since"), "valid_to": r.get("until")}))
