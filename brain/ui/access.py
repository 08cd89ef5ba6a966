"""What the Access page looks at: the view, the person and the thing, chosen here or in the address, and kept in it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from brain import identity, permissions, viewers
from brain.errors import HopcheckError
from brain.tools.asking import Asking
from brain.types import Viewer
from brain.ui import text
from brain.ui.frame import Frame, workspace_param

CHECKS = {"checks": "Checks", "person": "A person", "thing": "A thing", "data": "Access data"}
OWN = {"person": "What you read", "thing": "Why you read it", "data": "Access data"}
NOT_LOGINS = ("guest", "nobody")


@dataclass(frozen=True)
class Look:
    """The view that was chosen, and for an administrator the person; everybody else looks at themselves."""

    frame: Frame
    view: str
    person: str = ""

    @property
    def admin(self) -> bool:
        """Whether whoever looks may know of others and of what is hidden."""
        return self.frame.viewer.admin

    @property
    def asking(self) -> Asking:
        """The surroundings of a query: with every right for an administrator, with their own for everybody else."""
        return self.frame.brain.looking(permissions.local_admin() if self.admin else self.frame.viewer)

    def viewer(self) -> Viewer:
        """The viewer that was chosen."""
        if not self.admin or not self.person:
            return self.frame.viewer
        name = self.person if self.person in NOT_LOGINS else identity.LOGIN + self.person
        return self.frame.brain.viewer(name)

    def url(self, **params: str) -> str:
        """A link to this page."""
        chosen = {"person": self.person} if self.person else {}
        return self.frame.url("Access", **{"view": self.view, **chosen, **params})


def look(frame: Frame) -> Look:
    """Draw the choice of the view, and for an administrator of the person where the view is about one."""
    views = CHECKS if frame.viewer.admin else OWN
    if st.session_state.get("access_asked") != st.query_params.to_dict():
        st.session_state["access_asked"] = st.query_params.to_dict()
        asked = st.query_params.get("view", "")
        st.session_state["access_view"] = asked if asked in views else ("thing" if "key" in st.query_params else next(iter(views)))
        st.session_state["access_person"] = st.query_params.get("person", "")
        st.session_state["access_key"] = st.query_params.get("key", "")
    if st.session_state["access_view"] not in views:
        st.session_state["access_view"] = next(iter(views))
    keep = (frame,)
    st.segmented_control("Show", views, required=True, format_func=views.__getitem__, key="access_view", on_change=_remember, args=keep)
    view = str(st.session_state["access_view"])
    if not frame.viewer.admin or view not in ("person", "thing"):
        return Look(frame, view)
    people = _people(frame)
    if st.session_state.get("access_person") not in people:
        asked = st.session_state.pop("access_person", "")
        if asked:
            st.warning(f"Nobody here has the login {text.safe_md(asked)}; choose somebody.")
        st.session_state["access_person"] = next(iter(people))
    named = {login: text.plain(name) for login, name in people.items()}
    st.selectbox("Person", list(named), format_func=lambda p: named.get(p, p), key="access_person", on_change=_remember, args=keep)
    return Look(frame, view, str(st.session_state["access_person"]))


def _people(frame: Frame) -> dict[str, str]:
    """Who can be looked at, by login."""
    rows = frame.brain.looking(permissions.local_admin()).run("people").rows
    now = frame.brain.present()
    found = {str(r["login"]): r for r in rows if str(r["login"]) not in viewers.FIXED}
    left = {login: ", has left" if r["departed_at"] is not None and r["departed_at"] <= now else "" for login, r in found.items()}
    fixed = {"guest": "guest: not known here", "nobody": "nobody: was granted nothing"}
    return {**{login: f"{r['name'] or login} ({login}{left[login]})" for login, r in found.items()}, **fixed}


def _remember(frame: Frame) -> None:
    view = st.session_state["access_view"]
    chosen = {"view": view}
    if view in ("person", "thing") and st.session_state.get("access_person"):
        chosen["person"] = st.session_state["access_person"]
    if view == "thing" and st.session_state.get("access_key"):
        chosen["key"] = st.session_state["access_key"]
    st.query_params.from_dict({**chosen, **workspace_param(frame.workspace)})
    st.session_state["access_asked"] = st.query_params.to_dict()


def thing(at: Look) -> str:
    """Draw the field for a key or a title; the key that was meant, or nothing while several are and one is to be chosen."""
    typed = st.text_input(
        "Key or title", key="access_key", placeholder="doc:docs/policies/releases.md", max_chars=500, on_change=_remember, args=(at.frame,)
    ).strip()
    if not typed:
        return ""
    try:
        if at.asking.run("may_read", keys=[typed]).rows or (at.admin and at.asking.run("label_of", key=typed).rows):
            return typed
        found = at.asking.run("readable_named", words=typed.lower()).rows
    except HopcheckError as error:
        st.error(text.safe_md(error))
        return ""
    if len(found) == 1:
        return str(found[0]["key"])
    if not found:
        return typed
    keys = {str(r["key"]): f"{text.short(r['name'] or '', 80)} ({text.key_label(r['key'])})" for r in found}
    picked = st.selectbox("Which one", list(keys), index=None, format_func=lambda k: text.plain(keys[k]), key="access_which")
    return str(picked or "")
