"""A notice to try out: typed, or taken from those announced, and what it would change, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import streamlit as st

from brain import instants
from brain.errors import HopcheckError
from brain.ui import answers, listing, text
from brain.ui.rules import clash
from brain.ui.ruling import Row, Ruling
from brain.ui.text import esc
from brain.whatif import TRIED, Change, Comparison, Notice, coming

OWN = "A notice of my own"
AUTHORITIES = {"formal_rule": "Formal rule", "practice": "Practice"}
WHAT = {
    "new": ("new", "supported"),
    "gone": ("no longer in force", "contradicted"),
    "changed": ("changed", "unsupported"),
    "stays": ("stays", ""),
}
_FIELDS = ("name", "value", "from", "until", "binds", "replaces", "conditions", "authority")


def draw(look: Ruling) -> None:
    """Draw the form, and below it what the notice that was tried would change. Nothing here touches what is loaded."""
    st.markdown("A notice is tried on a copy of the graph that nobody else sees and that goes at once. What is loaded stays as it is.")
    ahead = coming(look.rules, int(look.ctx.as_of))
    starts = [OWN, *(f"{n.name}: {text.short(n.value, 40)} from {text.when(n.start)}" for n in ahead)]
    start = st.selectbox("Start from", starts, key="whatif_start", format_func=text.plain)
    given = None if start == OWN else ahead[starts.index(start) - 1]
    if st.session_state.get("whatif_given") != (given, look.day):
        st.session_state["whatif_given"] = (given, look.day)
        st.session_state.pop("whatif_result", None)
        _fill(given, look.day)
    _form(look, given)
    result = st.session_state.get("whatif_result")
    if isinstance(result, Comparison):
        compared(look, result)
        st.button("Reset", key="whatif_reset", on_click=_reset)
    elif result:
        st.error(text.safe_md(result))


def _fill(notice: Notice | None, day: date) -> None:
    """Puts a notice into the fields, or empties them."""
    n = notice or Notice("", "", 0)
    start, end = (instants.date_of(text.when(t)) for t in (n.start, n.end or 0))
    values = (n.name, n.value, start or day, end, list(n.applies_to), list(n.replaces), n.conditions, n.authority)
    for name, value in zip(_FIELDS, values, strict=True):
        st.session_state[f"whatif_{name}"] = value


def _reset() -> None:
    st.session_state.pop("whatif_result", None)
    st.session_state["whatif_given"] = ()
    st.session_state["whatif_start"] = OWN


def _form(look: Ruling, given: Notice | None) -> None:
    bound = sorted({str(key) for r in look.rules for key in r["applies"]})
    names = {str(r["key"]): f"{r['name']}: {text.short(r['value'] or '', 30)} {text.when(r['valid_from'])}" for r in look.rules}

    def submit() -> None:
        try:
            st.session_state["whatif_result"] = look.frame.brain.what_if([_typed(given)], look.frame.viewer, int(look.ctx.as_of))
        except HopcheckError as error:
            st.session_state["whatif_result"] = str(error)

    with st.form("whatif_form"):
        a, b = st.columns(2)
        a.text_input("Rule", key="whatif_name", placeholder="Change freeze window", max_chars=200)
        b.text_input("Value", key="whatif_value", placeholder="Friday 12:00 to Monday 06:00", max_chars=500)
        a.date_input("In force from", key="whatif_from", format="YYYY-MM-DD", max_value=date(2100, 1, 1))
        b.date_input("Until", key="whatif_until", format="YYYY-MM-DD", max_value=date(2100, 1, 1), help="Empty: until further notice")
        a.multiselect("Binds", bound, key="whatif_binds", format_func=text.key_label, placeholder="Everybody")
        b.multiselect("Replaces", list(names), key="whatif_replaces", format_func=lambda k: text.plain(names[k]), placeholder="Nothing")
        a.text_input("Conditions", key="whatif_conditions", max_chars=500)
        b.selectbox("Authority", AUTHORITIES, key="whatif_authority", format_func=lambda k: AUTHORITIES.get(k, k))
        st.form_submit_button("Try it on a copy", type="primary", on_click=submit)


def _typed(given: Notice | None) -> Notice:
    """The notice as it stands in the fields."""
    name, value, start, end, binds, replaces, conditions, authority = (st.session_state[f"whatif_{f}"] for f in _FIELDS)
    until = instants.instant(str(end)) if end else None
    begins = instants.instant(f"{start}T00:00") or 0 if start else 0
    key = given.key if given else ""
    return Notice(name.strip(), value.strip(), begins, until, tuple(binds), tuple(replaces), conditions.strip(), authority, key)


def compared(look: Ruling, result: Comparison) -> None:
    """Draw what would change: rules before and after, and conflicts that would begin or end."""
    day = text.when(result.as_of)
    st.subheader(f"On {day}, with the notice and without")
    answers.draw(f'<p class="hc-verdict" role="status">{esc(sentence(result))}</p>')
    rules = [c for c in result.rules if c.what != "stays"]
    if rules:
        st.markdown("#### Rules that would change")
        columns = ("Rule", "Without the notice", "With the notice", "Change")
        answers.draw(listing.table("Rules that would change", columns, [_rule(c) for c in rules]))
    for what, title in (("new", "Conflicts that would begin"), ("gone", "Conflicts that would end")):
        rows = [c.after or c.before for c in result.conflicts if c.what == what]
        _conflicts(look, title, [r for r in rows if r])


def sentence(result: Comparison) -> str:
    """What the notice would do, in one sentence."""
    counts = {what: sum(c.what == what for c in result.rules) for what in WHAT}
    begins, ends = (sum(c.what == what for c in result.conflicts) for what in ("new", "gone"))
    parts = [f"{n} {'rule' if n == 1 else 'rules'} {WHAT[what][0]}" for what, n in counts.items() if n and what != "stays"]
    parts += [f"{text.count(n, 'conflict')} {verb}" for n, verb in ((begins, "more"), (ends, "fewer")) if n]
    stays = f"{text.count(counts['stays'], 'rule')} unchanged"
    return f"{', '.join([*parts, stays])}." if parts else f"Nothing would change; {stays}."


def _rule(change: Change) -> tuple[str, ...]:
    row = change.after or change.before or {}
    return esc(row["name"]), _side(change.before), _side(change.after), listing.badge(*WHAT[change.what])


def _side(row: Row | None) -> str:
    if row is None:
        return "not in force"
    extra = [str(row.get("conditions") or ""), str(row.get("subject") or ""), str(row.get("authority") or "").replace("_", " ")]
    return f"{esc(row['value'])}<br><small>{esc(', '.join(part for part in extra if part))}</small>"


def _conflicts(look: Ruling, title: str, rows: Sequence[Row]) -> None:
    if rows:
        st.markdown(f"#### {title}")
        cells = [clash(lambda key: "" if key.startswith(TRIED) else look.frame.entity_url(key), r) for r in rows]
        answers.draw(listing.table(title, ("About", "One side", "The other side", "Both hold"), cells))
