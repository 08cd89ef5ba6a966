"""What every session of the process shares (the open brain, the jobs), and who this session is.

The viewer comes from the login the server checked, never from a widget, an address or a model.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

import streamlit as st

from brain import rulecopy, settings
from brain.brain import Brain
from brain.identity import Login
from brain.types import Viewer
from brain.ui.jobs import Jobs

STAMP = "frame_stamp"
_OWN = "frame_"
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via")


@st.cache_resource(show_spinner=False)
def configured() -> settings.Settings:
    """The settings of this process."""
    return settings.load()


@st.cache_resource(show_spinner=False)
def brain(workspace: str) -> Brain:
    """The open brain of a workspace, shared by all sessions; copies that an earlier process left behind go."""
    opened = Brain.open(configured(), workspace)
    rulecopy.sweep(opened.store, workspace, opened.now())
    return opened


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """The jobs of this process."""
    return Jobs()


def start_embedding(brain: Brain, who: Viewer, held: Jobs) -> None:
    """Make the vectors that are missing, in a job of its own behind everything else."""
    if held.running("embedding") is None and brain.embedder is not None and brain.unembedded():
        held.start("embedding", f"Making vectors of {brain.workspace}", who.owner, lambda job: brain.embed(job.report, job.cancelled))


def viewer(brain: Brain) -> Viewer:
    """Who this session is in the workspace, with the rights of now."""
    here = _is_local(st.get_option("server.address") or "") and from_here(st.context.headers)
    return brain.viewer(Login(st.user.to_dict(), required=has_login(), local=here))


def has_login() -> bool:
    """Whether people log in here, at an identity provider or at a proxy in front."""
    return bool(st.get_option("server.trustedUserHeaders")) or has_auth()


def has_auth() -> bool:
    """Whether an identity provider is configured."""
    try:
        return "auth" in st.secrets
    except FileNotFoundError:
        return False


def providers() -> dict[str, str]:
    """The identity providers that are configured, by name, with what their button says; the unnamed one's name is empty."""
    section = st.secrets["auth"]
    named = [str(name) for name, value in section.items() if isinstance(value, Mapping)]
    return {name: f"Log in with {name}" for name in named} if named else {"": "Log in"}


def from_here(headers: Mapping[str, str]) -> bool:
    """Whether the browser runs on this machine: it calls the server by a name of this machine alone, and nothing tells of a
    proxy between. A session without any request, as in a test of a page, does.
    """
    if not headers:
        return True
    names = [urlsplit(f"//{headers.get('Host') or ''}").hostname or ""]
    if origin := headers.get("Origin"):
        names.append(urlsplit(origin).hostname or "")
    return all(map(_is_local, names)) and not any(headers.get(name) for name in _FORWARDED)


def settle(workspace: str, who: Viewer) -> None:
    """Forgets everything that this session keeps when it is another workspace's, another viewer's, or of other rights."""
    now = (workspace, who)
    if STAMP in st.session_state and st.session_state[STAMP] != now:
        for key in [key for key in st.session_state if not str(key).startswith(_OWN)]:
            del st.session_state[key]
    st.session_state[STAMP] = now


def _is_local(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
