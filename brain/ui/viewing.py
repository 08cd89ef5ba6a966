"""An administrator looks at a workspace as somebody else: chosen at the side, said above every page, noted, and ended by a click.

Only the server's own note of the choice counts, and only while the login is an administrator's; no address has a part in it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

import streamlit as st

from brain import identity, permissions, viewers
from brain.audit import viewings
from brain.audit.viewings import Viewing
from brain.brain import Brain
from brain.demo import company
from brain.types import Viewer
from brain.ui import answers, listing, session, text

CHOSEN, PICKED = "frame_viewing", "frame_view_as"
DEMO = "demo"
NOT_LOGINS = {"guest": "guest: not known here"}


def seen(brain: Brain, who: Viewer) -> Viewer:
    """Through whose eyes the page is drawn: the viewer's own, or those of whom an administrator chose in this workspace."""
    chosen = st.session_state.get(CHOSEN)
    if not chosen:
        return who
    if not who.admin or chosen[0] != brain.workspace:
        _forget()
        return who
    return identity.as_member(chosen[1], who, brain.settings, brain.company())


def choice(brain: Brain, who: Viewer) -> None:
    """Draw the choice, for an administrator of a workspace in which something is loaded."""
    if not who.admin or not brain.loaded():
        return
    people = _people(brain)
    chosen = st.session_state.get(CHOSEN)
    st.session_state[PICKED] = chosen[1] if chosen and chosen[1] in people else None
    st.selectbox(
        "View as", list(people), index=None, key=PICKED, placeholder="myself", on_change=_changed, args=(brain,),
        format_func=lambda login: text.plain(people.get(login, login)), help="See this workspace as somebody else sees it. It is noted.",
    )  # fmt: skip


def banner(who: Viewer) -> None:
    """Say so above the page while somebody else's eyes are used, with the way back."""
    if not who.by:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="frame_banner"):
        st.markdown(f":material/visibility: You see what **{text.safe_md(who.id)}** may see. Nothing can be decided or loaded meanwhile.")
        st.button("Back to me", key="frame_back", on_click=_forget)


def log(brain: Brain, who: Viewer) -> None:
    """Draw who looked as whom, for an administrator."""
    if not who.admin:
        return
    found = viewings.latest(brain.files)
    if not found:
        st.markdown("Nobody has looked at this workspace as somebody else.")
        return
    rows = [(text.esc(_moment(v.at)), text.esc(v.who), text.esc(v.seen_as)) for v in found]
    answers.draw(listing.table("Who looked as whom, newest first", ("When", "Who", "As"), rows))


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


def _changed(brain: Brain) -> None:
    """Notes the choice, then makes it; whoever is no administrator (any more) chooses nothing."""
    picked, who = st.session_state.get(PICKED), session.viewer(brain)
    if not picked or not who.admin or picked not in _people(brain):
        _forget()
        return
    viewings.note(brain.files, Viewing(brain.now(), who.id, str(picked), brain.workspace))
    st.session_state[CHOSEN] = (brain.workspace, str(picked))


def _forget() -> None:
    st.session_state.pop(CHOSEN, None)
    st.session_state.pop(PICKED, None)


def _people(brain: Brain) -> dict[str, str]:
    """Whom one can look as, by login: the demo's personas first, then everybody with a login."""
    rows = brain.looking(permissions.local_admin()).run("people").rows
    logins = {str(r["login"]): f"{r['login']}: {r['name'] or ''}".removesuffix(": ").removesuffix(f": {r['login']}") for r in rows}
    logins = {login: said for login, said in logins.items() if viewers.fold(login) not in viewers.FIXED}
    first = {login: f"{persona}: {login}" for persona, login in _personas().items() if login in logins} if brain.workspace == DEMO else {}
    return {**first, **NOT_LOGINS, **{login: said for login, said in logins.items() if login not in first}}


@cache
def _personas() -> dict[str, str]:
    """The demo's personas by what they are there."""
    loaded = company.load()
    return {persona: loaded.people[short].login for persona, short in loaded.personas.items()}
