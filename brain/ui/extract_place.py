"""Where somebody is in what a model read: kept in the address, so that every view of it has a link that reproduces it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from brain.ui.frame import Frame

VIEW = "read"
_ASKED = "extract_asked"


@dataclass(frozen=True)
class Place:
    """The view of this frame; a field of it is called in the session as `key` says."""

    frame: Frame

    @classmethod
    def of(cls, frame: Frame) -> Place:
        """The place that the address names; what the session remembers of another address is forgotten."""
        if st.session_state.get(_ASKED) != st.query_params.to_dict():
            for key in [key for key in st.session_state if str(key).startswith("extract_at_")]:
                del st.session_state[key]
            st.session_state[_ASKED] = st.query_params.to_dict()
        return cls(frame)

    @staticmethod
    def key(name: str) -> str:
        """What a field is called in the session."""
        return f"extract_at_{name}"

    def choose(self, name: str, legal: Sequence[Any] | None, default: str = "") -> None:
        """Sets a field to what the address says, before it is drawn: to the default, where that is not legal."""
        key, said = self.key(name), st.query_params.get(name, default)
        st.session_state.setdefault(key, said)
        if legal is not None and st.session_state[key] not in legal:
            st.session_state[key] = default

    def keep(self, *names: str) -> None:
        """Puts what these fields say into the address; another filter or part begins on its first page."""
        self.go(**{name: str(st.session_state.get(self.key(name)) or "") for name in names}, p="")
        st.session_state.pop(self.key("p"), None)

    def go(self, **params: str) -> None:
        """Makes these the address's, beside those it has; what is empty goes."""
        given = {**st.query_params.to_dict(), "view": VIEW, **params}
        st.query_params.from_dict({k: v for k, v in given.items() if v})
        st.session_state[_ASKED] = st.query_params.to_dict()

    def url(self, **params: str) -> str:
        """A link to this view with these parameters alone."""
        return self.frame.url("Sources", view=VIEW, **params)

    def page(self, total: int, per_page: int, name: str = "p") -> int:
        """Draw the choice of a page, where there are several; the number of the first thing on it."""
        pages, key = max(1, -(-total // per_page)), self.key(name)
        said = st.query_params.get(name, "")
        start = min(pages, int(said)) if said.isascii() and said.isdigit() and len(said) < 9 and int(said) else 1
        if int(st.session_state.get(key) or 0) not in range(1, pages + 1):
            st.session_state[key] = start
        if pages == 1:
            return 0
        at = st.pagination(pages, key=key, on_change=lambda: self.go(**{name: str(st.session_state[key])}))
        return (at - 1) * per_page
