"""What the Rules page looks at: the day, chosen by slider, by typing or by the address, and the filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import streamlit as st

from brain import instants
from brain.tools.asking import Asking
from brain.types import Result
from brain.ui import text
from brain.ui.frame import Frame, workspace_param
from brain.whatif import spans

Row = Mapping[str, Any]
VIEWS = {"force": "In force", "history": "History", "conflicts": "Conflicts", "whatif": "What if"}
EVERYTHING = ""


@dataclass(frozen=True)
class Ruling:
    """What the page looks at: every rule the viewer may read, whenever it holds, and the day that was chosen."""

    frame: Frame
    rules: Sequence[Row]
    day: date
    target: str = ""
    words: str = ""

    @property
    def ctx(self) -> Asking:
        """The surroundings of a tool at the end of that day."""
        return replace(self.frame.brain.asking(self.frame.viewer), as_of=int(instants.instant(str(self.day)) or 0))

    def run(self, tool: str, **args: Any) -> Result:
        """What a tool tells on that day."""
        return self.frame.brain.tools[tool].run(self.ctx, **args)

    def url(self, **params: Any) -> str:
        """A link to this page on this day."""
        return self.frame.url("Rules", **{"at": str(self.day), **params})


def look(frame: Frame) -> Ruling:
    """Draw the view, the day and the filter, from the address and kept in it; what they came to."""
    rules = spans(frame.brain.asking(frame.viewer))
    today = date.fromisoformat(instants.day(frame.brain.present()))
    first, last = _reach(rules, today)
    asked = instants.date_of(st.query_params.get("at", ""), first, last) or today
    if st.session_state.get("rules_asked") != st.query_params.to_dict():
        st.session_state["rules_asked"] = st.query_params.to_dict()
        st.session_state["rules_day"] = st.session_state["rules_slider"] = asked
        st.session_state["rules_words"] = st.query_params.get("words", "")
        st.session_state["rules_target"] = st.query_params.get("target", EVERYTHING)
        st.session_state["rules_view"] = view if (view := st.query_params.get("view", "")) in VIEWS else "force"
    st.segmented_control("Show", VIEWS, required=True, format_func=VIEWS.__getitem__, key="rules_view", on_change=_remember, args=(frame,))
    left, right = st.columns([4, 1.2], vertical_alignment="bottom")
    told: dict[str, Any] = {"format": "YYYY-MM-DD", "on_change": _remember}
    left.slider("Day", first, last, key="rules_slider", args=(frame, "rules_slider"), **told)
    right.date_input("Day, typed", min_value=first, max_value=last, key="rules_day", args=(frame, "rules_day"), **told)
    return Ruling(frame, rules, st.session_state["rules_slider"])


def _reach(rules: Sequence[Row], today: date) -> tuple[date, date]:
    """From the first rule on to a month after the last thing that is announced."""
    told = [int(r[side]) for r in rules for side in ("valid_from", "valid_to") if r[side] and 0 < int(r[side]) < 4_102_444_800]
    days = [today, *(date.fromisoformat(instants.day(t)) for t in told)]
    return min(days) - timedelta(days=1), max(days) + timedelta(days=31)


def _remember(frame: Frame, changed: str = "rules_slider") -> None:
    """Puts what was chosen into the address; slider and field say the same day."""
    day = st.session_state[changed] or st.session_state["rules_slider"]
    st.session_state["rules_day"] = st.session_state["rules_slider"] = day
    given = {"view": st.session_state["rules_view"], "at": str(day), "rule": st.query_params.get("rule")}
    given |= {name: st.session_state.get(f"rules_{name}", st.query_params.get(name)) for name in ("target", "words")}
    st.query_params.from_dict({**{k: v for k, v in given.items() if v}, **workspace_param(frame.workspace)})
    st.session_state["rules_asked"] = st.query_params.to_dict()


def filtered(look: Ruling, by_words: bool = True) -> Ruling:
    """Draw the filter by whom a rule binds and, where it applies, by words; the ruling with it."""
    bound = {str(key): text.key_label(str(key)) for r in look.rules for key in r["applies"]}
    options = [EVERYTHING, *sorted(bound, key=lambda k: bound[k].lower())]
    for name in ("target", "words"):  # the fields are not on every view, and a field that is not drawn forgets
        st.session_state.setdefault(f"rules_{name}", st.query_params.get(name, ""))
    if st.session_state["rules_target"] not in options:
        st.session_state["rules_target"] = EVERYTHING
    left, right = st.columns(2)
    told: dict[str, Any] = {"on_change": _remember, "args": (look.frame,)}
    target = left.selectbox("Binding", options, key="rules_target", format_func=lambda k: bound.get(k, "Everybody and everything"), **told)
    words = right.text_input("Words", key="rules_words", placeholder="deadline, freeze, …", **told) if by_words else ""
    return replace(look, target=target, words=words.strip())
