"""The frame of every page, drawn by one call whether or not the entry script ran before.

A folder called pages/ lets a deep link run a page file directly on a fresh server; `page()` registers
the navigation itself, so such a first request looks like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.navigation.page import Page

from brain.brain import Brain
from brain.types import Viewer
from brain.ui import first, session, text, viewing

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Entry:
    """One page of the app: its title, script, icon, and what it is for. Ask, the first, is at `/`."""

    name: str
    script: str
    icon: str
    summary: str

    @property
    def path(self) -> str:
        """The page's path in a link; the first page has none."""
        return "" if self is PAGES[0] else Path(self.script).stem


PAGES = (
    Entry("Ask", "pages/ask.py", ":material/forum:", "Ask once, answered with the graph on and off."),
    Entry("Evidence", "pages/evidence.py", ":material/account_tree:", "One run, hop by hop."),
    Entry("Incident", "pages/incident.py", ":material/emergency_home:", "What an alert came from, whom to page, and what helped before."),
    Entry("Approvals", "pages/approvals.py", ":material/task_alt:", "What waits to be done, what it would change, and what was done."),
    Entry("Rules", "pages/rules.py", ":material/gavel:", "What is in force on a day, what it replaced, and what a notice would change."),
    Entry("Access", "pages/access.py", ":material/shield_lock:", "Who may read what and why, and the checks that nobody reads more."),
    Entry("Queries", "pages/queries.py", ":material/database_search:", "Every query, to run with your own parameters."),
    Entry("Sources", "pages/sources.py", ":material/upload_file:", "What is loaded, what is wrong with it, what waits for a decision."),
    Entry("Evaluation", "pages/evaluation.py", ":material/balance:", "What the graph is worth, measured."),
    Entry("Memory", "pages/memory.py", ":material/psychology:", "What is known of you, from which words, and the way to forget it."),
)


@dataclass(frozen=True)
class Frame:
    """What a page works with: the open brain, who looks, and links that keep the workspace."""

    brain: Brain
    viewer: Viewer
    workspace: str
    fresh: bool = False

    def url(self, name: str, **params: Any) -> str:
        """The address of a page of that name with these parameters, in this workspace."""
        return text.url(entry(name).path, {**params, **workspace_param(self.workspace)})

    def source_url(self, run: str, key: str) -> str:
        """The address that shows a cited source as the run saw it."""
        return self.url("Evidence", run=run, key=key)

    def entity_url(self, key: str) -> str:
        """The address that shows an entity with everything that hangs on it."""
        return self.url("Queries", query="details", **{"p.key": key})


def entry(name: str) -> Entry:
    """The page of that name."""
    return next(p for p in PAGES if p.name == name)


def workspace_param(workspace: str) -> dict[str, str]:
    """The link parameter for a workspace; none for the one that opens by default."""
    return {} if workspace == session.configured().workspace else {"ws": workspace}


def pages() -> list[Page]:
    """The pages of the app for `st.navigation`."""
    # No icon here: the browser would fetch it as the tab's icon from a font server on the net.
    return [st.Page(p.script, title=p.name, url_path=p.path or None, default=p is PAGES[0]) for p in PAGES]


def page(name: str, *, needs_data: bool = True) -> Frame:
    """Draw the frame of the page of that name; an empty store gets the demo where that is configured.

    Stops the script after one line when the store cannot be used, or is empty and `needs_data`.
    """
    here = entry(name)
    st.set_page_config(page_title=f"{name} · Hopcheck", page_icon=str(_HERE / "icon.svg"), layout="wide")
    registered = pages()
    st.navigation(registered, position="hidden")
    st.html(f"<style>{(_HERE / 'page.css').read_text(encoding='utf-8')}</style>")
    workspace = str(st.query_params.get("ws") or session.configured().workspace)
    with st.sidebar:
        st.html('<p class="hc-brand">Hopcheck<small>every hop, every citation checked</small></p>')
        for p, e in zip(registered, PAGES, strict=True):
            st.page_link(p, icon=e.icon, query_params=workspace_param(workspace) or None, width="stretch")
    st.title(name)
    st.markdown(here.summary)
    brain = first.opened(workspace)
    real = session.viewer(brain)
    viewer = viewing.seen(brain, real)
    session.settle(workspace, viewer)
    with st.sidebar:
        _workspace(brain, workspace, real)
        viewing.choice(brain, real)
        _who(viewer)
    viewing.banner(viewer)
    fresh = first.loaded(brain, workspace, viewer, needs_data)
    return Frame(brain, viewing.seen(brain, session.viewer(brain)) if fresh else viewer, workspace, fresh)


def _workspace(brain: Brain, workspace: str, who: Viewer) -> None:
    """The workspace, and for an administrator the choice of another: nobody else is told which there are."""
    names = sorted({workspace, *(brain.store.workspaces() if who.admin else ())})
    if len(names) == 1:
        st.html(f'<p class="hc-note">Workspace: <b>{text.esc(workspace)}</b></p>')
        return
    st.selectbox("Workspace", names, index=names.index(workspace), key="frame_workspace", on_change=_switch)


def _who(viewer: Viewer) -> None:
    """Who looks and what they may read; the way in and out where people log in at an identity provider."""
    address = str(st.user.get("email") or "") if viewer.id.startswith("mail:") and not viewer.by else ""
    st.html(f'<p class="hc-note">Viewer: <b>{text.esc(address or viewer.id)}</b> ({text.esc(_sees(viewer))})</p>')
    if not session.has_auth():
        return
    if st.user.get("is_logged_in"):
        st.button("Log out", key="frame_logout", on_click=st.logout)
        return
    for provider, words in session.providers().items():
        if st.button(words, key=f"frame_login_{provider}"):
            try:
                st.login(provider or None)
            except StreamlitAPIException:
                st.error("Logging in needs the package Authlib: pip install 'hopcheck[login]', and all of [auth] in secrets.toml.")


def _switch() -> None:
    st.query_params.from_dict(workspace_param(st.session_state["frame_workspace"]))


def _sees(viewer: Viewer) -> str:
    if not viewer.clearance and not viewer.groups:
        return "sees nothing"
    return f"sees {', '.join(sorted(viewer.clearance))} sources"
